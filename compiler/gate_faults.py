"""Broken statements of a `.gate` file as findings."""

from __future__ import annotations

from ..grammar.syntax import File
from ..grammar.text import Span
from .findings import GW101, Finding, Report


def report_faults(file: File, report: Report) -> None:
    """One GW101 for each statement that does not parse."""
    for fault in file.faults:
        report(Finding(GW101, fault.message, Span(file.source, fault.start, fault.end), help=fault.help))
