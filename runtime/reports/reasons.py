"""Why the gates of a result came out as they did, in one sentence each: for every report that is read by
people.

The sentences name the rules that decided. Labels stand in them safe to show on a terminal (see `escape`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...compiler.ir import GROUND_TRUTH
from ..result import ImplicitCheck, Result, RuleResult
from .escape import safe_line


def compliance_reason(result: Result) -> str:
    """Why the compliance gate passed, failed or stayed open; empty for a run that was not graded."""
    gate = result.compliance
    if gate is None:
        return ""
    process = [rule for rule in result.rules if rule.validator not in GROUND_TRUTH and rule.required]
    checks = [*process, *result.implicit]
    if gate.passed is None:
        return _could_not(checks)
    if not gate.passed:
        return _failed(checks) or "a required process rule did not pass"
    counted = [rule for rule in process if rule.status != "skipped"]
    said = "every required process rule passed" if counted else "no process rule is required"
    return said + "".join(f", {check.label[:1].lower()}{check.label[1:]}" for check in result.implicit)


def resolution_reason(result: Result) -> str:
    """Why the resolution gate (*remediation* in flat runs) passed, failed or stayed open."""
    gate, compliance = result.resolution, result.compliance
    if gate is None or compliance is None:
        return ""
    match gate.basis:
        case "playbook":
            deciding = [rule for rule in result.rules if rule.validator == "ansible"]
            passed = "every playbook passed" if len(deciding) > 1 else f"{_names(deciding)} passed"
        case "ground_truth":
            deciding = [rule for rule in result.rules if rule.validator in GROUND_TRUTH and rule.required]
            passed = "every required host rule passed" if len(deciding) > 1 else f"{_names(deciding)} passed"
        case "score":
            return _score_reason(result)
        case "compliance":
            state = {True: "passed", False: "failed", None: "is open"}[compliance.passed]
            return f"no host rule is required: decided by compliance, which {state}"
    if gate.passed is None:
        return _could_not(deciding)
    return passed if gate.passed else _failed(deciding) or "a required host rule did not pass"


def _score_reason(result: Result) -> str:
    """For the basis `score`: compliance passed and at least 80 % of the process rules did (as an exact
    fraction)."""
    if result.compliance is None or result.resolution is None:
        return ""
    score = result.compliance.score
    enough = 5 * score.passed >= 4 * score.total
    if result.resolution.passed:
        return f"compliance passed and the score of {score.percent:.1f} % is at least 80 %"
    if result.resolution.passed is None:
        return _could_not(result.rules)
    faults = [] if result.compliance.passed else ["compliance did not pass"]
    faults += [] if enough else [f"the score of {score.percent:.1f} % is below 80 %"]
    return " and ".join(faults) or "compliance passed, the score is not enough"


def _could_not(checks: Iterable[RuleResult | ImplicitCheck]) -> str:
    names = _names(check for check in checks if check.status == "error")
    return f"{names} could not be evaluated" if names else "a rule could not be evaluated"


def _failed(checks: Iterable[RuleResult | ImplicitCheck]) -> str:
    """What did not pass: `“A” and “B” failed, “C” could not be evaluated`; empty where everything passed."""
    kept = list(checks)
    failed = _names(check for check in kept if check.status == "fail")
    error = _names(check for check in kept if check.status == "error")
    parts = [f"{failed} failed"] if failed else []
    parts += [f"{error} could not be evaluated"] if error else []
    return ", ".join(parts)


def _names(checks: Iterable[RuleResult | ImplicitCheck]) -> str:
    """`“A”`, `“A” and “B”`, `“A”, “B” and “C”`."""
    names = [f"“{safe_line(check.label)}”" for check in checks]
    return " and ".join(", ".join(part) for part in (names[:-1], names[-1:]) if part)
