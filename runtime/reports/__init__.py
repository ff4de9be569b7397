"""Reports: what people and programs get to read. Every format is a pure function in a module of its own.

To add a format, write its module and give it a line in the table here. Modules import heavy parts (a template
engine) inside their functions, so that this table costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...compiler.findings import Finding
from ..result import Result
from .findings_text import findings_text
from .results_text import results_text
from .style import Style

ResultsReport = Callable[[Iterable[Result], Style], str]
FindingsReport = Callable[[Iterable[Finding], Style], str]

RESULT_FORMATS: dict[str, ResultsReport] = {
    "text": results_text,
}
"""Formats of `grade`, by name."""

FINDING_FORMATS: dict[str, FindingsReport] = {
    "text": findings_text,
}
"""Formats of `lint`, by name."""
