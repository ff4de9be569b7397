"""Properties over generated `.gate` files: every production, every kind of literal, comments and line ends anywhere."""

from __future__ import annotations

import dataclasses
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.grammar import literals
from gatewright.grammar.layout import UnparsedError, layout
from gatewright.grammar.parser import find_comments, parse
from gatewright.grammar.syntax import Comment, CountCheck, File, Literal
from gatewright.grammar.text import Source

# ---- a generator of files that parse ----------------------------------------------------------------------------


NAMES = [
    "web-01",
    "a",
    "b.c",
    "on",
    "run",
    "in",
    "at",
    "then",
    "_x",
    "X9",
    "t",
    "exits",
    "matches",
    "task",
    "some-long-name",
]
PIECES = [
    *["require", "optional", "for", "prepare", "test", "expect", "in", "{", "}", "[", "]", ":", ",", "..", "1", "not"],
    *['"x"', "`x`", "t`x`", "```", "\n", "#", "web-01", "run", "on", "executed_commands", "matches", "at", "least"],
    *["task", "no", "tasks", "write", "times", '"', "`", 't"', "\\", "\r", "\ufeff"],
]


class Writer:
    """Writes one file, token by token; `rng` makes every choice."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.tokens: list[str] = []

    def put(self, *tokens: str) -> None:
        self.tokens += tokens

    def chance(self, percent: int = 50) -> bool:
        return self.rng.randrange(100) < percent

    def several(self, write: Any, most: int = 3, least: int = 1) -> None:
        for index in range(self.rng.randint(least, most)):
            if index and write in (self.item, self.literal, self.turn_part):
                self.put(",")
            write()

    # ---- words and literals ----
    def name(self) -> None:
        self.put(self.rng.choice(NAMES))

    def item(self) -> None:
        if self.chance(60):
            self.name()
        else:
            self.put(self.rng.choice(['"test"', '"web 01"', '""', "192.0.2.7", r'"é\u00e9"']))

    def number(self) -> None:
        self.put(self.rng.choice(["0", "1", "2", "007", "255", "99999999999999999999"]))

    def string(self) -> None:
        self.put(
            self.rng.choice(
                ['"a"', '"a # b"', r'"\\ \" \/ \u0041"', '"`"', '"{ } }"', '"🚀🚀"', '"long ' + "x" * 70 + '"']
            )
        )

    def text(self) -> None:
        self.string()
        if self.chance(10):
            self.tokens[-1] = "t" + self.tokens[-1]

    def literal(self) -> None:
        choice = self.rng.randrange(10)
        if choice < 3:
            self.string()
        elif choice < 6:
            self.put(self.rng.choice(["`a`", "`# no comment`", '`"`', r"`\b(x|y){2,}\s`", "`}`", "`" + "y" * 80 + "`"]))
        elif choice < 8:
            self.put(self.rng.choice(["``a`b``", "`` `x` ``", "`` ` ``", "``  `x``", "``require``"]))
        else:
            self.put(self.fenced())
        if self.chance(15):
            self.tokens[-1] = "t" + self.tokens[-1]

    def fenced(self) -> str:
        end = self.rng.choice(["\n", "\n", "\r\n"])
        margin = self.rng.choice(["", "  ", "\t", "    ", " \t"])
        lines = [
            margin + self.rng.choice(["", "a", "  b", "\tc", "# d", "```x", '"', "e  ", "}", "require", "f\r", "é"])
            for _ in range(self.rng.randrange(5))
        ]
        opening = "```" + self.rng.choice(["", " ", "\t "])
        return end.join([opening, *lines, self.rng.choice([margin, margin + "  ", ""]) + "```"])

    # ---- checks ----
    def on(self) -> None:
        if self.chance(40):
            self.put("on")
            self.item()

    def check(self) -> None:
        self.rng.choice([self.pattern, self.pattern, self.command, self.turns, self.negatable, self.not_check])()

    def pattern(self) -> None:
        self.on()
        self.put(self.rng.choice(["executed_commands", "task_plan", "invocations"]))
        if self.chance(30):
            self.put("never")
        never = self.tokens[-1] == "never"
        self.put("matches")
        self.literal()
        if not never and self.chance(25):
            self.put("before")
            self.literal()
        elif not never and self.chance(30):
            self.put(self.rng.choice(["at least", "at  most", "at\nleast", "exactly"]))
            self.number()
            self.put(self.rng.choice(["time", "times"]))

    def command(self) -> None:
        self.on()
        self.put("run")
        self.literal()
        self.option("exits")
        if self.chance(25):
            self.put("within")
            self.number()
            self.put("s")

    def option(self, word: str) -> None:
        if self.chance(40):
            self.put(word)
            self.number()

    def turn_part(self) -> None:
        if self.chance(75):
            self.item()
        else:
            self.put("at least")
            self.number()

    def turns(self) -> None:
        self.put("turns")
        for index in range(self.rng.randint(1, 4)):
            if index:
                self.put("then")
            self.put("[")
            self.several(self.turn_part, 9)
            self.put("]")

    def negatable(self) -> None:
        match self.rng.randrange(4):
            case 0:
                self.put("job_resolution_status", "in")
                self.several(self.item, 8)
            case 1:
                self.put("ticket_status", "is")
                self.item()
            case 2:
                self.put("task_count")
                self.bounds()
            case _:
                self.put("ansible")
                self.literal()

    def bounds(self) -> None:
        low, high = self.chance(), self.chance()
        if low:
            self.number()
        if high or not low:
            self.put("..")
            self.number()
        elif self.chance():
            self.put("..")

    def not_check(self) -> None:
        self.put("not")
        self.negatable()

    # ---- statements ----
    def rule(self) -> None:
        self.put(self.rng.choice(["require", "optional"]))
        self.text()
        self.put(":")
        self.check()

    def setting(self) -> None:
        keyword = self.rng.choice(["scenario", "title", "tags", "hosts", "semantics"])
        self.put(keyword)
        if keyword == "semantics":
            self.put(self.rng.choice(["flat", "classic"]))
        elif keyword in ("scenario", "title"):
            self.text()
        else:
            self.several(self.item, 12)

    def let(self) -> None:
        self.put("let")
        self.name()
        self.put("=")
        self.literal()

    def include(self) -> None:
        self.put("include")
        self.string()

    def for_block(self) -> None:
        self.put("for")
        self.name()
        self.put("in")
        self.several(self.item, 12)
        self.put("{")
        self.several(self.rule, 3, 0)
        self.put("}")

    def step(self) -> None:
        if self.chance(80):
            self.text()
            self.put(":")
        self.on()
        if self.chance():
            self.put("run")
            self.literal()
        else:
            if self.chance():
                self.put("sudo")
            self.put("write")
            self.literal()
            self.literal()

    def steps(self) -> None:
        self.put(self.rng.choice(["prepare", "restore"]), "{")
        self.several(self.step, 3, 0)
        self.put("}")

    def evidence(self) -> None:
        self.put(self.rng.choice(["executed_commands", "task_summary"]))
        if self.chance(20):
            self.put(self.rng.choice(["empty", "unavailable"]))
        else:
            self.several(self.literal, 4)

    def fact(self) -> None:
        match self.rng.randrange(7):
            case 0:
                self.evidence()
            case 1:
                self.put(self.rng.choice(["job_status", "job_resolution_status", "ticket_status"]))
                self.put("unavailable") if self.chance(30) else self.item()
            case 2:
                self.on()
                self.put("run")
                self.literal()
                match self.rng.randrange(3):
                    case 0:
                        self.option("exits")
                    case 1:
                        self.put("times", "out")
                    case _:
                        self.put("unreachable")
            case 3:
                self.put("ansible")
                self.literal()
                self.put("exits")
                self.number()
            case 4:
                self.put("no", "tasks")
            case 5:
                self.put("task")
                self.on()
                self.option("turn")
                if self.chance(30):
                    self.put("from", '"2026-05-01T10:00:00Z"', "to", '"x"')
                self.put("{")
                self.several(self.evidence, 3, 0)
                self.put("}")
            case _:
                self.put("expect")
                if self.chance():
                    self.put(self.rng.choice(["pass", "fail", "error", "skipped"]))
                    self.text()
                else:
                    self.put(self.rng.choice(["passed", "failed", "error"]))

    def test(self) -> None:
        self.put("test")
        self.text()
        self.put("{")
        self.several(self.fact, 4, 0)
        self.put("}")

    def file(self) -> list[str]:
        statements = [self.setting, self.setting, self.let, self.include, self.for_block, self.rule, self.rule]
        for _ in range(self.rng.randrange(7)):
            self.rng.choice([*statements, self.steps, self.test])()
        return self.tokens


_SIGNS = frozenset(",:[]{}=")


def join(tokens: list[str], rng: random.Random, *, comments: bool = True, blank_lines: bool = True) -> str:
    """The tokens with white space, and where it is asked for comments, between them."""
    gaps = [" ", "  ", "\t", "\n", "\n  ", " \f "]
    if blank_lines:
        gaps += ["\r\n", "\n\n", "\n\n\n\n", "\r\n \r\n"]
    if comments:
        gaps += ["  # c\n", '#é`"\n', "\n# own {\n", "\n\n  # own\r\n# two\t\n", "\n# apart\n\n", " #\r\n"]
    text = rng.choice(["", "\ufeff"])
    for index, token in enumerate(["", *tokens, ""]):
        previous = tokens[index - 2] if index > 1 else ""
        gap = rng.choice(gaps) if rng.random() < 0.7 else " "
        if (previous in _SIGNS or token in _SIGNS) and rng.random() < 0.5 and index > 1:
            gap = ""
        if previous.endswith("```"):
            gap = "\n" + gap.lstrip("\r\n" if not blank_lines else "")
        text += gap + token if index else gap if rng.random() < 0.5 else ""
    return text


@st.composite
def gate_tokens(draw: Any) -> tuple[list[str], random.Random]:
    rng = random.Random(draw(st.integers(0, 2**32)))
    return Writer(rng).file(), rng


@st.composite
def gate_texts(draw: Any) -> str:
    tokens, rng = draw(gate_tokens())
    return join(tokens, rng)


# ---- what must stay equal ---------------------------------------------------------------------------------------


def read(text: str) -> File:
    file = parse(Source("x.gate", text), trivia=True)
    assert not file.faults, (file.faults, text)
    return file


def meaning(node: Any) -> Any:
    """A tree without places, its literals by what they mean and how they are written."""
    if isinstance(node, tuple):
        return tuple(meaning(part) for part in node)
    if isinstance(node, Literal):
        return node.style, node.template, literals.unwrap(node), literals.unwrap(node, content=True)
    if isinstance(node, CountCheck) and node.exact is not None and not int(node.exact.text):
        node = dataclasses.replace(node, exact=None, high=node.exact)
    if dataclasses.is_dataclass(node):
        fields = [field.name for field in dataclasses.fields(node) if field.name not in ("start", "end")]
        return type(node).__name__, *(meaning(getattr(node, name)) for name in fields)
    return node


def spelling(file: File) -> list[str]:
    """The tokens as far as the layout may not touch them."""
    kept = []
    for token in file.tokens:
        if not token.kind.endswith("FENCED") and token.kind != "DOTS":
            kept.append(" ".join(token.text.split()) if token.kind.startswith("AT_") else token.text)
    return kept


# ---- properties -------------------------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(gate_texts())
def test_a_laid_out_file_means_the_same_and_keeps_every_token_and_comment(text: str) -> None:
    before, after = read(text), read(layout(Source("x.gate", text)))
    assert meaning(after.statements) == meaning(before.statements)
    assert spelling(after) == spelling(before)
    assert [comment.text for comment in after.comments] == [comment.text for comment in before.comments]


@settings(max_examples=400, deadline=None)
@given(gate_texts())
def test_laying_out_twice_is_laying_out_once(text: str) -> None:
    once = layout(Source("x.gate", text))
    assert layout(Source("x.gate", once)) == once


@settings(max_examples=200, deadline=None)
@given(gate_texts())
def test_a_laid_out_file_has_no_blanks_at_line_ends_and_one_newline_at_its_end(text: str) -> None:
    file = read(layout(Source("x.gate", text)))
    laid_out = file.source.text
    fenced = {
        line
        for token in file.tokens
        if token.kind.endswith("FENCED")
        for line in range(file.source.line_and_column(token.start)[0] + 1, file.source.line_and_column(token.end)[0])
    }
    lines = laid_out.split("\n")
    assert lines.pop() == ""
    assert not laid_out.startswith(("\n", "\ufeff"))
    assert not lines or lines[-1]
    for number, line in enumerate(lines, 1):
        if number not in fenced:
            assert line == line.rstrip()
            assert line or lines[number - 2], "two empty lines"


@settings(max_examples=200, deadline=None)
@given(gate_tokens())
def test_the_layout_does_not_depend_on_where_the_author_broke_lines(generated: tuple[list[str], random.Random]) -> None:
    tokens, rng = generated
    one = join(tokens, rng, comments=False, blank_lines=False)
    other = join(tokens, rng, comments=False, blank_lines=False)
    assert layout(Source("x.gate", one)) == layout(Source("x.gate", other))


@settings(max_examples=200, deadline=None)
@given(gate_texts())
def test_comments_are_what_stands_between_tokens(text: str) -> None:
    file = read(text)
    between: list[str] = []
    position = 0
    for start, end in [*((token.start, token.end) for token in file.tokens), (len(text), len(text))]:
        between += [found.rstrip() for found in re.findall(r"#[^\n]*", text[position:start])]
        position = end
    assert [comment.text for comment in file.comments] == between


@settings(max_examples=200, deadline=None)
@given(gate_texts())
def test_windows_line_ends_change_neither_tree_nor_lines(text: str) -> None:
    unix = text.replace("\r", "")
    windows = unix.replace("\n", "\r\n")
    one, other = read(unix), read(windows)
    assert meaning(one.statements) == meaning(other.statements)
    assert [one.span(node).line for node in one.statements] == [other.span(node).line for node in other.statements]


@settings(max_examples=300, deadline=None)
@given(gate_texts(), st.data())
def test_no_damaged_file_crashes_the_parser(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        put = data.draw(
            st.sampled_from(["", '"', "`", "```\n", "{", "}", "#", "require ", "\x00", "é", text[start:end] * 2])
        )
        text = text[:start] + put + text[end:]
    check_faults(parse(Source("x.gate", text), trivia=True))


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(PIECES),
            max_size=30,
        ).map(" ".join),
    )
)
def test_no_text_crashes_the_parser(text: str) -> None:
    check_faults(parse(Source("x.gate", text), trivia=True))


def check_faults(file: File) -> None:
    text = file.source.text
    for fault in file.faults:
        assert 0 <= fault.start <= fault.end <= len(text)
        assert fault.message
    for node in file.statements:
        assert 0 <= node.start < node.end <= len(text)
    if file.faults:
        with pytest.raises(UnparsedError):
            layout(file.source)
    else:
        assert layout(file.source) == layout(Source("again.gate", layout(file.source)))


def test_the_generator_reaches_every_production() -> None:
    seen: set[str] = set()
    for seed in range(300):
        rng = random.Random(seed)
        walk(read(join(Writer(rng).file(), rng)).statements, seen)
    assert seen >= {
        "Setting", "Let", "Include", "ForBlock", "RuleNode", "StepsBlock", "TestNode", "PatternCheck", "HowOften",
        "CommandCheck", "TurnsCheck", "TurnNode", "StatusCheck", "CountCheck", "AnsibleCheck", "NotCheck", "StepNode",
        "EvidenceNode", "StatusNode", "HostAnswerNode", "PlaybookNode", "NoTasksNode", "TaskNode", "ExpectNode",
    }  # fmt: skip


def walk(node: Any, seen: set[str]) -> None:
    if isinstance(node, tuple):
        for part in node:
            walk(part, seen)
    elif dataclasses.is_dataclass(node):
        seen.add(type(node).__name__)
        for field in dataclasses.fields(node):
            walk(getattr(node, field.name), seen)


def test_a_comment_sign_in_a_literal_begins_no_comment() -> None:
    text = 'title "# a" # b\nlet x = `# c`\nlet y = ```\n# d\n```\n# e\n'
    assert list(find_comments(text)) == [Comment("# b", 12, 15, False), Comment("# e", 50, 53, True)]
