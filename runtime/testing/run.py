"""One test block run: its facts become a run record, the grader grades it, and every expectation is checked.

outcome = run_test(loaded.rules, loaded.rules.tests[0], Matcher(default_engine()))
outcome.passed
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler import ir
from ...compiler.ir_to_plan import ir_to_plan
from ...compiler.plan import Plan
from ..evidence.record import PlaybookAnswer, RunRecord
from ..grade import GradeOptions, grade
from ..hosts.connections import HostConnection, NoConnection
from ..hosts.recorded import RecordedEvidence
from ..matching import Matcher
from ..result import Result
from .outcome import MISSING, Checked, TestOutcome
from .records import facts_behind, record_of

_OPTIONS = GradeOptions(rules_digest="of the test", hosts_at_once=1)
"""No result of a test leaves the program with its provenance, so that none is worked out."""


def run_test(rules: ir.RuleSet, block: ir.TestBlock, matcher: Matcher) -> TestOutcome:
    """Run one test against rules without errors. Nothing outside is asked: hosts answer what the facts say."""
    plan = ir_to_plan(rules)
    result = graded(plan, record_of(block, rules.hosts), matcher)
    return TestOutcome(name=block.name, span=block.at("name"), result=result, checked=check(rules, block, result))


def graded(plan: Plan, record: RunRecord, matcher: Matcher) -> Result:
    """The result of the run of a test."""
    return grade(plan, record, _FactsOfHosts(record, plan.hosts), matcher, _OPTIONS)


def check(rules: ir.RuleSet, block: ir.TestBlock, result: Result) -> tuple[Checked, ...]:
    """The expectations of a block held against a result; rules and their results stand in the same order."""
    return tuple(_checked(expectation, rules, block, result) for expectation in block.expectations)


def _checked(expectation: ir.AnyExpectation, rules: ir.RuleSet, block: ir.TestBlock, result: Result) -> Checked:
    match expectation:
        case ir.ExpectVerdict(verdict=verdict, span=span):
            return Checked(expected=verdict, got=result.verdict, span=span)
        case ir.ExpectRule(status=status, label=label, span=span):
            named = [pair for pair in zip(rules.rules, result.rules, strict=True) if pair[0].label == label]
            if not named:
                return Checked(expected=status, got=MISSING, label=label, span=span)
            rule, came = next((pair for pair in named if pair[1].status != status), named[0])
            facts = [fact.span for fact in facts_behind(rule.check, block, rules.hosts)]
            return Checked(
                expected=status,
                got=came.status,
                label=label,
                span=span,
                rule=came,
                rule_span=rule.span,
                facts=tuple(place for place in facts if place is not None),
            )


class _FactsOfHosts:
    """The answers that a test gives; where it says nothing, that is the reason."""

    live: bool = False

    def __init__(self, record: RunRecord, hosts: Sequence[str] | None) -> None:
        self._record = record
        self._recorded = RecordedEvidence(record, hosts)

    def connect(self, host: str | None) -> HostConnection:
        if not self._record.host_answers:
            return NoConnection(host, f"the test has no answer of {host or 'the host'}")
        return self._recorded.connect(host)

    def playbook(self, path: str) -> PlaybookAnswer:
        if not any(answer.path == path for answer in self._record.playbooks):
            return PlaybookAnswer(path, problem=f"the test does not say how {path} ends")
        return self._recorded.playbook(path)

    def close(self) -> None:
        self._recorded.close()
