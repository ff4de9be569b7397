"""GW306, GW307, GW308, GW311, GW312: what all rules of a file come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from linted import scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.lint.logic import (
    CHECKS,
    duplicate_label,
    no_ground_truth,
    nothing_is_graded,
    optional_can_fail,
    several_playbooks,
)
from gatewright.runtime.lint.scene import Check, Scene

ASK = "executed_commands matches `nginx`"


def found(check: Check, *lines: str) -> list[Finding]:
    return told(check, scene_of("".join(f"{line}\n" for line in lines)))


def scene_at(path: Path) -> Scene:
    """Of a file with errors too."""
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert isinstance(loaded, Loaded)
    return Scene(loaded, is_whole=not any(finding.is_error for finding in findings))


def test_a_sound_scenario_has_none_of_these_findings() -> None:
    scene = scene_of(
        """
        scenario "cache-down"
        hosts    app-01, app-02
        require "Looked at the cache": executed_commands matches `\\bredis-cli\\b`
        require "Flushed nothing": executed_commands never matches `\\bflush(?:all|db)\\b`
        optional "Read the log": executed_commands matches `journalctl|/var/log/redis`
        require "Job resolved": job_resolution_status in success, partial
        require "Few tasks": task_count 1..3
        require "Answers": on app-01 run `redis-cli ping | grep -q PONG`
        require "Old dump is gone": on app-01 run `test -e /var/lib/redis/old.rdb` exits 1
        require "Both, then one": turns [app-01, app-02] then [app-01]
        """
    )
    assert [finding.message for check in CHECKS for finding in told(check, scene)] == []


# ---- GW306 -----------------------------------------------------------------------------------------------------------


def test_a_second_rule_with_the_label_of_the_first() -> None:
    [finding] = found(duplicate_label.check, f'require "a": {ASK}', f'require "b": {ASK}', f'optional "a": {ASK}')
    assert finding.span is not None
    assert (finding.span.line, [label.span.line for label in finding.labels]) == (3, [1])


def test_labels_that_differ_are_fine() -> None:
    assert found(duplicate_label.check, f'require "a": {ASK}', f'require "A": {ASK}') == []


def test_a_loop_that_does_not_name_its_value_is_told_once() -> None:
    [finding] = found(duplicate_label.check, 'for h in a, b, c {\n  require "up": on h run `true`\n}')
    assert finding.message == "every pass of the loop gives a rule with the label “up”"
    assert found(duplicate_label.check, 'for h in a, b {\n  require t"{{ h }} up": on h run `true`\n}') == []


# ---- GW307 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("required", "optional", "percent"),
    [(3, 1, "75 %"), (2, 1, "66.6 %"), (0, 1, "0 %"), (7, 2, "77.7 %"), (4, 1, None), (8, 2, None), (3, 0, None)],
)
def test_optional_rules_that_bring_a_classic_score_under_80_percent(
    required: int, optional: int, percent: str | None
) -> None:
    lines = ["semantics classic"]
    lines += [f'require "r{i}": executed_commands matches `r{i}`' for i in range(required)]
    lines += [f'optional "o{i}": executed_commands matches `o{i}`' for i in range(optional)]
    findings = found(optional_can_fail.check, *lines)
    assert [percent in finding.message for finding in findings if percent] == [True] * (percent is not None)
    assert bool(findings) == (percent is not None)
    assert found(optional_can_fail.check, *lines[1:]) == []
    assert found(optional_can_fail.check, *lines, 'require "p": ansible "validate.yml"') == []


def test_the_number_of_rules_to_require_is_enough_and_not_more() -> None:
    lines = ["semantics classic", *(f'require "r{i}": executed_commands matches `r{i}`' for i in range(6))]
    lines += [f'optional "o{i}": executed_commands matches `o{i}`' for i in range(4)]
    [finding] = found(optional_can_fail.check, *lines)
    assert finding.help is not None
    assert finding.help.startswith("require 2 more")
    fewer = [line.replace('optional "o0"', 'require "o0"') for line in lines]
    assert len(found(optional_can_fail.check, *fewer)) == 1
    fewer = [line.replace('optional "o1"', 'require "o1"') for line in fewer]
    assert found(optional_can_fail.check, *fewer) == []


# ---- GW308 and GW311 -------------------------------------------------------------------------------------------------


def test_rules_of_which_none_looks_at_a_host() -> None:
    [finding] = found(no_ground_truth.check, f'require "a": {ASK}', 'scenario "x"')
    assert finding.span is not None
    assert finding.span.text == 'scenario "x"'
    [finding] = found(no_ground_truth.check, "hosts a, b", f'require "a": {ASK}', f'require "b": {ASK}')
    assert finding.span is not None
    assert finding.span.text == '"a"'


@pytest.mark.parametrize("rule", ['optional "h": run `true`', 'require "p": ansible "validate.yml"'])
def test_a_rule_that_looks_at_a_host_is_enough(rule: str) -> None:
    assert found(no_ground_truth.check, f'require "a": {ASK}', rule) == []


def test_a_host_rule_of_an_included_file_counts(tmp_path: Path) -> None:
    (tmp_path / "common.gate").write_text('require "h": run `true`\n')
    path = tmp_path / "rules.gate"
    path.write_text(f'scenario "x"\nrequire "a": {ASK}\ninclude "common.gate"\n')
    assert told(no_ground_truth.check, scene_at(path)) == []


def test_the_place_of_a_finding_of_the_whole_is_in_the_file_itself(tmp_path: Path) -> None:
    (tmp_path / "common.gate").write_text(f'require "common": {ASK}\n')
    path = tmp_path / "rules.gate"
    path.write_text(f'include "common.gate"\nrequire "own": {ASK}\n')
    [finding] = told(no_ground_truth.check, scene_at(path))
    assert finding.span is not None
    assert finding.span.text == '"own"'


@pytest.mark.parametrize("text", ["[]", '{"tasks": []}', '{"key": "x", "validation": []}', ""])
def test_a_file_without_rules_is_one_finding(text: str) -> None:
    scene = scene_of(text, "rules.gate" if not text else "rules.json")
    assert [finding.code for check in CHECKS for finding in told(check, scene)] == ["GW311"]


def test_a_file_whose_rules_are_all_optional() -> None:
    [finding] = found(nothing_is_graded.check, f'optional "a": {ASK}', 'optional "b": run `true`')
    assert finding.message == "no rule is required: every run whose job completed passes"


def test_under_classic_semantics_optional_rules_leave_the_score() -> None:
    [finding] = found(nothing_is_graded.check, "semantics classic", f'optional "a": {ASK}')
    assert finding.message == "no rule is required: only the score decides"


def test_a_classic_playbook_decides_whether_required_or_not() -> None:
    assert found(nothing_is_graded.check, "semantics classic", 'optional "p": ansible "validate.yml"') == []
    assert len(found(nothing_is_graded.check, 'optional "p": ansible "validate.yml"')) == 1


def test_a_file_of_names_is_there_to_be_included() -> None:
    assert found(nothing_is_graded.check, "let kubectl = `kubectl`\nlet other = `x`") == []
    assert len(found(nothing_is_graded.check, 'scenario "x"')) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rules.gate", 'require "a": executed_commands matche `x`\n'),
        ("rules.gate", 'semantics classic\nrequire "a": run\noptional "b": executed_commands matches `x`\n'),
        ("rules.json", json.dumps([{"label": "a", "validator": "host_stat", "run": "true"}])),
        ("rules.json", json.dumps({"tasks": [{"label": "a"}, 3]})),
        ("rules.json", json.dumps({"tasks": {"label": "a"}})),
        ("rules.json", json.dumps({"validation": 3})),
    ],
)
def test_nothing_is_said_of_the_whole_where_a_rule_could_not_be_read(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    scene = scene_at(path)
    assert [finding for check in CHECKS for finding in told(check, scene)] == []


# ---- GW312 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["validate.yml", "./validate.yml"])
def test_one_playbook_of_the_usual_name_is_fine(path: str) -> None:
    assert found(several_playbooks.check, f'require "p": ansible "{path}"') == []


@pytest.mark.parametrize("path", ["check.yml", "validate.yaml", "playbooks/validate.yml"])
def test_another_name_is_told(path: str) -> None:
    [finding] = found(several_playbooks.check, f'require "p": ansible "{path}"')
    assert finding.message.endswith("here every required playbook decides the remediation gate")


def test_every_playbook_after_the_first_is_told() -> None:
    lines = [f'require "{i}": ansible "{name}.yml"' for i, name in enumerate(("validate", "a", "b"))]
    findings = found(several_playbooks.check, "semantics classic", *lines)
    assert [finding.rule for finding in findings] == ["1", "2"]
    assert findings[0].message.endswith("here every playbook decides the resolution gate, required or not")
