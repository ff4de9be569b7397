"""Plan + run record (+ hosts) → result: the whole grading of one run.

    result = grade(plan, record, hosts, Matcher(default_engine()))
    result.verdict                  # 'passed', 'failed' or 'error'

1. A record of another scenario is not graded. 2. Host commands run, hosts side by side, the commands of a
host in order; then playbooks. 3. Patterns are searched, each target in one pass. 4. Every rule is evaluated
on what was gathered. 5. Gates and verdict follow. Nothing that the plan does not ask for is fetched.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from ..compiler.findings import GW703, Finding, Report
from ..compiler.ir import PatternMatch, Rule
from ..compiler.plan import HostCommands, Plan, Playbook, plan_to_json
from .checks import evaluate_rules
from .checks.gathered import Gathered
from .checks.host_state import Clock, SystemClock, ask
from .checks.pattern_match import search_targets
from .evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from .hosts.connections import HostEvidence
from .hosts.recorded import RecordedEvidence
from .matching import Matcher
from .result import Outcome, Provenance, Result, RuleResult, Timing
from .score import grade_statuses
from .version import version

HOSTS_AT_ONCE = 16
"""How many hosts are asked side by side where nobody says otherwise."""


class Progress(Protocol):
    """Is told what is being asked, from several threads."""

    def asked(self, host: str, label: str) -> None:
        """A command of the rule `label` begins on `host`, or a playbook does."""
        ...

    def answered(self, host: str) -> None:
        """It has ended."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeOptions:
    """What callers may choose; the defaults are those of `gatewright grade`."""

    any_scenario: bool = False
    """Grade records that name another scenario too."""
    rules_digest: str | None = None
    """`sha256:…` for the provenance; None: of the plan, so that comments and layout of the rules do not
    matter."""
    timing: bool = False
    """Say when and how long (then equal inputs no longer give equal bytes)."""
    clock: Clock = field(default_factory=SystemClock)
    hosts_at_once: int = HOSTS_AT_ONCE
    held_before: Mapping[int, bool] = field(default_factory=dict[int, bool])
    """By index of the rule: whether it held before the run, where a baseline decides that."""
    progress: Progress | None = None


DEFAULTS = GradeOptions()


def grade(
    plan: Plan,
    record: RunRecord,
    hosts: HostEvidence | None,
    matcher: Matcher,
    options: GradeOptions = DEFAULTS,
    *,
    report: Report | None = None,
) -> Result:
    """Grade one run. `hosts` None: the record's own host answers and playbook results.

    Never raises for anything in the record; GW703 is reported, and its run is not graded. `hosts` stays open.
    """
    begun, started = time.perf_counter(), datetime.now(UTC)
    other = None if options.any_scenario else _other_scenario(plan, record)
    if other is None:
        evidence = RecordedEvidence(record, plan.hosts) if hosts is None else hosts
        result = _graded(plan, record, evidence, matcher, options)
    else:
        result = ungraded(plan, record.id, other, options, record.digest)
        if report is not None:
            help_text = "grade it all the same with --any-scenario"
            report(Finding(GW703, f"run {record.id}: {other}", help=help_text))
    if not options.timing:
        return result
    seconds = round(time.perf_counter() - begun, 3)
    return replace(result, timing=Timing(started_at=started.isoformat(timespec="seconds"), seconds=seconds))


def ungraded(
    plan: Plan,
    run: str,
    problem: str,
    options: GradeOptions = DEFAULTS,
    evidence: str = "",
) -> Result:
    """The result of a run that could not be graded: verdict `error`, the problem, no rules and no gates.

    `evidence` is the digest of the bytes that could not be read, where there were any.
    """
    return Result(
        scenario=plan.scenario,
        run=run,
        semantics=plan.semantics,
        verdict="error",
        problem=problem,
        provenance=_provenance(plan, evidence, options),
    )


def plan_digest(plan: Plan) -> str:
    """`sha256:…` of the plan's JSON."""
    return f"sha256:{hashlib.sha256(plan_to_json(plan).encode('utf-8', 'surrogatepass')).hexdigest()}"


