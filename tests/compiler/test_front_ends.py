"""The three ways in: the same rules give the same IR, and every front end refuses what no run could make sense of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gatewright.compiler import ir
from gatewright.compiler.findings import Finding
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, LoadedPlan, load
from gatewright.compiler.plan import plan_to_json


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that names in messages are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(name: str, text: str) -> tuple[Loaded, list[Finding]]:
    Path(name).write_bytes(text.encode())
    findings: list[Finding] = []
    loaded = load(Path(name), findings.append)
    assert isinstance(loaded, Loaded)
    return loaded, findings


def good(name: str, text: str) -> ir.RuleSet:
    loaded, findings = read(name, text)
    assert [finding.message for finding in findings if finding.is_error] == []
    return loaded.rules


def errors(name: str, text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of every error, in the order of their places."""
    Path(name).write_bytes(text.encode())
    findings: list[Finding] = []
    load(Path(name), findings.append)
    told = [finding for finding in findings if finding.is_error]
    assert all(finding.span is not None for finding in told)
    return sorted((f.code, f.span.line, f.span.column) for f in told if f.span is not None)


def gate(text: str) -> list[tuple[str, int, int]]:
    return errors("x.gate", text)


# ---- the same rules in three forms -----------------------------------------------------------------------------------

PATTERN = {"validator": "pattern_match", "pattern": "a\\b", "where": "tool_calls"}
STATUSES = {"validator": "job_resolution_status", "statuses": ["success", "partial"]}
NOT_DONE = {"validator": "job_resolution_status", "statuses": ["partial"], "negate": True}
TICKET = {"validator": "ticket_status", "pattern": "in progress"}
GATES: list[tuple[str, dict[str, Any] | None, dict[str, Any] | None]] = [
    ("tool_calls matches `a\\b`", PATTERN, PATTERN),
    ('tool_calls matches "a\\\\b"', PATTERN, PATTERN),
    ("tool_calls never matches `a\\b`", {**PATTERN, "negate": True}, {**PATTERN, "negate": True}),
    (
        "task_count 1..3",
        {"validator": "task_count", "min": 1, "max": 3},
        {"validator": "task_count", "min": 1, "max": 3},
    ),
    ("task_count 1..", {"validator": "task_count", "min": 1}, {"validator": "task_count", "min": 1}),
    ("task_count ..3", {"validator": "task_count", "max": 3}, {"validator": "task_count", "max": 3}),
    ("task_count 2", {"validator": "task_count", "min": 2, "max": 2}, {"validator": "task_count", "min": 2, "max": 2}),
    ("task_count 0", {"validator": "task_count", "max": 0}, {"validator": "task_count", "max": 0}),
    (
        "task_count 0..0",
        {"validator": "task_count", "min": 0, "max": 0},
        {"validator": "task_count", "min": 0, "max": 0},
    ),
    ("task_count 0..", {"validator": "task_count", "min": 0}, {"validator": "task_count", "min": 0}),
    ("not task_count 2..", None, {"validator": "task_count", "min": 2, "negate": True}),
    ("job_resolution_status in success, partial", STATUSES, STATUSES),
    ('job_resolution_status in "success", partial', STATUSES, STATUSES),
    ("not job_resolution_status in partial", None, NOT_DONE),
    ("not job_resolution_status in partial", None, {**NOT_DONE, "pattern": "partial", "statuses": None}),
    ('ticket_status is "in progress"', None, TICKET),
    ('not ticket_status is "in progress"', None, {**TICKET, "negate": True}),
    ('ansible "validate.yml"', None, {"validator": "ansible", "ansiblePath": "validate.yml"}),
    ("ansible `validate.yml`", None, {"validator": "ansible", "ansiblePath": "validate.yml"}),
    ("run `x`", {"validator": "host_state", "run": "x"}, None),
    ("run `x` exits 0", {"validator": "host_state", "run": "x", "exit_code": 0}, None),
    ("on web-01 run `x` exits 3", {"validator": "host_state", "run": "x", "on": "web-01", "exit_code": 3}, None),
    ('on "web-01" run `x`', {"validator": "host_state", "run": "x", "on": "web-01"}, None),
    (
        "turns [a, b] then [c, at least 3] then [at least 2]",
        {"validator": "turns", "turns": [{"hosts": ["a", "b"]}, {"at_least": 3, "hosts": ["c"]}, {"at_least": 2}]},
        None,
    ),
    (
        "turns [at, then] then [least]",
        {"validator": "turns", "turns": [{"hosts": ["at", "then"]}, {"hosts": ["least"]}]},
        None,
    ),
]


