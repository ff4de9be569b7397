"""GW302: rules that fail in every run that has something for them to look at."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW302, Finding, Witness
from ....compiler.ir import JobResolutionStatus, TaskCount
from ....compiler.vocabulary import RESOLUTION_STATUSES
from ..scene import Scene
from .demands import MATCHES_NOTHING, Demand, always_matches, demands_of, never_matches, settled
from .numbers import NONE, least, overlap, task_numbers
from .places import once_a_place

_ANY_TEXT = "uptime"
"""A text for patterns that match every one."""


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    for demand in demands_of(scene):
        if least(demand.numbers) > 0:
            if settled(scene, GW302, demand, never_matches(demand)):
                yield _matches_nothing(demand)
        elif not overlap(demand.numbers, ((1, None),)) and settled(scene, GW302, demand, always_matches(demand)):
            yield _matches_everything(demand)
    for rule in scene.rules.rules:
        match rule.check:
            case JobResolutionStatus() as check_ if rule.negate and set(check_.statuses) >= set(RESOLUTION_STATUSES):
                message = "this never passes: it forbids every resolution status there is"
                yield Finding(GW302, message, check_.at("statuses"), rule=rule.label)
            case TaskCount() as check_ if task_numbers(check_, rule.negate) == NONE:
                message = "this never passes: it forbids every number of tasks"
                yield Finding(GW302, message, check_.span, rule=rule.label)
            case _:
                pass


def _matches_nothing(demand: Demand) -> Finding:
    return Finding(
        GW302,
        "this never passes: there is no text that the pattern matches",
        demand.use.span,
        help=MATCHES_NOTHING,
        rule=demand.rule.label,
    )


def _matches_everything(demand: Demand) -> Finding:
    where = demand.check.where
    message = (
        f"this never passes: the pattern matches every text of {where}, the empty one too"
        if demand.joined
        else f"this passes only where {where} has no value: the pattern matches every value"
    )
    return Finding(
        GW302,
        message,
        demand.use.span,
        help="forbid what the agent must not do",
        rule=demand.rule.label,
        witness=Witness("matched, like everything", _ANY_TEXT, matches=(demand.use.text,)),
    )
