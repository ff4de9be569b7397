"""Findings about what changes when rules are converted (GW601–GW604, for a target form)."""

from __future__ import annotations

from ..scene import Check
from . import losses, may_differ

CHECKS: tuple[Check, ...] = (losses.check, may_differ.check)
