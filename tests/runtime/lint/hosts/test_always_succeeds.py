"""GW501: checks that exit with 0 whatever they find."""

from __future__ import annotations

import pytest
from host_rules import fixed_command, told_of_command

from gatewright.runtime.lint.hosts.always_succeeds import check

TOLD = [
    "true",
    "a || true",
    "a; echo done",
    "a && echo y || echo n",
    "a; exit 0",
    "a || :",
    "(a; true)",
    "echo ok",
]
SILENT = [
    "a",
    "a && echo ok",
    "a || exit 1",
    "a || false",
    "if a; then echo; else exit 1; fi",
    "echo x | grep y",
    "set -e; a; echo ok",
    "trap 'exit 1' ERR; a; true",
    "a; test $? = 0",
    "! a",
    "exit 1",
    "[ 1 = 1 ]",
    "printf x > /x",
    "echo a > f",
    "bash x.sh || exit 3",
    "echo $x | jq -e .",
    "test x && test y",
    "sleep 1; a",
    "a & wait",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_the_place_is_the_part_that_decides() -> None:
    [finding] = told_of_command(check, "systemctl is-active nginx || true")
    assert finding.span is not None
    assert finding.span.text == "true"
    assert fixed_command(finding, "systemctl is-active nginx || true") == "systemctl is-active nginx"


def test_where_the_way_through_decides_the_place_is_the_command() -> None:
    [finding] = told_of_command(check, "if a; then echo b; fi")
    assert finding.span is not None
    assert finding.span.text == "`if a; then echo b; fi`"
    assert finding.fix is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [("a; true", "a"), ("a || b || :", "a || b"), ("a & true", None), ("a; echo b", None), ("true", None)],
)
def test_only_what_never_fails_by_itself_is_taken_off(command: str, expected: str | None) -> None:
    [finding] = told_of_command(check, command)
    assert fixed_command(finding, command) == expected


def test_a_rule_that_wants_another_status_can_never_pass() -> None:
    [finding] = told_of_command(check, "true", exit_code=1)
    assert finding.message == "“true” exits with 0 on every host, so the rule can never pass"
    [finding] = told_of_command(check, "true")
    assert finding.message == "“true” exits with 0 on every host, so the rule passes on every host"
