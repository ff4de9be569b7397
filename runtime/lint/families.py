"""All checks, family by family, and what they have to say.

for finding in findings_of(Scene(loaded)): ...
"""

from __future__ import annotations

from collections.abc import Iterator

from ...compiler.findings import Finding
from . import conversion, evidence, hosts, logic, patterns
from .scene import Scene
from .witnesses import holds

FAMILIES = (patterns, logic, evidence, hosts, conversion)


def findings_of(scene: Scene) -> Iterator[Finding]:
    """What the checks have to say of one file of rules. A finding whose witness does not hold is dropped."""
    for family in FAMILIES:
        for check in family.CHECKS:
            for finding in check(scene):
                if holds(finding.witness, scene):
                    yield finding
