"""ATIF trajectories."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding
from gatewright.runtime.importers import FORMATS, format_of
from gatewright.runtime.importers.transcript import Entry, Transcript, TranscriptFile

ATIF = FORMATS["atif"]


def trajectory(*steps: Any, **keys: Any) -> dict[str, Any]:
    return {"schema_version": "ATIF-v1.7", "session_id": "s-1", "agent": {"name": "a"}, "steps": list(steps), **keys}


def agent(message: Any = "", *calls: Any, **keys: Any) -> dict[str, Any]:
    return {"source": "agent", "message": message, **({"tool_calls": list(calls)} if calls else {}), **keys}


def call(name: Any, **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": "c", "function_name": name, "arguments": arguments}


def bash(command: str) -> dict[str, Any]:
    return call("bash", command=command)


def read(value: Any) -> tuple[Transcript, list[Finding]]:
    found: list[Finding] = []
    (made,) = ATIF.read(TranscriptFile("t.json", [Entry(value)]), found.append)
    return made, found


def commands(value: Any) -> list[str]:
    made, _ = read(value)
    return [text for action in made.actions or [] for text in action.commands]


def test_steps_become_messages_and_actions():
    made, found = read(
        trajectory(
            {"source": "system", "message": "You are…"},
            {"source": "user", "message": "fix it", "timestamp": "2026-05-01T10:00:00Z"},
            agent("looking", bash("ls"), call("finish"), reasoning_content="hm", timestamp="2026-05-01T10:01:00"),
            {"source": "user", "message": "and then?"},
            agent("done", timestamp="2026-05-01T10:02:00+00:00"),
        )
    )
    assert found == []
    assert (made.session, made.prompt, made.messages, made.outcome) == (
        "s-1",
        "fix it",
        ["looking", "done"],
        "completed",
    )
    assert [action.tool for action in made.actions or []] == ["bash", "finish"]
    assert (made.started_at, made.ended_at) == (
        datetime(2026, 5, 1, 10, tzinfo=UTC),
        datetime(2026, 5, 1, 10, 2, tzinfo=UTC),
    )


def test_a_message_of_parts_is_its_text_parts_on_lines():
    parts = [
        {"type": "text", "text": "a"},
        {"type": "image", "source": {"path": "p.png"}},
        {"type": "text", "text": "b"},
    ]
    made, _ = read(trajectory({"source": "user", "message": parts}, agent(parts)))
    assert (made.prompt, made.messages) == ("a\nb", ["a\nb"])


@pytest.mark.parametrize("calls", [None, [], "", 5, [None], [5]])
def test_odd_tool_calls_are_none(calls: Any):
    made, _ = read(trajectory({"source": "agent", "message": "x", "tool_calls": calls}))
    assert made.actions == []


def test_a_call_without_a_name_is_reported_and_skipped():
    made, found = read(trajectory(agent("x", {"arguments": {}}, bash("ls"))))
    assert [action.tool for action in made.actions or []] == ["bash"]
    assert [(f.code, str(f.severity), f.message) for f in found] == [
        ("GW701", "warning", "a tool call without function_name was skipped")
    ]


def test_observations_are_no_commands_and_no_messages():
    observation = {"results": [{"source_call_id": "c", "content": [{"type": "text", "text": "$ reboot"}]}]}
    made, _ = read(trajectory(agent("x", bash("ls"), observation=observation)))
    assert (made.messages, commands(trajectory(agent("x", bash("ls"), observation=observation)))) == (["x"], ["ls"])


@pytest.mark.parametrize(
    ("steps", "outcome"),
    [
        ([agent("done")], "completed"),
        ([agent("", call("mark_task_complete"))], "completed"),
        ([agent("done", call("finish", message="x"))], "completed"),
        ([agent("x", bash("ls"))], None),
        ([agent("")], None),
        ([agent("{broken", observation={"results": [{"content": "parsing errors"}]})], None),
        ([agent("done"), {"source": "user", "message": "go on"}], None),
        ([], None),
    ],
)
def test_the_last_step_shows_the_end(steps: list[Any], outcome: str | None):
    assert read(trajectory(*steps))[0].outcome == outcome


def test_a_trajectory_that_goes_on_in_another_file_has_no_end():
    assert read(trajectory(agent("done"), continued_trajectory_ref="t.cont-1.json"))[0].outcome is None


def test_a_step_copied_from_the_same_file_counts_once():
    value = trajectory(
        agent("a", bash("ls")),
        {"source": "system", "message": "summarized"},
        agent("a", bash("ls"), is_copied_context=True),
        agent("b", bash("id")),
    )
    assert (commands(value), read(value)[0].messages) == (["ls", "id"], ["a", "b"])


def test_a_step_copied_from_another_file_counts():
    value = trajectory(
        {"source": "user", "message": "fix it", "is_copied_context": True},
        agent("a", bash("reboot"), is_copied_context=True),
        agent("b", bash("id")),
    )
    assert (commands(value), read(value)[0].prompt) == (["reboot", "id"], "fix it")


def test_the_same_step_twice_is_two_steps_where_none_is_a_copy():
    assert commands(trajectory(agent("", bash("ls")), agent("", bash("ls")))) == ["ls", "ls"]


def test_what_subagents_do_counts_where_they_were_started_and_what_they_say_does_not():
    inner = {**trajectory(agent("inner", bash("reboot"))), "trajectory_id": "inner"}
    sub = {
        **trajectory(
            {"source": "user", "message": "subtask"},
            agent("copied", bash("first"), is_copied_context=True),
            agent("sub", bash("id")),
            subagent_trajectories=[inner],
        ),
        "trajectory_id": "sub",
    }
    lost = trajectory(agent("lost", bash("w")), session_id=None)
    reference = {"results": [{"subagent_trajectory_ref": [{"trajectory_id": "sub"}]}]}
    value = trajectory(
        agent("main", bash("first"), call("delegate"), observation=reference),
        agent("done", bash("last")),
        subagent_trajectories=[sub, lost, lost],
    )
    made, _ = read(value)
    assert commands(value) == ["first", "id", "reboot", "last", "w", "w"]
    assert (made.prompt, made.messages) == (None, ["main", "done"])


def test_the_id_may_be_the_trajectorys():
    assert read(trajectory(session_id=None, trajectory_id="t-9"))[0].session == "t-9"
    assert read(trajectory(session_id=None))[0].session is None


@pytest.mark.parametrize(
    ("value", "known"),
    [
        (trajectory(), True),
        ({"schema_version": "atif-v2.0", "steps": []}, True),
        ({"agent": {"name": "a"}, "steps": [{"source": "user", "message": "x"}]}, True),
        ({"agent": {"name": "a"}, "steps": [{"action": "x"}]}, False),
        ({"schema_version": "agentv.transcript.v1", "steps": []}, False),
        ({"schema_version": "ATIF-v1.7"}, False),
        ({"steps": [{"source": "user"}]}, False),
        ([], False),
        ("ATIF-v1", False),
    ],
)
def test_trajectories_are_recognised(value: Any, known: bool):
    assert (format_of([value]) is ATIF) is known


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["agent", "user", "bash"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "steps",
                    "source",
                    "message",
                    "tool_calls",
                    "function_name",
                    "arguments",
                    "observation",
                    "results",
                    "text",
                    "agent",
                    "subagent_trajectories",
                    "subagent_trajectory_ref",
                    "trajectory_id",
                    "is_copied_context",
                    "timestamp",
                    "command",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


@given(st.lists(ODD, max_size=4), ODD)
def test_any_steps_are_read(steps: list[Any], other: Any):
    made, _ = read(trajectory(*steps, subagent_trajectories=other))
    assert made.messages is not None


@given(ODD)
def test_any_value_is_looked_at(value: Any):
    ATIF.detect([value])
    list(ATIF.read(TranscriptFile("t.json", [Entry(value)]), lambda _: None))
