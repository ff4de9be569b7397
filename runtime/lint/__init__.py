"""Lint: what is wrong with rules that compile.

A finding is one small module of a family: a generator `check(scene)` with a line in the table of its family. Its page
is `compiler/pages/CODE.md`.

    scene = Scene(loaded)
    for finding in findings_of(scene): ...
"""

from __future__ import annotations

from collections.abc import Iterator

from ...compiler.findings import Finding
from .scene import Check, LintOptions, PatternUse, Scene, Undecided
from .witnesses import holds

__all__ = ["Check", "LintOptions", "PatternUse", "Scene", "Undecided", "findings_of"]


def checks() -> Iterator[Check]:
    """All checks, family by family."""
    from . import conversion, evidence, hosts, logic, patterns

    for family in (patterns, logic, evidence, hosts, conversion):
        yield from family.CHECKS


def findings_of(scene: Scene) -> Iterator[Finding]:
    """What the checks have to say of one file of rules. A finding whose witness does not hold is dropped."""
    for check in checks():
        for finding in check(scene):
            if holds(finding.witness, scene):
                yield finding
