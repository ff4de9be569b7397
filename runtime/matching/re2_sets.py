"""RE2 as a prefilter: one scan of a run says which of all the patterns may match in it at all.

    sets = Re2Sets.of([supersets(pattern) for pattern in patterns])
    sets.may_match(blob.text)       # {0, 7}: indexes of patterns; None where the scan failed

Needs `google-re2`, the extra `fast`. Memory is bounded: an automaton is built as the text asks for it, within the
budget of its set, and begun anew when that is spent. RE2 says nothing when it gives up, it just reports no match
(https://github.com/google/re2/issues/136); so every text ends in a mark that one pattern of every set looks for, and a
set that misses the mark has no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .re2_library import Set, compile_set

MAX_MEMORY = 256 << 20
"""Bytes for the automata of one `Re2Sets`, together."""

SET_MEMORY = 64 << 20
MIN_SET_MEMORY = 4 << 20
MAX_SETS = MAX_MEMORY // MIN_SET_MEMORY
"""Patterns beyond them do without RE2."""

SET_LENGTH = 64_000
"""Characters of pattern in one set: about a thousand ordinary ones. Many small automata are slower than one, but a
pattern that makes one explode slows down only its own set."""

_MARK = "\\xff"
_MARKED = b"\n\xff"
"""Behind every text; no projected value holds this byte."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    set: Set
    parts: Sequence[int]
    """The number of the part behind each index of the set but the last, which is the mark."""


@dataclass(frozen=True, slots=True)
class Re2Sets:
    chunks: Sequence[_Chunk]
    alone: Sequence[Sequence[int]]
    """By part: the patterns that it is the only part of."""
    together: Sequence[tuple[int, frozenset[int]]]
    """(pattern, its parts) of patterns with several."""
    unfiltered: frozenset[int]
    """Patterns that have no part, or one that no set takes."""

    @staticmethod
    def of(supersets: Sequence[tuple[str, ...]]) -> Re2Sets:
        """Sets for the patterns; `supersets` of each, all of which match wherever it does."""
        numbers: dict[str, int] = {}
        for parts in supersets:
            for part in parts:
                numbers.setdefault(part, len(numbers))
        chunks, refused = _compile(list(numbers.items()))
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
        return Re2Sets(chunks, alone, together, frozenset(unfiltered))

    def may_match(self, text: bytes) -> set[int] | None:
        """Patterns that may match in the values of `text`; None where that is not known."""
        marked = text + _MARKED
        found: list[int] = []
        for chunk in self.chunks:
            matched = chunk.set.Match(marked)
            mark = len(chunk.parts)
            if not matched or mark not in matched:
                return None
            parts = chunk.parts
            found += [parts[index] for index in matched if index != mark]
        maybe = set(self.unfiltered)
        for part in found:
            maybe.update(self.alone[part])
        if self.together:
            all_found = frozenset(found)
            maybe.update(pattern for pattern, parts in self.together if parts <= all_found)
        return maybe


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
