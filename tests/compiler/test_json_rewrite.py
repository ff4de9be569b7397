"""Rewriting parts of a JSON text."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding
from gatewright.compiler.json_rewrite import Delete, Edit, Insert, Replace, rewrite
from gatewright.compiler.json_text import JsonDocument, parse_json
from gatewright.grammar.text import Source


def read(text: str) -> JsonDocument:
    findings: list[Finding] = []
    document = parse_json(Source("scenario.json", text), findings.append)
    assert document is not None, findings
    return document


def changed(text: str, *edits: Edit) -> str:
    return rewrite(read(text), edits)


SCENARIO = """{
    "key": "nginx",   "odd" : 1.50e0,

    "text": "caf\\u00e9 \\/ x",
    "validation": [ {"label":"a"} ],
    "z": {"deep": [1,2 ,3]}
}
"""


def test_without_edits_every_byte_stays() -> None:
    assert changed(SCENARIO) == SCENARIO


def test_the_replaced_value_is_laid_out_at_its_members_indentation() -> None:
    new = [{"label": "b", "statuses": ["x"]}]
    assert changed(SCENARIO, Replace(("validation",), new)) == SCENARIO.replace(
        '[ {"label":"a"} ]',
        '[\n      {\n        "label": "b",\n        "statuses": ["x"]\n      }\n    ]',
    )


def test_several_edits_are_made_at_once() -> None:
    edits = (Replace(("z", "deep", 1), 5), Delete(("odd",)), Replace(("key",), "k"), Insert(("z",), "n", None))
    assert changed(SCENARIO, *edits) == (
        SCENARIO.replace('"nginx",   "odd" : 1.50e0', '"k"').replace("[1,2 ,3]", '[1,5 ,3], "n": null')
    )


def test_the_root_can_be_replaced() -> None:
    assert changed('// c\n[ {"a":1} ]', Replace((), [{"a": 1}])) == '[\n  {\n    "a": 1\n  }\n]\n'


@pytest.mark.parametrize(
    ("text", "edit", "expected"),
    [
        (
            '{\n\t"a": 1,\n\t"b": 2\n}',
            Insert((), "n", [[1]], after=("a",)),
            '{\n\t"a": 1,\n\t"n": [\n\t  [1]\n\t],\n\t"b": 2\n}\n',
        ),
        ('{\n  "a": 1,\n  "b": 2\n}', Insert((), "n", 0, after=("b",)), '{\n  "a": 1,\n  "b": 2,\n  "n": 0\n}\n'),
        ('{\n  "a": 1,\n  "b": 2\n}', Insert((), "n", 0, before=("a",)), '{\n  "n": 0,\n  "a": 1,\n  "b": 2\n}\n'),
        ('{\n  "a": 1,\n  "b": 2\n}', Insert((), "n", 0, before=("b", "c")), '{\n  "a": 1,\n  "n": 0,\n  "b": 2\n}\n'),
        (
            '{\n  "a": 1,\n  "b": 2\n}',
            Insert((), "n", 0, after=("x", "a"), before=("b",)),
            '{\n  "a": 1,\n  "n": 0,\n  "b": 2\n}\n',
        ),
        ('{\n  "a": 1\n}', Insert((), "n", 0), '{\n  "a": 1,\n  "n": 0\n}\n'),
        (
            '{\n\n  "a": 1,\n\n  "b": 2\n\n}',
            Insert((), "n", 0, after=("a",)),
            '{\n\n  "a": 1,\n  "n": 0,\n\n  "b": 2\n\n}\n',
        ),
        ("{}", Insert((), "n", [1]), '{\n  "n": [1]\n}\n'),
        ('{\n   "a": { }\n}', Insert(("a",), "n", 1), '{\n   "a": {\n     "n": 1\n   }\n}\n'),
        ('{"a":1,"b":{}}', Insert((), "n", {"x": 1}, after=("a",)), '{"a":1,"n":{\n  "x": 1\n},"b":{}}\n'),
        ('{"a":1,"b":{}}', Insert(("b",), "n", 1), '{"a":1,"b":{"n": 1}}\n'),
        ('{"a":1}', Insert((), "n", 1, before=("a",)), '{"n":1,"a":1}\n'),
        ('{"a": 1}', Insert((), "n", 1), '{"a": 1, "n": 1}\n'),
        ('{ "a": 1, "b": 2 }', Insert((), "n", 1), '{ "a": 1, "b": 2, "n": 1 }\n'),
        ('{ "a": 1 }', Insert((), "n", 1, before=("a",)), '{ "n": 1, "a": 1 }\n'),
        ('[{"a": 1}]', Insert((0,), "b", 2), '[{"a": 1, "b": 2}]\n'),
    ],
)  # fmt: skip
def test_a_new_member_follows_the_habits_of_its_object(text: str, edit: Insert, expected: str) -> None:
    assert changed(text, edit) == expected


def test_new_members_stand_in_the_order_of_the_edits_and_between_their_siblings() -> None:
    order = ("key", "title", "prepare", "validation", "restore")

    def put(key: str) -> Insert:
        place = order.index(key)
        return Insert((), key, 0, after=order[:place], before=order[place + 1 :])

    text = '{\n  "x": 1,\n  "key": 1,\n  "y": 1\n}\n'
    expected = ["x", *order, "y"]
    for edits in (["title", "prepare", "validation", "restore"], ["restore", "validation", "title", "prepare"]):
        assert list(json.loads(changed(text, *map(put, edits)))) == expected
    both = changed('{"a": 1}', Insert((), "m", 1, after=("a",)), Insert((), "n", 2, after=("a",)))
    assert both == '{"a": 1, "m": 1, "n": 2}\n'


@pytest.mark.parametrize(
    ("text", "paths", "expected"),
    [
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["a"], '{\n  "b": 2,\n  "c": 3\n}\n'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["b"], '{\n  "a": 1,\n  "c": 3\n}\n'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["c"], '{\n  "a": 1,\n  "b": 2\n}\n'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["b", "c"], '{\n  "a": 1\n}\n'),
        ('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["a", "b", "c"], "{}\n"),
        ('{ "a": 1, "b": 2 }', ["a"], '{ "b": 2 }\n'),
        ('{"a":1,"b":2}', ["b"], '{"a":1}\n'),
        ("[1, 2, 3]", [0], "[2, 3]\n"),
        ("[1, 2, 3]", [2, 0], "[2]\n"),
        ('{"a": 1, "b": 2, "a": 3}', ["a"], '{"b": 2}\n'),
    ],
)
def test_a_deleted_member_takes_its_comma_and_its_line_along(text: str, paths: list[str | int], expected: str) -> None:
    assert changed(text, *(Delete((path,)) for path in paths)) == expected


def test_a_member_can_be_deleted_and_put_elsewhere() -> None:
    edits = (Delete(("a",)), Insert((), "a", 1, after=("b",)))
    assert changed('{"a": 1, "b": 2, "c": 3}', *edits) == '{"b": 2, "a": 1, "c": 3}\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// c\n{}", "{}\n"),
        ("// c\n\n{}", "{}\n"),
        ("/* c */ {}", "{}\n"),
        ("\n {}", "\n {}\n"),
        ("{} // c", "{}\n"),
        ("{}\n\n/* c\n */\n\n", "{}\n"),
        ('{\n  // c\n  "a": 1, // d\n  /* e */\n  "b": 2 /* f */ // g\n  // h\n}', '{\n  "a": 1,\n  "b": 2\n}\n'),
        ('{\n  /* c */ "a": 1\n}', '{\n  "a": 1\n}\n'),
        ('{\n  /* c\n */ /* d */ "a": /* e */ 1\n}', '{\n  "a": 1\n}\n'),
        ("[1, /* c */ 2, 3 /* d */, 4]", "[1, 2, 3, 4]\n"),
        ("[1, 2,]", "[1, 2]\n"),
        ("[1, 2 , ]", "[1, 2 ]\n"),
        ("[\n  1,\n  2, // c\n]", "[\n  1,\n  2\n]\n"),
        ("[\n  1\n  , // c\n]", "[\n  1\n]\n"),
        ("[\n  1 /* a */ , /* b */\n]", "[\n  1\n]\n"),
        ('["// no", "/* no */"]', '["// no", "/* no */"]\n'),
        ('{\r\n  "a": 1,\r\n  "b": 2\r\n}\r\n', '{\n  "a": 1,\n  "b": 2\n}\n'),
        ("[1,\r\r\n2]", "[1,\n2]\n"),
        ("[1, // c\r\n 2]", "[1,\n 2]\n"),
        ("[]", "[]\n"),
        ("[]\n\n \n", "[]\n"),
    ],
)
def test_comments_trailing_commas_and_crlf_go_and_leave_no_holes(text: str, expected: str) -> None:
    assert changed(text) == expected


def test_edits_and_comments_go_together() -> None:
    text = '// top\r\n{\r\n  "a": [ // in\r\n    1,\r\n  ], // behind\r\n  "b": 2, // last\r\n}\r\n'
    assert changed(text, Replace(("a",), [2]), Insert((), "c", 3)) == '{\n  "a": [2],\n  "b": 2,\n  "c": 3\n}\n'
    assert changed('{\n  "x": /* a\n b */ [1]\n}', Replace(("x",), [[1]])) == ('{\n  "x": [\n    [1]\n  ]\n}\n')


def test_comments_are_not_dropped_unasked() -> None:
    with pytest.raises(ValueError, match="the document has comments"):
        rewrite(read("[1] // c"), (), strip_comments=False)
    assert rewrite(read("[1,]"), (), strip_comments=False) == "[1]\n"


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([Replace(("x",), 1)], "x is not in the document"),
        ([Replace(("a", "b"), 1)], "a.b is not in the document"),
        ([Delete(("l", 2))], "l[2] is not in the document"),
        ([Insert((), "a", 1)], "a is in the document already"),
        ([Insert((), "n", 1), Insert((), "n", 1)], "n is in the document already"),
        ([Insert(("l",), "n", 1)], "l is no object to insert into"),
        ([Delete(())], "Delete: the top level cannot be deleted"),
        ([Delete(("a",)), Replace(("a",), 1)], "Replace: a is replaced or deleted by another edit"),
        ([Replace((), 1), Replace(("a",), 1)], "Replace: a lies in a value that another edit replaces or deletes"),
        ([Replace(("l", 0), 1), Delete(("l",))], "Delete: l has another edit inside"),
    ],
)  # fmt: skip
def test_edits_that_cannot_be_made_are_refused(edits: list[Edit], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        changed('{"a": 1, "l": [1, 2]}', *edits)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abé ", max_size=2), inner, max_size=3),
    max_leaves=12,
)
GAPS = st.sampled_from(["", "", " ", "\n", "\r\n", "\n  ", "\t", "\r", " // c\n", "/* a,]\n */", "\n // x\r\n\n"])


def spelled(value: Any, draw: st.DrawFn) -> str:
    """A value with any blanks, comments and trailing commas in it."""
    match value:
        case dict():
            items = [
                f"{draw(GAPS)}{json.dumps(key)}{draw(GAPS)}:{draw(GAPS)}{spelled(item, draw)}{draw(GAPS)}"
                for key, item in value.items()
            ]
            brackets = "{}"
        case list():
            items = [f"{draw(GAPS)}{spelled(item, draw)}{draw(GAPS)}" for item in value]
            brackets = "[]"
        case _:
            return json.dumps(value)
    comma = "," + draw(GAPS) if items and draw(st.booleans()) else draw(GAPS)
    return brackets[0] + ",".join(items) + comma + brackets[1]


@st.composite
def texts(draw: st.DrawFn) -> tuple[Any, str]:
    value = draw(JSON_VALUES)
    return value, draw(GAPS) + spelled(value, draw) + draw(GAPS)


@settings(max_examples=400)
@given(texts())
def test_cleaning_keeps_the_value_and_twice_is_once(case: tuple[Any, str]) -> None:
    value, text = case
    once = changed(text)
    assert json.loads(once) == value
    assert list(json.loads(once)) == list(value) if isinstance(value, dict) else True
    assert changed(once) == once
    assert "\r\n" not in once
    assert once.endswith("\n")
    assert not once.endswith("\n\n")
    document = read(text)
    if not document.comments and not document.trailing_commas and "\r" not in text:
        assert once == text.rstrip() + "\n"


def containers(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    found: list[tuple[tuple[str | int, ...], Any]] = [(path, value)] if isinstance(value, dict | list) else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        found += containers(item, (*path, key))
    return found


@settings(max_examples=400)
@given(texts(), JSON_VALUES, st.data())
def test_the_rewritten_text_reads_as_the_edited_value(case: tuple[Any, str], new: Any, data: st.DataObject) -> None:
    value, text = case
    edits: list[Edit] = []
    places = containers(value)
    if not places:
        assert json.loads(changed(text, Replace((), new))) == new
        return
    path, container = data.draw(st.sampled_from(places))
    steps: list[str | int] = list(container) if isinstance(container, dict) else list(range(len(container)))
    for step in reversed(steps):
        match data.draw(st.sampled_from(["keep", "replace", "delete"])):
            case "replace":
                edits.append(Replace((*path, step), new))
                container[step] = new
            case "delete":
                edits.append(Delete((*path, step)))
                del container[step]
            case _:
                pass
    if isinstance(container, dict):
        siblings = st.lists(st.sampled_from([*map(str, steps), "?"]), max_size=2)
        edits.append(Insert(path, "new", new, after=data.draw(siblings), before=data.draw(siblings)))
        container["new"] = new
    result = changed(text, *edits)
    assert json.loads(result) == value
    assert changed(result) == result


def test_what_stands_outside_an_edit_keeps_its_bytes() -> None:
    text = '{ "a" :1e0,\n"b":[ ], "c" : {"d":"\\u0041" } }\n'
    assert changed(text, Replace(("b",), [1])) == text.replace("[ ]", "[1]")
    assert changed(text, Replace(("c", "d"), "B")) == text.replace('"\\u0041"', '"B"')
