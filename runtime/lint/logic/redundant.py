"""GW305: a rule that holds whenever another one does.

require "Restarted nginx": executed_commands matches `systemctl restart nginx`
require "Used systemctl":  executed_commands matches `systemctl`
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TypeVar

from ....compiler.findings import GW305, Finding, Label, Witness
from ....compiler.ir import JobResolutionStatus, Rule, TaskCount, Turns
from ....compiler.languages import example
from ....grammar.text import Span
from ..scene import Scene
from .claims import Claim, claims_of
from .demands import Comparisons, Demand, demands_of, is_idle
from .numbers import ANY, Numbers, is_within, least, most, task_numbers
from .places import decides, once_a_place

T = TypeVar("T")


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    yield from _of_patterns(scene)
    yield from _of_claims(scene)
    yield from _of_task_numbers(scene)
    yield from _of_turns(scene)


# ---- patterns -----------------------------------------------------------------------------------------------------


def _of_patterns(scene: Scene) -> Iterator[Finding]:
    """Of rules that count alike. One that asks for more matches than another implies it too: such a scale stays."""
    compare = Comparisons(scene, GW305)
    groups: dict[Hashable, list[Demand]] = {}
    for demand in demands_of(scene):
        kind = demand.check.where, demand.joined, demand.numbers, demand.check.before
        groups.setdefault(kind, []).append(demand)

    def implies(one: Demand, other: Demand) -> bool:
        if not _read_fitting_tasks(one, other):
            return False
        if one.is_of_order or not _is_one_sided(one.numbers):
            return one.use.text == other.use.text
        wide, narrow = (other, one) if least(other.numbers) > 0 else (one, other)
        return compare.covers(wide, narrow)

    for group in groups.values():
        sound = [demand for demand in group if len(group) > 1 and not is_idle(demand)]
        for implied, by in _implied(scene, sound, lambda demand: demand.rule, implies):
            text = example((implied if least(implied.numbers) == 0 else by).use.tree)
            patterns = tuple(dict.fromkeys((by.use.text, implied.use.text)))
            witness = None if text is None else Witness("matched by both", text, matches=patterns)
            same = by.use.text == implied.use.text
            yield _finding(implied.rule, by.rule, implied.use.span, by.use.span, same, witness)


def _is_one_sided(numbers: Numbers) -> bool:
    """Whether it says “so many or more” or “so many or fewer”, which larger and smaller languages keep."""
    return least(numbers) == 0 or most(numbers) is None


def _read_fitting_tasks(one: Demand, other: Demand) -> bool:
    """Whether the first, where it holds, has seen tasks enough for the second; of two that count alike.

    A task without a host fails a ban on one host, and no ban on all tasks, so such rules are not compared.
    """
    if least(one.numbers) > 0 and most(one.numbers) is None and other.check.on is None:
        return True
    return one.check.on == other.check.on


# ---- the other rules ----------------------------------------------------------------------------------------------


def _of_claims(scene: Scene) -> Iterator[Finding]:
    claims = [claim for claim in claims_of(scene) if not claim.is_empty and not _allows_every_status(claim)]

    def implies(one: Claim, other: Claim) -> bool:
        if one.about != other.about or not one.implies(other):
            return False
        # Under flat semantics a required rule that accepts this status takes “job completed” away.
        gives_way = other.rule.accepts_agentic_failure and not one.rule.accepts_agentic_failure
        return scene.rules.semantics == "classic" or not gives_way

    for implied, by in _implied(scene, claims, lambda claim: claim.rule, implies):
        yield _finding(implied.rule, by.rule, implied.span, by.span, implied.implies(by))


def _allows_every_status(claim: Claim) -> bool:
    return isinstance(claim.rule.check, JobResolutionStatus) and len(claim.values) == 5


def _of_task_numbers(scene: Scene) -> Iterator[Finding]:
    counts = [
        (rule, numbers)
        for rule in scene.rules.rules
        if isinstance(rule.check, TaskCount) and (numbers := task_numbers(rule.check, rule.negate)) and numbers != ANY
    ]
    found = _implied(scene, counts, lambda entry: entry[0], lambda one, other: is_within(one[1], other[1]))
    for (rule, numbers), (by, others) in found:
        yield _finding(rule, by, rule.check.span, by.check.span, numbers == others)


def _of_turns(scene: Scene) -> Iterator[Finding]:
    rules = [rule for rule in scene.rules.rules if isinstance(rule.check, Turns)]
    found = _implied(scene, rules, lambda rule: rule, lambda one, other: one.check == other.check)
    for rule, by in found:
        yield _finding(rule, by, rule.check.span, by.check.span, True)


# ---- all of them --------------------------------------------------------------------------------------------------


def _implied(
    scene: Scene, entries: Sequence[T], rule_of: Callable[[T], Rule], implies: Callable[[T, T], bool]
) -> Iterator[tuple[T, T]]:
    """Every entry that holds whenever another does, with the first such other.

    That another one holds helps only if a run needs it as much as the first. Of two that say the same, the later one
    is told.
    """
    for index, entry in enumerate(entries):
        for place, other in enumerate(entries):
            if place == index or not _counts_as_much(scene, rule_of(other), rule_of(entry)):
                continue
            if not implies(other, entry):
                continue
            if place > index and _counts_as_much(scene, rule_of(entry), rule_of(other)) and implies(entry, other):
                continue
            yield entry, other
            break


def _counts_as_much(scene: Scene, one: Rule, other: Rule) -> bool:
    return decides(scene, one) or not decides(scene, other)


def _finding(
    rule: Rule, by: Rule, span: Span | None, other: Span | None, same: bool, witness: Witness | None = None
) -> Finding:
    said = f"says the same as “{by.label}”" if same else f"holds whenever “{by.label}” does"
    labels = () if other is None or other == span else (Label(other, "says it already"),)
    if span is not None and span == other:
        said = "says the same in every pass of the loop" if same else said
    return Finding(
        GW305,
        f"this rule {said}",
        span,
        labels,
        "drop it, or ask for something else",
        rule.label,
        witness=witness,
    )
