"""Findings as JUnit XML, for build servers that show test results: a test case each.

    <testcase classname="rules.gate" name="GW112 undeclared-host 3:6">
      <failure type="error" message="host “db-9” is not …">rules.gate:3:6: GW112 error: …</failure>
    </testcase>

Errors and warnings are failures; remarks (severity info) are cases that pass, with their text as output. Without
findings there is one case that passes, since build servers take a report without cases for a broken one. The XML
holds visible escapes where the findings hold what XML 1.0 has no way to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from ...compiler.findings import Finding, Severity
from .escape import safe_line
from .findings_text import findings_text

_NAME = "gatewright lint"


def findings_junit(findings: Iterable[Finding]) -> str:
    """An XML document that ends with a newline; cases in the order of the findings."""
    every = list(findings)
    failures = sum(finding.severity is not Severity.INFO for finding in every)
    counts = {"tests": str(len(every) or 1), "failures": str(failures), "errors": "0", "skipped": "0"}
    root = ET.Element("testsuites", {"name": _NAME, **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _NAME, **counts})
    names: Counter[tuple[str, str]] = Counter()
    for finding in every:
        _add_case(suite, finding, names)
    if not every:
        ET.SubElement(suite, "testcase", {"classname": _NAME, "name": "no findings"})
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add_case(suite: ET.Element, finding: Finding, names: Counter[tuple[str, str]]) -> None:
    span = finding.span
    file = _NAME if span is None else safe_line(span.file)
    name = f"{finding.code} {finding.kind.slug}" + (f" {span.line}:{span.column}" if span is not None else "")
    names[file, name] += 1
    if names[file, name] > 1:  # build servers show one case of those that share a name
        name += f" #{names[file, name]}"
    case = ET.SubElement(suite, "testcase", {"classname": file, "name": name})
    if finding.severity is Severity.INFO:
        ET.SubElement(case, "system-out").text = findings_text([finding])
        return
    said = {"type": finding.severity.value, "message": safe_line(finding.message)}
    ET.SubElement(case, "failure", said).text = findings_text([finding])
