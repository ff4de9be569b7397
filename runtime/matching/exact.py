r"""The engine whose answers count: ECMAScript semantics to the code unit, with a limit of time a value.

    engine = ExactEngine()
    restart = engine.compile(r"systemctl\s+restart")
    restart.search("sudo SYSTEMCTL restart nginx")      # Found(5, 22)

The work is done by `corvus-regex-ecma262`, whose ways this module knows so that no other has to:

- It accepts ECMAScript 2025, which Node 20 does not, so patterns go through our own parser first.
- The limit has to be given when a pattern is compiled. Given with a call it selects a way of matching that takes
  seconds where the other takes a fraction of a millisecond.
- Its `test` reads a value once if the pattern has no look-around and no back-reference, and it keeps the limit. Its
  `search` begins anew at every place of the value, and where the pattern has no capturing group, look-around or back-reference
  it never looks at the clock: `a[^b]*c` on 300,000 times `a` takes five minutes. So `test` decides, and only what
  matches is searched for the place, with an empty look-ahead added to the pattern, which makes `search` keep the limit.
- A lone surrogate in the text of a pattern is read as U+FFFD, so it is handed over as an escape.
- A panic inside it arrives as an exception that is not even an `Exception`; it becomes an `EngineFault`.

It is imported when first a pattern is compiled.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from typing import Protocol, cast

from ...compiler.ecmascript import Pattern, parse
from .engine import CompiledPattern
from .outcome import Answer, EngineFault, Found, LimitReached, Outcome, TooLarge
from .subject import Subject

DEFAULT_LIMIT = 1.0
"""Seconds a value: wide enough that only catastrophic patterns meet it."""


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

    def test(self, value: str | Subject) -> Answer:
        subject = Subject.of(value) if isinstance(value, str) else value
        try:
            return self.tester.test(subject.units)
        except _NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return LimitReached(self.limit) if _is_limit(fault) else _fault(fault)

    def search(self, value: str | Subject) -> Outcome:
        subject = Subject.of(value) if isinstance(value, str) else value
        answer = self.test(subject)
        if answer is not True:
            return None if answer is False else answer
        if self.finder is None:
            # The group keeps the branches of `a|b` together; behind it nothing can run on into the pattern's end.
            self.finder = _compile_regex(f"(?:{self.source})(?=)", self.limit)
        if isinstance(self.finder, TooLarge | EngineFault):
            return Found(None, None)
        try:
            match = self.finder.search(subject.units)
        except _NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return Found(None, None) if _is_limit(fault) else _fault(fault)
        return Found(*match.span()) if match else EngineFault("it found a match, and then found none")


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

    return isinstance(fault, corvus.MatchLimitError)


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