def _graded(plan: Plan, record: RunRecord, hosts: HostEvidence, matcher: Matcher, options: GradeOptions) -> Result:
    gathered = Gathered(
        plan=plan,
        record=record,
        host_answers=_ask_hosts(plan, hosts, options),
        playbooks={playbook.rule: _run_playbook(plan, playbook, hosts, options) for playbook in plan.playbooks},
        patterns=search_targets(plan, record, matcher),
    )
    outcomes = evaluate_rules(gathered)
    grades = grade_statuses(plan.gates, [outcome.status for outcome in outcomes], record.job)
    return Result(
        scenario=plan.scenario or record.scenario,
        run=record.id,
        semantics=plan.semantics,
        verdict=grades.verdict,
        compliance=grades.compliance,
        resolution=grades.resolution,
        rules=tuple(
            replace(_rule_result(rule, outcome), held_before=options.held_before.get(index))
            for index, (rule, outcome) in enumerate(zip(plan.rules, outcomes, strict=True))
        ),
        implicit=grades.implicit,
        provenance=_provenance(plan, record.digest, options),
    )


def _other_scenario(plan: Plan, record: RunRecord) -> str | None:
    """Rules or a record without a scenario fit any."""
    if plan.scenario is None or record.scenario is None or plan.scenario == record.scenario:
        return None
    return f"the record is of the scenario “{record.scenario}”, the rules are of “{plan.scenario}”"


def _ask_hosts(plan: Plan, hosts: HostEvidence, options: GradeOptions) -> Mapping[int, HostAnswer]:
    """Answers by rule. A host that is “the only one” may be one that other rules name: then one after the
    other."""
    groups = plan.host_commands
    if not groups:
        return {}
    unnamed = any(group.host is None for group in groups)
    workers = 1 if unnamed else min(len(groups), options.hosts_at_once)
    answers: dict[int, HostAnswer] = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="host") as pool:
        try:
            for of_host in pool.map(partial(_ask_host, plan, hosts, options), groups):
                answers.update(of_host)
        except BaseException:  # an interrupt too: nobody must go on waiting for a command
            pool.shutdown(wait=False, cancel_futures=True)
            hosts.close()
            raise
    return answers


def _ask_host(plan: Plan, hosts: HostEvidence, options: GradeOptions, group: HostCommands) -> Mapping[int, HostAnswer]:
    connection = hosts.connect(group.host)
    answers: dict[int, HostAnswer] = {}
    name = group.host or "the host"
    try:
        for command in group.commands:
            with _telling(options.progress, name, plan.rules[command.rule].label):
                answers[command.rule] = ask(connection, command, live=hosts.live, clock=options.clock)
    finally:
        connection.close()
    return answers


def _run_playbook(plan: Plan, playbook: Playbook, hosts: HostEvidence, options: GradeOptions) -> PlaybookAnswer:
    with _telling(options.progress, "ansible-playbook", plan.rules[playbook.rule].label):
        return hosts.playbook(playbook.path)


@contextmanager
def _telling(progress: Progress | None, host: str, label: str) -> Generator[None]:
    if progress is None:
        yield
        return
    progress.asked(host, label)
    try:
        yield
    finally:
        progress.answered(host)


def _rule_result(rule: Rule, outcome: Outcome) -> RuleResult:
    return RuleResult(
        label=rule.label,
        validator=rule.check.validator,
        required=rule.required,
        negate=rule.negate,
        status=outcome.status,
        reason=outcome.reason,
        target=rule.check.where if isinstance(rule.check, PatternMatch) else None,
        values_tested=outcome.values_tested,
        match=outcome.match,
        host=outcome.host,
        exit_code=outcome.exit_code,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
    )


def _provenance(plan: Plan, evidence: str, options: GradeOptions) -> Provenance:
    return Provenance(rules=options.rules_digest or plan_digest(plan), evidence=evidence, version=version())
