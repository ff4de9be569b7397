"""JSON Schemas (draft 2020-12) of the rule formats, made from the tables that the front end reads by."""

from __future__ import annotations

from typing import Any

from .findings import CATALOGUE, Severity
from .json_forms import FORMS, GROUPED_KEPT, LABEL, NEGATE, REQUIRED, VALIDATOR, Field, JsonForm, Shape
from .vocabulary import GROUPS

Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_EXTRA_KEYS: Schema = {r"^(\$schema$|x-)": {}}
_TEXT: Schema = {"type": "string", "minLength": 1}


def rules_schema(form: JsonForm) -> Schema:
    """The schema of a file that holds rules alone."""
    title = "Rules, flat form" if form == "flat" else "Rules, grouped form"
    return {"$schema": DRAFT, "title": title, **_rules(form), "$defs": _definitions(form)}


def scenario_schema() -> Schema:
    """The schema of a scenario object; keys that Gatewright does not read may hold anything."""
    steps: Schema = {"type": "array", "items": {"$ref": "#/$defs/step"}}
    host: Schema = {
        "anyOf": [
            _TEXT,
            {"type": "object", "required": ["host_name"], "properties": {"host_name": _TEXT}},
            {"type": "object", "required": ["host_id"], "properties": {"host_id": _TEXT}},
        ]
    }
    return {
        "$schema": DRAFT,
        "title": "Scenario",
        "type": "object",
        "required": ["validation"],
        "properties": {
            "key": _TEXT,
            "title": {"type": "string"},
            "tags": {"type": "array", "items": _TEXT},
            "hosts": {"type": "array", "items": host},
            "prepare": steps,
            "validation": {"anyOf": [_rules("flat"), _rules("grouped")]},
            "restore": steps,
        },
        "$defs": {**_definitions("flat"), **_definitions("grouped"), "step": _step()},
    }


def plan_schema() -> Schema:
    """The schema of what `gatewright compile` prints."""
    from .model_schema import schema_of
    from .plan import Plan

    return {"$schema": DRAFT, **schema_of(Plan)}


def findings_schema() -> Schema:
    """The schema of findings as JSON. Keys that do not apply to a finding are left out."""
    text: Schema = {"type": "string"}
    label = _closed({**_place("path of the file"), "text": {**text, "description": "what to say there"}})
    edit = _closed({**_place("path of the file"), "text": {**text, "description": "what stands there then"}})
    value = {**text, "description": "a value of the target, or the text of what should be a record"}
    run: Schema = {"type": "object", "description": "a run that shows the fault: its record"}
    witness: Schema = {
        "description": "a concrete string or run that shows the fault",
        "oneOf": [
            _closed({"says": {**text, "description": "what the value does"}, "value": value}),
            _closed({"says": {**text, "description": "what the run does"}, "run": run}),
        ],
    }
    fix = _closed(
        {
            "title": {**text, "description": "what the fix does, as an order"},
            "safe": {"type": "boolean", "description": "whether it leaves every verdict as it is"},
            "edits": {"type": "array", "items": edit, "description": "to be made together; places before any of them"},
        }
    )
    finding: Schema = {
        "type": "object",
        "required": ["code", "slug", "severity", "message"],
        "properties": {
            "code": {"enum": list(CATALOGUE)},
            "slug": {"enum": [kind.slug for kind in CATALOGUE.values()]},
            "severity": {"enum": [severity.value for severity in Severity]},
            "message": {**text, "description": "one sentence without a full stop"},
            **_place("path of the file; left out, with lines and columns, where no text is at fault"),
            "rule": {**text, "description": "label of the rule"},
            "labels": {"type": "array", "minItems": 1, "items": label, "description": "other places it speaks of"},
            "help": {**text, "description": "what to do"},
            "witness": witness,
            "fix": {**fix, "description": "a change that does away with the finding"},
        },
        "dependentRequired": {"file": ["line", "column", "end_line", "end_column"]},
        "additionalProperties": False,
    }
    findings: Schema = {"type": "array", "items": finding}
    body = _closed({"schema": {"const": "gatewright/findings/1"}, "findings": findings})
    return {"$schema": DRAFT, "title": "Findings", **body}


def _place(file: str) -> Schema:
    number: Schema = {"type": "integer", "minimum": 1}
    return {
        "file": {"type": "string", "description": file},
        "line": number,
        "column": {**number, "description": "in characters (code points), from 1"},
        "end_line": number,
        "end_column": {**number, "description": "just behind the last character"},
    }


def _closed(properties: Schema) -> Schema:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _rules(form: JsonForm) -> Schema:
    array: Schema = {"type": "array", "items": {"$ref": f"#/$defs/{form}_rule"}}
    if form == "flat":
        return array
    return {
        "type": "object",
        "properties": {**dict.fromkeys(GROUPS, array), **{key: {} for key in GROUPED_KEPT}},
        "patternProperties": _EXTRA_KEYS,
        "additionalProperties": False,
    }


def _definitions(form: JsonForm) -> Schema:
    rules = [_rule(validator, shape) for validator, shape in FORMS[form].items()]
    return {f"{form}_rule": {"oneOf": rules}}


def _rule(validator: str, shape: Shape) -> Schema:
    fields = (LABEL, REQUIRED, *shape.fields, *((NEGATE,) if shape.negate else ()))
    properties = {field.key: _property(field) for field in fields}
    properties[VALIDATOR.key] = {"const": validator}
    schema: Schema = {
        "type": "object",
        "required": [LABEL.key, VALIDATOR.key, *(field.key for field in shape.fields if field.required)],
        "properties": properties,
        "patternProperties": _EXTRA_KEYS,
        "additionalProperties": False,
    }
    if shape.one_of:
        schema["oneOf"] = [{"required": [key]} for key in shape.one_of]
    if shape.any_of:
        schema["anyOf"] = [{"required": [key]} for key in shape.any_of]
    return schema


def _property(field: Field) -> Schema:
    schema: Schema = {**field.kind.schema, "description": field.doc}
    if field.default is not None:
        schema["default"] = field.default
    return schema


def _step() -> Schema:
    common = {"name": _TEXT, "on": _TEXT}
    run: Schema = {"required": ["run"], "properties": {**common, "run": _TEXT}}
    write: Schema = {
        "required": ["write", "content"],
        "properties": {**common, "write": _TEXT, "content": {"type": "string"}, "sudo": {"type": "boolean"}},
    }
    shared: Schema = {"type": "object", "patternProperties": _EXTRA_KEYS, "additionalProperties": False}
    return {"oneOf": [{**shared, **run}, {**shared, **write}]}
