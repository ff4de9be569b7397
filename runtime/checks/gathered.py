"""What the checks of one run look at: the record, and what was fetched or searched once for the whole
plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...compiler.plan import Plan
from ..evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from ..result import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The evidence of one run, fetched. Mappings are by index of the rule in the plan."""

    plan: Plan
    record: RunRecord
    patterns: Mapping[int, Outcome]
    """What searching came to, for every `pattern_match` rule."""
    host_answers: Mapping[int, HostAnswer]
    """How the command of every `host_state` rule ended, or why it did not run."""
    playbooks: Mapping[int, PlaybookAnswer]
    """How the playbook of every `ansible` rule ended, or why it did not run."""