def ids(value: object) -> str | None:
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize("keyword", ["require", "optional"])
@pytest.mark.parametrize(("check", "flat", "grouped"), GATES, ids=ids)
def test_rule_is_the_same_in_every_form_that_has_it(
    check: str, flat: dict[str, Any] | None, grouped: dict[str, Any] | None, keyword: str
) -> None:
    required = {} if keyword == "require" else {"required": False}
    (expected,) = good("x.gate", f'{keyword} "r": {check}\n').rules
    if flat is not None:
        rules = good("x.json", json.dumps([{"label": "r", **flat, **required}]))
        assert rules.semantics == "flat"
        assert rules.rules == (expected,)
    if grouped is not None:
        entry = {key: value for key, value in {"label": "r", **grouped, **required}.items() if value is not None}
        group = {"pattern_match": "tasks", "ansible": "tasks", "ticket_status": "gateway"}.get(
            entry["validator"], "job"
        )
        rules = good("y.json", json.dumps({group: [entry]}))
        assert rules.semantics == "classic"
        assert rules.rules == (expected,)


@pytest.mark.parametrize(
    "literal",
    [
        '"one\\ntwo"',
        "```\n  one\n  two\n  ```",
        "```\r\n  one\r\n  two\r\n  ```",
        "```\n\tone\n\ttwo\n```\n".replace("\t", ""),
    ],
)
def test_ways_to_write_a_text_mean_the_same(literal: str) -> None:
    (rule,) = good("x.gate", f'require "r": run {literal}\n').rules
    assert rule.check == ir.HostState(run="one\ntwo")


def test_defaults_written_out_and_left_out_are_the_same_rule() -> None:
    one = {"label": "r", "validator": "pattern_match", "pattern": "x", "where": "tool_calls"}
    assert good("x.json", json.dumps([one])) == good("y.json", json.dumps([{**one, "required": True, "negate": False}]))


@pytest.mark.parametrize("number", ["1", "1.0", "1e0", "10e-1", "1.00E+0"])
def test_spellings_of_one_are_one(number: str) -> None:
    (rule,) = good("x.json", f'[{{"label": "r", "validator": "task_count", "min": {number}}}]').rules
    assert rule.check == ir.TaskCount(min=1)


def test_scenario_is_the_same_in_gate_and_in_json() -> None:
    text = (
        'scenario "k"\ntitle "T"\ntags a, "b c"\nhosts h, "10.0.0.1"\nrequire "r": task_count 1\n'
        'prepare { "p": on h sudo write "/f" "c" }\nrestore { "q": run `x` }\n'
    )
    scenario = {
        "key": "k",
        "title": "T",
        "tags": ["a", "b c"],
        "hosts": ["h", {"host_id": "10.0.0.1", "cpu": 2}],
        "prepare": [{"name": "p", "on": "h", "write": "/f", "content": "c", "sudo": True}],
        "validation": [{"label": "r", "validator": "task_count", "min": 1, "max": 1}],
        "restore": [{"name": "q", "run": "x"}],
        "agents": [],
    }
    assert good("x.gate", text) == good("x.json", json.dumps(scenario))


# ---- what a JSON file is ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form", "in_scenario"),
    [
        ("[]", "flat", False),
        ('{"gateway": []}', "grouped", False),
        ('{"job": []}', "grouped", False),
        ('{"tasks": []}', "grouped", False),
        ('{"validation": []}', "flat", True),
        ('{"validation": {}}', "grouped", True),
        ('{"tasks": "kept", "validation": []}', "flat", True),
        ('{"schema": "gatewright/run/1", "validation": []}', "flat", True),
    ],
)
def test_json_file_is_told_by_its_shape(text: str, form: str, in_scenario: bool) -> None:
    loaded, findings = read("x.json", text)
    assert findings == []
    assert (loaded.form, loaded.in_scenario) == (form, in_scenario)


