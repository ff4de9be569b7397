r"""The engine whose answers count: ECMAScript semantics to the code unit, with a limit of time a value.

    engine = ExactEngine()
    restart = engine.compile(r"systemctl\s+restart")
    restart.search("sudo SYSTEMCTL restart nginx")      # Found(5, 22)

The work is done by `corvus-regex-ecma262`, whose ways this module knows so that no other has to:

- It accepts ECMAScript 2025, which Node 20 does not, so patterns go through our own parser first.
- The limit has to be given when a pattern is compiled. Given with a search it selects a way of matching that
  takes seconds where the other takes a fraction of a millisecond.
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
from .outcome import EngineFault, Found, LimitReached, Outcome, TooLarge
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

    def search(self, string: bytes | array[int], /) -> _Match | None: ...


@dataclass(frozen=True, slots=True)
class _ExactPattern:
    source: str
    regex: _Regex
    limit: float

    def search(self, value: str | Subject) -> Outcome:
        subject = Subject.of(value) if isinstance(value, str) else value
        try:
            match = self.regex.search(subject.units)
            return None if match is None else Found(*match.span())
        except _NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return LimitReached(self.limit) if _is_limit(fault) else _fault(fault)


_NOT_THE_ENGINES = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What may arrive while an engine is at work without being its doing."""


def _compile(source: str, limit: float) -> CompiledPattern | TooLarge | EngineFault:
    import corvus_regex_ecma262 as corvus

    try:
        regex = corvus.compile(_without_lone_surrogates(source), "i", timeout=limit)
    except _NOT_THE_ENGINES:
        raise
    except corvus.error as fault:
        return TooLarge(str(fault)) if fault.kind == "too_large" else _fault(fault)
    except BaseException as fault:
        return _fault(fault)
    return _ExactPattern(source, cast(_Regex, regex), limit)


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
