"""What lint found in a file, as JSON for the cache and for other processes, and back.

Spans are kept as (number of a source, start, end); the texts themselves are not: whoever reads an entry has them, and
has made sure that they are the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...compiler.findings import CATALOGUE, Edit, Finding, Fix, Label, Severity, Witness
from ...grammar.text import Source, Span
from .notes import Undecided


@dataclass(frozen=True, slots=True)
class FileReport:
    """What lint found in one file."""

    path: Path
    holds_rules: bool = True
    """Whether it is a file of rules at all."""
    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    includes: tuple[Path, ...] = ()
    """The files that it includes."""
    is_fragment: bool = False
    """Whether it is a `.gate` file without a `scenario` statement, made to be included by others."""


def to_json(report: FileReport, sources: Sequence[Source]) -> str | None:
    """None where a finding stands in a text that is not among `sources`."""
    numbers = {source: number for number, source in enumerate(sources)}
    try:
        return json.dumps(
            {
                "rules": report.holds_rules,
                "fragment": report.is_fragment,
                "includes": [str(path) for path in report.includes],
                "findings": [_finding(finding, numbers) for finding in report.findings],
                "undecided": [[note.code, note.why, _span(note.span, numbers), note.rule] for note in report.undecided],
            },
            separators=(",", ":"),
        )
    except KeyError:
        return None


def from_json(data: Mapping[str, Any], path: Path, sources: Sequence[Source]) -> FileReport:
    """Raises KeyError, TypeError, ValueError or IndexError for what `to_json` did not write."""
    return FileReport(
        path,
        data["rules"],
        tuple(_read_finding(item, sources) for item in data["findings"]),
        tuple(Undecided(code, why, _read_span(span, sources), rule) for code, why, span, rule in data["undecided"]),
        tuple(map(Path, data["includes"])),
        data["fragment"],
    )


def _finding(finding: Finding, numbers: Mapping[Source, int]) -> list[Any]:
    witness, fix = finding.witness, finding.fix
    return [
        finding.code,
        finding.message,
        _span(finding.span, numbers),
        [[_span(label.span, numbers), label.text] for label in finding.labels],
        finding.help,
        finding.rule,
        finding.severity_override,
        witness and [witness.says, witness.value, witness.matches, witness.misses, witness.is_run],
        fix and [fix.title, [[_span(edit.span, numbers), edit.text] for edit in fix.edits], fix.is_safe],
    ]


def _read_finding(item: Sequence[Any], sources: Sequence[Source]) -> Finding:
    code, message, span, labels, help_, rule, severity, witness, fix = item
    return Finding(
        CATALOGUE[code],
        message,
        _read_span(span, sources),
        tuple(Label(_place(place, sources), text) for place, text in labels),
        help_,
        rule,
        severity and Severity(severity),
        witness and Witness(witness[0], witness[1], tuple(witness[2]), tuple(witness[3]), witness[4]),
        fix and Fix(fix[0], tuple(Edit(_place(place, sources), text) for place, text in fix[1]), fix[2]),
    )


def _span(span: Span | None, numbers: Mapping[Source, int]) -> list[int] | None:
    return span and [numbers[span.source], span.start, span.end]


def _read_span(place: Sequence[int] | None, sources: Sequence[Source]) -> Span | None:
    return None if place is None else _place(place, sources)


def _place(place: Sequence[int], sources: Sequence[Source]) -> Span:
    number, start, end = place
    return Span(sources[number], start, end)
