"""What holds for run records of all kinds: written and read back they are equal; schema and reader agree."""

from __future__ import annotations

import itertools
import json
from datetime import UTC
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding
from gatewright.grammar.text import Source
from gatewright.runtime.evidence import read_record as reader
from gatewright.runtime.evidence.read_record import TASK_VALUES, read_record
from gatewright.runtime.evidence.record import (
    HostAnswer,
    HostRecap,
    Job,
    PlaybookAnswer,
    PlaybookFailure,
    RunRecord,
    Task,
    Ticket,
)
from gatewright.runtime.evidence.schema import run_schema
from gatewright.runtime.evidence.write_record import record_text, record_to_json

# Without lone surrogates: two of them side by side would become one character.
TEXT = st.text(max_size=8)
WORD = st.none() | st.text(min_size=1, max_size=8)
VALUES = st.none() | st.lists(TEXT, max_size=3).map(tuple)
TIME = st.none() | st.datetimes(timezones=st.just(UTC))


def _answer(host: str | None, run: str, end: int | str, out: str) -> HostAnswer:
    if isinstance(end, int):
        return HostAnswer(host, run, end, out, "")
    return HostAnswer(host, run, None, "", out, problem=end, unreachable=end == "unreachable")


def _playbook(
    path: str,
    end: int | str,
    text: str,
    word: str | None,
    failures: tuple[PlaybookFailure, ...],
    recap: tuple[HostRecap, ...],
) -> PlaybookAnswer:
    code, problem = (end, None) if isinstance(end, int) else (None, end)
    return PlaybookAnswer(path, code, problem, text, text[::-1], word, word, failures, recap)


NAME = st.text(min_size=1, max_size=8)
COUNT = st.integers(0, 2**53)
FAILURES = st.lists(st.builds(PlaybookFailure, NAME, TEXT, TEXT, st.booleans()), max_size=2).map(tuple)
RECAPS = st.lists(st.builds(HostRecap, NAME, COUNT, COUNT, COUNT, COUNT), max_size=2).map(tuple)
TASKS = st.builds(
    Task,
    id=WORD,
    host=WORD,
    turn=st.none() | st.integers(0, 2**53),
    started_at=TIME,
    ended_at=TIME,
    values=st.dictionaries(st.sampled_from(list(TASK_VALUES.values())), st.lists(TEXT, max_size=3).map(tuple)),
)
RECORDS = st.builds(
    RunRecord,
    id=st.text(min_size=1, max_size=8),
    scenario=WORD,
    job=st.builds(
        Job,
        status=WORD,
        resolution_status=WORD,
        resolution=VALUES,
        plan=VALUES,
        tasks=st.none() | st.lists(TASKS, max_size=2).map(tuple),
    ),
    ticket=st.none() | st.builds(Ticket, status=WORD, messages=VALUES),
    host_answers=st.lists(
        st.builds(
            _answer,
            WORD,
            st.text(min_size=1, max_size=8),
            st.integers(0, 255) | st.sampled_from(["unreachable", "timed out"]),
            TEXT,
        ),
        max_size=2,
    ).map(tuple),
    playbooks=st.lists(
        st.builds(_playbook, NAME, st.integers(0, 255) | NAME, TEXT, WORD, FAILURES, RECAPS),
        max_size=2,
    ).map(tuple),
)


def _object(**keys: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={**keys, "x-other": ANY, "unheard_of": ANY})


ANY = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        1.0,
        1.5,
        -1,
        255,
        256,
        2**53,
        2**53 + 1,
        1e300,
        "",
        "x",
        [],
        [None],
        ["x", None],
        [1],
        {},
    ]
)
RAW_VALUES = st.none() | st.text(max_size=3) | st.lists(st.none() | st.text(max_size=3), max_size=3) | ANY
RAW_WORD = st.none() | st.text(max_size=3) | ANY
RAW_TIME = ANY | st.sampled_from(
    ["2026-05-01T10:00:00Z", "2026-05-01 10:00:00.5", "2026-05-01T09:59:60+02:00", "2026-05-01", "2026-13-01T10:00:00"]
)
RAW_TASK = _object(
    id=RAW_WORD,
    host=RAW_WORD,
    turn=ANY,
    started_at=RAW_TIME,
    ended_at=RAW_TIME,
    **dict.fromkeys(TASK_VALUES, RAW_VALUES),
)
RAW_ANSWER = st.fixed_dictionaries(
    {"run": st.just("ls")},
    optional={"exit_code": ANY, "unreachable": ANY, "timed_out": ANY, "host": RAW_WORD, "stdout": RAW_WORD},
)
RAW_PLAYBOOK = _object(
    path=st.just("v.yml"),
    exit_code=ANY,
    problem=RAW_WORD,
    fault=RAW_WORD,
    output=RAW_WORD,
    failures=ANY | st.lists(ANY | _object(host=RAW_WORD, task=RAW_WORD, unreachable=ANY), max_size=2),
    recap=ANY | st.lists(ANY | _object(host=RAW_WORD, ok=ANY, failed=ANY), max_size=2),
)
RAW_RECORDS = _object(
    schema=st.sampled_from(["gatewright/run/1", "gatewright/run/2", None, 1]),
    id=RAW_WORD,
    scenario=RAW_WORD,
    job=ANY
    | _object(
        status=RAW_WORD,
        resolution=RAW_VALUES,
        plan=RAW_VALUES,
        tasks=ANY | st.lists(RAW_TASK | ANY, max_size=2),
    ),
    ticket=ANY | _object(status=RAW_WORD, messages=RAW_VALUES),
    host_answers=ANY | st.lists(RAW_ANSWER | ANY, max_size=2),
    playbooks=ANY | st.lists(RAW_PLAYBOOK | ANY, max_size=2),
)


