"""Which changes of the rules the tests notice, and which they do not.

A change is noticed when a test fails with it that passes without. Rules do not look at each other, so that of a changed
set only the changed rule is evaluated again, and gates and verdict follow from the statuses of all. A change that no
test notices is held against the rules as they are: where both mean the same, it is no change, and does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...compiler import ir
from ...compiler.ecmascript import PatternError, parse
from ...compiler.ir_to_plan import ir_to_plan
from ...compiler.languages import Proved, includes
from ...compiler.plan import Gates, Plan
from ..evidence.record import RunRecord
from ..matching import Matcher
from ..result import Result, Status
from ..score import grade_statuses
from .mutants import Mutant, mutants_of
from .outcome import Mutation, Survivor
from .records import host_of_no_name, record_of
from .run import check, graded


@dataclass(frozen=True, slots=True)
class Tested:
    """A test that passes: its block, its run, and how the rules came out."""

    block: ir.TestBlock
    record: RunRecord
    result: Result

    repeats_answers: bool
    """Whether hosts answer a command in several ways, one after the other: then rules share what they are told."""


class Mutating:
    """A set of rules, the tests that pass, and what it takes to tell whether these notice a change."""

    def __init__(self, rules: ir.RuleSet, blocks: Iterable[ir.TestBlock], matcher: Matcher) -> None:
        self.rules = rules
        self.matcher = Matcher(
            matcher.engine, "none"
        )  # a few short values: a look at literals costs more than it saves
        self.plan = ir_to_plan(rules)
        self.tests = [test for block in blocks if (test := self._tested(block)) is not None]

    def run(self) -> Mutation:
        """Every change tried; survivors in the order of the rules."""
        killed = equivalent = 0
        survivors: list[Survivor] = []
        for mutant in mutants_of(self.rules):
            if self.is_noticed(mutant):
                killed += 1
            elif self.is_equivalent(mutant):
                equivalent += 1
            else:
                label = self.rules.rules[mutant.index].label
                survivors.append(Survivor(kind=mutant.kind, what=mutant.what, rule=label, span=mutant.span))
        return Mutation(killed=killed, survivors=tuple(survivors), equivalent=equivalent)

    def _tested(self, block: ir.TestBlock) -> Tested | None:
        record = record_of(block, self.rules.hosts)
        result = graded(self.plan, record, self.matcher)
        checked = check(self.rules, block, result)
        if not checked or not all(each.holds for each in checked):
            return None
        return Tested(block, record, result, _repeats_answers(record, self.rules.hosts))

    # ---- noticed? --------------------------------------------------------------------------------------------------

    def is_noticed(self, mutant: Mutant) -> bool:
        change = _Changed(self, mutant)
        return any(not change.passes(test) for test in self.tests)

    # ---- a change at all? ------------------------------------------------------------------------------------------

    def is_equivalent(self, mutant: Mutant) -> bool:
        """Whether the changed rule means the same: its patterns match the same values, or nothing is left of the change
        where defaults are written out. Where the patterns are beyond the analysis it is taken for a change."""
        rule = self.rules.rules[mutant.index]
        if mutant.rule is None:
            return False
        if isinstance(rule.check, ir.PatternMatch) and isinstance(mutant.rule.check, ir.PatternMatch):
            one, other = rule.check, mutant.rule.check
            if one.pattern != other.pattern and one.before is None and other.before is None:
                # Asked first is what is likely not to hold: that is quickly seen, and settles it.
                looser = mutant.kind == "loosen-pattern"
                patterns = (one.pattern, other.pattern) if looser else (other.pattern, one.pattern)
                return match_the_same(*patterns)
        same_rule = self._written_out(rule) == self._written_out(mutant.rule)
        return same_rule and _decides(self.plan.gates) == _decides(ir_to_plan(mutant.rules(self.rules)).gates)

    def _written_out(self, rule: ir.Rule) -> ir.Rule:
        """The rule with the default host where it names none, bounds that say the same in one spelling, and without
        `required`, which is the gates' business."""
        check = rule.check
        match check:
            case ir.HostState(on=None) if self.rules.hosts:
                check = check.model_copy(update={"on": self.rules.hosts[0]})
            case ir.PatternMatch(how_often=ir.HowOften(bound="exactly", times=0) as asked):
                check = check.model_copy(update={"how_often": asked.model_copy(update={"bound": "at most"})})
            case ir.TaskCount(min=0):
                check = check.model_copy(update={"min": None})
            case ir.Turns(turns=turns):
                check = check.model_copy(update={"turns": tuple(map(_turn_written_out, turns))})
            case _:
                pass
        return rule.model_copy(update={"check": check, "required": True})


