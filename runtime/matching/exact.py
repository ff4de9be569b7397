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
from typing import Protocol, TypeVar, cast

from ...compiler.ecmascript import Pattern, parse
from .engine import CompiledPattern
from .outcome import Answer, EngineFault, Found, LimitReached, Outcome, TooLarge
from .subject import Subject
from .watch import OverrunError, Watch

T = TypeVar("T")

DEFAULT_LIMIT = 1.0
"""Seconds a value: wide enough that only catastrophic patterns meet it."""

_LONG = 4096
"""Code units from which on a call is watched. Below, a call that escapes the clock ends within half a second."""

_GRACE = 1.2
"""How many times its limit the engine may take before the watch gives up on it: where it can, it keeps it itself."""


class ExactEngine:
    """Compiles each distinct pattern once, and keeps what came of it for as long as the engine lives."""

    def __init__(self, limit: float = DEFAULT_LIMIT) -> None:
        """`limit` is in seconds, for one search of one value."""
        if not (limit > 0 and math.isfinite(limit)):
            raise ValueError(f"the limit of a match must be a positive number of seconds, not {limit}")
        self.limit = limit
        self._compiled: dict[str, CompiledPattern | TooLarge | EngineFault] = {}

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        source = pattern if isinstance(pattern, str) else pattern.source
        known = self._compiled.get(source)
        if known is None:
            if isinstance(pattern, str):
                parse(pattern)
            known = self._compiled[source] = _compile(source, self.limit)
        return known


class _Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class _Regex(Protocol):
    """As much of corvus's `Regex` as is used, with the types that its own stubs leave open."""

    def test(self, string: bytes | array[int], /) -> bool: ...

    def search(self, string: bytes | array[int], /) -> _Match | None: ...


@dataclass(slots=True)
class _ExactPattern:
    source: str
    limit: float
    tester: _Regex
    finder: _Regex | TooLarge | EngineFault | None = None
    """For places: made when first a value matches, as most patterns match few values."""

    watch: Watch = field(default_factory=Watch)

    def test(self, value: str | Subject) -> Answer:
        units = _units(value)
        try:
            if len(units) < _LONG:
                return self.tester.test(units)
            return self.watch.call(lambda: self.tester.test(units), _GRACE * self.limit)
        except _NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return LimitReached(self.limit) if _is_limit(fault) else _fault(fault)

    def search(self, value: str | Subject) -> Outcome:
        units = _units(value)
        answer = self.test(Subject(units))
        if answer is not True:
            return None if answer is False else answer
        if self.finder is None:
            # The group keeps the branches of `a|b` together; a valid pattern ends where its text ends.
            self.finder = _compile_regex(f"(?:{self.source})(?=)", self.limit)
        finder = self.finder
        if isinstance(finder, TooLarge | EngineFault):
            return Found(None, None)
        try:
            place = self._call(units, lambda: _place(finder.search(units)))
        except _NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return Found(None, None) if _is_limit(fault) else _fault(fault)
        return Found(*place) if place else EngineFault("a match was found, and then none")

    def _call(self, units: bytes | array[int], work: Callable[[], T]) -> T:
        return work() if len(units) < _LONG else self.watch.call(work, _GRACE * self.limit)


def _units(value: str | Subject) -> bytes | array[int]:
    return (Subject.of(value) if isinstance(value, str) else value).units


def _place(match: _Match | None) -> tuple[int, int] | None:
    return match.span() if match else None


_NOT_THE_ENGINES = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What may arrive while an engine is at work without being its doing."""


def _compile(source: str, limit: float) -> CompiledPattern | TooLarge | EngineFault:
    tester = _compile_regex(source, limit)
    return tester if isinstance(tester, TooLarge | EngineFault) else _ExactPattern(source, limit, tester)


def _compile_regex(source: str, limit: float) -> _Regex | TooLarge | EngineFault:
    import corvus_regex_ecma262 as corvus

    try:
        return cast(_Regex, corvus.compile(_without_lone_surrogates(source), "i", timeout=limit))
    except _NOT_THE_ENGINES:
        raise
    except BaseException as fault:
        return TooLarge(str(fault)) if getattr(fault, "kind", None) == "too_large" else _fault(fault)


def _is_limit(fault: BaseException) -> bool:
    import corvus_regex_ecma262 as corvus

    return isinstance(fault, OverrunError | corvus.MatchLimitError)


def _fault(fault: BaseException) -> EngineFault:
    return EngineFault(f"{type(fault).__name__}: {fault}")


def _without_lone_surrogates(source: str) -> str:
    r"""The same pattern with surrogates as `\ud800`; one behind a backslash takes the backslash's place too.

    Only plain characters can be surrogates in a valid pattern: no name and no escape but the identity holds
    one.
    """
    if not any("\ud800" <= character <= "\udfff" for character in source):
        return source
    pieces: list[str] = []
    at = 0
    while at < len(source):
        piece = source[at : at + 2] if source[at] == "\\" else source[at]
        at += len(piece)
        unit = ord(piece[-1])
        pieces.append(f"\\u{unit:04x}" if 0xD800 <= unit <= 0xDFFF else piece)
    return "".join(pieces)
