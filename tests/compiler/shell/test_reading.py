"""A text → the tree of the script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.shell import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Sequence,
    Statement,
    Word,
    commands,
    invocations,
    read,
)
from gatewright.compiler.shell.read import LONGEST, TOO_LONG
from gatewright.compiler.shell.word_reader import NO_SCRIPT, TOO_DEEP


def only(text: str) -> Statement:
    """The one statement of a text."""
    script = read(text)
    assert script.problem is None
    [item] = script.body.items
    return item.statement


def said(part: Statement | Sequence | Word) -> str:
    """A tree in one line."""
    match part:
        case Word(text=text):
            return text
        case Command(words=words, assignments=assignments, redirects=redirects):
            shown = [*map(said, assignments), *map(said, words)]
            targets = [redirect.operator + (said(redirect.target) if redirect.target else "") for redirect in redirects]
            return " ".join([*shown, *targets])
        case Pipeline(parts=parts, is_negated=is_negated):
            return ("! " if is_negated else "") + "(" + " | ".join(map(said, parts)) + ")"
        case AndOr(first=first, rest=rest):
            return said(first) + "".join(f" {operator} {said(operand)}" for operator, operand in rest)
        case Group(body=body, is_subshell=is_subshell, redirects=redirects):
            targets = "".join(f" {part.operator}{said(part.target)}" for part in redirects if part.target)
            return ("sub" if is_subshell else "") + f"{{{said(body)}}}{targets}"
        case If(branches=branches, otherwise=otherwise):
            shown = " ".join(f"if {said(condition)} then {said(body)}" for condition, body in branches)
            return shown if otherwise is None else f"{shown} else {said(otherwise)}"
        case Loop(kind=kind, condition=condition, words=words, body=body):
            return f"{kind} {said(condition)}{' '.join(map(said, words))} do {said(body)}"
        case Case(word=word, patterns=patterns, bodies=bodies):
            return f"case {said(word)} {[said(one) for one in patterns]} {[said(body) for body in bodies]}"
        case Function(name=name, body=body):
            return f"{name}() {said(body)}"
        case Sequence(items=items):
            return "; ".join(said(item.statement) + (" &" if item.is_background else "") for item in items)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b |& c", "(a | b | c)"),
        ("! a | b", "! (a | b)"),
        ("a && b || ! c", "a && b || ! (c)"),
        ("a && b > f && c 2>&1 | d > g", "a && b >f && (c >&1 | d >g)"),
        ("a 2>&1 > f b c", "a b c >&1 >f"),
        ("{ a; b; } > f", "{a; b} >f"),
        ("(a; b &) | c", "(sub{a; b &} | c)"),
        ("a <<E | b && c > f\nx\nE", "(a << | b) && c >f"),
        ("a <<E > f\nx\nE", "a << >f"),
        ("if a; b; then c; elif d; then e; else f; fi", "if a; b then c if d then e else f"),
        ("while read l; do a; done < f", "{while read l do a} <f"),
        ("until a; do b & done", "until a do b &"),
        ("for x in 1 $y; do a; done", "for 1 $y do a"),
        ("case $x in a|b) c;; *) d;; esac", "case $x ['a', 'b', '*'] ['c', 'd']"),
        ("f() { a; }", "f() {a}"),
        ("A=1 B=$(c) d", "A=1 B=$(c) d"),
        ("A=1 B=2", "A=1 B=2"),
        ("[ -f x -a ! -e y ]", "[ -f x -a ! -e y ]"),
        ("[[ -f x && $a == b* ]]", "[[ -f x && $a == b* ]]"),
        ("export A='b c'", "export A=b c"),
        ("A=b > f", "A=b >f"),
        ("a=(b 'c d') e", "a=(b 'c d') e"),
        ("case x in (a) b;& c) d;;& esac", "case x ['a', 'c'] ['b', 'd']"),
        ("time { a; } | b", "({a} | b)"),
        ("function f { a; } > g", "f() {a} >g"),
        ("((x + 1)) && $((y)) z", "((x + 1)) && $((y)) z"),
        ("cat <<A <<'B' | b\n$(c)\nA\n$(d)\nB\n", "(cat << << | b)"),
        ("for ((i = 0; i < 3; i++)); do a; done", "for ((i = 0; i < 3; i++)) do a"),
        ("ls @(a|b) x{1,2}", "ls @(a|b) x{1,2}"),
    ],
)
def test_a_statement_is_read(text: str, expected: str) -> None:
    assert said(only(text)) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("'a b'", "a b"),
        ('"a b"', "a b"),
        (r"a\ b", "a b"),
        ("a'b'\"c\"d", "abcd"),
        ("$'a\\tb\\x41'", "a\tbA"),
        ('$"a"', "a"),
        (r'"a\"b\$c\n"', r'a"b$c\n'),
        ("\"$x ${y:-'z'}\"", "$x ${y:-'z'}"),
        ("\"$(b 'c')\"", "$(b 'c')"),
        ("*.log", "*.log"),
        ("é'ü'", "éü"),
        ("''", ""),
        ("a\\\nb", "ab"),
    ],
)
def test_quoting_is_removed_from_a_word(word: str, expected: str) -> None:
    command = only(f"x {word}")
    assert isinstance(command, Command)
    assert [one.text for one in command.words] == ["x", expected]


def test_places_count_characters_not_bytes() -> None:
    text = "echo 'é🚀'; rm x"
    use = commands(text)[1]
    assert text[use.command.start : use.command.end] == "rm x"


def test_places_in_a_script_within_a_script_are_those_of_the_whole_text() -> None:
    text = 'é; sudo bash -c "ls; ssh h \'rm \\"x\\"\'"'
    shown = [text[use.command.start : use.command.end] for use in commands(text)]
    assert shown == ["é", "ls", 'rm \\"x\\"']


@pytest.mark.parametrize("text", ["'", "a &&", "if", "(", "${", "a )", "a && else", "case x", "f() a", "a | ;"])
def test_what_is_no_script_says_so(text: str) -> None:
    assert read(text).problem == NO_SCRIPT


def test_what_can_be_read_of_a_broken_text_is_there() -> None:
    assert invocations("reboot; echo 'a") == ("reboot", "echo 'a")


@pytest.mark.parametrize(
    "opening",
    [
        "(",
        "$(",
        "{ ",
        "if ",
        "`",
        '"$(',
        "while ",
        "${a:-",
        "! ",
        "a && ",
        "<(",
        "x=(",
        "(",
        "@(",
        "a[ ",
        "<<E\n$(\nE\n",
        "case a in ",
        "f() ",
        ">",
        ")",
    ],
)
def test_any_depth_has_an_answer(opening: str) -> None:
    text = opening * (100_000 // len(opening)) + " a"
    assert len(commands(text)) <= len(text)


def test_nesting_beyond_reason_is_told() -> None:
    text = "( " * 60 + "reboot" + " )" * 60
    assert read(text).problem == TOO_DEEP
    assert "reboot" in invocations(text)[0]
    assert read("( " * 20 + "a" + " )" * 20).problem is None


def test_a_text_beyond_reason_is_told() -> None:
    assert read("a" * (LONGEST + 1)).problem == TOO_LONG
    assert read("a" * LONGEST).problem is None


def test_a_long_script_is_read() -> None:
    assert len(commands("echo 'a b' | grep -q b && true;\n" * 3000)) == 9000


def test_long_lists_are_no_deep_ones() -> None:
    assert len(commands(" && ".join(["a > f"] * 3000))) == 3000
    assert len(commands(" | ".join(["a"] * 3000))) == 3000


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    for use in commands(text):
        assert 0 <= use.command.start <= use.command.end <= len(text)


@given(st.lists(st.sampled_from([*"abc$(){}'\"`;|&<>\\\n #!=*[]", "if ", "do ", "bash -c ", "é", "\0", "\ud800"])))
def test_any_text_of_signs_has_an_answer(parts: list[str]) -> None:
    text = "".join(parts)
    for use in commands(text):
        assert 0 <= use.command.start <= use.command.end <= len(text)
    assert invocations(text) == invocations(text)
