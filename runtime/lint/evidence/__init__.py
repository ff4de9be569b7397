"""Findings about the evidence that rules read (GW401–GW407)."""

from __future__ import annotations

from ..scene import Check
from . import always_empty_target, not_the_agents, path_target, prose_target

CHECKS: tuple[Check, ...] = (
    always_empty_target.check,  # GW401
    prose_target.check,  # GW402
    not_the_agents.check,  # GW405
    path_target.check,  # GW407
)
