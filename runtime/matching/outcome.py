"""What asking an engine can come to.

Matching never raises for what a pattern or a value does: it has an outcome, and whoever asks has to look at
it. A limit that was met and an engine that broke are no answers. They can be read neither as a match nor as
the lack of one, so they refuse to be used as a truth value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn


@dataclass(frozen=True, slots=True)
class Found:
    """The leftmost match: UTF-16 code units `start` up to, not including, `end` of the value.

    Both are None where the value matches for certain, but where it does would take longer than the limit to
    find out.
    """

    start: int | None
    end: int | None


class _NoAnswer:
    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{self!r} says neither that a value matches nor that it does not")


@dataclass(frozen=True, slots=True)
class LimitReached(_NoAnswer):
    """The engine gave up after `seconds`, or at its limit of memory: the value may match or not."""

    seconds: float


@dataclass(frozen=True, slots=True)
class EngineFault(_NoAnswer):
    """The engine broke on a pattern that is valid; `message` is what it said of it."""

    message: str


@dataclass(frozen=True, slots=True)
class TooLarge(_NoAnswer):
    """The pattern is valid, but beyond what the engine takes; `message` says which limit it is over."""

    message: str


NOT_THE_ENGINES = (KeyboardInterrupt, SystemExit, GeneratorExit)
"""What may arrive while an engine is at work without being its doing."""


def as_fault(fault: BaseException) -> EngineFault:
    """What an engine raised, which may be no `Exception`, as an outcome."""
    return EngineFault(f"{type(fault).__name__}: {fault}")


Answer = bool | LimitReached | EngineFault
"""Whether a value matches."""

Outcome = Found | LimitReached | EngineFault | None
"""Of a search; None where the value does not match."""
