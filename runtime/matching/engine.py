"""What every engine offers. It knows patterns and strings, nothing of rules, targets or runs."""

from __future__ import annotations

from typing import Protocol

from ...compiler.ecmascript import Pattern
from .outcome import EngineFault, Outcome, TooLarge
from .subject import Subject


class CompiledPattern(Protocol):
    """A pattern made ready to search; it may be used any number of times."""

    @property
    def source(self) -> str:
        """The text of the pattern, as the rule has it."""
        ...

    def search(self, value: str | Subject) -> Outcome:
        """The leftmost match in `value`. Make a `Subject` of a value for many patterns."""
        ...


class Engine(Protocol):
    """Compiles patterns under the semantics of `new RegExp(pattern, "i")`."""

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        """Raises `PatternError` for a text that is not a valid pattern; a `Pattern` needs no second look."""
        ...
