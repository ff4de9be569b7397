"""The words of the rule formats: targets, statuses, groups.

Sources: the format's validation pages, versions 0.16 (classic, grouped object) and 0.19 (flat array). The tables here
are the only place where these words stand; every front end, emitter and check reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Scope = Literal["task", "job", "gateway"]
Group = Literal["gateway", "job", "tasks"]
Semantics = Literal["flat", "classic"]
Form = Literal["gate", "flat", "grouped"]

GROUPS: tuple[Group, ...] = get_args(Group)
"""The keys of the grouped object, in the order in which they are written and flattened."""


@dataclass(frozen=True, slots=True)
class Target:
    """The evidence that a `pattern_match` reads.

    `classic` is False for the targets that the classic page does not list; `in_json` is False for those that exist in
    `.gate` files only.
    """

    name: str
    scope: Scope
    classic: bool = True
    in_json: bool = True


_TARGETS = (
    Target("executed_commands", "task"),
    Target("task_summary", "task"),
    Target("task_description", "task"),
    Target("task_plan", "task"),
    Target("write_file", "task", classic=False),
    Target("update_file", "task", classic=False),
    Target("use_mcp_tool", "task", classic=False),
    Target("tool_calls", "task"),
    Target("agent_messages", "task"),
    Target("operational_rules", "task"),
    Target("invocations", "task", in_json=False),
    Target("job_resolution", "job"),
    Target("job_plan", "job"),
    Target("gateway_messages", "gateway"),
    Target("gateway_summary", "gateway"),
)

TARGETS: dict[str, Target] = {target.name: target for target in _TARGETS}
INVOCATIONS_ARE_OF = "executed_commands"
"""The target whose values `invocations` are read out of."""
GROUP_OF_SCOPE: dict[Scope, Group] = {"gateway": "gateway", "job": "job", "task": "tasks"}

RESOLUTION_STATUSES = ("success", "partial", "no_action", "agentic_failure", "hard_failure")
OLD_STATUSES = {"no_tasks_created": "no_action"}
"""Statuses of older scenarios, read as the word that replaced them."""

MAX_INTEGER = 2**53
"""Integers beyond this are refused: not every JSON reader keeps them exactly (RFC 8259, section 6)."""

MAX_EXIT_CODE = 255
