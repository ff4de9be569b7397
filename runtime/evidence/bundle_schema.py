"""The JSON Schema of bundles (`gatewright schema bundle`), draft 2020-12.

It cannot say that the hashes fit; the reader checks them.
"""

from __future__ import annotations

from ...compiler.vocabulary import MAX_EXIT_CODE
from .bundle import PARTS, WHOLE
from .record import BUNDLE_SCHEMA
from .schema import Schema, run_schema

_TEXT: Schema = {"type": "string"}
_HASH: Schema = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
_EXIT_CODE: Schema = {
    "description": "The exit status; null where there was none.",
    "type": ["integer", "null"],
    "minimum": 0,
    "maximum": MAX_EXIT_CODE,
}
_PROBLEM: Schema = {"description": "Why there is no exit status, in words. Absent: there is one.", "type": "string"}


def bundle_schema() -> Schema:
    """A new copy of the schema; that of run records is part of it."""
    run = run_schema()
    parts = run.pop("$defs")
    draft = run.pop("$schema")
    assert isinstance(parts, dict)
    return {
        "$schema": draft,
        "title": "Gatewright bundle",
        "description": "A run and all that was fetched to grade it; without a run, how hosts answered before it.",
        **_object(
            {
                "schema": {"description": "The version of this format.", "const": BUNDLE_SCHEMA},
                "version": _said("The version of Gatewright that made the bundle.", "string"),
                "scenario": _said("Key of the scenario, where it is known.", ["string", "null"]),
                "live": _said(
                    "Whether the hosts themselves were asked; their answers stand in place of those of the record.",
                    "boolean",
                ),
                "redacted": _said("Whether secrets were masked after grading.", "boolean"),
                "evidence": {
                    "description": "SHA-256 of the bytes that the record was read from; null without a record.",
                    "type": ["string", "null"],
                },
                "record": {
                    "description": "The run record as it was graded. Null: a baseline, made before there was a run.",
                    "anyOf": [{"$ref": "#/$defs/run"}, {"type": "null"}],
                },
                "hosts": _list("asked_host", "What each host was asked, and how it answered."),
                "playbooks": _list("playbook", "How playbooks ended, in the order in which they were run."),
                "hashes": {
                    "description": "SHA-256 of the canonical JSON (keys sorted, no blanks, ASCII) of each part, and of "
                    "all keys but this one.",
                    **_object(dict.fromkeys((*PARTS, WHOLE), _HASH)),
                },
            }
        ),
        "$defs": {**parts, "run": run, "asked_host": _asked_host(), "answer": _answer()},
    }


def _object(properties: Schema, optional: tuple[str, ...] = ()) -> Schema:
    required = [key for key in properties if key not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _said(description: str, kind: str | list[str]) -> Schema:
    return {"description": description, "type": kind}


def _list(name: str, description: str) -> Schema:
    return {"description": description, "type": "array", "items": {"$ref": f"#/$defs/{name}"}}


def _asked_host() -> Schema:
    asked = _said("The name by which the host was asked for; null: as the only host there is.", ["string", "null"])
    answers = _list("answer", "In the order of asking, one for each time that a rule asked.")
    return _object({"asked": asked, "answers": answers})


def _answer() -> Schema:
    return _object(
        {
            "host": _said("The host that answered; null: the only one there is.", ["string", "null"]),
            "run": {"description": "The command, as the rule has it.", "type": "string", "minLength": 1},
            "exit_code": _EXIT_CODE,
            "stdout": _TEXT,
            "stderr": _TEXT,
            "problem": _PROBLEM,
            "unreachable": _said("True: the host did not answer.", "boolean"),
        },
        optional=("problem", "unreachable"),
    )
