"""Sets of rules that come to another verdict in the other form, although every rule means the same.

optional rules      classic: less than 80 % of all rules fail the run; flat: they never do
optional playbooks  classic: they decide; flat: they never do
gateway rules       without a ticket: skipped under classic semantics, failed under flat ones
how the job ended   flat: it must be completed, unless a required rule accepts `agentic_failure`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from ....compiler.findings import GW602, Finding, Witness
from ....compiler.ir import Ansible, JobResolutionStatus, Rule
from ....grammar.text import Span
from ...evidence.record import RunRecord
from ...matching import Matcher
from ...result import Result
from ..logic.places import place_of_the_whole
from ..scene import Scene
from .runs import BothForms, run_text
from .wished_runs import Wish, wished_runs

_FAILED_JOB = "hard_failure"
"""The resolution status of a job that failed."""
_TRIALS = 8
"""Sets of optional rules that runs are made for."""
_TELLS = {"passed": "passes", "failed": "fails", "error": "is an error"}


def differences_of_the_set(scene: Scene, matcher: Matcher) -> Iterator[Finding]:
    """At most one for each way in which verdicts part."""
    if not scene.rules.rules or not scene.is_whole:
        return
    both = BothForms(scene.rules, matcher)
    for way in (_optional_rules, _optional_playbook, _without_ticket, _job_not_completed):
        finding = way(scene, both)
        if finding is not None:
            yield finding


def _optional_rules(scene: Scene, both: BothForms) -> Finding | None:
    """Failed optional rules, and all else as required."""
    rules, counted = scene.rules.rules, both.classic.gates.score
    optional = [rules[index] for index in counted if not rules[index].required]
    passed = len(counted) - len(optional)
    if not optional or both.classic.gates.basis != "score" or 5 * passed >= 4 * len(counted):
        return None
    # All of them at once, else as few as do: some cannot fail together, or not without a required rule.
    least = len(counted) // 5 + 1
    failing = islice((optional, *combinations(optional, least)), _TRIALS)
    found = (_failed_optional_rules(scene, both, chosen) for chosen in failing)
    return next((finding for finding in found if finding is not None), None)


def _failed_optional_rules(scene: Scene, both: BothForms, failing: Sequence[Rule]) -> Finding | None:
    return _finding(
        scene,
        both,
        [(rule, rule not in failing) for rule in scene.rules.rules],
        "failed optional rules that bring the score under 80 % fail the run as grouped and not as flat",
        "have fewer optional rules, or let a playbook decide: ansible “validate.yml”"
        if scene.options.target == "grouped"
        else "require the rules that no run may fail",
        failing[0].at("label"),
        failing[0],
    )


def _optional_playbook(scene: Scene, both: BothForms) -> Finding | None:
    rules = scene.rules.rules
    optional = [rule for rule in rules if isinstance(rule.check, Ansible) and not rule.required]
    if not optional:
        return None
    return _finding(
        scene,
        both,
        [(rule, rule not in optional) for rule in rules],
        "a playbook decides as grouped although it is optional, and as flat it does not",
        "require it, or leave it out",
        optional[0].at("label"),
        optional[0],
    )


def _without_ticket(scene: Scene, both: BothForms) -> Finding | None:
    rules = scene.rules.rules
    first = next((rules[index] for index in both.classic.gates.skipped_without_ticket if rules[index].required), None)
    if first is None:
        return None
    return _finding(
        scene,
        both,
        [(rule, True) for rule in rules],
        "without a ticket the rules about it are skipped as grouped and fail as flat",
        "as flat make them optional where runs may come without a ticket",
        first.at("label"),
        first,
        lambda record: replace(record, ticket=None),
    )


def _job_not_completed(scene: Scene, both: BothForms) -> Finding | None:
    """Told where the rules let a failed job pass, or do not ask how it ended."""
    rules = scene.rules.rules
    asking = [rule for rule in rules if isinstance(rule.check, JobResolutionStatus)]
    required = [rule for rule in asking if rule.required]
    if not both.flat.gates.job_completed or not all(map(_accepts_failure, required)):
        return None

    def with_failed_job(record: RunRecord) -> RunRecord:
        ended = _FAILED_JOB if asking else None
        return replace(record, job=replace(record.job, status="failed", resolution_status=ended))

    return _finding(
        scene,
        both,
        [(rule, True) for rule in rules],
        "a job that did not complete can pass as grouped and never passes as flat",
        "a required job_resolution_status in success, partial fails it in both forms",
        required[0].at("label") if required else place_of_the_whole(scene),
        required[0] if required else None,
        with_failed_job,
    )


def _accepts_failure(rule: Rule) -> bool:
    return isinstance(rule.check, JobResolutionStatus) and (_FAILED_JOB in rule.check.statuses) != rule.negate


def _finding(
    scene: Scene,
    both: BothForms,
    wishes: list[Wish],
    message: str,
    help_: str,
    span: Span | None,
    rule: Rule | None,
    change: Callable[[RunRecord], RunRecord] = lambda record: record,
) -> Finding | None:
    """The finding, where one of the runs that were wished for comes to two verdicts, neither of them `error`.

    All rules have to agree on that run: where one does not, the verdicts may differ for its sake alone.
    """
    for made in wished_runs(scene, wishes):
        record = change(made)
        results = both.grade(record)
        grouped, flat = (result.verdict for result in results)
        if grouped != flat and "error" not in (grouped, flat) and _rules_agree(*results):
            says = f"the run {_TELLS[grouped]} as grouped and {_TELLS[flat]} as flat"
            label = None if rule is None else rule.label
            witness = Witness(says, run_text(record), is_run=True)
            return Finding(GW602, message, span, help=help_, rule=label, witness=witness)
    return None


def _rules_agree(grouped: Result, flat: Result) -> bool:
    """Whether every rule comes to the same, but for those that are skipped for want of a ticket."""
    pairs = zip(grouped.rules, flat.rules, strict=True)
    return all(one.status in (other.status, "skipped") for one, other in pairs)
