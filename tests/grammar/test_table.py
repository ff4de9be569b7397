"""The parse table: used where it fits, passed over where not, and the same bytes from every build."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gatewright.grammar import table
from gatewright.grammar.build_tree import TreeBuilder
from gatewright.grammar.parser import parse
from gatewright.grammar.text import Source

GRAMMAR = table.GRAMMAR_FILE.read_text(encoding="utf-8")
TEXT = """hosts a, b
for h in a, b {
  require "x": on h run `true` exits 1
}
test "t" {
  no tasks
  expect failed
}
"""


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "gate.table"
    path.write_bytes(table.build(GRAMMAR))
    return path


@pytest.fixture
def no_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    import lark

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the grammar was compiled")

    monkeypatch.setattr(lark.Lark, "__init__", refuse)


@pytest.mark.usefixtures("no_compiling")
def test_a_table_that_fits_is_used_and_parses_what_the_grammar_parses(table_file: Path) -> None:
    from_table = table.load(TreeBuilder(), table_file)
    assert from_table.parse(TEXT) == parse(Source("x.gate", TEXT)).statements


@pytest.mark.usefixtures("no_compiling")
@pytest.mark.parametrize("spoil", ["absent", "cut short", "of another grammar", "of another lark", "empty"])
def test_a_table_that_does_not_fit_is_passed_over(table_file: Path, tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "gate.table"
    whole = table_file.read_bytes()
    if spoil == "cut short":
        path.write_bytes(whole[:-1])
    elif spoil == "of another grammar":
        path.write_bytes(table.fingerprint(GRAMMAR + "\n", whole.partition(b"\n")[2]) + whole.partition(b"\n")[2])
    elif spoil == "of another lark":
        path.write_bytes(whole.replace(b"lark 1", b"lark 0", 1))
    elif spoil == "empty":
        path.write_bytes(b"")
    with pytest.raises(AssertionError, match="the grammar was compiled"):
        table.load(TreeBuilder(), path)


def test_every_build_gives_the_same_bytes(table_file: Path) -> None:
    code = (
        "import hashlib; from gatewright.grammar import table;"
        "print(hashlib.sha256(table.build(table.GRAMMAR_FILE.read_text(encoding='utf-8'))).hexdigest())"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": paths}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == hashlib.sha256(table_file.read_bytes()).hexdigest()


def test_the_build_writes_that_table(table_file: Path, tmp_path: Path) -> None:
    packaging = pytest.importorskip("gatewright.grammar.packaging")
    packaging.write_table(tmp_path / "new" / "gate.table")
    assert (tmp_path / "new" / "gate.table").read_bytes() == table_file.read_bytes()


def test_the_source_archive_has_the_tests_and_documents(tmp_path: Path) -> None:
    packaging = pytest.importorskip("gatewright.grammar.packaging")
    for name in ["Makefile", "tests/a/test_b.py", "tests/__pycache__/c.pyc", "docs/d.md", "other/e.py", ".ci/run"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert packaging.extra_files(tmp_path) == ["Makefile", ".ci/run", "tests/a/test_b.py", "docs/d.md"]


def test_loading_the_table_takes_a_fraction_of_compiling_the_grammar(table_file: Path, tmp_path: Path) -> None:
    def seconds(path: Path) -> float:
        started = time.process_time()
        table.load(TreeBuilder(), path)
        return time.process_time() - started

    loading = min(seconds(table_file) for _ in range(3))
    assert loading < seconds(tmp_path / "absent") / 3


def test_two_thousand_rules_are_read_in_half_a_second() -> None:
    text = "".join(f'require "r{number}": executed_commands matches `\\bx{number}\\b`\n' for number in range(2000))
    parse(Source("x.gate", ""))
    started = time.process_time()
    file = parse(Source("x.gate", text))
    assert time.process_time() - started < 0.5
    assert len(file.statements) == 2000


def test_nothing_in_the_grammar_recurses() -> None:
    rules = "".join(f'  require "r{number}": task_count 1\n' for number in range(5000))
    hosts = ", ".join(f"h{number}" for number in range(5000))
    turns = " then ".join(f"[h{number}]" for number in range(5000))
    lines = "".join(f"line {number}\n" for number in range(50_000))
    file = parse(
        Source(
            "x.gate",
            f'hosts {hosts}\nfor h in {hosts} {{\n{rules}}}\nrequire "t": turns {turns}\n'
            + f"let x = ```\n{lines}```\n{rules}"
            + "require " * 2000
            + "\n"
            + "prepare {" * 2000,
        )
    )
    assert len(file.statements) == 5005
    assert len(file.faults) == 2
