"""Words that no match can do without: what they are, and that no match is without them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.ecmascript import parse
from gatewright.compiler.languages import accepts
from gatewright.compiler.languages.needs import lacks, needs


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"systemctl\s+(re)?start\s+Nginx", ("systemctl", "start", "nginx")),
        (r"^\bfoo\b(?:bar)baz$", ("foobarbaz",)),
        ("ab|cd", ()),
        ("x(?:ab|cd)yz", ("yz",)),
        ("ab*cd+ef", ("ef",)),
        ("(?:abc){2,}d", ("abc",)),
        ("(?:abc){0,2}de", ("de",)),
        ("(?=ab)cd", ("cd",)),
        (r"ab\1(c)de", ("ab", "cde")),
        ("aéb", ()),
        ("a", ()),
    ],
)
def test_words_of_a_pattern(pattern: str, words: tuple[str, ...]) -> None:
    assert needs(parse(pattern)) == words


def test_value_without_a_word_lacks_it_whatever_the_case() -> None:
    tree = parse(r"Restart\s+nginx")
    assert lacks(tree, "RESTART Apache")
    assert not lacks(tree, "nginx RESTART")


PATTERNS = st.lists(
    st.sampled_from(["ab", "B", "c?", "(?:ab|c)", "(ab)", "[bc]", "(?:ab)*", "(?:bc)+", r"\b", "^", "a{2}", "."]),
    max_size=6,
).map("".join)


@given(PATTERNS, st.text("abcABC ", max_size=12))
def test_no_match_lacks_a_word(pattern: str, value: str) -> None:
    tree = parse(pattern)
    assert not (lacks(tree, value) and accepts(tree, value))
