"""GW401: `task_plan`, a target that no run of today has values for.

Under classic semantics it counts as empty; under flat semantics current records do not have it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW401, Finding
from ....compiler.ir import PatternMatch, Rule
from ..scene import Scene

TARGET = "task_plan"


def check(scene: Scene) -> Iterator[Finding]:
    is_classic = scene.rules.semantics == "classic"
    for rule in scene.rules.rules:
        if isinstance(rule.check, PatternMatch) and rule.check.where == TARGET:
            yield Finding(
                GW401,
                f"`{TARGET}` {_what_follows(scene, rule, rule.check, is_classic=is_classic)}",
                rule.check.at("where"),
                help="the plan of a job is in `job_plan`; what was done is in `executed_commands`",
                rule=rule.label,
            )


def _what_follows(scene: Scene, rule: Rule, check_: PatternMatch, *, is_classic: bool) -> str:
    if is_classic:
        passes = _passes_without_values(scene, rule, check_)
        return f"is always empty, so this rule {'passes wherever there is a task' if passes else 'never passes'}"
    if rule.negate:
        return "is in no current record, and where it is missing this rule fails"
    return "is in no current record, so this rule passes on old ones only"


def _passes_without_values(scene: Scene, rule: Rule, check_: PatternMatch) -> bool:
    """What comes of a classic rule where a task has no values: they join to the empty text, and `.*` is found in it.
    Counts, orders and rules of a host look at single values, and find none."""
    if check_.extension is None:
        return (scene.matches(check_.pattern, "") is True) != rule.negate
    if check_.how_often is not None:
        return check_.how_often.bound == "at most" or check_.how_often.times == 0
    return rule.negate
