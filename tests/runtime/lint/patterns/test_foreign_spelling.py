"""GW213: spellings of other dialects."""

from __future__ import annotations

import pytest
from linted import fixed, told_of

from gatewright.runtime.lint.patterns.foreign_spelling import check


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        (r"bar\Z", "barz", "bar$"),
        (r"\Abar\z", "abarz", "^bar$"),
        (r"rm\h+x", "rmhx", r"rm[ \t]+x"),
        (r"[\h,]+", "h", r"[ \t,]+"),
        (r"a\Rb", "arb", r"a(?:\r\n|[\n\r])b"),
        (r"\Qa.b\E", "qaxbE", r"a\.b"),
        (r"\Qa.b", "qaxb", r"a\.b"),
        (r"\<reboot\>", "<reboot>", r"\breboot\b"),
        (r"\x{41}b", "x" * 41 + "b", r"\x41b"),
        (r"\u{1F600}+", "u{1F600}", "(?:😀)+"),
        (r"\p{L}+", "p{L}", "[a-z]+"),
        (r"\p{Lu}", "p{Lu}", None),
        (r"\e\[31m", "e[31m", r"\x1b\[31m"),
        (r"ab\Kc", "abkc", None),
        ("a{,3}", "a{,3}", "a{0,3}"),
        ("[[:alpha:]]+", "a]", "[a-z]+"),
        ("[[:alpha:]_-]x", "a_-]x", "[a-z_-]x"),
        ("[[:alpha:][:digit:]]+", "ad]", r"[a-z\d]+"),
        ("[^[:space:]]+", "x]", r"[^\s]+"),
        ("[:digit:]", "d", r"[\d]"),
        ("[[:punct:]]", "p]", r"[!-/:-@\[-`{-~]"),
    ],
)
def test_a_foreign_spelling_is_told_with_what_it_matches_here(pattern: str, value: str, expected: str | None) -> None:
    [finding] = told_of(check, pattern)
    assert finding.witness is not None
    assert finding.witness.value == value
    assert fixed(finding) == expected
    assert finding.fix is None or not finding.fix.is_safe


def test_all_spellings_of_a_pattern_are_one_finding() -> None:
    [finding] = told_of(check, r"\Abar\Z")
    assert finding.span is not None
    assert finding.span.text == r"\\A"
    assert [(label.span.text, label.text) for label in finding.labels] == [(r"\\Z", "is the letter Z")]


def test_without_an_example_it_is_told_all_the_same() -> None:
    [finding] = told_of(check, r"a(?=b\Z)")
    assert finding.witness is None


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d\w\s\b\B\D\W\S",
        r"\.\-\_\/\<",
        r"C:\\app\\etc\\Zone",
        r"cat \< in \> out",
        r"2\>/dev/null",
        r"\<div\></div>",
        r"\x41\u0041\cA\0",
        r"\p",
        r"\m",
        "{,3}",
        "x{,}",
        "x{,a}",
        "[a:z]",
        "[[:other:]]",
        "[[:alpha:]",
        r"[\b\d\-]",
        r"(?<year>\d{4})\k<year>",
    ],
)
def test_what_is_ecmascript_is_left_alone(pattern: str) -> None:
    assert told_of(check, pattern) == []
