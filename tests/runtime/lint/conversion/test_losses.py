"""What a conversion would refuse, reword or leave behind is found without one, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import call

RULES = """hosts web-01
require "Often": executed_commands matches `nginx` at least 2 times
require "Wrote": write_file matches `nginx`
require "Up": run `true`
test "one" { expect pass "Wrote" }
"""


def lint(folder: Path, name: str, *options: str) -> str:
    return call("lint", folder / name, "--no-cache", "--select", "GW1,GW6", "--color", "never", *options).stdout


def codes(text: str) -> list[str]:
    return sorted(word for word in text.split() if word.startswith("GW") and word[2:].isdigit())


@pytest.mark.parametrize(
    ("target", "expected"),
    [("flat", ["GW601", "GW604"]), ("grouped", ["GW109", "GW601", "GW601", "GW602", "GW604"]), ("gate", [])],
)
def test_a_target_tells_what_a_conversion_would_tell(tmp_path: Path, target: str, expected: list[str]) -> None:
    (tmp_path / "rules.gate").write_text(RULES.replace('`nginx`\nrequire "Up"', '`^nginx`\nrequire "Up"'), "utf-8")
    assert codes(lint(tmp_path, "rules.gate", "--target", target)) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["rules.gate"]


def test_without_a_target_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "rules.gate").write_text(RULES, "utf-8")
    assert codes(lint(tmp_path, "rules.gate")) == []


def test_a_file_of_the_target_form_is_silent(tmp_path: Path) -> None:
    rule = '{"label": "R", "validator": "job_resolution_status", "pattern": "success"}'
    (tmp_path / "rules.json").write_text(f'{{"job": [{rule}]}}', "utf-8")
    assert "GW603" not in codes(lint(tmp_path, "rules.json", "--target", "grouped"))
    assert "GW603" in codes(lint(tmp_path, "rules.json", "--target", "flat"))


@pytest.mark.parametrize("target", ["flat", "grouped", "gate"])
def test_rules_with_faults_are_no_obstacle(tmp_path: Path, target: str) -> None:
    text = """require "A": exekuted matches `a`
require "B": executed_commands matches `(`
require "C": ticket_status is open
require "D": executed_commands matches
"""
    (tmp_path / "rules.gate").write_text(text, "utf-8")
    rule = '{"label": "A", "validator": "pattern_match", "where": "exekuted", "pattern": "a"}'
    (tmp_path / "flat.json").write_text(f'[{rule}, {{"validator": "x"}}, {{"label": ""}}, 3]', "utf-8")
    (tmp_path / "bounds.json").write_text('[{"label": "B", "validator": "task_count"}]', "utf-8")
    (tmp_path / "twice.json").write_text('{"validation": [], "validation": {"job": 3}, "hosts": [1]}', "utf-8")
    for name in ("rules.gate", "flat.json", "twice.json", "bounds.json"):
        lint(tmp_path, name, "--target", target)


# ---- convert ---------------------------------------------------------------------------------------------------------

CLASSIC = 'semantics classic\nrequire "Exact": executed_commands matches `^nginx$`\n'


def test_convert_tells_differences_as_warnings_and_writes(tmp_path: Path) -> None:
    (tmp_path / "rules.gate").write_text(CLASSIC, "utf-8")
    ended = call("convert", tmp_path / "rules.gate", "--to", "flat", "-o", tmp_path / "flat.json")
    assert ended.code == 0
    assert "GW602 warning" in ended.stderr
    assert (tmp_path / "flat.json").exists()


def test_convert_tells_them_of_every_file_of_a_tree(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "rules.gate").write_text(CLASSIC, "utf-8")
    ended = call("convert", tmp_path / "in", "--to", "flat", "-o", tmp_path / "out")
    assert ended.code == 0
    assert ended.stderr.count("rule: Exact") == 2


def test_convert_tells_them_of_rules_put_into_a_scenario(tmp_path: Path) -> None:
    (tmp_path / "rules.gate").write_text(CLASSIC, "utf-8")
    (tmp_path / "scenario.json").write_text('{"key": "k", "validation": []}', "utf-8")
    ended = call("convert", tmp_path / "rules.gate", "--into", tmp_path / "scenario.json", "--to", "flat")
    assert ended.code == 0
    assert "GW602 warning" in ended.stderr


@pytest.mark.parametrize("form", ["gate", "grouped"])
def test_convert_is_silent_where_the_meaning_stays(tmp_path: Path, form: str) -> None:
    (tmp_path / "rules.gate").write_text(CLASSIC, "utf-8")
    assert call("convert", tmp_path / "rules.gate", "--to", form).stderr == ""
