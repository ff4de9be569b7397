"""JS: JSON (and YAML) as it comes from editors, other programs and attackers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Said = Callable[..., list[tuple[str, int, int]]]
CLI = Callable[..., Any]

COUNT = '{"label": "r", "validator": "task_count", "max": 3}'


def codes(said: list[tuple[str, int, int]]) -> list[str]:
    return [code for code, *_ in said]


def test_duplicate_key_is_an_error_that_shows_both_places(tmp_path: Path, said_of: Said, gatewright: CLI) -> None:
    """JS-01"""
    rule = '{"label": "r", "validator": "pattern_match", "where": "tool_calls", "pattern": "x"'
    rule += ',\n"negate": true,\n"negate": false}'
    assert said_of(f"[{rule}]") == [("GW108", 3, 1)]
    called = gatewright("compile", tmp_path / "rules.json")
    assert called.code == 2
    assert "\n3 | " in called.stderr
    assert "\n2 | " in called.stderr
    assert codes(said_of('{"tasks": [], "tasks": []}')) == ["GW108"]
    assert codes(said_of('{"validation": [], "x-mine": {"a": 1, "a": 2}}')) == ["GW108"]


def test_byte_order_mark_is_read_shifts_no_column_and_is_dropped(
    tmp_path: Path, said_of: Said, gatewright: CLI
) -> None:
    """JS-03"""
    for mark in ("", "\ufeff"):
        assert said_of(f'{mark}[{{"label": "r", "validator": "nosuch"}}]') == [("GW105", 1, 30)]
        assert said_of(f'{mark}require "r": nosuch matches `x`\n', "rules.gate") == [("GW106", 1, 14)]
    path = tmp_path / "rules.json"
    path.write_text(f"\ufeff[{COUNT}]", "utf-8")
    assert gatewright("fmt", path).code == 0
    assert not path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert json.loads(path.read_bytes()) == [json.loads(COUNT)]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_in_json_is_an_error_at_its_place(said_of: Said, number: str) -> None:
    """JS-04"""
    assert said_of(f'[{{"label": "r", "validator": "task_count",\n  "min": {number}}}]') == [("GW104", 2, 10)]


@pytest.mark.parametrize("digits", ["9" * 5000, "-" + "9" * 5000, "1e99999", "0." + "9" * 5000, "1e-99999"])
def test_huge_numbers_are_an_ordinary_error(said_of: Said, gatewright: CLI, tmp_path: Path, digits: str) -> None:
    """JS-06"""
    said = said_of(f'[{{"label": "r", "validator": "host_state", "run": "x", "exit_code": {digits}}}]')
    assert said == [("GW104", 1, 69)]
    called = gatewright("compile", tmp_path / "rules.json")
    assert called.code == 2
    assert len(called.stderr) < 1000
    gate = f'require "r": run `x` exits {digits.lstrip("-")}\n'
    assert said_of(gate, "rules.gate") != []


@pytest.mark.parametrize(
    ("number", "good"), [("1.0", True), ("1e0", True), ("1.5", False), ("true", False), ('"1"', False)]
)
def test_whole_numbers_may_be_spelled_with_a_fraction_and_nothing_else_is_one(
    said_of: Said, number: str, good: bool
) -> None:
    """JS-08: documented in SPEC section 4: `1.0` and `1e0` are 1."""
    for key in ("min", "max"):
        said = said_of(f'[{{"label": "r", "validator": "task_count", "{key}": {number}}}]')
        assert said == ([] if good else [("GW104", 1, 51)])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[{COUNT},]", [("GW107", 1, 53)]),
        (f"// a\n[{COUNT}]", [("GW107", 1, 1)]),
        (f"[/* a */{COUNT}]", [("GW107", 1, 2)]),
        ('[{"label": "// a", "validator": "task_count", "max": 3}]', []),
        ("[{'label': 1}]", [("GW101", 1, 3)]),
        ("[{\"label\": 'r'}]", [("GW101", 1, 12)]),
    ],
)
def test_comments_and_trailing_commas_are_warnings_and_single_quotes_are_not_json(
    said_of: Said, text: str, said: list[tuple[str, int, int]]
) -> None:
    """JS-09"""
    assert said_of(text) == said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[{"label": "caf\xe9", "validator": "task_count", "max": 3}]', ("GW101", 1, 16)),
        (b'[{"label": "a\\ud83d", "validator": "task_count", "max": 3}]', ("GW104", 1, 12)),
        (b'[{"label": "a\tb", "validator": "task_count", "max": 3}]', ("GW101", 1, 14)),
        (b'[{"label": "a\x00b", "validator": "task_count", "max": 3}]', ("GW101", 1, 14)),
        ('[{"label": "ä"}]'.encode("utf-16"), ("GW101", 1, 1)),
        (b'[{"label": "a\xed\xa0\xbd", "validator": "task_count", "max": 3}]', ("GW101", 1, 14)),
    ],
)
def test_bad_bytes_and_characters_are_told_in_words_that_can_be_printed(
    tmp_path: Path, said_of: Said, gatewright: CLI, content: bytes, said: tuple[str, int, int]
) -> None:
    """JS-10"""
    assert said_of(content) == [said]
    called = gatewright("compile", tmp_path / "rules.json")
    assert called.code == 2
    assert not any(character < " " and character != "\n" for character in called.stderr)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 100_000, "GW101"),
        ("[" * 100_000 + "]" * 100_000, "GW101"),
        ('{"x":' * 3000 + "1" + "}" * 3000, "GW101"),
        ('[{"label": "r", "validator": "task_count", "max": 3, "x-a": ' + "[" * 3000 + "]" * 3000 + "}]", "GW101"),
        ('[{"label": "r", "validator": "task_count", "max": 3, "x-a": ' + "[" * 200 + "]" * 200 + "}]", None),
    ],
    ids=["open", "closed", "objects", "in-a-rule", "deep-enough"],
)
def test_deep_nesting_is_an_error_and_no_recursion(said_of: Said, text: str, code: str | None) -> None:
    """JS-11"""
    assert codes(said_of(text)) == ([] if code is None else [code])


def test_yaml_is_not_read_and_says_so(said_of: Said, gatewright: CLI, tmp_path: Path) -> None:
    """JS-12: the key `on` of YAML 1.1 cannot become True where no YAML is read."""
    text = "validation:\n  - label: r\n    validator: host_state\n    run: x\n    on: no\n"
    assert set(codes(said_of(text, "rules.yaml"))) == {"GW101"}
    called = gatewright("compile", tmp_path / "rules.yaml")
    assert called.code == 2
    assert called.stdout == ""


# ---- the handed files ------------------------------------------------------------------------------------------------

HANDED = {
    "json_duplicate_keys_rule.json": [("GW108", 1, 137)],
    "json_bom.json": [],
    "json_nan_bound.json": [("GW104", 1, 60), ("GW104", 1, 70)],
    "json_huge_int_exit.json": [("GW104", 1, 79)],
    "json_float_bound.json": [("GW104", 1, 60), ("GW104", 1, 207), ("GW104", 1, 257)],
    "json_trailing_comma.json": [("GW107", 1, 102)],
    "json_comments.json": [("GW107", 1, 1), ("GW107", 2, 16)],
    "json_invalid_utf8.json": [("GW101", 1, 29)],
    "json_lone_surrogate.json": [("GW104", 1, 25)],
    "json_control_char_in_string.json": [("GW101", 1, 29)],
    "json_deep_nesting.json": [("GW101", 1, 257)],
    "json_crlf_lines.json": [("GW110", 3, 5)],
    "json_astral_before_error.json": [("GW201", 1, 104)],
    "yaml_on_key.yaml": [("GW101", 1, 1), ("GW101", 1, 11)],
}


@pytest.mark.parametrize("name", HANDED)
def test_handed_file_is_told_at_its_place(handed: Path, said_of: Said, name: str) -> None:
    """JS, LK-05 and LK-07 over cases/bugs."""
    content = (handed / "bugs" / name).read_bytes()
    assert said_of(content, name.replace("json_", "")) == HANDED[name]
