"""The published schemas accept what the front end accepts, and refuse what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gatewright.compiler.findings import Finding
from gatewright.compiler.form_checks import check_form
from gatewright.compiler.ir import HostState, JobResolutionStatus, PatternMatch, Rule, RuleSet, Turn, Turns
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.json_schemas import findings_schema, plan_schema, rules_schema, scenario_schema
from gatewright.compiler.json_text import parse_json
from gatewright.compiler.json_to_ir import read_json
from gatewright.compiler.plan import plan_to_json
from gatewright.grammar.text import Source

PATTERN = {"label": "a", "validator": "pattern_match", "pattern": "x", "where": "executed_commands"}
COUNT = {"label": "a", "validator": "task_count"}
STATUS = {"label": "a", "validator": "job_resolution_status"}
HOST = {"label": "a", "validator": "host_state", "run": "true"}
TURNS = {"label": "a", "validator": "turns"}
TICKET = {"label": "a", "validator": "ticket_status", "pattern": "resolved"}
PLAYBOOK = {"label": "a", "validator": "ansible", "ansiblePath": "validate.yml"}

FLAT = [
    PATTERN,
    {**PATTERN, "negate": True, "required": False},
    {**PATTERN, "x-note": {"any": ["thing"]}, "$schema": "s"},
    {**PATTERN, "where": "invocations"},
    {**PATTERN, "where": "comands"},
    {**PATTERN, "pattern": ""},
    {**PATTERN, "pattern": 1},
    {**PATTERN, "required": "yes"},
    {**PATTERN, "note": "x"},
    {key: value for key, value in PATTERN.items() if key != "label"},
    {**COUNT, "min": 0},
    {**COUNT, "min": 1, "max": 2},
    {**COUNT, "max": 1.0},
    {**COUNT, "max": 1.5},
    {**COUNT, "max": True},
    {**COUNT, "max": -1},
    {**COUNT, "max": 2**53 + 2},
    COUNT,
    {**COUNT, "min": 1, "negate": True},
    {**STATUS, "statuses": ["success", "partial"]},
    {**STATUS, "statuses": ["no_tasks_created"]},
    {**STATUS, "statuses": []},
    {**STATUS, "statuses": ["success", "success"]},
    {**STATUS, "statuses": ["done"]},
    {**STATUS, "pattern": "success"},
    HOST,
    {**HOST, "on": "web-01", "exit_code": 255},
    {**HOST, "exit_code": 256},
    {**HOST, "on": ""},
    {**TURNS, "turns": [{"hosts": ["a", "b"]}, {"hosts": ["a"], "at_least": 2}, {"at_least": 1}]},
    {**TURNS, "turns": []},
    {**TURNS, "turns": [{}]},
    {**TURNS, "turns": [{"hosts": []}]},
    {**TURNS, "turns": [{"hosts": [], "at_least": 1}]},
    {**TURNS, "turns": [{"at_least": 0}]},
    {**TURNS, "turns": [{"hosts": ["a", "a"]}]},
    {**TURNS, "turns": [{"hosts": ["a"], "hots": 1}]},
    TICKET,
    PLAYBOOK,
    {"label": "a", "validator": "unknown"},
    "a rule",
]
GROUPED = [
    PATTERN,
    {**PATTERN, "negate": True},
    {**COUNT, "min": 1, "negate": True},
    {**STATUS, "pattern": "success"},
    {**STATUS, "statuses": ["success"], "negate": True},
    {**STATUS, "statuses": ["success"], "pattern": "success"},
    STATUS,
    TICKET,
    {**TICKET, "pattern": ""},
    {**PLAYBOOK, "negate": True},
    {**PLAYBOOK, "path": "x"},
    HOST,
    {**TURNS, "turns": [{"at_least": 1}]},
]


def accepted_by_front_end(value: Any) -> bool:
    findings: list[Finding] = []
    document = parse_json(Source("rules.json", json.dumps(value)), findings.append)
    assert document is not None
    read = read_json(document, findings.append)
    if read is not None:
        check_form(read.rules, findings.append)
    return not any(finding.is_error for finding in findings)


@pytest.mark.parametrize("rule", FLAT, ids=json.dumps)
def test_the_flat_schema_agrees_with_the_front_end(rule: Any) -> None:
    assert Draft202012Validator(rules_schema("flat")).is_valid([rule]) == accepted_by_front_end([rule])


@pytest.mark.parametrize("rule", GROUPED, ids=json.dumps)
def test_the_grouped_schema_agrees_with_the_front_end(rule: Any) -> None:
    value = {"gateway": [], "job": [], "tasks": [rule], "allowedAgents": ["a"]}
    assert Draft202012Validator(rules_schema("grouped")).is_valid(value) == accepted_by_front_end(value)


SCENARIOS = [
    {"validation": []},
    {"validation": [PATTERN], "key": "k", "title": "", "tags": ["a"], "hosts": ["a", {"host_name": "b", "x": 1}]},
    {"validation": {"tasks": [PATTERN]}, "ticket": {"text": "anything"}, "agents": 3},
    {"validation": [], "prepare": [{"name": "n", "run": "true"}, {"write": "/a", "content": "", "sudo": True}]},
    {"validation": [], "prepare": [{"name": "n"}]},
    {"validation": [], "prepare": [{"name": "n", "run": "true", "write": "/a", "content": ""}]},
    {"validation": [], "restore": [{"name": "n", "write": "/a"}]},
    {"validation": [], "restore": [{"name": "n", "run": "true", "sudo": True}]},
    {"validation": [], "restore": {}},
    {"validation": [], "hosts": [{"id": 1}]},
    {"validation": [], "hosts": "a"},
    {"validation": "x"},
    {"validation": {"job": [], "jobs": []}},
    {"validation": [], "key": ""},
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=json.dumps)
def test_the_scenario_schema_agrees_with_the_front_end(scenario: Any) -> None:
    assert Draft202012Validator(scenario_schema()).is_valid(scenario) == accepted_by_front_end(scenario)


def test_some_of_the_tables_are_accepted_and_some_refused() -> None:
    for table in ([[rule] for rule in FLAT], [{"tasks": [rule]} for rule in GROUPED], SCENARIOS):
        verdicts = [accepted_by_front_end(value) for value in table]
        assert verdicts.count(True) >= 4
        assert verdicts.count(False) >= 4


def test_a_printed_plan_is_valid_by_its_schema() -> None:
    rules = RuleSet(
        scenario="s",
        hosts=("a",),
        rules=(
            Rule(label="1", check=PatternMatch(where="executed_commands", pattern="x"), negate=True),
            Rule(label="2", check=HostState(run="true", within=3), required=False),
            Rule(label="3", check=Turns(turns=(Turn(hosts=("a",)), Turn(at_least=2)))),
            Rule(label="4", check=JobResolutionStatus(statuses=("success",))),
        ),
    )
    validator = Draft202012Validator(plan_schema())
    plan = json.loads(plan_to_json(ir_to_plan(rules)))
    validator.validate(plan)
    assert not validator.is_valid({**plan, "semantics": "both"})


@pytest.mark.parametrize(
    "schema", [rules_schema("flat"), rules_schema("grouped"), scenario_schema(), plan_schema(), findings_schema()]
)
def test_every_schema_is_valid_by_its_draft(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)
