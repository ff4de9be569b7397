"""Where findings of the whole rule set stand, and the same finding told once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....compiler.findings import Finding
from ....compiler.ir import Rule
from ....grammar.text import Span
from ..scene import Scene


def once_a_place(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for one place: a `for` block makes many rules of one statement."""
    seen: set[tuple[Span | None, tuple[Span, ...]]] = set()
    for finding in findings:
        key = finding.span, tuple(label.span for label in finding.labels)
        if key not in seen:
            seen.add(key)
            yield finding


def place_of_the_whole(scene: Scene) -> Span | None:
    """Where to say something of all rules together: at the `scenario`, else at the first rule of this file."""
    rules = scene.rules
    if "scenario" in rules.spans:
        return rules.spans["scenario"]
    own = (rule for rule in rules.rules if is_own(scene, rule.span))
    first = next(own, None)
    if first is not None:
        return first.at("label")
    return rules.span


def is_own(scene: Scene, span: Span | None) -> bool:
    """Whether a place lies in the file itself, not in one that it includes."""
    return span is not None and span.source is scene.loaded.source


def decides(scene: Scene, rule: Rule) -> bool:
    """Whether a run fails when this rule does; under classic semantics every playbook decides, required or not."""
    return rule.required or (scene.rules.semantics == "classic" and rule.check.validator == "ansible")
