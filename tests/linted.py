"""Patterns put before one check: rules made around them, and what the check says whose witness holds."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.lint.scene import Check, Scene
from gatewright.runtime.lint.witnesses import holds


def scene_of(text: str, name: str = "rules.gate") -> Scene:
    """The scene of a text of rules that has no errors."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, "utf-8")
        told: list[Finding] = []
        loaded = load(path, told.append)
    assert isinstance(loaded, Loaded), told
    assert not [finding for finding in told if finding.is_error], told
    return Scene(loaded)


def told(check: Check, scene: Scene) -> list[Finding]:
    return [finding for finding in check(scene) if holds(finding.witness, scene)]


def rules(
    *patterns: str, where: str = "executed_commands", semantics: str = "flat", negate: bool = False
) -> tuple[str, str]:
    """JSON text with a rule for each pattern, and the name of a file for it."""
    made = [
        {"label": f"rule {number}", "validator": "pattern_match", "where": where, "pattern": pattern}
        | ({"negate": True} if negate else {})
        for number, pattern in enumerate(patterns)
    ]
    if semantics == "flat":
        return json.dumps(made), "rules.json"
    group = "job" if where.startswith("job_") else "gateway" if where.startswith("gateway_") else "tasks"
    return json.dumps({group: made}), "rules.json"


def told_of(
    check: Check, pattern: str, *, where: str = "executed_commands", semantics: str = "flat", negate: bool = False
) -> list[Finding]:
    """What a check says of one pattern."""
    return told(check, scene_of(*rules(pattern, where=where, semantics=semantics, negate=negate)))


def fixed(finding: Finding) -> str | None:
    """The pattern that the fix of a finding in JSON writes; None where there is no fix."""
    return json.loads(finding.fix.edits[0].text) if finding.fix is not None else None
