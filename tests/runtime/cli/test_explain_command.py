"""`gatewright explain`: rules in words, and the pages of findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import call_ending_with

from gatewright.compiler.findings import CATALOGUE
from gatewright.compiler.pages import page_of, pages

RULES = 'require "Looked at the disks": executed_commands matches `\\bdf\\b`\n'


@pytest.mark.parametrize("name", ["GW112", "gw112", "undeclared-host", "Undeclared-Host"])
def test_a_finding_is_explained_by_its_code_or_its_name(name: str) -> None:
    page = page_of("GW112")
    assert page is not None
    assert call_ending_with(0, "explain", name).stdout == page.text


def test_headings_are_strong_where_there_is_colour_and_code_is_not_touched() -> None:
    page = page_of("GW112")
    assert page is not None
    shown = call_ending_with(0, "explain", "GW112", "--color", "always").stdout
    assert shown.startswith("\x1b[1m# GW112 undeclared-host\x1b[0m\n\nError. ")
    assert shown.count("\x1b[1m") == 1 + len(page.sections)
    assert shown.replace("\x1b[1m", "").replace("\x1b[0m", "") == page.text


def test_a_page_can_go_to_a_file_and_has_no_colour_there(tmp_path: Path) -> None:
    page = page_of("GW112")
    assert page is not None
    assert call_ending_with(0, "explain", "GW112", "--color", "always", "-o", tmp_path / "page.md").stdout == ""
    assert (tmp_path / "page.md").read_text("utf-8") == page.text


def test_a_file_of_that_name_is_a_file_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "GW112").mkdir()
    (tmp_path / "GW112" / "disk.gate").write_text(f'scenario "disk"\n{RULES}')
    assert "Looked at the disks" in call_ending_with(0, "explain", "GW112").stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gw199", "there is no finding “gw199”; those of its family are GW101 to GW116; gatewright explain --codes"),
        ("GW899", "there is no finding “GW899”; gatewright explain --codes lists all"),
        ("112", "there is no finding “112”; did you mean “GW112”?"),
        ("GW-112", "did you mean “GW112”?"),
        ("undeclared-hosts", "there is no finding “undeclared-hosts”; did you mean “undeclared-host”?"),
    ],
)
def test_a_finding_that_does_not_exist_is_told_with_what_there_is(name: str, said: str) -> None:
    assert said in call_ending_with(2, "explain", name).stderr


def test_any_other_word_is_a_path(tmp_path: Path) -> None:
    assert "finding" not in call_ending_with(2, "explain", tmp_path / "no-such-file.gate").stderr


def test_all_findings_are_listed_with_their_sentences() -> None:
    lines = call_ending_with(0, "explain", "--codes").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [page.code for page in pages()]
    sentences = {page.code: page.summary for page in pages()}
    for line in lines:
        code, slug, severity, sentence = line.split(maxsplit=3)
        assert (slug, severity, sentence) == (CATALOGUE[code].slug, CATALOGUE[code].severity, sentences[code])


@pytest.mark.parametrize("arguments", [(), ("GW112", "--codes")])
def test_it_wants_one_thing_to_explain(arguments: tuple[str, ...]) -> None:
    assert "give rules, the code of a finding, or --codes" in call_ending_with(2, "explain", *arguments).stderr


def test_rules_are_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "disk.gate").write_text(RULES)
    assert "Looked at the disks" in call_ending_with(0, "explain", tmp_path / "disk.gate").stdout
