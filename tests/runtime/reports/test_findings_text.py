from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_findings import LISTS, unsafe

from gatewright.compiler.findings import GW101, GW107, GW112, GW603, GW704, Edit, Finding, Fix, Label, Witness
from gatewright.grammar.text import Source
from gatewright.runtime.reports.escape import display_width, safe_line
from gatewright.runtime.reports.findings_text import excerpt, findings_summary, findings_text
from gatewright.runtime.reports.style import Style


def shown(text: str, part: str, *, style: Style | None = None, end: int | None = None) -> str:
    """The finding of a fault at the first `part` of a text, or at the characters from it to `end`."""
    source = Source("rules.gate", text)
    start = text.index(part)
    span = source.span(start, start + len(part) if end is None else end)
    return findings_text([Finding(GW101, "something else should stand here", span)], style or Style())


def test_a_finding_with_everything():
    text = "hosts web-01, web-02\n\n" + "\n" * 6 + 'require "Nginx serves":\n  on db-9 run `true`\n'
    source = Source("rules.gate", text)
    start = text.index("db-9")
    finding = Finding(
        GW112,
        "host “db-9” is not among the scenario's hosts",
        source.span(start, start + 4),
        labels=(Label(source.span(6, 20), "the scenario's hosts"),),
        help="write one of these:\nhosts: web-01, web-02",
        rule="Nginx serves",
    )
    assert findings_text([finding]) == (
        "rules.gate:10:6: GW112 error: host “db-9” is not among the scenario's hosts\n"
        "   |\n"
        "10 |   on db-9 run `true`\n"
        "   |      ^^^^\n"
        "   |\n"
        " 1 | hosts web-01, web-02\n"
        "   |       -------------- the scenario's hosts\n"
        "   = help: write one of these:\n"
        "           hosts: web-01, web-02\n"
        "   = rule: Nginx serves\n"
    )


def test_a_label_on_the_same_line_shares_it():
    source = Source("a.json", '{"negate": true, "negate": false}')
    finding = Finding(
        GW101, "the same key twice", source.span(17, 25), labels=(Label(source.span(1, 9), "here first"),)
    )
    assert findings_text([finding]) == (
        "a.json:1:18: GW101 error: the same key twice\n"
        "  |\n"
        '1 | {"negate": true, "negate": false}\n'
        "  |                  ^^^^^^^^\n"
        "  |  -------- here first\n"
    )


def test_a_label_in_another_file_names_it():
    here, there = Source("a.gate", "semantics flat"), Source("b.gate", "\nsemantics classic")
    finding = Finding(GW101, "two semantics", here.span(10, 14), (Label(there.span(11, 18), "and here"),))
    assert findings_text([finding]) == (
        "a.gate:1:11: GW101 error: two semantics\n"
        "  |\n"
        "1 | semantics flat\n"
        "  |           ^^^^\n"
        " --> b.gate:2:11\n"
        "  |\n"
        "2 | semantics classic\n"
        "  |           ------- and here\n"
    )


def test_a_finding_without_a_place_is_code_and_message():
    findings = [Finding(GW704, "cannot read the inventory h.toml: No such file or directory", help="create it")]
    assert findings_text(findings) == (
        "GW704 error: cannot read the inventory h.toml: No such file or directory\n  = help: create it\n"
    )


def test_findings_come_in_the_order_given_with_an_empty_line_between():
    assert findings_text([Finding(GW704, "b"), Finding(GW101, "a")]) == "GW704 error: b\n\nGW101 error: a\n"
    assert findings_text([]) == ""


def test_the_summary_counts_by_severity():
    error, warning, info = Finding(GW101, ""), Finding(GW107, ""), Finding(GW603, "")
    assert findings_summary([error, warning, error]) == "2 errors, 1 warning"
    assert findings_summary([info, warning, warning]) == "2 warnings, 1 info"
    assert findings_summary([]) == "no findings"


