"""The plan: the executable form of a set of rules.

It says which evidence to fetch, which patterns to run over which target in one pass, which commands to run on
which host over one connection, which playbooks to run, and how the gates follow from the rules. It knows no
file format and no run: `ir_to_plan` makes it, the runtime runs it, `gatewright compile` prints it, and a
printed plan runs like the rules it came from.

    { "schema": "gatewright/plan/1", "semantics": "flat", "hosts": ["web-01"],
      "rules": [ { "label": "Serves", "check": { "validator": "host_state", "run": "curl -sf localhost" } } ],
      "fetch": { "job": ["status"] },
      "host_commands": [ { "host": "web-01", "commands": [ { "rule": 0, "run": "curl -sf localhost" } ] } ],
      "gates": { "score": [0], "job_completed": true, "resolution": [0], "basis": "ground_truth",
                 "formula": ["score = passed ÷ 1 rule (all rules, required or not)", "…"] } }

In the JSON a field that has its default is left out, but for `schema`, `semantics` and `validator`; the
defaults are those of the classes below and of the rules (`required` true, `negate` false, `exit_code` 0, no
list, no bound).
"""

from __future__ import annotations

from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from .ir import Exit, NonEmpty, Positive, Rule
from .json_output import json_text
from .vocabulary import Semantics

PLAN_SCHEMA = "gatewright/plan/1"

Basis = Literal["playbook", "score", "ground_truth", "compliance"]


class PlanPart(BaseModel):
    """Base of the parts: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Fetch(PlanPart):
    """The evidence that the rules need; nothing else of a run is read."""

    task_targets: tuple[str, ...] = ()
    """Task targets whose values some pattern reads; for `invocations`, `executed_commands`. Not `task_plan` under
    classic semantics: it counts as empty."""
    tasks: bool = False
    """Whether the list of tasks is needed (by task targets, `task_count` and `turns`)."""
    task_hosts: bool = False
    """Whether the hosts of tasks are needed (by `turns` and `on HOST`)."""
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
    """Index into `rules`."""
    run: NonEmpty
    exit_code: Exit = 0
    """The exit status with which the rule passes."""
    within: Positive | None = None
    """Seconds during which the command is tried again, once a second; None: one try."""


class HostCommands(PlanPart):
    """All commands of one host, run in this order over one connection; hosts run side by side."""

    host: str | None = None
    """None: the only host of the inventory or the record (the rules declare no hosts and name none)."""
    commands: tuple[HostCommand, ...]


class Playbook(PlanPart):
    """The playbook of an `ansible` rule, relative to the file of the rules."""

    rule: int
    """Index into `rules`."""
    path: NonEmpty


class Gates(PlanPart):
    """How score, gates and verdict follow from the statuses of the rules. The sets hold indexes into
    `rules`."""

    score: tuple[int, ...] = ()
    """Rules that the compliance score counts: passed ÷ all."""
    compliance: tuple[int, ...] = ()
    """Rules that must pass for the compliance gate."""
    job_completed: bool = False
    """Whether the implicit check *Job completed* belongs to the compliance gate."""
    resolution: tuple[int, ...] = ()
    """Rules that must pass for the resolution gate; empty where `basis` speaks of no rule."""
    basis: Basis
    """What decides the resolution gate: every playbook; compliance gate and a score of 80 % or more; every
    required ground-truth rule; the compliance gate alone."""
    skipped_without_ticket: tuple[int, ...] = ()
    """Rules that are `skipped` in a run without a ticket."""
    formula: tuple[str, ...] = ()
    """The same in words, for readers; nothing is computed from it."""


class Plan(PlanPart):
    """An executable set of rules."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    schema_: Literal["gatewright/plan/1"] = Field(default="gatewright/plan/1", alias="schema")
    scenario: NonEmpty | None = None
    """The scenario's key; None: the rules fit a record of any scenario."""
    title: str | None = None
    semantics: Semantics = "flat"
    """How values are formed and how the verdict is computed."""
    hosts: tuple[NonEmpty, ...] | None = None
    """Hosts of the scenario, the first being the default of host rules; None: not declared."""
    rules: tuple[Rule, ...] = ()
    """The rules in their order. All that follows is derived from them."""
    fetch: Fetch = Fetch()
    patterns: tuple[TargetPatterns, ...] = ()
    host_commands: tuple[HostCommands, ...] = ()
    playbooks: tuple[Playbook, ...] = ()
    gates: Gates


_ALWAYS_WRITTEN = frozenset({"schema_", "semantics", "validator"})


def plan_to_json(plan: Plan) -> str:
    """The plan as JSON text: two blanks of indentation, keys in the order of the classes, a final newline.

    `ir_to_plan.plan_from_json` reads it back as an equal plan.
    """
    return json_text(_without_defaults(plan), indent=2)


def _without_defaults(part: BaseModel) -> dict[str, object]:
    written: dict[str, object] = {}
    for name, field in type(part).model_fields.items():
        value: object = getattr(part, name)
        if field.exclude or (name not in _ALWAYS_WRITTEN and value == field.get_default()):
            continue
        written[field.alias or name] = _plain(value)
    return written


def _plain(value: object) -> object:
    match value:
        case BaseModel():
            return _without_defaults(value)
        case tuple():
            return [_plain(item) for item in cast("tuple[object, ...]", value)]
        case _:
            return value
