"""Scores and gates: exact fractions, gates that errors leave open."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.plan import Gates
from gatewright.runtime.evidence.record import Job
from gatewright.runtime.result import Score
from gatewright.runtime.score import Grade, grade_statuses

WORDS = {"p": "pass", "f": "fail", "e": "error", "s": "skipped"}


def graded(statuses: str, *, job: str | None = "completed", **gates: Any) -> Grade:
    return grade_statuses(Gates(**gates), [WORDS[letter] for letter in statuses], Job(status=job))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("passed", "total", "percent"),
    [
        (0, 0, 100.0),
        (0, 3, 0.0),
        (1, 3, 33.3),
        (2, 3, 66.6),
        (4, 5, 80.0),
        (7, 9, 77.7),
        (1999, 2500, 79.9),
        (5, 5, 100),
    ],
)
def test_percent_is_rounded_down(passed: int, total: int, percent: float) -> None:
    assert Score(passed=passed, total=total).percent == percent


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_percent_never_reaches_a_bar_that_the_fraction_does_not(passed: int, total: int) -> None:
    if passed <= total:
        assert (Score(passed=passed, total=total).percent >= 80) is (5 * passed >= 4 * total)


@pytest.mark.parametrize(
    ("statuses", "passed"), [("ppppf", True), ("pppf", False), ("p" * 7 + "ff", False), ("", True)]
)
def test_80_percent_is_an_exact_bar(statuses: str, passed: bool) -> None:
    everything = tuple(range(len(statuses)))
    assert graded(statuses, score=everything, basis="score").resolution.passed is passed


@pytest.mark.parametrize(
    ("statuses", "passed"),
    [
        ("ppppe", True),  # 4 of 5 whatever the fifth had been
        ("pppfe", None),  # 4 of 5 had it passed
        ("ppffe", False),  # at most 3 of 5
        ("e", None),
    ],
)
def test_error_leaves_the_score_open_only_where_it_matters(statuses: str, passed: bool | None) -> None:
    grades = graded(statuses, score=tuple(range(len(statuses))), basis="score")
    assert grades.resolution.passed is passed
    assert grades.verdict == "error"


@pytest.mark.parametrize(
    ("statuses", "passed"), [("pp", True), ("pf", False), ("pe", None), ("fe", False), ("ps", True), ("ss", True)]
)
def test_compliance_is_closed_by_a_failure_and_left_open_by_an_error(statuses: str, passed: bool | None) -> None:
    assert graded(statuses, compliance=(0, 1), basis="compliance").compliance.passed is passed


@pytest.mark.parametrize(("statuses", "passed"), [("pp", True), ("pf", False), ("pe", None), ("fe", False)])
@pytest.mark.parametrize("basis", ["playbook", "ground_truth"])
def test_resolution_is_closed_by_a_failure_and_left_open_by_an_error(
    basis: str, statuses: str, passed: bool | None
) -> None:
    assert graded(statuses, resolution=(0, 1), basis=basis).resolution.passed is passed


def test_resolution_by_score_follows_compliance_first() -> None:
    ten = tuple(range(10))
    assert graded("f" + "p" * 9, score=ten, compliance=(0,), basis="score").resolution.passed is False
    assert graded("e" + "p" * 9, score=ten, compliance=(0,), basis="score").resolution.passed is None


@pytest.mark.parametrize(("job", "status"), [("completed", "pass"), ("failed", "fail"), (None, "fail")])
def test_job_completed_belongs_to_compliance(job: str | None, status: str) -> None:
    grades = graded("p", job=job, compliance=(0,), job_completed=True, basis="compliance")
    assert [check.status for check in grades.implicit] == [status]
    assert grades.compliance.passed is (status == "pass")
    assert grades.resolution.passed is (status == "pass")


def test_skipped_rules_leave_the_score_and_error_ones_stay() -> None:
    score = graded("pses", score=(0, 1, 2, 3), basis="score").compliance.score
    assert (score.passed, score.total) == (1, 2)


@given(st.text("pfes", max_size=8), st.sampled_from(["playbook", "score", "ground_truth", "compliance"]))
def test_open_gate_is_what_the_errors_make_of_it(statuses: str, basis: Any) -> None:
    """Open: it passes when every error is read as a pass, and fails when every error is read as a fail."""
    gates = {"score": tuple(range(len(statuses))), "basis": basis}
    gates |= {"compliance": tuple(range(0, len(statuses), 2)), "resolution": tuple(range(1, len(statuses), 2))}
    now = graded(statuses, **gates)
    best, worst = (graded(statuses.replace("e", letter), **gates) for letter in "pf")
    for gate in ("compliance", "resolution"):
        high, low = getattr(best, gate).passed, getattr(worst, gate).passed
        assert getattr(now, gate).passed is (high if high is low else None)
