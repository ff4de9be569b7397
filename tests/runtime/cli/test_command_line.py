"""The command line as a whole: help, versions, mistakes, what is imported when."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMANDS = (
    "grade",
    "lint",
    "probe",
    "test",
    "init",
    "fmt",
    "convert",
    "compile",
    "explain",
    "import",
    "prepare",
    "baseline",
    "restore",
    "schema",
)

IMPORTS_OF = """
import sys
import time
from gatewright.runtime.cli import main
before = set(sys.builtin_module_names)
sys.argv = ["gatewright", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
ours = sorted(name for name in sys.modules if name.startswith("gatewright."))
others = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"gatewright", "__main__"}
print("\\n" + " ".join(ours))
print(" ".join(sorted(name for name in others if not name.startswith(("_", "sitecustomize")))))
"""


def imported_by(*arguments: str | Path) -> tuple[set[str], set[str]]:
    """The modules of Gatewright, and the packages of others, that a call has imported when it ends."""
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTS_OF, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    ours, others = ended.stdout.rsplit("\n", 3)[1:3]
    return {name.removeprefix("gatewright.") for name in ours.split()}, set(others.split())


def test_without_arguments_a_newcomer_learns_what_to_type(gatewright) -> None:
    ended = gatewright()
    assert ended.returncode == 0
    assert "gatewright grade RULES --run RUN" in ended.stdout
    assert ended.stderr == ""


def test_help_lists_every_command_with_its_line(gatewright) -> None:
    ended = gatewright("--help")
    assert ended.returncode == 0
    for command in COMMANDS:
        assert f"  {command}  " in ended.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(gatewright, command: str) -> None:
    ended = gatewright(command, "--help")
    assert ended.returncode == 0
    assert f"gatewright {command} " in ended.stdout.split("Example")[1]


def test_a_mistyped_command_is_told_with_a_suggestion(gatewright) -> None:
    ended = gatewright("conver")
    assert ended.returncode == 2
    assert "there is no command “conver”; did you mean “convert”?" in ended.stderr


@pytest.mark.parametrize("arguments", [("grade",), ("grade", "x.gate"), ("grade", "x.gate", "--run"), ("schema", "x")])
def test_a_wrong_call_ends_with_2_and_says_why(gatewright, arguments: tuple[str, ...]) -> None:
    ended = gatewright(*arguments)
    assert ended.returncode == 2
    assert "Error: " in ended.stderr
    assert ended.stdout == ""


def test_the_version_answers_with_click_alone() -> None:
    ours, others = imported_by("--version")
    assert ours == {"runtime", "runtime.cli", "runtime.version"}
    assert others <= {"click"}


FMT_IMPORTS = {
    "compiler",
    "compiler.discover",
    "compiler.findings",
    "compiler.folders",
    "compiler.settings",
    "compiler.sources",
    "grammar",
    "grammar.text",
    "runtime",
    "runtime.cli",
    "runtime.cli.common",
    "runtime.cli.fmt_command",
    "runtime.reports",
    "runtime.reports.escape",
}
FMT_GATE_IMPORTS = FMT_IMPORTS | {
    "compiler.format_gate",
    "compiler.gate_faults",
    "grammar.build_tree",
    "grammar.fault_literals",
    "grammar.fault_words",
    "grammar.faults",
    "grammar.layout",
    "grammar.layout_lines",
    "grammar.literals",
    "grammar.parser",
    "grammar.resume",
    "grammar.syntax",
    "grammar.table",
}
FMT_JSON_IMPORTS = FMT_IMPORTS | {
    "compiler.format_json",
    "compiler.json_kind",
    "compiler.json_layout",
    "compiler.json_rewrite",
    "compiler.json_text",
    "compiler.json_tree",
    "compiler.vocabulary",
}


def test_fmt_of_a_gate_file_imports_lark_and_of_rules_nothing(tmp_path: Path) -> None:
    rules = tmp_path / "a.gate"
    rules.write_text('require "One task": task_count 1\n')
    ours, others = imported_by("fmt", "--check", rules)
    assert ours == FMT_GATE_IMPORTS
    assert others <= {"click", "lark"}


def test_fmt_of_a_json_file_imports_neither_lark_nor_pydantic(tmp_path: Path) -> None:
    rules = tmp_path / "a.json"
    rules.write_text("[]\n")
    ours, others = imported_by("fmt", "--check", rules)
    assert ours == FMT_JSON_IMPORTS
    assert others <= {"click"}


def test_grading_without_hosts_imports_neither_paramiko_nor_jinja(tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text('require "One task": task_count 1\n')
    (tmp_path / "r.json").write_text('{"job": {"status": "completed", "tasks": [{}]}}')
    _, others = imported_by("grade", tmp_path / "a.gate", "--run", tmp_path / "r.json")
    assert others.isdisjoint({"paramiko", "cryptography", "jinja2"})
    assert {"lark", "pydantic"} <= others


def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    command = f"{sys.executable} -m gatewright.runtime schema scenario | head -n 1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ended.stdout == "{\n"
    assert ended.stderr == ""


def test_text_of_rules_never_reaches_a_terminal_raw(gatewright, tmp_path: Path) -> None:
    hostile = "\\u001b]0;gone\\u0007 \\u202e \\u009b2J"
    (tmp_path / "a.gate").write_text(f'hosts "{hostile}"\nrequire "{hostile}": on "{hostile}" run "{hostile}"\n')
    (tmp_path / "r.json").write_text(f'{{"id": "{hostile}", "job": {{"status": "{hostile}", "tasks": []}}}}')
    calls = (
        ("explain", "a.gate"),
        ("grade", "a.gate", "--run", "r.json"),
        ("grade", "a.gate", "--run", "r.json", "--only", "x"),
        ("grade", "a.gate", "--run", "r.json", "--format", "json"),
        ("grade", "a.gate", "--run", "r.json", "--dry-run"),
        ("convert", "a.gate", "--to", "grouped"),
        ("convert", "a.gate", "--to", "flat"),
        ("convert", "a.gate", "--to", "gate"),
        ("compile", "a.gate"),
        ("import", "r.json"),
    )
    for call in calls:
        ended = gatewright(*call)
        said = ended.stdout + ended.stderr
        assert "gone" in said, call
        assert not set(said) & set("\x1b\x07\u202e\x9b"), call


def test_a_terminated_call_leaves_no_command_behind(tmp_path: Path) -> None:
    marker = tmp_path / "over"
    (tmp_path / "a.gate").write_text(f'require "x": run `touch {tmp_path}/begun; sleep 4; touch {marker}`\n')
    (tmp_path / "r.json").write_text('{"job": {}}')
    (tmp_path / "h.toml").write_text('[hosts.a]\nconnection = "local"\nshell = "/bin/sh"\n')
    arguments = ["grade", "a.gate", "--run", "r.json", "--inventory", "h.toml"]
    process = subprocess.Popen([sys.executable, "-m", "gatewright.runtime", *arguments], cwd=tmp_path)
    while not (tmp_path / "begun").exists() and process.poll() is None:
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=30) == 143
    time.sleep(4.5)
    assert not marker.exists()


def test_lint_of_files_that_are_known_imports_neither_lark_nor_pydantic(tmp_path: Path) -> None:
    file = tmp_path / "a.gate"
    file.write_text('scenario "s"\nhosts a\n\nrequire "x": run `test -e /x`\n')
    imported_by("lint", file)
    ours, others = imported_by("lint", file)
    assert others <= {"click"}
    assert not {name for name in ours if name.startswith(("compiler.ir", "compiler.load", "grammar.syntax"))}
    assert "runtime.lint.one_file" not in ours


def test_lint_of_json_without_patterns_loads_neither_lark_nor_an_engine(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('[{"label": "x", "validator": "host_state", "run": "test -e /x"}]')
    ours, others = imported_by("lint", "--no-cache", file)
    assert not others & {"lark", "corvus_regex_ecma262", "re2", "quickjs", "jinja2", "paramiko"}
    assert not {"grammar.syntax", "compiler.plan", "runtime.lint.patterns", "runtime.lint.conversion"} & ours
