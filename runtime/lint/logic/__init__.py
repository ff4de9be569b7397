"""Findings about what rules can decide (GW302–GW312)."""

from __future__ import annotations

from ..scene import Check
from . import (
    always_passes,
    contradiction,
    duplicate_label,
    never_passes,
    no_effect,
    no_ground_truth,
    nothing_is_graded,
    optional_can_fail,
    redundant,
    several_playbooks,
)

CHECKS: tuple[Check, ...] = (
    never_passes.check,
    always_passes.check,
    contradiction.check,
    redundant.check,
    duplicate_label.check,
    optional_can_fail.check,
    no_ground_truth.check,
    no_effect.check,
    nothing_is_graded.check,
    several_playbooks.check,
)
