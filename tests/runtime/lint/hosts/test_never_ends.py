"""GW504: commands that go on until they are stopped."""

from __future__ import annotations

import pytest
from host_rules import told_of_command
from linted import scene_of, told

from gatewright.runtime.lint.hosts.never_ends import check

TOLD = [
    "tail -f x",
    "tail -n 5 -F x | grep y",
    "tail -fn0 x",
    "watch ls",
    "top",
    "top -b",
    "journalctl -fu nginx",
    "journalctl -u nginx -f",
    "less f",
    "vi f",
    "ping h",
    "sleep infinity",
    "kubectl -n a logs -f p",
    "kubectl get pods -w",
    "docker logs -f x",
    "docker stats",
    "docker compose logs --follow",
    "kubectl port-forward p 80",
    "tcpdump -i eth0",
    "vmstat 1",
    "sudo tail -f x",
    "ssh -n h tail -f x",
    "visudo",
    "crontab -e",
    "systemctl edit x",
    "man ls",
]
SILENT = [
    "tail -n 5 f",
    "tail -5 f",
    "top -bn1",
    "top -b -n 1",
    "timeout 5 tail -f x",
    "journalctl -u nginx -n 5 --no-pager",
    "journalctl -b",
    "ping -c 3 h",
    "ping -W 2 -c1 h",
    "ping -w 5 h",
    "sleep 5",
    "kubectl logs p",
    "kubectl logs p --tail=5",
    "docker logs x",
    "docker stats --no-stream",
    "tail -f x | head -1",
    "tail -f x | grep -q y",
    "tail -f x &",
    "vmstat 1 2",
    "tcpdump -c 1",
    "visudo -c",
    "visudo -cf /x",
    "man -w ls",
    "kubectl get -f x.yaml",
    "command -v vim",
    "which less",
    "echo top",
    "man ls | grep x",
    "docker compose -f x logs",
    "vim --version",
    "kubectl get pods --watch=false",
    "kubectl wait --for=condition=Ready pod/x",
    "pgrep top",
    "watch -g ls",
    "ip addr",
    "crontab -l",
    "systemctl status x",
    "nc -zw3 h 80",
    "dmesg",
    "top -n1 -b | head",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_steps_are_looked_at_as_well() -> None:
    text = 'prepare {\n  "Waiting": run `sleep infinity`\n}\nrestore {\n  "Reading": run `sudo less /a`\n}\n'
    findings = told(check, scene_of(text))
    assert [finding.span.text for finding in findings if finding.span is not None] == ["sleep infinity", "less /a"]
    assert "the step runs into its time limit" in findings[0].message
