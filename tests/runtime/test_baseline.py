"""The baseline: what is asked before the run, and which rules held then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gatewright.compiler.ir import Ansible, HostState, PatternMatch, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.plan import Plan
from gatewright.grammar.text import Source
from gatewright.runtime.baseline import held_before, take_baseline
from gatewright.runtime.evidence.bundle import AskedHost, Bundle, bundle_text
from gatewright.runtime.evidence.read_bundle import read_bundle
from gatewright.runtime.evidence.record import HostAnswer, PlaybookAnswer
from gatewright.runtime.reports.results_text import results_text
from gatewright.runtime.result import Provenance, Result, RuleResult, Status
from gatewright.runtime.result_json import result_schema, result_to_dict


@dataclass
class Hosts:
    live: bool = True
    asked: list[tuple[str | None, str]] = field(default_factory=list)

    def connect(self, host: str | None) -> Connection:
        return Connection(self, host)

    def playbook(self, path: str) -> PlaybookAnswer:
        self.asked.append((None, path))
        return PlaybookAnswer(path, 2)

    def close(self) -> None:
        raise AssertionError("the hosts stay open")


@dataclass
class Connection:
    hosts: Hosts
    host: str | None

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        self.hosts.asked.append((self.host, command))
        return HostAnswer(self.host or "only", command, exit_code=int(command == "false"))

    def close(self) -> None:
        pass


def plan_of(*checks: Any, negate: bool = False, **more: Any) -> Plan:
    rules = tuple(
        Rule(label=str(number), check=check, negate=negate and isinstance(check, HostState))
        for number, check in enumerate(checks)
    )
    return ir_to_plan(RuleSet(rules=rules, scenario="nginx", **more))


SEEN = PatternMatch(where="executed_commands", pattern="x")


def test_only_host_rules_are_asked_and_each_once() -> None:
    hosts = Hosts()
    plan = plan_of(SEEN, HostState(run="false", on="a", within=60), Ansible(path="validate.yml"), HostState(run="true"))
    bundle = take_baseline(plan, hosts)
    assert sorted(map(str, hosts.asked)) == sorted(map(str, [("a", "false"), (None, "true"), (None, "validate.yml")]))
    assert (bundle.record, bundle.scenario, bundle.live) == (None, "nginx", True)
    assert not bundle.has_run
    assert held_before(plan, bundle) == {1: False, 2: False, 3: True}


def test_a_baseline_is_written_and_read_like_any_bundle() -> None:
    plan = plan_of(HostState(run="true", on="a"), Ansible(path="validate.yml"))
    bundle = take_baseline(plan, Hosts())
    again = read_bundle(Source("before.json", bundle_text(bundle)), pytest.fail)
    assert again == bundle
    assert held_before(plan, bundle) == {0: True, 1: False}


def test_a_rule_held_when_it_would_have_passed_negation_included() -> None:
    plan = plan_of(HostState(run="true", on="a"), HostState(run="false", on="a"), negate=True)
    assert held_before(plan, take_baseline(plan, Hosts())) == {0: False, 1: True}


def test_rules_of_the_run_may_be_others_than_those_of_the_baseline() -> None:
    bundle = take_baseline(plan_of(HostState(run="true", on="a"), HostState(run="false", on="a")), Hosts())
    plan = plan_of(SEEN, HostState(run="false", on="a", exit_code=1), HostState(run="new", on="a"))
    assert held_before(plan, bundle) == {1: True}


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize(
    ("answer", "held"),
    [
        (HostAnswer("a", "x", problem="timed out after 300 s"), {0: False}),
        (HostAnswer("a", "x", problem="killed by SIGKILL"), {0: False}),
        (HostAnswer("a", "x", problem="no route to host", unreachable=True), {}),
    ],
)
def test_what_would_fail_did_not_hold_and_an_error_is_not_spoken_of(
    answer: HostAnswer, held: dict[int, bool], negate: bool
) -> None:
    plan = plan_of(HostState(run="x", on="a"), negate=negate)
    assert held_before(plan, Bundle(record=None, hosts=(AskedHost("a", (answer,)),), live=True)) == held


def test_a_playbook_that_did_not_run_is_not_spoken_of() -> None:
    plan = plan_of(Ansible(path="a.yml"), Ansible(path="b.yml"), Ansible(path="c.yml"))
    playbooks = (PlaybookAnswer("a.yml", problem="no ansible-playbook"), PlaybookAnswer("b.yml", 4))
    assert held_before(plan, Bundle(record=None, playbooks=playbooks, live=True)) == {}


def test_rules_that_look_at_no_host_have_an_empty_baseline() -> None:
    plan = plan_of(SEEN)
    assert take_baseline(plan, Hosts()).hosts == ()
    assert held_before(plan, take_baseline(plan, Hosts())) == {}


# ---- what results say of it ------------------------------------------------------------------------------------------
def result_of(**rule: Any) -> Result:
    made = RuleResult(label="Serves", validator="host_state", required=True, negate=False, reason="because", **rule)
    provenance = Provenance(rules="sha256:1", evidence="sha256:2", version="1")
    return Result(scenario="s", run="r", semantics="flat", verdict="passed", rules=(made,), provenance=provenance)


@pytest.mark.parametrize(
    ("status", "held", "said"),
    [
        ("pass", True, "held before the run too"),
        ("fail", True, "held before the run"),
        ("error", True, "held before the run"),
        ("pass", False, None),
        ("fail", False, None),
        ("pass", None, None),
    ],
)
def test_the_text_report_says_what_held_before(status: Status, held: bool | None, said: str | None) -> None:
    lines = [line.strip() for line in results_text([result_of(status=status, held_before=held)]).splitlines()]
    assert [line for line in lines if "held" in line] == ([said] if said else [])


@pytest.mark.parametrize("held", [True, False, None])
def test_the_json_of_a_result_has_it_where_it_is_known(held: bool | None) -> None:
    (rule,) = (body := result_to_dict(result_of(status="pass", held_before=held)))["rules"]  # pyright: ignore
    assert rule.get("held_before", "absent") == ("absent" if held is None else held)
    Draft202012Validator(result_schema()).validate(body)
