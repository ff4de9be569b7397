"""LK: line ends, tabs, characters of two units, and inputs that are too much for a recursive parser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load

Said = Callable[..., list[tuple[str, int, int]]]

SAMPLE = """\
scenario "k"
hosts web-01
let a = "x"
require "one": executed_commands matches t`{{ a }}`  # comment
require "two": on web-01 run ```
  first
    second
  ```
prepare {
  "write": write "/f" ```
    text
    ```
}
"""


def rules_of(folder: Path, text: str) -> object:
    path = folder / "rules.gate"
    path.write_bytes(text.encode())
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert findings == []
    assert isinstance(loaded, Loaded)
    return loaded.rules


def test_carriage_returns_change_neither_meaning_nor_lines(tmp_path: Path, said_of: Said) -> None:
    """LK-01"""
    plain = rules_of(tmp_path, SAMPLE)
    assert rules_of(tmp_path, SAMPLE.replace("\n", "\r\n")) == plain
    lines = SAMPLE.split("\n")
    for number in range(len(lines) - 1):
        mixed = "\n".join(line + "\r" if index == number else line for index, line in enumerate(lines))
        assert rules_of(tmp_path, mixed) == plain
    broken = SAMPLE.replace("on web-01", "on web-02").replace("matches", "match")
    assert said_of(broken.replace("\n", "\r\n"), "rules.gate") == said_of(broken, "rules.gate")


def test_error_behind_carriage_returns_is_on_its_own_line(said_of: Said) -> None:
    """LK-05"""
    assert said_of('# one\r\nrequire "r": nosuch matches `x`\r\n', "rules.gate") == [("GW106", 2, 14)]
    assert said_of('[\r\n  {"label": "r",\r\n  "validator": "nosuch"}]') == [("GW105", 3, 16)]


def test_tab_is_one_character_of_a_column_and_the_caret_stands_under_the_error(
    tmp_path: Path, said_of: Said, gatewright: Callable[..., Any]
) -> None:
    """LK-02"""
    text = '\t\trequire "r":\tnosuch matches `x`\n'
    assert said_of(text, "rules.gate") == [("GW106", 1, 16)]
    lines = gatewright("compile", tmp_path / "rules.gate", "--color", "never").stderr.splitlines()
    shown = next(line for line in lines if "nosuch matches" in line)
    caret = next(line for line in lines if "^^^^^^" in line)
    assert shown.index("nosuch") == caret.index("^")


def test_columns_count_characters_whatever_units_they_take(
    tmp_path: Path, said_of: Said, gatewright: Callable[..., Any]
) -> None:
    """LK-07"""
    text = 'require "🚀🚀 é": nosuch matches `x`\n'
    assert said_of(text, "rules.gate") == [("GW106", 1, 17)]
    lines = gatewright("compile", tmp_path / "rules.gate", "--color", "never").stderr.splitlines()
    shown = next(line for line in lines if "nosuch matches" in line)
    caret = next(line for line in lines if "^^^^^^" in line)
    assert shown.index("nosuch") + 2 == caret.index("^")  # each rocket is two columns wide
    assert said_of('[{"label": "🚀🚀", "validator": "nosuch"}]') == [("GW105", 1, 31)]


@pytest.mark.parametrize("depth", [100, 2000])
def test_groups_in_groups_reach_no_recursion_limit(tmp_path: Path, depth: int) -> None:
    """LK-04: reading them is no matter of depth; a size limit of the engine may still refuse them."""
    path = tmp_path / "rules.gate"
    path.write_text(f'require "r": tool_calls matches `{"(" * depth}a{")" * depth}`\n', "utf-8")
    findings: list[Finding] = []
    assert isinstance(load(path, findings.append), Loaded)
    assert {finding.code for finding in findings} <= {"GW201"}
    path.write_text(f'require "r": tool_calls matches `{"(" * depth}a`\n', "utf-8")
    findings.clear()
    load(path, findings.append)
    assert [finding.code for finding in findings] == ["GW201"]


def test_five_thousand_rules_are_read_checked_and_laid_out(tmp_path: Path, gatewright: Callable[..., Any]) -> None:
    """LK-04"""
    path = tmp_path / "rules.gate"
    path.write_text("".join(f'require "r{n}": task_count 1\n' for n in range(5000)), "utf-8")
    assert gatewright("fmt", "--check", path).code == 0
    called = gatewright("convert", path, "--to", "flat")
    assert called.code == 0
    assert called.stdout.count('"validator"') == 5000
