"""The result of grading one run: statuses of rules, two gates, a verdict (`gatewright/result/1`).

Results are plain values: reports are made from them alone, and the same input gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RESULT_SCHEMA = "gatewright/result/1"
RESULTS_SCHEMA = "gatewright/results/1"

Status = Literal["pass", "fail", "error", "skipped"]
Verdict = Literal["passed", "failed", "error"]
Basis = Literal["playbook", "score", "ground_truth", "compliance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The first matching value, in record order; for a failed negated rule, the offender."""

    task: str | None = None
    """Id of the task, or its number from 1 where it has none; None for job and gateway targets."""
    value: int | None = None
    """Which value of the task (or of the target), from 0; None under classic semantics, where values are joined."""
    excerpt: str
    """The matched text with some of its surroundings, at most 200 characters."""
    start: int
    """Offset of the match in UTF-16 code units: in the value, under classic semantics in the joined text."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleResult:
    """What became of one rule. Fields that do not apply are None and left out of the JSON."""

    label: str
    validator: str
    required: bool
    negate: bool
    status: Status
    reason: str
    """One sentence: why."""
    target: str | None = None
    values_tested: int | None = None
    """Number of all values of the target in this run."""
    match: Match | None = None
    host: str | None = None
    exit_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None
    wanted: bool = True
    """Not part of the JSON: False when the status came from want of evidence, which `negate` must not swap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplicitCheck:
    """A check that no rule asks for: *Job completed*."""

    label: str
    status: Status
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Rules that passed, of all that count."""

    passed: int
    total: int

    @property
    def percent(self) -> float:
        """Rounded down to one decimal, so that 79.96 % is never shown as 80; 100 where no rule counts."""
        return 100.0 if self.total == 0 else (1000 * self.passed // self.total) / 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceGate:
    passed: bool | None
    """None when a rule in `error` leaves it open."""
    score: Score


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionGate:
    passed: bool | None
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What was graded with what: SHA-256 of both inputs, and the grader's version."""

    rules: str
    evidence: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One graded run. A run that could not be read has verdict `error`, a `problem`, and neither rules nor gates."""

    scenario: str | None
    run: str
    semantics: str
    verdict: Verdict
    compliance: ComplianceGate | None = None
    resolution: ResolutionGate | None = None
    rules: tuple[RuleResult, ...] = ()
    implicit: tuple[ImplicitCheck, ...] = ()
    problem: str | None = None
    provenance: Provenance
