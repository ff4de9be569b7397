r"""The engine whose answers count: ECMAScript semantics to the code unit, with a limit of time a value.

    engine = ExactEngine()
    restart = engine.compile(r"systemctl\s+restart")
    restart.search("sudo SYSTEMCTL restart nginx")      # Found(5, 22)

The work is done by `corvus-regex-ecma262`, whose ways this module knows so that no other has to:

- It accepts ECMAScript 2025, which Node 20 does not, so patterns go through our own parser first.
- The limit has to be given when a pattern is compiled. Given with a call it selects a way of matching that takes
  seconds where the other takes a fraction of a millisecond.
- Its `test` reads a text of ASCII once, as a rule, if the pattern has no look-around and no back-reference. Its
  `search` begins anew at every place, so `a.*b.*c` takes seconds on a line of 30 KB that `test` reads in a fraction of
  a millisecond. So `test` decides, and only what matches is searched for the place.
- One character beyond ASCII, and `test` too takes a time that grows with the square of the length (`a[^b]*c` and
  100,000 times `a`: seconds). So long values of that kind are tested in the pattern's ASCII form, which says the same.
- It does not always look at the clock. `search` without a capturing group or look-around never does, so it gets an
  empty look-ahead; and some patterns escape it on every way there is, at a cost that grows with the square of the
  length (`a[^b]*c` and 300,000 times `a`: five minutes). So calls on long values are watched from outside.
- A lone surrogate in the text of a pattern is read as U+FFFD, so it is handed over as an escape.
- A panic inside it arrives as an exception that is not even an `Exception`; it becomes an `EngineFault`.

It is imported when first a pattern is compiled.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from ...compiler.ecmascript import Pattern, parse
from .corvus import Regex, compile_regex, is_limit, refusal
from .engine import CompiledPattern
from .linear import LinearPattern, linear_pattern
from .outcome import NOT_THE_ENGINES, Answer, EngineFault, Found, LimitReached, Outcome, TooLarge, as_fault
from .subject import Subject
from .watch import OverrunError, Watch

T = TypeVar("T")

DEFAULT_LIMIT = 1.0
"""Seconds a value: wide enough that only catastrophic patterns meet it."""

_LONG = 4096
"""Code units from which on a value is watched. Below, a call that escapes the clock ends within half a second."""

_GRACE = 1.2
"""How many times its limit the engine may take before the watch gives up on it: where it can, it keeps it itself."""

_SURE_WORK = 200_000_000
"""Code units times characters of a pattern that RE2 is done with in time, even without an automaton."""

_SURE_LENGTH = 100_000
_SURE_DEPTH = 500
"""Patterns of at most this many characters and levels are within the engine's limits, a mebibyte and 1,000 levels."""


class ExactEngine:
    """Compiles each distinct pattern once, and keeps what came of it for as long as the engine lives."""

    def __init__(self, limit: float = DEFAULT_LIMIT) -> None:
        """`limit` is in seconds, for one search of one value."""
        if not (limit > 0 and math.isfinite(limit)):
            raise ValueError(f"the limit of a match must be a positive number of seconds, not {limit}")
        self.limit = limit
        self._compiled: dict[str, CompiledPattern | TooLarge | EngineFault] = {}

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        """Only a pattern near the engine's limits of size is compiled at once, so that it can be refused."""
        source = pattern if isinstance(pattern, str) else pattern.source
        known = self._compiled.get(source)
        if known is None:
            tree = parse(pattern) if isinstance(pattern, str) else pattern
            known = self._compiled[source] = _compile(tree, self.limit)
        return known


def _compile(pattern: Pattern, limit: float) -> CompiledPattern | TooLarge | EngineFault:
    compiled = _ExactPattern(pattern.source, limit)
    if len(pattern.source) > _SURE_LENGTH or pattern.depth > _SURE_DEPTH:
        try:
            compiled.tester()
        except NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return refusal(fault)
    return compiled


@dataclass(slots=True)
class _ExactPattern:
    """What it is compiled to is made when first it is needed: sieves keep most patterns from most work."""

    source: str
    limit: float
    _tester: Regex | None = None
    _finder: Regex | None = None
    """For places."""
    _linear: LinearPattern | None = None
    """For long values, where there is one; known once `_is_linear_known`."""
    _is_linear_known: bool = False
    _broken: EngineFault | None = None
    """What compiling the pattern ended in; it is not tried again."""
    _watch: Watch = field(default_factory=Watch)

    def test(self, value: str | Subject) -> Answer:
        units = value.units if isinstance(value, Subject) else Subject.of(value).units
        if len(units) < _LONG and self._tester is not None:
            try:
                return self._tester.test(units)
            except NOT_THE_ENGINES:
                raise
            except BaseException as fault:
                return self._no_answer(fault)
        return self._asked(units, lambda: self._test(units))

    def search(self, value: str | Subject) -> Outcome:
        units = value.units if isinstance(value, Subject) else Subject.of(value).units
        answer = self._asked(units, lambda: self._test(units))
        if answer is not True:
            return None if answer is False else answer
        place = self._asked(units, lambda: self._place(units))
        return Found(*place) if isinstance(place, tuple) else Found(None, None)

    def tester(self) -> Regex:
        """Raises what corvus raises."""
        if self._tester is None:
            try:
                self._tester = compile_regex(self.source, "i", self.limit)
            except NOT_THE_ENGINES:
                raise
            except BaseException as fault:
                self._broken = as_fault(fault)
                raise
        return self._tester

    def _asked(self, units: bytes | array[int], work: Callable[[], T]) -> T | LimitReached | EngineFault:
        if self._broken is not None:
            return self._broken
        try:
            if len(units) < _LONG or self._is_surely_quick(units):
                return work()
            return self._watch.call(work, _GRACE * self.limit)
        except NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return self._no_answer(fault)

    def _no_answer(self, fault: BaseException) -> LimitReached | EngineFault:
        return LimitReached(self.limit) if isinstance(fault, OverrunError) or is_limit(fault) else as_fault(fault)

    def _is_surely_quick(self, units: bytes | array[int]) -> bool:
        """RE2 needs no watch, but for what would be too much for an automaton too."""
        linear = self._linear_for(units) if self._is_linear_known else None
        return linear is not None and linear.knows_places and len(units) * linear.size < _SURE_WORK

    def _test(self, units: bytes | array[int]) -> bool:
        linear = self._linear_for(units)
        return linear.test(units) if linear else self.tester().test(units)

    def _place(self, units: bytes | array[int]) -> tuple[int, int] | None:
        linear = self._linear_for(units)
        if linear is not None and linear.knows_places:
            return linear.place(units)
        if self._finder is None:
            # The group keeps the branches of `a|b` together; a valid pattern ends where its text ends.
            self._finder = compile_regex(f"(?:{self.source})(?=)", "i", self.limit)
        match = self._finder.search(units)
        return match.span() if match else None

    def _linear_for(self, units: bytes | array[int]) -> LinearPattern | None:
        if len(units) < _LONG:
            return None
        if not self._is_linear_known:
            self._linear = linear_pattern(parse(self.source), self.limit)
            self._is_linear_known = True
        return self._linear
