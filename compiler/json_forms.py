"""What a rule looks like in the two JSON forms: one table, read by the front end, the emitters and the schemas.

Adding a field to a validator, or a validator to a form, is a line here. Sources: classic page (0.16) for the grouped
form, newer page (0.19) for the flat form.

    FORMS["flat"]["host_state"].fields      # (Field("run", TEXT), Field("on", TEXT, …), Field("exit_code", EXIT, …))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from . import ir
from .json_values import (
    COUNT,
    EXIT,
    FLAG,
    ONE_STATUS,
    PATTERN,
    STATUSES,
    TARGET,
    TEXT,
    TURNS,
    Kind,
)

JsonForm = Literal["flat", "grouped"]


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a rule object. `attribute`: the field of the check that it fills, where that has another name."""

    key: str
    kind: Kind
    required: bool = True
    default: Any = None
    attribute: str = ""
    doc: str = ""

    @property
    def fills(self) -> str:
        return self.attribute or self.key


@dataclass(frozen=True, slots=True)
class Shape:
    """A validator in a form.

    `one_of`: keys of which exactly one stands; the first is the one that is written. `any_of`: keys of which at least
    one stands.
    """

    make: Callable[..., ir.AnyCheck]
    fields: tuple[Field, ...]
    negate: bool = False
    one_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()


_PATTERN_MATCH = (
    Field("pattern", PATTERN, doc="An ECMAScript regular expression, matched unanchored and without regard to case."),
    Field("where", TARGET, doc="The evidence it is searched in."),
)
_TASK_COUNT = (
    Field("min", COUNT, required=False, doc="Least number of tasks; at least one bound is given."),
    Field("max", COUNT, required=False, doc="Greatest number of tasks; 0 says that there are none."),
)

FORMS: dict[JsonForm, dict[str, Shape]] = {
    "flat": {
        "pattern_match": Shape(ir.PatternMatch, _PATTERN_MATCH, negate=True),
        "task_count": Shape(ir.TaskCount, _TASK_COUNT, any_of=("min", "max")),
        "job_resolution_status": Shape(
            ir.JobResolutionStatus, (Field("statuses", STATUSES, doc="The job's resolution is one of these."),)
        ),
        "host_state": Shape(
            ir.HostState,
            (
                Field("run", TEXT, doc="A shell command."),
                Field("on", TEXT, required=False, doc="The host; by default the first one of the scenario."),
                Field("exit_code", EXIT, required=False, default=0, doc="The exit status it must end with."),
            ),
        ),
        "turns": Shape(ir.Turns, (Field("turns", TURNS, doc="The first turns of the job, in order."),)),
    },
    "grouped": {
        "pattern_match": Shape(ir.PatternMatch, _PATTERN_MATCH, negate=True),
        "task_count": Shape(ir.TaskCount, _TASK_COUNT, negate=True, any_of=("min", "max")),
        "job_resolution_status": Shape(
            ir.JobResolutionStatus,
            (
                Field("statuses", STATUSES, required=False, doc="The job's resolution is one of these."),
                Field(
                    "pattern", ONE_STATUS, required=False, attribute="statuses", doc="The job's resolution is this one."
                ),
            ),
            negate=True,
            one_of=("statuses", "pattern"),
        ),
        "ticket_status": Shape(
            ir.TicketStatus,
            (Field("pattern", TEXT, attribute="status", doc="The ticket's status, without regard to case."),),
            negate=True,
        ),
        "ansible": Shape(
            ir.Ansible,
            (Field("ansiblePath", TEXT, attribute="path", doc="The playbook, relative to the scenario file."),),
            negate=True,
        ),
    },
}

LABEL = Field("label", TEXT, doc="What reports call the rule.")
VALIDATOR = Field("validator", TEXT, doc="The kind of the check.")
REQUIRED = Field("required", FLAG, required=False, default=True, doc="Whether the run fails when the rule does.")
RULE_FIELDS = (LABEL, VALIDATOR, REQUIRED)
NEGATE = Field("negate", FLAG, required=False, default=False, doc="Pass where the check does not.")

VALIDATORS: tuple[str, ...] = tuple(dict.fromkeys(name for form in FORMS.values() for name in form))

SCENARIO_KEYS = ("key", "title", "tags", "hosts", "prepare", "validation", "restore")
"""Keys of a scenario object that Gatewright reads, in the order in which a new one is written."""

GROUPED_KEPT = ("allowedAgents", "allowedHosts")
"""Keys of a grouped object that are kept and mean nothing here."""


def is_extra(key: str) -> bool:
    """Whether a key is nobody's business: kept, never read."""
    return key == "$schema" or key.startswith("x-")