class _Changed:
    """The rules with one change."""

    def __init__(self, original: Mutating, mutant: Mutant) -> None:
        self.original = original
        self.mutant = mutant

    def passes(self, test: Tested) -> bool:
        if test.repeats_answers:
            result = graded(ir_to_plan(self.rules), test.record, self.original.matcher)
            return all(each.holds for each in check(self.rules, test.block, result))
        if not self._concerns(test.block):
            return True
        statuses = self._statuses(test)
        if statuses == [rule.status for rule in test.result.rules] and self.gates is self.original.plan.gates:
            return True
        verdict = grade_statuses(self.gates, statuses, test.record.job).verdict
        return all(self._holds(expectation, statuses, verdict) for expectation in test.block.expectations)

    def _concerns(self, block: ir.TestBlock) -> bool:
        """Whether the block expects anything that the changed rule has a part in."""
        label = self.original.rules.rules[self.mutant.index].label
        return any(isinstance(each, ir.ExpectVerdict) or each.label == label for each in block.expectations)

    @cached_property
    def rules(self) -> ir.RuleSet:
        return self.mutant.rules(self.original.rules)

    @cached_property
    def gates(self) -> Gates:
        """Those of the original where the change does not touch them."""
        before, after = self.original.rules.rules[self.mutant.index], self.mutant.rule
        if after is not None and (before.required, before.accepts_agentic_failure) == (
            after.required,
            after.accepts_agentic_failure,
        ):
            return self.original.plan.gates
        return ir_to_plan(self.rules).gates

    def _statuses(self, test: Tested) -> list[Status]:
        index = self.mutant.index
        statuses: list[Status] = [each.status for each in test.result.rules]
        if self.alone is None:
            del statuses[index]
        else:
            statuses[index] = graded(self.alone, test.record, self.original.matcher).rules[0].status
        return statuses

    @cached_property
    def alone(self) -> Plan | None:
        """A plan of the changed rule and no other; None where it is gone."""
        rule = self.mutant.rule
        if rule is None:
            return None
        return ir_to_plan(self.original.rules.model_copy(update={"rules": (rule,)}))

    def _holds(self, expectation: ir.AnyExpectation, statuses: list[Status], verdict: str) -> bool:
        match expectation:
            case ir.ExpectVerdict(verdict=expected):
                return verdict == expected
            case ir.ExpectRule(status=expected, label=label):
                of_label = [
                    status for rule, status in zip(self.rules.rules, statuses, strict=True) if rule.label == label
                ]
                return bool(of_label) and all(status == expected for status in of_label)


def _turn_written_out(turn: ir.Turn) -> ir.Turn:
    """With the least number of hosts that those which are listed make already."""
    if turn.at_least is None:
        return turn
    return turn.model_copy(update={"at_least": max(turn.at_least, len(set(turn.hosts)))})


def _repeats_answers(record: RunRecord, hosts: Sequence[str] | None) -> bool:
    """An answer without a host is one of the host that it belongs to."""
    named = {answer.host for answer in record.host_answers if answer.host is not None}
    default = host_of_no_name(hosts, named)
    counts = Counter((answer.host or default, answer.run) for answer in record.host_answers)
    return any(count > 1 for count in counts.values())


def match_the_same(one: str, other: str) -> bool:
    """Whether it is certain that both patterns match the same values."""
    try:
        first, second = parse(one), parse(other)
    except PatternError:
        return False
    return isinstance(includes(first, second), Proved) and isinstance(includes(second, first), Proved)


def _decides(gates: Gates) -> Gates:
    """The gates without the words for readers."""
    return gates.model_copy(update={"formula": ()})
