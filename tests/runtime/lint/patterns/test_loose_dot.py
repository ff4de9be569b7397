"""GW202: dots that stand for any character."""

from __future__ import annotations

import pytest
from linted import fixed, rules, scene_of, told_of

from gatewright.runtime.lint.patterns.loose_dot import check

COMMANDS = "executed_commands"
MESSAGES = "agent_messages"


@pytest.mark.parametrize(
    ("pattern", "where", "value", "expected"),
    [
        ("ping 10.0.0.1", COMMANDS, "ping 10a0b0c1", r"ping 10\.0\.0\.1"),
        (r"10\.0.0\.1", COMMANDS, "10.0a0.1", r"10\.0\.0\.1"),
        (r"10.0.0.\d+", MESSAGES, "10a0b0c1", r"10\.0\.0\.\d+"),
        (r"(?:\d{1,3}.){3}\d{1,3}", MESSAGES, "1a1a1a1", r"(?:\d{1,3}\.){3}\d{1,3}"),
        ("nginx.conf", MESSAGES, "nginx-conf", r"nginx\.conf"),
        ("(nginx|httpd).conf", COMMANDS, "nginx-conf", r"(nginx|httpd)\.conf"),
        ("nginx.(?:conf|cfg)", COMMANDS, "nginx-conf", r"nginx\.(?:conf|cfg)"),
        ("site|(?:old|nginx.conf)", MESSAGES, "nginx-conf", r"site|(?:old|nginx\.conf)"),
        ("./deploy.sh", COMMANDS, "x/deploy-sh", r"\./deploy\.sh"),
        ("/etc/cron.d/job", COMMANDS, "/etc/cron-d/job", r"/etc/cron\.d/job"),
        ("cat ~/.ssh/id_rsa", COMMANDS, "cat ~/-ssh/id_rsa", r"cat ~/\.ssh/id_rsa"),
        (r"rm\s+-rf\s+.git", COMMANDS, "rm -rf -git", r"rm\s+-rf\s+\.git"),
        (".ssh/authorized_keys", "update_file", "-ssh/authorized_keys", r"\.ssh/authorized_keys"),
        ("id_rsa|.git/config", COMMANDS, "-git/config", r"id_rsa|\.git/config"),
        (".conf$", "write_file", "-conf", r"\.conf$"),
        ("curl.*example.com/health", COMMANDS, "curl example-com/health", r"curl.*example\.com/health"),
        ("web-01.example.test", MESSAGES, "web-01-example-test", r"web-01\.example\.test"),
        ("nginx.service", COMMANDS, "nginx-service", r"nginx\.service"),
        ("net.ipv4.ip_forward", COMMANDS, "net-ipv4-ip_forward", r"net\.ipv4\.ip_forward"),
        ("python3.11", COMMANDS, "python3011", r"python3\.11"),
        (r"load average: \d+.\d+", MESSAGES, "load average: 101", r"load average: \d+\.\d+"),
        ("nginx/1.18.0", MESSAGES, "nginx/101800", r"nginx/1\.18\.0"),
    ],
)
def test_a_dot_in_what_reads_as_a_name_is_told(pattern: str, where: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, where=where)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        (r"10\.0\.0\.1", COMMANDS),
        (r"nginx\.conf", MESSAGES),
        ("nginx[.]conf", MESSAGES),
        ("permission.denied", MESSAGES),
        ("no.such.file", MESSAGES),
        ("error.log", MESSAGES),
        ("in.service", MESSAGES),
        (".*.conf", COMMANDS),
        (".restart", COMMANDS),
        (".nginx", "write_file"),
        (".env is missing", MESSAGES),
        ("nginx.*conf", COMMANDS),
        ("nginx.?conf", COMMANDS),
        (r"\d{4}.\d{2}.\d{2}", MESSAGES),
        ("2026.01.31", MESSAGES),
        ("done. Restarted", MESSAGES),
        ("e.g.", MESSAGES),
        ("a.b", COMMANDS),
        (r"\bnginx.", COMMANDS),
        ("restart.nginx", COMMANDS),
        ("./run", COMMANDS),
        (r"status\.phase", COMMANDS),
        ("😀.😀", MESSAGES),
    ],
)
def test_other_dots_are_let_be(pattern: str, where: str) -> None:
    assert told_of(check, pattern, where=where) == []


def test_all_dots_of_a_pattern_are_one_finding() -> None:
    [finding] = told_of(check, "(10.0.0.1|10.0.0.2) app.yaml")
    assert fixed(finding) == r"(10\.0\.0\.1|10\.0\.0\.2) app\.yaml"
    assert finding.message.startswith("in the address `10.0.0.1` the dots stand for any character")


def test_a_ban_fails_right_runs_and_a_demand_passes_wrong_ones() -> None:
    [demand] = told_of(check, "nginx.conf")
    [ban] = told_of(check, "nginx.conf", negate=True)
    assert demand.message.endswith("which can pass a run that did something else")
    assert ban.message.endswith("which can fail a run that did nothing wrong")


def test_a_pattern_of_a_program_is_not_read_and_that_is_noted() -> None:
    scene = scene_of(*rules("a" * 5_000 + "nginx.conf"))
    assert list(check(scene)) == []
    assert [note.code for note in scene.notes] == ["GW202"]
