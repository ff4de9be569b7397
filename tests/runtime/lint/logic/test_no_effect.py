"""GW310: words that change nothing, and their removal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import Rule
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.lint.logic import no_effect
from gatewright.runtime.lint.scene import Scene


def found(text: str, name: str = "rules.gate") -> list[Finding]:
    return told(no_effect.check, scene_of(text, name))


def repaired(text: str, name: str = "rules.gate") -> str:
    """The text with all fixes made, which then has no finding and says the same."""
    scene = scene_of(text, name)
    fixes = [finding.fix for finding in told(no_effect.check, scene)]
    edits = [edit for fix in fixes if fix is not None for edit in fix.edits]
    assert all(fix is None or fix.is_safe for fix in fixes)
    for edit in sorted(edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    again = scene_of(text, name)
    assert told(no_effect.check, again) == []
    assert list(map(as_graded, again.rules.rules)) == list(map(as_graded, scene.rules.rules))
    return text


def as_graded(rule: Rule) -> Rule:
    """Classic playbooks are graded alike, required or not."""
    return rule.model_copy(update={"required": True}) if rule.check.validator == "ansible" else rule


def test_an_exit_status_of_0_goes() -> None:
    text = 'require "a": run `true` exits 0 within 30 s # why\nrequire "b": run `false` exits 1\n'
    assert repaired(text) == 'require "a": run `true` within 30 s # why\nrequire "b": run `false` exits 1\n'


def test_an_exit_status_on_the_next_line_goes() -> None:
    assert repaired('require "a": run "true"\n  exits 00\n') == 'require "a": run "true"\n'


@pytest.mark.parametrize(
    "text", ['require "a": run ```\n  true\n  ```\n  exits 0\n', 'require "a": run `true` # why `x`\n  exits 0\n']
)
def test_an_exit_status_that_cannot_be_taken_out_alone_is_told_without_a_fix(text: str) -> None:
    [finding] = found(text)
    assert finding.fix is None


def test_an_optional_playbook_of_a_classic_file_is_written_as_required() -> None:
    text = 'semantics classic\noptional "p": ansible "validate.yml"\n'
    assert repaired(text) == 'semantics classic\nrequire "p": ansible "validate.yml"\n'


def test_an_optional_playbook_of_a_flat_file_is_fine() -> None:
    assert found('optional "p": ansible "validate.yml"\n') == []


def test_an_optional_playbook_in_a_loop_is_told_once() -> None:
    assert len(found('semantics classic\nfor x in a, b {\n  optional t"{{ x }}": ansible t"{{ x }}.yml"\n}\n')) == 1


@pytest.mark.parametrize(
    ("members", "left"),
    [
        ('"label": "a", "validator": "ansible", "ansiblePath": "v.yml", "required": false', None),
        ('"label": "a", "validator": "ansible", "ansiblePath": "v.yml", "required": false, "negate": false', None),
        ('"negate": false, "required": false, "label": "a", "validator": "ansible", "ansiblePath": "v.yml"', None),
        ('"label": "a", "negate": false, "validator": "ansible", "required": false, "ansiblePath": "v.yml"', None),
        ('"label": "a", "required": true, "negate": true, "validator": "ansible", "ansiblePath": "v.yml"', ""),
    ],
)
def test_members_of_an_object_go_with_their_commas(members: str, left: str | None) -> None:
    text = f'{{"tasks": [{{{members}}}]}}'
    if left is not None:
        assert repaired(text, "rules.json") == text
        return
    [rule] = json.loads(repaired_in_rounds(text))["tasks"]
    assert rule == {"label": "a", "validator": "ansible", "ansiblePath": "v.yml"}


def repaired_in_rounds(text: str) -> str:
    """One fix at a time, as fixes of neighbours at the beginning of an object may touch each other."""
    while True:
        findings = found(text, "rules.json")
        if not findings:
            return text
        assert findings[0].fix is not None
        [edit] = findings[0].fix.edits
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]


def test_the_layout_around_a_member_is_kept() -> None:
    rule = '{\n  "label": "a",\n  "validator": "host_state",\n  "run": "true",\n  "exit_code": 0\n}'
    assert repaired(f"[{rule}]\n", "rules.json") == f"[{rule}]\n".replace(',\n  "exit_code": 0', "")


def test_members_of_several_rules_are_taken_out_together() -> None:
    rule = '{"label": "a", "validator": "host_state", "run": "true", "exit_code": 0}'
    other = '{"label": "b", "validator": "pattern_match", "where": "job_plan", "pattern": "x", "negate": false}'
    short = '{"label": "b", "validator": "pattern_match", "where": "job_plan", "pattern": "x"}'
    bare = rule.replace(', "exit_code": 0', "")
    assert repaired(f"[{rule}, {other}]", "rules.json") == f"[{bare}, {short}]"


def test_a_comment_beside_the_member_is_not_thrown_away() -> None:
    rule = '{"label": "a", "validator": "host_state", "run": "true", /* why */ "exit_code": 0}'
    [finding] = found(f"[{rule}]", "rules.json")
    assert finding.fix is None


def test_defaults_that_are_not_written_and_other_values_are_fine() -> None:
    assert found('require "a": run `true`\nrequire "b": run `true` exits 3\n') == []
    rule = {"label": "a", "validator": "pattern_match", "where": "job_plan", "pattern": "x", "negate": True}
    assert found(json.dumps([rule, {**rule, "required": False}]), "rules.json") == []


def test_a_rule_of_an_included_file_is_told_without_a_fix(tmp_path: Path) -> None:
    (tmp_path / "common.gate").write_text('require "a": run `true` exits 0\n')
    (tmp_path / "common.json").write_text('[{"label": "b", "validator": "host_state", "run": "x", "exit_code": 0}]')
    path = tmp_path / "rules.gate"
    path.write_text('include "common.gate"\ninclude "common.json"\n')
    loaded = load(path, pytest.fail)
    assert isinstance(loaded, Loaded)
    findings = told(no_effect.check, Scene(loaded))
    assert [(finding.rule, finding.fix) for finding in findings] == [("a", None), ("b", None)]
