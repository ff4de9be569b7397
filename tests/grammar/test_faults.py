"""What authors get wrong, and what they are told: `golden/faults.txt` has a mistake and its whole message a block.

`GOLDEN=write pytest tests/grammar/test_faults.py` writes the file anew; read what changed before keeping it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from gatewright.grammar import syntax
from gatewright.grammar.parser import parse
from gatewright.grammar.syntax import File, ForBlock, RuleNode, StepsBlock
from gatewright.grammar.text import Source

GOLDEN = Path(__file__).with_name("golden") / "faults.txt"
BLOCKS = [tuple(block.split("\n-----\n")) for block in GOLDEN.read_text(encoding="utf-8").split("=====\n")]


def read(text: str) -> File:
    return parse(Source("x.gate", text))


def told(text: str) -> str:
    file = read(text)
    lines: list[str] = []
    for fault in file.faults:
        span = file.source.span(fault.start, fault.end)
        lines.append(f"{span.line}:{span.column}-{span.end_line}:{span.end_column} {fault.message}")
        if fault.help is not None:
            lines.append(f"    help: {fault.help}")
    return "".join(f"{line}\n" for line in lines)


def test_the_golden_file_can_be_written_anew() -> None:
    blocks = [f"{text}\n-----\n{told(text)}" for text, _ in BLOCKS]
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text("=====\n".join(blocks), encoding="utf-8")
    assert len(blocks) >= 100


@pytest.mark.parametrize(("text", "expected"), BLOCKS, ids=[str(number) for number in range(len(BLOCKS))])
def test_every_mistake_is_told_in_full(text: str, expected: str) -> None:
    assert told(text) == expected
    assert told(text.replace("\n", "\r\n")) == expected


def test_no_message_has_the_name_of_a_terminal() -> None:
    for _, message in BLOCKS:
        words = set(re.findall(r"\b[A-Z][A-Z_0-9]+\b", message))
        assert words <= {"ASCII", "JSON", "XXXX"} | set(re.findall(r"\bU\+(\w+)", message)), message


# ---- recovery ----

BROKEN = [
    'require "b" task_count 1',
    'require "b": task_count',
    'require "b": executed_commands matches "\\d"',
    'require "b": executed_commands matches `x',
    'require "b": executed_commands match `x`',
    'require "b": turns [a b]',
    'require "b": run `x` exits 300x',
    'require "b": not run `x`',
    "hosts a,",
    'optional: "b"',
]


def test_ten_broken_statements_are_ten_faults_each_on_its_line() -> None:
    lines = [line for broken in BROKEN for line in (broken, 'require "good": task_count 1')]
    file = read("\n".join(lines))
    assert [file.source.line_and_column(fault.start)[0] for fault in file.faults] == list(range(1, 20, 2))
    assert len(file.statements) == 10
    windows = read("\r\n".join(lines))
    assert [fault.message for fault in windows.faults] == [fault.message for fault in file.faults]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_statement_loses_no_other(broken: str) -> None:
    good = 'require "good": task_count 1'
    file = read(f"{good}\n{broken}\n{good}\nhosts z\n{broken}")
    assert len(file.faults) == 2
    assert [type(node).__name__ for node in file.statements] == ["RuleNode", "RuleNode", "Setting"]


@pytest.mark.parametrize("broken", [text for text in BROKEN if text.startswith("require")])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_rule_in_a_loop_leaves_the_loop_and_its_other_rules(broken: str, place: int) -> None:
    rules = ['  require "one": task_count 1', '  require "two": task_count 1']
    rules.insert(place, f"  {broken}")
    file = read("\n".join(["for h in a, b {", *rules, "}", 'require "after": task_count 1']))
    assert len(file.faults) == 1
    loop, after = file.statements
    assert isinstance(loop, ForBlock)
    assert [rule.label.text for rule in loop.rules] == ['"one"', '"two"']
    assert isinstance(after, RuleNode)


@pytest.mark.parametrize("text", ["hosts a }", "hosts a\n}", 'prepare { "a": run `a`', "}\nhosts a", "hosts a\nhost b"])
def test_a_statement_that_is_whole_is_kept_when_what_follows_it_is_wrong(text: str) -> None:
    file = read(text)
    assert len(file.faults) == len(file.statements) == 1
    if isinstance(file.statements[0], StepsBlock):
        assert len(file.statements[0].steps) == 1


def test_a_byte_order_mark_moves_no_column() -> None:
    assert told("\ufeffhosts a b\nhosts") == told("hosts a b\nhosts")
    file = read("\ufeffhosts a\n")
    assert file.source.line_text(1) == "hosts a"
    assert file.span(file.statements[0]).column == 1


def test_a_loop_whose_first_line_is_broken_leaves_its_rules_and_no_stray_brace() -> None:
    file = read('for h of a {\n  require "x": task_count 1\n}\nrequire "y": task_count 2\n}\n')
    assert [fault.message for fault in file.faults] == ["found “of” where “in” should stand", "“}” closes nothing here"]
    assert len(file.statements) == 2


def test_a_block_that_is_not_closed_is_one_fault_and_keeps_what_stands_in_it() -> None:
    file = read('prepare {\n  "a": run `a`\nrequire "x": task_count 1\nrestore {\n  "b": run `b`\n')
    assert [file.source.line_and_column(fault.start) for fault in file.faults] == [(2, 15), (5, 15)]
    prepare, rule, restore = file.statements
    assert isinstance(prepare, StepsBlock) and isinstance(rule, RuleNode) and isinstance(restore, StepsBlock)
    assert len(prepare.steps) == len(restore.steps) == 1


def test_every_broken_step_with_a_name_is_told() -> None:
    file = read('prepare {\n  "a": rn `a`\n  "b": run `b`\n  "c" run `c`\n  "d": run `d`\n}\nhosts a\n')
    assert [file.source.line_and_column(fault.start)[0] for fault in file.faults] == [2, 4]
    steps, _ = file.statements
    assert isinstance(steps, StepsBlock)
    assert [step.name.text for step in steps.steps if step.name] == ['"b"', '"d"']


def test_a_broken_fact_leaves_the_expectations() -> None:
    file = read('test "t" {\n  task on {\n    executed_commands `a`\n  }\n  expect passed\n}\nhosts a\n')
    assert len(file.faults) == 1
    test, _ = file.statements
    assert isinstance(test, syntax.TestNode)
    assert len(test.items) == 1


def test_reserved_words_in_literals_and_comments_begin_nothing() -> None:
    text = 'hosts a b\n# require "c": no\nlet x = ```\nrequire "d": no\n```\nrequire "e": task_count 1\n'
    file = read(text)
    assert [fault.message for fault in file.faults] == ["found “b” where “,” or a statement should stand"]
    assert [type(node).__name__ for node in file.statements] == ["Let", "RuleNode"]


def test_many_faults_take_their_time_in_proportion() -> None:
    file = read("\n".join(BROKEN * 100))
    assert len(file.faults) == 1000
