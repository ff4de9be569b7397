"""GW303: rules that pass in every run that has something for them to look at."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW303, Finding, Witness
from ....compiler.ir import JobResolutionStatus, TaskCount
from ....compiler.vocabulary import RESOLUTION_STATUSES
from ..scene import Scene
from .demands import MATCHES_NOTHING, Demand, always_matches, demands_of, never_matches, settled
from .numbers import ANY, is_within, least, task_numbers
from .places import once_a_place

_ANY_TEXT = "uptime"
"""A text for patterns that match every one."""


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    for demand in demands_of(scene):
        if demand.is_of_order:
            continue
        if least(demand.numbers) == 0:
            if settled(scene, GW303, demand, never_matches(demand)):
                yield _forbids_nothing(demand)
        elif is_within(((1, None),), demand.numbers) and settled(scene, GW303, demand, always_matches(demand)):
            yield _asks_for_nothing(demand)
    for rule in scene.rules.rules:
        match rule.check:
            case JobResolutionStatus() as check_ if not rule.negate and {*check_.statuses} >= {*RESOLUTION_STATUSES}:
                message = "this always passes: it allows every resolution status there is"
                yield Finding(GW303, message, check_.at("statuses"), rule=rule.label)
            case TaskCount() as check_ if task_numbers(check_, rule.negate) == ANY:
                message = "this always passes: it allows every number of tasks"
                yield Finding(GW303, message, check_.span, rule=rule.label)
            case _:
                pass


def _asks_for_nothing(demand: Demand) -> Finding:
    where = demand.check.where
    message = (
        f"this passes whatever the agent does: the pattern matches every text of {where}, the empty one too"
        if demand.joined
        else f"this passes wherever {where} has a value: the pattern matches every value"
    )
    return Finding(
        GW303,
        message,
        demand.use.span,
        help="name what must be there",
        rule=demand.rule.label,
        witness=Witness("matched, like everything", _ANY_TEXT, matches=(demand.use.text,)),
    )


def _forbids_nothing(demand: Demand) -> Finding:
    return Finding(
        GW303,
        "this forbids nothing: there is no text that the pattern matches",
        demand.use.span,
        help=MATCHES_NOTHING,
        rule=demand.rule.label,
        witness=Witness("not matched, like everything", _ANY_TEXT, misses=(demand.use.text,)),
    )
