"""Findings as GitHub workflow commands: one line each, which GitHub shows beside the line of the file.

    ::error file=rules.gate,line=3,endLine=3,col=6,endColumn=10,title=GW112 undeclared-host::host “db-9” is not …

Notes follow the message on lines of their own, inside the command (`%0A`). Remarks (severity info) are notices. GitHub
refuses columns of a place over several lines, so these have none.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...compiler.findings import Finding, Severity
from ...grammar.text import Span
from .escape import safe_line
from .findings_notes import told

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def findings_github(findings: Iterable[Finding]) -> str:
    """One command a line, in the order of the findings; the empty string where there are none."""
    return "".join(f"{_command(finding)}\n" for finding in findings)


def _command(finding: Finding) -> str:
    properties = {**_place(finding.span), "title": f"{finding.code} {finding.kind.slug}"}
    listed = ",".join(f"{name}={value.translate(_PROPERTY)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{told(finding).translate(_DATA)}"


def _place(span: Span | None) -> dict[str, str]:
    """The properties of a place; none where no file is at fault, or standard input."""
    if span is None or span.file in ("", "<stdin>"):
        return {}
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(max(span.start, span.end))
    place = {"file": safe_line(span.file), "line": str(line), "endLine": str(end_line)}
    return place if end_line != line else {**place, "col": str(column), "endColumn": str(end_column)}
