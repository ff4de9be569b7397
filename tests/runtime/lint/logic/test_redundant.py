"""GW305: rules that hold whenever another one does."""

from __future__ import annotations

import pytest
from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.runtime.lint.logic import redundant


def found(*lines: str) -> list[Finding]:
    return told(redundant.check, scene_of("".join(f"{line}\n" for line in lines)))


def labels(findings: list[Finding]) -> list[str | None]:
    return [finding.rule for finding in findings]


def two(first: str, second: str, *before: str) -> list[str | None]:
    """Which of two required rules is told."""
    return labels(found(*before, f'require "a": {first}', f'require "b": {second}'))


WIDER_AND_NARROWER = [
    ("systemctl", r"systemctl\s+restart"),
    ("reboot", r"\breboot\b"),
    ("journalctl|/var/log", "/var/log/nginx"),
    ("a+", "aa"),
    (r"nginx\s+-t", "^nginx -t$"),
]


@pytest.mark.parametrize(("wide", "narrow"), WIDER_AND_NARROWER)
def test_who_asks_for_less_is_implied(wide: str, narrow: str) -> None:
    ask = "executed_commands matches"
    assert two(f"{ask} `{wide}`", f"{ask} `{narrow}`") == ["a"]
    assert two(f"{ask} `{narrow}`", f"{ask} `{wide}`") == ["b"]


@pytest.mark.parametrize(("wide", "narrow"), WIDER_AND_NARROWER)
def test_who_forbids_less_is_implied(wide: str, narrow: str) -> None:
    ban = "executed_commands never matches"
    assert two(f"{ban} `{wide}`", f"{ban} `{narrow}`") == ["b"]
    assert two(f"{ban} `{narrow}`", f"{ban} `{wide}`") == ["a"]


@pytest.mark.parametrize(
    ("first", "second"),
    [("restart", "reload"), (r"\breboot", r"reboot\b"), ("nginx -t", r"nginx\s-tt"), ("df|du", "du|ls")],
)
@pytest.mark.parametrize("word", ["matches", "never matches"])
def test_patterns_of_which_neither_covers_the_other_are_fine(first: str, second: str, word: str) -> None:
    assert two(f"executed_commands {word} `{first}`", f"executed_commands {word} `{second}`") == []


@pytest.mark.parametrize(("first", "second"), [("(a|b)c", "[ab]c"), ("reboot", "REBOOT"), ("xx*", "x+"), ("x", "x")])
def test_of_two_that_say_the_same_the_later_one_is_told(first: str, second: str) -> None:
    assert two(f"executed_commands matches `{first}`", f"executed_commands matches `{second}`") == ["b"]


def test_a_ban_and_a_demand_imply_nothing_of_each_other() -> None:
    assert two("executed_commands matches `nginx -t`", "executed_commands never matches `reboot`") == []


def test_another_target_is_another_thing() -> None:
    assert two("executed_commands matches `nginx`", "agent_messages matches `nginx`") == []


def test_a_required_rule_is_not_redundant_beside_an_optional_one() -> None:
    narrow, wide = "executed_commands matches `nginx -t`", "executed_commands matches `nginx`"
    assert labels(found(f'optional "a": {narrow}', f'require "b": {wide}')) == []
    assert labels(found(f'require "a": {narrow}', f'optional "b": {wide}')) == ["b"]
    assert labels(found(f'optional "a": {narrow}', f'optional "b": {wide}')) == ["b"]


def test_of_two_that_say_the_same_the_optional_one_is_told() -> None:
    same = "executed_commands matches `nginx`"
    assert labels(found(f'optional "a": {same}', f'require "b": {same}')) == ["a"]


def test_a_rule_is_told_once_however_many_imply_it() -> None:
    lines = [f'require "{word}": executed_commands matches `nginx {word}`' for word in ("start", "stop")]
    [finding] = found(*lines, 'require "any": executed_commands matches `nginx`')
    assert "“start”" in finding.message


def test_a_stricter_count_beside_a_plain_rule_is_a_scale() -> None:
    assert two("executed_commands matches `df`", "executed_commands matches `df` at least 2 times") == []


