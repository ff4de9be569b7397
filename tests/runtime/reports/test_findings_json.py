from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from random_findings import LISTS, unsafe

from gatewright.compiler.findings import GW112, GW202, GW704, Edit, Finding, Fix, Label, Witness
from gatewright.compiler.json_schemas import findings_schema
from gatewright.grammar.text import Source
from gatewright.runtime.reports.findings_json import findings_json

VALIDATOR = Draft202012Validator(findings_schema())
SOURCE = Source("rules.gate", "hosts web-01\n🚀🚀 on db-9 run `a.b`\n")


def listed(*findings: Finding) -> list[dict[str, Any]]:
    text = findings_json(findings)
    assert text.endswith("}\n")
    document = json.loads(text)
    VALIDATOR.validate(document)
    return document["findings"]


def test_a_finding_with_everything() -> None:
    finding = Finding(
        GW112,
        "host “db-9” is not among the scenario's hosts",
        SOURCE.span(19, 23),
        labels=(Label(SOURCE.span(6, 12), "the hosts"),),
        help="write web-01",
        rule="Serves",
        witness=Witness("matches as well", "a\nb"),
        fix=Fix("name a host", (Edit(SOURCE.span(19, 23), "web-01"),), is_safe=True),
    )
    assert listed(finding) == [
        {
            "code": "GW112",
            "slug": "undeclared-host",
            "severity": "error",
            "message": "host “db-9” is not among the scenario's hosts",
            "file": "rules.gate",
            "line": 2,
            "column": 7,
            "end_line": 2,
            "end_column": 11,
            "rule": "Serves",
            "labels": [
                {
                    "file": "rules.gate",
                    "line": 1,
                    "column": 7,
                    "end_line": 1,
                    "end_column": 13,
                    "text": "the hosts",
                }
            ],
            "help": "write web-01",
            "witness": {"says": "matches as well", "value": "a\nb"},
            "fix": {
                "title": "name a host",
                "safe": True,
                "edits": [
                    {
                        "file": "rules.gate",
                        "line": 2,
                        "column": 7,
                        "end_line": 2,
                        "end_column": 11,
                        "text": "web-01",
                    }
                ],
            },
        }
    ]


def test_keys_that_do_not_apply_are_left_out() -> None:
    assert listed(Finding(GW704, "cannot read h.toml")) == [
        {"code": "GW704", "slug": "inventory", "severity": "error", "message": "cannot read h.toml"}
    ]


def test_without_findings_the_list_is_empty() -> None:
    assert json.loads(findings_json([])) == {"schema": "gatewright/findings/1", "findings": []}


def test_a_run_that_is_a_witness_is_an_object() -> None:
    run = {"job": {"tasks": [{"executed_commands": ["echo ü\x1b"]}], "score": 1.5}}
    finding = Finding(GW202, "m", witness=Witness("passes", json.dumps(run), is_run=True))
    assert listed(finding)[0]["witness"] == {"says": "passes", "run": run}


@pytest.mark.parametrize("text", ["no JSON", "[1]", '{"a": NaN}', '{"a": 1e999}', '{"a":' * 5000, "{" + "1" * 5000])
def test_a_run_that_json_cannot_say_again_stays_text(text: str) -> None:
    finding = Finding(GW202, "m", witness=Witness("passes", text, is_run=True))
    assert listed(finding)[0]["witness"] == {"says": "passes", "value": text}


def test_what_a_terminal_obeys_is_escaped() -> None:
    text = findings_json([Finding(GW704, "a\x1b[2J\x9b\u202e\ud800 é日")])
    assert r"a\u001b[2J\u009b\u202e\ud800 é日" in text


def test_the_order_is_the_one_given() -> None:
    assert [finding["message"] for finding in listed(Finding(GW704, "b"), Finding(GW112, "a"))] == ["b", "a"]


@given(LISTS)
def test_every_finding_is_valid_by_the_schema(findings: list[Finding]) -> None:
    text = findings_json(findings)
    assert not unsafe(text)
    document = json.loads(text)
    VALIDATOR.validate(document)
    assert [finding["message"] for finding in document["findings"]] == [finding.message for finding in findings]
    for finding, said in zip(findings, document["findings"], strict=True):
        if finding.span is not None:
            assert (said["line"], said["column"]) == (finding.span.line, finding.span.column)


def test_the_schema_knows_every_key() -> None:
    document = {"schema": "gatewright/findings/1", "findings": [listed(Finding(GW704, "m"))[0] | {"extra": 1}]}
    assert not VALIDATOR.is_valid(document)


def test_reports_load_neither_models_nor_grammar() -> None:
    code = (
        "import sys\n"
        "from gatewright.runtime.reports import FINDING_FORMATS\n"
        "from gatewright.runtime.reports.style import Style\n"
        "for report in FINDING_FORMATS.values(): report([], Style())\n"
        "print([name for name in ('pydantic', 'lark', 'jinja2', 'paramiko') if name in sys.modules])\n"
    )
    called = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert called.stdout == "[]\n"
