"""Results as JSON: one run (`gatewright/result/1`), several (`gatewright/results/1`), one a line; and their schemas.

    results_to_json([result])       # the object of that run: exactly one was graded
    results_to_json([a, b])         # {"schema": "gatewright/results/1", "results": [a, b]}
    result_to_line(result)          # the same object on one line, for JSON Lines

Keys that do not apply are left out; a gate's `passed` is null where rules in `error` leave it open. What could act on a
terminal, and halves of characters that UTF-8 cannot carry, are escaped, so that the text is safe to print.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from ..compiler.json_output import json_text
from .result import (
    RESULT_SCHEMA,
    RESULTS_SCHEMA,
    ImplicitCheck,
    Match,
    Provenance,
    Result,
    RuleResult,
    Timing,
)

JsonObject = dict[str, object]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def result_to_dict(result: Result) -> JsonObject:
    """The result of one run as plain JSON values; keys in the documented order."""
    body: JsonObject = {"schema": RESULT_SCHEMA}
    if result.scenario is not None:
        body["scenario"] = result.scenario
    body |= {"run": result.run, "semantics": result.semantics, "verdict": result.verdict}
    if result.problem is not None:
        body["problem"] = result.problem
    if result.compliance is not None and result.resolution is not None:
        score = result.compliance.score
        body["gates"] = {
            "compliance": {
                "passed": result.compliance.passed,
                "score": {"passed": score.passed, "total": score.total, "percent": score.percent},
            },
            "resolution": {"passed": result.resolution.passed, "basis": result.resolution.basis},
        }
    body["rules"] = [_present(rule) for rule in result.rules]
    if result.implicit:
        body["implicit"] = [_present(check) for check in result.implicit]
    body["provenance"] = _present(result.provenance)
    if result.timing is not None:
        body["timing"] = _present(result.timing)
    return body


def results_to_dict(results: Iterable[Result]) -> JsonObject:
    """Several results in one object, in their order."""
    return {"schema": RESULTS_SCHEMA, "results": [result_to_dict(result) for result in results]}


def results_to_json(results: Iterable[Result]) -> str:
    """JSON text with a final newline: of exactly one result its object, of any other number a `results` object."""
    every = list(results)
    return json_text(result_to_dict(every[0]) if len(every) == 1 else results_to_dict(every), indent=2)


def result_to_line(result: Result) -> str:
    """One line of JSON Lines, with its newline."""
    return json_text(result_to_dict(result))


def _present(part: RuleResult | ImplicitCheck | Provenance | Match | Timing) -> JsonObject:
    """The fields of a part that say something, in the order of its class."""
    named = ((field.name, getattr(part, field.name)) for field in fields(part))
    return {name: _present(value) if isinstance(value, Match) else value for name, value in named if value is not None}


# ---- schemas --------------------------------------------------------------------------------------------------------
def result_schema() -> JsonObject:
    """The JSON Schema (2020-12) of one result."""
    return {"$schema": _DRAFT, "title": "Result of one run", **_result()}


def results_schema() -> JsonObject:
    """The JSON Schema (2020-12) of several results."""
    results = {"type": "array", "items": _result()}
    body = _object({"schema": {"const": RESULTS_SCHEMA}, "results": results}, "schema", "results")
    return {"$schema": _DRAFT, "title": "Results of several runs", **body}


def _object(properties: JsonObject, *required: str) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _said(kind: str, description: str, **more: object) -> JsonObject:
    return {"type": kind, "description": description, **more}


_TEXT: JsonObject = {"type": "string"}
_FLAG: JsonObject = {"type": "boolean"}
_COUNT: JsonObject = {"type": "integer", "minimum": 0}
_STATUS: JsonObject = {"enum": ["pass", "fail", "error", "skipped"]}
_OPEN: JsonObject = {"type": ["boolean", "null"], "description": "null: a rule in error leaves it open"}


def _result() -> JsonObject:
    score = _object(
        {
            "passed": _COUNT,
            "total": _COUNT,
            "percent": _said("number", "rounded down to one decimal; 100 where no rule counts", minimum=0, maximum=100),
        },
        "passed",
        "total",
        "percent",
    )
    basis = {"enum": ["playbook", "score", "ground_truth", "compliance"]}
    compliance = _object({"passed": _OPEN, "score": score}, "passed", "score")
    resolution = _object({"passed": _OPEN, "basis": basis}, "passed", "basis")
    implicit = _object({"label": _TEXT, "status": _STATUS, "reason": _TEXT}, "label", "status", "reason")
    provenance = _object(
        {
            "rules": _said("string", "SHA-256 of the rules that were applied"),
            "evidence": _said("string", "SHA-256 of the bytes of the run record; empty where there were none"),
            "version": _said("string", "version of the grader"),
        },
        "rules",
        "evidence",
        "version",
    )
    timing = _object(
        {"started_at": _said("string", "RFC 3339, UTC"), "seconds": {"type": "number", "minimum": 0}},
        "started_at",
        "seconds",
    )
    return _object(
        {
            "schema": {"const": RESULT_SCHEMA},
            "scenario": _TEXT,
            "run": _TEXT,
            "semantics": {"enum": ["flat", "classic"]},
            "verdict": {"enum": ["passed", "failed", "error"]},
            "problem": _said("string", "why the run was not graded; there are then no gates and no rules"),
            "gates": _object({"compliance": compliance, "resolution": resolution}, "compliance", "resolution"),
            "rules": {"type": "array", "items": _rule()},
            "implicit": {"type": "array", "items": implicit},
            "provenance": provenance,
            "timing": timing,
        },
        "schema",
        "run",
        "semantics",
        "verdict",
        "rules",
        "provenance",
    )


def _rule() -> JsonObject:
    offset = "in UTF-16 code units of the value; of the joined values where value is left out"
    match = _object(
        {
            "task": _said("string", "id of the task, else its number from 1; left out for job and gateway targets"),
            "value": _said("integer", "number of the value within the task, from 0", minimum=0),
            "excerpt": _said("string", "the matched text with some of its surroundings", maxLength=200),
            "start": _said("integer", f"where the match begins, {offset}", minimum=0),
            "end": _said("integer", f"where the match ends, {offset}", minimum=0),
        },
        "excerpt",
    )
    return _object(
        {
            "label": _TEXT,
            "validator": _TEXT,
            "required": _FLAG,
            "negate": _FLAG,
            "status": _STATUS,
            "reason": _TEXT,
            "target": _TEXT,
            "values_tested": _said("integer", "number of all values of the target", minimum=0),
            "match": match,
            "host": _TEXT,
            "exit_code": {"type": "integer", "minimum": 0, "maximum": 255},
            "stdout": _TEXT,
            "stderr": _TEXT,
            "held_before": _said("boolean", "whether the rule would have passed before the run"),
        },
        "label",
        "validator",
        "required",
        "negate",
        "status",
        "reason",
    )
