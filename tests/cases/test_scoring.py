"""SC: scores and gates at their edges."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Graded = Callable[..., dict[str, Any]]
CLI = Callable[..., Any]

RUN: dict[str, Any] = {"job": {"status": "completed", "tasks": [{"executed_commands": ["ls"]}]}}
PASSES = {"validator": "task_count", "min": 1}
FAILS = {"validator": "task_count", "min": 2}


def rules(passing: int, failing: int, **more: Any) -> list[dict[str, Any]]:
    checks = [*[PASSES] * passing, *[FAILS] * failing]
    return [{"label": f"r{number}", **check, **more} for number, check in enumerate(checks)]


@pytest.mark.parametrize("status", ["completed", "failed", None])
@pytest.mark.parametrize("validation", [[], {"gateway": [], "job": [], "tasks": []}], ids=["flat", "classic"])
def test_no_rules_score_a_hundred_and_completion_alone_decides(
    graded: Graded, status: str | None, validation: object
) -> None:
    """SC-01: documented in SPEC section 8: no rules are 100 %. Completion is a check of flat semantics only."""
    result = graded({"validation": validation}, {"job": {"status": status, "tasks": []}})
    assert result["gates"]["compliance"]["score"] == {"passed": 0, "total": 0, "percent": 100.0}
    passes = status == "completed" or isinstance(validation, dict)
    assert result["verdict"] == ("passed" if passes else "failed")
    assert "NaN" not in json.dumps(result)


def test_report_of_no_rules_says_that_there_are_none(tmp_path: Path, gatewright: CLI) -> None:
    """SC-02: the warning “nothing is graded” is the linter's, and comes later."""
    (tmp_path / "rules.json").write_text("[]", "utf-8")
    (tmp_path / "run.json").write_text(json.dumps(RUN), "utf-8")
    called = gatewright("grade", tmp_path / "rules.json", "--run", tmp_path / "run.json", "--color", "never")
    assert called.code == 0
    assert "0/0" in called.stdout or "no rules" in called.stdout


def test_handed_empty_rules_are_decided_by_completion(handed: Path, graded: Graded) -> None:
    """SC-01 over rules/ported/empty_validation.flat.json"""
    given = json.loads((handed / "rules" / "ported" / "empty_validation.flat.json").read_text("utf-8"))
    assert graded(given, RUN)["verdict"] == "passed"
    assert graded(given, {"job": {"status": "failed", "tasks": []}})["verdict"] == "failed"


@pytest.mark.parametrize(
    ("check", "tasks", "status"),
    [
        ({"validator": "task_count", "max": 0}, 0, "pass"),
        ({"validator": "task_count", "max": 0}, 1, "fail"),
        ({"validator": "task_count", "min": 0}, 0, "pass"),
        ({"validator": "task_count", "min": 0}, 3, "pass"),
        ({"validator": "task_count", "min": 0, "max": 0}, 1, "fail"),
    ],
)
def test_zero_is_a_bound_like_any_other(graded: Graded, check: dict[str, Any], tasks: int, status: str) -> None:
    """SC-04"""
    result = graded([{"label": "r", **check}], {"job": {"status": "completed", "tasks": [{}] * tasks}})
    assert result["rules"][0]["status"] == status


@pytest.mark.parametrize(("answer", "status"), [(0, "pass"), (1, "fail")])
def test_zero_is_an_exit_status_like_any_other(graded: Graded, answer: int, status: str) -> None:
    """SC-04"""
    given = [{"label": "r", "validator": "host_state", "run": "x", "exit_code": 0}]
    result = graded(given, {**RUN, "host_answers": [{"host": "a", "run": "x", "exit_code": answer}]})
    assert result["rules"][0]["status"] == status


