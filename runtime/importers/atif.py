"""ATIF: the trajectories of the Harbor framework (Agent Trajectory Interchange Format, versions 1.0 to 1.7).

    {"schema_version": "ATIF-v1.5", "session_id": "…", "agent": {…}, "steps": [ {"step_id": 1, "source":
    "user", "message": "…"}, {"step_id": 2, "source": "agent", "message": "…", "tool_calls":
    [{"function_name": "bash_command", …}]}]}

One JSON object is one run. A message is the text of an agent's step (`reasoning_content` is thinking and
left out); a list of parts gives its text parts, joined with newlines. Tools are those of whatever agent
wrote the file: see `tools.py`, which keeps values as recorded, the newline that ends keystrokes included.

Steps copied from an earlier trajectory (`is_copied_context`, 1.5) count unless the file also holds what
they were copied from. What subagents did (`subagent_trajectories`, 1.7) was done in this run and counts
where the step that started them stands; what they said is not the agent's message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Literal

from ...compiler.findings import Report
from ...compiler.times import parse_time
from ..evidence.json_values import as_list, as_object, as_text
from .tools import STOP_TOOLS, action_of
from .transcript import Action, Format, Transcript, TranscriptFile

_Object = dict[str, object]


def detect(values: Sequence[object]) -> bool:
    """An object whose `schema_version` begins with `ATIF-`, or that has an agent and steps with sources."""
    found = as_object(values[0]) if values else None
    if found is None or as_list(found.get("steps")) is None:
        return False
    version = found.get("schema_version")
    if isinstance(version, str):
        return version.upper().startswith("ATIF-")
    return as_object(found.get("agent")) is not None and any("source" in step for step in _steps(found))


def read(file: TranscriptFile, report: Report) -> Iterable[Transcript]:
    for entry in file.entries:
        found = as_object(entry.value)
        if found is not None and as_list(found.get("steps")) is not None:
            yield _transcript(found, entry.line, file, report)


def _transcript(found: _Object, line: int, file: TranscriptFile, report: Report) -> Transcript:
    transcript = Transcript(session=as_text(found.get("session_id")), line=line)
    transcript.session = transcript.session or as_text(found.get("trajectory_id"))
    steps = _without_repeats(_steps(found))
    transcript.prompt = next(
        (text for step in steps if step.get("source") == "user" and (text := _text(step.get("message")))), None
    )
    subagents = _subagents(found)
    messages: list[str] = []
    actions: list[Action] = []
    for step in steps:
        if step.get("source") == "agent":
            if text := _text(step.get("message")):
                messages.append(text)
            actions += _calls(step, file, report)
        for name in _references(step):
            actions += _subagent_calls(subagents.pop(name, {}), file, report)
    for subagent in subagents.values():
        actions += _subagent_calls(subagent, file, report)
    transcript.messages, transcript.actions = messages, actions
    times = [moment for step in steps if (moment := _time(step)) is not None]
    if times:
        transcript.started_at, transcript.ended_at = min(times), max(times)
    transcript.outcome = _outcome(found, steps)
    return transcript


def _outcome(found: _Object, steps: list[_Object]) -> Literal["completed"] | None:
    """ATIF has no record of an end: the last step shows it, unless another file goes on."""
    if not steps or found.get("continued_trajectory_ref") is not None:
        return None
    last = steps[-1]
    calls = [as_object(call) or {} for call in as_list(last.get("tool_calls")) or []]
    if last.get("source") != "agent" or _was_refused(last, calls):
        return None
    stopped = any(str(call.get("function_name")).lower() in STOP_TOOLS for call in calls)
    return "completed" if stopped or (not calls and _text(last.get("message"))) else None


def _was_refused(step: _Object, calls: list[_Object]) -> bool:
    """An answer without a call to which the harness answered: it could not be parsed, and the run went on."""
    return not calls and bool(_results(step))


def _calls(step: _Object, file: TranscriptFile, report: Report) -> Iterator[Action]:
    for call in as_list(step.get("tool_calls")) or []:
        members = as_object(call) or {}
        name = as_text(members.get("function_name"))
        if name is None:
            file.warn(report, "a tool call without function_name was skipped", file.entries[0].line)
            continue
        yield action_of(name, members.get("arguments"))


# ---- subagents, copies ---------------------------------------------------------------------------------
def _subagents(found: _Object) -> dict[str, _Object]:
    """The embedded subagents by name; one without a name, or with a name that is taken, by its number."""
    subagents: dict[str, _Object] = {}
    for number, item in enumerate(as_list(found.get("subagent_trajectories")) or []):
        members = as_object(item) or {}
        name = as_text(members.get("trajectory_id")) or as_text(members.get("session_id"))
        subagents[name if name is not None and name not in subagents else f"#{number}"] = members
    return subagents


def _references(step: _Object) -> Iterator[str]:
    """The names of the subagents that a step started."""
    for result in _results(step):
        for reference in as_list((as_object(result) or {}).get("subagent_trajectory_ref")) or []:
            members = as_object(reference) or {}
            for key in ("trajectory_id", "session_id"):
                if name := as_text(members.get(key)):
                    yield name


def _subagent_calls(found: _Object, file: TranscriptFile, report: Report) -> Iterator[Action]:
    """What a subagent did, and its own subagents; its copied steps are the calling agent's."""
    waiting = [found]
    while waiting:
        trajectory = waiting.pop()
        for step in _steps(trajectory):
            if step.get("source") == "agent" and step.get("is_copied_context") is not True:
                yield from _calls(step, file, report)
        waiting += reversed(_subagents(trajectory).values())


def _without_repeats(steps: list[_Object]) -> list[_Object]:
    """The steps without those copied from a step of the same file."""
    if not any(step.get("is_copied_context") is True for step in steps):
        return steps
    kept: list[_Object] = []
    seen: set[str] = set()
    for step in steps:
        said = json.dumps([step.get("source"), step.get("message"), step.get("tool_calls")], sort_keys=True)
        if step.get("is_copied_context") is not True or said not in seen:
            kept.append(step)
        seen.add(said)
    return kept


# ---- parts of a step -----------------------------------------------------------------------------------
def _steps(found: _Object) -> list[_Object]:
    return [step for item in as_list(found.get("steps")) or [] if (step := as_object(item)) is not None]


def _results(step: _Object) -> list[object]:
    return as_list((as_object(step.get("observation")) or {}).get("results")) or []


def _text(message: object) -> str:
    if isinstance(message, str):
        return message
    parts = [as_object(part) or {} for part in as_list(message) or []]
    return "\n".join(text for part in parts if (text := as_text(part.get("text"))))


def _time(step: _Object) -> datetime | None:
    stamp = step.get("timestamp")
    return parse_time(stamp) if isinstance(stamp, str) else None


FORMAT = Format("atif", "ATIF trajectory (Harbor)", lines=False, detect=detect, read=read)
