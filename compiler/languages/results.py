"""What a decision on languages can come to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds of every string."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """It does not hold, and `witness` is a string that shows it."""

    witness: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Nothing is known; `why` says so in words of the person who wrote the pattern."""

    why: str


Decision = Proved | Refuted | Undecided
