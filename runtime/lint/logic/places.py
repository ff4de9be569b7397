"""Where findings of the whole rule set stand, and the same finding told once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....compiler.findings import Finding
from ....compiler.ir import Rule
from ....compiler.json_tree import JsonArray, JsonObject, JsonValue
from ....compiler.vocabulary import GROUPS
from ....grammar import syntax
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


def rules_are_whole(scene: Scene) -> bool:
    """Whether every rule that stands in the file was read.

    A rule with a fault is missing from the rule set, and nothing can be said of what all rules come to.
    """
    read = sum(is_own(scene, rule.span) for rule in scene.rules.rules)
    return read == _rules_written(scene)


def _rules_written(scene: Scene) -> int:
    """How many rules the text has; a number that no rule set has where that is not known."""
    file, document = scene.loaded.file, scene.loaded.document
    if file is not None:
        return -1 if file.faults else sum(_rules_of(statement) for statement in file.statements)
    return 0 if document is None else _rule_items(document.root)


def _rules_of(statement: syntax.Statement) -> int:
    match statement:
        case syntax.RuleNode():
            return 1
        case syntax.ForBlock():
            return len(statement.items) * len(statement.rules)
        case _:
            return 0


def _rule_items(root: JsonValue) -> int:
    if isinstance(root, JsonObject) and (validation := root.get("validation")) is not None:
        root = validation.value
    if isinstance(root, JsonArray):
        return len(root.items)
    if not isinstance(root, JsonObject):
        return -1
    groups = [member.value for group in GROUPS if (member := root.get(group)) is not None]
    return sum(len(group.items) if isinstance(group, JsonArray) else -1 for group in groups)


def decides(scene: Scene, rule: Rule) -> bool:
    """Whether a run fails when this rule does; under classic semantics every playbook decides, required or not."""
    return rule.required or (scene.rules.semantics == "classic" and rule.check.validator == "ansible")
