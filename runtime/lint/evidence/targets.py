"""A rule made to read another target."""

from __future__ import annotations

from ....compiler.findings import Edit, Fix
from ....compiler.vocabulary import TARGETS
from ..edits import with_value
from ..scene import PatternUse, Scene

COMMANDS = "executed_commands"


def with_commands(scene: Scene, use: PatternUse) -> Fix | None:
    """Let the rule read the commands that were run; none where it would have to stand in another group."""
    span = use.check.at("where")
    if span is None or (scene.loaded.form == "grouped" and TARGETS[use.where].scope != "task"):
        return None
    edit = Edit(span, COMMANDS) if span.text == use.where else with_value(span, COMMANDS)
    return Fix(f"search `{COMMANDS}`", (edit,)) if edit is not None else None
