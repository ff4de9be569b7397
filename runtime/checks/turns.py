"""`turns`: the first turns of the job ran on the listed hosts, in that order (flat page, 0.19).

"A turn is the tasks that a job starts together. The job starts the next turn when all of them end." A record
that numbers the turn of every task is taken at its word; otherwise the turns are found from starts and ends.
Every failure says which turn and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ...compiler.ir import Turn, Turns
from ..evidence.record import Task
from ..result import Outcome, no_evidence, passed_if
from .gathered import Gathered
from .target_values import NO_TASKS, UNAVAILABLE, task_name

Named = tuple[str, Task]
"""A task and what results call it."""


def evaluate(check: Turns, _rule: int, gathered: Gathered) -> Outcome:
    tasks = gathered.record.job.tasks
    if tasks is None:
        return no_evidence(f"{UNAVAILABLE}: tasks")
    if not tasks:
        return no_evidence(NO_TASKS)
    turns = turns_of([(task_name(task, number), task) for number, task in enumerate(tasks, 1)])
    if isinstance(turns, str):
        return no_evidence(f"turn 1: {turns}")
    for number, wanted in enumerate(check.turns, 1):
        if number > len(turns):
            had = f"{len(turns)} turn{'' if len(turns) == 1 else 's'}"
            return passed_if(False, f"turn {number}: there is none, the job had {had}")
        turn = turns[number - 1]
        missing = next(_missing_evidence(turn), None)
        if missing is not None:
            return no_evidence(f"turn {number}: {missing}")
        fault = next(_faults(turn, wanted), None)
        if fault is not None:
            return passed_if(False, f"turn {number}: {fault}")
    listed = len(check.turns)
    said = f"the first {listed} turns ran as listed" if listed > 1 else "turn 1 ran as listed"
    return passed_if(True, said)


def turns_of(tasks: list[Named]) -> list[list[Named]] | str:
    """The tasks by turn, or why they cannot be told apart.

    By number where every task has one: the numbers order the turns, gaps do not matter. Else by time: a task
    that starts at or after the end of every task of a turn opens the next one; a task without an end never
    lets its turn end.
    """
    numbers = sorted({task.turn for _, task in tasks if task.turn is not None})
    if all(task.turn is not None for _, task in tasks):
        return [[named for named in tasks if named[1].turn == number] for number in numbers]
    started: list[tuple[datetime, Named]] = []
    for name, task in tasks:
        if task.started_at is None:
            return f"task {name} has neither turn nor start, so its turn is not known"
        started.append((task.started_at, (name, task)))
    turns: list[list[Named]] = []
    for start, named in sorted(started, key=lambda pair: pair[0]):
        if not turns or all(_ended_by(task, start) for _, task in turns[-1]):
            turns.append([])
        turns[-1].append(named)
    return turns


def _ended_by(task: Task, moment: datetime) -> bool:
    return task.ended_at is not None and task.ended_at <= moment


def _missing_evidence(turn: list[Named]) -> Iterator[str]:
    """What a turn cannot be judged without: the host, the start and the end of each of its tasks."""
    for name, task in turn:
        for word, value in (("host", task.host), ("start", task.started_at), ("end", task.ended_at)):
            if value is None:
                yield f"task {name} has no {word}"


def _faults(turn: list[Named], wanted: Turn) -> Iterator[str]:
    by_host: dict[str, list[str]] = {}
    for name, task in turn:
        by_host.setdefault(task.host or "", []).append(name)
    for host, names in by_host.items():
        if len(names) > 1:
            yield f"{host} has {len(names)} tasks ({', '.join(names)})"
    for host in wanted.hosts:
        if host not in by_host:
            yield f"no task on {host} (it ran on {', '.join(by_host)})"
    if wanted.at_least is None:
        for host, names in by_host.items():
            if host not in wanted.hosts:
                yield f"task {names[0]} ran on {host}, which is not listed"
    elif len(by_host) < wanted.at_least:
        had = f"{len(by_host)} host{'' if len(by_host) == 1 else 's'}"
        yield f"ran on {had}, at least {wanted.at_least} wanted"
    starts = [(task.started_at, name) for name, task in turn if task.started_at is not None]
    ends = [(task.ended_at, name) for name, task in turn if task.ended_at is not None]
    (last_start, late), (first_end, early) = max(starts), min(ends)
    if len(turn) > 1 and last_start >= first_end:
        yield f"task {late} started when task {early} had ended, so they did not run at the same time"
