"""What asking an engine can come to.

Matching never raises for what a pattern or a value does: a search has an outcome, and whoever asks has to
look at it. A limit that was met and an engine that broke are no answers, so they must never be read as “does
not match”.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """The leftmost match: UTF-16 code units `start` up to, not including, `end` of the value."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LimitReached:
    """The engine gave up after `seconds`, or at its limit of memory: the value may match or not."""

    seconds: float


@dataclass(frozen=True, slots=True)
class EngineFault:
    """The engine broke on a pattern that is valid; `message` is what it said of it."""

    message: str


@dataclass(frozen=True, slots=True)
class TooLarge:
    """The pattern is valid, but beyond what the engine takes; `message` says which limit it is over."""

    message: str


Outcome = Found | LimitReached | EngineFault | None
"""Of a search; None where the value does not match."""
