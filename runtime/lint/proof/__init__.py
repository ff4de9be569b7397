"""Findings about agents that pass without having done the work (GW301, GW309, GW403, GW404)."""

from __future__ import annotations

from ..scene import Check
from . import evadable_ban, idle_agent_passes, mention_passes, self_report_passes

CHECKS: tuple[Check, ...] = (
    idle_agent_passes.check,
    self_report_passes.check,
    mention_passes.check,
    evadable_ban.check,
)