def test_tabs_wide_and_combining_characters_keep_the_caret_in_place():
    assert shown("\t日本e\u0301 🚀🚀 wrong", "wrong").splitlines()[1:] == [
        "  |",
        "1 |     日本e\u0301 🚀🚀 wrong",
        "  |                ^^^^^",
    ]
    assert shown("日本語", "本").splitlines()[2:] == ["1 | 日本語", "  |   ^^"]


def test_control_characters_are_escaped_and_the_caret_knows():
    assert shown("a\x1b[2Jb\u202e wrong", "wrong").splitlines()[2:] == [
        r"1 | a\x1b[2Jb\u202e wrong",
        "  |                 ^^^^^",
    ]
    assert shown("\x1b", "\x1b").splitlines()[2:] == [r"1 | \x1b", "  | ^^^^"]


def test_the_end_of_a_line_and_of_a_file_can_be_pointed_at():
    text = "require\nnext\n"
    source = Source("rules.gate", text)
    at_line_end = findings_text([Finding(GW101, "m", source.span(7, 7))])
    assert at_line_end.splitlines()[2:] == ["1 | require", "  |        ^"]
    at_file_end = findings_text([Finding(GW101, "m", source.span(len(text), len(text)))])
    assert at_file_end.splitlines() == ["rules.gate:3:1: GW101 error: m", "  |", "3 |", "  | ^"]
    empty = findings_text([Finding(GW101, "m", Source("e.gate", "").span(0, 0))])
    assert empty.splitlines() == ["e.gate:1:1: GW101 error: m", "  |", "1 |", "  | ^"]


def test_of_a_place_over_several_lines_the_first_is_marked():
    text = "run ```\r\n  one\r\n  ```\r\n"
    assert shown(text, "```", end=len(text)).splitlines()[2:] == ["1 | run ```", "  |     ^^^"]


def test_of_a_very_long_line_the_part_around_the_place_is_shown():
    text = '{"a":"' + "word " * 40_000 + 'BAD","b":1' + ',"c":2' * 40_000 + "}"
    first, _, line, caret = shown(text, "BAD", style=Style(width=60)).splitlines()
    assert first == "rules.gate:1:200007: GW101 error: something else should stand here"
    assert line == '1 | …rd word word word BAD","b":1,"c":2,"c":2,"c":2,"c":2,"…'
    assert caret.index("^") == line.index("BAD")
    assert caret.count("^") == 3


def test_the_front_of_a_long_line_stays_when_the_place_is_near_it():
    line, caret = shown("require BAD " + "x" * 5000, "BAD", style=Style(width=40)).splitlines()[2:]
    assert line == "1 | require BAD " + "x" * 23 + "…"
    assert caret == "  |         ^^^"


def test_a_mark_that_is_longer_than_the_line_ends_with_it():
    text = "label " + "w" * 3000 + " end"
    line, caret = shown(text, "w" * 3000, style=Style(width=40)).splitlines()[2:]
    assert line == "1 | label " + "w" * 29 + "…"
    assert caret == "  |       " + "^" * 30


def test_the_end_of_a_long_line_can_be_pointed_at():
    text = "x" * 5000
    span = Source("a", text).span(5000, 5000)
    line, caret = findings_text([Finding(GW101, "m", span)], Style(width=40)).splitlines()[2:]
    assert line == "1 | …" + "x" * 12
    assert caret == "  | " + " " * 13 + "^"


def test_a_place_without_length_is_not_hidden_by_the_ellipsis():
    found = excerpt("x" * 35 + "y" + "x" * 100, 35, 35, 36)
    assert found.text[found.offset] == "y"


