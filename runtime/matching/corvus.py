"""`corvus-regex-ecma262`: as much of it as is used, with types, and its faults as outcomes."""

from __future__ import annotations

from array import array
from typing import Protocol, cast

from .outcome import EngineFault, TooLarge, as_fault


class Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class Regex(Protocol):
    """With the types that its own stubs leave open."""

    def test(self, string: bytes | array[int], /) -> bool: ...

    def search(self, string: bytes | array[int], /) -> Match | None: ...


def compile_regex(source: str, flags: str, limit: float) -> Regex:
    """Raises whatever corvus raises, a panic too, which is no `Exception`; `limit` is in seconds a call."""
    import corvus_regex_ecma262 as corvus

    return cast(Regex, corvus.compile(_without_lone_surrogates(source), flags, timeout=limit))


def is_limit(fault: BaseException) -> bool:
    """Whether a match ran out of time or memory."""
    return type(fault).__name__ == "MatchLimitError"


def refusal(fault: BaseException) -> TooLarge | EngineFault:
    """What a fault while a pattern is compiled comes to."""
    return TooLarge(str(fault)) if getattr(fault, "kind", None) == "too_large" else as_fault(fault)


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
