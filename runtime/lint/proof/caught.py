"""Rules that are sure to catch an agent that did nothing, told from the rules alone.

To make runs and to grade them takes a while, and nearly every set of rules has one that asks for a command or a host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....compiler.ir import Ansible, HostState, PatternMatch, Rule, TaskCount, TicketStatus
from ....compiler.vocabulary import TARGETS
from ...proof.asked import DEEDS
from ..logic.demands import Demand, demands_of
from ..logic.numbers import least, task_numbers
from ..logic.places import decides
from ..scene import Scene

if TYPE_CHECKING:
    from ...proof.build import Builder


def builder_of(scene: Scene) -> Builder:
    """What makes runs for the rules of a scene, and grades them."""
    from ...matching import Matcher
    from ...proof.build import Builder

    return Builder(scene.rules, Matcher(scene.engine, "none"))


def says_enough(scene: Scene) -> bool:
    """Whether there is a rule that a run needs, so that it means something when a run passes. GW311 tells the rest."""
    if not scene.is_whole or not all(map(_is_known, scene.rules.rules)):
        return False
    return any(decides(scene, rule) for rule in scene.rules.rules) or (
        scene.rules.semantics == "classic" and bool(scene.rules.rules)
    )


def _is_known(rule: Rule) -> bool:
    """Whether a rule reads a target that there is; of others no run can be made."""
    return not isinstance(rule.check, PatternMatch) or rule.check.where in TARGETS


def is_caught(scene: Scene, *, talks: bool) -> bool:
    """Whether some rule is sure to catch an agent that did nothing; `talks`: but may have said anything."""
    demands = {id(demand.rule): demand for demand in demands_of(scene)}
    return any(
        decides(scene, rule) and _catches(rule, demands.get(id(rule)), scene, talks) for rule in scene.rules.rules
    )


def _catches(rule: Rule, demand: Demand | None, scene: Scene, talks: bool) -> bool:
    match rule.check:
        case HostState() | Ansible():
            return True
        case PatternMatch(where=where):
            if demand is None or (talks and where not in DEEDS):
                return False
            if demand.is_of_order:
                return not rule.negate
            return least(demand.numbers) > 0 and not (demand.joined and scene.matches(demand.use.text, "") is not False)
        case TaskCount() as check:
            return not talks and least(task_numbers(check, rule.negate) or ()) > 1
        case TicketStatus(status=status):
            return not talks and not rule.negate and status.casefold() != "open"
        case _:
            return False
