"""A run record, from `RunRecord` to JSON (`gatewright/run/1`): what `gatewright import` writes.

    record_text(record, indent=2)      # for people; without `indent` one line, for archives (.jsonl)

Every key is written, null for what is unavailable, so that a reader of the file sees what the source did not say; only
of playbooks what is not known is left out. Reading the text gives an equal record (but for `digest`, which is that of
the new bytes).
"""

from __future__ import annotations

from dataclasses import asdict

from ...compiler.json_output import json_text
from ...compiler.times import time_text
from .read_record import TASK_VALUES, TIMED_OUT
from .record import RUN_SCHEMA, HostAnswer, PlaybookAnswer, RunRecord, Task, Values

_PROSE = ("description", "plan")
"""Keys of a task whose single value is written as a string and not as a list of one."""


def record_text(record: RunRecord, indent: int | None = None) -> str:
    """The record as JSON text without a final newline: on one line, or indented.

    Readable characters stand as they are; what cannot be seen, and lone surrogates, are escaped. Raises ValueError
    as `record_to_json` does.
    """
    return json_text(record_to_json(record), indent).removesuffix("\n")


def record_to_json(record: RunRecord) -> dict[str, object]:
    """The record as a JSON object, keys in the order of the documentation.

    Raises ValueError for an answer whose end the format has no word for: a command that a signal killed. Records that
    were read or imported have none.
    """
    job, ticket = record.job, record.ticket
    return {
        "schema": RUN_SCHEMA,
        "id": record.id,
        "scenario": record.scenario,
        "job": {
            "status": job.status,
            "resolution_status": job.resolution_status,
            "resolution": _prose(job.resolution),
            "plan": _prose(job.plan),
            "tasks": None if job.tasks is None else [task_to_json(task) for task in job.tasks],
        },
        "ticket": None if ticket is None else {"status": ticket.status, "messages": _list(ticket.messages)},
        "host_answers": [host_answer_to_json(answer) for answer in record.host_answers],
        "playbooks": [playbook_to_json(answer) for answer in record.playbooks],
    }


def task_to_json(task: Task) -> dict[str, object]:
    made: dict[str, object] = {
        "id": task.id,
        "host": task.host,
        "turn": task.turn,
        "started_at": None if task.started_at is None else time_text(task.started_at),
        "ended_at": None if task.ended_at is None else time_text(task.ended_at),
    }
    for key, target in TASK_VALUES.items():
        values = task.values.get(target)
        made[key] = _prose(values) if key in _PROSE else _list(values)
    return made


def host_answer_to_json(answer: HostAnswer) -> dict[str, object]:
    """One entry of `host_answers`. Raises ValueError where the command neither exited nor timed out nor
    failed to reach its host."""
    made: dict[str, object] = {"host": answer.host, "run": answer.run}
    if answer.unreachable:
        made["unreachable"] = True
    elif answer.exit_code is not None:
        made["exit_code"] = answer.exit_code
    elif answer.problem == TIMED_OUT:
        made["timed_out"] = True
    else:
        raise ValueError(f"a run record cannot say that a command ended like this: {answer.problem}")
    return {**made, "stdout": answer.stdout, "stderr": answer.stderr}


def playbook_to_json(answer: PlaybookAnswer) -> dict[str, object]:
    """One entry of `playbooks`; what is not known of it is left out."""
    made: dict[str, object] = {"path": answer.path}
    if answer.problem is not None or answer.exit_code is None:
        made["problem"] = answer.problem or "ended without an exit status"
    else:
        made["exit_code"] = answer.exit_code
    texts = {"fault": answer.fault, "warning": answer.warning, "output": answer.output, "errors": answer.errors}
    made |= {key: text for key, text in texts.items() if text}
    if answer.failures:
        made["failures"] = [asdict(failure) for failure in answer.failures]
    if answer.recap:
        made["recap"] = [asdict(recap) for recap in answer.recap]
    return made


def _list(values: Values) -> list[str] | None:
    return None if values is None else list(values)


def _prose(values: Values) -> list[str] | str | None:
    return values[0] if values is not None and len(values) == 1 and values[0] else _list(values)
