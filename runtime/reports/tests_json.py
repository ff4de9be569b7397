"""Tests as JSON: `{"schema": "gatewright/tests/1", "summary": {...}, "files": [...]}`, and its schema.

    {"name": "a reload counts", "file": "nginx.gate", "line": 12, "column": 6, "passed": false, "verdict": "failed",
     "expectations": [{"expected": "pass", "got": "fail", "holds": false, "rule": "Restarted nginx",
                       "reason": "no value matched (1 checked)", "file": "nginx.gate", "line": 14, "column": 3}]}

Keys that do not apply are left out. Lines and columns count from 1.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ...compiler.json_output import json_text
from ...grammar.text import Span
from ..result import Match, Score
from ..testing.outcome import Checked, Covered, FileTests, Mutation, Survivor, TestOutcome, TestsReport
from .findings_json import finding_to_dict

TESTS_SCHEMA = "gatewright/tests/1"

JsonObject = dict[str, object]


def tests_json(report: TestsReport) -> str:
    """JSON text with a final newline; files and tests in the order in which they were run."""
    return json_text(tests_to_dict(report), indent=2)


def tests_to_dict(report: TestsReport) -> JsonObject:
    tests = list(report.tests)
    passed = sum(test.passed for test in tests)
    summary: JsonObject = {
        "files": len(report.files),
        "files_with_errors": sum(bool(file.findings) for file in report.files),
        "tests": len(tests),
        "passed": passed,
        "failed": len(tests) - passed,
    }
    if (score := report.mutation) is not None:
        summary["mutation"] = _score(score)
    return {"schema": TESTS_SCHEMA, "summary": summary, "files": [_file(file) for file in report.files]}


def _file(file: FileTests) -> JsonObject:
    body: JsonObject = {"file": str(file.path), "passed": file.passed}
    if file.findings:
        body["findings"] = [finding_to_dict(finding) for finding in file.findings]
    body["tests"] = [_test(test) for test in file.tests]
    if file.coverage is not None:
        body["coverage"] = [_covered(rule) for rule in file.coverage]
    if file.mutation is not None:
        body["mutation"] = _mutation(file.mutation)
    return body


def _test(test: TestOutcome) -> JsonObject:
    return {
        "name": test.name,
        **_place(test.span),
        "passed": test.passed,
        "verdict": test.result.verdict,
        "expectations": [_checked(each) for each in test.checked],
    }


def _checked(checked: Checked) -> JsonObject:
    body: JsonObject = {"expected": checked.expected, "got": checked.got, "holds": checked.holds}
    if checked.label is not None:
        body["rule"] = checked.label
    if checked.rule is not None:
        body["reason"] = checked.rule.reason
        if checked.rule.match is not None:
            body["match"] = _match(checked.rule.match)
    body |= _place(checked.span)
    if checked.rule_span is not None:
        body["rule_at"] = _place(checked.rule_span)
    if checked.facts:
        body["facts_at"] = [_place(span) for span in checked.facts]
    return body


def _match(match: Match) -> JsonObject:
    return {name: value for name, value in asdict(match).items() if value is not None}


def _covered(rule: Covered) -> JsonObject:
    counts = {"pass": rule.passed, "fail": rule.failed, "error": rule.error, "skipped": rule.skipped}
    return {"rule": rule.label, **_place(rule.span), **counts}


def _mutation(mutation: Mutation) -> JsonObject:
    return {
        "score": _score(mutation.score),
        "equivalent": mutation.equivalent,
        "survivors": [_survivor(each) for each in mutation.survivors],
    }


def _survivor(survivor: Survivor) -> JsonObject:
    return {"kind": survivor.kind, "what": survivor.what, "rule": survivor.rule, **_place(survivor.span)}


def _score(score: Score) -> JsonObject:
    return {"killed": score.passed, "total": score.total, "percent": score.percent}


def _place(span: Span | None) -> JsonObject:
    return {} if span is None else {"file": span.file, "line": span.line, "column": span.column}


# ---- the schema ------------------------------------------------------------------------------------------------------

_TEXT: dict[str, Any] = {"type": "string"}
_TRUTH: dict[str, Any] = {"type": "boolean"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_PLACE: dict[str, Any] = {
    "file": _TEXT,
    "line": {"type": "integer", "minimum": 1},
    "column": {"type": "integer", "minimum": 1},
}
_STATUSES = ["pass", "fail", "error", "skipped"]
_VERDICTS = ["passed", "failed", "error"]


def tests_schema() -> dict[str, Any]:
    """The schema of tests as JSON. Keys that do not apply are left out; findings are as in `gatewright/findings/1`."""
    score = _object({"killed": _COUNT, "total": _COUNT, "percent": {"type": "number", "minimum": 0, "maximum": 100}})
    match = _object(
        {"task": _TEXT, "value": _COUNT, "excerpt": _TEXT, "start": _COUNT, "end": _COUNT},
        optional=("task", "value", "start", "end"),
    )
    expectation = _object(
        {
            "expected": {"enum": sorted({*_STATUSES, *_VERDICTS})},
            "got": {"enum": sorted({*_STATUSES, *_VERDICTS, "missing"})},
            "holds": _TRUTH,
            "rule": {**_TEXT, "description": "label of the rule; left out: the verdict is expected"},
            "reason": {**_TEXT, "description": "why the rule came out as it did"},
            "match": {**match, "description": "the value that matched"},
            **_PLACE,
            "rule_at": {**_object(_PLACE), "description": "where the rule stands"},
            "facts_at": {**_list(_object(_PLACE)), "description": "the facts of the test that the rule looks at"},
        },
        optional=("rule", "reason", "match", *_PLACE, "rule_at", "facts_at"),
    )
    test = _object(
        {
            "name": _TEXT,
            **_PLACE,
            "passed": _TRUTH,
            "verdict": {"enum": _VERDICTS},
            "expectations": _list(expectation),
        },
        optional=tuple(_PLACE),
    )
    covered = _object({"rule": _TEXT, **_PLACE, **dict.fromkeys(_STATUSES, _COUNT)}, optional=tuple(_PLACE))
    survivor = _object({"kind": _TEXT, "what": _TEXT, "rule": _TEXT, **_PLACE}, optional=tuple(_PLACE))
    mutation = _object(
        {
            "score": score,
            "equivalent": {**_COUNT, "description": "changes that change nothing; they are not in the score"},
            "survivors": {**_list(survivor), "description": "changes that no test noticed"},
        }
    )
    file = _object(
        {
            "file": _TEXT,
            "passed": _TRUTH,
            "findings": {**_list({"type": "object"}), "description": "errors of its rules, for which no test was run"},
            "tests": _list(test),
            "coverage": {**_list(covered), "description": "in how many tests each rule came out how"},
            "mutation": mutation,
        },
        optional=("findings", "coverage", "mutation"),
    )
    counts = dict.fromkeys(("files", "files_with_errors", "tests", "passed", "failed"), _COUNT)
    summary = _object({**counts, "mutation": score}, optional=("mutation",))
    body = _object({"schema": {"const": TESTS_SCHEMA}, "summary": summary, "files": _list(file)})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Tests", **body}


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}
