"""Fixes carried out: round by round, until no finding has one that may be made.

A round makes the fixes that do not touch each other, in the order of the text, and lints what comes of it. A text in
which something is wrong that was not before, or that cannot be read any more, is thrown away, and the fixes of the
round are tried one at a time. So fixing twice is fixing once, and a fix never breaks a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...compiler.findings import Finding, Fix
from ...grammar.text import Source

_ROUNDS = 20
"""More than the fixes of a place ever make possible one after the other."""

Lint = Callable[[Source], Sequence[Finding]]
"""Everything that is found in a text of the same file."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The text as it is now, and how many fixes were made."""

    text: str
    count: int


def fix(source: Source, findings: Sequence[Finding], lint: Lint, *, unsafe: bool) -> Fixed:
    """Make the safe fixes of a file, with `unsafe` the others too. Findings of other files are passed over."""
    count = 0
    for _ in range(_ROUNDS):
        fixes = _fixes(source, findings, unsafe)
        made = _made(source, findings, fixes, lint)
        if made is None:
            return Fixed(source.text, count)
        source, findings, number = made
        count += number
    return Fixed(source.text, count)


def _fixes(source: Source, findings: Iterable[Finding], unsafe: bool) -> list[Fix]:
    """Those that can be made, each once: a statement in a loop has the same fix for each of its rules."""
    possible: dict[tuple[tuple[int, int, str], ...], Fix] = {}
    for finding in findings:
        fix = finding.fix
        if fix is None or not fix.edits or not (fix.is_safe or unsafe):
            continue
        if all(edit.span.source == source for edit in fix.edits):
            key = tuple((edit.span.start, edit.span.end, edit.text) for edit in fix.edits)
            possible.setdefault(key, fix)
    return [possible[key] for key in sorted(possible)]


def _made(
    source: Source, findings: Sequence[Finding], fixes: Sequence[Fix], lint: Lint
) -> tuple[Source, Sequence[Finding], int] | None:
    """What comes of a round; None where no fix can be made."""
    together = _apart(fixes)
    for chosen in (together, *([fix] for fix in fixes if len(together) > 1)):
        if not chosen:
            return None
        text = _with(source.text, chosen)
        if text == source.text:
            continue
        new = Source(source.name, text)
        found = lint(new)
        if not _errors(found) - _errors(findings):
            return new, found, len(chosen)
    return None


def _apart(fixes: Sequence[Fix]) -> list[Fix]:
    """As many as do not touch each other, from the front."""
    chosen: list[Fix] = []
    taken: list[tuple[int, int]] = []
    for fix in fixes:
        places = [(edit.span.start, edit.span.end) for edit in fix.edits]
        if all(end < first or last < start for start, end in places for first, last in taken):
            chosen.append(fix)
            taken += places
    return chosen


def _with(text: str, fixes: Iterable[Fix]) -> str:
    edits = sorted((edit.span.start, edit.span.end, edit.text) for fix in fixes for edit in fix.edits)
    for start, end, new in reversed(edits):
        text = text[:start] + new + text[end:]
    return text


def _errors(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.code for finding in findings if finding.is_error)
