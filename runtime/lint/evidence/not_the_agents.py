"""GW405: a target that is written before the agent begins, and that nothing it does can change.

task_description matches `nginx`        holds or not whatever the agent does
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW405, Finding
from ....compiler.ir import PatternMatch
from ..scene import Scene

_WHAT = {
    "task_description": "is the order that the agent was given",
    "operational_rules": "is what the agent was told to keep to",
}


def check(scene: Scene) -> Iterator[Finding]:
    for rule in scene.rules.rules:
        if isinstance(rule.check, PatternMatch) and (what := _WHAT.get(rule.check.where)) is not None:
            yield Finding(
                GW405,
                f"`{rule.check.where}` {what}, so this rule says nothing of what it did",
                rule.check.at("where"),
                help="what the agent did is in `executed_commands`, what it says of it in `task_summary`",
                rule=rule.label,
            )
