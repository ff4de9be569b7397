"""GW206: patterns that every value matches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linted import fixed, rules, scene_of, told_of

from gatewright.runtime.lint.patterns.matches_anything import check

PIECES = st.sampled_from(["a", "b?", "(c|)", "(d)*", ".", "^", "$", r"\b", r"[\s\S]*", r"(?:e|f?)", r"\s*", "|"])


@pytest.mark.parametrize(
    "pattern",
    [
        "(restart)?",
        "a|",
        "|a",
        "a||b",
        ".*",
        "^.*",
        "^",
        "$",
        r"\s*",
        "(|a)+",
        "(?:x?){3}",
        r"^[\s\S]*$",
        "(?=a)?",
        "[^]*",
    ],
)
def test_what_can_do_without_all_its_parts_is_told(pattern: str) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == ""


@pytest.mark.parametrize("pattern", ["restart", ".", ".+", "^$", r"^.*$", r"\b", "a?b", "(a|b)c*", r"\s*x", "(a)b|c"])
def test_what_asks_for_something_is_left_alone(pattern: str) -> None:
    assert told_of(check, pattern) == []


def test_a_look_around_that_might_match_everything_is_not_decided() -> None:
    scene = scene_of(*rules("(?!a)"))
    assert list(check(scene)) == []
    assert [note.code for note in scene.notes] == ["GW206"]


def test_a_look_around_beside_words_is_no_question() -> None:
    scene = scene_of(*rules("(?!a)b"))
    assert list(check(scene)) == []
    assert scene.notes == []


def test_the_signs_that_let_nothing_pass_are_labelled() -> None:
    [finding] = told_of(check, r"(cause)?\s*(|found)")
    assert [(label.span.text, label.text) for label in finding.labels] == [
        ("?", "may be left out"),
        ("*", "none at all will do"),
        ("|", "an empty branch"),
    ]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("(restart)?", "(restart)"),
        ("(a|b)*", "(a|b)+"),
        ("a|", "a"),
        ("|a", "a"),
        ("a||b", "a|b"),
        ("(a||b)", "(a|b)"),
        ("(restart){0,3}", None),
        (r"\s*", None),
        ("(a?)*", None),
        ("a?b?", None),
        ("||", None),
    ],
)
def test_one_sign_too_many_is_taken_away(pattern: str, expected: str | None) -> None:
    [finding] = told_of(check, pattern)
    assert fixed(finding) == expected
    assert finding.fix is None or not finding.fix.is_safe


def test_a_pattern_that_nests_too_deep_is_not_decided() -> None:
    scene = scene_of(*rules("(" * 50 + "a" + ")?" * 50))
    assert list(check(scene)) == []
    assert [note.code for note in scene.notes] == ["GW206"]


@given(st.lists(PIECES, min_size=1, max_size=6).map("".join))
def test_a_pattern_told_matches_every_value(pattern: str) -> None:
    scene = scene_of(*rules(pattern))
    if list(check(scene)):
        assert all(scene.matches(pattern, value) for value in ("", "x", "a b", "\n", "x\nd", "é"))
    elif not scene.notes:
        assert not all(scene.matches(pattern, value) for value in ("", "x", "abc", "1", " ", "-\n-", "\n\n", "a\n-\nb"))
