"""GW210: white space that is too loose or too strict."""

from __future__ import annotations

import pytest
from linted import fixed, told_of

from gatewright.runtime.lint.patterns.loose_space import check


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (r"docker\s*rm", "dockerrm", r"docker\s+rm"),
        (r"systemctl\s*(?:restart|reload)\s*nginx", "systemctlrestartnginx", r"systemctl\s+(?:restart|reload)\s+nginx"),
        (r"nginx|git *push", "gitpush", r"nginx|git\s+push"),
    ],
)
def test_words_that_can_join_are_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("rm -rf /", "rm  -rf /", r"rm\s+-rf\s+/"),
        (r"\b(?:rm -rf|git push) origin", "rm  -rf origin", r"\b(?:rm\s+-rf|git\s+push)\s+origin"),
        ("reboot|kubectl delete", "kubectl  delete", r"reboot|kubectl\s+delete"),
        (r"curl -d 'x y' http", "curl  -d 'x y' http", r"curl\s+-d 'x y' http"),
    ],
)
def test_a_literal_space_of_a_ban_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, negate=True)
    assert finding.witness is not None
    assert finding.witness.says == "does not match"
    assert finding.witness.value == value
    assert fixed(finding) == expected
    assert told_of(check, pattern) == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"rm\s*-rf",
        r"key\s*=\s*value",
        r"time\s*out",
        r"keep\s*alive",
        r"a\s*b",
        r"\s*nginx",
        r"docker\s+rm",
        r"docker\s*",
        r"echo 'a b'",
        r"from 'module'",
        "su ",
        r"curl .*x",
        r"git \s*push",
        "BEGIN PRIVATE KEY",
        r"/etc/ssh /root",
    ],
)
def test_other_space_is_let_be(pattern: str) -> None:
    assert told_of(check, pattern, negate=True) == []


def test_invocations_are_joined_by_one_space_and_texts_are_no_commands() -> None:
    assert told_of(check, "rm -rf /", where="agent_messages", negate=True) == []
    assert told_of(check, r"docker\s*rm", where="agent_messages") == []
