"""The checks: one module a validator, and the table of them.

A new validator is one class in the IR, one module here with an `evaluate` that says what its check came to on
the gathered evidence, and one line in `EVALUATE`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..result import Outcome
from . import (
    ansible,
    host_state,
    job_resolution_status,
    pattern_match,
    task_count,
    ticket_status,
    turns,
)
from .gathered import Gathered

EVALUATE: Mapping[str, Callable[..., Outcome]] = {
    "pattern_match": pattern_match.evaluate,
    "task_count": task_count.evaluate,
    "job_resolution_status": job_resolution_status.evaluate,
    "ticket_status": ticket_status.evaluate,
    "host_state": host_state.evaluate,
    "turns": turns.evaluate,
    "ansible": ansible.evaluate,
}
"""By validator: `evaluate(check, index of the rule, gathered evidence)`, before `negate`."""


def evaluate_rules(gathered: Gathered) -> list[Outcome]:
    """What every rule of the plan came to, in order, `negate` applied.

    Rules that speak of the ticket are `skipped` where the plan says so and the run had none (classic page:
    "gateway" rules are for runs that came through the gateway).
    """
    skipped = gathered.plan.gates.skipped_without_ticket if gathered.record.ticket is None else ()
    outcomes: list[Outcome] = []
    for index, rule in enumerate(gathered.plan.rules):
        if index in skipped:
            outcomes.append(Outcome(status="skipped", reason="the run had no ticket", decided=False))
            continue
        outcome = EVALUATE[rule.check.validator](rule.check, index, gathered)
        outcomes.append(outcome.negated() if rule.negate else outcome)
    return outcomes
