"""Results as JSON: keys, what is left out, several results, escapes, schemas."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gatewright.runtime.result import (
    ComplianceGate,
    ImplicitCheck,
    Match,
    Outcome,
    Provenance,
    ResolutionGate,
    Result,
    RuleResult,
    Score,
    Timing,
    could_not,
    no_evidence,
    passed_if,
)
from gatewright.runtime.result_json import (
    json_text,
    result_schema,
    result_to_dict,
    result_to_line,
    results_schema,
    results_to_dict,
    results_to_json,
)

PATTERN = RuleResult(
    label="Restarted",
    validator="pattern_match",
    required=True,
    negate=False,
    status="pass",
    reason="task t1, value 3 matched: x",
    target="executed_commands",
    values_tested=7,
    match=Match(task="t1", value=3, excerpt="x", start=0, end=1),
)
HOST = RuleResult(
    label="Serves",
    validator="host_state",
    required=False,
    negate=False,
    status="error",
    reason="unreachable",
    host="web-01",
)
GRADED = Result(
    scenario="s",
    run="r",
    semantics="flat",
    verdict="error",
    compliance=ComplianceGate(passed=True, score=Score(passed=1, total=3)),
    resolution=ResolutionGate(passed=None, basis="ground_truth"),
    rules=(PATTERN, HOST),
    implicit=(ImplicitCheck(label="Job completed", status="pass", reason="the job is completed"),),
    provenance=Provenance(rules="sha256:1", evidence="sha256:2", version="0.1.0"),
)
BROKEN = Result(
    scenario=None,
    run="bad.json",
    semantics="classic",
    verdict="error",
    problem="line 3: not JSON",
    provenance=Provenance(rules="sha256:1", evidence="", version="0.1.0"),
)


def test_graded_run() -> None:
    assert result_to_dict(GRADED) == {
        "schema": "gatewright/result/1",
        "scenario": "s",
        "run": "r",
        "semantics": "flat",
        "verdict": "error",
        "gates": {
            "compliance": {"passed": True, "score": {"passed": 1, "total": 3, "percent": 33.3}},
            "resolution": {"passed": None, "basis": "ground_truth"},
        },
        "rules": [
            {
                "label": "Restarted",
                "validator": "pattern_match",
                "required": True,
                "negate": False,
                "status": "pass",
                "reason": "task t1, value 3 matched: x",
                "target": "executed_commands",
                "values_tested": 7,
                "match": {"task": "t1", "value": 3, "excerpt": "x", "start": 0, "end": 1},
            },
            {
                "label": "Serves",
                "validator": "host_state",
                "required": False,
                "negate": False,
                "status": "error",
                "reason": "unreachable",
                "host": "web-01",
            },
        ],
        "implicit": [{"label": "Job completed", "status": "pass", "reason": "the job is completed"}],
        "provenance": {"rules": "sha256:1", "evidence": "sha256:2", "version": "0.1.0"},
    }


def test_run_that_was_not_graded_has_no_gates() -> None:
    found = result_to_dict(BROKEN)
    assert list(found) == ["schema", "run", "semantics", "verdict", "problem", "rules", "provenance"]
    assert found["rules"] == []


def test_timing_only_where_there_is_one() -> None:
    timed = replace(GRADED, timing=Timing(started_at="2026-05-01T10:00:00+00:00", seconds=0.25))
    assert result_to_dict(timed)["timing"] == {"started_at": "2026-05-01T10:00:00+00:00", "seconds": 0.25}
    assert "timing" not in result_to_dict(GRADED)


def test_exactly_one_result_is_its_object() -> None:
    assert json.loads(results_to_json([GRADED])) == result_to_dict(GRADED)


@pytest.mark.parametrize("results", [[], [GRADED, BROKEN]])
def test_any_other_number_is_a_results_object(results: list[Result]) -> None:
    found = json.loads(results_to_json(results))
    assert found == results_to_dict(results)
    assert found["schema"] == "gatewright/results/1"
    assert len(found["results"]) == len(results)


def test_line_is_one_line() -> None:
    line = result_to_line(GRADED)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    assert json.loads(line) == result_to_dict(GRADED)


@pytest.mark.parametrize("unseen", ["\x1b", "\x7f", "\x9b", "\u202e", "\u2028", "\ud83d", "\ufeff", "\U000e0041"])
def test_what_acts_on_a_terminal_or_cannot_be_encoded_is_escaped(unseen: str) -> None:
    text = json_text({"a": f"é😀{unseen}"})
    assert "é😀" in text
    assert unseen not in text
    text.encode()
    assert json.loads(text) == {"a": f"é😀{unseen}"}


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_escaped_text_comes_back(text: str) -> None:
    expected = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert json.loads(json_text(text)) == expected


def test_results_keep_their_schemas() -> None:
    one, several = Draft202012Validator(result_schema()), Draft202012Validator(results_schema())
    for schema in (result_schema(), results_schema()):
        Draft202012Validator.check_schema(schema)
    for result in (GRADED, BROKEN):
        one.validate(result_to_dict(result))
    several.validate(results_to_dict([GRADED, BROKEN]))
    assert not one.is_valid({**result_to_dict(GRADED), "surprise": 1})
    assert not one.is_valid({**result_to_dict(GRADED), "verdict": "pass"})


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (passed_if(True, "r"), "fail"),
        (passed_if(False, "r"), "pass"),
        (no_evidence("r"), "fail"),
        (could_not("r"), "error"),
        (Outcome(status="skipped", reason="r"), "skipped"),
    ],
)
def test_negate_swaps_what_evidence_decided_and_nothing_else(outcome: Outcome, status: str) -> None:
    assert outcome.negated() == replace(outcome, status=status)  # type: ignore[arg-type]
