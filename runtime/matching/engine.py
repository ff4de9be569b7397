"""What every engine offers. It knows patterns and strings, nothing of rules, targets or runs."""

from __future__ import annotations

from typing import Protocol

from ...compiler.ecmascript import Pattern
from .outcome import Answer, EngineFault, Outcome, TooLarge
from .subject import Subject


class CompiledPattern(Protocol):
    """A pattern made ready to search; it may be used any number of times."""

    @property
    def source(self) -> str:
        """The text of the pattern, as the rule has it."""
        ...

    def test(self, value: str | Subject) -> Answer:
        """Whether `value` matches. Make a `Subject` of a value that is asked about with many patterns."""
        ...

    def search(self, value: str | Subject) -> Outcome:
        """Where the leftmost match in `value` is; it can take longer than `test`, so ask it to show, not to judge."""
        ...


class Engine(Protocol):
    """Compiles patterns under the semantics of `new RegExp(pattern, "i")`."""

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        """Raises `PatternError` for a text that is not a valid pattern; a `Pattern` needs no second look."""
        ...
