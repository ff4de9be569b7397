"""The plan-driven grader agrees with an evaluator that knows no plan and takes the contract word for word.

The naive one goes rule by rule, searches with Python's `re` (the patterns here mean the same there), looks at every
value every time, and works with exact fractions.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gatewright.compiler.ir import (
    Ansible,
    HostState,
    HowOften,
    JobResolutionStatus,
    PatternMatch,
    Rule,
    RuleSet,
    TaskCount,
    TicketStatus,
    Turn,
    Turns,
)
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.runtime.evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task, Ticket
from gatewright.runtime.grade import grade
from gatewright.runtime.matching import ExactEngine, Matcher

MATCHER = Matcher(ExactEngine())
HOSTS = ("a", "b")
TARGETS = ("executed_commands", "task_plan", "job_resolution", "job_plan", "gateway_messages", "gateway_summary")
STATUSES = ("success", "partial", "agentic_failure")
JOB_TARGETS, GATEWAY_TARGETS = TARGETS[2:4], TARGETS[4:]


# ---- the naive evaluator ---------------------------------------------------------------------------------------------
def naive(rules: RuleSet, record: RunRecord) -> tuple[list[str], bool | None, Fraction, bool | None, str]:
    """Statuses, compliance gate, score, resolution gate, verdict."""
    classic = rules.semantics == "classic"
    statuses: list[str] = []
    for rule in rules.rules:
        if classic and rule.check.group == "gateway" and record.ticket is None:
            statuses.append("skipped")
            continue
        status, decided = naive_check(rule.check, rules, record, rule.negate)
        swapped = {"pass": "fail", "fail": "pass"}.get(status, status)
        statuses.append(swapped if rule.negate and decided else status)
    everything = list(zip(rules.rules, statuses, strict=True))
    process = [(rule, status) for rule, status in everything if not isinstance(rule.check, (HostState, Ansible))]
    counted = [status for _, status in (process if classic else everything) if status != "skipped"]
    score = Fraction(counted.count("pass"), len(counted)) if counted else Fraction(1)
    needed = [status for rule, status in process if rule.required and status != "skipped"]
    if not classic and not any(map(accepts_failure, rules.rules)):
        needed.append("pass" if record.job.status == "completed" else "fail")
    compliance = gate(needed)
    playbooks = [status for rule, status in everything if isinstance(rule.check, Ansible)]
    machines = [status for rule, status in everything if rule.required and rule.check.validator in MACHINE]
    if classic and playbooks:
        resolution = gate(playbooks)
    elif classic:
        could = Fraction(counted.count("pass") + counted.count("error"), len(counted)) if counted else Fraction(1)
        bar = "pass" if score >= Fraction(8, 10) else "error" if could >= Fraction(8, 10) else "fail"
        resolution = gate([*needed, bar])
    else:
        resolution = gate(machines) if machines else compliance
    verdict = "error" if "error" in statuses else "passed" if compliance and resolution else "failed"
    return statuses, compliance, score, resolution, verdict


MACHINE = ("host_state", "ansible")


def accepts_failure(rule: Rule) -> bool:
    if not isinstance(rule.check, JobResolutionStatus) or not rule.required:
        return False
    listed = set(rule.check.statuses)
    accepted = (
        {"success", "partial", "no_action", "agentic_failure", "hard_failure"} - listed if rule.negate else listed
    )
    return "agentic_failure" in accepted


def gate(statuses: list[str]) -> bool | None:
    if "fail" in statuses:
        return False
    return None if "error" in statuses else True


def naive_check(check: Any, rules: RuleSet, record: RunRecord, negate: bool) -> tuple[str, bool]:
    """Status and whether evidence decided it."""

    def said(holds: bool) -> tuple[str, bool]:
        return ("pass" if holds else "fail"), True

    wanting = ("fail", False)
    job = record.job
    match check:
        case PatternMatch():
            return naive_pattern(check, rules.semantics == "classic", record)
        case TaskCount(min=low, max=high):
            if job.tasks is None:
                return wanting
            return said((low or 0) <= len(job.tasks) <= (10**9 if high is None else high))
        case JobResolutionStatus(statuses=statuses):
            return wanting if job.resolution_status is None else said(job.resolution_status in statuses)
        case TicketStatus(status=status):
            if record.ticket is None or record.ticket.status is None:
                return wanting
            return said(record.ticket.status.lower() == status.lower())
        case HostState(run=run, on=on, exit_code=code):
            answers = [a for a in record.host_answers if (a.host, a.run) == (on or HOSTS[0], run)]
            if not answers or answers[0].unreachable:
                return "error", False
            return wanting if answers[0].problem else said(answers[0].exit_code == code)
        case Turns(turns=turns):
            return said(naive_turns(turns, job.tasks)) if job.tasks else wanting
        case Ansible(path=path):
            codes = [answer.exit_code for answer in record.playbooks if answer.path == path]
            if not codes or (rules.semantics == "flat" and codes[0] not in (0, 2)):
                return "error", False
            return said(codes[0] == 0)
        case _:
            raise AssertionError(check)


def naive_pattern(check: PatternMatch, classic: bool, record: RunRecord) -> tuple[str, bool]:
    lists: list[tuple[str, ...] | None]
    if check.where in GATEWAY_TARGETS:
        if record.ticket is None:
            return "fail", False
        messages = record.ticket.messages
        if messages is not None:
            last, rest = messages[len(messages) - 1 :], messages[: max(0, len(messages) - 1)]
            messages = last if check.where == "gateway_summary" else messages if classic else rest
        lists = [messages]
    elif check.where in JOB_TARGETS:
        lists = [record.job.resolution if check.where == "job_resolution" else record.job.plan]
    else:
        tasks = record.job.tasks
        if not tasks:
            return "fail", False
        if check.before is not None:
            tasks = naive_time_order(tasks)
        lists = []
        for task in tasks:
            values = () if classic and check.where == "task_plan" else task.values.get(check.where)
            if check.where == "invocations" and (commands := task.values.get("executed_commands")) is not None:
                values = tuple(line for command in commands for line in command.split("\n") if line)
            if check.on is not None and task.host is None:
                values = None
            if check.on is None or task.host in (None, check.on):
                lists.append(values)
    missing = None in lists
    extension = check.where == "invocations" or check.before or check.how_often or check.on
    if classic and not extension:
        texts = ["\n".join(values) for values in lists if values is not None]
    else:
        texts = [value for values in lists for value in values or ()]
    places = [(n, m.start()) for n, text in enumerate(texts) if (m := re.search(check.pattern, text, re.IGNORECASE))]
    if check.before is not None:
        others = [(n, m.start()) for n, text in enumerate(texts) if (m := re.search(check.before, text, re.IGNORECASE))]
        if missing:
            return "fail", False
        return ("pass" if places and (not others or places[0] < others[0]) else "fail"), True
    if check.how_often is None:
        return ("pass", True) if places else ("fail", not missing)
    bound, times = check.how_often.bound, check.how_often.times
    if bound == "at least":
        return ("pass", True) if len(places) >= times else ("fail", not missing)
    if missing:
        return "fail", False
    return ("pass" if (len(places) <= times if bound == "at most" else len(places) == times) else "fail"), True


def naive_time_order(tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """Swaps neighbours among the timed places until all are in order; untimed ones stay where they are."""
    order = list(tasks)
    timed = [n for n, task in enumerate(order) if task.started_at is not None]
    for _ in timed:
        for left, right in pairwise(timed):
            if order[left].started_at > order[right].started_at:  # type: ignore[operator]
                order[left], order[right] = order[right], order[left]
    return tuple(order)


def naive_turns(wanted: tuple[Turn, ...], tasks: tuple[Task, ...]) -> bool:
    numbers = {task.turn for task in tasks}
    groups: list[list[Task]] = []
    if None not in numbers:
        groups = [[task for task in tasks if task.turn == number] for number in sorted(numbers, key=lambda n: n or 0)]
    else:
        if any(task.started_at is None for task in tasks):
            return False
        for task in sorted(tasks, key=lambda task: task.started_at or NEVER):
            ends = [other.ended_at for other in groups[-1]] if groups else [NEVER]
            if all(end is not None and (task.started_at or NEVER) >= end for end in ends):
                groups.append([task])
            else:
                groups[-1].append(task)
    if len(groups) < len(wanted):
        return False
    return all(naive_turn(one, group) for one, group in zip(wanted, groups, strict=False))


NEVER = datetime.min.replace(tzinfo=UTC)


def naive_turn(wanted: Turn, group: list[Task]) -> bool:
    if any(None in (task.host, task.started_at, task.ended_at) for task in group):
        return False
    hosts = [str(task.host) for task in group]
    if len(set(hosts)) != len(hosts) or not set(wanted.hosts) <= set(hosts):
        return False
    if wanted.at_least is None and set(hosts) != set(wanted.hosts):
        return False
    if len(hosts) < (wanted.at_least or 0):
        return False
    latest = max(task.started_at for task in group if task.started_at)
    earliest = min(task.ended_at for task in group if task.ended_at)
    return len(group) == 1 or latest < earliest


# ---- random rules and records ----------------------------------------------------------------------------------------
START = datetime(2026, 5, 1, 10, tzinfo=UTC)
value = st.text("abC\n", max_size=4)
values = st.none() | st.lists(value, max_size=3).map(tuple)
pattern = st.sampled_from(["a", "b", "ab", "a|b", "[^a]", "a\\nb", "b+", "c.", "\\w\\w", "a*", "^a", "b(?=c)"])
host = st.sampled_from([*HOSTS, None])
minute = st.none() | st.integers(0, 3).map(lambda n: START + timedelta(minutes=n))


@st.composite
def task(draw: st.DrawFn) -> Task:
    found = {target: draw(values) for target in TARGETS[:2]}
    return Task(
        host=draw(host),
        turn=draw(st.none() | st.integers(0, 2)),
        started_at=draw(minute),
        ended_at=draw(minute),
        values={target: known for target, known in found.items() if known is not None},
    )


@st.composite
def record(draw: st.DrawFn) -> RunRecord:
    tasks = draw(st.none() | st.lists(task(), max_size=4).map(tuple))
    if tasks and draw(st.booleans()):
        tasks = tuple(replace_turn(task, None if draw(st.booleans()) else number) for number, task in enumerate(tasks))
    job = Job(
        status=draw(st.sampled_from(["completed", "completed", "failed", None])),
        resolution_status=draw(st.sampled_from([*STATUSES, None])),
        resolution=draw(values),
        plan=draw(values),
        tasks=tasks,
    )
    ticket = st.builds(Ticket, st.sampled_from(["Resolved", "new", None]), values)
    endings = st.sampled_from([{"exit_code": 0}, {"exit_code": 1}, LOST, {"problem": "timed out"}])
    answers = [HostAnswer(name, run, **draw(endings)) for name in HOSTS for run in "12" if draw(st.booleans())]
    codes = st.sampled_from([0, 1, 2, 4])
    playbooks = tuple(PlaybookAnswer(path, draw(codes)) for path in ("v.yml", "w.yml") if draw(st.booleans()))
    return RunRecord("r", None, job, draw(st.none() | ticket), tuple(answers), playbooks)


LOST = {"problem": "unreachable", "unreachable": True}


def replace_turn(task: Task, turn: int | None) -> Task:
    return Task(task.id, task.host, turn, task.started_at, task.ended_at, task.values)


bounds = st.builds(HowOften, bound=st.sampled_from(["at least", "at most", "exactly"]), times=st.integers(0, 3))


@st.composite
def pattern_check(draw: st.DrawFn) -> PatternMatch:
    where = draw(st.sampled_from((*TARGETS[:1] * 4, *TARGETS[1:], "invocations")))
    more: dict[str, Any] = {}
    match draw(st.integers(0, 3)):
        case 0:
            more["before"] = draw(pattern)
        case 1:
            more["how_often"] = draw(bounds)
        case _:
            pass
    if where in (*TARGETS[:2], "invocations") and draw(st.booleans()):
        more["on"] = draw(st.sampled_from(HOSTS))
    return PatternMatch(where=where, pattern=draw(pattern), **more)


hosts_of_turn = st.lists(st.sampled_from(HOSTS), unique=True, min_size=1, max_size=2).map(tuple)
turn = (
    st.builds(Turn, hosts=hosts_of_turn)
    | st.builds(Turn, hosts=hosts_of_turn, at_least=st.integers(1, 3))
    | st.builds(Turn, at_least=st.integers(1, 2))
)
count = st.integers(0, 4)
both = st.builds(
    JobResolutionStatus, statuses=st.lists(st.sampled_from(STATUSES), unique=True, min_size=1, max_size=2).map(tuple)
)
classic_check = (
    pattern_check()
    | pattern_check()
    | st.builds(TaskCount, min=count, max=st.none() | count)
    | st.builds(TaskCount, max=count)
    | both
    | st.builds(TicketStatus, status=st.sampled_from(["resolved", "NEW"]))
    | st.builds(Ansible, path=st.sampled_from(["v.yml", "w.yml"]))
)
flat_check = (
    classic_check
    | st.builds(HostState, run=st.sampled_from("12"), on=host, exit_code=st.sampled_from([0, 1]))
    | st.builds(Turns, turns=st.lists(turn, min_size=1, max_size=2).map(tuple))
)


@st.composite
def rule_set(draw: st.DrawFn) -> RuleSet:
    semantics = draw(st.sampled_from(["flat", "classic"]))
    check = flat_check if semantics == "flat" else classic_check
    checks = draw(st.lists(check, max_size=6))
    rules = []
    for number, one in enumerate(checks):
        negate = draw(st.booleans()) if one.validator not in ("host_state", "turns") else False
        rules.append(Rule(label=str(number), check=one, required=draw(st.booleans()), negate=negate))
    return RuleSet(hosts=HOSTS, semantics=semantics, rules=tuple(rules))


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(rule_set(), record())
def test_plan_and_naive_evaluator_agree(rules: RuleSet, run: RunRecord) -> None:
    statuses, compliance, score, resolution, verdict = naive(rules, run)
    result = grade(ir_to_plan(rules), run, None, MATCHER)
    assert [rule.status for rule in result.rules] == statuses
    assert result.compliance is not None
    assert result.resolution is not None
    assert result.compliance.passed is compliance
    known = result.compliance.score
    assert (Fraction(known.passed, known.total) if known.total else Fraction(1)) == score
    assert result.resolution.passed is resolution
    assert result.verdict == verdict
