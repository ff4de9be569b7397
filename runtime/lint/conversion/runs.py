"""Runs made up to be graded both ways, as grouped rules grade them and as flat ones do."""

from __future__ import annotations

from typing import cast

from ....compiler.ir import RuleSet
from ....compiler.ir_to_plan import ir_to_plan
from ....compiler.json_output import json_text
from ....compiler.vocabulary import TARGETS
from ...evidence.record import Job, RunRecord, Task, Ticket
from ...evidence.write_record import record_to_json
from ...grade import grade
from ...matching import Matcher
from ...result import Result

_BESIDE = ("host_answers", "playbooks")
"""Lists of a record that say nothing where they are empty."""


class BothForms:
    """A set of rules under both semantics, ready to grade runs."""

    def __init__(self, rules: RuleSet, matcher: Matcher) -> None:
        self.matcher = matcher
        self.classic = ir_to_plan(rules.model_copy(update={"semantics": "classic"}))
        self.flat = ir_to_plan(rules.model_copy(update={"semantics": "flat"}))

    def grade(self, record: RunRecord) -> tuple[Result, Result]:
        """What a run comes to as grouped and as flat."""
        return grade(self.classic, record, None, self.matcher), grade(self.flat, record, None, self.matcher)


def run_with(where: str, values: tuple[str, ...]) -> RunRecord:
    """The smallest completed run in which the target `where` has these values."""
    match TARGETS[where].scope:
        case "gateway":
            return completed(ticket=Ticket(messages=values))
        case "job":
            is_resolution = where == "job_resolution"
            job = Job(
                status="completed",
                resolution=values if is_resolution else None,
                plan=None if is_resolution else values,
            )
            return RunRecord(id="", job=job)
        case "task":
            return completed(tasks=(Task(values={where: values}),))


def completed(tasks: tuple[Task, ...] | None = None, ticket: Ticket | None = None) -> RunRecord:
    return RunRecord(id="", job=Job(status="completed", tasks=tasks), ticket=ticket)


def run_text(record: RunRecord) -> str:
    """The record as JSON on one line, with nothing in it that is not known; it is named after its file."""
    made = {
        key: value for key, value in record_to_json(record).items() if key != "id" and (value or key not in _BESIDE)
    }
    return json_text(_known(made)).removesuffix("\n")


def _known(value: object) -> object:
    match value:
        case dict():
            members = cast("dict[str, object]", value).items()
            return {key: _known(member) for key, member in members if member is not None}
        case list():
            return [_known(item) for item in cast("list[object]", value)]
        case _:
            return value