def test_hostile_names_and_messages_are_escaped():
    span = Source("a\x1b[2J\n.gate", "x").span(0, 1)
    finding = Finding(GW101, "no\x1b]0;t\x07\nGW999", span, help="h\x1b", rule="r\u202e\nx")
    assert findings_text([finding]).splitlines() == [
        r"a\x1b[2J\n.gate:1:1: GW101 error: no\x1b]0;t\x07\nGW999",
        "  |",
        "1 | x",
        "  | ^",
        r"  = help: h\x1b",
        r"  = rule: r\u202e\nx",
    ]


def test_brackets_and_braces_stay_as_they_are():
    finding = Finding(GW101, "pattern `[a-z]+ {x} %s [/red]`", None)
    assert findings_text([finding]) == "GW101 error: pattern `[a-z]+ {x} %s [/red]`\n"


def test_colour_adds_sequences_and_nothing_else():
    text = shown("\ta \x1b wrong", "wrong", style=Style(color=True))
    assert "\x1b[1;31m^^^^^\x1b[0m" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert plain.replace(" \n", "\n") == shown("\ta \x1b wrong", "wrong").replace(" \n", "\n")


LINES = st.text(
    st.one_of(st.sampled_from("ab \t\x1b\x9b\u202e\ud800日🚀\u0301\r\x0b\u2028"), st.characters()), max_size=120
)


