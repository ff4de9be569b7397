"""What literals mean, where their characters stand, and how texts are written as literals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.grammar import literals
from gatewright.grammar.literals import RESERVED, Literal
from gatewright.grammar.parser import parse
from gatewright.grammar.syntax import Let, Setting
from gatewright.grammar.text import Source


def literal(written: str) -> Literal:
    file = parse(Source("x.gate", f"let x = {written}\n"))
    assert not file.faults, file.faults
    (let,) = file.statements
    assert isinstance(let, Let)
    return let.value


VALUES = [
    (r'"\" \\ \/ \b \f \n \r \t \u00e9"', '" \\ / \b \f \n \r \t é'),
    (r'"\ud83d\ude00"', "😀"),
    (r'"\ud83d"', "\ud83d"),
    (r'"\ud83d\u0041"', "\ud83dA"),
    (r'"\ude00\ud83d"', "\ude00\ud83d"),
    ('""', ""),
    ('"{{ x }} `y`"', "{{ x }} `y`"),
    (r"`\d+\n`", r"\d+\n"),
    ('` "` ', ' "'),
    ("``echo `hostname` ``", "echo `hostname`"),
    ("`` `hostname` x``", "`hostname` x"),
    ("`` `a` ``", "`a`"),
    ("``  `a`  ``", "  `a`  "),
    ("`` a ``", " a "),
    ("`` ` ``", "`"),
    ("```\n```", ""),
    ("```\n\n```", ""),
    ("```\na\n```", "a"),
    ("```\n  a\n    b\n  ```", "a\n  b"),
    ("```\n  a\n ```", " a"),
    ("```\n\t\ta\n\t\t```", "a"),
    ("```\n\ta\n  b\n  ```", "\ta\n  b"),
    ("```\n  a\n   \t\n  ```", "a\n"),
    ("```\n  a\n\n  b  \n  ```", "a\n\nb  "),
    ("``` \r\n  a\r\n  b\r\n  ```\r\n", "a\nb"),
    ("```\n  a\n      ```", "a"),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_a_literal_means_its_text(written: str, value: str) -> None:
    assert literals.unwrap(literal(written)) == value
    assert literals.unwrap(literal(f"t{written.strip()}")) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [("```\n```", ""), ("```\n\n```", "\n"), ("```\r\n  a\r\n  ```", "a\n"), ('"a\\n"', "a\n"), ("`a`", "a")],
)
def test_content_keeps_its_last_newline(written: str, value: str) -> None:
    assert literals.unwrap(literal(written), content=True) == value


@pytest.mark.parametrize(
    ("written", "index", "offset"),
    [
        (r'"a\nb"', 2, 4),
        (r'"\ud83d\ude00x"', 1, 13),
        (r'"\ud83d\ude00x"', 2, 14),
        ('t"ab"', 1, 3),
        ("`ab`", 0, 1),
        ("`ab`", 2, 3),
        ("`ab`", 99, 3),
        ("`` `ab` ``", 0, 3),
        ("`` `ab` ``", 4, 7),
        ("```\n  a\n\n    b\n  ```", 0, 6),
        ("```\n  a\n\n    b\n  ```", 1, 7),
        ("```\n  a\n\n    b\n  ```", 2, 8),
        ("```\n  a\n\n    b\n  ```", 5, 13),
        ("```\r\n  a\r\n  b\r\n  ```", 1, 8),
        ("```\r\n  a\r\n  b\r\n  ```", 2, 12),
    ],
)
def test_every_character_has_its_place(written: str, index: int, offset: int) -> None:
    node = literal(written)
    assert literals.source_offset(node, index) - node.start == offset


@pytest.mark.parametrize(
    ("text", "written", "as_content"),
    [
        ("a", "`a`", None),
        (r"\b(x|y)\s+", r"`\b(x|y)\s+`", None),
        ('say "x"', '`say "x"`', None),
        ("echo `hostname`", "``echo `hostname` ``", None),
        ("`x", "`` `x``", None),
        ("a``b", '"a``b"', None),
        (" `x", '" `x"', None),
        ("", '""', None),
        ("a\tb", r'"a\tb"', None),
        ("a\n", r'"a\n"', "```\na\n```"),
        ("a\nb", "```\na\nb\n```", r'"a\nb"'),
        ("a\n\tb\n", "```\na\n\tb\n\n```", "```\na\n\tb\n```"),
        ("a\n  \nb\n", r'"a\n  \nb\n"', None),
        ("a\n```\nb\n", r'"a\n```\nb\n"', None),
        ("a\r\nb\n", r'"a\r\nb\n"', None),
        ("\n\n", r'"\n\n"', None),
        ("a\x1bb\u2028\u202e\ufeff", r'"a\u001bb\u2028\u202e\ufeff"', None),
        ("é 日本 🚀", "`é 日本 🚀`", None),
    ],
)
def test_a_text_is_written_the_way_it_reads_best(text: str, written: str, as_content: str | None) -> None:
    assert literals.write(text) == written
    assert literals.write(text, content=True) == (as_content or written)


def test_labels_are_strings_with_few_escapes() -> None:
    assert literals.write_string('é "x" \\ 🚀\n') == r'"é \"x\" \\ 🚀\n"'


texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])), st.text('ab `\n\t\r"\\{}\u2028'), st.text("a` ", max_size=8)
)


@settings(max_examples=400, deadline=None)
@given(texts, st.booleans())
def test_what_is_written_means_what_was_said(text: str, content: bool) -> None:
    assert literals.unwrap(literal(literals.write(text, content=content)), content=content) == text
    assert literals.unwrap(literal(literals.write_string(text))) == text


@settings(max_examples=200, deadline=None)
@given(texts, st.booleans())
def test_places_are_those_of_the_characters(text: str, content: bool) -> None:
    file = parse(Source("x.gate", f"let x = {literals.write(text, content=content)}\n"))
    (let,) = file.statements
    assert isinstance(let, Let)
    offsets = [literals.source_offset(let.value, index, content=content) for index in range(len(text) + 1)]
    assert offsets == sorted(set(offsets))
    if let.value.style != "string":
        assert "".join(file.source.text[offset] for offset in offsets[:-1]) == text


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.sampled_from(RESERVED), st.text("ab1._-", min_size=1), texts, st.just("10.0.0.1")))
def test_a_written_host_is_that_host(name: str) -> None:
    file = parse(Source("x.gate", f"hosts {literals.write_item(name)}\n"))
    assert not file.faults
    (setting,) = file.statements
    assert isinstance(setting, Setting)
    (value,) = setting.values
    assert (literals.unwrap(value) if isinstance(value, Literal) else value.text) == name


def test_plain_names_stay_bare() -> None:
    bare = ["web-01", "a.b", "run", "10.0.0.1"]
    assert [literals.write_item(name) for name in bare] == bare
