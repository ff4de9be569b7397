"""The documentation says what the product does: its examples compile, its commands run, its tables are complete.

What a block is stands behind its fence: a file name (`nginx.gate`: the block is written to that file, for the includes
and commands of the same page), `record` or `result` (JSON that is no set of rules), `output` (what the commands above
it print), and for `gate-error` the codes of exactly the findings that it gives (and the form it is converted to).
TOML is an inventory, or the settings where it is called `gatewright.toml`; YAML is a configuration of pre-commit.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from blocks import Block, blocks_of
from jsonschema import Draft202012Validator

from gatewright.compiler.convert import convert
from gatewright.compiler.findings import CATALOGUE, Finding
from gatewright.compiler.format_gate import format_gate
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.json_forms import FORMS
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.pages import pages
from gatewright.compiler.settings import SETTINGS_FILE, Settings, read_settings
from gatewright.compiler.vocabulary import OLD_STATUSES, RESOLUTION_STATUSES, TARGETS
from gatewright.grammar.text import Source
from gatewright.runtime.cli import COMMANDS, lint_command
from gatewright.runtime.evidence import read_record as records
from gatewright.runtime.evidence.schema import run_schema
from gatewright.runtime.hosts.inventory import HostSettings, parse_inventory
from gatewright.runtime.importers import FORMATS
from gatewright.runtime.reports import RESULT_FORMATS
from gatewright.runtime.result_json import result_schema, results_schema

ROOT = Path(__file__).parent.parent
LANGUAGE = ROOT / "grammar" / "LANGUAGE.md"
EVIDENCE = ROOT / "docs" / "EVIDENCE.md"
HOSTS = ROOT / "docs" / "HOSTS.md"
CHOICES = ROOT / "docs" / "CHOICES.md"
LINT = ROOT / "docs" / "LINT.md"
TESTING = ROOT / "docs" / "TESTING.md"
FINDINGS = ROOT / "docs" / "FINDINGS.md"
PROBE = ROOT / "docs" / "PROBE.md"
PAGES = (LANGUAGE, EVIDENCE, HOSTS, PROBE, LINT, TESTING, CHOICES)
EXAMPLES_ARE_CHECKED = frozenset({"gate", "gate-error", "json", "toml", "yaml", "sh", "text", "mermaid", ""})


# ---- pages ---------------------------------------------------------------------------------------------------------


def code_of(page: Path) -> str:
    """All that a page sets as code: blocks and spans."""
    text = page.read_text("utf-8")
    prose = re.sub(r"^(`{3,})[^`\n]*\n.*?^\1`*\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    spans = [found[2] for found in re.finditer(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", prose, re.DOTALL)]
    return "\n".join([*(block.text for block in blocks_of(page)), *spans])


def says(code: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code) is not None


def blocks(language: str, kind: str | None = None) -> list[object]:
    """The blocks of all pages in a language; JSON by what it holds, rules where `kind` is None."""
    return [
        pytest.param(block, id=block.id)
        for page in PAGES
        for block in blocks_of(page)
        if block.language == language and (language != "json" or block.kind == kind)
    ]


def write_files(page: Path, folder: Path) -> None:
    for block in blocks_of(page):
        if block.name is not None:
            (folder / block.name).write_text(block.text, "utf-8")


def loaded_from(block: Block, folder: Path, findings: list[Finding]) -> Loaded | None:
    write_files(block.page, folder)
    suffix = "json" if block.language == "json" else "gate"
    path = folder / (block.name or f"block-{block.line}.{suffix}")
    path.write_text(block.text, "utf-8")
    loaded = load(path, findings.append)
    assert loaded is None or isinstance(loaded, Loaded)
    return loaded


# ---- examples ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES])
def test_every_block_is_of_a_kind_that_is_checked(page: Path) -> None:
    odd = [block.id for block in blocks_of(page) if block.language not in EXAMPLES_ARE_CHECKED]
    assert odd == []
    claims = [block.id for block in blocks_of(page) if block.language == "gate-error" and not block.codes]
    assert claims == []


def test_the_reference_has_examples_to_check() -> None:
    kinds = [block.language for block in blocks_of(LANGUAGE)]
    assert kinds.count("gate") >= 20
    assert kinds.count("gate-error") >= 10
    assert kinds.count("sh") >= 3


@pytest.mark.parametrize("block", blocks("gate"))
def test_rules_in_the_documentation_compile_without_a_finding(block: Block, tmp_path: Path) -> None:
    findings: list[Finding] = []
    loaded = loaded_from(block, tmp_path, findings)
    assert [f"{finding.code}: {finding.message}" for finding in findings] == []
    assert loaded is not None
    assert loaded.rules.rules or loaded.rules.prepare or loaded.rules.hosts
    ir_to_plan(loaded.rules)


@pytest.mark.parametrize("block", blocks("gate"))
def test_rules_in_the_documentation_are_laid_out_as_fmt_writes_them(block: Block) -> None:
    assert format_gate(Source(block.id, block.text), pytest.fail) == block.text


@pytest.mark.parametrize("block", blocks("gate-error"))
def test_mistakes_in_the_documentation_give_the_finding_that_is_named(block: Block, tmp_path: Path) -> None:
    findings: list[Finding] = []
    loaded = loaded_from(block, tmp_path, findings)
    form = next((word for word in block.words if word in FORMS), None)
    if form is not None:
        assert loaded is not None
        convert(loaded, form, findings.append)  # pyright: ignore[reportArgumentType]
    assert {finding.code for finding in findings} == block.codes


@pytest.mark.parametrize("block", blocks("json"))
def test_rules_in_json_load_without_an_error(block: Block, tmp_path: Path) -> None:
    findings: list[Finding] = []
    loaded = loaded_from(block, tmp_path, findings)
    assert [finding.message for finding in findings if finding.is_error] == []
    assert loaded is not None
    assert loaded.rules.rules


@pytest.mark.parametrize("block", blocks("json", "record"))
def test_run_records_are_read_without_a_finding(block: Block) -> None:
    findings: list[Finding] = []
    record = records.read_record(Source(block.id, block.text), findings.append, default_id="run")
    assert [finding.message for finding in findings] == []
    assert record is not None
    Draft202012Validator(run_schema()).validate(json.loads(block.text))


@pytest.mark.parametrize("block", blocks("json", "result"))
def test_results_are_what_their_schema_says(block: Block) -> None:
    Draft202012Validator(result_schema()).validate(json.loads(block.text))


@pytest.mark.parametrize("block", blocks("toml"))
def test_inventories_and_settings_are_read_without_a_finding(block: Block, tmp_path: Path) -> None:
    findings: list[Finding] = []
    if block.name == SETTINGS_FILE:
        (tmp_path / SETTINGS_FILE).write_text(block.text, "utf-8")
        read: object = read_settings(tmp_path / SETTINGS_FILE, findings.append)
        assert read != Settings(tmp_path / SETTINGS_FILE)
    else:
        read = parse_inventory(Source(block.id, block.text), tmp_path, findings.append)
    assert [finding.message for finding in findings] == []
    assert read is not None


@pytest.mark.parametrize("block", blocks("yaml"))
def test_configurations_of_pre_commit_name_the_hooks_that_there_are(block: Block) -> None:
    hooks = re.findall(r"^- id: (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^ +- id: (\S+)$", block.text, re.MULTILINE) == hooks


@pytest.mark.parametrize("page", [pytest.param(page, id=page.name) for page in PAGES])
def test_commands_of_a_page_run_and_print_what_it_says(page: Path, tmp_path: Path) -> None:
    """Commands run in one folder with the named blocks of their page, and end with 0 or as `# exits N` says."""
    write_files(page, tmp_path)
    environment = command_environment(tmp_path)
    printed = ""
    faults: list[str] = []
    for block in blocks_of(page):
        if block.kind == "output":
            if printed != block.text:
                faults.append(f"{block.id}: printed was\n{printed}")
        elif block.language == "sh":
            printed = ""
            for command, status in commands_in(block.text):
                ended = subprocess.run(
                    ["sh", "-c", command],
                    cwd=tmp_path,
                    env=environment,
                    capture_output=True,
                    stdin=subprocess.DEVNULL,
                    timeout=60,
                    check=False,
                )
                printed += ended.stdout.decode()
                if ended.returncode != status:
                    told = ended.stderr.decode()
                    faults.append(f"{block.id}: {command} ended with {ended.returncode}, not {status}\n{told}")
    assert "\n".join(faults) == ""


def command_environment(folder: Path) -> dict[str, str]:
    """An environment whose `gatewright` is the one under test, as a program of this interpreter."""
    programs = folder / ".programs"
    programs.mkdir()
    program = programs / "gatewright"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gatewright.runtime "$@"\n')
    program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "COLUMNS")}
    return {**kept, "PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}


def commands_in(text: str) -> Iterator[tuple[str, int]]:
    for line in text.replace("\\\n", "").splitlines():
        ends = re.search(r"\s+# exits (\d+)$", line)
        if line.strip():
            yield line, int(ends[1]) if ends else 0


# ---- completeness --------------------------------------------------------------------------------------------------


def test_the_reference_has_every_word_of_the_grammar() -> None:
    grammar = (ROOT / "grammar" / "gate.lark").read_text("utf-8")
    words = re.findall(r"^[A-Z_]+\.\d: /([a-z_]+)\(\?!", grammar, re.MULTILINE)
    assert len(words) > 50
    code = code_of(LANGUAGE)
    assert [word for word in (*words, "at least", "at most") if not says(code, word)] == []


def test_the_reference_has_every_word_of_the_formats() -> None:
    code = code_of(LANGUAGE)
    keys = {field.key for form in FORMS.values() for shape in form.values() for field in shape.fields}
    validators = {name for form in FORMS.values() for name in form}
    words = {*TARGETS, *RESOLUTION_STATUSES, *OLD_STATUSES, *validators, *keys}
    assert sorted(word for word in words if not says(code, word)) == []


def test_the_index_of_findings_has_exactly_the_pages() -> None:
    rows = [line for line in FINDINGS.read_text("utf-8").splitlines() if line.startswith("| [")]
    assert rows == [
        f"| [{page.code}](../compiler/pages/{page.code}.md) | {page.slug} | {CATALOGUE[page.code].severity} "
        f"| {page.summary.replace('|', chr(92) + '|')} |"
        for page in pages()
    ]


def test_tables_of_findings_agree_with_the_catalogue() -> None:
    rows = "".join(page.read_text("utf-8") for page in PAGES)
    found = re.findall(r"^\| (GW\d+) \| (\S+) \| (\S+) \|", rows, re.MULTILINE)
    assert len(found) > 20
    known = [(kind.code, kind.slug, kind.severity.value) for kind in CATALOGUE.values()]
    assert [row for row in found if row not in known] == []


def test_the_page_on_evidence_has_every_key() -> None:
    code = code_of(EVIDENCE)
    record = {
        *records.RECORD_KEYS,
        *records.JOB_KEYS,
        *records.TASK_KEYS,
        *records.TICKET_KEYS,
        *records.HOST_ANSWER_KEYS,
        *records.PLAYBOOK_KEYS,
    }
    keys = {*record, *property_names(result_schema()), *property_names(results_schema())}
    assert sorted(key for key in keys if not says(code, key)) == []


def test_the_page_on_lint_has_every_option_of_the_command() -> None:
    command = lint_command.command
    options = {max(parameter.opts, key=len) for parameter in command.params if parameter.opts[0].startswith("-")}
    untold = {"--color", "--jobs", "--output"}
    assert sorted(name for name in options - untold if not says(code_of(LINT), name)) == []


def test_the_page_on_hosts_has_every_key_of_an_inventory() -> None:
    assert sorted(key for key in HostSettings.model_fields if not says(code_of(HOSTS), key)) == []


def property_names(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for value in schema.values():
            yield from property_names(value)


def test_the_page_on_evidence_has_every_format_and_command() -> None:
    code = code_of(EVIDENCE)
    assert [name for name in (*FORMATS, *RESULT_FORMATS) if not says(code, name)] == []
    text = EVIDENCE.read_text("utf-8")
    assert [name for name in COMMANDS if f"\n| `gatewright {name}" not in text] == []


# ---- links ---------------------------------------------------------------------------------------------------------


def markdown_files() -> list[Path]:
    return [
        path
        for path in sorted(ROOT.rglob("*.md"))
        if not any(part.startswith(".") or part == "node_modules" for part in path.relative_to(ROOT).parts)
    ]


@pytest.mark.parametrize("page", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in markdown_files()])
def test_relative_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^(`{3,})[^`\n]*\n.*?^\1`*\s*$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", prose)
    dead: list[str] = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = page if not path else (page.parent / path)
        if not target.exists() or (fragment and target.suffix == ".md" and fragment not in anchors_of(target)):
            dead.append(link)
    assert dead == []


def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor := plain if not number else f"{plain}-{number}") in anchors:
            number += 1
        anchors.add(anchor)
    return anchors
