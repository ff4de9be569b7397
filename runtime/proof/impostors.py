"""The impostors: runs that must not pass, made from what the rules themselves look for.

idle     nothing is done: without a task and with one that has empty evidence, with each resolution status
talker   says whatever any rule looks for, executes nothing, claims success
echoer   says the same, and prints, greps or comments every command that is wanted
vandal   the honest run, and one forbidden thing: one run a ban

Host rules fail for the first three, but for those whose answer before the run is known; for a vandal they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ...compiler.ir import Rule, Turns
from ...compiler.vocabulary import RESOLUTION_STATUSES, TARGETS
from ..evidence.record import Job, RunRecord, Task, Ticket
from ..result import Result
from .answers import OPEN, Answers
from .asked import DEEDS, Ask
from .build import Builder, Wish
from .layout import Slot

Name = Literal["idle", "talker", "echoer", "vandal"]

CLAIM = "success"
"""The resolution status that talkers claim."""
_GIVEN = frozenset({"task_description", "operational_rules"})
"""Targets that are written before the agent begins."""
_SAYS = ("agent_messages", "task_summary")
MOST_TIMES = 1_000
"""A limit on more values than this is not broken."""


@dataclass(frozen=True, slots=True)
class Impostor:
    """One run, graded."""

    name: Name
    does: str
    """What is special about the run, as a clause: “no task, ends with success”."""
    record: RunRecord
    result: Result
    breaks: Rule | None = None
    """The ban that a vandal breaks."""

    @property
    def passes(self) -> bool:
        return self.result.verdict == "passed"


# ---- idle ------------------------------------------------------------------------------------------------------------


def idle_runs(builder: Builder, known: Answers | None = None) -> Iterator[Impostor]:
    """Ten runs in which nothing was done; graded when they are asked for."""
    channels = dict.fromkeys((ask.channel for ask in builder.asks), ())
    nothing = {name: () for name in channels if TARGETS[name].scope == "task"}
    has_turns = any(isinstance(rule.check, Turns) for rule in builder.rules.rules)
    slot = Slot(builder.host, 1 if has_turns else None)
    task = Task(None, slot.host, slot.turn, slot.started_at, slot.ended_at, nothing)
    wish = Wish(hosts_hold=False, known=known)
    for said, tasks in (("no task", ()), ("one task with nothing in it", (task,))):
        for status in RESOLUTION_STATUSES:
            name = f"idle-{'one' if tasks else 'no'}-task-{status.replace('_', '-')}"
            job = Job("completed", status, resolution=(), plan=(), tasks=tasks)
            ticket = Ticket(OPEN, ()) if builder.has_ticket else None
            record = RunRecord(name, builder.rules.scenario, job, ticket)
            record = builder.answered(record, wish)
            yield Impostor("idle", f"{said}, ends with {status}", record, builder.grade(record))


# ---- those that talk -------------------------------------------------------------------------------------------------


def talker(builder: Builder, known: Answers | None = None) -> Impostor:
    """Says it all."""
    record, result = _told(builder, Wish(id="talker", deeds="none", hosts_hold=False, known=known, status=CLAIM))
    return Impostor("talker", "says what the rules look for, and executes nothing", record, result)


def echoer(builder: Builder, known: Answers | None = None) -> Impostor | None:
    """Says it all and mentions every command; None where no rule looks for one."""
    if not any(ask.is_wanted and ask.channel in DEEDS for ask in builder.asks):
        return None
    wish = Wish(id="echoer", deeds="mentioned", hosts_hold=False, known=known, status=CLAIM)
    record, result = _told(builder, wish)
    return Impostor("echoer", "mentions the commands that the rules look for, and runs none", record, result)


def _told(builder: Builder, wish: Wish) -> tuple[RunRecord, Result]:
    """The run that comes nearest to passing, with what else can be said put in."""
    best: tuple[RunRecord, Result] | None = None
    fewest = 0
    for kept in (None, builder.deciding):
        for record in builder.variants(replace(wish, kept=kept)):
            result = builder.grade(record)
            bad = sum(result.rules[index].status == "fail" for index in builder.deciding)
            if best is None or bad < fewest:
                best, fewest = (record, result), bad
            if result.verdict == "passed":
                break
        if best is not None and best[1].verdict == "passed":
            break
    assert best is not None
    more = _with_claims(builder, best[0])
    if more is not None:
        result = builder.grade(more)
        if [rule.status for rule in result.rules] == [rule.status for rule in best[1].rules]:
            return more, result
    return best


def _with_claims(builder: Builder, record: RunRecord) -> RunRecord | None:
    """The record with sentences that claim every deed that is wanted; None where there is none to claim, or nowhere."""
    wanted = [ask for ask in builder.asks if ask.is_wanted and ask.channel in DEEDS]
    found = [builder.texts.fitting(ask.tree, lambda _: True) for ask in wanted]
    claims = [f"I ran {text}" for text in dict.fromkeys(found) if text is not None]
    if not claims or not record.job.tasks:
        return None
    first, *others = record.job.tasks
    said = {name: (*first.values.get(name, ()), *claims) for name in _SAYS}
    tasks = (replace(first, values={**first.values, **said}), *(_silent(task) for task in others))
    resolution = record.job.resolution if record.job.resolution is not None else (". ".join(claims),)
    return replace(record, job=replace(record.job, tasks=tasks, resolution=resolution))


def _silent(task: Task) -> Task:
    return replace(task, values={**dict.fromkeys(_SAYS, ()), **task.values})


# ---- vandals ---------------------------------------------------------------------------------------------------------


def vandals(builder: Builder, honest: RunRecord) -> Iterator[Impostor | Ask]:
    """One run for every required ban, in order; the ban where no text is known that it forbids."""
    number = 0
    for ask in builder.asks:
        if not is_breakable(ask):
            continue
        number += 1
        value = None if is_beyond(ask) else _forbidden(builder, ask)
        if value is None:
            yield ask
            continue
        is_joined = builder.rules.semantics == "classic" and ask.check.extension is None
        # Joined to other values an empty one is not seen: what is forbidden is that there is nothing else.
        before = _emptied(ask, honest) if is_joined and not value.strip() else honest
        record = _with_value(ask, before, value, (ask.most or 0) + 1)
        record = replace(record, id=f"vandal-{number}")
        does = f"breaks “{ask.rule.label}”: {value}"
        yield Impostor("vandal", does, record, builder.grade(record), breaks=ask.rule)


def is_breakable(ask: Ask) -> bool:
    """Whether a run fails by doing what the rule forbids, and an agent can do it."""
    return ask.rule.required and ask.most is not None and not ask.is_of_order and ask.where not in _GIVEN


def is_beyond(ask: Ask) -> bool:
    """Whether more values would be needed to break a limit than a made-up run has."""
    return (ask.most or 0) >= MOST_TIMES


def _forbidden(builder: Builder, ask: Ask) -> str | None:
    """What the rule forbids, and no other rule where that can be had."""
    texts = builder.texts
    others = [each for each in builder.asks if each is not ask and each.most == 0 and each.channel == ask.channel]

    def breaks(value: str) -> bool:
        return any(texts.matches(ask.tree, seen) for seen in ask.seen_in(value))

    def breaks_it_alone(value: str) -> bool:
        return breaks(value) and not any(
            texts.matches(each.tree, seen) for each in others for seen in each.seen_in(value)
        )

    avoid = [each.tree for each in others]
    alone = texts.fitting(ask.tree, breaks_it_alone, avoid=avoid) if others else None
    return texts.fitting(ask.tree, breaks) if alone is None else alone


def _with_value(ask: Ask, record: RunRecord, value: str, times: int) -> RunRecord:
    """The record with a value so often in the target of an ask, as the last thing that happens."""
    more = (value,) * times
    match ask.channel:
        case "job_resolution":
            return replace(record, job=replace(record.job, resolution=(*(record.job.resolution or ()), *more)))
        case "job_plan":
            return replace(record, job=replace(record.job, plan=(*(record.job.plan or ()), *more)))
        case "gateway_messages":
            ticket = record.ticket or Ticket(OPEN, ())
            messages = ticket.messages or ()
            return replace(record, ticket=replace(ticket, messages=(*messages[:-1], *more, *messages[-1:])))
        case "gateway_summary":
            ticket = record.ticket or Ticket(OPEN, ())
            return replace(record, ticket=replace(ticket, messages=(*(ticket.messages or ())[:-1], *more)))
        case channel:
            tasks = list(record.job.tasks or ())
            place = next((n for n in reversed(range(len(tasks))) if ask.speaks_of(tasks[n].host)), None)
            if place is None:
                tasks.append(_another(tasks, ask.check.on))
                place = -1
            task = tasks[place]
            values = {**task.values, channel: (*task.values.get(channel, ()), *more)}
            tasks[place] = replace(task, values=values)
            return replace(record, job=replace(record.job, tasks=tuple(tasks)))


def _emptied(ask: Ask, record: RunRecord) -> RunRecord:
    """The record with nothing in the target of an ask."""
    match ask.channel:
        case "job_resolution":
            return replace(record, job=replace(record.job, resolution=()))
        case "job_plan":
            return replace(record, job=replace(record.job, plan=()))
        case "gateway_messages" | "gateway_summary":
            return replace(record, ticket=replace(record.ticket or Ticket(OPEN, ()), messages=()))
        case channel:
            tasks = tuple(replace(task, values={**task.values, channel: ()}) for task in record.job.tasks or ())
            return replace(record, job=replace(record.job, tasks=tasks))


def _another(tasks: list[Task], host: str | None) -> Task:
    """One more task, on a host that had none."""
    if not tasks:
        return Task(host=host)
    last = tasks[-1]
    slot = Slot(host, None if last.turn is None else last.turn + 1)
    nothing = dict.fromkeys(last.values, ())
    return Task(host=host, turn=slot.turn, started_at=slot.started_at, ended_at=slot.ended_at, values=nothing)
