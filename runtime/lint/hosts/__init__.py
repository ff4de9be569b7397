"""Findings about commands that run on hosts (GW501–GW509)."""

from __future__ import annotations

from ..scene import Check
from . import (
    already_true,
    always_succeeds,
    changes_state,
    default_host,
    masked_status,
    may_ask,
    never_ends,
    no_time_limit,
    shell_syntax,
)

CHECKS: tuple[Check, ...] = (
    always_succeeds.check,
    masked_status.check,
    changes_state.check,
    never_ends.check,
    may_ask.check,
    default_host.check,
    no_time_limit.check,
    shell_syntax.check,
    already_true.check,
)
