"""GW308: no rule looks at a host, so the verdict rests on what the run recorded of itself."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW308, Finding
from ..scene import Scene
from .places import place_of_the_whole


def check(scene: Scene) -> Iterator[Finding]:
    rules = scene.rules.rules
    if not rules or any(rule.is_ground_truth for rule in rules) or not scene.is_whole:
        return
    kind = "ansible" if scene.rules.semantics == "classic" else "host_state"
    in_gate = "ansible “validate.yml”" if kind == "ansible" else "on HOST run `…`"
    yield Finding(
        GW308,
        "no rule looks at a host: the verdict rests on the run's own records",
        place_of_the_whole(scene),
        help=f"ask the machine: {in_gate if scene.loaded.form == 'gate' else f'add a rule of the kind {kind}'}",
    )
