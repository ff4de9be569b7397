"""`fmt`: what it changes, what it keeps, what it refuses, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Called, call_ending_with

NEAT = 'require "c": task_count 1\n'
UNTIDY = 'require "c" :task_count 1\n'
RULE = '{"label":"r","validator":"task_count","min":1}'
LAID_OUT = '[\n  {\n    "label": "r",\n    "validator": "task_count",\n    "min": 1\n  }\n]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that names in messages are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fmt(*arguments: str, code: int = 0, stdin: bytes = b"") -> Called:
    return call_ending_with(code, "fmt", *arguments, stdin=stdin)


def file(name: str, content: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def laid_out(name: str, content: str | bytes, *options: str) -> str:
    """The file after `fmt`, and again after `fmt`."""
    path = file(name, content)
    fmt(name, *options)
    once = path.read_bytes()
    fmt(name, *options)
    assert path.read_bytes() == once
    fmt("--check", name, *options)
    return once.decode()


# ---- .gate files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("# only a comment\n", "# only a comment\n"),
        (UNTIDY, NEAT),
        ('require "c":task_count 1 .. 3', 'require "c": task_count 1..3\n'),
        ('require "c": task_count 0\n', 'require "c": task_count ..0\n'),
        ('require "c": task_count 0..0\n', 'require "c": task_count 0..0\n'),
        ('require "c": not  task_count 0\n', 'require "c": not task_count ..0\n'),
        ('hosts a ,b\nscenario "s"\n', 'hosts    a, b\nscenario "s"\n'),
    ],
)
def test_gate_file_is_laid_out(text: str, expected: str) -> None:
    assert laid_out("x.gate", text) == expected


def test_order_comments_and_literals_of_a_gate_file_stay() -> None:
    """FM-01: the comment before the first field, the one after the last, and the one behind a long line."""
    text = (
        "# first\n\n"
        'require "b": executed_commands matches `a  b`   # behind\n'
        "   # between\n"
        'require "a": executed_commands matches "\\u0061"\n'
        "# last\n"
    )
    once = laid_out("x.gate", text)
    words = ["# first", '"b"', "`a  b`", "# behind", "# between", '"a"', '"\\u0061"', "# last"]
    places = [once.index(word) for word in words]
    assert places == sorted(places)
    assert once.count("#") == 4


def test_gate_file_loses_its_byte_order_mark_and_its_carriage_returns() -> None:
    text = '\ufeffrequire "c" :task_count 1\r\n# c\r\nrequire "h": run ```\r\n  a\r\n  b\r\n  ```\r\n'
    assert laid_out("x.gate", text) == 'require "c": task_count 1\n# c\nrequire "h": run ```\n  a\n  b\n  ```\n'


def test_gate_file_with_errors_of_meaning_is_laid_out_all_the_same() -> None:
    """`fmt` looks at the layout; a pattern that does not compile is another command's business."""
    assert laid_out("x.gate", 'require "x" :nosuch matches `(`\n') == 'require "x": nosuch matches `(`\n'


def test_gate_file_that_does_not_parse_stays_as_it_is_with_every_fault_told() -> None:
    text = 'require "a":\nrequire "b": task_count\nrequire "c" :task_count 1\n'
    path = file("x.gate", text)
    result = fmt("x.gate", code=2)
    assert path.read_text("utf-8") == text
    assert result.stderr.count("GW101") == 2
    assert "x.gate:1:13:" in result.stderr
    assert "x.gate:2:24:" in result.stderr


def test_standard_input_is_laid_out_to_standard_output() -> None:
    assert fmt("-", stdin=UNTIDY.encode()).stdout == NEAT
    assert fmt("-", "--check", stdin=UNTIDY.encode(), code=1).stdout == ""
    assert fmt("-", "--check", stdin=NEAT.encode()).stdout == ""
    result = fmt("-", stdin=b'require "x":\n', code=2)
    assert result.stdout == ""
    assert "<stdin>:1:13:" in result.stderr