@pytest.mark.parametrize("text", ["{}", "3", '"x"', "null", "true", '{"rules": []}', '{"x-a": 1}'])
def test_json_file_that_is_no_rules_is_a_syntax_error(text: str) -> None:
    assert [code for code, *_ in errors("x.json", text)] == ["GW101"]


def test_plan_file_is_read_as_a_plan() -> None:
    plan = ir_to_plan(good("x.gate", 'hosts a\nrequire "r": on a run `x`\n'))
    Path("plan.json").write_text(plan_to_json(plan), "utf-8")
    loaded = load(Path("plan.json"), lambda finding: pytest.fail(finding.message))
    assert isinstance(loaded, LoadedPlan)
    assert loaded.plan == plan


@pytest.mark.parametrize("value", ["3", '"x"', "null", "true"])
def test_validation_that_is_no_rules_is_a_bad_value(value: str) -> None:
    assert errors("x.json", f'{{"validation": {value}}}') == [("GW104", 1, 16)]


# ---- the folder of a scenario ----------------------------------------------------------------------------------------


def scenario_folder(**files: str) -> tuple[Loaded | LoadedPlan | None, list[Finding]]:
    Path("s").mkdir()
    for name, text in files.items():
        Path("s", name.replace("_", ".")).write_text(text, "utf-8")
    findings: list[Finding] = []
    return load(Path("s"), findings.append), findings


def test_folder_is_its_gate_file_with_a_scenario_completed_from_scenario_json() -> None:
    loaded, findings = scenario_folder(
        rules_gate='scenario "mine"\nrequire "r": on a run `x`\n',
        lib_gate='require "lib": task_count 1\n',
        scenario_json='{"key": "theirs", "title": "T", "tags": ["t"], "hosts": ["a"], "validation": []}',
    )
    assert findings == []
    assert isinstance(loaded, Loaded)
    rules = loaded.rules
    assert (rules.scenario, rules.title, rules.tags, rules.hosts) == ("mine", "T", ("t",), ("a",))
    assert [rule.label for rule in rules.rules] == ["r"]
    assert loaded.path == Path("s/rules.gate")


def test_hosts_from_scenario_json_are_what_rules_are_checked_against() -> None:
    _, findings = scenario_folder(
        rules_gate='scenario "k"\nrequire "r": on b run `x`\n', scenario_json='{"hosts": ["a"], "validation": []}'
    )
    assert [finding.code for finding in findings] == ["GW112"]


def test_scenario_json_beside_a_gate_file_needs_no_validation() -> None:
    """A scenario whose rules moved into the .gate file keeps its ticket text, its key and its hosts there."""
    loaded, findings = scenario_folder(
        rules_gate='scenario "k"\nrequire "r": run `x`\n', scenario_json='{"title": "T", "hosts": ["a"], "ticket": "x"}'
    )
    assert findings == []
    assert isinstance(loaded, Loaded)
    assert (loaded.rules.title, loaded.rules.hosts) == ("T", ("a",))


def test_folder_without_a_scenario_in_gate_is_its_scenario_json() -> None:
    loaded, findings = scenario_folder(
        lib_gate='# scenario "no"\nrequire "scenario": task_count 1\n', scenario_json='{"key": "k", "validation": []}'
    )
    assert findings == []
    assert isinstance(loaded, Loaded)
    assert (loaded.rules.scenario, loaded.path) == ("k", Path("s/scenario.json"))


def test_two_scenarios_in_a_folder_are_an_error_that_names_both() -> None:
    loaded, findings = scenario_folder(one_gate='scenario "a"\n', two_gate='scenario "b"\n')
    assert loaded is None
    assert [finding.is_error for finding in findings] == [True]
    assert "one.gate" in findings[0].message
    assert "two.gate" in findings[0].message


@pytest.mark.parametrize("files", [{}, {"rules_gate": 'require "r": task_count 1\n'}, {"other_json": "[]"}])
def test_folder_without_a_scenario_is_an_error(files: dict[str, str]) -> None:
    loaded, findings = scenario_folder(**files)
    assert loaded is None
    assert [finding.code for finding in findings] == ["GW101"]


