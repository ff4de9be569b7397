"""Findings about what rules can decide (GW302–GW312)."""

from __future__ import annotations

from ..scene import Check

CHECKS: tuple[Check, ...] = ()
