"""GW207: control characters in patterns."""

from __future__ import annotations

import pytest
from linted import fixed, scene_of, told

from gatewright.compiler.findings import Finding
from gatewright.runtime.lint.patterns.control_character import check


def told_of_literal(literal: str) -> list[Finding]:
    """What is said of a pattern as it is spelled in JSON."""
    rule = f'{{"label": "x", "validator": "pattern_match", "where": "executed_commands", "pattern": {literal}}}'
    return told(check, scene_of(f"[{rule}]", "rules.json"))


def test_a_backspace_is_shown_at_its_place_and_becomes_the_edge_of_a_word() -> None:
    [finding] = told_of_literal(r'"\brm\b"')
    assert finding.span is not None
    assert finding.span.text == r"\b"
    assert [label.span.text for label in finding.labels] == [r"\b"]
    assert fixed(finding) == r"\brm\b"
    assert finding.witness is not None
    assert finding.witness.value == "rm"
    assert finding.fix is not None
    assert not finding.fix.is_safe


def test_a_backspace_is_told_however_it_is_spelled() -> None:
    assert len(told_of_literal(r'"\u0008rm"')) == 1


@pytest.mark.parametrize("literal", [r'"\\brm\\b"', r'"a\tb\nc\rd"', r'"\u001b\\[31m"', '"é🚀"', r'"\\x08"'])
def test_what_is_meant_is_left_alone(literal: str) -> None:
    assert told_of_literal(literal) == []


def test_another_control_character_is_written_as_an_escape() -> None:
    [finding] = told_of_literal(r'"C:\\\\temp\foo"')
    assert fixed(finding) == r"C:\\temp\x0coo"
    assert finding.fix is not None
    assert finding.fix.is_safe


def test_a_control_character_behind_a_backslash_has_no_fix() -> None:
    [finding] = told_of_literal(r'"a\\\fb"')
    assert finding.fix is None


def test_a_backspace_of_a_string_in_a_gate_file_becomes_a_raw_literal() -> None:
    [finding] = told(check, scene_of('require "x": executed_commands matches "\\bmkfs\\b"\n'))
    assert finding.fix is not None
    assert finding.fix.edits[0].text == r"`\bmkfs\b`"


def test_a_raw_literal_says_what_it_looks_like() -> None:
    assert told(check, scene_of('require "x": executed_commands matches `\\bmkfs\\b`\n')) == []