def test_broken_gate_file_with_a_scenario_is_not_passed_over_for_the_json() -> None:
    _, findings = scenario_folder(
        rules_gate='scenario "k"\nrequire "r":\n', scenario_json='{"key": "other", "validation": []}'
    )
    assert [finding.code for finding in findings] == ["GW101"]


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('require "r": run `x` exits 256', [("GW104", 1, 28)]),
        ('require "r": run `x` exits 99999999999999999999', [("GW104", 1, 28)]),
        ('require "r": run `x` within 0 s', [("GW104", 1, 29)]),
        ('require "r": run ""', [("GW104", 1, 18)]),
        ('require "r": tool_calls matches ""', [("GW104", 1, 33)]),
        ('require "": task_count 1', [("GW104", 1, 9)]),
        ('require "r": ansible ""', [("GW104", 1, 22)]),
        ('require "r": turns [at least 0]', [("GW104", 1, 30)]),
        ('require "r": turns [a, a]', [("GW104", 1, 24)]),
        ('require "r": turns [at least 1, at least 2]', [("GW104", 1, 42)]),
        ('require "r": task_count 9007199254740993..', [("GW104", 1, 25)]),
        ('require "r": task_count 3..1', [("GW110", 1, 25)]),
        ('require "r": tool_calls matches `x` at least 0 times', [("GW110", 1, 37)]),
        ('require "r": job_resolution_status in sucess', [("GW111", 1, 39)]),
        ('require "r": job_resolution_status in Success', [("GW111", 1, 39)]),
        ('require "r": job_resolution_status in success, success', [("GW111", 1, 48)]),
        ('require "r": commands matches `x`', [("GW106", 1, 14)]),
        ('require "r": on a gateway_summary matches `x`', [("GW104", 1, 17)]),
        ('require "r": on a job_plan never matches `x`', [("GW104", 1, 17)]),
        ('hosts a\nrequire "r": on b run `x`', [("GW112", 2, 17)]),
        ('hosts a\nrequire "r": on "a\\n" run `x`', [("GW112", 2, 17)]),
        ('hosts a\nrequire "r": on A run `x`', [("GW112", 2, 17)]),
        ('hosts a\nrequire "r": on b tool_calls matches `x`', [("GW112", 2, 17)]),
        ('hosts a\nrequire "r": turns [a, b]', [("GW112", 2, 24)]),
        ('hosts a\nprepare { "p": on b run `x` }', [("GW112", 2, 19)]),
        ('hosts a\nrestore { "p": on b write "/f" "x" }', [("GW112", 2, 19)]),
        ('hosts a\ntest "t" { task on b { } }', [("GW112", 2, 20)]),
        ('hosts a\ntest "t" { on b run `x` exits 0 }', [("GW112", 2, 15)]),
        ('hosts a\nfor h in a, b { require t"{{ h }}": on h run `x` }', [("GW112", 2, 40)]),
        ("hosts a, b, a", [("GW104", 1, 13)]),
        ('scenario "a"\nscenario "b"', [("GW104", 2, 1)]),
        ("hosts a\nhosts a", [("GW104", 2, 1)]),
        ("semantics flat\nsemantics flat", [("GW104", 2, 1)]),
        ("prepare { }\nprepare { }", [("GW104", 2, 1)]),
        ('for h in a, a { require t"{{ h }}": task_count 1 }', [("GW104", 1, 13)]),
        ('require "r": run "\\ud83d"', [("GW104", 1, 19)]),
        ('semantics classic\nrequire "r": run `x`', [("GW109", 2, 14)]),
        ('semantics classic\nrequire "r": turns [a]', [("GW109", 2, 14)]),
        ('semantics classic\nrequire "r": commands matches `x`', [("GW106", 2, 14)]),
        ('require "r": tool_calls matches `(`', [("GW201", 1, 34)]),
        ('require "r": tool_calls matches `a` before `(`', [("GW201", 1, 45)]),
        ('test "t" { executed_command `x` }', [("GW106", 1, 12)]),
        ('test "t" { invocations `x` }', [("GW106", 1, 12)]),
        ('test "t" { no tasks executed_commands `x` }', [("GW104", 1, 21)]),
        ('test "t" { task { } executed_commands empty }', [("GW104", 1, 21)]),
        ('test "t" { run `x` exits 256 }', [("GW104", 1, 26)]),
        ('test "t" { task { job_plan `x` } }', [("GW104", 1, 19)]),
        ('test "t" { task from "yesterday" to "2026-05-01T10:00:00Z" { } }', [("GW104", 1, 22)]),
        ('test "t" { expect pass "nosuch" }', [("GW104", 1, 24)]),
    ],
    ids=ids,
)
def test_gate_file_refuses(text: str, found: list[tuple[str, int, int]]) -> None:
    assert gate(f"{text}\n") == found


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ('{"label": "r", "validator": "task_count", "min": true}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": "1"}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": 1.5}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": 9007199254740993}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": 1e400}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": null}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "max": -0.5}', [("GW104", 1, 51)]),
        ('{"label": "r", "validator": "task_count", "min": -1}', [("GW110", 1, 51)]),
        ('{"label": "r", "validator": "task_count"}', [("GW110", 1, 2)]),
        ('{"label": 3, "validator": "task_count", "min": 1}', [("GW104", 1, 12)]),
        ('{"label": "r", "validator": 3}', [("GW104", 1, 30)]),
        ('{"label": "r", "validator": "Task_count", "min": 1}', [("GW105", 1, 30)]),
        ('{"label": "r", "validator": "host_state", "run": "x", "exit_code": 256}', [("GW104", 1, 69)]),
        ('{"label": "r", "validator": "host_state", "run": "x", "on": ""}', [("GW104", 1, 62)]),
        ('{"label": "r", "validator": "host_state", "run": "x", "negate": true}', [("GW109", 1, 56)]),
        ('{"label": "r", "validator": "turns", "turns": []}', [("GW104", 1, 48)]),
        ('{"label": "r", "validator": "turns", "turns": [{"hosts": []}]}', [("GW104", 1, 59)]),
        ('{"label": "r", "validator": "turns", "turns": [{"at_least": 0}]}', [("GW104", 1, 62)]),
        ('{"label": "r", "validator": "turns", "turns": [{"host": ["a"]}]}', [("GW102", 1, 50)]),
        ('{"label": "r", "validator": "turns", "turns": [{"hosts": ["a", "a"]}]}', [("GW104", 1, 65)]),
        ('{"label": "\\ud83d", "validator": "task_count", "min": 1}', [("GW104", 1, 12)]),
        ('{"label": "r", "validator": "pattern_match", "where": "invocations2", "pattern": "x"}', [("GW106", 1, 56)]),
        ('{"label": "r", "validator": "ticket_status", "pattern": "x"}', [("GW109", 1, 30)]),
        ('{"label": "r", "validator": "ansible", "ansiblePath": "x"}', [("GW109", 1, 30)]),
        ("3", [("GW104", 1, 2)]),
        ("[]", [("GW104", 1, 2)]),
    ],
    ids=ids,
)
def test_flat_json_refuses(entry: str, found: list[tuple[str, int, int]]) -> None:
    assert errors("x.json", f"[{entry}]") == found


