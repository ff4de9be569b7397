"""What a check sees: one set of rules, its patterns read, and an engine to ask.

    def check(scene: Scene) -> Iterator[Finding]:
        for use in scene.patterns:
            if scene.matches(use.text, "10a0b0c1"): ...

Checks are generators. They never raise for what a user wrote; what they cannot decide they say to `undecided` and pass
over in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ...compiler.ecmascript import Pattern, PatternError, parse
from ...compiler.findings import Code, Finding
from ...compiler.ir import PatternMatch, Rule, RuleSet
from ...compiler.load import Loaded
from ...compiler.pattern_checks import inside_literal
from ...grammar.text import Span
from ..matching import Engine, default_engine
from ..matching.outcome import EngineFault, TooLarge
from .notes import LintOptions, Undecided


@dataclass(frozen=True, slots=True)
class PatternUse:
    """One valid pattern of a rule, and its syntax tree."""

    rule: Rule
    check: PatternMatch
    field: Literal["pattern", "before"]
    tree: Pattern

    @property
    def text(self) -> str:
        return self.tree.source

    @property
    def where(self) -> str:
        """The target."""
        return self.check.where

    @property
    def span(self) -> Span | None:
        """The whole literal."""
        return self.check.at(self.field)

    def inside(self, start: int, end: int) -> Span | None:
        """The place of the characters `start` to `end` of the pattern; the literal where that is not known."""
        return inside_literal(self.span, start, end)


class Scene:
    """One file of rules under lint.

    `is_whole` is False where a rule of it, or of a file that it includes, could not be read: then nothing can be said
    of what all rules together come to.
    """

    def __init__(
        self,
        loaded: Loaded,
        options: LintOptions | None = None,
        engine: Engine | None = None,
        *,
        is_whole: bool = True,
    ) -> None:
        self.loaded = loaded
        self.is_whole = is_whole
        self.options = options or LintOptions()
        self.notes: list[Undecided] = []
        self.engine = engine or default_engine()

    @property
    def rules(self) -> RuleSet:
        return self.loaded.rules

    @cached_property
    def patterns(self) -> tuple[PatternUse, ...]:
        """Every pattern of every rule in the order of the rules; those that GW201 refuses are left out."""
        return tuple(self._pattern_uses())

    def matches(self, pattern: str, value: str) -> bool | None:
        """Whether the grader's own engine finds `pattern` in `value`; None where it has no answer."""
        try:
            compiled = self.engine.compile(pattern)
        except PatternError:
            return None
        if isinstance(compiled, TooLarge | EngineFault):
            return None
        answer = compiled.test(value)
        return answer if isinstance(answer, bool) else None

    def undecided(self, kind: Code, why: str, use: PatternUse) -> None:
        """Note that the finding `kind` could not be decided for a pattern."""
        self.notes.append(Undecided(kind.code, why, use.span, use.rule.label))

    def _pattern_uses(self) -> Iterator[PatternUse]:
        for rule in self.rules.rules:
            check = rule.check
            if not isinstance(check, PatternMatch):
                continue
            if (tree := _tree(check.pattern)) is not None:
                yield PatternUse(rule, check, "pattern", tree)
            if check.before is not None and (tree := _tree(check.before)) is not None:
                yield PatternUse(rule, check, "before", tree)


def _tree(text: str) -> Pattern | None:
    try:
        return parse(text)
    except PatternError:
        return None


Check = Callable[[Scene], Iterator[Finding]]
"""One finding's module offers one of these."""
