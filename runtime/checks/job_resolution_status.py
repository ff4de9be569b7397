"""`job_resolution_status`: the job's final resolution status is one of a list (classic and flat page)."""

from __future__ import annotations

from ...compiler.ir import JobResolutionStatus
from ..result import Outcome, no_evidence, passed_if
from .gathered import Gathered
from .target_values import UNAVAILABLE


def evaluate(check: JobResolutionStatus, _rule: int, gathered: Gathered) -> Outcome:
    """Compared exactly, case included."""
    status = gathered.record.job.resolution_status
    if status is None:
        return no_evidence(f"{UNAVAILABLE}: job resolution status")
    named = ", ".join(check.statuses)
    return passed_if(status in check.statuses, f"the job resolved as {status} (the rule names {named})")
