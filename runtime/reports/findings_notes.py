"""What is said of a finding below its message, in words: the witness, what to do, the fix, the rule.

    notes(finding)      # [Note("help", ["did you mean “web-01”?"]), Note("rule", ["Nginx serves again"])]

All lines are safe to show. Formats differ in how they lay notes out, not in what they say.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...compiler.findings import Finding, Fix, Witness
from .escape import safe_line, safe_lines

_MOST_BETWEEN = 80
"""Characters between two edits of a fix that are shown with them; where there are more, the title has to say it."""


@dataclass(frozen=True, slots=True)
class Note:
    title: str
    lines: list[str]
    """At least one."""


def notes(finding: Finding, *, runs: bool = True) -> list[Note]:
    """The notes of a finding in their order. `runs`: whether a witness that is a run is shown, or only spoken of."""
    found: list[Note] = []
    if finding.witness is not None:
        found.append(Note("witness", _witness(finding.witness, runs)))
    if finding.help is not None:
        found.append(Note("help", safe_lines(finding.help) or [""]))
    if finding.fix is not None:
        found.append(Note("fix", [_fix(finding.fix)]))
    if finding.rule is not None:
        found.append(Note("rule", [safe_line(finding.rule)]))
    return found


def told(finding: Finding) -> str:
    """The message and the notes as lines of plain text, for formats that have one text for all."""
    lines = [safe_line(finding.message) or finding.kind.slug]
    for note in notes(finding, runs=False):
        first, *rest = note.lines
        lines += [f"{note.title}: {first}", *(f"  {line}" for line in rest)]
    return "\n".join(lines)


def _witness(witness: Witness, runs: bool) -> list[str]:
    """A string between quotes, its line breaks shown as escapes; a run on lines of its own."""
    says = safe_line(witness.says)
    if not witness.is_run:
        return [f"{says}: “{safe_line(witness.value)}”"]
    return [f"{says}:", *safe_lines(witness.value)] if runs else [says]


def _fix(fix: Fix) -> str:
    title = safe_line(fix.title)
    said = title if fix.is_safe else f"{title} (unsafe: the meaning may change)"
    written = _written(fix)
    return f"{said}: {safe_line(written)}" if written and "\n" not in written else said


def _written(fix: Fix) -> str | None:
    """What stands there then, from the first edit of a fix to its last; None where that is no short piece of text."""
    edits = sorted(fix.edits, key=lambda edit: (edit.span.start, edit.span.end))
    if not edits or any(edit.span.source != edits[0].span.source for edit in edits):
        return None
    text, end = "", edits[0].span.start
    for edit in edits:
        between = edit.span.start - end
        if not 0 <= between <= _MOST_BETWEEN:  # overlapping, or far apart
            return None
        text += edit.span.source.text[end : edit.span.start] + edit.text
        end = edit.span.end
    return text
