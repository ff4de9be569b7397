"""GW304: required rules that no run satisfies together."""

from __future__ import annotations

import pytest
from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.runtime.lint.logic import contradiction


def found(*lines: str) -> list[Finding]:
    return told(contradiction.check, scene_of("".join(f"{line}\n" for line in lines)))


def require(label: str, check: str) -> str:
    return f'require "{label}": {check}'


def pair(asked: str, banned: str, target: str = "executed_commands") -> list[Finding]:
    return found(require("a", f"{target} matches `{asked}`"), require("b", f"{target} never matches `{banned}`"))


# ---- patterns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "banned"),
    [
        (r"systemctl\s+restart\s+nginx", "systemctl"),
        ("reboot", "reboot"),
        (r"\breboot\b", "reboot"),
        ("Reboot", "reBOOT"),
        ("rm -(rf|fr)", r"rm\s+-[a-z]+"),
        ("^apt-get install (curl|wget)$", "^apt"),
        ("a{3}", "a{2,}"),
    ],
)
def test_asking_only_for_what_is_forbidden(asked: str, banned: str) -> None:
    [finding] = pair(asked, banned)
    assert finding.rule == "b"
    assert [label.span.text for label in finding.labels] == [f"`{asked}`"]
    assert finding.witness is not None
    assert set(finding.witness.matches) == {asked, banned}


@pytest.mark.parametrize(
    ("asked", "banned"),
    [
        ("systemctl", r"\bsystemctl"),
        ("systemctl", r"systemctl\s+stop"),
        ("restart|reload", "restart"),
        ("a{2,}", "a{3}"),
        ("rm.*tmp", r"rm .*tmp"),
        (r"nginx\s+-t", "nginx -t"),
    ],
)
def test_asking_for_something_that_is_left_is_fine(asked: str, banned: str) -> None:
    assert pair(asked, banned) == []


def test_the_later_rule_is_told_whichever_it_is() -> None:
    ban, ask = "executed_commands never matches `nginx`", "executed_commands matches `nginx -t`"
    [finding] = found(require("ban", ban), require("ask", ask))
    assert (finding.rule, finding.labels[0].span.text) == ("ask", "`nginx`")


def test_patterns_over_different_targets_do_not_meet() -> None:
    ask, ban = "executed_commands matches `nginx`", "agent_messages never matches `nginx`"
    assert found(require("a", ask), require("b", ban)) == []


@pytest.mark.parametrize(("first", "second"), [("optional", "require"), ("require", "optional")])
def test_an_optional_rule_contradicts_nothing(first: str, second: str) -> None:
    ask, ban = "executed_commands matches `nginx`", "executed_commands never matches `nginx`"
    assert found(f'{first} "a": {ask}', f'{second} "b": {ban}') == []


def test_the_first_pattern_of_before_is_asked_for_and_the_second_is_not() -> None:
    ask = "executed_commands matches `backup` before `restart`"
    assert len(found(require("a", ask), require("b", "executed_commands never matches `backup`"))) == 1
    assert found(require("a", ask), require("b", "executed_commands never matches `restart`")) == []


@pytest.mark.parametrize(
    ("asked", "allowed", "is_found"),
    [
        ("at least 3 times", "at most 2 times", True),
        ("exactly 3 times", "at most 2 times", True),
        ("at least 3 times", "exactly 2 times", True),
        ("at least 2 times", "at most 2 times", False),
        ("at least 1 time", "at most 2 times", False),
        ("at most 1 time", "at most 2 times", False),
    ],
)
def test_more_is_asked_for_than_is_allowed(asked: str, allowed: str, is_found: bool) -> None:
    ask, limit = f"executed_commands matches `nginx -t` {asked}", f"executed_commands matches `nginx` {allowed}"
    assert bool(found(require("a", ask), require("b", limit))) == is_found


def test_a_ban_on_all_tasks_forbids_what_is_asked_of_those_on_one_host() -> None:
    hosts = "hosts web-01, web-02"
    ask, ban = "executed_commands matches `nginx`", "executed_commands never matches `nginx`"
    assert len(found(hosts, require("a", f"on web-01 {ask}"), require("b", ban))) == 1
    assert len(found(hosts, require("a", f"on web-01 {ask}"), require("b", f"on web-01 {ban}"))) == 1
    assert found(hosts, require("a", f"on web-01 {ask}"), require("b", f"on web-02 {ban}")) == []
    assert found(hosts, require("a", ask), require("b", f"on web-02 {ban}")) == []


def test_under_classic_semantics_joined_texts_and_single_values_are_not_compared() -> None:
    ask, ban = "executed_commands matches `nginx` at least 2 times", "executed_commands never matches `nginx`"
    assert len(found(require("a", ask), require("b", ban))) == 1
    assert found("semantics classic", require("a", ask), require("b", ban)) == []


def test_a_classic_run_without_a_ticket_is_left_out_of_the_claim() -> None:
    rules = [require("a", "gateway_messages matches `done`"), require("b", "gateway_messages never matches `one`")]
    assert found("semantics classic", *rules)[0].message.startswith("no run with a ticket passes")
    assert found(*rules)[0].message.startswith("no run passes")


def test_patterns_beyond_the_analysis_contradict_only_themselves() -> None:
    assert pair("reboot(?!-)", "reboot") == []
    [finding] = pair("reboot(?!-)", "reboot(?!-)")
    assert finding.witness is None


