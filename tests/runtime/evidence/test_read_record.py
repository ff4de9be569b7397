"""Run records, from JSON to `RunRecord`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding, Severity
from gatewright.compiler.vocabulary import TARGETS
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.json_values import LineSource
from gatewright.runtime.evidence.read_record import TASK_VALUES, read_record
from gatewright.runtime.evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task, Ticket

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["job", "tasks", "ticket", "host_answers", "run", "exit_code", "turn", "plan", "schema"])
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


def read(text: str, source: Source | None = None) -> tuple[RunRecord | None, list[Finding]]:
    found: list[Finding] = []
    return read_record(source or Source("run.json", text), found.append, default_id="run.json"), found


def accepted(value: Any) -> RunRecord:
    record, found = read(json.dumps(value))
    assert found == []
    assert record is not None
    return record


def faults(value: Any) -> list[str]:
    record, found = read(value if isinstance(value, str) else json.dumps(value))
    assert record is None
    assert all(finding.code == "GW701" and finding.severity is Severity.ERROR for finding in found)
    return [finding.message for finding in found]


def one_task(**keys: Any) -> dict[str, Any]:
    return {"job": {"tasks": [keys]}}


# ---- what is read ------------------------------------------------------------------------------------------
def test_a_full_record_is_read_field_by_field():
    record = accepted(
        {
            "schema": "gatewright/run/1",
            "id": "run-7",
            "scenario": "nginx",
            "job": {
                "status": "completed",
                "resolution_status": "success",
                "resolution": "fixed",
                "plan": None,
                "tasks": [
                    {
                        "id": "t1",
                        "host": "web-01",
                        "turn": 1,
                        "started_at": "2026-05-01T10:00:00Z",
                        "ended_at": "2026-05-01T10:05:00",
                        "summary": ["done"],
                        "executed_commands": ["ls", "id"],
                        "write_file": [],
                    }
                ],
            },
            "ticket": {"status": "resolved", "messages": ["a", "b"]},
            "host_answers": [
                {"host": "web-01", "run": "ls", "exit_code": 0, "stdout": "x\n", "stderr": None},
                {"host": "web-02", "run": "ls", "unreachable": True},
                {"run": "ls", "timed_out": True, "unreachable": False},
            ],
            "playbooks": [{"path": "validate.yml", "exit_code": 2}],
        }
    )
    assert record == RunRecord(
        id="run-7",
        scenario="nginx",
        job=Job(
            status="completed",
            resolution_status="success",
            resolution=("fixed",),
            plan=None,
            tasks=(
                Task(
                    id="t1",
                    host="web-01",
                    turn=1,
                    started_at=datetime(2026, 5, 1, 10, tzinfo=UTC),
                    ended_at=datetime(2026, 5, 1, 10, 5, tzinfo=UTC),
                    values={"task_summary": ("done",), "executed_commands": ("ls", "id"), "write_file": ()},
                ),
            ),
        ),
        ticket=Ticket("resolved", ("a", "b")),
        host_answers=(
            HostAnswer("web-01", "ls", 0, "x\n", ""),
            HostAnswer("web-02", "ls", problem="unreachable", unreachable=True),
            HostAnswer(None, "ls", problem="timed out"),
        ),
        playbooks=(PlaybookAnswer("validate.yml", 2),),
    )


def test_every_task_target_but_the_derived_one_has_a_key():
    targets = {name for name, target in TARGETS.items() if target.scope == "task"}
    assert set(TASK_VALUES.values()) == targets - {"invocations"}


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        (None, None),
        ([], ()),
        ("ls", ("ls",)),
        ("", ()),
        ([""], ("",)),
        (["a", None, "b"], ("a", "b")),
        ([None], None),
        ([None, None], None),
        ([None, ""], ("",)),
        (["\x1b[31m3 failed\x1b[39m", " x \n"], ("\x1b[31m3 failed\x1b[39m", " x \n")),
    ],
)
def test_null_is_unavailable_and_a_list_is_what_it_holds(raw: Any, values: tuple[str, ...] | None):
    for key, target in TASK_VALUES.items():
        assert accepted(one_task(**{key: raw})).job.tasks == (Task(values={} if values is None else {target: values}),)
    record = accepted({"job": {"resolution": raw, "plan": raw}, "ticket": {"messages": raw}})
    assert record.job == Job(resolution=values, plan=values)
    assert record.ticket == Ticket(messages=values)


def test_null_tasks_are_skipped_and_a_list_of_only_nulls_is_unavailable():
    assert accepted({"job": {"tasks": [None, {}]}}).job.tasks == (Task(),)
    assert accepted({"job": {"tasks": [None]}}).job.tasks is None
    assert accepted({"job": {"tasks": None}}).job.tasks is None
    assert accepted({"job": {"tasks": []}}).job.tasks == ()


@pytest.mark.parametrize("empty", [{}, {"job": None, "ticket": None, "host_answers": None, "playbooks": None}])
def test_a_record_that_says_nothing_is_a_record_without_evidence(empty: dict[str, None]):
    assert accepted(empty) == RunRecord(id="run.json", job=Job(), ticket=None)


def test_a_ticket_that_says_nothing_is_a_ticket():
    assert accepted({"ticket": {}}).ticket == Ticket()


def test_an_empty_name_or_status_is_no_name():
    record = accepted({"id": "", "scenario": "", "job": {"status": "", "tasks": [{"host": "", "id": ""}]}})
    assert record == RunRecord(id="run.json", job=Job(tasks=(Task(),)))


def test_a_lone_surrogate_is_kept():
    record, found = read('{"job": {"resolution": "a\\ud800b"}}')
    assert found == []
    assert record is not None
    assert record.job.resolution == ("a\ud800b",)


def test_whole_floats_are_whole_numbers():
    record = accepted({**one_task(turn=2.0), "host_answers": [{"run": "x", "exit_code": 1e0}]})
    assert record.job.tasks == (Task(turn=2),)
    assert record.host_answers[0].exit_code == 1


# ---- what is refused ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ([], ["a run record is a JSON object, not a list"]),
        ("null", ["a run record is a JSON object, not null"]),
        ({"schema": "gatewright/run/2"}, ["schema is “gatewright/run/2”; this version reads “gatewright/run/1”"]),
        ({"schema": 1, "job": 5}, ["schema is a number; this version reads “gatewright/run/1”"]),
        ({"id": 7}, ["id must be a string, not a number"]),
        ({"job": []}, ["job must be an object, not a list"]),
        ({"job": {"tasks": {}}}, ["job.tasks must be a list, not an object"]),
        ({"job": {"tasks": [{}, "ls"]}}, ["job.tasks[1] must be an object, not a string"]),
        ({"job": {"plan": 5}}, ["job.plan must be a list of strings, or a string, not a number"]),
        (
            {"job": {"tasks": [{}, {}, {"executed_commands": [5, "ls", ["x"]]}]}},
            [
                "job.tasks[2].executed_commands[0] must be a string, not a number",
                "job.tasks[2].executed_commands[2] must be a string, not a list",
            ],
        ),
        (one_task(turn=-1), ["job.tasks[0].turn must be a whole number from 0 to 2^53, not -1"]),
        (one_task(turn=1.5), ["job.tasks[0].turn must be a whole number from 0 to 2^53, not 1.5"]),
        (one_task(turn=True), ["job.tasks[0].turn must be a whole number from 0 to 2^53, not true"]),
        (one_task(turn="1"), ["job.tasks[0].turn must be a whole number from 0 to 2^53, not a string"]),
        (
            one_task(turn=2**53 + 1),
            ["job.tasks[0].turn must be a whole number from 0 to 2^53, not a number beyond 2^53"],
        ),
        (one_task(started_at="yesterday"), ["job.tasks[0].started_at is no time: “yesterday”"]),
        (one_task(ended_at=1700000000), ["job.tasks[0].ended_at must be a time, not a number"]),
        (
            {"host_answers": [{"run": "x", "exit_code": 256}]},
            ["host_answers[0].exit_code must be a whole number from 0 to 255, not 256"],
        ),
        ({"host_answers": [{"exit_code": 0}]}, ["host_answers[0] has no run"]),
        ({"host_answers": [{"run": 5, "exit_code": 0}]}, ["host_answers[0].run must be a string, not a number"]),
        (
            {"host_answers": [{"run": "x"}]},
            ["host_answers[0] says nothing of its end: exit_code, unreachable or timed_out"],
        ),
        (
            {"host_answers": [{"run": "x", "exit_code": 0, "timed_out": True}]},
            ["host_answers[0] says both exit_code and timed_out: a command has one end"],
        ),
        (
            {"host_answers": [{"run": "x", "unreachable": "yes"}]},
            ["host_answers[0].unreachable must be true or false, not a string"],
        ),
        ({"playbooks": [{"path": "v.yml"}]}, ["playbooks[0] has neither exit_code nor problem"]),
        (
            {"playbooks": [{"path": "v.yml", "exit_code": 0, "problem": "timed out"}]},
            ["playbooks[0] says both exit_code and problem: a playbook has one end"],
        ),
        (
            {
                "playbooks": [
                    {"path": "v.yml", "exit_code": 2, "failures": [{"task": 1}], "recap": [{"host": "a", "ok": -1}]}
                ]
            },
            [
                "playbooks[0].failures[0] has no host",
                "playbooks[0].failures[0].task must be a string, not a number",
                "playbooks[0].recap[0].ok must be a whole number from 0 to 2^53, not -1",
            ],
        ),
        ({"playbooks": [5]}, ["playbooks[0] must be an object, not a number"]),
    ],
)
def test_what_is_wrong_is_named_with_its_path(value: Any, messages: list[str]):
    assert faults(value) == messages


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            '{"job": {"plan": NaN}}',
            [
                "job.plan is NaN or Infinity, which JSON does not have",
                "job.plan must be a list of strings, or a string, not a number",
            ],
        ),
        ('{"x-note": {"a": [1, -Infinity]}}', ["x-note.a[1] is NaN or Infinity, which JSON does not have"]),
        ('{"id": ' + "1" * 5000 + "}", ["id must be a string, not a number"]),
        (
            '{"job": {"tasks": [{"turn": ' + "1" * 5000 + "}]}}",
            ["job.tasks[0].turn must be a whole number from 0 to 2^53, not a number beyond 2^53"],
        ),
        (
            '{"job": {"tasks": [{"turn": 1e999}]}}',
            ["job.tasks[0].turn must be a whole number from 0 to 2^53, not a number beyond 2^53"],
        ),
        ('{"x-deep": ' + "[" * 256 + "]" * 256 + "}", ["nested deeper than 256 levels"]),
        ('{"x-deep": ' + "[" * 100_000, ["nested deeper than 256 levels"]),
        ('{"job": {}, "job": {}}', ["job is given twice; the later one would win silently"]),
        ('{"job": {"plan": ["a', ['not JSON: found the end of the file in a string, expected “"”']),
        ('{"job": {"plan": []},}', ["not JSON: JSON has no trailing commas"]),
        ("", ["not JSON: expected a value, found nothing: the file is empty"]),
    ],
)
def test_texts_that_are_no_evidence_are_refused(text: str, messages: list[str]):
    assert faults(text) == messages


def test_brackets_inside_strings_are_no_nesting():
    assert accepted({"job": {"plan": "[" * 1000, "resolution": '\\"[' * 1000}}).job.plan == ("[" * 1000,)


def test_exactly_256_levels_are_read():
    for beside in ("", '"x-a": [[], []], '):
        record, found = read("{" + beside + '"x-deep": ' + "[" * 255 + "]" * 255 + "}")
        assert (record is not None, found) == (True, [])


def test_a_fault_is_placed_at_the_value():
    text = '{\n  "job": {"tasks": [\n    {"executed_commands": ["ls", 5]}\n  ]}\n}'
    _, found = read(text)
    assert [(f.span.line, f.span.column, f.span.text) for f in found if f.span] == [(3, 34, "5")]


def test_a_fault_in_a_line_of_an_archive_is_placed_in_the_archive():
    source = LineSource("runs.jsonl", '{"id": 5}', first_line=40)
    _, found = read("", source)
    assert [(f.span.file, f.span.line, f.span.column) for f in found if f.span] == [("runs.jsonl", 40, 8)]
    assert source.line_text(40) == '{"id": 5}'


def test_reading_goes_on_after_a_fault():
    assert faults({"id": 5, "scenario": 6, "ticket": 7}) == [
        "id must be a string, not a number",
        "scenario must be a string, not a number",
        "ticket must be an object, not a number",
    ]


# ---- unknown keys ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "message", "help_text"),
    [
        ({"scenrio": "x"}, "unknown key “scenrio”", "did you mean “scenario”?"),
        (one_task(commands=[]), "unknown key “commands” in job.tasks[0]", "did you mean “executed_commands”?"),
        (one_task(task_summary=""), "unknown key “task_summary” in job.tasks[0]", "did you mean “summary”?"),
        ({"ticket": {"zzz": 1}}, "unknown key “zzz” in ticket", "known keys: status, messages"),
        (
            {"job": {"\ud800\x1b": 1}},
            "unknown key “\\ud800\\u001b” in job",
            "known keys: status, resolution_status, resolution, plan, tasks",
        ),
    ],
)
def test_an_unknown_key_is_a_warning(value: Any, message: str, help_text: str):
    record, found = read(json.dumps(value))
    assert record is not None
    assert [(f.code, f.severity, f.message, f.help) for f in found] == [("GW702", Severity.WARNING, message, help_text)]


def test_keys_for_others_are_no_matter():
    record, found = read('{"$schema": "…", "x-team": 1, "job": {"x-a": 1, "tasks": [{"x-b": 1, "$schema": 1}]}}')
    assert (record is not None, found) == (True, [])


# ---- whatever comes ----------------------------------------------------------------------------------------
@given(JSON)
def test_any_json_gives_a_record_or_says_why_not(value: Any):
    record, found = read(json.dumps(value))
    assert (record is None) == any(finding.is_error for finding in found)
    for finding in found:
        assert finding.span is not None
        assert finding.span.line >= 1


@given(st.text() | st.text(alphabet='{}[]",:\\\n 1eE.-nulNaI', max_size=30))
def test_any_text_gives_a_record_or_says_why_not(text: str):
    record, found = read(text)
    assert (record is None) == any(finding.is_error for finding in found)
