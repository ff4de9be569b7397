"""From the facts of a test block to the run record that they describe.

    test "a reload counts" { executed_commands `systemctl reload nginx` }

is a run whose job completed with resolution `success` and had one task on the scenario's first host, which executed
that command and left no other trace. What facts do not state is *empty*, so that a test speaks of what matters to it
alone: only `unavailable` makes evidence unavailable. What nobody can guess stays unknown: how a host answers, and what
the status of a ticket is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...compiler import ir
from ...compiler.times import parse_time
from ...compiler.vocabulary import TARGETS
from ..evidence.read_record import TASK_VALUES, TIMED_OUT, UNREACHABLE
from ..evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task, Ticket, Values

_STATED = {"job_status": "completed", "job_resolution_status": "success"}
"""Statuses of a job of which the facts say nothing."""


def record_of(block: ir.TestBlock, hosts: Sequence[str] | None) -> RunRecord:
    """The run of a test block, named as the test; `hosts` are those that the rules declare."""
    evidence = {fact.target: fact.values for fact in block.facts if isinstance(fact, ir.EvidenceFact)}
    statuses = {fact.field: fact.value for fact in block.facts if isinstance(fact, ir.StatusFact)}
    return RunRecord(
        id=block.name,
        job=Job(
            status=statuses.get("job_status", _STATED["job_status"]),
            resolution_status=statuses.get("job_resolution_status", _STATED["job_resolution_status"]),
            resolution=evidence.get("job_resolution", ()),
            plan=evidence.get("job_plan", ()),
            tasks=tuple(_tasks(block, evidence, hosts[0] if hosts else None)),
        ),
        ticket=_ticket(evidence, statuses),
        host_answers=tuple(_host_answer(fact) for fact in block.facts if isinstance(fact, ir.HostAnswerFact)),
        playbooks=tuple(
            PlaybookAnswer(fact.path, fact.exit_code) for fact in block.facts if isinstance(fact, ir.PlaybookFact)
        ),
    )


def _tasks(block: ir.TestBlock, evidence: dict[str, Values], host: str | None) -> Iterable[Task]:
    """The tasks that are described; without any the default one, unless there are said to be none."""
    described = [fact for fact in block.facts if isinstance(fact, ir.TaskFact)]
    for fact in described:
        yield Task(
            host=fact.on or host,
            turn=fact.turn,
            started_at=None if fact.started_at is None else parse_time(fact.started_at),
            ended_at=None if fact.ended_at is None else parse_time(fact.ended_at),
            values=_values({each.target: each.values for each in fact.evidence}),
        )
    if not described and not any(isinstance(fact, ir.NoTasksFact) for fact in block.facts):
        yield Task(host=host, values=_values(evidence))


def _values(evidence: dict[str, Values]) -> dict[str, tuple[str, ...]]:
    """Of a task's targets those that are available: a target that is not a key is not."""
    values = {target: evidence.get(target, ()) for target in TASK_VALUES.values()}
    return {target: found for target, found in values.items() if found is not None}


def _ticket(evidence: dict[str, Values], statuses: dict[str, str | None]) -> Ticket | None:
    """Any fact of the gateway makes one. Its messages are one list: where a part of it is unavailable, so is all."""
    stated = [target for target in ("gateway_messages", "gateway_summary") if target in evidence]
    if not stated and "ticket_status" not in statuses:
        return None
    messages: list[str] = []
    for target in stated:
        values = evidence[target]
        if values is None:
            return Ticket(statuses.get("ticket_status"), None)
        messages += values
    return Ticket(statuses.get("ticket_status"), tuple(messages))


def _host_answer(fact: ir.HostAnswerFact) -> HostAnswer:
    match fact.problem:
        case None:
            return HostAnswer(fact.on, fact.run, fact.exit_code)
        case "timed_out":
            return HostAnswer(fact.on, fact.run, problem=TIMED_OUT)
        case "unreachable":
            return HostAnswer(fact.on, fact.run, problem=UNREACHABLE, unreachable=True)


def host_of_no_name(hosts: Sequence[str] | None, named: Collection[str]) -> str | None:
    """Which host an answer belongs to that names none: the first that the rules declare, else the only one that other
    answers name. None: there is no telling."""
    if hosts:
        return hosts[0]
    return next(iter(named)) if len(named) == 1 else None


# ---- which facts a rule rests on -------------------------------------------------------------------------------------


def facts_behind(check: ir.AnyCheck, block: ir.TestBlock, hosts: Sequence[str] | None) -> tuple[ir.Node, ...]:
    """The facts of the block that a check looks at, in their order; none where all of it is a default."""
    answers = (fact.on for fact in block.facts if isinstance(fact, ir.HostAnswerFact))
    named = {host for host in answers if host is not None}
    return tuple(fact for fact in _all_facts(block) if _is_behind(fact, check, hosts, named))


def _all_facts(block: ir.TestBlock) -> Iterable[ir.AnyFact]:
    """Every fact, the evidence of a task behind the task."""
    for fact in block.facts:
        yield fact
        if isinstance(fact, ir.TaskFact):
            yield from fact.evidence


def _is_behind(fact: ir.AnyFact, check: ir.AnyCheck, hosts: Sequence[str] | None, named: Collection[str]) -> bool:
    match check:
        case ir.PatternMatch(where=where):
            scope = TARGETS[where].scope
            read = {"invocations": "executed_commands"}.get(where, where)
            if isinstance(fact, ir.EvidenceFact):
                is_message = scope == "gateway" and fact.target in ("gateway_messages", "gateway_summary")
                return fact.target == read or is_message
            return scope == "task" and isinstance(fact, ir.NoTasksFact)
        case ir.TaskCount() | ir.Turns():
            return isinstance(fact, ir.TaskFact | ir.NoTasksFact)
        case ir.JobResolutionStatus():
            return isinstance(fact, ir.StatusFact) and fact.field == "job_resolution_status"
        case ir.TicketStatus():
            return isinstance(fact, ir.StatusFact) and fact.field == "ticket_status"
        case ir.HostState(run=run, on=on):
            return isinstance(fact, ir.HostAnswerFact) and fact.run == run and _answers(fact, on, hosts, named)
        case ir.Ansible(path=path):
            return isinstance(fact, ir.PlaybookFact) and fact.path == path


def _answers(fact: ir.HostAnswerFact, on: str | None, hosts: Sequence[str] | None, named: Collection[str]) -> bool:
    """Whether it is the answer of the host that a rule asks; any is, where there is no telling which one that is."""
    default = host_of_no_name(hosts, named)
    if on is None and default is None:
        return True
    if fact.on is None and default is None:
        return not named
    return (fact.on or default) == (on or default)
