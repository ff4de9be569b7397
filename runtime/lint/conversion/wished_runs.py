"""Runs in which some rules pass and others fail, as far as such a run can be made up.

    next(wished_runs(scene, [(restarted, True), (read_the_log, False)]))
    # {"job": {"status": "completed", "tasks": [{"executed_commands": ["systemctl restart nginx"]}]}}

A proposal only: what the rules come to on it is asked of the grader. Wishes about required rules come first; one about
an optional rule is let go where both cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from ....compiler.ecmascript import Pattern
from ....compiler.ir import Ansible, JobResolutionStatus, PatternMatch, Rule, TaskCount, TicketStatus
from ....compiler.languages import examples, find
from ....compiler.vocabulary import RESOLUTION_STATUSES, TARGETS
from ...evidence.record import Job, PlaybookAnswer, RunRecord, Task, Ticket
from ..scene import Scene
from .line_wise import STEPS

Wish = tuple[Rule, bool]
"""A rule, and whether it shall pass."""

_MOST_TASKS = 6
"""Runs of more tasks show nothing to a reader."""
_MOST_EXAMPLES = 4
_LAST_MESSAGE = "Done."


def wished_runs(scene: Scene, wishes: Sequence[Wish]) -> Iterator[RunRecord]:
    """All values in one task first, then a task for each value."""
    texts = _Texts(scene, wishes)
    targets = {rule.check.where: None for rule, _ in wishes if isinstance(rule.check, PatternMatch)}
    values: dict[str, tuple[str, ...]] = {}
    for where in targets:
        found = texts.of(where)
        if found is None:
            return
        values[where] = found
    count = _task_count(wishes)
    if count is None:
        return
    of_tasks = {where: found for where, found in values.items() if TARGETS[where].scope == "task"}
    is_read = bool(of_tasks) or any(isinstance(rule.check, TaskCount) for rule, _ in wishes)
    layouts = [_in_one_task(of_tasks, count) if is_read else None]
    if max(map(len, of_tasks.values()), default=0) > 1:
        most = max(map(len, of_tasks.values()))
        layouts.append(_in_tasks_of_their_own(of_tasks, most if _suits(wishes, most) else count))
    for tasks in layouts:
        yield RunRecord(
            id="",
            job=Job(
                status="completed",
                resolution_status=_resolution_status(wishes),
                resolution=values.get("job_resolution"),
                plan=values.get("job_plan"),
                tasks=tasks,
            ),
            ticket=_ticket(wishes, values),
            playbooks=tuple(
                PlaybookAnswer(rule.check.path, exit_code=0 if passes != rule.negate else 2)
                for rule, passes in wishes
                if isinstance(rule.check, Ansible)
            ),
        )


# ---- values ----------------------------------------------------------------------------------------------------------


class _Texts:
    """Values for the targets of rules: what must match does, and nothing of what must not."""

    def __init__(self, scene: Scene, wishes: Sequence[Wish]) -> None:
        self.scene = scene
        wished = {id(rule): passes for rule, passes in wishes}
        self.wanted: dict[str, list[Pattern]] = {}
        self.banned: dict[str, list[Pattern]] = {}
        self.unwelcome: dict[str, list[Pattern]] = {}
        for use in scene.patterns:
            if id(use.rule) not in wished:
                continue
            if wished[id(use.rule)] != use.rule.negate:
                table = self.wanted
            else:
                table = self.banned if use.rule.required else self.unwelcome
            table.setdefault(use.where, []).append(use.tree)

    def of(self, where: str) -> tuple[str, ...] | None:
        """The values of a target; None where none are known."""
        wanted = self.wanted.get(where, [])
        if not wanted:
            return ()
        if TARGETS[where].scope == "task":
            found: list[str] = []
            for pattern in wanted:
                if any(self._matches(pattern, value) for value in found):
                    continue
                value = self._value(where, [pattern])
                if value is None:
                    return None
                found.append(value)
            return tuple(found)
        value = self._value(where, wanted)
        return None if value is None else (value,)

    def _value(self, where: str, wanted: list[Pattern]) -> str | None:
        """A value that all of `wanted` match, and nothing that is banned."""
        unwanted = self.banned.get(where, [])
        value = self._without(wanted, unwanted)
        # Of what need not be avoided, as much is avoided as can be.
        for pattern in self.unwelcome.get(where, []) if value is not None else ():
            better = self._without(wanted, [*unwanted, pattern])
            if better is not None:
                unwanted, value = [*unwanted, pattern], better
        return value

    def _without(self, wanted: list[Pattern], unwanted: list[Pattern]) -> str | None:
        for value in examples(wanted[0], _MOST_EXAMPLES):
            if all(self._matches(each, value) for each in wanted[1:]) and not any(
                self._matches(each, value) for each in unwanted
            ):
                return value
        value = find(wanted, unwanted, STEPS)
        return value if isinstance(value, str) else None

    def _matches(self, pattern: Pattern, value: str) -> bool:
        return self.scene.matches(pattern.source, value) is True


def _in_one_task(values: dict[str, tuple[str, ...]], count: int) -> tuple[Task, ...]:
    nothing = Task(values=dict.fromkeys(values, ()))
    return (Task(values=values), *[nothing] * (count - 1)) if count else ()


def _in_tasks_of_their_own(values: dict[str, tuple[str, ...]], count: int) -> tuple[Task, ...]:
    """The first value of every target in the first task, and so on."""
    return tuple(
        Task(values={where: found[number : number + 1] for where, found in values.items()}) for number in range(count)
    )


# ---- everything else -------------------------------------------------------------------------------------------------


def _task_count(wishes: Sequence[Wish]) -> int | None:
    """How many tasks suit the rules that count them: one if possible, else as few as can be."""
    return _best((1, 0, *range(2, _MOST_TASKS + 1)), wishes, _counts)


def _suits(wishes: Sequence[Wish], count: int) -> bool:
    return count <= _MOST_TASKS and _best((count,), wishes, _counts) is not None


def _counts(rule: Rule, count: int) -> bool | None:
    if not isinstance(rule.check, TaskCount):
        return None
    least, most = rule.check.min, rule.check.max
    return (least is None or least <= count) and (most is None or count <= most)


def _resolution_status(wishes: Sequence[Wish]) -> str | None:
    def holds(rule: Rule, status: str) -> bool | None:
        return status in rule.check.statuses if isinstance(rule.check, JobResolutionStatus) else None

    is_asked = any(isinstance(rule.check, JobResolutionStatus) for rule, _ in wishes)
    return _best(RESOLUTION_STATUSES, wishes, holds) if is_asked else None


def _ticket(wishes: Sequence[Wish], values: dict[str, tuple[str, ...]]) -> Ticket | None:
    if not any(rule.check.group == "gateway" for rule, _ in wishes):
        return None
    messages = (*values.get("gateway_messages", ()), *(values.get("gateway_summary", ()) or (_LAST_MESSAGE,)))
    return Ticket(status=_ticket_status(wishes), messages=messages)


def _ticket_status(wishes: Sequence[Wish]) -> str | None:
    def holds(rule: Rule, status: str) -> bool | None:
        check = rule.check
        return status.casefold() == check.status.casefold() if isinstance(check, TicketStatus) else None

    named = [rule.check.status for rule, _ in wishes if isinstance(rule.check, TicketStatus)]
    return _best((*named, "open", "closed"), wishes, holds) if named else None


Known = TypeVar("Known", int, str)


def _best(
    candidates: Iterable[Known], wishes: Sequence[Wish], holds: Callable[[Rule, Known], bool | None]
) -> Known | None:
    """The first candidate that suits all required rules and as many others as can be; None where none suits those.

    `holds` says whether the check of a rule holds of it, before `negate`; None where it asks for something else.
    """
    best, most = None, -1
    for candidate in candidates:
        kept = [
            (rule.required, held == (passes != rule.negate))
            for rule, passes in wishes
            if (held := holds(rule, candidate)) is not None
        ]
        others = sum(is_kept for required, is_kept in kept if not required)
        if others > most and all(is_kept for required, is_kept in kept if required):
            best, most = candidate, others
    return best