# ---- JSON files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", "[]\n"),
        (f"[{RULE}]", LAID_OUT),
        (f"\ufeff[{RULE}]\r\n", LAID_OUT),
        ('{ "job":[ ] }', '{\n  "job": []\n}\n'),
        ('{"validation":[],"x":1}', '{"validation":[],"x":1}\n'),
    ],
)
def test_json_rules_are_laid_out(text: str, expected: str) -> None:
    assert laid_out("x.json", text) == expected


def test_rules_keep_the_order_and_spelling_of_their_keys_and_their_defaults() -> None:
    text = (
        '[{"x-a":{"b":[1.0,2]}, "negate":false, "where":"tool_calls", "label":"\\u0061\\/", "required":true,'
        ' "pattern":"a\\\\b", "validator":"pattern_match"},'
        ' {"label":"c","validator":"task_count","max":1.0,"min":0}]'
    )
    once = laid_out("x.json", text)
    assert json.loads(once) == json.loads(text)
    assert [list(entry) for entry in json.loads(once)] == [list(entry) for entry in json.loads(text)]
    assert '"max": 1.0' in once


def test_turn_stands_on_one_line() -> None:
    turns = '[{"label":"t","validator":"turns","turns":[{"hosts":["a","b"]},{"hosts":["c"],"at_least":2}]}]'
    once = laid_out("x.json", turns)
    assert '      { "hosts": ["a", "b"] },\n      { "hosts": ["c"], "at_least": 2 }\n' in once


def test_everything_of_a_scenario_but_the_rules_keeps_its_bytes() -> None:
    before = '{\n\t"ticket" : { "text":"\\u00e9" ,"n":1e3 },\n\n "hosts":["a" , "b"],\n\t'
    before += '"prepare": [ {"name":"n","run":"x"} ],\n\t'
    behind = ' ,"agents":[\n1,2 ]}'
    once = laid_out("x.json", f'{before}"validation":[{RULE}]{behind}')
    assert once.startswith(before + '"validation":[')
    assert once.endswith(behind + "\n")


def test_carriage_returns_of_a_scenario_go_and_escaped_ones_stay() -> None:
    text = f'{{"ticket": "a\\r\\n",\r\n  "x": [\r\n],\r\n"validation":[{RULE}]}}\r\n'
    once = laid_out("x.json", text)
    assert "\r" not in once
    assert once.startswith('{"ticket": "a\\r\\n",\n  "x": [\n],\n"validation":[')


def test_grouped_object_keeps_the_order_of_its_keys_and_gets_no_new_ones() -> None:
    text = f'{{"x-a":[1 ,2],"tasks":[],"allowedAgents":["b"],"job":[{RULE}]}}'
    assert list(json.loads(laid_out("x.json", text))) == ["x-a", "tasks", "allowedAgents", "job"]


@pytest.mark.parametrize(
    "text", [f"[{RULE}] // why\n", f"// why\n[{RULE}]\n", f"[/* a */{RULE}]\n", f'{{"validation":[{RULE}]/* why */}}\n']
)
def test_json_with_comments_is_refused_unless_they_are_to_go(text: str) -> None:
    """JS-09: comments are never written, and never dropped without a word."""
    path = file("x.json", text)
    for options in ((), ("--check",), ("--diff",)):
        result = fmt("x.json", *options, code=2)
        assert "GW107" in result.stderr
        assert "--strip-comments" in result.stderr
        assert path.read_text("utf-8") == text
    fmt("x.json", "--strip-comments")
    after = path.read_text("utf-8")
    assert "why" not in after
    assert "/*" not in after
    data = json.loads(after)
    assert (data if isinstance(data, list) else data["validation"]) == [json.loads(RULE)]


def test_slashes_inside_strings_are_no_comments() -> None:
    text = '[{"label":"// a /* b */","validator":"task_count","min":1}]'
    assert json.loads(laid_out("x.json", text)) == json.loads(text)


