"""Findings about regular expressions (GW202–GW213)."""

from __future__ import annotations

from ..scene import Check

CHECKS: tuple[Check, ...] = ()
