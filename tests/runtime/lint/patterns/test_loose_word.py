"""GW203: words and numbers inside longer ones."""

from __future__ import annotations

import pytest
from linted import fixed, scene_of, told, told_of

from gatewright.runtime.lint.patterns.loose_word import check

COMMANDS = "executed_commands"
MESSAGES = "agent_messages"


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("success", "unsuccessful", r"\bsuccess"),
        ("success(ful)?", "unsuccessful", r"\bsuccess(ful)?"),
        ("Resolved|closed", "unResolved", r"\bResolved|closed"),
        (r"['\"]?active", "inactive", r"['\"]?\bactive"),
        ("(?:active|healthy)$", "inactive", r"(?:\bactive|\bhealthy)$"),
        ("nginx.*active", "nginx inactive", r"nginx.*\bactive"),
        ("known issue", "unknown issue", r"\bknown issue"),
        (r"ready\s+to serve", "already to serve", r"\bready\s+to serve"),
        ("ok", "broken", r"\bok\b"),
        ("ok$", "took", r"\bok$"),
    ],
)
def test_a_word_of_a_status_in_its_opposite_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, where=MESSAGES)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("0 errors", "10 errors", r"\b0 errors"),
        ("0% packet loss", "100% packet loss", r"\b0% packet loss"),
        ("exit code.*0", "exit code 10", r"exit code.*\b0"),
        ("port 80", "port 8080", r"port 80\b"),
        (r"replicas[:=\s]+3", "replicas 30", r"replicas[:=\s]+3\b"),
        (r"\b10\.0\.0\.1", "10.0.0.15", r"\b10\.0\.0\.1\b"),
        (r"10\.0\.0\.1\b", "110.0.0.1", r"\b10\.0\.0\.1\b"),
        (r"10\.0\.0\.1", "110.0.0.1", r"\b10\.0\.0\.1\b"),
    ],
)
def test_a_number_that_can_go_on_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, where=MESSAGES)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("su ", "grep -i fujitsu /proc/cpuinfo", r"\bsu "),
        ("rm", "terraform plan", r"\brm\b"),
        ("top", "systemctl stop nginx", r"\btop\b"),
        (r"nc\s+-e", "rsync -e", r"\bnc\s+-e"),
        ("cp -r", "scp -r", r"\bcp -r"),
        (r"docker\s+rm", "docker rmi", r"docker\s+rm\b"),
        ("success", "grep unsuccessful app.log", r"\bsuccess"),
    ],
)
def test_a_short_command_in_another_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, where=COMMANDS)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        (r"\bsuccess", MESSAGES),
        ("^success", MESSAGES),
        (r"is\s+healthy", MESSAGES),
        ("service is active", MESSAGES),
        ("not success", MESSAGES),
        ("(?<!un)successful", MESSAGES),
        (r"\w*success", MESSAGES),
        ("(?:un)?successful", MESSAGES),
        ("[Ss]uccess", MESSAGES),
        ("enabled", MESSAGES),
        ("unsuccessful", MESSAGES),
        ("nginx", MESSAGES),
        ("E2E_SUCCESS", MESSAGES),
        (r"\b0 errors", MESSAGES),
        (r"\d errors", MESSAGES),
        ("[1-9]0 errors", MESSAGES),
        ("200 OK", MESSAGES),
        ("exit code 0", MESSAGES),
        ("load average: 0", MESSAGES),
        (r"status\s+200", MESSAGES),
        ("port 9100", MESSAGES),
        ("since 2026", MESSAGES),
        ("job-001", MESSAGES),
        ("ticket 7654321", MESSAGES),
        (r"\b10\.0\.0\.200", MESSAGES),
        (r"1\.18\.0", MESSAGES),
        (r"0\d{3}", MESSAGES),
        ("nginx", COMMANDS),
        ("journalctl|/var/log/nginx", COMMANDS),
        (r"\bsu\b", COMMANDS),
        ("rm -rf", COMMANDS),
        ("ip route|route -n|netstat -rn", COMMANDS),
        ("kill -9", COMMANDS),
        ("killall", COMMANDS),
        (r"chmod\s+777", COMMANDS),
        ("sudo su", COMMANDS),
        ("reboot|shutdown", COMMANDS),
        ("conf", "write_file"),
        ("success", "tool_calls"),
    ],
)
def test_words_that_stand_for_themselves_are_let_be(pattern: str, where: str) -> None:
    assert told_of(check, pattern, where=where) == []


def test_all_loose_words_of_a_pattern_are_one_finding() -> None:
    [finding] = told_of(check, "success|valid|closed", where=MESSAGES)
    assert fixed(finding) == r"\bsuccess|\bvalid|closed"


def test_a_ban_is_broken_and_a_demand_satisfied() -> None:
    [demand] = told_of(check, "rm")
    [ban] = told_of(check, "rm", negate=True)
    assert demand.message == "the word “rm” has no limit, so that “terraform plan” satisfies this rule as well"
    assert ban.message == "the word “rm” has no limit, so that “terraform plan” breaks this rule as well"


def test_what_must_not_come_before_counts_as_a_ban() -> None:
    [finding] = told(check, scene_of(r'require "x": executed_commands matches `\bnginx\b` before `top`'))
    assert finding.message.endswith("“systemctl stop nginx” breaks this rule as well")
