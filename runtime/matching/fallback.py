"""Two exact engines as one: what breaks in the first is asked of the second.

    engine = default_engine()       # corvus, and QuickJS where it is missing or breaks

A limit is an answer of its own and stands: were it asked again, a value that is too much for an engine would take twice
the time, and what a run comes to would depend on what is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ...compiler.ecmascript import Pattern
from .engine import CompiledPattern, Engine
from .exact import DEFAULT_LIMIT, ExactEngine
from .outcome import Answer, EngineFault, Outcome, TooLarge
from .quickjs import QuickJsEngine
from .subject import Subject

T = TypeVar("T")


def default_engine(limit: float = DEFAULT_LIMIT) -> Engine:
    """`limit` is in seconds, for one search of one value. No library is imported before a pattern needs it."""
    return FallbackEngine(ExactEngine(limit), QuickJsEngine(limit))


@dataclass(frozen=True, slots=True)
class FallbackEngine:
    """Each engine keeps what it compiled; the second compiles a pattern when first the other breaks on it."""

    first: Engine
    second: Engine

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        compiled = self.first.compile(pattern)
        if isinstance(compiled, TooLarge):
            return compiled
        if not isinstance(compiled, EngineFault):
            return _FallbackPattern(compiled, self.second)
        other = self.second.compile(pattern)
        return _both(compiled, other) if isinstance(other, EngineFault) else other


@dataclass(frozen=True, slots=True)
class _FallbackPattern:
    first: CompiledPattern
    second: Engine

    @property
    def source(self) -> str:
        return self.first.source

    def test(self, value: str | Subject) -> Answer:
        answer = self.first.test(value)
        return self._else(answer, lambda other: other.test(value)) if isinstance(answer, EngineFault) else answer

    def search(self, value: str | Subject) -> Outcome:
        outcome = self.first.search(value)
        return self._else(outcome, lambda other: other.search(value)) if isinstance(outcome, EngineFault) else outcome

    def _else(self, fault: EngineFault, ask: Callable[[CompiledPattern], T | EngineFault]) -> T | EngineFault:
        other = self.second.compile(self.source)
        if isinstance(other, TooLarge | EngineFault):
            return _both(fault, other)
        outcome = ask(other)
        return _both(fault, outcome) if isinstance(outcome, EngineFault) else outcome


def _both(first: EngineFault, second: EngineFault | TooLarge) -> EngineFault:
    return EngineFault(f"{first.message}; {second.message}")
