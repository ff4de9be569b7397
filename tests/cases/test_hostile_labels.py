"""Labels that terminals, XML, SARIF viewers and build servers could take for more than text, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from random_findings import unsafe

from gatewright.compiler.findings import CATALOGUE, Edit, Finding, Fix, Label, Severity, Witness
from gatewright.grammar.text import Source
from gatewright.runtime.reports import FINDING_FORMATS
from gatewright.runtime.reports.style import Style


@pytest.fixture
def hostile(handed: Path) -> list[Finding]:
    path = handed / "bugs" / "labels_hostile.json"
    text = path.read_text("utf-8")
    labels = [rule["label"] for rule in json.loads(text)["validation"]]
    return [finding for label in labels for finding in about(label, Source(f"{label}.json", text + label))]


def about(label: str, source: Source) -> list[Finding]:
    """Findings that have the label wherever a finding can have a text."""
    span = source.span(len(source.text) - len(label), len(source.text))
    return [
        Finding(
            kind,
            f"“{label}” is loose",
            span,
            labels=(Label(span, label),),
            help=label,
            rule=label,
            severity_override=severity,
            witness=Witness(label, label, is_run=is_run),
            fix=Fix(label, (Edit(span, label),)),
        )
        for kind in (CATALOGUE["GW101"], CATALOGUE["GW203"])
        for severity, is_run in ((Severity.INFO, False), (Severity.ERROR, True))
    ]


@pytest.mark.parametrize("name", FINDING_FORMATS)
def test_nothing_reaches_a_terminal_raw(name: str, hostile: list[Finding]) -> None:
    output = FINDING_FORMATS[name](hostile, Style())
    assert not unsafe(output)
    assert not set("\u202e\u202c\u200b") & set(output)


def test_structures_hold(hostile: list[Finding]) -> None:
    style = Style()
    assert FINDING_FORMATS["github"](hostile, style).count("\n") == len(hostile)
    assert len(list(ET.fromstring(FINDING_FORMATS["junit"](hostile, style)).iter("testcase"))) == len(hostile)
    findings: list[dict[str, Any]] = json.loads(FINDING_FORMATS["json"](hostile, style))["findings"]
    assert [finding["rule"] for finding in findings] == [finding.rule for finding in hostile]
    run = json.loads(FINDING_FORMATS["sarif"](hostile, style))["runs"][0]
    assert len(run["results"]) + len(run["invocations"][0]["toolExecutionNotifications"]) == len(hostile)
