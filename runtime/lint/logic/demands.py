"""What pattern rules ask for: how many texts must match, and which texts are read.

    executed_commands matches `a`               # a number from 1 on
    executed_commands never matches `a`         # the number 0
    executed_commands matches `a` at most 2 times

Rules over the same texts can be held against each other: if everything that `p` matches is matched by `q`, then `q`
matches at least as many texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ....compiler.ecmascript import (
    Alternation,
    Char,
    CharClass,
    ClassEscape,
    Disjunction,
    Dot,
    Group,
    Quantifier,
    Sequence,
    Term,
)
from ....compiler.findings import Code
from ....compiler.ir import PatternMatch, Rule
from ....compiler.languages import (
    Decision,
    Proved,
    Undecided,
    accepts,
    example,
    includes,
    matches_everything,
    matches_nothing,
)
from ..scene import PatternUse, Scene
from .numbers import Numbers, match_numbers

STEPS = 20_000
"""How much is looked at to compare two patterns; a file has many pairs of them."""
MAX_COMPARISONS = 5_000
MAX_LONG_WALKS = 3
"""Comparisons that use up all steps, after which no more are made in a file."""

MATCHES_NOTHING = (
    r"nothing can stand before `^` or behind `$` (write the signs themselves as `\^` and `\$`);"
    " `[]` matches no character"
)
"""What to say of a pattern that no text matches."""

_MAX_DEPTH = 50
"""Patterns that nest deeper are not looked through."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A pattern rule as a number of texts that may match."""

    use: PatternUse
    numbers: Numbers
    joined: bool
    """Whether the values of a task are read as one text (plain rules under classic semantics)."""

    @property
    def rule(self) -> Rule:
        return self.use.rule

    @property
    def check(self) -> PatternMatch:
        return self.use.check

    @property
    def is_of_order(self) -> bool:
        """Whether it asks for more than a number: that the match comes `before` another."""
        return self.check.before is not None

    @property
    def what_is_read(self) -> str:
        return "text" if self.joined else "value"

    def reads_like(self, other: Demand) -> bool:
        """Whether both read texts of one kind; of which tasks is another question."""
        return self.check.where == other.check.where and self.joined == other.joined


def demands_of(scene: Scene) -> list[Demand]:
    """One for each pattern rule whose pattern is valid, in order."""
    classic = scene.rules.semantics == "classic"
    return [
        Demand(
            use,
            match_numbers(use.check.how_often, use.rule.negate),
            classic and use.check.extension is None,
        )
        for use in scene.patterns
        if use.field == "pattern"
    ]


def always_matches(demand: Demand) -> bool | Undecided:
    """Whether the pattern matches every text."""
    tree = demand.use.tree
    if (tree.depth < _MAX_DEPTH and _takes_something(tree.body)) or accepts(tree, "") is False:
        return False
    return _answer(matches_everything(tree))


def _takes_something(node: Disjunction | Term) -> bool:
    """Whether every match is sure to have a character, so that the empty text has none."""
    match node:
        case Sequence(items=items):
            return any(map(_takes_something, items))
        case Alternation(branches=branches):
            return all(map(_takes_something, branches))
        case Group(body=body):
            return _takes_something(body)
        case Quantifier(body=body, min=least):
            return least > 0 and _takes_something(body)
        case Char() | Dot() | CharClass() | ClassEscape():
            return True
        case _:
            return False


def never_matches(demand: Demand) -> bool | Undecided:
    """Whether there is no text that the pattern matches."""
    tree = demand.use.tree
    return example(tree) is None and _answer(matches_nothing(tree))


def is_idle(demand: Demand) -> bool:
    """Whether the pattern matches nothing or everything: GW302 and GW303 have said all that is to be said of it."""
    return never_matches(demand) is True or always_matches(demand) is True


def settled(scene: Scene, kind: Code, demand: Demand, answer: bool | Undecided) -> bool:
    """The answer to a question about one pattern; False, and a note, where there is none."""
    if isinstance(answer, Undecided):
        scene.undecided(kind, answer.why, demand.use)
        return False
    return answer


@dataclass(slots=True)
class Comparisons:
    """Which pattern matches all that another one matches; what is beyond the analysis is noted once a pattern."""

    scene: Scene
    kind: Code
    _left: int = MAX_COMPARISONS
    _walks_left: int = MAX_LONG_WALKS
    _noted: set[int] = field(default_factory=set[int])

    def covers(self, outer: Demand, inner: Demand) -> bool:
        """Whether the outer pattern matches every text that the inner one matches."""
        if outer.use.text == inner.use.text:
            return True
        if not self._left or not self._walks_left:
            self._note("the file has too many patterns to be compared in full", outer)
            return False
        self._left -= 1
        decision = includes(outer.use.tree, inner.use.tree, STEPS)
        if isinstance(decision, Undecided):
            trees = outer.use.tree, inner.use.tree
            is_beyond = [tree.looks or tree.references for tree in trees]
            self._walks_left -= not any(is_beyond)
            self._note(decision.why, inner if is_beyond[1] else outer)
        return isinstance(decision, Proved)

    def _note(self, why: str, demand: Demand) -> None:
        if id(demand) not in self._noted:
            self._noted.add(id(demand))
            self.scene.undecided(self.kind, why, demand.use)


def _answer(decision: Decision) -> bool | Undecided:
    return decision if isinstance(decision, Undecided) else isinstance(decision, Proved)
