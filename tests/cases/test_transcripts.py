"""EV: what a transcript shows and what it does not, for the formats that are read now (Claude Code and ATIF).

The other formats of the handed runs come with their own adapters; their files are named here and skipped.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLI = Callable[..., Any]

SHARED = Path(__file__).parents[3] / "shared" / "cases"
READ_NOW = ("atif", "claude_code")
RUNS = [
    pytest.param(
        path,
        id=path.name,
        marks=() if path.name.startswith(READ_NOW) else pytest.mark.skip(f"{path.name}: its format is not read yet"),
    )
    for path in sorted((SHARED / "runs").glob("*"))
    if not path.name.endswith(".expected.json")
] or [pytest.param(None, marks=pytest.mark.skip(f"the handed cases are not here: {SHARED}"))]


def imported(gatewright: CLI, path: Path) -> dict[str, Any]:
    called = gatewright("import", path)
    assert called.code == 0, called.stderr
    return json.loads(called.stdout)


@pytest.mark.parametrize("path", RUNS)
def test_handed_run_gives_the_values_that_were_counted_by_hand(gatewright: CLI, path: Path) -> None:
    """EV-06, EV-07"""
    expected = json.loads(path.with_name(f"{path.name}.expected.json").read_text("utf-8"))
    (task,) = imported(gatewright, path)["job"]["tasks"]
    assert task["executed_commands"] == expected["executed_commands"]
    assert len(task["agent_messages"]) == expected["agent_messages_count"]
    assert task["agent_messages"][-1].startswith(expected["agent_messages_last"])
    assert (task["write_file"], task["update_file"]) == (expected["write_file"], expected["update_file"])
    assert [value.split(" ")[0] for value in task["tool_calls"]] == expected["tool_calls"]


def claude(*records: dict[str, Any]) -> str:
    return "".join(json.dumps({"sessionId": "s", **record}) + "\n" for record in records)


def said(role: str, *content: dict[str, Any], message: str) -> dict[str, Any]:
    return {"type": role, "message": {"id": message, "role": role, "content": list(content)}}


def test_thinking_and_system_records_of_a_session_are_no_messages(tmp_path: Path, gatewright: CLI) -> None:
    """EV-06"""
    session = claude(
        {"type": "queue-operation", "operation": "enqueue"},
        {"type": "user", "message": {"role": "user", "content": "fix it"}},
        {"type": "attachment", "attachment": {"type": "note"}},
        said("assistant", {"type": "thinking", "thinking": "Let me see"}, message="m1"),
        said("assistant", {"type": "text", "text": "Looking."}, message="m1"),
        said(
            "assistant", {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls -l"}}, message="m1"
        ),
        {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a"}]},
        },
        {"type": "ai-title", "title": "A title"},
        said("assistant", {"type": "text", "text": "Done."}, message="m2"),
        {"type": "last-prompt", "prompt": "fix it"},
    )
    path = tmp_path / "session.jsonl"
    path.write_text(session, "utf-8")
    record = imported(gatewright, path)
    (task,) = record["job"]["tasks"]
    assert task["executed_commands"] == ["ls -l"]
    assert task["agent_messages"] == ["Looking.", "Done."]
    assert task["tool_calls"] == ['Bash {"command":"ls -l"}']
    assert record["job"]["resolution"] == "Done."
    assert record["job"]["status"] == "completed"


def atif(*steps: dict[str, Any]) -> str:
    agent = {"name": "terminus-2", "version": "2"}
    return json.dumps({"schema_version": "ATIF-v1.5", "session_id": "s", "agent": agent, "steps": list(steps)})


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": "c", "function_name": name, "arguments": arguments}


def test_keystrokes_keep_their_newline_and_a_tool_without_a_command_is_a_call_only(
    tmp_path: Path, gatewright: CLI
) -> None:
    """EV-07: values are as recorded (SPEC section 7), so `^mkdir test_dir$` does not match keystrokes."""
    path = tmp_path / "trajectory.json"
    path.write_text(
        atif(
            {"step_id": 1, "source": "user", "message": "make it"},
            {
                "step_id": 2,
                "source": "agent",
                "message": "not JSON",
                "observation": {"results": [{"content": "no JSON"}]},
            },
            {
                "step_id": 3,
                "source": "agent",
                "message": "a",
                "tool_calls": [call("bash_command", keystrokes="mkdir test_dir\n")],
            },
            {"step_id": 4, "source": "agent", "message": "b", "tool_calls": [call("mark_task_complete")]},
        ),
        "utf-8",
    )
    (task,) = imported(gatewright, path)["job"]["tasks"]
    assert task["executed_commands"] == ["mkdir test_dir\n"]
    assert task["tool_calls"] == ['bash_command {"keystrokes":"mkdir test_dir\\n"}', "mark_task_complete {}"]
    assert task["agent_messages"] == ["not JSON", "a", "b"]
    rules = tmp_path / "rules.gate"
    rules.write_text(
        'require "anchored": executed_commands never matches `^mkdir test_dir$`\n'
        'require "with its newline": executed_commands matches `^mkdir test_dir\\n$`\n',
        "utf-8",
    )
    assert gatewright("grade", rules, "--run", path).code == 0
