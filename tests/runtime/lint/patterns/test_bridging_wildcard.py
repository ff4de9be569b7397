"""GW205: wildcards between the words of a command."""

from __future__ import annotations

import pytest
from linted import fixed, told_of

from gatewright.runtime.lint.patterns.bridging_wildcard import check

BOUNDED = r"[^;&|\n]"


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (
            "systemctl.*restart.*nginx",
            "systemctl --help; echo restart; echo nginx",
            f"systemctl{BOUNDED}*restart{BOUNDED}*nginx",
        ),
        (
            r"\bkubectl\s[\s\S]*?delete\b",
            "kubectl --help; echo delete",
            rf"\bkubectl\s{BOUNDED}*?delete\b",
        ),
        ("^systemctl .+ nginx$", "systemctl --help; echo nginx", f"^systemctl {BOUNDED}+ nginx$"),
        (
            "usermod.*-aG.*docker",
            "usermod --help; echo -aG; echo docker",
            f"usermod{BOUNDED}*-aG{BOUNDED}*docker",
        ),
        (
            r"journalctl|git\s+.*(?:push|pull)\b",
            "git --help; echo push",
            rf"journalctl|git\s+{BOUNDED}*(?:push|pull)\b",
        ),
        (r"docker(?:.|\n)*stop", "docker --help; echo stop", f"docker{BOUNDED}*stop"),
        (".*systemctl.{0,200}restart", "systemctl --help; echo restart", f".*systemctl{BOUNDED}{{0,200}}restart"),
    ],
)
def test_a_wildcard_before_a_plain_word_is_told(pattern: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        r"kubectl\s+.*--output\s+json",
        r"kubectl.*-o\s+json",
        r"rm\s+.*/var/log",
        r"node\s+.*build-report\.mjs",
        r'curl.*"retry"',
        r"systemctl[^;&|\n]*restart",
        r"systemctl\s+\S+\s+nginx",
        r"systemctl.{0,3}restart",
        "(?=.*nginx)(?=.*restart)",
        ".*nginx.*",
        "nginx.*",
        r"curl\s.*\|\s*sh\b",
        r"cd\s.*&&\s*make",
        'echo ".*error"',
        "solution.*BillingSuite",
        "COPY.*package",
        r"jobs\s+get.*folder-public",
    ],
)
def test_a_wildcard_before_something_particular_is_let_be(pattern: str) -> None:
    assert told_of(check, pattern) == []


@pytest.mark.parametrize("where", ["agent_messages", "tool_calls", "task_summary"])
def test_other_targets_hold_no_lines_of_commands(where: str) -> None:
    assert told_of(check, "systemctl.*restart", where=where) == []


def test_a_rule_is_told_once() -> None:
    [finding] = told_of(check, "systemctl.*restart.*nginx|service.*nginx.*restart", negate=True)
    assert (
        finding.message
        == "`.*` runs on into other commands of the same line, which can fail a run that did nothing wrong"
    )
