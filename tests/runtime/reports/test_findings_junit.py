from __future__ import annotations

import io
from xml.etree import ElementTree as ET

from hypothesis import given
from junitparser import Failure, JUnitXml, TestCase, TestSuite
from random_findings import LISTS, unsafe

from gatewright.compiler.findings import GW112, GW203, GW310, GW704, Finding, Severity
from gatewright.grammar.text import Source
from gatewright.runtime.reports.findings_junit import findings_junit
from gatewright.runtime.reports.findings_text import findings_text

SOURCE = Source("rules.gate", "hosts web-01\non db-9 run `a`\n")


def suite_of(*findings: Finding) -> TestSuite:
    """The one suite of the report, as a reader of JUnit XML sees it."""
    suites = list(JUnitXml.fromfile(io.BytesIO(findings_junit(findings).encode())))
    assert len(suites) == 1
    assert isinstance(suites[0], TestSuite)
    return suites[0]


def cases_of(*findings: Finding) -> list[TestCase]:
    return [case for case in suite_of(*findings) if isinstance(case, TestCase)]


def test_the_whole_document() -> None:
    finding = Finding(GW112, "host “db-9” & co", SOURCE.span(16, 20))
    assert findings_junit([finding]) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuites name="gatewright lint" tests="1" failures="1" errors="0" skipped="0">\n'
        '  <testsuite name="gatewright lint" tests="1" failures="1" errors="0" skipped="0">\n'
        '    <testcase classname="rules.gate" name="GW112 undeclared-host 2:4">\n'
        '      <failure type="error" message="host “db-9” &amp; co">'
        "rules.gate:2:4: GW112 error: host “db-9” &amp; co\n"
        "  |\n"
        "2 | on db-9 run `a`\n"
        "  |    ^^^^\n"
        "</failure>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )


def test_errors_and_warnings_fail_and_remarks_pass_with_their_text() -> None:
    error, warning, info = Finding(GW704, "a"), Finding(GW203, "b"), Finding(GW310, "c")
    suite = suite_of(error, warning, info)
    assert (suite.name, suite.tests, suite.failures, suite.errors) == ("gatewright lint", 3, 2, 0)
    failed, failed_too, passed = cases_of(error, warning, info)
    assert [(type(r), r.type, r.message) for r in failed.result] == [(Failure, "error", "a")]
    assert [(type(r), r.type, r.message) for r in failed_too.result] == [(Failure, "warning", "b")]
    assert passed.is_passed
    assert passed.system_out == "GW310 info: c\n"


def test_without_findings_one_case_passes() -> None:
    (case,) = cases_of()
    assert case.is_passed
    assert (suite_of().tests, case.name) == (1, "no findings")


def test_cases_of_the_same_place_have_names_of_their_own() -> None:
    finding = Finding(GW203, "m", SOURCE.span(16, 20))
    names = [case.name for case in cases_of(finding, finding, Finding(GW704, "a"), Finding(GW704, "b"))]
    assert names == ["GW203 loose-word 2:4", "GW203 loose-word 2:4 #2", "GW704 inventory", "GW704 inventory #2"]


def test_what_xml_cannot_say_is_shown_as_escapes() -> None:
    source = Source("a\x1b<.gate", "]]> \x00 \ufffe\ud800 <x>")
    (case,) = cases_of(Finding(GW203, "]]> & < \x1b[31m \ufffe \x85 \ud800", source.span(0, 3)))
    assert case.classname == r"a\x1b<.gate"
    (result,) = case.result
    assert result.message == r"]]> & < \x1b[31m \ufffe \x85 \ud800"
    assert r"1 | ]]> \x00 \ufffe\ud800 <x>" in (result.text or "")


@given(LISTS)
def test_every_report_is_xml_with_a_case_a_finding(findings: list[Finding]) -> None:
    document = findings_junit(findings)
    assert not unsafe(document)
    root = ET.fromstring(document.encode())
    cases = list(root.iter("testcase"))
    assert len(cases) == max(1, len(findings))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    for case, finding in zip(cases, findings, strict=False):
        (told,) = case
        assert told.tag == ("system-out" if finding.severity is Severity.INFO else "failure")
        assert told.text == findings_text([finding])
