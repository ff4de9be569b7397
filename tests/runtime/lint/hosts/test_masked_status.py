"""GW502: pipes whose last part is no test."""

from __future__ import annotations

import pytest
from host_rules import told_of_command

from gatewright.runtime.lint.hosts.masked_status import check

TOLD = [
    "systemctl is-active nginx | tee log",
    "ls /x | wc -l",
    "ps aux | sort | head -1",
    "if a | tee l; then b; fi",
    "cat f | sudo tee x",
    "df | awk '{print $5}'",
    "bash -c 'a | cat'",
    "a | jq .x",
    "! a | head",
    "a | cut -f1 && grep -q x f",
    "a | xargs echo",
]
SILENT = [
    "a | grep -q x",
    "set -o pipefail; a | tee l",
    "bash -o pipefail -c 'a | tee l'",
    "a | jq -e .x",
    "a | awk '{exit !($1>1)}'",
    "a | diff - f",
    "a | tee l; grep -q x l",
    'test "$(a | wc -l)" = 3',
    "a | sort -c",
    "a | xargs test -f",
    "a | python3 -c 'x'",
    "a | while read x; do b; done",
    "a | head -1 | grep -q x",
    "[ $(a | wc -l) -gt 3 ]",
    "a | sed '/x/q1'",
    "a | tee l; test ${PIPESTATUS[0]} = 0",
    "a | md5sum -c",
    "a | jq -re .x",
    "a | jq 'if . then . else error(\"x\") end'",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_the_place_is_the_last_part_and_a_label_shows_what_is_lost() -> None:
    [finding] = told_of_command(check, "systemctl is-active nginx | tee log")
    assert finding.span is not None
    assert finding.span.text == "tee log"
    assert [label.span.text for label in finding.labels] == ["systemctl is-active nginx"]
