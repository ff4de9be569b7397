"""GW209: patterns that stop an engine that backtracks."""

from __future__ import annotations

import pytest
from linted import rules, scene_of, told_of

from gatewright.runtime.lint.patterns.backtracking import check


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+\s*)+ done", "^([a-z]+)*$", r"(?:\d+,?)+;"])
def test_exponential_patterns_are_told_with_a_value_that_does_not_match(pattern: str) -> None:
    [finding] = told_of(check, pattern)
    assert "exponentially many steps for values like “" in finding.message
    assert finding.witness is not None
    assert finding.witness.says.startswith(("does not match", "matches"))
    assert len(finding.witness.value) <= 60


def test_a_polynomial_that_hurts_is_told_with_its_degree() -> None:
    [finding] = told_of(check, ".*.*done")
    assert "needs n³ steps or more" in finding.message


def test_a_loop_that_cannot_fail_is_told_with_the_words_that_it_takes_more() -> None:
    [finding] = told_of(check, "restart (a{2,})+")
    assert finding.message.startswith("with anything behind it that can fail")
    assert finding.witness is not None
    assert finding.witness.misses == ("(?:restart (a{2,})+)$",)


def test_both_quantifiers_are_shown() -> None:
    [finding] = told_of(check, "id=(a+)+;")
    assert finding.span is not None
    assert finding.span.text == "(a+)+"
    assert [(label.span.text, label.text) for label in finding.labels] == [("a+", "repeats inside of it")]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s+$",
        ".*foo",
        "systemctl.*restart.*nginx",
        "a{2,3}b{1,9}",
        r"systemctl\s+restart\s+nginx",
        r"^\d+(\.\d+)* installed",
        r"git\s+(?:\S+\s+)*restore\s",
        "(?:restart|reload)+",
    ],
)
def test_patterns_that_are_fast_enough_are_silent(pattern: str) -> None:
    assert told_of(check, pattern) == []


def test_what_cannot_be_decided_is_noted() -> None:
    scene = scene_of(*rules("(?=x)(a+)+$"))
    assert list(check(scene)) == []
    assert [(note.code, note.rule) for note in scene.notes] == [("GW209", "rule 0")]
