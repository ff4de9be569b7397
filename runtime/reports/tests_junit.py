"""Tests as JUnit XML: a suite a file, a case a test.

    <testsuite name="nginx.gate" tests="2" failures="1">
      <testcase classname="nginx.gate" name="a reload counts as a restart">
        <failure type="expectation" message="expected pass of “Restarted nginx”, got fail: …">…</failure>

A file whose rules have errors is one case, `rules`, in error. The XML holds visible escapes where tests hold what XML
1.0 has no way to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from ..testing.outcome import Checked, FileTests, TestOutcome, TestsReport
from .escape import safe_line
from .findings_text import findings_text
from .tests_text import failure_text

_NAME = "gatewright test"


def tests_junit(report: TestsReport) -> str:
    """An XML document that ends with a newline."""
    root = ET.Element("testsuites", {"name": _NAME, **_counts(report.files)})
    for file in report.files:
        name = safe_line(str(file.path))
        suite = ET.SubElement(root, "testsuite", {"name": name, **_counts([file])})
        names: Counter[str] = Counter()
        if file.findings:
            case = ET.SubElement(suite, "testcase", {"classname": name, "name": "rules"})
            said = {"type": file.findings[0].code, "message": safe_line(file.findings[0].message)}
            ET.SubElement(case, "error", said).text = findings_text(file.findings)
        for test in file.tests:
            _add_case(suite, file, test, names)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add_case(suite: ET.Element, file: FileTests, test: TestOutcome, names: Counter[str]) -> None:
    name = safe_line(test.name)
    names[name] += 1
    if names[name] > 1:  # build servers show one case of those that share a name
        name += f" #{names[name]}"
    place = {"file": safe_line(str(file.path))} | ({} if test.span is None else {"line": str(test.span.line)})
    case = ET.SubElement(suite, "testcase", {"classname": safe_line(str(file.path)), "name": name, **place})
    if not test.passed:
        said = "; ".join(map(_in_short, test.failures)) or "the test expects nothing"
        ET.SubElement(case, "failure", {"type": "expectation", "message": said}).text = failure_text(file, test)


def _in_short(checked: Checked) -> str:
    what = "the verdict" if checked.label is None else f"“{safe_line(checked.label)}”"
    reason = "" if checked.rule is None else f": {safe_line(checked.rule.reason)}"
    return f"expected {checked.expected} of {what}, got {checked.got}{reason}"


def _counts(files: Iterable[FileTests]) -> dict[str, str]:
    every = list(files)
    tests = [test for file in every for test in file.tests]
    errors = sum(bool(file.findings) for file in every)
    failures = sum(not test.passed for test in tests)
    return {"tests": str(len(tests) + errors), "failures": str(failures), "errors": str(errors), "skipped": "0"}
