"""The canonical layout of a `.gate` file, with its faults as findings."""

from __future__ import annotations

from ..grammar.layout import layout_file
from ..grammar.parser import parse
from ..grammar.text import Source
from .findings import Report
from .gate_faults import report_faults


def format_gate(source: Source, report: Report) -> str | None:
    """The layout of a `.gate` file; None, with one GW101 for each broken statement, when it does not parse."""
    file = parse(source, trivia=True)
    report_faults(file, report)
    return None if file.faults else layout_file(file)
