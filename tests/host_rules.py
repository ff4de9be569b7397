"""Commands put before one check: a host rule made around each."""

from __future__ import annotations

from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.grammar.literals import write
from gatewright.runtime.lint.scene import Check


def told_of_command(check: Check, command: str, *, exit_code: int = 0) -> list[Finding]:
    """What a check says of the rule that a command exits with 0, or with another status."""
    exits = f" exits {exit_code}" if exit_code else ""
    return told(check, scene_of(f'require "x": run {write(command)}{exits}\n'))


def fixed_command(finding: Finding, command: str) -> str | None:
    """The command as the fix of a finding leaves it; None where there is no fix."""
    if finding.fix is None:
        return None
    [edit] = finding.fix.edits
    text = edit.span.source.text
    fixed = text[: edit.span.start] + edit.text + text[edit.span.end :]
    before, after = text.split(command)
    return fixed.removeprefix(before).removesuffix(after)