def test_extension_target_is_not_for_json() -> None:
    """SPEC section 3, “Beyond the JSON forms”: `invocations` exists in .gate files only."""
    entry = {"label": "r", "validator": "pattern_match", "where": "invocations", "pattern": "x"}
    assert errors("x.json", json.dumps([entry])) != []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"job": [{"label": "r", "validator": "host_state", "run": "x"}]}', [("GW109", 1, 38)]),
        ('{"job": [{"label": "r", "validator": "turns", "turns": [{"at_least": 1}]}]}', [("GW109", 1, 38)]),
        ('{"jobs": [], "tasks": []}', [("GW102", 1, 2)]),
        ('{"tasks": {}}', [("GW104", 1, 11)]),
        (
            '{"tasks": [{"label": "r", "validator": "pattern_match", "where": "nosuch", "pattern": "x"}]}',
            [("GW106", 1, 66)],
        ),
        ('{"job": [{"label": "r", "validator": "job_resolution_status"}]}', [("GW103", 1, 10)]),
        ('{"tasks": [{"label": "r", "validator": "ansible", "ansiblePath": ""}]}', [("GW104", 1, 66)]),
    ],
    ids=ids,
)
def test_grouped_json_refuses(text: str, found: list[tuple[str, int, int]]) -> None:
    assert errors("x.json", text) == found


