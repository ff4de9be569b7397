"""Pieces of patterns, and that no pattern breaks a check."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from linted import rules, scene_of

from gatewright.compiler.ecmascript import PatternError, Sequence, parse
from gatewright.runtime.lint.patterns import (
    bridging_wildcard,
    loose_alternation,
    loose_dot,
    loose_space,
    loose_word,
)
from gatewright.runtime.lint.patterns.reading import flat, inserted, is_gap, sample_through, words

CHECKS = [each.check for each in (loose_dot, loose_word, loose_alternation, bridging_wildcard, loose_space)]
TEXT = (
    r"rm -f 0 10 80 . .* .+? \. \s+ \s* \b ^ $ | ( (?: (?= (?! (?<n> ) ) ) ) ? * {2} {0,20} [^;] [a-z] \d \w \1 \n"
    " nginx success systemctl restart reload ok .conf /etc/ ' \" 😀 {3}"
)
PIECES = [*TEXT.split(), " ", ""]


def is_valid(pattern: str) -> bool:
    try:
        parse(pattern)
    except PatternError:
        return False
    return pattern != ""


@given(
    patterns=st.lists(st.lists(st.sampled_from(PIECES), max_size=9).map("".join).filter(is_valid), max_size=4),
    where=st.sampled_from(["executed_commands", "agent_messages", "write_file"]),
    negate=st.booleans(),
)
def test_no_pattern_breaks_a_check(patterns: list[str], where: str, negate: bool) -> None:
    scene = scene_of(*rules(*patterns, where=where, negate=negate))
    for check in CHECKS:
        for finding in check(scene):
            assert finding.witness is not None
            assert finding.span is not None


@pytest.mark.parametrize("pattern", ["(" * 5_000 + "nginx.conf" + ")" * 5_000, "|".join(["rm .*x"] * 50_000)])
def test_large_patterns_are_passed_over(pattern: str) -> None:
    scene = scene_of(*rules(pattern, negate=True))
    assert [finding for check in CHECKS for finding in check(scene)] == []
    assert scene.notes


def test_groups_of_one_branch_are_no_border() -> None:
    body = parse(r"(?:rm\s+)-(r)f").body
    assert isinstance(body, Sequence)
    assert len(flat(body)) == 6


@pytest.mark.parametrize(
    ("pattern", "sides"),
    [
        ("ok", ("open", "open")),
        (r"\bok$", ("limit", "limit")),
        (" ok.*", ("limit", "open")),
        (r"\s*ok['\"]?", ("open", "open")),
        (r"is\s*ok", ("unknown", "open")),
        (r"\wok\d", ("unknown", "unknown")),
        ("(?<!n)ok(?=x)", ("unknown", "unknown")),
        (r"-(?:ok|x)\.", ("limit", "limit")),
    ],
)
def test_a_word_knows_what_stands_beside_it(pattern: str, sides: tuple[str, str]) -> None:
    [word] = [each for each in words(parse(pattern).body) if each.text == "ok"]
    assert (word.before, word.after) == sides


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (".*", True),
        (r"[\s\S]+?", True),
        ("[^]*", True),
        (".{0,200}", True),
        (r"(?:.|\n)*", True),
        ("[^x]*", False),
        (".{0,3}", False),
        (r"[^;&|]*", False),
        (r"\S*", False),
        (".", False),
    ],
)
def test_a_gap_takes_the_end_of_a_command_too(pattern: str, expected: bool) -> None:
    body = parse(pattern).body
    assert isinstance(body, Sequence)
    assert is_gap(body.items[0]) is expected


def test_a_sample_goes_by_way_of_a_piece() -> None:
    assert sample_through(parse("a|b(c|d.e)?"), 7, {7: "-"}) == "bd-e"


def test_insertions_are_made_from_the_end() -> None:
    assert inserted("a.b.c", [(1, "\\"), (3, "\\")]) == r"a\.b\.c"
