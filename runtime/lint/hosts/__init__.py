"""Findings about commands that run on hosts (GW501–GW509)."""

from __future__ import annotations

from ..scene import Check

CHECKS: tuple[Check, ...] = ()
