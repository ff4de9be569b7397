"""The JSON Schema of run records (`gatewright schema run`), draft 2020-12.

What it accepts, the reader accepts, and the other way round. It cannot say three things that the reader refuses: a key
given twice in one object, more than 256 levels of nesting, and days that no calendar has (30 February). Keys that it
does not list are allowed; the reader warns of them (GW702), except of `$schema` and those that begin with `x-`.
"""

from __future__ import annotations

from copy import deepcopy

from ...compiler.times import TIME_PATTERN
from ...compiler.vocabulary import MAX_EXIT_CODE, MAX_INTEGER, RESOLUTION_STATUSES
from .record import RUN_SCHEMA

Schema = dict[str, object]

_NULL: Schema = {"type": "null"}
_ABSENT: Schema = {"enum": [None, False]}
_UNAVAILABLE = "Null or absent: unavailable."


def run_schema() -> Schema:
    """A new copy of the schema."""
    return deepcopy(_RUN)


def _word(description: str) -> Schema:
    return {"description": description, "type": ["string", "null"]}


def _values(description: str) -> Schema:
    return {"description": f"{description} {_UNAVAILABLE}", "$ref": "#/$defs/values"}


def _items(name: str, description: str) -> Schema:
    items = {"anyOf": [{"$ref": f"#/$defs/{name}"}, _NULL]}
    return {"description": f"{description} Null items are skipped.", "type": ["array", "null"], "items": items}


def _integer(description: str, largest: int) -> Schema:
    return {"description": description, "type": ["integer", "null"], "minimum": 0, "maximum": largest}


def _time(description: str) -> Schema:
    text = f"{description} RFC 3339; UTC where no zone is given. {_UNAVAILABLE}"
    return {"description": text, "anyOf": [{"type": "string", "pattern": TIME_PATTERN}, _NULL]}


_VALUES: Schema = {
    "description": "Values that rules are tested on, one by one. A string stands for a list of one; the empty string "
    "in place of a list has no values. Null items are skipped and not counted; a list of only nulls is unavailable.",
    "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": ["string", "null"]}}, _NULL],
}

_JOB: Schema = {
    "description": "The job that the agent worked on.",
    "type": "object",
    "properties": {
        "status": _word(f"How the job ended: `completed`, `failed`, or another word. {_UNAVAILABLE}"),
        "resolution_status": _word(f"One of {', '.join(RESOLUTION_STATUSES)}, or another word. {_UNAVAILABLE}"),
        "resolution": _values("The job's closing text (`job_resolution`)."),
        "plan": _values("The job's plan (`job_plan`)."),
        "tasks": _items("task", "The tasks of the job, in order. An empty list: the job had none."),
    },
}

_TASK: Schema = {
    "description": "One task of the job, carried out on one host.",
    "type": "object",
    "properties": {
        "id": _word("Names the task in results. Absent: its number, from 1."),
        "host": _word(f"The host on which it ran. {_UNAVAILABLE}"),
        "turn": _integer("The turn it belongs to. Numbers order turns, gaps do not matter.", MAX_INTEGER),
        "started_at": _time("When the task started."),
        "ended_at": _time("When the task ended."),
        "description": _values("What the agent was asked to do (`task_description`)."),
        "summary": _values("What the agent says it did (`task_summary`)."),
        "plan": _values("The task's plan (`task_plan`)."),
        "executed_commands": _values("The commands that were run, as recorded, one a value."),
        "write_file": _values("Paths of the files that were written whole, one a write."),
        "update_file": _values("Paths of the files that were changed, one a change."),
        "use_mcp_tool": _values('Calls of tools of MCP servers, one a value: `name {"key":"value"}`.'),
        "tool_calls": _values('All calls of tools, one a value: `name {"key":"value"}`.'),
        "agent_messages": _values("What the agent said, one message a value."),
        "operational_rules": _values("The rules of operation that the agent was given."),
    },
}

_TICKET: Schema = {
    "description": "The ticket through which the run came. Null or absent: there was none.",
    "type": "object",
    "properties": {
        "status": _word(f"The ticket's status, like `resolved`. {_UNAVAILABLE}"),
        "messages": _values("The messages of the ticket; the last is the `gateway_summary`."),
    },
}

_EXIT_CODE = _integer("The exit status.", MAX_EXIT_CODE)

