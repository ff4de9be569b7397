"""GW311: no rule, or none that a run must pass."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW311, Finding
from ..scene import Scene
from .places import decides, place_of_the_whole


def check(scene: Scene) -> Iterator[Finding]:
    rules = scene.rules.rules
    if any(decides(scene, rule) for rule in rules) or not scene.is_whole:
        return
    if not rules and _gives_only_names(scene):
        return
    classic = scene.rules.semantics == "classic"
    passes = "every run passes" if classic else "every run whose job completed passes"
    if not rules:
        message = f"there is no rule: {passes}"
    elif classic:
        message = "no rule is required: only the score decides"
    else:
        message = f"no rule is required: {passes}"
    yield Finding(GW311, message, place_of_the_whole(scene), help="require what a good run must have done")


def _gives_only_names(scene: Scene) -> bool:
    """Whether a `.gate` file is there to be included for its lets, or includes others that may have been unreadable."""
    file = scene.loaded.file
    if file is None:
        return False
    from ....grammar import syntax

    return any(
        isinstance(statement, syntax.Include) or (isinstance(statement, syntax.Let) and not scene.loaded.in_scenario)
        for statement in file.statements
    )
