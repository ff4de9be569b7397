"""A run record, from JSON (`gatewright/run/1`) to `RunRecord`.

    source = Source("run-7.json", '{"job": {"tasks": [{"executed_commands": "ls"}]}}')
    record = read_record(source, report, default_id="run-7.json")
    record.job.tasks[0].values        # {"executed_commands": ("ls",)}

Null or absent is *unavailable*, `[]` is *empty*. A string stands for a list of one; `""` in place of a list
has no values, `[""]` has one. Null items are skipped and not counted, and a list of only nulls is
unavailable: the record knows that there was something, not what.

Every fault is reported (GW701) and reading goes on, so that one run of the program shows all of them; a
record with a fault is no record. Keys that nobody reads are GW702, except `$schema` and those that begin
with `x-`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from ...compiler.findings import GW115, GW701, GW702, Finding, Report, did_you_mean
from ...compiler.times import parse_time
from ...compiler.vocabulary import MAX_EXIT_CODE, MAX_INTEGER, OLD_STATUSES
from ...grammar.text import Source
from .json_values import JsonReader, NotJsonError, Places, as_list, as_object, kind_of, path_name, shown
from .record import (
    BUNDLE_SCHEMA,
    RUN_SCHEMA,
    HostAnswer,
    HostRecap,
    Job,
    PlaybookAnswer,
    PlaybookFailure,
    RunRecord,
    Task,
    Ticket,
    Values,
)

if TYPE_CHECKING:
    from datetime import datetime

    from ...compiler.json_text import JsonPath

Made = TypeVar("Made")

TASK_VALUES: dict[str, str] = {
    "description": "task_description",
    "summary": "task_summary",
    "plan": "task_plan",
    "executed_commands": "executed_commands",
    "write_file": "write_file",
    "update_file": "update_file",
    "use_mcp_tool": "use_mcp_tool",
    "tool_calls": "tool_calls",
    "agent_messages": "agent_messages",
    "operational_rules": "operational_rules",
}
"""The keys of a task that hold values, and the targets that these values belong to; in the order of
writing."""

RECORD_KEYS = ("schema", "id", "scenario", "job", "ticket", "host_answers", "playbooks")
JOB_KEYS = ("status", "resolution_status", "resolution", "plan", "tasks")
TASK_KEYS = ("id", "host", "turn", "started_at", "ended_at", *TASK_VALUES)
TICKET_KEYS = ("status", "messages")
HOST_ANSWER_KEYS = ("host", "run", "exit_code", "stdout", "stderr", "unreachable", "timed_out")
PLAYBOOK_KEYS = ("path", "exit_code", "problem", "fault", "warning", "output", "errors", "failures", "recap")
FAILURE_KEYS = ("host", "task", "message", "unreachable")
RECAP_KEYS = ("host", "ok", "changed", "unreachable", "failed", "skipped", "rescued", "ignored")

UNREACHABLE = "unreachable"
TIMED_OUT = "timed out"
"""The `problem` of a recorded host answer that has no exit status."""


def read_record(
    source: Source, report: Report, *, default_id: str, digest: str = "", reader: JsonReader | None = None
) -> RunRecord | None:
    """The record in a text, or None after at least one finding with severity error.

    `default_id` names the run where the record has no `id`; `digest` is that of the bytes (`sha256:…`).
    Readers of many texts hand in one `reader`, which saves making its decoder each time.
    """
    reader = reader or JsonReader()
    try:
        value = reader.read(source)
    except NotJsonError as error:
        report(error.finding)
        return None
    return record_from_value(value, source, report, default_id=default_id, digest=digest, reader=reader)


def record_from_value(
    value: object, source: Source, report: Report, *, default_id: str, digest: str, reader: JsonReader
) -> RunRecord | None:
    """Like `read_record`, for a value that `reader` has just read from `source`."""
    reading = RecordReader(source, report)
    for finding in reader.faults(source, value):
        reading.report(finding)
    record = reading.record(value, default_id, digest)
    return None if reading.failed else record


class RecordReader:
    """One record on its way, and everything else that is made of the parts of one. Methods take the path of the value
    in the text, the value, and return what is made of it; `failed` tells whether there was an error."""

    def __init__(self, source: Source, report: Report) -> None:
        self.failed = False
        self.places = Places(source)
        self._report = report

    # ---- faults ------------------------------------------------------------------------------------------
    def report(self, finding: Finding) -> None:
        self.failed = self.failed or finding.is_error
        self._report(finding)

    def bad(self, path: JsonPath, message: str, help_text: str | None = None) -> None:
        words = f"{path_name(path)} {message}" if path else f"a run record {message}"
        self.report(Finding(GW701, words, self.places.value(path), help=help_text))

    def wrong(self, path: JsonPath, expected: str, value: object) -> None:
        self.bad(path, f"must be {expected}, not {kind_of(value)}")

    def unknown_keys(self, path: JsonPath, found: dict[str, object], known: tuple[str, ...]) -> None:
        if found.keys() <= set(known):
            return
        for key in found:
            if key not in known and key != "$schema" and not key.startswith("x-"):
                where = f" in {path_name(path)}" if path else ""
                span = self.places.key((*path, key))
                help_text = did_you_mean(key, known) or f"known keys: {', '.join(known)}"
                self.report(Finding(GW702, f"unknown key “{shown(key)}”{where}", span, help=help_text))

    # ---- objects -----------------------------------------------------------------------------------------
    def record(self, value: object, default_id: str, digest: str, path: JsonPath = ()) -> RunRecord | None:
        found = as_object(value)
        if found is None:
            self.bad(path, f"is a JSON object, not {kind_of(value)}")
            return None
        schema = found.get("schema")
        if schema is not None and schema != RUN_SCHEMA:
            what = f"“{shown(schema)}”" if isinstance(schema, str) else kind_of(schema)
            help_text = "it is graded with --from-bundle" if schema == BUNDLE_SCHEMA else None
            self.bad((*path, "schema"), f"is {what}; this version reads “{RUN_SCHEMA}”", help_text)
            return None
        self.unknown_keys(path, found, RECORD_KEYS)
        job, ticket = found.get("job"), found.get("ticket")
        return RunRecord(
            id=self.word((*path, "id"), found.get("id")) or default_id,
            scenario=self.word((*path, "scenario"), found.get("scenario")),
            job=Job() if job is None else self.job((*path, "job"), job),
            ticket=None if ticket is None else self.ticket((*path, "ticket"), ticket),
            host_answers=self.items((*path, "host_answers"), found.get("host_answers"), self.host_answer) or (),
            playbooks=self.items((*path, "playbooks"), found.get("playbooks"), self.playbook) or (),
            digest=digest,
        )

    def job(self, path: JsonPath, value: object) -> Job:
        found = self.object(path, value, JOB_KEYS) or {}
        return Job(
            status=self.word((*path, "status"), found.get("status")),
            resolution_status=self.resolution_status((*path, "resolution_status"), found.get("resolution_status")),
            resolution=self.values((*path, "resolution"), found.get("resolution")),
            plan=self.values((*path, "plan"), found.get("plan")),
            tasks=self.items((*path, "tasks"), found.get("tasks"), self.task),
        )

    def resolution_status(self, path: JsonPath, value: object) -> str | None:
        """A status; an old one is told (GW115) and read as the word that replaced it, as in rules."""
        status = self.word(path, value)
        if status not in OLD_STATUSES:
            return status
        current = OLD_STATUSES[status]
        message = f"“{status}” is the old word for “{current}”"
        self.report(Finding(GW115, message, self.places.value(path), help=f"it is read as {current}"))
        return current

    def task(self, path: JsonPath, value: object) -> Task:
        found = self.object(path, value, TASK_KEYS) or {}
        values: dict[str, tuple[str, ...]] = {}
        for key, target in TASK_VALUES.items():
            if (raw := found.get(key)) is not None:
                made = self.values((*path, key), raw)
                if made is not None:
                    values[target] = made
        return Task(
            id=self.word((*path, "id"), found.get("id")),
            host=self.word((*path, "host"), found.get("host")),
            turn=self.integer((*path, "turn"), found.get("turn"), MAX_INTEGER),
            started_at=self.time((*path, "started_at"), found.get("started_at")),
            ended_at=self.time((*path, "ended_at"), found.get("ended_at")),
            values=values,
        )

    def ticket(self, path: JsonPath, value: object) -> Ticket:
        found = self.object(path, value, TICKET_KEYS) or {}
        return Ticket(
            status=self.word((*path, "status"), found.get("status")),
            messages=self.values((*path, "messages"), found.get("messages")),
        )

    def host_answer(self, path: JsonPath, value: object) -> HostAnswer:
        found = self.object(path, value, HOST_ANSWER_KEYS)
        if found is None:
            return HostAnswer(None, "")
        exit_code = self.integer((*path, "exit_code"), found.get("exit_code"), MAX_EXIT_CODE)
        unreachable = self.flag((*path, "unreachable"), found.get("unreachable"))
        timed_out = self.flag((*path, "timed_out"), found.get("timed_out"))
        given = [] if found.get("exit_code") is None else ["exit_code"]
        given += [name for name in ("unreachable", "timed_out") if found.get(name) not in (None, False)]
        if not given:
            self.bad(path, "says nothing of its end: exit_code, unreachable or timed_out")
        elif len(given) > 1:
            self.bad(path, f"says both {given[0]} and {given[1]}: a command has one end")
        return HostAnswer(
            host=self.word((*path, "host"), found.get("host")),
            run=self.required(path, "run", found),
            exit_code=exit_code,
            stdout=self.string((*path, "stdout"), found.get("stdout")) or "",
            stderr=self.string((*path, "stderr"), found.get("stderr")) or "",
            problem=UNREACHABLE if unreachable else TIMED_OUT if timed_out else None,
            unreachable=unreachable,
        )

    def playbook(self, path: JsonPath, value: object) -> PlaybookAnswer:
        found = self.object(path, value, PLAYBOOK_KEYS)
        if found is None:
            return PlaybookAnswer("")
        exit_code = self.integer((*path, "exit_code"), found.get("exit_code"), MAX_EXIT_CODE)
        problem = self.word((*path, "problem"), found.get("problem"))
        if found.get("exit_code") is None and found.get("problem") in (None, ""):
            self.bad(path, "has neither exit_code nor problem")
        elif exit_code is not None and problem is not None:
            self.bad(path, "says both exit_code and problem: a playbook has one end")
        return PlaybookAnswer(
            path=self.required(path, "path", found),
            exit_code=exit_code,
            problem=problem,
            output=self.string((*path, "output"), found.get("output")) or "",
            errors=self.string((*path, "errors"), found.get("errors")) or "",
            fault=self.word((*path, "fault"), found.get("fault")),
            warning=self.word((*path, "warning"), found.get("warning")),
            failures=self.items((*path, "failures"), found.get("failures"), self.playbook_failure) or (),
            recap=self.items((*path, "recap"), found.get("recap"), self.host_recap) or (),
        )

    def playbook_failure(self, path: JsonPath, value: object) -> PlaybookFailure:
        found = self.object(path, value, FAILURE_KEYS) or {}
        return PlaybookFailure(
            host=self.required(path, "host", found),
            task=self.string((*path, "task"), found.get("task")) or "",
            message=self.string((*path, "message"), found.get("message")) or "",
            unreachable=self.flag((*path, "unreachable"), found.get("unreachable")),
        )

    def host_recap(self, path: JsonPath, value: object) -> HostRecap:
        found = self.object(path, value, RECAP_KEYS) or {}
        counts = {key: self.integer((*path, key), found.get(key), MAX_INTEGER) or 0 for key in RECAP_KEYS[1:]}
        return HostRecap(self.required(path, "host", found), **counts)

    # ---- parts -------------------------------------------------------------------------------------------
    def object(self, path: JsonPath, value: object, known: tuple[str, ...]) -> dict[str, object] | None:
        found = as_object(value)
        if found is None:
            self.wrong(path, "an object", value)
        else:
            self.unknown_keys(path, found, known)
        return found

    def items(self, path: JsonPath, value: object, make: Callable[[JsonPath, object], Made]) -> tuple[Made, ...] | None:
        """The items of a list, nulls left out; None for null and for a list of only nulls."""
        if value is None:
            return None
        found = as_list(value)
        if found is None:
            self.wrong(path, "a list", value)
            return None
        made = tuple([make((*path, index), item) for index, item in enumerate(found) if item is not None])
        return None if found and not made else made

    def values(self, path: JsonPath, value: object) -> Values:
        if value is None:
            return None
        if isinstance(value, str):
            return (value,) if value else ()
        found = as_list(value)
        if found is None:
            self.wrong(path, "a list of strings, or a string", value)
            return None
        if set(map(type, found)) == {str}:  # nearly always, and many times faster than the loop
            return tuple(cast("list[str]", found))
        texts: list[str] = []
        for index, item in enumerate(found):
            if isinstance(item, str):
                texts.append(item)
            elif item is not None:
                self.wrong((*path, index), "a string", item)
        return None if found and not texts else tuple(texts)

    def string(self, path: JsonPath, value: object) -> str | None:
        if value is None or isinstance(value, str):
            return value
        self.wrong(path, "a string", value)
        return None

    def word(self, path: JsonPath, value: object) -> str | None:
        """A name or a status; the empty string names nothing and counts as absent."""
        return self.string(path, value) or None

    def required(self, path: JsonPath, key: str, found: dict[str, object]) -> str:
        text = self.word((*path, key), found.get(key))
        if found.get(key) in (None, ""):
            self.bad(path, f"has no {key}")
        return text or ""

    def flag(self, path: JsonPath, value: object) -> bool:
        if value is None or isinstance(value, bool):
            return value or False
        self.wrong(path, "true or false", value)
        return False

    def integer(self, path: JsonPath, value: object, largest: int) -> int | None:
        """An integer from 0 to `largest`; `1.0` is 1."""
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= largest:
            return value
        bounds = "a whole number from 0 to " + ("2^53" if largest == MAX_INTEGER else str(largest))
        if isinstance(value, int) and not isinstance(value, bool):
            shown = str(value) if abs(value) <= MAX_INTEGER else "a number beyond 2^53"
            self.bad(path, f"must be {bounds}, not {shown}")
        elif isinstance(value, float):
            shown = f"{value:g}" if math.isfinite(value) else "a number beyond 2^53"
            self.bad(path, f"must be {bounds}, not {shown}")
        else:
            self.wrong(path, bounds, value)
        return None

    def time(self, path: JsonPath, value: object) -> datetime | None:
        if value is None:
            return None
        if not isinstance(value, str):
            self.wrong(path, "a time", value)
            return None
        moment = parse_time(value)
        if moment is None:
            help_text = "times are RFC 3339, like 2026-05-01T10:00:00Z"
            self.bad(path, f"is no time: “{shown(value)}”", help_text)
        return moment
