"""GW307: optional rules that bring a classic score under 80 % all by themselves.

4 rules, 3 of them required: with the optional one failed 3 of 4 are 75 %, so the run fails
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW307, Finding, Label
from ..scene import Scene

_MOST_LABELS = 2
"""Further rules that are shown beside the first."""


def check(scene: Scene) -> Iterator[Finding]:
    rules = scene.rules.rules
    if scene.rules.semantics != "classic" or any(rule.is_ground_truth for rule in rules):
        return
    optional = [rule for rule in rules if not rule.required]
    total, required = len(rules), len(rules) - len(optional)
    if not optional or 5 * required >= 4 * total or not scene.is_whole:
        return
    missing = -(-4 * total // 5) - required
    first, *others = optional
    places = dict.fromkeys(rule.at("label") for rule in others[:_MOST_LABELS])
    verb = "is" if required == 1 else "are"
    yield Finding(
        GW307,
        f"a run can fail by optional rules alone: {required} of {total} rules {verb} "
        f"{_percent(required, total)}, and the resolution gate needs 80 %",
        first.at("label"),
        tuple(Label(place, "optional too") for place in places if place not in (None, first.at("label"))),
        f"require {missing} more of them, or let a playbook decide (an ansible rule)",
        first.label,
    )


def _percent(part: int, whole: int) -> str:
    """Rounded down to one decimal, as results show it: `75 %`, `66.6 %`."""
    tenths = 1000 * part // whole
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"
