"""Many patterns in the values of a run, in one pass: what cannot match is settled before any engine is asked.

    matcher = Matcher(ExactEngine())
    scan = matcher.scan((r"systemctl\\s+restart", "rm -rf"), ["ls", "systemctl restart nginx"])
    list(scan.candidates(0)), list(scan.candidates(1))      # [1], []

Candidates may match; all other values do not, for certain. In front of the engine stand two sieves:

1. Literals that a match cannot do without are looked for in the bytes of the whole run (`literals`).
2. Once patterns have been asked about `WORTH_SETS` of text, an archive most likely, RE2 sets are made of them
   (`supersets`, `re2_sets`), if `google-re2` is there. They cost some time to make, and a scan says of a thousand
   patterns at once which of them may match in a run.

RE2 is not believed where the engine itself might well run out of time, so that what a run comes to does not depend on
whether it is installed: not about patterns with a back-reference, and about those with look-around only in values of
fewer than `SHORT` code units.
"""

from __future__ import annotations

import sys
import time
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from ...compiler.ecmascript import Pattern, parse
from .engine import CompiledPattern, Engine
from .literals import Clause, clauses
from .outcome import EngineFault, TooLarge
from .projection import Blob
from .re2_library import Regex, compile_regex, library
from .re2_sets import Re2Sets
from .subject import Subject
from .superset import supersets
from .watch import OverrunError, Watch

Sieves = Literal["all", "literals", "none"]

WORTH_SETS = 16_000
"""Code units of values after which RE2 sets are made, some 500 commands: about when they have paid for themselves."""

SHORT = 16_384
"""Code units of a value in which look-around of ordinary patterns is decided within the limit, with room to spare."""

SLOW_SCAN = 1.0
"""Seconds for all sets and one run, after which a list of patterns does without sets: they are to save time."""

_LONG_SCAN = 16_384
"""Bytes from which on a scan is watched, which costs a thread, until the trial of the sets is over."""

LONG_VALUE = 1_024
"""Code units of a value for which the pattern's own superset is asked before the engine; and runs with such a value are
scanned with patterns cut at their gaps."""

OWN_MEMORY = 2 << 20
"""Bytes for the automaton of one pattern's own superset."""

MAX_OWN = 128
"""Own supersets of a list that stay compiled."""

_SAMPLE = 16_384
"""Code units in which literals are counted."""

MAX_SOURCE = 20_000
"""Characters of a pattern that is sifted. To look at a class can take a millisecond, and there is room for many in a
megabyte."""

MAX_KEPT = 64
"""Lists of patterns that stay prepared."""


class Matcher:
    """An engine, and what has been prepared for lists of patterns that are searched together."""

    def __init__(self, engine: Engine, sieves: Sieves = "all") -> None:
        """`sieves`: which may be used. Where the engine has an answer, results are the same with all and with none."""
        self.engine = engine
        self._sieves: Sieves = sieves
        self._kept: dict[tuple[str, ...], PatternList] = {}

    def compile(self, pattern: str) -> CompiledPattern | TooLarge | EngineFault:
        return self.engine.compile(pattern)

    def scan(self, patterns: tuple[str, ...], values: Sequence[str]) -> Scan:
        """Looks for all of `patterns`, which must be valid, in all of `values`."""
        together = self._kept.get(patterns)
        if together is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            together = self._kept[patterns] = PatternList(patterns, self._sieves)
        return Scan(together, values)


class Scan:
    """All patterns of a list at work on all values of a run."""

    __slots__ = ("_blob", "_patterns", "_subjects", "_values", "possible")

    def __init__(self, patterns: PatternList, values: Sequence[str]) -> None:
        self._patterns = patterns
        self._values = values
        self._subjects: list[Subject | None] = [None] * len(values)
        self._blob = Blob.of(values) if values and patterns.sieves else None
        self.possible: Collection[int] = (
            patterns.possible(self._blob) if self._blob is not None else range(len(patterns.patterns))
        )
        """Indexes of the patterns that may match at all."""

    def subject(self, value: int) -> Subject:
        """The value at an index as engines read it, made once."""
        subject = self._subjects[value]
        if subject is None:
            subject = self._subjects[value] = Subject.of(self._values[value])
        return subject

    def candidates_of(self, patterns: Sequence[int]) -> Iterable[int]:
        """Indexes of the values that one of the patterns at these indexes may match, in order."""
        possible = [pattern for pattern in patterns if pattern in self.possible]
        if len(possible) == 1:
            return self.candidates(possible[0])
        return sorted({value for pattern in possible for value in self.candidates(pattern)})

    def candidates(self, pattern: int) -> Iterable[int]:
        """Indexes of the values that a possible pattern may match, in order."""
        blob = self._blob
        if blob is None:
            return range(len(self._values))
        sieve = self._patterns.sieves[pattern]
        values = _values_with(sieve.clauses, blob) if sieve.clauses else range(len(self._values))
        if blob.longest < LONG_VALUE or not self._patterns.uses_re2:
            return values
        return (value for value in values if self._patterns.may_match(pattern, blob, value))


