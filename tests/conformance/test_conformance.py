"""Every case of the corpus in this folder comes out as expected (its format: README.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir_to_plan import ir_to_plan, plan_from_json
from gatewright.compiler.json_text import parse_json
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.plan import Plan, plan_to_json
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.grade import GradeOptions, grade
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result_json import result_schema, result_to_dict, results_to_json

HERE = Path(__file__).parent
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['name']}")
    for file in sorted(HERE.glob("*.json"))
    for case in json.loads(file.read_text("utf-8"))["cases"]
]
MATCHER = Matcher(ExactEngine())
SCHEMA = Draft202012Validator(result_schema())


@pytest.mark.parametrize("case", CASES)
def test_case_comes_out_as_expected(case: dict[str, Any], tmp_path: Path) -> None:
    result = graded(plan_of(case, tmp_path), case)
    SCHEMA.validate(result)
    assert differences(case["expected"], result) == []


@pytest.mark.parametrize("case", CASES)
def test_printed_plan_of_case_comes_out_the_same(case: dict[str, Any], tmp_path: Path) -> None:
    plan = plan_of(case, tmp_path)
    findings: list[Finding] = []
    document = parse_json(Source("plan.json", plan_to_json(plan)), findings.append)
    assert document is not None
    again = plan_from_json(document, findings.append)
    assert (again, [finding for finding in findings if finding.is_error]) == (plan, [])


def test_names_are_unique_within_a_file() -> None:
    names = [case.id for case in CASES]
    assert len(set(names)) == len(names)


def plan_of(case: dict[str, Any], folder: Path) -> Plan:
    path = folder / ("rules.gate" if "gate" in case else "rules.json")
    path.write_text(case["gate"] if "gate" in case else json.dumps(case["rules"]), "utf-8")
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert [finding for finding in findings if finding.is_error] == []
    assert isinstance(loaded, Loaded)
    return ir_to_plan(loaded.rules)


def graded(plan: Plan, case: dict[str, Any]) -> dict[str, Any]:
    findings: list[Finding] = []
    record = read_record(Source("run.json", json.dumps(case["run"])), findings.append, default_id="run")
    assert findings == []
    assert record is not None
    result = grade(plan, record, None, MATCHER, GradeOptions(**case.get("options", {})))
    again = json.loads(results_to_json([result]))
    assert again == result_to_dict(result)
    return again


def differences(expected: object, actual: object, path: str = "result") -> list[str]:
    """Where `actual` does not have what `expected` asks for; see README.md, "expected"."""
    if expected == {"$contains": None}:
        raise AssertionError("an empty expectation")
    if isinstance(expected, dict) and set(expected) == {"$contains"}:
        wanted = expected["$contains"] if isinstance(expected["$contains"], list) else [expected["$contains"]]
        return [f"{path}: {actual!r} lacks {part!r}" for part in wanted if part not in str(actual)]
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{path}: {actual!r} is no object"]
        found = [
            f"{path}.{key}: is there: {actual[key]!r}"
            for key, value in expected.items()
            if value == "$absent" and key in actual
        ]
        for key, value in expected.items():
            if value != "$absent":
                found += (
                    differences(value, actual[key], f"{path}.{key}") if key in actual else [f"{path}.{key}: missing"]
                )
        return found
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{path}: {actual!r} has not {len(expected)} items"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for index, (one, other) in pairs for line in differences(one, other, f"{path}[{index}]")]
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if same else [f"{path}: {actual!r}, expected {expected!r}"]
