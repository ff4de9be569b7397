"""Reading JSON: what is accepted, what is said about the rest and where."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gatewright.compiler.findings import Finding
from gatewright.compiler.json_text import (
    JsonArray,
    JsonDocument,
    JsonLiteral,
    JsonNumber,
    JsonObject,
    JsonString,
    JsonValue,
    parse_json,
    path_text,
)
from gatewright.compiler.sources import decode
from gatewright.grammar.text import Source

SURROGATES = [chr(code) for code in (0xD800, 0xDBFF, 0xDC00, 0xDFFF)]


def parse(text: str) -> tuple[JsonDocument | None, list[Finding]]:
    findings: list[Finding] = []
    return parse_json(Source("rules.json", text), findings.append), findings


def document_of(text: str) -> JsonDocument:
    document, findings = parse(text)
    assert document is not None, findings
    return document


def said(text: str) -> list[str]:
    """Every finding as `line:column code message` with the marked text behind it."""
    return [
        f"{finding.span.line}:{finding.span.column} {finding.code} {finding.message} <{finding.span.text}>"
        for finding in parse(text)[1]
        if finding.span is not None
    ]


def plain(node: JsonValue) -> Any:
    match node:
        case JsonObject():
            return {member.key.value: plain(member.value) for member in node.members}
        case JsonArray():
            return [plain(item) for item in node.items]
        case JsonNumber():
            return json.loads(node.raw)
        case JsonString() | JsonLiteral():
            return node.value


def test_every_node_knows_its_place() -> None:
    root = document_of('{"a": [1, -2.50e1, true, null],\r\n "é🚀": "x\\n"}').root
    assert isinstance(root, JsonObject)
    assert root.span.text == root.span.source.text
    first, second = root.members
    assert (first.key.value, first.key.span.text, first.value.span.text) == (
        "a",
        '"a"',
        "[1, -2.50e1, true, null]",
    )
    assert isinstance(first.value, JsonArray)
    assert [item.span.text for item in first.value.items] == ["1", "-2.50e1", "true", "null"]
    assert [item.span.column for item in first.value.items] == [8, 11, 20, 26]
    assert second.value == JsonString("x\n", second.value.span)
    assert (second.span.line, second.span.column, second.span.text) == (2, 2, '"é🚀": "x\\n"')


def test_columns_count_characters_not_utf16_units() -> None:
    assert said('{"🚀🚀": nope}') == [
        "1:8 GW101 expected a value, found “nope” <nope>",
    ]


def test_get_takes_the_last_of_two_equal_keys() -> None:
    root = document_of('{"a": 1, "b": 2, "a": 3}').root
    assert isinstance(root, JsonObject)
    member = root.get("a")
    assert member is not None
    assert member.value.span.text == "3"
    assert root.get("c") is None


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("-0.0e5", 0),
        ("7", 7),
        ("-12", -12),
        ("1.0", 1),
        ("1e0", 1),
        ("1E+2", 100),
        ("12.50e1", 125),
        ("1000e-3", 1),
        ("1.5", None),
        ("1e-1", None),
        ("1.0000000000000000001", None),
        ("9007199254740992", 2**53),
        ("-9007199254740992", -(2**53)),
        ("9007199254740993", None),
        ("-9007199254740993", None),
        ("1e16", None),
        ("1e999999999", None),
        ("-1e-999999999", None),
        ("1e" + "9" * 5000, None),
        ("0e" + "9" * 5000, 0),
        ("1e" + "0" * 5000 + "2", 100),
        ("9" * 5000, None),
        ("1" + "0" * 5000 + "e-5000", 1),
        ("NaN", None),
        ("Infinity", None),
        ("-Infinity", None),
    ],
)
def test_integer_is_exact_and_bounded(raw: str, value: int | None) -> None:
    number = document_of(raw).root
    assert isinstance(number, JsonNumber)
    assert number.raw == raw
    assert number.integer() == value
    assert type(number.integer()) in (int, type(None))


@given(st.integers(-(10**18), 10**18), st.integers(-20, 20))
def test_integer_agrees_with_exact_arithmetic(mantissa: int, exponent: int) -> None:
    number = document_of(f"{mantissa}e{exponent}").root
    assert isinstance(number, JsonNumber)
    scaled = mantissa * 10 ** (exponent + 20)
    whole, rest = divmod(scaled, 10**20)
    assert number.integer() == (whole if rest == 0 and abs(whole) <= 2**53 else None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1:1 GW101 expected a value, found nothing: the file is empty <>"]),
        (" \n\t", ["1:1 GW101 expected a value, found nothing: the file is empty <>"]),
        ("{'a': 1}", ["1:2 GW101 expected a key in double quotes or “}”, found a string in single quotes <'a'>"]),
        (
            '{"a": \'x\', "b": \'y\'}',
            [
                "1:7 GW101 expected a value, found a string in single quotes <'x'>",
                "1:17 GW101 expected a value, found a string in single quotes <'y'>",
            ],
        ),
        ('{"a": “x”}', ["1:7 GW101 expected a value, found a string in typographic quotes <“x”>"]),
        ("'abc", ["1:1 GW101 expected a value, found “'” <'>"]),
        (
            '{label: 1, "b": 2, c: 3}',
            [
                "1:2 GW101 expected a key in double quotes or “}”, found “label” <label>",
                "1:20 GW101 expected a key in double quotes, found “c” <c>",
            ],
        ),
        ("{1: 2}", ["1:2 GW101 expected a key in double quotes or “}”, found the number 1 <1>"]),
        ("[True]", ["1:2 GW101 expected a value or “]”, found “True” <True>"]),
        ('{"run": echo hello}', ["1:9 GW101 expected a value, found “echo” <echo>"]),
        ('{"p": \\bx}', ["1:7 GW101 expected a value, found “\\” <\\>"]),
        ('{"a": 1\n"b": 2}', ['2:1 GW101 expected “,” or “}”, found the string "b" <"b">']),
        (
            "[1 2 [3] 4]",
            [
                "1:4 GW101 expected “,” or “]”, found the number 2 <2>",
                "1:6 GW101 expected “,” or “]”, found “[” <[>",
                "1:10 GW101 expected “,” or “]”, found the number 4 <4>",
            ],
        ),
        ("[1,,2]", ["1:4 GW101 expected a value, found “,” <,>"]),
        ("[,]", ["1:2 GW101 expected a value or “]”, found “,” <,>"]),
        ("{,}", ["1:2 GW101 expected a key in double quotes or “}”, found “,” <,>"]),
        ('{"a"}', ["1:5 GW101 expected “:” behind the key, found “}” <}>"]),
        ('{"a": , "b"}', [
            "1:7 GW101 expected a value, found “,” <,>",
            "1:12 GW101 expected “:” behind the key, found “}” <}>",
        ]),
        ('{"a" 1}', ["1:6 GW101 expected “:” behind the key, found the number 1 <1>"]),
        ('{"a" = 1}', ["1:6 GW101 expected “:” behind the key, found “=” <=>"]),
        ('["a": 1]', ["1:5 GW101 expected “,” or “]”, found “:” <:>"]),
        ('{"a": 1: 2}', ["1:8 GW101 expected “,” or “}”, found “:” <:>"]),
        ("[1", ["1:3 GW101 expected “,” or “]”, found the end of the file <>"]),
        ('{"a": [1}', ["1:9 GW101 expected “,” or “]”, found “}” <}>"]),
        ('{"a": 1,\n', ["1:9 GW101 expected a key in double quotes, found the end of the file <>"]),
        ("{} {}", ["1:4 GW101 expected the end of the file, found “{” <{>"]),
        ("[1]]", ["1:4 GW101 expected the end of the file, found “]” <]>"]),
        ("{},", ["1:3 GW101 expected the end of the file, found “,” <,>"]),
        ('"abc', ["1:1 GW101 found the end of the file in a string, expected “\"” <\"abc>"]),
        ('"abc\\', ["1:1 GW101 found the end of the file in a string, expected “\"” <\"abc>"]),
        ('["a\nb"]', ["1:2 GW101 found the end of the line in a string, expected “\"” <\"a>"]),
        ('["a\r\nb"]', ["1:2 GW101 found the end of the line in a string, expected “\"” <\"a>"]),
        (
            '["a\tb", "\x00"]',
            [
                "1:4 GW101 found a tab (U+0009) in a string, where control characters are escaped <\t>",
                "1:10 GW101 found U+0000 in a string, where control characters are escaped <\x00>",
            ],
        ),
        (
            r'["\d\n\s"]',
            [
                r'1:3 GW101 found “\d” in a string, expected one of " \ / b f n r t u behind the backslash <\d>',
                r'1:7 GW101 found “\s” in a string, expected one of " \ / b f n r t u behind the backslash <\s>',
            ],
        ),
        (r'"\u12"', [r"1:2 GW101 found “\u” in a string, expected four hexadecimal digits behind it <\u>"]),
        ('["say "hi" to"]', ["1:8 GW101 expected “,” or “]”, found “hi” <hi>"]),
        ("[01]", ["1:2 GW101 expected a value or “]”, found “01” <01>"]),
        ("# c\n{}", ["1:1 GW101 found “#”, which begins nothing in JSON <# c>"]),
        ('{"a":\u00a01}', ["1:6 GW101 found U+00A0 (no-break space) between values <\u00a0>"]),
        ("[1;2]", ["1:3 GW101 expected “,” or “]”, found “;” <;>"]),
        ("[\x1b]", ["1:2 GW101 expected a value or “]”, found U+001B <\x1b>"]),
        ("[1, /* x", ["1:5 GW101 this comment is never closed </*>"]),
    ],
)  # fmt: skip
def test_a_syntax_fault_is_said_once_and_in_its_place(text: str, expected: list[str]) -> None:
    assert said(text) == expected
    assert parse(text)[0] is None


@pytest.mark.parametrize(
    ("text", "help_text"),
    [
        ("{'a': 1}", "JSON strings are written with double quotes"),
        ("'abc", "JSON strings are written with double quotes"),
        ("{label: 1}", 'JSON strings are written with double quotes: "label"'),
        ("True", "in JSON this is written true"),
        ("NULL", "in JSON this is written null"),
        ("None", "in JSON this is written null"),
        ("0x1F", "JSON numbers are decimal: 31"),
        ("-007", "JSON numbers have no leading zeros: 7"),
        ("00", "JSON numbers have no leading zeros: 0"),
        ("+1", "JSON numbers have no plus sign"),
        (".5", "JSON numbers are written like 12, -0.5 or 1e3"),
        ("1.", "JSON numbers are written like 12, -0.5 or 1e3"),
        ("1_000", "JSON numbers are written like 12, -0.5 or 1e3"),
        ("-", "JSON numbers are written like 12, -0.5 or 1e3"),
        (r'"\d"', r"a backslash is written twice: \\d"),
        ('"\\\x01"', r"a backslash is written twice: \\"),
        (r'"\'"', "a single quote needs no backslash"),
        (r'"\u12"', r"for example \u00e9"),
        ('"a\tb"', r"write \t"),
        ('"\x00"', r"write \u0000"),
        ('"a\nb"', r'close it with "; a line break inside a string is written \n'),
        ('["say "hi""]', r"a quote inside a string is written \""),
        ("{} 1", "a JSON file holds one value"),
        ("# c\n1", "remove the comment"),
        ("[" * 257, "rules need only a few levels; is this the right file?"),
    ],
)
def test_a_syntax_fault_says_what_to_do(text: str, help_text: str) -> None:
    assert parse(text)[1][0].help == help_text


@pytest.mark.parametrize(
    ("text", "label", "column"),
    [
        ('{"a": [1, 2}', "opened here", 7),
        ('{"a": [1, 2', "this “[” is never closed", 7),
        ("[", "this “[” is never closed", 1),
        ('{"a": 1 "b": 2}', "“,” is missing behind this", 2),
    ],
)
def test_a_syntax_fault_points_at_its_other_half(text: str, label: str, column: int) -> None:
    (found,) = parse(text)[1][0].labels
    assert (found.text, found.span.column) == (label, column)


def test_depth_256_is_read_and_257_is_not() -> None:
    assert parse("[" * 256 + "]" * 256)[1] == []
    assert parse('{"a":' * 255 + "[]" + "}" * 255)[1] == []
    for deep in ("[" * 257 + "]" * 257, "[" * 100_000, '{"a":' * 100_000):
        document, (finding,) = parse(deep)
        assert document is None
        assert (finding.code, finding.message) == ("GW101", "nested deeper than 256 levels")
    assert said("[" * 257) == ["1:257 GW101 nested deeper than 256 levels <[>"]


def test_comments_and_trailing_commas_are_read_and_reported_one_by_one() -> None:
    text = '// top\r\n{"a": [1, /* one\ntwo */ 2,], // end\n"b": {"c": 1 ,\n},}/**/'
    document = document_of(text)
    assert [span.text for span in document.comments] == ["// top", "/* one\ntwo */", "// end", "/**/"]
    assert [(span.text, span.line, span.column) for span in document.trailing_commas] == [
        (",", 3, 9),
        (",", 4, 14),
        (",", 5, 2),
    ]
    assert plain(document.root) == {"a": [1, 2], "b": {"c": 1}}
    assert said(text) == [
        "1:1 GW107 JSON has no comments <// top>",
        "2:11 GW107 JSON has no comments </* one\ntwo */>",
        "3:9 GW107 JSON has no trailing commas <,>",
        "3:13 GW107 JSON has no comments <// end>",
        "4:14 GW107 JSON has no trailing commas <,>",
        "5:2 GW107 JSON has no trailing commas <,>",
        "5:4 GW107 JSON has no comments </**/>",
    ]


def test_what_looks_like_a_comment_inside_a_string_is_text() -> None:
    assert plain(document_of('["// no", "/* no */", "a,]"]').root) == ["// no", "/* no */", "a,]"]
    assert parse('["// no", "/* no */", "a,]"]')[1] == []


def test_a_key_given_twice_is_an_error_that_shows_both() -> None:
    document, findings = parse('{"v": [{"n": 1, "N": 2, "n": 3, "\\u006e": 4}]}')
    assert document is not None
    message = "v[0].n is given twice; the later one would win silently"
    for finding, column in zip(findings, (25, 33), strict=True):
        assert finding.span is not None
        assert (finding.code, finding.message, finding.span.column) == ("GW108", message, column)
        assert [(label.text, label.span.column) for label in finding.labels] == [("first given here", 9)]


def test_nan_and_infinity_are_bad_values_that_name_their_path() -> None:
    text = '{"validation": [{"min": NaN, "max": [Infinity, -Infinity]}]}'
    assert parse(text)[0] is not None
    assert said(text) == [
        "1:25 GW104 validation[0].min is NaN, which is no number in JSON <NaN>",
        "1:38 GW104 validation[0].max[0] is Infinity, which is no number in JSON <Infinity>",
        "1:48 GW104 validation[0].max[1] is -Infinity, which is no number in JSON <-Infinity>",
    ]
    assert said("NaN") == ["1:1 GW104 the top level is NaN, which is no number in JSON <NaN>"]
    assert parse("-NaN")[0] is None
    number = document_of("-Infinity").root
    assert isinstance(number, JsonNumber)
    assert not number.is_finite


def test_lone_surrogates_are_bad_values_and_pairs_are_characters() -> None:
    assert plain(document_of(r'["\ud83d\ude80", "\\ud83d"]').root) == ["🚀", r"\ud83d"]
    assert parse(r'["\ud83d\ude80", "\\ud83d"]')[1] == []
    assert said(r'{"a": ["x", "bad \ud83d end"], "b\ude80": 1}') == [
        r'1:13 GW104 a lone surrogate \ud83d in a[1], half of a character <"bad \ud83d end">',
        r'1:32 GW104 a lone surrogate \ude80 in the key ["b\ude80"], half of a character <"b\ude80">',
    ]
    for half in SURROGATES:
        document, (finding,) = parse(f'["{half}"]')
        assert document is not None
        finding.message.encode("utf-8")
        assert finding.code == "GW104"


@pytest.mark.parametrize("half", SURROGATES)
def test_messages_can_be_encoded_whatever_the_text(half: str) -> None:
    for text in (half, f"[{half}]", f"{{{half}a: 1}}", f'"\\{half}"', f"'{half}'", f'["a" "{half}"]'):
        for finding in parse(text)[1]:
            f"{finding.message}{finding.help}".encode()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), "the top level"),
        (("validation", 3, "turns", 0, "hosts"), "validation[3].turns[0].hosts"),
        ((0, "label"), "[0].label"),
        (("x-note", "a b", "é"), 'x-note["a b"]["é"]'),
        (("", 'q"', "\x1b", "\ud83d"), '[""]["q\\""]["\\u001b"]["\\ud83d"]'),
    ],
)
def test_paths_are_printed_as_people_write_them(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"caf\xe9", "1:4 the byte 0xE9 is not valid UTF-8 here | in Latin-1 é"),
        ("🚀é\r\n  x".encode() + b"\xff!", "2:4 the byte 0xFF is not valid UTF-8 here | in Latin-1 ÿ"),
        (b"\xef\xbb\xbfab\x80", "1:3 the byte 0x80 is not valid UTF-8 here | "),
        (b"a\xed\xa0\x80", "1:2 the byte 0xED is not valid UTF-8 here | in Latin-1 í"),
        (b"a\xc3", "1:2 the byte 0xC3 is not valid UTF-8 here | in Latin-1 Ã"),
        *(
            ("{}".encode(name), f"1:1 the file is {name[:6].upper()}, not UTF-8 | ")
            for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
        ),
    ],
)
def test_what_is_not_utf8_is_refused_where_it_begins(data: bytes, expected: str) -> None:
    findings: list[Finding] = []
    assert decode(data, "rules.json", findings.append) is None
    (finding,) = findings
    assert finding.code == "GW101"
    assert finding.span is not None
    where, guess = expected.split(" | ")
    assert f"{finding.span.line}:{finding.span.column} {finding.message}" == where
    letter = guess.removeprefix("in Latin-1 ")
    suffix = f" (in Latin-1 this byte is “{letter}”)" if letter else ""
    assert finding.help == f"save the file as UTF-8{suffix}"


def test_a_bom_is_dropped_and_shifts_no_column() -> None:
    source = decode("\ufeff{é: 1}\r\n".encode(), "a.json", pytest.fail)
    assert source is not None
    assert source.text == "{é: 1}\r\n"
    assert decode(b"", "a.json", pytest.fail) == Source("a.json", "")
    assert said(source.text)[0].startswith("1:2 GW101")


@given(st.binary(max_size=40))
def test_decode_takes_exactly_utf8_or_reports_one_finding(data: bytes) -> None:
    findings: list[Finding] = []
    source = decode(data, "x", findings.append)
    assert (source is None) == (len(findings) == 1)
    if source is not None:
        assert source.text.encode() == data.removeprefix(b"\xef\xbb\xbf")


SCRAPS = [*"{}[]:,\"'\\/#*-+.eE01 \t\r\n\x00\x1f“”$_xu", "//", "/*", "*/", '"a"', "true", "null", "NaN", "\\u12",
          "Infinity", "\ud800", "\u00a0", "\ufeff", "1e9", '{"a":', "[1,"]  # fmt: skip


@settings(max_examples=500)
@given(st.one_of(st.text(), st.lists(st.sampled_from(SCRAPS), max_size=30).map("".join)))
@example('"\\')
@example("'\\")
@example('"\r')
@example('"\\\r\n')
def test_no_text_makes_the_parser_raise(text: str) -> None:
    document, findings = parse(text)
    assert (document is None) == any(finding.code == "GW101" for finding in findings)
    for finding in findings:
        assert finding.span is not None
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        f"{finding.message}{finding.help}".encode()
        assert finding.message.isprintable()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=25,
)


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
def test_what_json_dumps_writes_is_read_as_the_same_value(
    value: Any, ascii_only: bool, indent: int | str | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    document, findings = parse(text)
    assert findings == []
    assert document is not None
    assert plain(document.root) == value
    assert document.root.span.text == text


def strictly_loads(text: str) -> bool:
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return True


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = json.dumps(draw(JSON_VALUES), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 1])))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 2)))
        text = text[:start] + draw(st.sampled_from(["", *SCRAPS])) + text[end:]
    return text


@settings(max_examples=1500)
@given(mutated())
def test_accepted_is_what_json_loads_accepts_plus_comments_and_trailing_commas(text: str) -> None:
    document, findings = parse(text)
    codes = {finding.code for finding in findings}
    if strictly_loads(text):
        assert document is not None
        assert codes <= {"GW104", "GW108"}
        assert document.comments == document.trailing_commas == ()
    elif document is not None:
        assert "GW107" in codes or any(" no number in JSON" in finding.message for finding in findings)
        kept = list(text)
        for span in (*document.comments, *document.trailing_commas):
            kept[span.start : span.end] = " " * (span.end - span.start)
        json.loads("".join(kept))


def test_faults_are_reported_up_to_a_hundred() -> None:
    for text in ("[" + "1 " * 1000, "\u00a0 " * 1000, '["' + "\\d" * 1000 + '"]', "[" + "'x'," * 1000):
        document, findings = parse(text)
        assert document is None
        assert len(findings) == 100


@pytest.mark.parametrize(
    "text",
    [
        '"' * 500_001,
        "'" * 500_001,
        "'\\" * 300_000,
        '["' * 200_000,
        "/*" * 300_000,
        "[" + "-" * 500_000,
        "[" + "0." * 300_000,
        '"' + "\\u" * 300_000,
        "“" * 300_000,
        '["' + "a" * 2_000_000,
        " " * 2_000_000,
        "[" + "1," * 300_000 + "\n" * 300_000,
    ],
    ids=lambda text: text[:8],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    begin = time.process_time()
    parse(text)
    assert time.process_time() - begin < 5


def test_ten_thousand_rules_parse_in_seconds() -> None:
    rules = [
        {
            "label": f"Rule {number} restarted the service",
            "validator": "pattern_match",
            "where": "executed_commands",
            "pattern": rf"\bsystemctl\s+(restart|reload|start)\s+nginx-{number}\b",
            "required": True,
        }
        for number in range(10_000)
    ]
    text = json.dumps(rules, indent=1)
    begin = time.process_time()
    assert plain(document_of(text).root) == rules
    assert time.process_time() - begin < 8
