"""The table of name characters, against Node's, for every code point."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from gatewright.compiler.ecmascript.identifiers import is_identifier_part, is_identifier_start

SCRIPT = r"""
const START = /^[\p{ID_Start}$_]$/u, PART = /^[\p{ID_Continue}$_\u200c\u200d]$/u;
const valid = pattern => { try { new RegExp(pattern, 'i'); return true } catch (error) { return false } };
const kind = name => START.test(name) ? 's' : PART.test(name) ? 'c' : 'n';
const kinds = [];
let disagree = 0;
for (let c = 0; c < 0x110000; c++) {
  const name = String.fromCodePoint(c);
  kinds.push(kind(name));
  // The properties are quick to ask; real groups are asked wherever the answer changes.
  if (c && c !== 62 && c !== 92 && kinds[c] !== kinds[c - 1]) {
    const real = valid(`(?<${name}>)`) ? 's' : valid(`(?<a${name}>)`) ? 'c' : 'n';
    disagree += real !== kinds[c];
  }
}
process.stdout.write(`${process.versions.unicode} ${disagree} ${kinds.join('')}`);
"""


def test_the_table_of_names_is_nodes():
    executable = shutil.which("node")
    if executable is None:
        pytest.skip("node is not on PATH: the table of names was not compared")
    done = subprocess.run([executable, "-e", SCRIPT], capture_output=True, text=True, check=True)
    version, disagree, kinds = done.stdout.split(" ")
    if version != "17.0":
        pytest.skip(f"this node has Unicode {version}, the table has 17.0: the table of names was not compared")
    ours = "".join("s" if is_identifier_start(c) else "c" if is_identifier_part(c) else "n" for c in range(0x110000))
    assert disagree == "0"
    assert len(kinds) == len(ours)
    assert [hex(c) for c in range(0x110000) if kinds[c] != ours[c]] == []


@pytest.mark.parametrize(("character", "start", "part"), [
    ("a", True, True), ("$", True, True), ("_", True, True), ("7", False, True), ("-", False, False),
    ("é", True, True), ("\u0301", False, True), ("\u200d", False, True), ("\U0010ffff", False, False),
    ("\ud800", False, False),
])  # fmt: skip
def test_characters_of_names(character, start, part):
    assert is_identifier_start(ord(character)) is start
    assert is_identifier_part(ord(character)) is part
