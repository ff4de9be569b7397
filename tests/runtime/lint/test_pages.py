"""The pages of the findings are complete, and their examples do what they say.

Blocks of a page's examples: rules in ```gate and ```json. What else stands behind a fence: a file name (the block is
written there, for the others of its section), a form (the rules are meant for it), `held` (host rules held on the
broken machine), and `record`, `inventory` or `bundle` for what is no rules.
"""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

import pytest
from blocks import Block, blocks_in
from support import call

from gatewright.compiler.convert import convert
from gatewright.compiler.findings import CATALOGUE, Finding
from gatewright.compiler.format_gate import format_gate
from gatewright.compiler.ir import HostState
from gatewright.compiler.json_forms import FORMS
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.pages import Page, page_of, pages, read_page
from gatewright.grammar.text import Source
from gatewright.runtime.lint.families import findings_of
from gatewright.runtime.lint.notes import LintOptions
from gatewright.runtime.lint.scene import Scene

FOLDER = Path(__file__).parents[3] / "compiler" / "pages"
SEVERITY_WORDS = {"error": "error", "warning": "warning", "info": "information"}
DEPENDS = {
    "GW109": "error or warning",
    "GW113": "error or warning",
    "GW114": "error or warning",
    "GW115": "warning or information",
    "GW403": "warning or information",
    "GW701": "error or warning",
    "GW704": "error or warning",
}
"""Codes whose findings have one severity or the other."""
NO_FIX_IS_NAMED = r"(Safe|Unsafe): \w|None(\.| )"
PAGES = [pytest.param(page, id=page.code) for page in pages()]
OTHER_FILES = {"record": "run.json", "inventory": "hosts.toml", "bundle": "bundle.json"}


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    assert sorted(CATALOGUE.keys() ^ {path.stem for path in FOLDER.glob("*.md")}) == []


def test_there_is_no_page_of_what_is_no_code() -> None:
    assert page_of("GW000") is None
    assert page_of("gw203") is None
    assert page_of("../pages/GW101") is None


def test_headings_inside_a_block_of_code_begin_no_section() -> None:
    why = "````sh\n## no title\n```\n````"
    page = read_page(f"# GW101 syntax\n\nError. One\nsentence.\n\n## Why\n\n{why}\n\n## Fix\n\nNone.\n")
    assert page.summary == "One sentence."
    assert page.sections == {"Why": why, "Fix": "None."}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_begins_with_code_slug_and_severity(page: Page) -> None:
    kind = CATALOGUE[page.code]
    assert (FOLDER / f"{page.code}.md").read_text("utf-8") == page.text
    assert (page.code, page.slug) == (kind.code, kind.slug)
    assert page.severity.lower() == DEPENDS.get(page.code, SEVERITY_WORDS[kind.severity])
    assert page.summary.endswith(".")
    assert "\n" not in page.summary


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_all_sections_in_their_order(page: Page) -> None:
    assert [title for title in page.sections if title != "Limits"] == ["Why", "Example", "Better", "Fix"]
    assert list(page.sections)[-1] in ("Fix", "Limits")
    assert all(page.sections.values())
    assert re.match(NO_FIX_IS_NAMED, page.sections["Fix"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_lines(page: Page) -> None:
    assert [line for line in page.text.splitlines() if len(line) > 120 or line != line.rstrip()] == []
    assert page.text.endswith("\n")
    assert not page.text.endswith("\n\n")


@pytest.mark.parametrize("page", PAGES)
def test_the_example_of_a_page_gives_its_finding(page: Page, tmp_path: Path) -> None:
    assert page.code in codes_of(page, "Example", tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_the_better_way_of_a_page_does_not_give_it(page: Page, tmp_path: Path) -> None:
    assert page.code not in codes_of(page, "Better", tmp_path)


@pytest.mark.parametrize("page", PAGES)
def test_the_better_way_of_a_page_is_laid_out_as_fmt_writes_it(page: Page) -> None:
    for block in blocks_in(page.sections["Better"], FOLDER / f"{page.code}.md"):
        if block.language == "gate":
            assert format_gate(Source(block.id, block.text), pytest.fail) == block.text


# ---- what an example gives -----------------------------------------------------------------------------------------


def codes_of(page: Page, section: str, folder: Path) -> set[str]:
    """The codes of the findings in the blocks of a section."""
    inputs: dict[Path, Block] = {}
    for block in blocks_in(page.sections[section], FOLDER / f"{page.code}.md"):
        path = folder / file_of(block)
        assert not path.exists()
        path.write_text(block.text, "utf-8")
        if block.name is None:
            inputs[path] = block
    assert inputs
    if page.code.startswith("GW7"):
        return codes_of_grading(folder)
    if page.code.startswith("GW9"):
        return codes_printed("lint", folder)
    return {finding.code for path, block in inputs.items() for finding in findings_in(path, block)}


def file_of(block: Block) -> str:
    other = next((name for word, name in OTHER_FILES.items() if word in block.words), None)
    assert other or block.language in ("gate", "json", "toml")
    return block.name or other or f"rules.{block.language}"


def findings_in(path: Path, block: Block) -> list[Finding]:
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    if isinstance(loaded, Loaded):
        form = next((word for word in block.words if word in FORMS), None)
        held = {rule.label for rule in loaded.rules.rules if isinstance(rule.check, HostState)}
        options = LintOptions(
            target=form,  # pyright: ignore[reportArgumentType]
            held_before=frozenset(held) if "held" in block.words else None,
        )
        findings.extend(findings_of(Scene(loaded, options)))
        if form is not None:
            convert(loaded, form, findings.append)  # pyright: ignore[reportArgumentType]
    return findings


def codes_of_grading(folder: Path) -> set[str]:
    """What `grade` says of the record, the inventory or the bundle in a folder; nothing is run."""
    rules = folder / "rules.gate"
    if not rules.exists():
        rules.write_text('require "At most three tasks": task_count ..3\n')
    if (folder / "bundle.json").exists():
        return codes_printed("grade", rules, "--from-bundle", folder / "bundle.json")
    if (folder / "hosts.toml").exists():
        return codes_printed("grade", rules, "--inventory", folder / "hosts.toml", "--dry-run")
    return codes_printed("grade", rules, "--run", folder / "run.json")


def codes_printed(*arguments: str | Path) -> set[str]:
    folder = next(Path(argument) for argument in arguments if isinstance(argument, Path))
    with chdir(folder if folder.is_dir() else folder.parent):
        called = call(*arguments, "--color", "never")
    return set(re.findall(r"^(?:\S+:\d+:\d+: )?(GW\d{3}) \w+: ", called.stdout + called.stderr, re.MULTILINE))