def _values_with(clauses: Sequence[Clause], blob: Blob) -> Iterator[int]:
    """Indexes of the values that hold a literal out of every clause."""
    text, starts = blob.text, blob.starts
    first, *others = clauses
    if len(first) != 1:
        for value in range(len(starts) - 1):
            if _holds(clauses, text, starts[value], starts[value + 1]):
                yield value
        return
    literal = first[0]
    at = text.find(literal)
    while at >= 0:
        value = bisect_right(starts, at) - 1
        end = starts[value + 1]
        if _holds(others, text, starts[value], end):
            yield value
        at = text.find(literal, end)


def _holds(clauses: Sequence[Clause], text: bytes, start: int, end: int) -> bool:
    for clause in clauses:
        for literal in clause:
            if text.find(literal, start, end) >= 0:
                break
        else:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Sieve:
    """What is known of one pattern."""

    clauses: tuple[Clause, ...]
    reach: int
    """RE2 is believed about values of fewer code units than these."""


@dataclass(slots=True)
class PatternList:
    """Patterns that are searched together, and their sieves."""

    patterns: tuple[str, ...]
    allowed: Sieves
    sieves: list[_Sieve] = field(init=False)
    sets: dict[bool, Re2Sets] = field(default_factory=dict[bool, Re2Sets])
    """For runs with long values (True) and for others."""
    own: dict[int, tuple[Regex, ...]] = field(default_factory=dict[int, tuple[Regex, ...]])
    """Supersets of single patterns, by index."""
    asked: int = 0
    """Code units so far."""
    sample: bytes = b""
    """The first of them."""
    watch: Watch = field(default_factory=Watch)

    def __post_init__(self) -> None:
        self.sieves = [_sieve(parse(pattern)) for pattern in self.patterns] if self.allowed != "none" else []

    @property
    def uses_re2(self) -> bool:
        return bool(self.sets)

    def possible(self, blob: Blob) -> set[int]:
        """Indexes of the patterns that may match in a blob."""
        self.asked += len(blob.text)
        if len(self.sample) < _SAMPLE:
            self.sample += blob.text[:_SAMPLE]
        answer = self._by_sets(blob)
        found, unsifted = (set[int](), range(len(self.patterns))) if answer is None else answer
        if blob.longest >= SHORT:
            unsifted = {*unsifted, *(index for index, sieve in enumerate(self.sieves) if blob.longest >= sieve.reach)}
        text, end = blob.text, len(blob.text)
        for index in unsifted:
            if _holds(self.sieves[index].clauses, text, 0, end):
                found.add(index)
            else:
                found.discard(index)
        return found

    def may_match(self, pattern: int, blob: Blob, value: int) -> bool:
        """By the pattern's own supersets, which cost a long value less than the engine does."""
        start, end = blob.starts[value], blob.starts[value + 1] - 1
        if not LONG_VALUE <= end - start < self.sieves[pattern].reach:
            return True
        own = self.own.get(pattern)
        if own is None:
            compiled = (compile_regex(text, OWN_MEMORY) for text in supersets(parse(self.patterns[pattern])))
            if len(self.own) >= MAX_OWN:
                self.own.clear()
            own = self.own[pattern] = tuple(regex for regex in compiled if regex is not None)
        text = blob.text[start:end]
        return all(regex.search(text) is not None for regex in own)

    def _by_sets(self, blob: Blob) -> tuple[set[int], Collection[int]] | None:
        """Patterns that may match, and those that no set knows. None where there are no sets, they have no answer, or
        are too slow for this list: its automata may have a state for every byte of some texts. They are not asked again
        then."""
        if self.asked < WORTH_SETS or self.allowed != "all" or library() is None:
            return None
        is_long = blob.longest >= LONG_VALUE
        sets = self.sets.get(is_long) or self._made(cut=is_long)
        sets = self.sets[is_long] = sets.without_useless()
        begun = time.perf_counter()
        try:
            if len(blob.text) < _LONG_SCAN or sets.is_proven:
                found = sets.may_match(blob.text)
            else:
                found = self.watch.call(partial(sets.may_match, blob.text), SLOW_SCAN)
            return None if found is None else (found, sets.unfiltered)
        except OverrunError:
            return None
        finally:
            if time.perf_counter() - begun > SLOW_SCAN:
                self.sets, self.allowed = {}, "literals"

    def _made(self, *, cut: bool) -> Re2Sets:
        """RE2 is not asked about patterns in which it is never believed. Now that many values are to come, literals are
        put in the order of how rarely they were seen, so that fewer places are looked at."""
        seen = {
            literal: self.sample.count(literal) for sieve in self.sieves for each in sieve.clauses for literal in each
        }
        for index, sieve in enumerate(self.sieves):
            rarest = sorted(sieve.clauses, key=lambda clause: (len(clause) > 1, sum(seen[each] for each in clause)))
            self.sieves[index] = replace(sieve, clauses=tuple(rarest))
        parts = zip(self.patterns, self.sieves, strict=True)
        return Re2Sets.of([supersets(parse(pattern), cut=cut) if sieve.reach else () for pattern, sieve in parts])


def _sieve(pattern: Pattern) -> _Sieve:
    if len(pattern.source) > MAX_SOURCE:
        return _Sieve((), 0)
    if pattern.references:
        return _Sieve(clauses(pattern), 0)
    return _Sieve(clauses(pattern), SHORT if pattern.looks else sys.maxsize)
