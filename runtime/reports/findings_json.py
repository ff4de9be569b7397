"""Findings as JSON: `{"schema": "gatewright/findings/1", "findings": [...]}`; the schema is in `compiler.json_schemas`.

    {"code": "GW112", "slug": "undeclared-host", "severity": "error", "message": "host “db-9” is not …",
     "file": "rules.gate", "line": 3, "column": 6, "end_line": 3, "end_column": 10, "rule": "Nginx serves again"}

Keys that do not apply are left out, as in results: a finding without a place has no `file`. Lines and columns count
from 1, columns in characters as in the text; `end_column` is just behind the last one. What could act on a terminal,
and halves of characters that UTF-8 cannot carry, are escaped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import NoReturn

from ...compiler.findings import Edit, Finding, Fix, Label, Witness
from ...compiler.json_output import json_text
from ...grammar.text import Span
from ..evidence.json_values import too_deep

FINDINGS_SCHEMA = "gatewright/findings/1"

JsonObject = dict[str, object]


def findings_json(findings: Iterable[Finding]) -> str:
    """JSON text with a final newline; findings in the order given, each on a line of its own."""
    lines = ",\n    ".join(json_text(finding_to_dict(finding)).rstrip("\n") for finding in findings)
    listed = f"[\n    {lines}\n  ]" if lines else "[]"
    return f'{{\n  "schema": "{FINDINGS_SCHEMA}",\n  "findings": {listed}\n}}\n'


def finding_to_dict(finding: Finding) -> JsonObject:
    """One finding as plain JSON values; keys in the documented order."""
    body: JsonObject = {
        "code": finding.code,
        "slug": finding.kind.slug,
        "severity": finding.severity.value,
        "message": finding.message,
    }
    if finding.span is not None:
        body |= _place(finding.span)
    if finding.rule is not None:
        body["rule"] = finding.rule
    if finding.labels:
        body["labels"] = [_label(label) for label in finding.labels]
    if finding.help is not None:
        body["help"] = finding.help
    if finding.witness is not None:
        body["witness"] = witness_to_dict(finding.witness)
    if finding.fix is not None:
        body["fix"] = _fix(finding.fix)
    return body


def witness_to_dict(witness: Witness) -> JsonObject:
    """`{"says", "value"}`; `{"says", "run"}` for a run, whose record is an object and no text."""
    record = _record(witness.value) if witness.is_run else None
    return {"says": witness.says, "value": witness.value} if record is None else {"says": witness.says, "run": record}


def _place(span: Span) -> JsonObject:
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(max(span.start, span.end))
    return {"file": span.file, "line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _label(label: Label) -> JsonObject:
    return {**_place(label.span), "text": label.text}


def _fix(fix: Fix) -> JsonObject:
    return {"title": fix.title, "safe": fix.is_safe, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: Edit) -> JsonObject:
    return {**_place(edit.span), "text": edit.text}


def _record(text: str) -> JsonObject | None:
    """The object that a text holds; None where it holds none that JSON can say again."""
    if too_deep(text) is not None:
        return None
    try:
        record: object = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)
