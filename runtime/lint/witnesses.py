"""Witnesses put to the test: what a finding claims of a string is asked of the engine that grades."""

from __future__ import annotations

from ...compiler.findings import Witness
from .scene import Scene


def holds(witness: Witness | None, scene: Scene) -> bool:
    """Whether a witness does what it claims; where there is none, nothing is claimed.

    Runs claim nothing here: whoever made one has graded it.
    """
    if witness is None or witness.is_run:
        return True
    matched = (scene.matches(pattern, witness.value) is True for pattern in witness.matches)
    missed = (scene.matches(pattern, witness.value) is False for pattern in witness.misses)
    return all(matched) and all(missed)
