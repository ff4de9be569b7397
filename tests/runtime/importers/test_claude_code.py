"""Claude Code sessions and streams."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.importers import FORMATS, format_of
from gatewright.runtime.importers.transcript import Entry, Transcript, TranscriptFile

CLAUDE = FORMATS["claude-code"]


def user(content: Any, **keys: Any) -> dict[str, Any]:
    return {"type": "user", "sessionId": "c-1", "message": {"role": "user", "content": content}, **keys}


def answer(name: str | None, *blocks: Any, stop: str | None = None, **keys: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": list(blocks), "stop_reason": stop, **({"id": name} if name else {})}
    return {"type": "assistant", "sessionId": "c-1", "message": message, **keys}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(key: str | None, command: str, tool: str = "Bash") -> dict[str, Any]:
    return {"type": "tool_use", "name": tool, "input": {"command": command}, **({"id": key} if key else {})}


def outcome_of(key: str, **block: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": key, "content": "$ reboot", **block}


def read(*records: Any) -> Transcript:
    (made,) = CLAUDE.read(TranscriptFile("s.jsonl", [Entry(record, 1) for record in records]), lambda _: None)
    return made


def commands(*records: Any) -> list[str]:
    return [text for action in read(*records).actions or [] for text in action.commands]


def test_a_session_becomes_messages_and_actions():
    made = read(
        {"type": "queue-operation", "operation": "enqueue", "content": "queued", "sessionId": "c-1"},
        {"type": "summary", "summary": "…"},
        user("fix it", timestamp="2026-05-01T10:00:00.000Z"),
        {"type": "attachment", "attachment": {"type": "text", "text": "a file"}},
        answer("m1", {"type": "thinking", "thinking": "hm"}, stop="tool_use"),
        answer("m1", text("Looking."), stop="tool_use"),
        answer("m1", call("t1", "ls"), stop="tool_use"),
        answer("m1", call("t2", "id"), stop="tool_use"),
        user([outcome_of("t1")]),
        user([outcome_of("t2")]),
        {"type": "system", "subtype": "turn_duration"},
        answer("m2", text("Done."), stop="end_turn", timestamp="2026-05-01T10:05:00.000Z"),
        {"type": "last-prompt", "lastPrompt": "fix it"},
    )
    assert (made.session, made.prompt, made.messages, made.outcome) == (
        "c-1",
        "fix it",
        ["Looking.", "Done."],
        "completed",
    )
    assert [action.commands for action in made.actions or []] == [("ls",), ("id",)]
    assert (made.started_at, made.ended_at) == (
        datetime(2026, 5, 1, 10, tzinfo=UTC),
        datetime(2026, 5, 1, 10, 5, tzinfo=UTC),
    )


def test_a_stream_becomes_messages_and_actions():
    made = read(
        {"type": "system", "subtype": "init", "session_id": "c-2", "tools": ["Bash"]},
        {"type": "stream_event", "event": {"type": "content_block_delta"}},
        answer("m1", text("Looking."), call("t1", "ls"), session_id="c-2", sessionId=None),
        user([outcome_of("t1")], tool_use_result={"stdout": "$ reboot"}),
        {"type": "system", "subtype": "task_started"},
        answer("m2", text("Done.")),
        {"type": "result", "subtype": "success", "is_error": False, "num_turns": 2, "result": "Done."},
    )
    assert (made.session, made.prompt, made.messages, made.outcome) == ("c-2", None, ["Looking.", "Done."], "completed")
    assert [action.commands for action in made.actions or []] == [("ls",)]


def test_a_list_in_one_value_is_a_session():
    records = [user("fix it"), answer("m1", text("ok"))]
    assert format_of([records]) is CLAUDE
    assert read(records).messages == ["ok"]


# ---- nothing counts twice ----------------------------------------------------------------------------------
def test_repeated_records_count_once():
    records = [
        answer("m1", text("a"), uuid="u1"),
        answer("m1", call("t1", "ls"), uuid="u2"),
        answer("m1", text("a"), call("t1", "ls"), uuid="u3"),
        answer("m1", text("a"), call("t1", "ls"), call("t2", "ls"), text("b"), uuid="u4"),
        answer("m1", text("a"), uuid="u1"),
    ]
    assert (read(*records).messages, commands(*records)) == (["a", "b"], ["ls", "ls"])


def test_a_message_that_grows_counts_once_as_it_was_at_last():
    records = [
        answer("m1", text("Look")),
        answer("m1", text("Looking")),
        answer("m1", text("Looking."), call("t1", "ls")),
    ]
    assert read(*records).messages == ["Looking."]


def test_a_call_whose_arguments_come_later_has_them():
    empty = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}
    assert commands(answer("m1", empty), answer("m1", call("t1", "ls")), answer("m1", empty)) == ["ls"]


def test_the_same_record_without_a_message_id_counts_once_by_its_uuid():
    record = answer(None, text("a"), uuid="u1")
    assert read(record, record, answer(None, text("a"), uuid="u2"), answer(None, text("a"))).messages == ["a", "a", "a"]


def test_the_same_words_and_commands_in_two_messages_are_two():
    records = [answer("m1", text("ok"), call("t1", "ls")), answer("m2", text("ok"), call("t2", "ls"))]
    assert (read(*records).messages, commands(*records)) == (["ok", "ok"], ["ls", "ls"])


def test_calls_without_ids_all_count():
    assert commands(answer("m1", call(None, "ls"), call(None, "ls")), answer("m1", call(None, "id"))) == [
        "ls",
        "ls",
        "id",
    ]


# ---- what is no evidence -----------------------------------------------------------------------------------
def test_what_claude_code_says_itself_is_no_message_of_the_agent():
    synthetic = answer("m2", text("No response requested."))
    synthetic["message"]["model"] = "<synthetic>"
    error = answer("m3", text("API Error: 529"), isApiErrorMessage=True)
    assert read(user("a"), answer("m1", text("ok")), synthetic, error).messages == ["ok"]


@pytest.mark.parametrize("mark", [{"isSidechain": True}, {"parent_tool_use_id": "t1"}])
def test_what_a_subagent_does_counts_and_what_it_says_does_not(mark: dict[str, Any]):
    records = [
        user("subtask", **mark),
        user("fix it"),
        answer("m1", call("t1", "", tool="Task")),
        answer("m2", text("sub"), call("t2", "reboot"), **mark),
        user([outcome_of("t2")], **mark),
        answer("m4", text("sub done"), stop="end_turn", **mark),
    ]
    made = read(*records)
    assert (made.prompt, made.messages, made.outcome) == ("fix it", [], None)
    assert commands(*records) == ["reboot"]


def test_a_subagents_own_file_is_a_run():
    mark = {"isSidechain": True}
    made = read(user("subtask", **mark), answer("m1", text("sub done"), stop="end_turn", **mark))
    assert (made.prompt, made.messages, made.outcome) == ("subtask", ["sub done"], "completed")


@pytest.mark.parametrize(
    "first",
    [
        user("Caveat: …", isMeta=True),
        user("This session is being continued…", isCompactSummary=True),
        user("<command-name>/clear</command-name>"),
        user("<local-command-stdout>x</local-command-stdout>"),
        user("<bash-input>reboot</bash-input>"),
        user([outcome_of("t0"), text("beside a result")]),
        user(""),
        user(None),
    ],
)
def test_the_description_is_the_first_thing_the_user_said(first: dict[str, Any]):
    made = read(first, user([text("fix"), text("it")]), user("later"))
    assert made.prompt == "fix\nit"


def test_refused_calls_are_calls_that_did_nothing():
    records = [
        answer("m1", call("t1", "reboot"), call("t2", "ls"), call("t3", "halt")),
        user([outcome_of("t1", is_error=True)], toolUseResult="User rejected tool use"),
        user([outcome_of("t2", is_error=True)], toolUseResult="Error: User rejected tool use"),
        {"type": "result", "subtype": "success", "permission_denials": [{"tool_name": "Bash", "tool_use_id": "t3"}]},
    ]
    assert commands(*records) == ["ls"]
    assert [action.tool for action in read(*records).actions or []] == ["Bash"] * 3


# ---- the end -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("records", "outcome"),
    [
        ([answer("m1", text("ok"))], "completed"),
        ([answer("m1", text("ok"), stop="end_turn"), {"type": "last-prompt"}], "completed"),
        ([answer("m1", text("ok"), stop="tool_use")], None),
        ([answer("m1", text("ok")), answer("m1", call("t1", "ls"))], None),
        ([answer("m1", call("t1", "ls")), answer("m1", text("ok"))], None),
        ([answer("m1", {"type": "thinking", "thinking": "hm"})], None),
        ([answer("m1", text("ok")), user("go on")], None),
        ([answer("m1", call("t1", "ls")), user([outcome_of("t1")])], None),
        ([answer("m1", text("ok")), user([text("[Request interrupted by user for tool use]")])], "failed"),
        ([user("[Request interrupted by user]"), user("go on"), answer("m1", text("ok"))], "completed"),
        ([answer("m1", text("API Error"), isApiErrorMessage=True)], "failed"),
        ([answer("m1", text("API Error"), isApiErrorMessage=True), answer("m2", text("ok"))], "completed"),
        ([user("a"), answer("m1", text("x"), is_api_error_message=True, parent_tool_use_id="t")], None),
        ([answer("m1", text("ok")), {"type": "result", "subtype": "error_max_turns"}], "failed"),
        ([answer("m1", text("ok")), {"type": "result", "subtype": "success", "is_error": True}], "failed"),
        ([answer("m1", call("t1", "ls")), {"type": "result", "subtype": "success"}], "completed"),
        ([{"type": "result", "subtype": "success"}, user("more")], None),
    ],
)
def test_the_last_record_shows_the_end(records: list[Any], outcome: str | None):
    assert read(*records).outcome == outcome


# ---- detection ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "known"),
    [
        ([user("x")], True),
        ([{"type": "summary"}, answer("m1", text("x"))], True),
        ([{"type": "system", "subtype": "init", "session_id": "s"}], True),
        ([{"type": "summary"}], False),
        ([{"type": "result", "subtype": "success", "result": "x"}], False),
        ([{"type": "user", "content": "x"}], False),
        ([{"type": "user", "message": "x"}], False),
        ([{"type": "assistant.message", "data": {"content": "x"}}], False),
        ([answer(None, text("x")), {"type": "tool_call", "subtype": "started"}], False),
        (["x", None, 5, []], False),
    ],
)
def test_sessions_are_recognised(values: list[Any], known: bool):
    assert (format_of(values) is CLAUDE) is known


def test_a_result_alone_says_nothing_of_what_was_done_and_is_no_transcript():
    file = TranscriptFile("r.json", [Entry({"type": "result", "subtype": "success", "result": "x"})])
    assert list(CLAUDE.read(file, lambda _: None)) == []


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["Bash", "text", "tool_use"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "message",
                    "content",
                    "id",
                    "uuid",
                    "name",
                    "input",
                    "text",
                    "tool_use_id",
                    "timestamp",
                    "isMeta",
                    "model",
                    "stop_reason",
                    "command",
                    "permission_denials",
                    "toolUseResult",
                    "parent_tool_use_id",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(
    st.lists(
        st.builds(
            lambda kind, message, rest: {**rest, "type": kind, "message": message},
            st.sampled_from(["assistant", "user", "result", "system"]),
            st.builds(lambda content, rest: {"content": content} | rest, st.lists(ODD, max_size=3), st.just({})) | ODD,
            st.dictionaries(
                st.sampled_from(["uuid", "toolUseResult", "permission_denials", "timestamp"]), ODD, max_size=2
            ),
        )
        | ODD,
        max_size=5,
    )
)
def test_any_records_are_read(records: list[Any]):
    CLAUDE.detect(records)
    for made in CLAUDE.read(TranscriptFile("s.jsonl", [Entry(record, 1) for record in records]), lambda _: None):
        assert all(isinstance(message, str) for message in made.messages or [])
