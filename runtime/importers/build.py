"""A transcript becomes a run record: one job with one task.

    record = record_of(transcript, Given(host="web-01"), default_id="session.jsonl", digest="sha256:…")

What the transcript does not say is unavailable, and so are `resolution_status`, `ticket` and the host
unless the user gives them: a transcript shows what an agent did, not whether that was a success.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..evidence.record import Job, RunRecord, Task
from .tools import parsed
from .transcript import Action, Transcript


@dataclass(frozen=True, slots=True)
class Given:
    """What the user says of all the transcripts of a call; None leaves it to the transcript."""

    scenario: str | None = None
    host: str | None = None
    job_status: str | None = None
    resolution_status: str | None = None


def record_of(transcript: Transcript, given: Given, *, default_id: str, digest: str) -> RunRecord:
    """The run record of a transcript. `default_id` is for one whose session has no id."""
    last = transcript.messages[-1:] if transcript.messages else None
    resolution = None if last is None else tuple(last)
    values: dict[str, tuple[str, ...]] = {}
    if transcript.prompt is not None:
        values["task_description"] = (transcript.prompt,) if transcript.prompt else ()
    if resolution is not None:
        values["task_summary"] = resolution
    if transcript.messages is not None:
        values["agent_messages"] = tuple(transcript.messages)
    if (actions := transcript.actions) is not None:
        calls = [(action, call_text(action)) for action in actions if action.tool is not None]
        values["executed_commands"] = tuple(text for action in actions for text in action.commands)
        values["write_file"] = tuple(path for action in actions for path in action.written)
        values["update_file"] = tuple(path for action in actions for path in action.updated)
        values["tool_calls"] = tuple(text for _, text in calls)
        values["use_mcp_tool"] = tuple(text for action, text in calls if action.mcp)
    task = Task(
        host=given.host,
        started_at=transcript.started_at,
        ended_at=transcript.ended_at if transcript.outcome is not None else None,
        values=values,
    )
    job = Job(
        status=given.job_status or transcript.outcome,
        resolution_status=given.resolution_status,
        resolution=resolution,
        tasks=(task,),
    )
    return RunRecord(id=transcript.session or default_id, scenario=given.scenario, job=job, digest=digest)


def call_text(action: Action) -> str:
    """The value of a tool call: `name {"key":"value"}`.

    The arguments are JSON without blanks, keys in the order recorded, non-ASCII as it is; a string that
    holds JSON is read first, other text stays a JSON string; no arguments are `{}`.
    """
    arguments = json.dumps(parsed(action.arguments), ensure_ascii=False, separators=(",", ":"))
    return f"{action.tool} {arguments}"
