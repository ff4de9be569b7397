"""Statuses of rules → score, gates, verdict.

    Statuses pass, fail, pass, pass, pass of five optional classic rules:
    score 4 of 5, so 5 · 4 ≥ 4 · 5: the resolution gate passes, and with it the run.

Both ways of scoring are the plan's business (`Gates` says which rules count where); what is left here is
arithmetic. A rule in `error` counts in the total and not in the passed, and can only leave a gate open: a
gate is false when something in it has failed for certain, true when everything in it has passed, else null.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..compiler.plan import Gates
from .evidence.record import Job
from .result import ComplianceGate, ImplicitCheck, ResolutionGate, Score, Status, Verdict

JOB_COMPLETED = "Job completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What the statuses of all rules come to."""

    compliance: ComplianceGate
    resolution: ResolutionGate
    implicit: tuple[ImplicitCheck, ...]
    verdict: Verdict


def grade_statuses(gates: Gates, statuses: Sequence[Status], job: Job) -> Grade:
    """Score, gates and verdict of a run; `statuses` are those of the plan's rules, in order."""
    implicit = (job_completed(job),) if gates.job_completed else ()
    counted = [statuses[rule] for rule in gates.score if statuses[rule] != "skipped"]
    score = Score(passed=counted.count("pass"), total=len(counted))
    required: list[Status] = [
        *(statuses[rule] for rule in gates.compliance),
        *(check.status for check in implicit),
    ]
    compliance = _all(map(_passed, required))
    match gates.basis:
        case "playbook" | "ground_truth":
            resolution = _all(_passed(statuses[rule]) for rule in gates.resolution)
        case "score":
            resolution = _all([compliance, _reaches_80_percent(score, counted.count("error"))])
        case "compliance":
            resolution = compliance
    if "error" in statuses:
        verdict: Verdict = "error"
    else:
        verdict = "passed" if compliance and resolution else "failed"
    return Grade(
        compliance=ComplianceGate(passed=compliance, score=score),
        resolution=ResolutionGate(passed=resolution, basis=gates.basis),
        implicit=implicit,
        verdict=verdict,
    )


def job_completed(job: Job) -> ImplicitCheck:
    """The check that flat runs have without asking: "the engine first checks that the job completed"
    (0.19)."""
    if job.status == "completed":
        return ImplicitCheck(label=JOB_COMPLETED, status="pass", reason="the job is completed")
    said = f"the job is {job.status}" if job.status is not None else "evidence unavailable: job status"
    return ImplicitCheck(label=JOB_COMPLETED, status="fail", reason=said)


def _passed(status: Status) -> bool | None:
    """None: not known. A skipped rule is left out, so it fails nothing."""
    return None if status == "error" else status != "fail"


def _all(parts: Iterable[bool | None]) -> bool | None:
    known = list(parts)
    if False in known:
        return False
    return None if None in known else True


def _reaches_80_percent(score: Score, errors: int) -> bool | None:
    """The classic bar, on the exact fraction; None while it depends on how rules in `error` would have
    ended."""
    if 5 * score.passed >= 4 * score.total:
        return True
    return None if 5 * (score.passed + errors) >= 4 * score.total else False
