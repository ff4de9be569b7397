"""The canonical layout of JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.json_layout import Inline, Printable, layout
from gatewright.compiler.json_text import JsonValue, parse_json
from gatewright.grammar.text import Source

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=25,
)


def node(text: str) -> JsonValue:
    document = parse_json(Source("a.json", text), pytest.fail)
    assert document is not None
    return document.root


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", '"a"'),
        (True, "true"),
        (None, "null"),
        (12, "12"),
        ([], "[]"),
        ({}, "{}"),
        (Inline({}), "{}"),
        (["success", "partial", 1, None], '["success", "partial", 1, null]'),
        ({"a": [], "b": {}}, '{\n  "a": [],\n  "b": {}\n}'),
        ([[1], [2, [3]]], "[\n  [1],\n  [\n    2,\n    [3]\n  ]\n]"),
        ([{"a": 1}], '[\n  {\n    "a": 1\n  }\n]'),
        (
            {"turns": [Inline({"hosts": ["web-01"]}), Inline({"hosts": [], "at_least": 2})]},
            '{\n  "turns": [\n    { "hosts": ["web-01"] },\n    { "hosts": [], "at_least": 2 }\n  ]\n}',
        ),
        (Inline({"a": {"b": 1}}), '{\n  "a": {\n    "b": 1\n  }\n}'),
        (Inline({"a": [[1]]}), '{\n  "a": [\n    [1]\n  ]\n}'),
        ("é🚀\u2028\u2029\u00a0", '"é🚀\u2028\u2029\u00a0"'),
        ('"\\/\b\f\n\r\t\x00\x1b', r'"\"\\/\b\f\n\r\t\u0000\u001b"'),
        ("\x7f\x85\x9b", r'"\u007f\u0085\u009b"'),
        ("\ud83d", r'"\ud83d"'),
        ({"é\n": 1}, '{\n  "é\\n": 1\n}'),
    ],
)
def test_values_have_one_layout(value: Printable, text: str) -> None:
    assert layout(value) == text


def test_tree_nodes_and_python_values_mix_and_numbers_keep_their_spelling() -> None:
    text = '{"min":1.0,"max" : 1E2, "s": "\\u00e9\\/", "on":true,"l":[ 1.50 , null ],"o":{"k":{}}}'
    expected = (
        '{\n  "min": 1.0,\n  "max": 1E2,\n  "s": "é/",\n  "on": true,\n'
        '  "l": [1.50, null],\n  "o": {\n    "k": {}\n  }\n}'
    )
    assert layout(node(text)) == expected
    assert layout({"a": [node("1e0"), 2], "b": Inline(node_object('{"hosts":["x"]}'))}) == (
        '{\n  "a": [1e0, 2],\n  "b": { "hosts": ["x"] }\n}'
    )


def node_object(text: str) -> Any:
    return node(text)


def test_an_array_breaks_when_it_and_a_comma_pass_column_100() -> None:
    fits = layout({"a": ["x" * 88], "b": 1}).split("\n")
    assert fits[1] == '  "a": ["' + "x" * 88 + '"],'
    assert len(fits[1]) == 100
    assert layout({"a": ["x" * 89]}) == '{\n  "a": [\n    "' + "x" * 89 + '"\n  ]\n}'
    assert layout(["x" * 200]) == '[\n  "' + "x" * 200 + '"\n]'


def test_an_inline_object_breaks_when_it_is_too_long() -> None:
    assert layout(Inline({"hosts": ["x" * 80], "at_least": 1})) == (
        '{\n  "hosts": ["' + "x" * 80 + '"],\n  "at_least": 1\n}'
    )


def test_indent_is_the_margin_of_every_further_line() -> None:
    assert layout({"a": 1}, 4) == '{\n      "a": 1\n    }'


def test_column_counts_what_stands_before_the_value() -> None:
    value = ["x" * 60]
    assert layout(value, 2, column=30) == f'["{"x" * 60}"]'
    assert layout(value, 2, column=40).startswith("[\n")


def test_deep_values_are_laid_out_without_recursion() -> None:
    value: Any = 1
    for _ in range(20_000):
        value = [value, {}]
    assert layout(value).count("[") == 20_000


@given(JSON_VALUES)
def test_laying_out_and_reading_gives_the_same_value(value: Any) -> None:
    text = layout(value)
    assert json.loads(text) == value
    tree = node(text)
    assert layout(tree) == text
    text.encode()
