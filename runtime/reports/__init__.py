"""Reports: what people and programs get to read. Every format is a pure function in a module of its own.

To add a format, write its module, a function here that loads it, and its line in the table. Modules load when a report
is made, so that a command that makes none pays for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ..proof.probe import Probe
    from ..result import Result
    from ..testing.outcome import TestsReport
    from .style import Style

ResultsReport = Callable[["Iterable[Result]", "Style"], str]
FindingsReport = Callable[["Iterable[Finding]", "Style"], str]
ProbeReport = Callable[["Probe", "Style"], str]
TestsReportText = Callable[["TestsReport", "Style", bool], str]
"""The flag asks for a line a test, where the format has a choice."""


def _results_as_text(results: Iterable[Result], style: Style) -> str:
    from .results_text import results_text

    return results_text(results, style)


def _results_as_json(results: Iterable[Result], _style: Style) -> str:
    from ..result_json import results_to_json

    return results_to_json(results)


def _results_as_lines(results: Iterable[Result], _style: Style) -> str:
    from ..result_json import result_to_line

    return "".join(map(result_to_line, results))


def _findings_as_text(findings: Iterable[Finding], style: Style) -> str:
    from .findings_text import findings_text

    return findings_text(findings, style)


def _findings_as_json(findings: Iterable[Finding], _style: Style) -> str:
    from .findings_json import findings_json

    return findings_json(findings)


def _findings_as_sarif(findings: Iterable[Finding], _style: Style) -> str:
    from .findings_sarif import findings_sarif

    return findings_sarif(findings)


def _findings_as_commands(findings: Iterable[Finding], _style: Style) -> str:
    from .findings_github import findings_github

    return findings_github(findings)


def _findings_as_junit(findings: Iterable[Finding], _style: Style) -> str:
    from .findings_junit import findings_junit

    return findings_junit(findings)


def _tests_as_text(report: TestsReport, style: Style, verbose: bool) -> str:
    from .tests_text import tests_text

    return tests_text(report, style, verbose)


def _tests_as_json(report: TestsReport, _style: Style, _verbose: bool) -> str:
    from .tests_json import tests_json

    return tests_json(report)


def _tests_as_junit(report: TestsReport, _style: Style, _verbose: bool) -> str:
    from .tests_junit import tests_junit

    return tests_junit(report)


def _probe_as_text(probe: Probe, style: Style) -> str:
    from .probe_text import probe_text

    return probe_text(probe, style)


def _probe_as_json(probe: Probe, _style: Style) -> str:
    from .probe_json import probe_json

    return probe_json(probe)


RESULT_FORMATS: dict[str, ResultsReport] = {
    "text": _results_as_text,
    "json": _results_as_json,
    "jsonl": _results_as_lines,
}
"""Formats of `grade`, by name."""

FINDING_FORMATS: dict[str, FindingsReport] = {
    "text": _findings_as_text,
    "json": _findings_as_json,
    "sarif": _findings_as_sarif,
    "github": _findings_as_commands,
    "junit": _findings_as_junit,
}
"""Formats of findings, by name."""

TEST_FORMATS: dict[str, TestsReportText] = {
    "text": _tests_as_text,
    "json": _tests_as_json,
    "junit": _tests_as_junit,
}
"""Formats of `test`, by name."""

PROBE_FORMATS: dict[str, ProbeReport] = {"text": _probe_as_text, "json": _probe_as_json}
"""Formats of `probe`, by name."""