VALIDATOR = jsonschema.Draft202012Validator(run_schema())


def read(text: str) -> tuple[RunRecord | None, list[Finding]]:
    found: list[Finding] = []
    return read_record(Source("run.json", text), found.append, default_id="run.json"), found


# ---- writing -----------------------------------------------------------------------------------------------
@given(RECORDS, st.sampled_from([None, 2]))
def test_a_record_that_is_written_is_read_back_equal(record: RunRecord, indent: int | None):
    text = record_text(record, indent)
    assert read(text) == (record, [])
    assert indent is not None or "\n" not in text
    VALIDATOR.validate(json.loads(text))


def test_a_lone_surrogate_is_written_as_an_escape_and_read_back():
    record = RunRecord("a", job=Job(resolution=("é\udc00😀",)))
    text = record_text(record)
    assert "é\\udc00😀" in text
    assert text.encode().decode() == text
    assert read(text) == (record, [])


def test_every_key_is_written_and_prose_is_a_string():
    task = Task(values={"task_description": ("do it",), "task_plan": ("",), "task_summary": ("ok",)})
    made = record_to_json(RunRecord("run-7", job=Job(resolution=("ok",), tasks=(task,)), digest="sha256:00"))
    assert made == {
        "schema": "gatewright/run/1",
        "id": "run-7",
        "scenario": None,
        "job": {
            "status": None,
            "resolution_status": None,
            "resolution": "ok",
            "plan": None,
            "tasks": [
                {
                    "id": None,
                    "host": None,
                    "turn": None,
                    "started_at": None,
                    "ended_at": None,
                    "description": "do it",
                    "summary": ["ok"],
                    "plan": [""],
                    "executed_commands": None,
                    "write_file": None,
                    "update_file": None,
                    "use_mcp_tool": None,
                    "tool_calls": None,
                    "agent_messages": None,
                    "operational_rules": None,
                }
            ],
        },
        "ticket": None,
        "host_answers": [],
        "playbooks": [],
    }


def test_what_the_format_cannot_say_is_not_written():
    record = RunRecord("a", host_answers=(HostAnswer("h", "x", problem="killed by SIGKILL"),))
    message = "a run record cannot say that a command ended like this: killed by SIGKILL"
    with pytest.raises(ValueError, match=f"^{message}$"):
        record_to_json(record)


def test_a_playbook_without_an_exit_status_has_a_problem():
    record = RunRecord("a", playbooks=(PlaybookAnswer("v.yml", problem="no ansible-playbook"), PlaybookAnswer("w.yml")))
    assert record_to_json(record)["playbooks"] == [
        {"path": "v.yml", "problem": "no ansible-playbook"},
        {"path": "w.yml", "problem": "ended without an exit status"},
    ]


# ---- the schema --------------------------------------------------------------------------------------------
def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(run_schema())


@settings(max_examples=400)
@given(RAW_RECORDS)
def test_schema_and_reader_accept_the_same(value: dict[str, Any]):
    record, found = read(json.dumps(value))
    assert VALIDATOR.is_valid(value) == (record is not None), [finding.message for finding in found]


ENDS = (None, True, False, 0, 1.0, 255, 256, "x")


@pytest.mark.parametrize("exit_code", ENDS)
def test_schema_and_reader_agree_on_how_a_command_ends(exit_code: Any):
    for unreachable, timed_out in itertools.product(ENDS, ENDS):
        answer = {"run": "ls", "exit_code": exit_code, "unreachable": unreachable, "timed_out": timed_out}
        for left_out in (set(), {"exit_code"}, {"unreachable"}, {"timed_out"}):
            value = {"host_answers": [{key: answer[key] for key in answer.keys() - left_out}]}
            record, found = read(json.dumps(value))
            assert VALIDATOR.is_valid(value) == (record is not None), (value, found)


def described(schema: Any, path: str = "") -> list[str]:
    """Paths of the properties without a description of their own or of what they refer to."""
    missing: list[str] = []
    for key, value in schema.get("properties", {}).items():
        if not {"description", "$ref", "anyOf"} & value.keys():
            missing.append(f"{path}.{key}")
    for name, value in schema.get("$defs", {}).items():
        missing += described(value, name) + ([] if "description" in value else [name])
    return missing


def test_every_field_is_described():
    assert described(run_schema()) == []


def test_the_schema_lists_the_keys_that_the_reader_knows():
    schema = run_schema()
    for place, keys in {
        "": reader.RECORD_KEYS,
        "job": reader.JOB_KEYS,
        "task": reader.TASK_KEYS,
        "ticket": reader.TICKET_KEYS,
        "host_answer": reader.HOST_ANSWER_KEYS,
        "playbook": reader.PLAYBOOK_KEYS,
    }.items():
        part: Any = schema["$defs"][place] if place else schema  # type: ignore[index]
        assert set(part["properties"]) == set(keys)


def test_the_schema_is_a_new_copy_each_time():
    mine: Any = run_schema()
    mine["$defs"]["job"]["properties"].clear()
    assert run_schema() != mine
