"""What the cases share: grading without files, and where the handed files are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import Called, call

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.grade import GradeOptions, grade
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result_json import result_to_dict

SHARED = Path(__file__).parents[3] / "shared" / "cases"
"""The handed cases, beside the repository and not part of it."""


@pytest.fixture(scope="session")
def handed() -> Path:
    """The folder of the handed cases; without it a test is skipped, and says so."""
    if not SHARED.is_dir():
        pytest.skip(f"the handed cases are not here: {SHARED}")
    return SHARED


@pytest.fixture
def gatewright() -> Callable[..., Called]:
    """Calls the command line."""
    return call


@pytest.fixture
def graded(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Grades a record (a JSON value) by rules: `.gate` text, or JSON data. The result is its JSON object."""

    def run(rules: object, record: dict[str, Any], **options: Any) -> dict[str, Any]:
        path = tmp_path / ("rules.gate" if isinstance(rules, str) else "rules.json")
        path.write_text(rules if isinstance(rules, str) else json.dumps(rules), "utf-8")
        findings: list[Finding] = []
        loaded = load(path, findings.append)
        assert [finding.message for finding in findings if finding.is_error] == []
        assert isinstance(loaded, Loaded)
        read = read_record(Source("run.json", json.dumps(record)), findings.append, default_id="run")
        assert read is not None, findings
        matcher = Matcher(ExactEngine(options.pop("match_timeout", 1.0)))
        return result_to_dict(grade(ir_to_plan(loaded.rules), read, None, matcher, GradeOptions(**options)))

    return run


@pytest.fixture
def matched(graded: Callable[..., dict[str, Any]]) -> Callable[..., list[int]]:
    """Which of some values a pattern matches, as rules see it: one rule a value would say the same."""

    def search(pattern: str, *values: str, where: str = "executed_commands") -> list[int]:
        rules = [{"label": "r", "validator": "pattern_match", "where": where, "pattern": pattern}]
        passed: list[int] = []
        for index, value in enumerate(values):
            result = graded(rules, {"job": {"status": "completed", "tasks": [{where: [value]}]}})
            if result["rules"][0]["status"] == "pass":
                passed.append(index)
        return passed

    return search


@pytest.fixture
def said_of(tmp_path: Path) -> Callable[..., list[tuple[str, int, int]]]:
    """Code, line and column of everything said of a file of rules, in the order of their places."""

    def read(content: str | bytes, name: str = "rules.json") -> list[tuple[str, int, int]]:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return places(path)

    return read


def places(path: Path) -> list[tuple[str, int, int]]:
    findings: list[Finding] = []
    load(path, findings.append)
    assert all(finding.span is not None for finding in findings)
    return sorted((f.code, f.span.line, f.span.column) for f in findings if f.span is not None)