def test_trailing_commas_go_without_an_option() -> None:
    assert laid_out("x.json", f"[{RULE},]") == LAID_OUT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "{}",
        "3",
        '{"schema":"gatewright/run/1"}',
        '{"schema":"gatewright/plan/1"}',
        "['a']",
        '[{"label":"a","label":"b"}]',
        '[{"min":NaN}]',
        "[" * 300 + "]" * 300,
    ],
)
def test_json_that_is_broken_or_no_rules_stays_as_it_is(text: str) -> None:
    path = file("x.json", text)
    result = fmt("x.json", code=2)
    assert path.read_text("utf-8") == text
    assert "x.json:1:" in result.stderr


# ---- several files, and exit codes -----------------------------------------------------------------------------------


def test_folder_is_laid_out_with_its_files_of_rules_and_nothing_else() -> None:
    file("d/a.gate", UNTIDY)
    file("d/sub/b.json", f"[{RULE}]")
    file("d/run.json", '{"schema":"gatewright/run/1","job":{}}')
    file("d/other.json", '{"a":1}')
    file("d/.hidden/c.gate", UNTIDY)
    file("d/note.txt", UNTIDY)
    fmt("d")
    assert Path("d/a.gate").read_text("utf-8") == NEAT
    assert Path("d/sub/b.json").read_text("utf-8") == LAID_OUT
    assert Path("d/run.json").read_text("utf-8") == '{"schema":"gatewright/run/1","job":{}}'
    assert Path("d/other.json").read_text("utf-8") == '{"a":1}'
    assert Path("d/.hidden/c.gate").read_text("utf-8") == UNTIDY
    assert Path("d/note.txt").read_text("utf-8") == UNTIDY


@pytest.mark.parametrize(("content", "code"), [(NEAT, 0), (UNTIDY, 1), ('require "x":\n', 1)])
def test_check_and_diff_change_nothing_and_end_with_one_when_something_would(content: str, code: int) -> None:
    path = file("x.gate", content)
    fmt("--check", "x.gate", code=code)
    fmt("--diff", "x.gate", code=code)
    assert path.read_text("utf-8") == content


def test_diff_shows_what_would_change() -> None:
    file("x.gate", UNTIDY)
    lines = fmt("--diff", "x.gate", code=1).stdout.splitlines()
    assert f"-{UNTIDY.strip()}" in lines
    assert f"+{NEAT.strip()}" in lines


def test_file_that_is_laid_out_is_not_written_again() -> None:
    path = file("x.gate", NEAT)
    before = path.stat().st_ino, path.stat().st_mtime_ns
    fmt("x.gate")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == before


def test_broken_file_does_not_keep_the_others_from_being_laid_out() -> None:
    file("a.gate", UNTIDY)
    file("b.gate", 'require "x":\n')
    file("c.gate", UNTIDY)
    result = fmt("a.gate", "b.gate", "c.gate", code=2)
    assert "b.gate:1:13:" in result.stderr
    assert Path("a.gate").read_text("utf-8") == NEAT
    assert Path("c.gate").read_text("utf-8") == NEAT


@pytest.mark.parametrize("options", [(), ("--check",), ("--diff",)])
def test_unreadable_path_no_path_and_no_rules_are_wrong_calls(options: tuple[str, ...]) -> None:
    Path("empty").mkdir()
    fmt(*options, code=2)
    fmt(*options, "nosuch.gate", code=2)
    fmt(*options, "empty", code=2)
    file("utf16.gate", "require".encode("utf-16"))
    fmt(*options, "utf16.gate", code=2)
    file("latin.gate", b'# caf\xe9\nrequire "c" :task_count 1\n')
    result = fmt(*options, "latin.gate", code=2)
    assert "latin.gate:1:6:" in result.stderr


def test_mode_and_link_of_a_file_are_kept() -> None:
    path = file("real/x.gate", UNTIDY)
    path.chmod(0o640)
    Path("link.gate").symlink_to(path)
    fmt("link.gate")
    assert Path("link.gate").is_symlink()
    assert path.read_text("utf-8") == NEAT
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in Path("real").iterdir()] == ["x.gate"]
