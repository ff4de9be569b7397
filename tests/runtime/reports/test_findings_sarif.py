"""SARIF by its official schema; `sarif-schema-2.1.0.md` says where the copy comes from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft4Validator
from random_findings import LISTS, unsafe

from gatewright.compiler.findings import GW101, GW102, GW203, GW310, GW704, Edit, Finding, Fix, Label, Witness
from gatewright.grammar.text import Source, Span
from gatewright.runtime.reports.findings_sarif import findings_sarif
from gatewright.runtime.version import version

SCHEMA = Path(__file__).with_name("sarif-schema-2.1.0.json")
VALIDATOR = Draft4Validator(json.loads(SCHEMA.read_text("utf-8")))
SOURCE = Source("rules.gate", "hosts web-01\n🚀 on db-9 run `a.b`\n")
SPAN = SOURCE.span(18, 22)
URI = re.compile(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+|file:///(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})*")


def run_of(*findings: Finding) -> dict[str, Any]:
    document = json.loads(findings_sarif(findings))
    VALIDATOR.validate(document)
    return document["runs"][0]


def results_of(*findings: Finding) -> list[dict[str, Any]]:
    return run_of(*findings)["results"]


def test_a_finding_with_everything() -> None:
    finding = Finding(
        GW203,
        "the word “db” is part of others",
        SPAN,
        labels=(Label(SOURCE.span(6, 12), "the hosts"),),
        rule="Serves",
        witness=Witness("matches as well", "adb\x1b"),
        fix=Fix("bound it", (Edit(SPAN, r"\bdb\b"), Edit(SOURCE.span(0, 0), "# ")), is_safe=False),
    )
    at_db = {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 11}
    file = {"uri": "rules.gate", "uriBaseId": "%SRCROOT%"}
    (result,) = results_of(finding)
    assert result.pop("partialFingerprints").keys() == {"finding/v1"}
    assert result == {
        "ruleId": "GW203",
        "ruleIndex": 0,
        "level": "warning",
        "message": {
            "text": "the word “db” is part of others\n"
            "witness: matches as well: “adb\\x1b”\n"
            "fix: bound it (unsafe: the meaning may change)\n"
            "rule: Serves"
        },
        "locations": [{"physicalLocation": {"artifactLocation": file, "region": at_db}}],
        "relatedLocations": [
            {
                "id": 0,
                "physicalLocation": {
                    "artifactLocation": file,
                    "region": {"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 13},
                },
                "message": {"text": "the hosts"},
            }
        ],
        "fixes": [
            {
                "description": {"text": "bound it"},
                "artifactChanges": [
                    {
                        "artifactLocation": file,
                        "replacements": [
                            {"deletedRegion": at_db, "insertedContent": {"text": r"\bdb\b"}},
                            {
                                "deletedRegion": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
                                "insertedContent": {"text": "# "},
                            },
                        ],
                    }
                ],
                "properties": {"safe": False},
            }
        ],
        "properties": {"rule": "Serves", "witness": {"says": "matches as well", "value": "adb\x1b"}},
    }


def test_the_tool_says_who_it_is_and_how_columns_count() -> None:
    run = run_of()
    driver = run["tool"]["driver"]
    assert driver == {"name": "gatewright", "version": version(), "rules": []}
    assert run["columnKind"] == "utf16CodeUnits"
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["results"] == []


def test_every_code_is_a_rule_once_and_results_point_to_it() -> None:
    run = run_of(Finding(GW704, "a"), Finding(GW203, "b"), Finding(GW310, "c"), Finding(GW203, "d"))
    rules = run["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["name"], rule["defaultConfiguration"]["level"]) for rule in rules] == [
        ("GW203", "LooseWord", "warning"),
        ("GW310", "NoEffect", "note"),
        ("GW704", "Inventory", "error"),
    ]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    assert [(result["ruleIndex"], result["level"]) for result in run["results"]] == [
        (2, "error"),
        (0, "warning"),
        (1, "note"),
        (0, "warning"),
    ]


def test_a_rule_is_described_by_its_page() -> None:
    (rule,) = run_of(Finding(GW102, "unknown"))["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"].startswith("# GW102 unknown-key\n")
    assert "\n## Why\n" in rule["help"]["text"]
    assert rule["shortDescription"]["text"] in " ".join(rule["help"]["text"].split())
    assert rule["properties"]["slug"] == "unknown-key"


def test_texts_that_do_not_parse_are_notifications() -> None:
    run = run_of(Finding(GW101, "a rule should stand here", SPAN), Finding(GW101, "cannot read b"), Finding(GW203, "m"))
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert first["descriptor"] == {"id": "GW101", "index": 0}
    assert (first["level"], first["message"]) == ("error", {"text": "a rule should stand here"})
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == 2
    assert "locations" not in second
    assert [rule["id"] for rule in run["tool"]["driver"]["notifications"]] == ["GW101"]
    assert [result["ruleId"] for result in run["results"]] == ["GW203"]


def test_columns_count_utf16_code_units() -> None:
    source = Source("a.gate", "x\n日🚀🚀\ud800ab🚀")
    (result,) = results_of(Finding(GW203, "m", source.span(6, 9)))
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 11}


def test_a_byte_order_mark_takes_no_column() -> None:
    (result,) = results_of(Finding(GW203, "m", Source("a.gate", "\ufeff日b").span(1, 3)))
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (1, 3)


@pytest.mark.parametrize(
    ("name", "location"),
    [
        ("dir/a b.gate", {"uri": "dir/a%20b.gate", "uriBaseId": "%SRCROOT%"}),
        ("./ü#?.json", {"uri": "%C3%BC%23%3F.json", "uriBaseId": "%SRCROOT%"}),
        ("a:b%20.gate", {"uri": "a%3Ab%2520.gate", "uriBaseId": "%SRCROOT%"}),
        ("../up.gate", {"uri": "../up.gate", "uriBaseId": "%SRCROOT%"}),
        ("caf\udce9.gate", {"uri": "caf%E9.gate", "uriBaseId": "%SRCROOT%"}),
        ("/srv/a b.gate", {"uri": "file:///srv/a%20b.gate"}),
    ],
)
def test_files_are_named_by_uris(name: str, location: dict[str, str]) -> None:
    (result,) = results_of(Finding(GW203, "m", Source(name, "x").span(0, 1)))
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == location


@pytest.mark.parametrize("span", [None, Source("<stdin>", "x").span(0, 1), Source("", "x").span(0, 1)])
def test_what_is_in_no_file_has_no_location_and_no_fix(span: Span | None) -> None:
    edit_span = span or Source("<stdin>", "x").span(0, 1)
    fix = Fix("t", (Edit(SPAN, "y"), Edit(edit_span, "z")))
    (result,) = results_of(Finding(GW203, "m", span, (Label(edit_span, "l"),), fix=fix))
    assert not {"locations", "relatedLocations", "fixes"} & result.keys()


def test_fingerprints_stay_when_lines_are_added_above() -> None:
    def fingerprint(source: Source, message: str = "m", rule: str = "r") -> str:
        start = source.text.index("db")
        (result,) = results_of(Finding(GW203, message, source.span(start, start + 2), rule=rule))
        return result["partialFingerprints"]["finding/v1"]

    one = fingerprint(Source("a.gate", "db"))
    assert one == fingerprint(Source("a.gate", "# more\n\n  db"))
    assert len({one, fingerprint(Source("a.gate", "db"), "n"), fingerprint(Source("a.gate", "db"), "m", "s")}) == 3


def test_equal_findings_of_a_file_have_fingerprints_of_their_own() -> None:
    other = Finding(GW203, "m", Source("b.gate", "x").span(0, 1))
    here = Finding(GW203, "m", SPAN)
    first, second, third = (r["partialFingerprints"]["finding/v1"] for r in results_of(here, other, here))
    assert first == second
    assert first != third


def test_braces_and_links_of_a_message_stay_text() -> None:
    (result,) = results_of(Finding(GW203, "the pattern [a-z](x){3} is loose"))
    assert result["message"]["text"] == r"the pattern [a-z\](x){{3}} is loose"


def test_the_same_findings_give_the_same_bytes() -> None:
    findings = [Finding(GW203, "m", SPAN), Finding(GW101, "n")]
    assert findings_sarif(findings) == findings_sarif(iter(findings))


@given(LISTS)
def test_every_log_is_valid_by_the_official_schema(findings: list[Finding]) -> None:
    text = findings_sarif(findings)
    assert not unsafe(text)
    document = json.loads(text)
    VALIDATOR.validate(document)
    run = document["runs"][0]
    told = run["results"] + run["invocations"][0].get("toolExecutionNotifications", [])
    assert len(told) == len(findings)
    for artifact in every(document, "artifactLocation"):
        assert URI.fullmatch(artifact["uri"]), artifact
    for message in (entry["message"]["text"] for entry in told):
        assert message
        assert not unsafe(message)
        assert "{" not in message.replace("{{", "")


def every(value: object, key: str) -> list[dict[str, Any]]:
    """All objects below this key, wherever it stands."""
    if isinstance(value, list):
        return [found for item in value for found in every(item, key)]
    if not isinstance(value, dict):
        return []
    here = [value[key]] if key in value else []
    return here + [found for item in value.values() for found in every(item, key)]