def test_equal_counts_are_compared() -> None:
    many = "at least 2 times"
    assert two(f"executed_commands matches `nginx` {many}", f"executed_commands matches `nginx -t` {many}") == ["a"]
    few = "at most 2 times"
    assert two(f"executed_commands matches `nginx` {few}", f"executed_commands matches `nginx -t` {few}") == ["b"]
    same = "exactly 2 times"
    assert two(f"executed_commands matches `nginx` {same}", f"executed_commands matches `nginx -t` {same}") == []
    assert two(f"executed_commands matches `nginx` {same}", f"executed_commands matches `nginx` {same}") == ["b"]


def test_orders_are_compared_as_they_stand() -> None:
    order = "executed_commands matches `{}` before `restart`"
    assert two(order.format("nginx -t"), order.format("nginx")) == []
    assert two(order.format("nginx -t"), order.format("nginx -t")) == ["b"]
    assert two(order.format("nginx -t"), "executed_commands matches `nginx -t`") == []


def test_a_match_on_one_host_is_a_match_somewhere() -> None:
    hosts, ask, ban = "hosts h1, h2", "executed_commands matches `x`", "executed_commands never matches `x`"
    assert two(f"on h1 {ask}", ask, hosts) == ["b"]
    assert two(ask, f"on h2 {ask}", hosts) == ["a"]
    assert two(f"on h1 {ask}", f"on h2 {ask}", hosts) == []
    # A task without a host fails the second and not the first.
    assert two(ban, f"on h1 {ban}", hosts) == []


def test_under_classic_semantics_joined_texts_and_single_values_are_not_compared() -> None:
    first, second = "executed_commands matches `x` at least 1 time", "executed_commands matches `x`"
    assert two(first, second) == ["b"]
    assert two(first, second, "semantics classic") == []


def test_patterns_beyond_the_analysis_are_compared_with_themselves_only() -> None:
    ban = "executed_commands never matches"
    assert two(f"{ban} `reboot(?!-)`", f"{ban} `reboot`") == []
    assert two(f"{ban} `reboot(?!-)`", f"{ban} `reboot(?!-)`") == ["b"]


def test_idle_rules_are_not_told_again() -> None:
    assert two("executed_commands matches `.*`", "executed_commands matches `nginx`") == []


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("job_resolution_status in success", "job_resolution_status in success, partial", ["b"]),
        ("job_resolution_status in success", "not job_resolution_status in partial, agentic_failure", ["b"]),
        ("job_resolution_status in success", "job_resolution_status in partial", []),
        ("ticket_status is closed", "not ticket_status is open", ["b"]),
        ("ticket_status is closed", "ticket_status is Closed", ["b"]),
        ("not ticket_status is closed", "not ticket_status is open", []),
        ("task_count 1..3", "task_count ..3", ["b"]),
        ("task_count 1..", "task_count 2..3", ["a"]),
        ("task_count 0", "not task_count 1..4", ["b"]),
        ("task_count ..3", "task_count 1..", []),
        ("task_count ..3", "task_count 0..", []),
        ("run `true`", "on web-01 run `true`", ["b"]),
        ("run `true`", "on web-02 run `true`", []),
        ("run `true`", "run `true` exits 1", []),
        ("turns [web-01] then [at least 2]", "turns [web-01] then [at least 2]", ["b"]),
        ("turns [web-01]", "turns [web-02]", []),
        ('ansible "v.yml"', 'ansible "v.yml"', ["b"]),
        ('ansible "v.yml"', 'ansible "w.yml"', []),
    ],
)
def test_other_rules(first: str, second: str, told: list[str]) -> None:
    assert two(first, second, "hosts web-01, web-02") == told


def test_a_status_that_excuses_an_incomplete_job_is_kept_under_flat_semantics() -> None:
    first, second = "job_resolution_status in partial", "job_resolution_status in partial, agentic_failure"
    assert two(first, second) == []
    assert two(first, second, "semantics classic") == ["b"]
    assert two("job_resolution_status in agentic_failure", second) == ["b"]


def test_a_loop_that_makes_the_same_rule_again_is_told_once() -> None:
    [finding] = found('for x in a, b, c {\n  require t"{{ x }}": executed_commands matches `nginx`\n}')
    assert finding.message == "this rule says the same in every pass of the loop"
    assert finding.labels == ()
