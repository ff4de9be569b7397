"""GW508: commands that no shell can parse."""

from __future__ import annotations

import pytest
from host_rules import told_of_command
from linted import scene_of, told

from gatewright.runtime.lint.hosts.shell_syntax import check

TOLD = [
    "grep 'x",
    "a &&",
    "if a; then b",
    "echo $(a",
    'x "y',
]
SILENT = [
    "awk '{print $1}' f",
    'echo "it\'s"',
    "case x in a) b;; esac",
    "cat <<E\n'\nE",
    "[[ a =~ ( ]]",
    "a;",
    "f() { a; }",
    "echo ${x:-'a'}",
    "echo \\'",
    "# it's",
    "a # it's",
    "echo $'it\\'s'",
    "x=(a b)",
    "echo $((1+2))",
    "ls *(x)",
    "a\n\nb",
    "if a\nthen b\nfi",
    "for i in a b; do c; done",
    "echo a; # (",
    "echo `echo '\\`'`",
]


@pytest.mark.parametrize("command", TOLD)
def test_it_is_told(command: str) -> None:
    assert told_of_command(check, command)


@pytest.mark.parametrize("command", SILENT)
def test_it_is_left_alone(command: str) -> None:
    assert told_of_command(check, command) == []


def test_steps_are_looked_at_as_well() -> None:
    [finding] = told(check, scene_of('restore {\n  "Cut off": run `rm \'a`\n}\n'))
    assert finding.span is not None
    assert finding.span.text == "'"


def test_other_checks_say_nothing_of_what_they_cannot_read() -> None:
    from gatewright.runtime.lint.hosts import CHECKS

    scene = scene_of('require "x": run `rm \'a; sudo top || true`\n')
    assert {finding.code for one in CHECKS for finding in one(scene)} == {"GW508"}
