"""The plan: the executable form of a set of rules.

It says which evidence to fetch, which patterns to run over which target in one pass, which commands to run on which
host over one connection, which playbooks to run, and how the gates follow from the rules. It knows no file format and
no run: `ir_to_plan` makes it, the runtime runs it, `gatewright compile` prints it, and a printed plan runs like the rules
it came from.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .ir import Exit, NonEmpty, Positive, Rule
from .vocabulary import Semantics

PLAN_SCHEMA = "gatewright/plan/1"


class PlanPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Fetch(PlanPart):
    """The evidence that the rules need; nothing else of a run is read."""

    task_targets: tuple[str, ...] = ()
    """Task targets whose values some pattern reads."""
    tasks: bool = False
    """Whether the list of tasks is needed (by task targets, `task_count`, `turns` or `on HOST`)."""
    task_times: bool = False
    """Whether turns and times of tasks are needed (by `turns` and `before`)."""
    job: tuple[str, ...] = ()
    """Fields of the job: `status`, `resolution_status`, `resolution`, `plan`."""
    ticket: tuple[str, ...] = ()
    """Fields of the ticket: `status`, `messages`."""


class PatternUse(PlanPart):
    """One pattern of one rule."""

    rule: int
    """Index into `rules`."""
    pattern: NonEmpty
    role: Literal["search", "before"] = "search"
    """`before`: the second pattern of an `A before B` check."""


class TargetPatterns(PlanPart):
    """All patterns over one target, for one pass over its values."""

    target: str
    patterns: tuple[PatternUse, ...]


class HostCommand(PlanPart):
    """A command of a `host_state` rule."""

    rule: int
    run: NonEmpty
    exit_code: Exit = 0
    within: Positive | None = None


class HostCommands(PlanPart):
    """All commands of one host, run in this order over one connection; hosts run side by side."""

    host: str | None
    """None: the only host of the inventory or the record (the rules declare no hosts and name none)."""
    commands: tuple[HostCommand, ...]


class Playbook(PlanPart):
    """The playbook of an `ansible` rule, relative to the file of the rules."""

    rule: int
    path: NonEmpty


class Gates(PlanPart):
    """How score, gates and verdict follow from the statuses of the rules. The sets hold indexes into `rules`."""

    score: tuple[int, ...]
    """Rules that the compliance score counts: passed ÷ all."""
    compliance: tuple[int, ...]
    """Rules that must pass for the compliance gate."""
    job_completed: bool
    """Whether the implicit check *Job completed* belongs to the compliance gate."""
    resolution: tuple[int, ...]
    """Rules that must pass for the resolution gate; empty where `basis` speaks of no rule."""
    basis: Literal["playbook", "score", "ground_truth", "compliance"]
    """What decides the resolution gate: every playbook; compliance gate and a score of 80 % or more; every required
    ground-truth rule; the compliance gate alone."""
    skipped_without_ticket: tuple[int, ...] = ()
    """Rules that are `skipped` in a run without a ticket."""
    formula: tuple[str, ...]
    """The same in words."""


class Plan(PlanPart):
    """An executable set of rules."""

    schema_: Literal["gatewright/plan/1"] = Field(default="gatewright/plan/1", alias="schema")
    scenario: str | None = None
    title: str | None = None
    semantics: Semantics = "flat"
    hosts: tuple[str, ...] | None = None
    """Hosts of the scenario, the first being the default of host rules; None: not declared."""
    rules: tuple[Rule, ...] = ()
    fetch: Fetch = Fetch()
    patterns: tuple[TargetPatterns, ...] = ()
    host_commands: tuple[HostCommands, ...] = ()
    playbooks: tuple[Playbook, ...] = ()
    gates: Gates

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, populate_by_name=True, serialize_by_alias=True
    )
