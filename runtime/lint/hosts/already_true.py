"""GW509: a required host rule that held on the broken machine, before an agent did anything."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW509, Finding
from ..scene import Scene

_HELP = "ask for what the fault broke; a rule that only guards against harm may be allowed with its reason"


def check(scene: Scene) -> Iterator[Finding]:
    held = scene.options.held_before
    if not held:
        return
    for rule in scene.rules.rules:
        if rule.is_ground_truth and rule.required and rule.label in held:
            message = "the rule held before the agent did anything, so it says nothing of a repair"
            yield Finding(GW509, message, rule.check.span or rule.span, help=_HELP, rule=rule.label)
