"""Transcripts become run records."""

from __future__ import annotations

from datetime import UTC, datetime

from gatewright.runtime.evidence.record import Job, RunRecord, Task
from gatewright.runtime.importers.build import Given, record_of
from gatewright.runtime.importers.transcript import Action, Transcript

START = datetime(2026, 5, 1, 10, tzinfo=UTC)
END = datetime(2026, 5, 1, 11, tzinfo=UTC)


def record(transcript: Transcript, given: Given | None = None) -> RunRecord:
    return record_of(transcript, given or Given(), default_id="t.json", digest="sha256:00")


def test_a_transcript_is_one_job_with_one_task():
    made = record(
        Transcript(
            session="s-1",
            prompt="fix it",
            messages=["looking", "done"],
            actions=[
                Action("Bash", {"command": "ls"}, commands=("ls",)),
                Action(None, commands=("id",)),
                Action("Edit", {"path": "/a"}, updated=("/a",)),
                Action("mcp__db__query", {"q": 1}, mcp=True),
                Action("Write", '{"path": "/b"}', written=("/b",)),
            ],
            started_at=START,
            ended_at=END,
            outcome="completed",
        )
    )
    assert made == RunRecord(
        id="s-1",
        scenario=None,
        job=Job(
            status="completed",
            resolution=("done",),
            tasks=(
                Task(
                    started_at=START,
                    ended_at=END,
                    values={
                        "task_description": ("fix it",),
                        "task_summary": ("done",),
                        "agent_messages": ("looking", "done"),
                        "executed_commands": ("ls", "id"),
                        "write_file": ("/b",),
                        "update_file": ("/a",),
                        "tool_calls": (
                            'Bash {"command":"ls"}',
                            'Edit {"path":"/a"}',
                            'mcp__db__query {"q":1}',
                            'Write {"path":"/b"}',
                        ),
                        "use_mcp_tool": ('mcp__db__query {"q":1}',),
                    },
                ),
            ),
        ),
        digest="sha256:00",
    )


def test_what_a_transcript_does_not_show_is_unavailable():
    made = record(Transcript(messages=None, actions=None, ended_at=END))
    assert made == RunRecord("t.json", job=Job(tasks=(Task(),)), digest="sha256:00")


def test_nothing_said_and_nothing_done_is_empty_but_there_is_no_resolution():
    made = record(Transcript())
    assert made.job.resolution is None
    assert made.job.tasks is not None
    assert made.job.tasks[0].values == dict.fromkeys(
        ["agent_messages", "executed_commands", "write_file", "update_file", "tool_calls", "use_mcp_tool"], ()
    )


def test_a_transcript_without_an_end_has_no_end_time():
    made = record(Transcript(started_at=START, ended_at=END))
    assert made.job.tasks == (Task(started_at=START, values=made.job.tasks[0].values if made.job.tasks else {}),)


def test_what_the_user_says_comes_first():
    given = Given(scenario="nginx", host="web-01", job_status="failed", resolution_status="success")
    made = record(Transcript(outcome="completed"), given)
    assert (made.scenario, made.job.status, made.job.resolution_status) == ("nginx", "failed", "success")
    assert made.job.tasks is not None
    assert made.job.tasks[0].host == "web-01"
