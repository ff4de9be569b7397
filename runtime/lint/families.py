"""All checks, family by family, and what they have to say.

    for finding in findings_of(Scene(loaded)): ...

A family loads when a file has something that it speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from ...compiler.findings import Finding
from ...compiler.ir import HostState
from .scene import Check, Scene
from .witnesses import holds


def _has_patterns(scene: Scene) -> bool:
    return bool(scene.patterns)


def _has_rules(scene: Scene) -> bool:
    return bool(scene.rules.rules)


def _has_commands(scene: Scene) -> bool:
    rules = scene.rules
    return bool(rules.prepare or rules.restore) or any(isinstance(rule.check, HostState) for rule in rules.rules)


def _has_a_target(scene: Scene) -> bool:
    return scene.options.target is not None


def _is_any(_scene: Scene) -> bool:
    return True


FAMILIES: dict[str, Callable[[Scene], bool]] = {
    "patterns": _has_patterns,
    "logic": _is_any,
    "evidence": _has_patterns,
    "hosts": _has_commands,
    "proof": _has_rules,
    "conversion": _has_a_target,
}
"""The packages beside this module, each with what a file must have for it."""


def checks_of(family: str) -> tuple[Check, ...]:
    """The table of a family."""
    return import_module(f".{family}", __package__).CHECKS


def findings_of(scene: Scene) -> Iterator[Finding]:
    """What the checks have to say of one file of rules. A finding whose witness does not hold is dropped."""
    for family, concerns in FAMILIES.items():
        if not concerns(scene):
            continue
        for check in checks_of(family):
            for finding in check(scene):
                if holds(finding.witness, scene):
                    yield finding
