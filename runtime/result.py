"""The result of grading one run: statuses of rules, two gates, a verdict (`gatewright/result/1`).

Results are plain values: reports are made from them alone, and the same input gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ..compiler.plan import Basis

RESULT_SCHEMA = "gatewright/result/1"
RESULTS_SCHEMA = "gatewright/results/1"

Status = Literal["pass", "fail", "error", "skipped"]
Verdict = Literal["passed", "failed", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The first matching value, in record order; for a failed negated rule, the offender."""

    task: str | None = None
    """Id of the task, or its number from 1 where it has none; None for job and gateway targets."""
    value: int | None = None
    """Which value of the task (or of the target), from 0; None under classic semantics, where values are
    joined."""
    excerpt: str
    """The matched text with some of its surroundings, at most 200 characters."""
    start: int | None
    """Offset of the match in UTF-16 code units: in the value, under classic semantics in the joined text. None where it
    is certain that the value matches, and its place would take longer to find than a match may take."""
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a check came to, before `negate`. Fields that do not apply are None.

    `reason` states the facts, not what follows from them, so that it is as true of the negated rule:
    “no value matched (7 checked)” fails a rule and passes its negation.
    """

    status: Status
    reason: str
    """One sentence without a full stop: why."""
    decided: bool = True
    """Whether evidence decided it. A failure for want of evidence is not decided, and stays a failure when
    negated; nor is `error` or `skipped`."""
    values_tested: int | None = None
    match: Match | None = None
    host: str | None = None
    exit_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None

    def negated(self) -> Outcome:
        """Pass and fail swapped, where evidence decided between them."""
        match self.status:
            case "pass" if self.decided:
                return replace(self, status="fail")
            case "fail" if self.decided:
                return replace(self, status="pass")
            case _:
                return self


def passed_if(holds: bool, reason: str) -> Outcome:
    """A check that evidence decided."""
    return Outcome(status="pass" if holds else "fail", reason=reason)


def no_evidence(reason: str) -> Outcome:
    """A check that fails because there is nothing to decide it on."""
    return Outcome(status="fail", reason=reason, decided=False)


def could_not(reason: str) -> Outcome:
    """A check that could not be evaluated."""
    return Outcome(status="error", reason=reason, decided=False)


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
    """The host that a command ran on; None where there is no such command, or no host to name."""
    exit_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None
    held_before: bool | None = None
    """Whether a host rule would have passed before the run, as a baseline has it; None where there is none, or it does
    not decide the rule."""


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
class Timing:
    """When and how long a run was graded."""

    started_at: str
    """RFC 3339, UTC."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One graded run. A run that could not be read has verdict `error`, a `problem`, and neither rules nor
    gates."""

    scenario: str | None
    run: str
    semantics: str
    verdict: Verdict
    compliance: ComplianceGate | None = None
    resolution: ResolutionGate | None = None
    rules: tuple[RuleResult, ...] = ()
    implicit: tuple[ImplicitCheck, ...] = ()
    problem: str | None = None
    """Why the run was not graded; None for every graded one."""
    provenance: Provenance
    timing: Timing | None = None
    """Only on demand, since it differs from one time to the next."""
