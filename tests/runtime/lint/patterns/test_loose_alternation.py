"""GW204: branches that lack what was meant for all of them."""

from __future__ import annotations

import pytest
from linted import fixed, scene_of, told, told_of

from gatewright.runtime.lint.patterns.loose_alternation import check

COMMANDS = "executed_commands"
MESSAGES = "agent_messages"


@pytest.mark.parametrize(
    ("pattern", "where", "value", "expected"),
    [
        ("^root|syslog$", MESSAGES, "not syslog", "^(?:root|syslog)$"),
        ("^ok|done|closed$", MESSAGES, "not done", "^(?:ok|done|closed)$"),
        ("^ok|fine", MESSAGES, "not fine", "^(?:ok|fine)"),
        ("ok|fine$", MESSAGES, "ok-old", "(?:ok|fine)$"),
        ("^/etc/nginx|/etc/apache2", "write_file", "/srv/backup/etc/apache2", "^(?:/etc/nginx|/etc/apache2)"),
        (r"\berror|warning\b", MESSAGES, "prewarning", r"\b(?:error|warning)\b"),
        ("^systemctl restart|reload", COMMANDS, "echo reload", "^systemctl (?:restart|reload)"),
        (r"\bsystemctl\s+stop|restart\b", COMMANDS, "echo restart", r"\bsystemctl\s+(?:stop|restart)\b"),
        ("sudo service nginx start|restart", COMMANDS, "echo restart", "sudo service nginx (?:start|restart)"),
        ("docker stop|rm web", COMMANDS, "echo rm web", "docker (?:stop|rm web)"),
        ("kubectl get|describe|logs", COMMANDS, "echo describe", "kubectl (?:get|describe|logs)"),
        ("git push --force|-f", COMMANDS, "tail -f app.log", "git push (?:--force|-f)"),
        (r"git\s+push.*--force|-f\b", COMMANDS, "tail -f app.log", r"git\s+push.*(?:--force|-f)\b"),
        ("git push.*-f|--force", COMMANDS, "npm install --force", "git push.*(?:-f|--force)"),
        ("systemctl.*restart|reload", COMMANDS, "echo reload", "systemctl.*(?:restart|reload)"),
        (
            "systemctl restart nginx|apache2",
            COMMANDS,
            "systemctl status apache2",
            "systemctl restart (?:nginx|apache2)",
        ),
    ],
)
def test_a_lone_branch_is_told(pattern: str, where: str, value: str, expected: str) -> None:
    [finding] = told_of(check, pattern, where=where)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected


@pytest.mark.parametrize(
    ("pattern", "where"),
    [
        ("^root$|^syslog$", MESSAGES),
        ("^(?:root|syslog)$", MESSAGES),
        ("^a|^b", MESSAGES),
        ("a$|b$", MESSAGES),
        (r"^\d+$|unlimited", MESSAGES),
        (r"^ERROR|\bfatal\b", MESSAGES),
        ("done$|ready", MESSAGES),
        (r"^rm\s|;\s*rm\s", COMMANDS),
        ("^reboot|/sbin/reboot", COMMANDS),
        (r"\breboot|shutdown", COMMANDS),
        (r"\breboot\b|\bhalt\b", COMMANDS),
        ("reboot|shutdown", COMMANDS),
        ("git push.*|git pull", COMMANDS),
        ("docker.*rm|rm -rf", COMMANDS),
        ("journalctl|/var/log/nginx", COMMANDS),
        ("systemctl status nginx|journalctl", COMMANDS),
        ("systemctl reboot|reboot", COMMANDS),
        ("apt install|apt-get install", COMMANDS),
        ("ip route|route -n|netstat -rn", COMMANDS),
        ("docker rm|rm -rf", COMMANDS),
        ("docker stop|systemctl stop", COMMANDS),
        ("systemctl restart|reload", MESSAGES),
        ("systemctl (?:restart|reload)", COMMANDS),
        ("playwright|chromium|--headless", COMMANDS),
        ("a|", MESSAGES),
        ("^|a$", MESSAGES),
    ],
)
def test_branches_of_their_own_are_let_be(pattern: str, where: str) -> None:
    assert told_of(check, pattern, where=where) == []


def test_a_template_has_no_fix() -> None:
    text = 'let verb = "restart"\nrequire "x": executed_commands matches t`systemctl {{ verb }}|reload`\n'
    [finding] = told(check, scene_of(text))
    assert finding.fix is None


def test_a_ban_says_what_it_fails() -> None:
    [ban] = told_of(check, "kubectl delete|drain", negate=True)
    assert ban.message == (
        "the branch `drain` matches without what stands before `delete`, which can fail a run that did nothing wrong"
    )