_HOST_ANSWER: Schema = {
    "description": "How one command on one host ended: with an exit status, or one of `unreachable` and `timed_out`.",
    "type": "object",
    "properties": {
        "host": _word("The host. Absent: the only host there is."),
        "run": {"description": "The command, as the rule has it.", "type": "string", "minLength": 1},
        "exit_code": _EXIT_CODE,
        "stdout": {"description": "What the command wrote to standard output.", "type": ["string", "null"]},
        "stderr": {"description": "What the command wrote to standard error.", "type": ["string", "null"]},
        "unreachable": {"description": "True: the host did not answer.", "type": ["boolean", "null"]},
        "timed_out": {"description": "True: the command did not end in time.", "type": ["boolean", "null"]},
    },
    "required": ["run"],
    "oneOf": [
        {
            "properties": {"exit_code": {"type": "integer"}, "unreachable": _ABSENT, "timed_out": _ABSENT},
            "required": ["exit_code"],
        },
        {
            "properties": {"unreachable": {"const": True}, "exit_code": _NULL, "timed_out": _ABSENT},
            "required": ["unreachable"],
        },
        {
            "properties": {"timed_out": {"const": True}, "exit_code": _NULL, "unreachable": _ABSENT},
            "required": ["timed_out"],
        },
    ],
}

_PLAYBOOK_FAILURE: Schema = {
    "description": "A task that failed on a host, and was neither ignored nor rescued.",
    "type": "object",
    "properties": {
        "host": {"description": "The host, as the inventory names it.", "type": "string", "minLength": 1},
        "task": {"description": "The name of the task.", "type": ["string", "null"]},
        "message": {"description": "What Ansible says of it, in one line.", "type": ["string", "null"]},
        "unreachable": {"description": "True: the host could not be reached.", "type": ["boolean", "null"]},
    },
    "required": ["host"],
}

_HOST_RECAP: Schema = {
    "description": "How many tasks ended how on a host: a line of Ansible's recap.",
    "type": "object",
    "properties": {
        "host": {"description": "The host, as the inventory names it.", "type": "string", "minLength": 1},
        "ok": _integer("Tasks that succeeded, those that changed something included.", MAX_INTEGER),
        "changed": _integer("Tasks that changed something.", MAX_INTEGER),
        "unreachable": _integer("Tasks for which the host could not be reached.", MAX_INTEGER),
        "failed": _integer("Tasks that failed.", MAX_INTEGER),
        "skipped": _integer("Tasks whose condition did not hold.", MAX_INTEGER),
        "rescued": _integer("Tasks that failed and were rescued.", MAX_INTEGER),
        "ignored": _integer("Tasks whose failure was ignored.", MAX_INTEGER),
    },
    "required": ["host"],
}

_NO_TEXT: Schema = {"enum": [None, ""]}

_PLAYBOOK: Schema = {
    "description": "How one playbook ended: with an exit status, or with a problem.",
    "type": "object",
    "properties": {
        "path": {"description": "The playbook, as the rule has it.", "type": "string", "minLength": 1},
        "exit_code": _EXIT_CODE,
        "problem": _word("Why there is no exit status: it was not run, or it was stopped."),
        "fault": _word("Why nothing of it was run, although there is an exit status."),
        "warning": _word("What makes an exit status of 0 say less than it seems to."),
        "output": {"description": "What `ansible-playbook` wrote to standard output.", "type": ["string", "null"]},
        "errors": {"description": "What it wrote to standard error.", "type": ["string", "null"]},
        "failures": _items("playbook_failure", "The tasks that failed, in order."),
        "recap": _items("host_recap", "How many tasks ended how, a host."),
    },
    "required": ["path"],
    "oneOf": [
        {"properties": {"exit_code": {"type": "integer"}, "problem": _NO_TEXT}, "required": ["exit_code"]},
        {"properties": {"problem": {"type": "string", "minLength": 1}, "exit_code": _NULL}, "required": ["problem"]},
    ],
}

_RUN: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Gatewright run record",
    "description": "The evidence of one execution of a scenario by an agent. Null or absent means unavailable: "
    "such evidence never passes a rule. An empty list means that there was nothing: that is evidence.",
    "type": "object",
    "properties": {
        "schema": {
            "description": "The version of this format. Absent: this version.",
            "enum": [RUN_SCHEMA, None],
        },
        "id": _word("Names the run in results. Absent: the name of the file, with `:LINE` in a file of lines."),
        "scenario": _word("Key of the scenario that was run. Absent: the record fits any scenario."),
        "job": {"anyOf": [{"$ref": "#/$defs/job"}, _NULL]},
        "ticket": {"anyOf": [{"$ref": "#/$defs/ticket"}, _NULL]},
        "host_answers": _items("host_answer", "How commands on hosts ended, asked after the run."),
        "playbooks": _items("playbook", "How playbooks ended, run after the run."),
    },
    "$defs": {
        "values": _VALUES,
        "job": _JOB,
        "task": _TASK,
        "ticket": _TICKET,
        "host_answer": _HOST_ANSWER,
        "playbook": _PLAYBOOK,
        "playbook_failure": _PLAYBOOK_FAILURE,
        "host_recap": _HOST_RECAP,
    },
}
