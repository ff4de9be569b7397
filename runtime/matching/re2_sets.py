"""RE2 as a prefilter: one scan of a run says which of all the patterns may match in it at all.

    sets = Re2Sets.of([supersets(pattern) for pattern in patterns])
    sets.may_match(blob.text)       # {0, 7}: indexes of patterns; None where the scan failed

Needs `google-re2`, the extra `fast`. Memory is bounded: an automaton is built as the text asks for it, within the
budget of its set, and begun anew when that is spent. RE2 says nothing when it gives up, it just reports no match
(https://github.com/google/re2/issues/136); so every text ends in a mark that one pattern of every set looks for, and a
set that misses the mark has no answer.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from .re2_library import Set, compile_set

MAX_MEMORY = 256 << 20
"""Bytes for the automata of one `Re2Sets`, together."""

SET_MEMORY = 64 << 20
MIN_SET_MEMORY = 4 << 20
MAX_SETS = MAX_MEMORY // MIN_SET_MEMORY
"""Patterns beyond them do without RE2."""

SET_LENGTH = 16_000
"""Characters of pattern in one set, a hundred or two ordinary ones, of which those that begin alike come together. Many
automata are slower than one, but one of very many states is slower than many."""

TRIAL = 24
"""Scans after which it is seen which parts sift anything."""

SLOW_PACE = 100e-9
"""Seconds a byte; an automaton that is there takes two billionths."""

_CALL = 200e-6
"""Seconds that a scan may take however short the text is."""

_MARK = "\\xff"
_MARKED = b"\n\xff"
"""Behind every text; no projected value holds this byte."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    set: Set
    parts: Sequence[int]
    """The number of the part behind each index of the set but the last, which is the mark."""


@dataclass(slots=True)
class Re2Sets:
    supersets: Sequence[tuple[str, ...]]
    """Of each pattern: its parts, all of which match wherever it does."""
    chunks: Sequence[_Chunk]
    alone: Sequence[Sequence[int]]
    """By part: the patterns that it is the only part of."""
    together: Sequence[tuple[int, frozenset[int]]]
    """(pattern, its parts) of patterns with several."""
    unfiltered: frozenset[int]
    """Patterns that have no part, or one that no set takes."""
    names: Sequence[str]
    """By part: its text."""
    scans: int = 0
    hits: Counter[int] = field(default_factory=Counter[int])
    """By part: in how many of the scans of the trial it was found."""
    late: defaultdict[int, float] = field(default_factory=lambda: defaultdict[int, float](float))
    """By chunk: seconds above `SLOW_PACE` in the second half of the trial, when its automaton should be there."""

    @staticmethod
    def of(supersets: Sequence[tuple[str, ...]]) -> Re2Sets:
        """Sets for the patterns, in the order of their `supersets`."""
        numbers: dict[str, int] = {}
        for parts in supersets:
            for part in parts:
                numbers.setdefault(part, len(numbers))
        chunks, refused = _compile(sorted(numbers.items()))
        alone: list[list[int]] = [[] for _ in numbers]
        together: list[tuple[int, frozenset[int]]] = []
        unfiltered: set[int] = set()
        for pattern, parts in enumerate(supersets):
            usable = frozenset(numbers[part] for part in parts) - refused
            match len(usable):
                case 0:
                    unfiltered.add(pattern)
                case 1:
                    alone[next(iter(usable))].append(pattern)
                case _:
                    together.append((pattern, usable))
        return Re2Sets(supersets, chunks, alone, together, frozenset(unfiltered), list(numbers))

    def may_match(self, text: bytes) -> set[int] | None:
        """Patterns that may match in the values of `text`; None where that is not known."""
        marked = text + _MARKED
        found: list[int] = []
        self.scans += 1
        is_measured = TRIAL // 2 < self.scans <= TRIAL
        for number, chunk in enumerate(self.chunks):
            begun = time.perf_counter() if is_measured else 0.0
            matched = chunk.set.Match(marked)
            if is_measured:
                self.late[number] += time.perf_counter() - begun - _CALL - SLOW_PACE * len(marked)
            mark = len(chunk.parts)
            if not matched or mark not in matched:
                return None
            if len(matched) > 1:
                parts = chunk.parts
                found += [parts[index] for index in matched if index != mark]
        maybe = set(self.unfiltered)
        for part in found:
            maybe.update(self.alone[part])
        if self.together:
            all_found = frozenset(found)
            maybe.update(pattern for pattern, parts in self.together if parts <= all_found)
        if self.scans <= TRIAL:
            self.hits.update(found)
        return maybe

    @property
    def is_proven(self) -> bool:
        """Whether the trial is over, after which what was slow is gone."""
        return self.scans > TRIAL

    def without_useless(self) -> Re2Sets:
        """Once the trial is over: sets without the parts that sift nothing or cost too much, or these sets.

        A part that was found in most scans sifts nothing, and costs much: an automaton knows what it has found so far,
        so with every part that it finds it goes on among states that are all new. Parts of a set that is slow once its
        automaton should be there have too many states for it to be there ever.
        """
        if self.scans != TRIAL:
            return self
        useless = {self.names[part] for part, count in self.hits.items() if count > TRIAL // 2}
        for number, late in self.late.items():
            if late > 0:
                useless.update(self.names[part] for part in self.chunks[number].parts)
        if not useless:
            return self
        left = [tuple(part for part in parts if part not in useless) for parts in self.supersets]
        return replace(Re2Sets.of(left), scans=TRIAL + 1)


def _compile(parts: list[tuple[str, int]]) -> tuple[list[_Chunk], set[int]]:
    """Sets of at most `SET_LENGTH`, and the parts that none takes. A set that does not compile is halved, its memory
    too."""
    groups = list(_by_length(parts))
    share = max(MIN_SET_MEMORY, min(SET_MEMORY, MAX_MEMORY // max(1, len(groups))))
    waiting = [(group, share) for group in groups]
    chunks: list[_Chunk] = []
    refused: set[int] = set()
    while waiting:
        group, memory = waiting.pop()
        chunk = _chunk(group, memory) if len(chunks) < MAX_SETS else None
        if chunk is not None:
            chunks.append(chunk)
        elif len(group) == 1 or len(chunks) == MAX_SETS:
            refused.update(number for _, number in group)
        else:
            half, less = len(group) // 2, max(MIN_SET_MEMORY, memory // 2)
            waiting += [(group[:half], less), (group[half:], less)]
    return chunks, refused


def _by_length(parts: Iterable[tuple[str, int]]) -> Iterable[list[tuple[str, int]]]:
    group: list[tuple[str, int]] = []
    length = 0
    for part in parts:
        length += len(part[0])
        if group and length > SET_LENGTH:
            yield group
            group, length = [], len(part[0])
        group.append(part)
    if group:
        yield group


def _chunk(parts: list[tuple[str, int]], memory: int) -> _Chunk | None:
    compiled = compile_set([*(text for text, _ in parts), _MARK], memory)
    return _Chunk(compiled, [number for _, number in parts]) if compiled else None