def test_rule_in_error_stays_in_the_total_and_wins_over_the_verdict(graded: Graded) -> None:
    """SC-05"""
    given = [*rules(2, 0), {"label": "h", "validator": "host_state", "run": "x"}]
    result = graded(given, RUN)
    assert [rule["status"] for rule in result["rules"]] == ["pass", "pass", "error"]
    assert result["gates"]["compliance"]["score"] == {"passed": 2, "total": 3, "percent": 66.6}
    assert result["verdict"] == "error"


def test_pattern_that_takes_too_long_is_an_error_and_never_a_pass(graded: Graded) -> None:
    """SC-05, RD-01: of a negated rule above all."""
    given = 'require "r": executed_commands never matches `^(a+)+$`\n'
    record = {"job": {"status": "completed", "tasks": [{"executed_commands": ["a" * 40 + "X"]}]}}
    result = graded(given, record, match_timeout=0.05)
    assert result["rules"][0]["status"] in ("error", "pass")
    if result["rules"][0]["status"] == "pass":
        assert "no value matched" in result["rules"][0]["reason"]  # an engine that is never slow has decided it
    else:
        assert result["verdict"] == "error"


@pytest.mark.parametrize(
    "entry",
    [
        {"validator": "turns", "turns": []},
        {"validator": "job_resolution_status", "statuses": []},
        {"validator": "turns", "turns": [{"hosts": []}]},
        {"validator": "turns", "turns": [{}]},
    ],
)
def test_empty_expectation_is_an_error_of_the_rules(
    said_of: Callable[..., list[tuple[str, int, int]]], entry: dict[str, Any]
) -> None:
    """SC-07: SPEC section 4 says GW104."""
    assert [code for code, *_ in said_of(json.dumps([{"label": "r", **entry}]))] == ["GW104"]


@pytest.mark.parametrize(
    ("passing", "failing", "percent", "passes"),
    [
        (4, 1, 80.0, True),
        (7, 2, 77.7, False),
        (199, 50, 79.9, False),
        (399, 100, 79.9, False),
        (8, 2, 80.0, True),
        (5, 1, 83.3, True),
        (0, 1, 0.0, False),
    ],
)
def test_eighty_percent_is_an_exact_fraction_and_shown_rounded_down(
    graded: Graded, passing: int, failing: int, percent: float, passes: bool
) -> None:
    """SC-08: 399 of 499 are 79.96 %, which is neither 80 nor shown as 80."""
    given = {"job": rules(passing, failing, required=False)}
    result = graded(given, RUN)
    assert result["gates"]["compliance"]["score"] == {"passed": passing, "total": passing + failing, "percent": percent}
    assert result["gates"]["resolution"] == {"passed": passes, "basis": "score"}
    assert result["verdict"] == ("passed" if passes else "failed")


def test_optional_rules_never_fail_a_flat_run(graded: Graded) -> None:
    """SC-08 and only_optional_rules: the threshold is one of classic semantics."""
    result = graded(rules(1, 1, required=False), RUN)
    assert result["verdict"] == "passed"
    assert result["gates"]["compliance"]["score"] == {"passed": 1, "total": 2, "percent": 50.0}
    assert graded({"job": rules(1, 1, required=False)}, RUN)["verdict"] == "failed"


@pytest.mark.parametrize(("values", "tested"), [([None, "ls", None], 1), (["ls", ""], 2), ([""], 1)])
def test_null_in_a_list_is_neither_matched_nor_counted(graded: Graded, values: list[str | None], tested: int) -> None:
    """SC-09"""
    record = {"job": {"status": "completed", "tasks": [{"executed_commands": values}]}}
    rule = graded('require "r": executed_commands never matches `null|None`\n', record)["rules"][0]
    assert (rule["status"], rule["values_tested"]) == ("pass", tested)


def test_list_of_nulls_only_is_no_evidence(graded: Graded) -> None:
    """SC-09"""
    record = {"job": {"status": "completed", "tasks": [{"executed_commands": [None, None]}]}}
    rule = graded('require "r": executed_commands never matches `x`\n', record)["rules"][0]
    assert (rule["status"], rule["values_tested"]) == ("fail", 0)
    assert "unavailable" in rule["reason"]