def test_rules_that_are_idle_alone_are_not_told_again() -> None:
    assert pair("nginx", ".*") == []
    assert pair("$nginx", "nginx") == []


# ---- statuses, hosts, playbooks --------------------------------------------------------------------------------------


def test_lists_of_statuses_without_a_common_one() -> None:
    [finding] = found(
        require("a", "job_resolution_status in success, partial"),
        require("b", "job_resolution_status in no_action"),
    )
    assert finding.message == "no run passes both this rule and “a”: a job has one resolution status"


def test_lists_of_statuses_that_overlap_are_fine() -> None:
    rules = ("job_resolution_status in success, partial", "not job_resolution_status in success")
    assert found(*(require(str(number), rule) for number, rule in enumerate(rules))) == []


def test_a_negated_list_takes_its_statuses_away() -> None:
    rules = ("job_resolution_status in success", "not job_resolution_status in success, partial")
    assert len(found(*(require(str(number), rule) for number, rule in enumerate(rules)))) == 1


def test_three_lists_that_only_together_leave_nothing() -> None:
    lists = ("success, partial", "partial, no_action", "success, no_action")
    [finding] = found(*(require(f"r{i}", f"job_resolution_status in {each}") for i, each in enumerate(lists)))
    assert finding.message.startswith("no run passes this rule and all of “r0”, “r1”")
    assert len(finding.labels) == 2


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("ticket_status is open", "ticket_status is closed", True),
        ("ticket_status is open", "ticket_status is OPEN", False),
        ("ticket_status is open", "not ticket_status is Open", True),
        ("ticket_status is open", "not ticket_status is closed", False),
        ("not ticket_status is open", "not ticket_status is closed", False),
    ],
)
def test_statuses_of_a_ticket(first: str, second: str, is_found: bool) -> None:
    assert bool(found(require("a", first), require("b", second))) == is_found


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("run `test -e /x`", "on web-01 run `test -e /x` exits 1", True),
        ("on web-02 run `test -e /x` exits 2", "on web-02 run `test -e /x` exits 1", True),
        ("run `test -e /x`", "on web-02 run `test -e /x` exits 1", False),
        ("run `test -e /x`", "run `test -e /y` exits 1", False),
        ("run `test -e /x`", "run `test -e /x` exits 0", False),
        ("run `test -e /x` within 30 s", "run `test -e /x` exits 1", False),
    ],
)
def test_exit_statuses_of_one_command_on_one_host(first: str, second: str, is_found: bool) -> None:
    assert bool(found("hosts web-01, web-02", require("a", first), require("b", second))) == is_found


def test_without_declared_hosts_the_default_host_is_no_named_one() -> None:
    assert found(require("a", "run `test -e /x`"), require("b", "on web-01 run `test -e /x` exits 1")) == []


def test_a_playbook_cannot_both_succeed_and_fail() -> None:
    flat = ('require "a": ansible "v.yml"', 'optional "b": not ansible "v.yml"')
    assert found(*flat) == []
    assert len(found("semantics classic", *flat)) == 1


# ---- numbers of tasks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("task_count ..2", "task_count 3..", True),
        ("task_count ..2", "not task_count ..2", True),
        ("task_count 3", "not task_count 2..4", True),
        ("task_count ..2", "task_count 2..", False),
        ("task_count 1..4", "not task_count 2..3", False),
        ("not task_count 1..2", "not task_count 3..4", False),
    ],
)
def test_bounds_that_do_not_meet(first: str, second: str, is_found: bool) -> None:
    assert bool(found(require("a", first), require("b", second))) == is_found


@pytest.mark.parametrize("none", ["task_count 0", "task_count 0..0", "not task_count 1.."])
def test_where_no_task_is_allowed_no_rule_about_tasks_can_pass(none: str) -> None:
    ask, ban = "task_summary matches `x`", "executed_commands never matches `y`"
    [finding] = found(require("n", none), require("a", ask), require("b", ban))
    assert (finding.rule, len(finding.labels)) == ("n", 2)
    assert "“a”, which needs 1 task, like 1 other rule" in finding.message


def test_rules_about_the_job_and_the_ticket_need_no_task() -> None:
    others = ("job_resolution matches `x`", "gateway_messages matches `x`", "job_resolution_status in no_action")
    assert found(require("n", "task_count 0"), *(require(str(i), each) for i, each in enumerate(others))) == []


@pytest.mark.parametrize(
    ("turns", "is_found"),
    [
        ("[web-01, web-02] then [web-01]", True),
        ("[web-01, at least 3]", True),
        ("[at least 2] then [web-01]", True),
        ("[web-01, web-02]", False),
        ("[web-01] then [at least 1]", False),
    ],
)
def test_turns_that_need_more_tasks_than_are_allowed(turns: str, is_found: bool) -> None:
    lines = ("hosts web-01, web-02", require("t", f"turns {turns}"), require("n", "task_count ..2"))
    assert bool(found(*lines)) == is_found


def test_two_turns_rules_are_left_alone() -> None:
    assert found(require("a", "turns [web-01]"), require("b", "turns [web-02]")) == []


def test_a_loop_contradicts_a_rule_once() -> None:
    loop = 'for x in a, b {\n  require t"{{ x }}": executed_commands matches `nginx -t`\n}'
    assert len(found(loop, require("ban", "executed_commands never matches `nginx`"))) == 1
