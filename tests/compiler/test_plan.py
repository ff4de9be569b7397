"""Plans: what is fetched, how it is grouped, the JSON form and back, the words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import (
    Ansible,
    AnyCheck,
    HostState,
    HowOften,
    JobResolutionStatus,
    PatternMatch,
    Rule,
    RuleSet,
    TaskCount,
    TicketStatus,
    Turn,
    Turns,
)
from gatewright.compiler.ir_to_plan import (
    ir_to_plan,
    plan_from_json,
    rules_of_plan,
)
from gatewright.compiler.json_text import parse_json
from gatewright.compiler.model_schema import schema_of
from gatewright.compiler.plan import Fetch, Plan, PlanPart, plan_to_json
from gatewright.compiler.plan_to_words import plan_to_words
from gatewright.grammar.text import Source


def pattern(where: str = "executed_commands", **more: Any) -> PatternMatch:
    return PatternMatch(where=where, pattern=more.pop("pattern", "x"), **more)


def rules(*checks: AnyCheck, **more: Any) -> RuleSet:
    return RuleSet(rules=tuple(Rule(label=f"r{n}", check=check) for n, check in enumerate(checks)), **more)


def read(text: str) -> tuple[Plan | None, list[Finding]]:
    findings: list[Finding] = []
    document = parse_json(Source("plan.json", text), findings.append)
    assert document is not None
    return plan_from_json(document, findings.append), findings


EVERYTHING = RuleSet(
    scenario="s",
    title="T",
    hosts=("a", "b"),
    rules=(
        Rule(label="p", check=pattern()),
        Rule(label="n", check=pattern("agent_messages"), negate=True, required=False, extras=(("x-a", "1"),)),
        Rule(label="before", check=pattern(before="y", on="b")),
        Rule(label="count", check=pattern("gateway_messages", how_often=HowOften(bound="exactly", times=0))),
        Rule(label="tasks", check=TaskCount(min=0, max=0)),
        Rule(label="status", check=JobResolutionStatus(statuses=("success",))),
        Rule(label="ticket", check=TicketStatus(status="resolved")),
        Rule(label="host", check=HostState(run="c1", exit_code=3)),
        Rule(label="host b", check=HostState(run="c2", on="b", within=30)),
        Rule(label="host a", check=HostState(run="c3", on="a")),
        Rule(label="turns", check=Turns(turns=(Turn(hosts=("a",)), Turn(at_least=2)))),
        Rule(label="play", check=Ansible(path="validate.yml")),
    ),
)


# ---- what is fetched -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("check", "semantics", "fetch"),
    [
        (pattern(), "flat", Fetch(task_targets=("executed_commands",), tasks=True)),
        (pattern(on="a"), "flat", Fetch(task_targets=("executed_commands",), tasks=True, task_hosts=True)),
        (pattern(before="y"), "flat", Fetch(task_targets=("executed_commands",), tasks=True, task_times=True)),
        (pattern("invocations"), "classic", Fetch(task_targets=("executed_commands",), tasks=True)),
        (pattern("invocations"), "flat", Fetch(task_targets=("executed_commands",), tasks=True)),
        (pattern("task_plan"), "flat", Fetch(task_targets=("task_plan",), tasks=True)),
        (pattern("task_plan"), "classic", Fetch(tasks=True)),
        (pattern("job_plan"), "flat", Fetch(job=("plan",))),
        (pattern("job_plan", before="y"), "flat", Fetch(job=("plan",))),
        (pattern("job_resolution"), "flat", Fetch(job=("resolution",))),
        (pattern("gateway_summary"), "flat", Fetch(ticket=("messages",))),
        (TicketStatus(status="x"), "flat", Fetch(ticket=("status",))),
        (TaskCount(max=1), "flat", Fetch(tasks=True)),
        (Turns(turns=(Turn(at_least=1),)), "flat", Fetch(tasks=True, task_hosts=True, task_times=True)),
        (JobResolutionStatus(statuses=("success",)), "flat", Fetch(job=("resolution_status",))),
        (HostState(run="c"), "flat", Fetch()),
        (Ansible(path="v.yml"), "flat", Fetch()),
    ],
)
def test_only_what_the_rules_need_is_fetched(check: AnyCheck, semantics: Any, fetch: Fetch) -> None:
    found = ir_to_plan(rules(check, semantics=semantics)).fetch
    if semantics == "flat":
        assert found.job[0] == "status"
        found = found.model_copy(update={"job": found.job[1:]})
    assert found == fetch


def test_classic_plan_without_rules_fetches_nothing() -> None:
    assert ir_to_plan(RuleSet(semantics="classic")).fetch == Fetch()


def test_plan_without_host_rules_has_no_host_commands() -> None:
    plan = ir_to_plan(rules(pattern(), TaskCount(max=1), hosts=("a",)))
    assert (plan.host_commands, plan.playbooks) == ((), ())


# ---- grouping --------------------------------------------------------------------------------------------------------
def test_patterns_are_grouped_by_target() -> None:
    plan = ir_to_plan(rules(pattern(pattern="1"), pattern("job_plan", pattern="2"), pattern(pattern="3", before="4")))
    grouped = [(g.target, [(use.rule, use.pattern, use.role) for use in g.patterns]) for g in plan.patterns]
    assert grouped == [
        ("executed_commands", [(0, "1", "search"), (2, "3", "search"), (2, "4", "before")]),
        ("job_plan", [(1, "2", "search")]),
    ]


def test_host_commands_are_grouped_by_host_in_rule_order() -> None:
    plan = ir_to_plan(EVERYTHING)
    assert [(g.host, [c.run for c in g.commands]) for g in plan.host_commands] == [("a", ["c1", "c3"]), ("b", ["c2"])]


def test_host_that_nothing_names_is_left_open() -> None:
    assert [group.host for group in ir_to_plan(rules(HostState(run="c"))).host_commands] == [None]


# ---- gates -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("statuses", "negate", "required", "accepts"),
    [
        (("success", "agentic_failure"), False, True, True),
        (("success",), False, True, False),
        (("agentic_failure",), True, True, False),
        (("success",), True, True, True),
        (("agentic_failure",), False, False, False),
    ],
)
def test_job_completed_is_left_out_when_a_required_rule_accepts_agentic_failure(
    statuses: tuple[str, ...], negate: bool, required: bool, accepts: bool
) -> None:
    rule = Rule(label="s", check=JobResolutionStatus(statuses=statuses), negate=negate, required=required)
    assert rule.accepts_agentic_failure is accepts
    assert ir_to_plan(RuleSet(rules=(rule,))).gates.job_completed is not accepts


def test_classic_plans_have_no_job_completed() -> None:
    assert ir_to_plan(RuleSet(semantics="classic")).gates.job_completed is False


def test_formula_says_every_rule_that_decides() -> None:
    formula = "\n".join(ir_to_plan(EVERYTHING).gates.formula)
    assert "passed ÷ 12 rules" in formula
    assert "the job completed and these pass: “p”, “before”, “count”" in formula
    assert "remediation = these pass: “host”, “host b”, “host a”, “play”" in formula
    classic = ir_to_plan(rules(TicketStatus(status="x"), semantics="classic")).gates.formula
    assert any("80 %" in line for line in classic)
    assert any("skipped" in line and "“r0”" in line for line in classic)


# ---- JSON ------------------------------------------------------------------------------------------------------------
def test_plan_comes_back_from_its_json() -> None:
    plan = ir_to_plan(EVERYTHING)
    again, findings = read(plan_to_json(plan))
    assert again == plan
    assert findings == []
    assert again is not None
    assert ir_to_plan(rules_of_plan(again)) == plan


def test_json_of_plan_has_keys_in_order_and_no_defaults() -> None:
    plan = json.loads(plan_to_json(ir_to_plan(rules(pattern()))))
    assert list(plan) == ["schema", "semantics", "rules", "fetch", "patterns", "gates"]
    check = {"validator": "pattern_match", "where": "executed_commands", "pattern": "x"}
    assert plan["rules"] == [{"label": "r0", "check": check}]
    assert plan["patterns"] == [{"target": "executed_commands", "patterns": [{"rule": 0, "pattern": "x"}]}]


def test_zero_is_a_bound_in_json() -> None:
    assert '"min": 0' in plan_to_json(ir_to_plan(rules(TaskCount(min=0))))


def test_same_rules_give_the_same_bytes() -> None:
    assert plan_to_json(ir_to_plan(EVERYTHING)) == plan_to_json(ir_to_plan(EVERYTHING.model_copy()))


TEXT = plan_to_json(ir_to_plan(EVERYTHING))


@pytest.mark.parametrize(
    ("old", "new", "codes", "message"),
    [
        ('"semantics"', '"semntics"', ["GW102"], "semntics"),
        ("plan/1", "plan/2", ["GW104"], "gatewright/plan/1"),
        ('"rule": 2', '"rule": 99', ["GW104"], "patterns: does not follow"),
        ('"job_completed": true', '"job_completed": false', ["GW104"], "gates: does not follow"),
        ('"run": "c2"', '"run": "c4"', ["GW104"], "host_commands: does not follow"),
        ('"tasks": true', '"tasks": false', ["GW104"], "fetch: does not follow"),
        ('"label": "p",', "", ["GW103"], "label"),
        ('"validator": "turns"', '"validator": "trns"', ["GW105"], "rules[10].check"),
        ('"exit_code": 3', '"exit_code": 300', ["GW104"], "rules[7].check.exit_code"),
        ('"exit_code": 3', '"exit_code": "3"', ["GW104"], "exit_code"),
        ('"exit_code": 3', '"exit_code": 3.5', ["GW104"], "exit_code"),
        ('"where": "executed_commands"', '"where": "commands"', ["GW106"], ""),
        ('"pattern": "x"', '"pattern": "("', ["GW201"], ""),
        ('"success"', '"succes"', ["GW111"], ""),
        ('"min": 0', '"min": 4', ["GW110"], ""),
        ('"on": "b"', '"on": "db-9"', ["GW112"], "db-9"),
        ('"semantics": "flat"', '"semantics": "classic"', ["GW109"], ""),
    ],
)
def test_broken_plan_is_a_finding_at_its_place(old: str, new: str, codes: list[str], message: str) -> None:
    assert old in TEXT
    plan, findings = read(TEXT.replace(old, new, 1))
    errors = [finding for finding in findings if finding.is_error]
    assert plan is None
    assert sorted({finding.code for finding in errors}) == codes
    assert all(message in finding.message for finding in errors[:1])
    assert all(finding.span is not None and finding.span.line > 1 for finding in errors)


def test_plan_that_is_no_object_is_a_syntax_finding() -> None:
    plan, findings = read("[]")
    assert plan is None
    assert [finding.code for finding in findings] == ["GW101"]


def test_words_of_the_formula_bind_nobody() -> None:
    plan, findings = read(TEXT.replace("verdict = error", "verdict = mistake"))
    assert findings == []
    assert plan is not None


def test_integers_may_be_spelled_as_in_rules() -> None:
    plan, _ = read(TEXT.replace('"exit_code": 3', '"exit_code": 3.0'))
    assert plan == ir_to_plan(EVERYTHING)


def test_every_field_of_a_plan_is_documented() -> None:
    obvious = {"scenario", "title", "schema", "target", "patterns", "pattern", "run", "path", "commands", "fetch"}
    obvious |= {"host_commands", "playbooks", "gates"}
    schema = schema_of(Plan)
    parts = [schema, *(schema["$defs"][part.__name__] for part in PlanPart.__subclasses__() if part is not Plan)]
    assert len(parts) >= 8
    bare = {name for part in parts for name, field in part["properties"].items() if not field.get("description")}
    assert bare <= obvious


# ---- words -----------------------------------------------------------------------------------------------------------
def test_words_name_every_rule_and_all_that_is_fetched() -> None:
    words = plan_to_words(ir_to_plan(EVERYTHING))
    for rule in EVERYTHING.rules:
        assert f"“{rule.label}”" in words
    for part in ("executed_commands of every task", "Run on a", "Run on b", "`validate.yml`", "for 30 s", "verdict ="):
        assert part in words


def test_words_of_a_plan() -> None:
    plan = ir_to_plan(
        RuleSet(
            scenario="nginx",
            hosts=("web-01",),
            rules=(
                Rule(label="Restarted", check=pattern(pattern="restart")),
                Rule(label="No reboot", check=pattern(pattern="reboot"), negate=True, required=False),
                Rule(label="Serves", check=HostState(run="curl localhost")),
            ),
        )
    )
    assert plan_to_words(plan) == (
        "Scenario nginx, flat semantics\n\n"
        "Read from the run record\n  - executed_commands of every task\n  - status of the job\n\n"
        "Run on web-01, in this order\n  - `curl localhost`\n\n"
        "Check\n"
        "  1. “Restarted” (required): some value of executed_commands matches `restart`\n"
        "  2. “No reboot” (optional): no value of executed_commands matches `reboot`\n"
        "  3. “Serves” (required): on web-01 `curl localhost` ends with exit status 0\n\n"
        "Decide\n"
        "  - score = passed ÷ 3 rules (all rules, required or not)\n"
        "  - compliance = the job completed and these pass: “Restarted”\n"
        "  - remediation = these pass: “Serves”\n"
        "  - verdict = error if any rule is error, else passed if compliance and remediation pass, else failed\n"
    )


def test_words_of_classic_rules_say_what_is_joined() -> None:
    words = plan_to_words(ir_to_plan(rules(pattern(), pattern("job_plan"), semantics="classic")))
    assert "some task's executed_commands, its values joined with newlines, matches `x`" in words
    assert "job_plan, its values joined with newlines, matches `x`" in words


def test_words_show_control_characters_as_escapes() -> None:
    words = plan_to_words(ir_to_plan(rules(pattern(pattern="\x1b[31m"), HostState(run="a\nb `c`"))))
    assert "`\\x1b[31m`" in words
    assert "``a\\nb `c` ``" in words


def test_words_of_nothing() -> None:
    words = plan_to_words(ir_to_plan(RuleSet(semantics="classic")))
    assert "nothing: there are no rules" in words
    assert "score = 100 % (no rules)" in words
