"""GW507: requests without a limit."""

from __future__ import annotations

import pytest
from host_rules import fixed_command, told_of_command

from gatewright.runtime.lint.hosts.no_time_limit import check

TOLD = [
    "curl x",
    "curl -sSf http://x",
    "curl --connect-timeout 5 x",
    "wget -q x",
    "nc -z h 80",
    "nc -zv h 80",
    "bash -c 'curl x'",
]
SILENT = [
    "curl -m 5 x",
    "curl -sSfm5 x",
    "curl -sm 5 x",
    "curl --max-time 5 x",
    "curl --max-time=5 x",
    "timeout 5 curl x",
    "wget -T 5 x",
    "wget --timeout=5 x",
    "nc -zw3 h 80",
    "nc -z -w 3 h 80",
    "curl --version",
    "command -v curl",
    "echo curl",
    "pgrep curl",
    "timeout 5 bash -c 'curl x'",
    "curl -H m x -m 5",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_the_fix_sets_a_limit() -> None:
    [finding] = told_of_command(check, "curl -sf x | grep -q y")
    assert fixed_command(finding, "curl -sf x | grep -q y") == "curl -m 10 -sf x | grep -q y"
    assert finding.severity == "info"