@given(st.lists(LINES, min_size=1, max_size=3), st.data())
def test_no_control_character_reaches_the_output(lines: list[str], data: st.DataObject):
    text = "\n".join(lines)
    source = Source(data.draw(LINES), text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    message, rule = data.draw(LINES), data.draw(LINES)
    finding = Finding(GW101, message, source.span(start, end), (Label(source.span(0, start), message),), message, rule)
    output = findings_text([finding], Style(width=data.draw(st.integers(1, 60))))
    assert not [c for c in output if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    output.encode("utf-8")
    assert findings_text([finding]).startswith(f"{safe_line(source.name)}:{finding.span.line if finding.span else 0}:")


@given(LINES, st.data())
def test_the_caret_stands_under_the_place(line: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    room = data.draw(st.integers(20, 80))
    found = excerpt(line, start, end, room)
    assert display_width(found.text) <= room
    under = column_slice(found.text, found.offset, found.width)
    expected = safe_line(line[start:end].replace("\t", "    "))
    if start == end:
        assert found.width == 1
        assert not found.whole or found.offset == display_width(safe_line(line[:start].replace("\t", "    ")))
    elif not has_zero_width(line):
        assert under
        assert under == expected if found.whole else expected.startswith(under.removesuffix("…"))


def has_zero_width(line: str) -> bool:
    return any(display_width(safe_line(character)) == 0 for character in line)


def column_slice(text: str, offset: int, width: int) -> str:
    """The characters that stand in the columns from `offset` on."""
    column, found = 0, ""
    for character in text:
        if offset <= column < offset + width:
            found += character
        column += display_width(character)
    return found


@pytest.mark.parametrize("place", [0, 100_000, 199_999])
def test_a_line_of_any_length_is_cheap(place: int):
    line = "\t" * 200_000
    assert len(excerpt(line, place, place + 1, 80).text) <= 80


def test_labels_of_one_line_share_it_and_a_line_of_marks_where_they_can():
    source = Source("a.json", '{"negate": true, "negate": false, "max": 3}')
    labels = (
        Label(source.span(1, 9), "here first"),
        Label(source.span(11, 15), ""),
        Label(source.span(27, 32), "the value that wins"),
    )
    assert findings_text([Finding(GW101, "the same key twice", source.span(17, 25), labels)]) == (
        "a.json:1:18: GW101 error: the same key twice\n"
        "  |\n"
        '1 | {"negate": true, "negate": false, "max": 3}\n'
        "  |                  ^^^^^^^^\n"
        "  |  -------- here first\n"
        "  |            ----            ----- the value that wins\n"
    )


def test_a_line_is_shown_once_even_where_a_label_of_another_stands_between():
    source = Source("a.gate", "one\ntwo three\n")
    labels = (Label(source.span(0, 3), "before"), Label(source.span(8, 13), "here as well"))
    assert findings_text([Finding(GW101, "m", source.span(4, 7), labels)]) == (
        "a.gate:2:1: GW101 error: m\n  |\n2 | two three\n  | ^^^ ----- here as well\n  |\n1 | one\n  | --- before\n"
    )


def test_of_a_line_that_is_cut_each_place_shows_its_own_part():
    source = Source("a.gate", "first " + "x" * 200 + " last")
    finding = Finding(GW101, "m", source.span(0, 5), (Label(source.span(207, 211), "the end"),))
    assert findings_text([finding], Style(width=34)).splitlines()[1:] == [
        "  |",
        "1 | first xxxxxxxxxxxxxxxxxxxxxxx…",
        "  | ^^^^^",
        "  |",
        "1 | …xxxxxxxxx last",
        "  |            ---- the end",
    ]


def test_notes_are_wrapped_to_the_width():
    finding = Finding(
        GW101,
        "a message is one line however narrow the terminal",
        help="write `systemctl restart nginx` and nothing else\n  code stays",
        witness=Witness("matches as well", "10a0b0c1 10a0b0c1 10a0b0c1"),
    )
    assert findings_text([finding], Style(width=40)).splitlines() == [
        "GW101 error: a message is one line however narrow the terminal",
        "  = witness: matches as well: “10a0b0c1",
        "             10a0b0c1 10a0b0c1”",
        "  = help: write `systemctl restart",
        "          nginx` and nothing else",
        "            code stays",
    ]


def test_a_run_that_is_a_witness_stands_on_lines_of_its_own():
    witness = Witness("this run passes", '{\n  "job": {}\n}\x1b', is_run=True)
    assert findings_text([Finding(GW101, "m", witness=witness)]).splitlines() == [
        "GW101 error: m",
        "  = witness: this run passes:",
        "             {",
        '               "job": {}',
        r"             }\x1b",
    ]


def test_a_fix_shows_what_it_writes_and_whether_it_is_safe():
    source = Source("a.json", '{"pattern": "a.b"}\n' + " " * 100 + "c")
    key, value, far = source.span(1, 10), source.span(12, 17), source.span(119, 120)
    fixes = [
        Fix("escape the dot", (Edit(value, '"a\\\\.b"'),), is_safe=True),
        Fix("write statuses", (Edit(value, '["a.b"]'), Edit(key, '"statuses"'))),
        Fix("rewrite it", (Edit(value, "x\ny"),)),
        Fix("drop it", (Edit(value, ""),)),
        Fix("write both", (Edit(value, "x"), Edit(far, "y"))),
        Fix("write both", (Edit(value, "x"), Edit(value, "y"))),
    ]
    said = [findings_text([Finding(GW101, "m", fix=fix)]).splitlines()[1] for fix in fixes]
    assert said == [
        r'  = fix: escape the dot: "a\\.b"',
        '  = fix: write statuses (unsafe: the meaning may change): "statuses": ["a.b"]',
        "  = fix: rewrite it (unsafe: the meaning may change)",
        "  = fix: drop it (unsafe: the meaning may change)",
        "  = fix: write both (unsafe: the meaning may change)",
        "  = fix: write both (unsafe: the meaning may change)",
    ]


@given(LISTS, st.integers(1, 120), st.booleans())
def test_every_finding_begins_with_its_place_and_code(findings: list[Finding], width: int, color: bool):
    assert not unsafe(findings_text(findings, Style(width=width)))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", findings_text(findings, Style(color, width)))
    assert plain.replace(" \n", "\n") == findings_text(findings, Style(width=width)).replace(" \n", "\n")
    for finding in findings:
        span = finding.span
        place = "" if span is None else f"{safe_line(span.file)}:{span.line}:{span.column}: "
        assert findings_text([finding]).startswith(f"{place}{finding.code} {finding.severity}: ")
