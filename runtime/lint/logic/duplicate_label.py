"""GW306: two rules with one label, which reports and `expect` cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW306, Finding, Label
from ....compiler.ir import Rule
from ..scene import Scene
from .places import once_a_place


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_duplicates(scene))


def _duplicates(scene: Scene) -> Iterator[Finding]:
    first: dict[str, Rule] = {}
    for rule in scene.rules.rules:
        before = first.setdefault(rule.label, rule)
        if before is rule:
            continue
        here, there = rule.at("label"), before.at("label")
        if here is not None and here == there:
            message = f"every pass of the loop gives a rule with the label “{rule.label}”"
            help_ = 'name the value of the loop in the label: t"… {{ host }}"'
            yield Finding(GW306, message, here, help=help_, rule=rule.label)
        else:
            labels = () if there is None else (Label(there, "the first rule of that label"),)
            message = f"two rules have the label “{rule.label}”"
            help_ = "give each a label of its own: reports and tests name rules by them"
            yield Finding(GW306, message, here, labels, help_, rule.label)
