"""GW509: required host rules that held on the broken machine."""

from __future__ import annotations

import pytest
from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.runtime.lint.hosts.already_true import check
from gatewright.runtime.lint.notes import LintOptions
from gatewright.runtime.lint.scene import Scene


def told_with(held: frozenset[str] | None, text: str) -> list[Finding]:
    return told(check, Scene(scene_of(text).loaded, LintOptions(held_before=held)))


def test_a_required_rule_that_held_is_told() -> None:
    [finding] = told_with(frozenset({"x"}), 'require "x": run `test -d /`\nrequire "y": run `test -d /srv`\n')
    assert finding.rule == "x"
    assert finding.span is not None
    assert finding.span.text == "run `test -d /`"


@pytest.mark.parametrize("held", [None, frozenset[str](), frozenset({"y"})])
def test_a_rule_that_did_not_hold_is_left_alone(held: frozenset[str] | None) -> None:
    assert told_with(held, 'require "x": run `test -d /`\n') == []


@pytest.mark.parametrize("rule", ['optional "x": run `test -d /`', 'require "x": task_count 1..'])
def test_other_rules_are_left_alone(rule: str) -> None:
    assert told_with(frozenset({"x"}), rule + "\n") == []
