from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.reports.escape import (
    display_width,
    safe_line,
    safe_lines,
    shortened,
    wrapped,
)

ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from("\x1b\x07\x9b\x9d\u202e\u2066\u2028\ud800\x7f\t\n\r …日🚀e\u0301\u200d"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]0;PWNED\x07\x1b[2J", r"\x1b]0;PWNED\x07\x1b[2J"),
        ("\x9b31m \x9d0;t\x9c", r"\x9b31m \x9d0;t\x9c"),
        ("\u202egnp.exe\u202c \u200b", r"\u202egnp.exe\u202c \u200b"),
        ("a\tb\nc\rd", r"a\tb\nc\rd"),
        ("\x00\x7f\x85", r"\x00\x7f\x85"),
        ("\u2028\u2029\u2066\u2069\u200e\u200f\ufeff", r"\u2028\u2029\u2066\u2069\u200e\u200f\ufeff"),
        ("\ud800 \udfff", r"\ud800 \udfff"),
        ("\U000e0041 \ufffe", r"\U000e0041 \ufffe"),
        (r"\bsystemctl\s+(restart) [a-z]+ ${x} \x1b", r"\bsystemctl\s+(restart) [a-z]+ ${x} \x1b"),
        ("naïve 日本 👩\u200d🚀 e\u0301 \u00a0", "naïve 日本 👩\u200d🚀 e\u0301 \u00a0"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_instead(text: str, shown: str):
    assert safe_line(text) == shown


def test_lines_stay_lines_where_there_may_be_several():
    assert safe_lines("a\r\n\tb\n\nc\rd\n") == ["a", "    b", "", r"c\rd"]
    assert safe_lines("") == []
    assert safe_lines("\n") == [""]


@given(ANY_TEXT)
def test_nothing_that_controls_or_cannot_be_written_is_left(text: str):
    for line in [safe_line(text), *safe_lines(text)]:
        assert not [char for char in line if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
        assert not [char for char in line if unicodedata.bidirectional(char) in ("LRE", "RLO", "LRI", "RLI", "PDI")]
        line.encode("utf-8")


def test_width_counts_columns():
    assert display_width("abc") == 3
    assert display_width("日本") == 4
    assert display_width("e\u0301") == 1
    assert display_width("🚀") == 2


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("ab cdef", 4, "ab…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("abc", 1, "…"),
        ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("", 3, ""),
    ],
)
def test_what_is_too_long_ends_with_an_ellipsis(text: str, width: int, expected: str):
    assert shortened(text, width) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]),
        ("abcdefgh ij", 5, ["abcde", "fgh", "ij"]),
        ("a abcdefgh", 5, ["a", "abcde", "fgh"]),
        ("日本語 日本", 4, ["日本", "語", "日本"]),
        ("  two  blanks", 20, ["  two  blanks"]),
        ("abcde f", 5, ["abcde", "f"]),
    ],
)
def test_lines_break_at_spaces_or_inside_long_words(text: str, width: int, expected: list[str]):
    assert wrapped(text, width) == expected


@given(ANY_TEXT, st.integers(2, 20))
def test_wrapping_loses_nothing_but_spaces_and_keeps_to_the_width(text: str, width: int):
    safe = safe_line(text)
    lines = wrapped(safe, width)
    assert "".join(lines).replace(" ", "") == safe.replace(" ", "")
    assert all(display_width(line) <= width for line in lines)
    assert display_width(shortened(safe, width)) <= width
