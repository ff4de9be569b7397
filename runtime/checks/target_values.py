"""The values of a target: which strings of a run a pattern is searched in, and which of them nobody recorded.

    evidence = read_target("executed_commands", record, "flat")
    evidence.absent                 # None, or why there is nothing at all to look at: 'No tasks to check'
    evidence.parts                  # one for each task: Part(task='t1', values=('systemctl restart nginx',))

Patterns are searched in `Text`s made from the parts: single values (flat page, 0.19: "each value
separately"), or the values of a task joined with newlines (classic page, 0.16: "one per line").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ...compiler.vocabulary import INVOCATIONS_ARE_OF, TARGETS, Semantics
from ..evidence.record import RunRecord, Task, Values

NO_TASKS = "No tasks to check"
NO_TICKET = "No ticket to check"
UNAVAILABLE = "evidence unavailable"

_NO_TIME = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Part:
    """What one task has of a target; for job and gateway targets, what the job or the ticket has."""

    values: Values
    """None: unavailable."""
    task: str | None = None
    """Id of the task, else its number from 1; None for job and gateway targets."""
    host: str | None = None
    started_at: datetime | None = None
    origins: tuple[int, ...] | None = None
    """For values that are derived from others, the number of that other one for each."""


@dataclass(frozen=True, slots=True)
class TargetValues:
    """The evidence of one target in one run."""

    target: str
    parts: tuple[Part, ...] = ()
    absent: str | None = None
    """Why there are no parts."""

    @property
    def count(self) -> int:
        """The number of all values."""
        return sum(len(part.values or ()) for part in self.parts)

    @property
    def unavailable(self) -> str | None:
        """What nobody recorded, as a reason; None when everything is there."""
        missing = [part for part in self.parts if part.values is None]
        if not missing:
            return None
        if len(missing) == len(self.parts):
            return f"{UNAVAILABLE}: {self.target}"
        tasks = ", ".join(str(part.task) for part in missing)
        return f"{UNAVAILABLE}: {self.target} of task{'' if len(missing) == 1 else 's'} {tasks}"

    def on(self, host: str) -> TargetValues:
        """Only the tasks that ran on `host`. A task without a host may have run there: it counts as
        unavailable."""
        here = (part if part.host else replace(part, values=None) for part in self.parts)
        return replace(self, parts=tuple(part for part in here if part.host in (host, None, "")))


@dataclass(frozen=True, slots=True)
class Text:
    """One text that patterns are searched in."""

    text: str
    task: str | None = None
    value: int | None = None
    """Number of the value within its task, job or ticket, from 0; None where values were joined."""
    origin: int | None = None
    """For an invocation, the number of the executed command that it is a part of."""

    @property
    def place(self) -> str:
        """`task t1, value 3`; `value 0` of a job or gateway target; nothing where such values were joined. For an
        invocation `task t1, value 3 (of executed command 1)`."""
        parts = [f"task {self.task}"] if self.task is not None else []
        parts += [] if self.value is None else [f"value {self.value}"]
        return ", ".join(parts) + ("" if self.origin is None else f" (of executed command {self.origin})")


def task_name(task: Task, number: int) -> str:
    """What results call a task: its id, else its number in the record, from 1."""
    return task.id or str(number)


def read_target(target: str, record: RunRecord, semantics: Semantics) -> TargetValues:
    """The evidence of a target.

    Classic semantics differ in two targets: `task_plan` counts as empty, whatever was recorded, and
    `gateway_messages` has the last message too.
    """
    match TARGETS[target].scope:
        case "gateway":
            return _read_ticket(target, record, semantics)
        case "job":
            return TargetValues(
                target, (Part(record.job.resolution if target == "job_resolution" else record.job.plan),)
            )
        case "task":
            pass
    tasks = record.job.tasks
    if not tasks:
        return TargetValues(target, absent=f"{UNAVAILABLE}: tasks" if tasks is None else NO_TASKS)
    parts = tuple(
        Part(
            values=task.values.get(INVOCATIONS_ARE_OF if target == "invocations" else target),
            task=task_name(task, number),
            host=task.host,
            started_at=task.started_at,
        )
        for number, task in enumerate(tasks, 1)
    )
    if target == "invocations":
        parts = tuple(_invoked(part) for part in parts)
    elif semantics == "classic" and target == "task_plan":
        parts = tuple(replace(part, values=()) for part in parts)
    return TargetValues(target, parts)


def _invoked(part: Part) -> Part:
    """What the executed commands of a task really invoke, command after command."""
    if part.values is None:
        return part
    from ...compiler.shell import invocations  # loaded where a rule asks for them

    found = [(origin, value) for origin, text in enumerate(part.values) for value in invocations(text)]
    return replace(part, values=tuple(value for _, value in found), origins=tuple(origin for origin, _ in found))


def _read_ticket(target: str, record: RunRecord, semantics: Semantics) -> TargetValues:
    if record.ticket is None:
        return TargetValues(target, absent=NO_TICKET)
    messages = record.ticket.messages
    if messages is not None and target == "gateway_summary":
        messages = messages[-1:]
    elif messages is not None and semantics == "flat":
        messages = messages[:-1]
    return TargetValues(target, (Part(messages),))


def single_values(parts: Iterable[Part]) -> Iterator[Text]:
    """Every value by itself."""
    for part in parts:
        for number, value in enumerate(part.values or ()):
            yield Text(value, part.task, number, None if part.origins is None else part.origins[number])


def joined_values(parts: Iterable[Part]) -> Iterator[Text]:
    """The values of each part as one text; no values are the empty text, unavailable ones are no text."""
    for part in parts:
        if part.values is not None:
            yield Text("\n".join(part.values), part.task)


def by_start(parts: tuple[Part, ...]) -> list[Part]:
    """Tasks in the order of their starts, equal ones in record order; a task without a start keeps its
    place."""
    timed = [part for part in parts if part.started_at is not None]
    in_order = iter(sorted(timed, key=lambda part: part.started_at or _NO_TIME))
    return [part if part.started_at is None else next(in_order) for part in parts]