@pytest.mark.parametrize(
    "text",
    [
        'semantics classic\nrequire "r": nosuch matches `x`\n',
        'semantics classic\nrequire "r": tool_calls matches `x` at least 2 times\n',
    ],
)
def test_classic_gate_file_is_read_without_a_crash(text: str) -> None:
    read("x.gate", text)


def test_one_run_tells_the_broken_statements_and_checks_those_that_parse() -> None:
    text = (
        'hosts a\nrequire "one": on\nrequire "two": on b run `x`\nrequire "three": task_count 3..1\n'
        'require "four" tool_calls matches `x`\nrequire "five": nosuch matches `x`\n'
    )
    assert gate(text) == [("GW101", 2, 18), ("GW101", 5, 16), ("GW106", 6, 17), ("GW110", 4, 29), ("GW112", 3, 19)]


def test_one_run_tells_every_wrong_rule_of_a_json_file() -> None:
    entries = [{"label": "", "validator": "task_count"}, {"validator": "nosuch"}, 3, {"label": "r"}]
    codes = [code for code, *_ in errors("x.json", json.dumps(entries))]
    assert sorted(codes) == ["GW103", "GW103", "GW104", "GW104", "GW105"]


def test_hosts_that_are_not_declared_may_be_any() -> None:
    """GW112 applies only where hosts are declared."""
    good("x.gate", 'require "r": on anything run `x`\nrequire "t": turns [a, b]\n')
    good("x.json", '{"hosts": [], "validation": [{"label": "r", "validator": "host_state", "run": "x", "on": "y"}]}')


@pytest.mark.parametrize(
    ("hosts", "code", "column"),
    [
        ('["a", "a"]', "GW104", 17),
        ('["a", {"host_name": "a"}]', "GW104", 17),
        ('[{"cpu": 1}]', "GW103", 12),
        ("[3]", "GW104", 12),
        ('"a"', "GW104", 11),
        ('[{"host_name": ""}]', "GW104", 26),
    ],
)
def test_hosts_of_a_scenario_object_have_one_name_each(hosts: str, code: str, column: int) -> None:
    ((found, _, where),) = errors("x.json", f'{{"hosts": {hosts}, "validation": []}}')
    assert found == code
    if '"host_name": "a"' not in hosts:
        assert where == column


@pytest.mark.parametrize("word", ["scenario", "test", "expect", "for", "require"])
def test_reserved_word_is_a_host_in_quotes_only(word: str) -> None:
    rules = good("x.gate", f'hosts "{word}"\nrequire "r": on "{word}" run `x`\n')
    assert rules.hosts == (word,)
    assert gate(f'require "r": on {word} run `x`\n') != []


def test_large_files_reach_no_recursion_limit() -> None:
    """LK-04: 5,000 rules, and 2,000 groups in each other."""
    many = "".join(f'require "r{n}": task_count 1\n' for n in range(5000))
    assert len(good("x.gate", many).rules) == 5000
    nested = "(" * 2000 + "a" + ")" * 2000
    findings: list[Finding] = []
    Path("n.gate").write_text(f'require "r": tool_calls matches `{nested}`\n', "utf-8")
    assert isinstance(load(Path("n.gate"), findings.append), Loaded)
    assert all(finding.code == "GW201" for finding in findings)  # a size limit may refuse it


@pytest.mark.parametrize("path", ["/etc/validate.yml", "../validate.yml", "checks/../../validate.yml"])
def test_playbook_outside_the_folder_of_the_scenario_is_refused(path: str) -> None:
    _, findings = read("x.gate", f'require "p": ansible "{path}"\n')
    assert [(finding.code, finding.span.text) for finding in findings] == [("GW104", f'"{path}"')]


@pytest.mark.parametrize("path", ["validate.yml", "checks/validate.yml", "checks/../validate.yml", "./a..b.yml"])
def test_playbook_inside_the_folder_of_the_scenario_is_taken(path: str) -> None:
    assert read("x.gate", f'require "p": ansible "{path}"\n')[1] == []


def test_a_lone_carriage_return_ends_a_comment() -> None:
    loaded, findings = read("x.gate", '# c\rrequire "a": task_count 1 # d\rrequire "b": task_count 2\r\n')
    assert findings == []
    assert [rule.label for rule in loaded.rules.rules] == ["a", "b"]
