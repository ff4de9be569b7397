"""Findings about the evidence that rules read (GW401–GW407)."""

from __future__ import annotations

from ..scene import Check

CHECKS: tuple[Check, ...] = ()
