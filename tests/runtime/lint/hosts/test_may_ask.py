"""GW505: commands that may ask."""

from __future__ import annotations

import pytest
from host_rules import fixed_command, told_of_command
from linted import scene_of, told

from gatewright.runtime.lint.hosts.may_ask import check

TOLD = [
    "sudo ls",
    "sudo -u x ls",
    "ssh h ls",
    "ssh -p 22 h ls",
    "scp a h:b",
    "su - x -c ls",
    "passwd x",
    "read x",
    "apt-get install x",
    "yum remove x",
    "rm -i x",
    "mysql -u root -p -e 'select 1'",
    "sudo -E -u x ls",
]
SILENT = [
    "sudo -n ls",
    "sudo -nu x ls",
    "sudo -u x -n ls",
    "ssh -o BatchMode=yes h ls",
    "ssh -oBatchMode=yes h",
    "ssh -V",
    "passwd -S x",
    "sudo -n su x -c ls",
    "a | while read x; do b; done",
    "read x < f",
    "apt-get -y install x",
    "apt-get install -y x",
    "apt list",
    "apt-get update",
    "rm -f x",
    "mysql -uroot -psecret -e x",
    "grep sudo f",
    "command -v sudo",
    "ssh-keygen -lf x",
    "sudo --non-interactive ls",
    "while read l; do x; done < f",
    "a | read x",
    "x=$(ssh -oBatchMode=yes h ls)",
    "su2 x",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_steps_may_ask() -> None:
    assert told(check, scene_of('prepare {\n  "Stopping": run `sudo systemctl stop nginx`\n}\n')) == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("sudo -u x ls", "sudo -n -u x ls"),
        ("a && ssh h ls", "a && ssh -o BatchMode=yes h ls"),
        ("bash -c 'sudo ls'", "bash -c 'sudo -n ls'"),
        ("/usr/bin/sudo ls", "/usr/bin/sudo -n ls"),
        ("'sudo' ls", None),
        ("read x", None),
    ],
)
def test_the_fix_has_it_fail_instead(command: str, expected: str | None) -> None:
    [finding] = told_of_command(check, command)
    assert fixed_command(finding, command) == expected
    assert finding.fix is None or not finding.fix.is_safe


def test_a_template_is_not_changed() -> None:
    [finding] = told(check, scene_of('let x = "ls"\nrequire "x": run t`sudo {{ x }}`\n'))
    assert finding.fix is None


def test_what_a_loop_repeats_is_told_once() -> None:
    text = 'hosts a, b\nfor h in a, b {\n  require t"{{ h }}": on h run `sudo ls`\n}\n'
    assert len(told(check, scene_of(text))) == 1
