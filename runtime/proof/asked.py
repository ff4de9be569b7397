"""What the pattern rules of a set ask for: how many values of which target must match, and may.

executed_commands matches `a`                    # Ask(least=1, most=None)
executed_commands never matches `a`              # Ask(least=0, most=0)
executed_commands matches `a` at most 2 times    # Ask(least=0, most=2)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...compiler.ecmascript import Pattern, PatternError, parse
from ...compiler.ir import PatternMatch, Rule, RuleSet
from ...compiler.vocabulary import TARGETS
from ..lint.logic.numbers import match_numbers

COMMANDS = "executed_commands"
INVOCATIONS = "invocations"

DEEDS = frozenset({COMMANDS, INVOCATIONS, "tool_calls", "use_mcp_tool", "write_file", "update_file"})
"""Targets that hold what an agent did; all others hold words."""


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """One pattern rule, as a number of matching values."""

    index: int
    """Of the rule in its set."""
    rule: Rule
    check: PatternMatch
    tree: Pattern
    later: Pattern | None
    """The pattern of `before`."""
    least: int
    most: int | None
    """None: any number."""

    @property
    def where(self) -> str:
        return self.check.where

    @property
    def channel(self) -> str:
        """The target whose values are made: commands, for what they invoke."""
        return COMMANDS if self.where == INVOCATIONS else self.where

    @property
    def is_of_order(self) -> bool:
        return self.later is not None

    @property
    def is_wanted(self) -> bool:
        """Whether something has to match."""
        return self.least > 0

    @property
    def is_ban(self) -> bool:
        """Whether nothing may match."""
        return self.most == 0 and not self.is_of_order

    def seen_in(self, value: str) -> tuple[str, ...]:
        """What the rule reads of one value of its channel."""
        if self.where != INVOCATIONS:
            return (value,)
        from ...compiler.shell import invocations

        return invocations(value)

    def speaks_of(self, host: str | None) -> bool:
        """Whether the rule reads a task on `host`."""
        return self.check.on in (None, host)


def asks_of(rules: RuleSet) -> tuple[Ask, ...]:
    """One for each pattern rule that can be read, in order."""
    return tuple(_asks(rules.rules))


def _asks(rules: Iterable[Rule]) -> Iterable[Ask]:
    for index, rule in enumerate(rules):
        check = rule.check
        if not isinstance(check, PatternMatch) or check.where not in TARGETS:
            continue
        try:
            tree = parse(check.pattern)
            later = None if check.before is None else parse(check.before)
        except PatternError:
            continue
        if later is not None:
            # Negated, it asks that the first never comes before the second, which nothing at all fulfils.
            least, most = (0, 0) if rule.negate else (1, None)
        else:
            numbers = match_numbers(check.how_often, rule.negate)
            least, most = numbers[0] if numbers else (1, 0)
        yield Ask(index, rule, check, tree, later, least, most)
