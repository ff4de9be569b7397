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
                f"`{TARGET}` {_what_follows(rule, is_classic=is_classic)}",
                rule.check.at("where"),
                help="the plan of a job is in `job_plan`; what was done is in `executed_commands`",
                rule=rule.label,
            )


def _what_follows(rule: Rule, *, is_classic: bool) -> str:
    if is_classic:
        return f"is always empty, so this rule {'always passes' if rule.negate else 'never passes'}"
    if rule.negate:
        return "is in no current record, and where it is missing this rule fails"
    return "is in no current record, so this rule passes on old ones only"
