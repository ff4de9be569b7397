"""What became of a playbook: its exit status and the events of the callback → `PlaybookAnswer`.

Nothing is read off the text that Ansible writes for people, but for the one case that it has no other words for: a
playbook that could not be read begins no play and calls no callback, so its fault is the error on standard error.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import cast

from ...evidence.record import HostRecap, PlaybookAnswer, PlaybookFailure
from .playbook_masks import Masks

MAX_FAILURES = 50
"""Failures that an answer lists."""

LONGEST = 300
"""Characters of a message."""

_ERROR = re.compile(r"^(?:\[ERROR\]: |ERROR! |ERROR: )(.*)$", re.MULTILINE)
_ORIGIN = re.compile(
    r"^(?:Origin: |The error appears to be in ')(.+?)(?:': line |:)([0-9]+)(?:, column |:)([0-9]+)(?:,|$)", re.MULTILINE
)
"""Where the fault stands: as ansible-core writes it from 2.19 on, and as it did before."""
_COUNTS = ("ok", "changed", "unreachable", "failed", "skipped", "rescued", "ignored")

JsonObject = dict[str, object]


@dataclass(slots=True)
class Events:
    """What the callback wrote, put together."""

    begun: bool = False
    """Whether the playbook was read, and its plays began."""
    ended: bool = False
    plays: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    """Every play with its name, and whether any host matched."""
    task: str | None = None
    """The task that began last."""
    failures: list[PlaybookFailure] = field(default_factory=list[PlaybookFailure])
    recap: tuple[HostRecap, ...] = ()


def read_events(text: str) -> Events:
    """Put the lines of the callback together. A last line may be cut, and lines that say nothing known are left out."""
    events = Events()
    for line in text.splitlines():
        try:
            event = cast("object", json.loads(line))
        except ValueError:
            continue
        if isinstance(event, dict):
            _add(events, cast("JsonObject", event))
    return events


def _add(events: Events, event: JsonObject) -> None:
    match event.get("event"):
        case "start":
            events.begun = True
        case "play" if event.get("matched") is True:
            events.plays.append((str(event.get("name")), True))
        case "play" if events.plays:  # that no host matched is told after the play's name
            events.plays[-1] = (events.plays[-1][0], False)
        case "task":
            events.task = str(event.get("name"))
        case "failed" | "unreachable" as kind:
            unreachable = kind == "unreachable"
            message = _message(_object(event.get("result")), unreachable)
            host, task = str(event.get("host")), str(event.get("task"))
            events.failures.append(PlaybookFailure(host, task, message, unreachable))
        case "end":
            events.ended = True
            hosts = _object(event.get("hosts"))
            events.recap = tuple(_recap(name, _object(counts)) for name, counts in sorted(hosts.items()))
        case _:
            pass


def answer_of(
    path: str,
    events: Events,
    *,
    exit_code: int | None,
    problem: str | None,
    output: str,
    errors: str,
    masks: Masks,
) -> PlaybookAnswer:
    """The answer for a playbook that was started. `problem`: why there is no exit status, like “was interrupted”."""
    failures = [
        replace(failed, message=masks.all(masks.of(failed.host)(failed.message))) for failed in _that_count(events)
    ]
    return PlaybookAnswer(
        path,
        exit_code=exit_code if problem is None else None,
        problem=None if problem is None else f"{path} {_where(problem, events)}",
        output=masks.all(output),
        errors=masks.all(errors),
        fault=None if problem is not None else _fault(exit_code, events, output, masks.all(errors)),
        warning=_warning(events) if exit_code == 0 and problem is None else None,
        failures=tuple(failures[:MAX_FAILURES]),
        recap=events.recap,
    )


def _that_count(events: Events) -> list[PlaybookFailure]:
    """The failures that Ansible counts in the end: those that were rescued are told like all others, but come before
    the one that stopped the host."""
    if not events.ended:
        return events.failures
    kept: list[PlaybookFailure] = []
    left = {(recap.host, False): recap.failed for recap in events.recap}
    left |= {(recap.host, True): recap.unreachable for recap in events.recap}
    for failed in reversed(events.failures):
        key = (failed.host, failed.unreachable)
        if left.get(key, 0) > 0:
            left[key] -= 1
            kept.append(failed)
    return kept[::-1]


def _where(problem: str, events: Events) -> str:
    return problem if events.task is None or events.ended else f"{problem}, in the task “{_line(events.task)}”"


def _fault(exit_code: int | None, events: Events, output: str, errors: str) -> str | None:
    """Why no play began. Without any event, and with the banner of a play, the callback is what failed."""
    if events.begun or exit_code == 0 or output.strip():
        return None
    if (found := _ERROR.search(errors)) is None:
        lines = [line.strip() for line in errors.splitlines() if line.strip()]
        return _line(lines[-1]) if lines else "Ansible does not say why"
    place = _ORIGIN.search(errors, found.end())
    where = f" ({PurePath(place[1]).name}, line {place[2]}, column {place[3]})" if place is not None else ""
    return _line(found[1]).rstrip(".") + where


def _warning(events: Events) -> str | None:
    """What is missing in a playbook that ended well."""
    if not events.ended:
        return None
    unmatched = [name for name, matched in events.plays if not matched]
    if len(unmatched) == len(events.plays):
        return "no host matched, so nothing was checked"
    if not any(recap.ok for recap in events.recap):
        return "no task ran, so nothing was checked"
    if unmatched:
        names = ", ".join(f"“{_line(name)}”" for name in unmatched[:3])
        return f"no host matched the play{'s' if len(unmatched) > 1 else ''} {names}"
    return None


# ---- what a result says ------------------------------------------------------------------------------------
def _message(result: JsonObject, unreachable: bool) -> str:
    """One line on why a task failed."""
    if "censored" in result:
        return "the result is hidden (no_log)"
    items = result.get("items")
    if isinstance(items, list) and items:
        item = _object(cast("list[object]", items)[0])
        return _line(f"item “{_line(str(item.get('item', '')), 60)}”: {_message(item, unreachable)}")
    said = str(result.get("msg", "")).removeprefix("Task failed: ")
    if unreachable:  # ssh's warnings come before what went wrong
        return _line(_last(said))
    if "assertion" in result:
        return _line(f"{said}: {result['assertion']}")
    details = _last(_text(result, "stderr") or _text(result, "module_stderr") or _text(result, "stdout"))
    if said.startswith("non-zero return code"):
        said = f"non-zero return code {result.get('rc', '')}".rstrip()
        return _line(f"{said}: {details}" if details else said)
    return _line(next((line for line in said.splitlines() if line.strip()), "") or details or "no message")


def _text(result: JsonObject, key: str) -> str:
    return str(result.get(key, ""))


def _last(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


def _line(text: str, longest: int = LONGEST) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def _object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def _recap(name: str, counts: JsonObject) -> HostRecap:
    numbers = {key: value if isinstance(value := counts.get(key), int) else 0 for key in _COUNTS}
    return HostRecap(name, **numbers)
