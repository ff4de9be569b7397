from __future__ import annotations

import re

from hypothesis import given
from random_findings import LISTS, unsafe

from gatewright.compiler.findings import GW112, GW203, GW310, GW704, Edit, Finding, Fix, Witness
from gatewright.grammar.text import Source
from gatewright.runtime.reports.findings_github import findings_github

SOURCE = Source("dir/rules.gate", "hosts web-01\non db-9 run `a`\n")
COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


def test_a_finding_is_one_command() -> None:
    finding = Finding(GW112, "host “db-9” is not known", SOURCE.span(16, 20), help="write:\nweb-01", rule="Serves")
    assert findings_github([finding]) == (
        "::error file=dir/rules.gate,line=2,endLine=2,col=4,endColumn=8,title=GW112 undeclared-host"
        "::host “db-9” is not known%0Ahelp: write:%0A  web-01%0Arule: Serves\n"
    )


def test_the_severity_is_the_command() -> None:
    said = findings_github([Finding(GW704, "a"), Finding(GW203, "b"), Finding(GW310, "c")])
    assert said == (
        "::error title=GW704 inventory::a\n::warning title=GW203 loose-word::b\n::notice title=GW310 no-effect::c\n"
    )
    assert findings_github([]) == ""


def test_witness_and_fix_are_said_and_a_run_is_only_named() -> None:
    span = SOURCE.span(16, 20)
    fix = Fix("name a host", (Edit(span, "web-01"),))
    with_value = Finding(GW203, "m", witness=Witness("matches as well", "a\nb"), fix=fix)
    assert findings_github([with_value]).endswith(
        "::m%0Awitness: matches as well: “a\\nb”%0Afix: name a host (unsafe: the meaning may change): web-01\n"
    )
    with_run = Finding(GW203, "m", witness=Witness("this run passes", '{"job": {}}', is_run=True))
    assert findings_github([with_run]).endswith("::m%0Awitness: this run passes\n")


def test_a_place_over_several_lines_has_no_columns() -> None:
    said = findings_github([Finding(GW203, "m", SOURCE.span(6, 15))])
    assert said == "::warning file=dir/rules.gate,line=1,endLine=2,title=GW203 loose-word::m\n"


def test_standard_input_is_no_file() -> None:
    said = findings_github([Finding(GW203, "m", Source("<stdin>", "x").span(0, 1))])
    assert said == "::warning title=GW203 loose-word::m\n"


def test_signs_of_commands_are_escaped_in_names_and_messages() -> None:
    span = Source("a,b:c%d\n.gate", "x").span(0, 1)
    said = findings_github([Finding(GW203, "50 % :: a, b\r\n::error::x \x1b[2J", span)])
    assert said == (
        r"::warning file=a%2Cb%3Ac%25d\n.gate,line=1,endLine=1,col=1,endColumn=2,title=GW203 loose-word"
        r"::50 %25 :: a, b\r\n::error::x \x1b[2J" + "\n"
    )


@given(LISTS)
def test_every_finding_is_exactly_one_line(findings: list[Finding]) -> None:
    said = findings_github(findings)
    assert not unsafe(said)
    lines = said.splitlines()
    assert len(lines) == len(findings)
    for line, finding in zip(lines, findings, strict=True):
        command = COMMAND.fullmatch(line)
        assert command is not None
        assert f"title={finding.code} {finding.kind.slug}" in command[2].split(",")
        assert re.fullmatch(r"(?:[^%]|%25|%0A)*", command[3])
