"""`gatewright lint`: what it reads, what it ends with, what is chosen, fixes, and what is said beside the findings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from support import call, call_ending_with

from gatewright.compiler.findings import GW203, Edit, Finding, Fix
from gatewright.compiler.folders import RealFolders
from gatewright.runtime.cli.common import standard_input
from gatewright.runtime.lint.scene import Scene

GOOD = """\
scenario "s"
hosts    web-01

require "Serves again": on web-01 run `test -e /run/up`
"""
TWICE = GOOD + 'require "Serves again": task_count 1..2\n'
WRITTEN_OUT = '[{"label": "up", "validator": "host_state", "run": "test -e /run/up", "exit_code": 0}]'
BROKEN = "require oops\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**texts: str) -> None:
    for name, text in texts.items():
        Path(name.replace("__", "/").replace("_json", ".json").replace("_gate", ".gate")).write_text(text, "utf-8")


# ---- what is read, and the exit status -------------------------------------------------------------------------------


def test_clean_file_ends_with_0_and_prints_nothing_on_standard_output() -> None:
    write(a_gate=GOOD)
    called = call_ending_with(0, "lint", "a.gate")
    assert called.stdout == ""
    assert called.stderr == "no findings in 1 file\n"


def test_finding_ends_with_1_and_stands_on_standard_output() -> None:
    write(a_gate=TWICE)
    called = call_ending_with(1, "lint", "a.gate")
    assert called.stdout.startswith("a.gate:5:9: GW306 warning: ")
    assert "1 warning in 1 file" in called.stderr


def test_file_that_does_not_parse_is_a_finding() -> None:
    write(a_gate=BROKEN)
    called = call_ending_with(1, "lint", "a.gate")
    assert ": GW101 error: " in called.stdout


def test_folder_is_searched_and_what_holds_no_rules_is_passed_over(folder: Path) -> None:
    (folder / "sub").mkdir()
    write(a_gate=TWICE, sub__b_json=WRITTEN_OUT, c_json='{"schema": "gatewright/run/1", "validator": 1}')
    called = call_ending_with(1, "lint", ".")
    assert "a.gate:" in called.stdout
    assert "sub/b.json:" in called.stdout
    assert "in 2 files" in called.stderr


@pytest.mark.parametrize("path", ["empty", "missing.gate", ""])
def test_nothing_to_lint_ends_with_2(folder: Path, path: str) -> None:
    (folder / "empty").mkdir()
    called = call_ending_with(2, "lint", path)
    assert called.stdout == ""
    assert "Error: " in called.stderr


def test_plan_is_no_file_of_rules() -> None:
    write(a_gate=GOOD)
    call_ending_with(0, "compile", "a.gate", "-o", "plan.json")
    assert "is a plan" in call_ending_with(2, "lint", "plan.json").stderr


def test_standard_input_is_a_gate_file_or_json() -> None:
    called = call_ending_with(1, "lint", "-", stdin=TWICE.encode())
    assert called.stdout.startswith("<stdin>:5:9: GW306 ")
    called = call_ending_with(0, "lint", "-", "--format", "json", "--ignore", "GW308", stdin=WRITTEN_OUT.encode())
    (finding,) = json.loads(called.stdout)["findings"]
    assert finding["code"] == "GW310"
    call_ending_with(2, "lint", "-", "--fix", stdin=TWICE.encode())


def test_fix_that_is_shown_for_standard_input_is_in_its_language() -> None:
    rule = GOOD + 'require "r": executed_commands matches `ping 10.0.0.1`\n'
    shown = call("lint", "-", "--format", "json", "--select", "GW202", stdin=rule.encode()).stdout
    assert json.loads(shown)["findings"][0]["fix"]["edits"][0]["text"] == r"`ping 10\.0\.0\.1`"
    text = '[{"label": "r", "validator": "pattern_match", "where": "executed_commands", "pattern": "ping 10.0.0.1"}]'
    shown = call("lint", "-", "--format", "json", "--select", "GW202", stdin=text.encode()).stdout
    assert json.loads(shown)["findings"][0]["fix"]["edits"][0]["text"] == r'"ping 10\\.0\\.0\\.1"'


def test_json_on_standard_input_has_no_allow_comments() -> None:
    text = '[{"label": "# allow(GW203): x", "validator": "host_state", "run": "test -e /x"}\n# allow(GW203): x\n]'
    called = call("lint", "-", stdin=text.encode())
    assert "GW902" not in called.stdout


def test_standard_input_that_is_closed_is_a_wrong_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatewright.runtime.cli.common.sys", SimpleNamespace(stdin=None))
    with pytest.raises(click.UsageError, match="closed"):
        standard_input()


def test_links_in_a_circle_are_told_and_not_followed(folder: Path) -> None:
    (folder / "loop.gate").symlink_to("loop.gate")
    call_ending_with(2, "lint", "loop.gate")
    assert "cannot read loop.gate" in call_ending_with(2, "lint", ".").stderr


def test_pipes_below_a_folder_are_passed_over(folder: Path) -> None:
    for name in ("pipe.gate", "pipe.json"):
        os.mkfifo(folder / name)
    write(a_gate=GOOD)
    call_ending_with(0, "lint", ".")


def test_folder_that_cannot_be_read_ends_with_2(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "secret").mkdir()
    write(a_gate=GOOD, secret__b_gate=TWICE)
    scandir = os.scandir

    def refusing(where: str) -> object:
        if Path(where).name == "secret":
            raise PermissionError(13, "Permission denied", where)
        return scandir(where)

    monkeypatch.setattr("gatewright.compiler.discover.os.scandir", refusing)
    called = call_ending_with(2, "lint", ".")
    assert called.stderr == "Error: cannot read secret: is a directory\nno findings in 1 file\n"


def test_paths_may_be_deeper_than_calls_may_nest() -> None:
    for deep in ("/a" * 1500, "a/" * 1500 + "a"):
        real = RealFolders()
        assert real.of(deep).count("/a") >= 1500
        assert real.of("/a/b") == "/a/b"


def test_file_with_two_names_is_linted_once(folder: Path) -> None:
    write(a_gate=TWICE)
    assert codes("a.gate", str(folder / "a.gate"), f"../{folder.name}/a.gate") == ["GW306"]


def test_allow_comments_count_in_standard_input() -> None:
    text = TWICE.replace("task_count 1..2", "task_count 1..2  # allow(GW306): meant so")
    call_ending_with(0, "lint", "-", stdin=text.encode())


def test_fail_level_says_what_ends_with_1() -> None:
    write(a_gate=TWICE, b_json=WRITTEN_OUT)
    call_ending_with(0, "lint", "a.gate", "--fail-level", "error")
    call_ending_with(0, "lint", "b.json", "--ignore", "GW308")
    call_ending_with(1, "lint", "b.json", "--ignore", "GW308", "--fail-level", "info")
    write(c_gate=BROKEN)
    call_ending_with(1, "lint", "c.gate", "--fail-level", "error")


# ---- what is chosen --------------------------------------------------------------------------------------------------


def codes(*arguments: str, code: int | None = None) -> list[str]:
    called = call("lint", *arguments, "--format", "json")
    assert code is None or called.code == code, called.stderr
    return [finding["code"] for finding in json.loads(called.stdout)["findings"]]


def test_codes_are_selected_and_ignored_by_code_family_and_slug() -> None:
    write(a_json=WRITTEN_OUT)
    assert codes("a.json") == ["GW308", "GW310"] or codes("a.json") == ["GW310"]
    assert codes("a.json", "--select", "GW310") == ["GW310"]
    assert codes("a.json", "--select", "GW2,no-effect") == ["GW310"]
    assert codes("a.json", "--ignore", "GW3") == []
    assert codes("a.json", "--select", "GW3", "--ignore", "no-effect") in ([], ["GW308"])


def test_code_that_does_not_exist_is_refused_with_a_suggestion() -> None:
    write(a_gate=GOOD)
    assert "did you mean “loose-word”?" in call_ending_with(2, "lint", "a.gate", "--select", "loose-wrd").stderr


def test_broken_file_is_told_whatever_is_selected() -> None:
    write(a_gate=BROKEN)
    assert codes("a.gate", "--select", "GW3", code=1) == ["GW101"]


def test_settings_count_where_the_call_says_nothing() -> None:
    write(a_gate=TWICE)
    Path("gatewright.toml").write_text('[lint]\nignore = ["GW306"]\n')
    assert codes("a.gate", code=0) == []
    assert codes("a.gate", "--select", "GW306", code=1) == ["GW306"]
    Path("gatewright.toml").write_text('[lint]\nfail-level = "error"\n')
    assert codes("a.gate", code=0) == ["GW306"]
    assert codes("a.gate", "--fail-level", "warning", code=1) == ["GW306"]


def test_wrong_settings_end_with_2() -> None:
    write(a_gate=GOOD)
    Path("gatewright.toml").write_text("[lnt]\n")
    called = call_ending_with(2, "lint", "a.gate")
    assert "gatewright.toml:1:2: GW102 error" in called.stderr


# ---- allowed findings ------------------------------------------------------------------------------------------------


def allow(**keys: str) -> str:
    lines = [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(["[[allow]]", *lines, ""])


def test_table_allows_a_finding_of_a_rule_in_json(folder: Path) -> None:
    (folder / "x").mkdir()
    write(x__a_json=WRITTEN_OUT)
    settings = folder / "gatewright.toml"
    settings.write_text(allow(path='"x/*.json"', label='"up"', code='"GW310"', reason='"meant so"'))
    assert "GW310" not in codes("x", "--fail-level", "info")
    settings.write_text(allow(path='"x/*.json"', label='"down"', code='"GW310"', reason='"meant so"'))
    assert {"GW310", "GW902"} <= set(codes("x"))
    settings.write_text(allow(path='"x/*.json"', code='"GW310"'))
    found = codes("x", code=1)
    assert "GW903" in found
    assert "GW310" not in found


def test_table_that_is_over_allows_nothing_and_is_told(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    keys = {"path": '"a.json"', "code": '"GW310"', "reason": '"meant so"'}
    (folder / "gatewright.toml").write_text(allow(**keys, until="2020-01-01"))
    assert {"GW310", "GW902"} <= set(codes("a.json"))
    (folder / "gatewright.toml").write_text(allow(**keys, until="9999-01-01"))
    assert not {"GW310", "GW902"} & set(codes("a.json"))


def test_table_for_files_that_were_not_read_is_not_told(folder: Path) -> None:
    write(a_gate=GOOD, b_json=WRITTEN_OUT)
    (folder / "gatewright.toml").write_text(allow(path='"b.json"', code='"GW203"', reason='"r"'))
    assert codes("a.gate") == []
    assert "GW902" in codes("b.json")


def test_tables_of_several_settings_are_not_taken_for_each_other(folder: Path) -> None:
    for name, path in (("x", "a.json"), ("y", "other.json")):
        (folder / name).mkdir()
        (folder / name / "a.json").write_text(WRITTEN_OUT)
        (folder / name / "gatewright.toml").write_text(allow(path=f'"{path}"', code='"GW310"', reason='"r"'))
    assert "GW902" not in codes(".")


def test_table_for_what_only_some_calls_look_for_is_not_told(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    (folder / "gatewright.toml").write_text(allow(path='"a.json"', code='"GW602"', reason='"r"'))
    assert "GW902" not in codes("a.json")


def test_table_of_a_fragment_is_of_use_also_where_it_is_included(folder: Path) -> None:
    write(common_gate='require "once": task_count 1\n', a_gate=f'{GOOD}include "common.gate"\n')
    (folder / "gatewright.toml").write_text(allow(path='"common.gate"', code='"GW308"', reason='"a part"'))
    for path in ("common.gate", "."):
        assert not {"GW308", "GW902"} & set(codes(path))


def test_table_names_a_link_by_where_it_stands(folder: Path) -> None:
    (folder / "x").mkdir()
    (folder / "y").mkdir()
    (folder / "y" / "real.json").write_text(WRITTEN_OUT)
    (folder / "x" / "link.json").symlink_to("../y/real.json")
    (folder / "x" / "gatewright.toml").write_text(allow(path='"link.json"', code='"GW310"', reason='"r"'))
    assert not {"GW310", "GW902"} & set(codes("x"))


def test_fragment_that_another_file_includes_is_not_judged_as_a_whole() -> None:
    write(common_gate='require "once": task_count 1\n', a_gate=f'{GOOD}include "common.gate"\n')
    assert "GW308" in codes("common.gate")
    assert codes(".") == []


def test_finding_of_an_included_file_is_told_once() -> None:
    write(common_gate='require "x": task_count 3..1\n', a_gate=f'{GOOD}include "common.gate"\n')
    Path("b.gate").write_text('scenario "b"\ninclude "common.gate"\nrequire "up": run `test -e /x`\n')
    assert codes(".") == ["GW110"]


# ---- fixes -----------------------------------------------------------------------------------------------------------


def test_safe_fixes_are_made_in_place_and_once(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    called = call("lint", "a.json", "--fix", "--select", "GW310")
    assert called.code == 0
    assert "1 fix made in 1 file" in called.stderr
    fixed = Path("a.json").read_text()
    assert json.loads(fixed) == [{"label": "up", "validator": "host_state", "run": "test -e /run/up"}]
    call_ending_with(0, "lint", "a.json", "--fix", "--select", "GW310")
    assert Path("a.json").read_text() == fixed


def test_diff_shows_the_fixes_and_changes_nothing() -> None:
    write(a_json=WRITTEN_OUT)
    called = call_ending_with(1, "lint", "a.json", "--diff", "--select", "GW310")
    assert called.stdout.startswith("--- a.json\n+++ a.json (fixed)\n")
    assert Path("a.json").read_text() == WRITTEN_OUT
    write(b_gate=GOOD)
    assert call_ending_with(0, "lint", "b.gate", "--diff").stdout == ""


def test_what_is_not_selected_or_is_allowed_is_not_fixed(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    call("lint", "a.json", "--fix", "--ignore", "GW310")
    assert Path("a.json").read_text() == WRITTEN_OUT
    (folder / "gatewright.toml").write_text(allow(path='"a.json"', code='"GW310"', reason='"meant so"'))
    call("lint", "a.json", "--fix")
    assert Path("a.json").read_text() == WRITTEN_OUT


def test_diff_of_a_file_with_a_byte_order_mark_shows_the_fix_alone() -> None:
    Path("a.json").write_text("\ufeff[\n" + WRITTEN_OUT[1:-1] + "\n]\n", "utf-8")
    shown = call_ending_with(1, "lint", "a.json", "--diff").stdout
    assert [line[:6] for line in shown.splitlines() if line[:1] in "+-"][2:] == ['-{"lab', '+{"lab']


def test_diff_ends_with_2_where_a_file_cannot_be_read(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    (folder / "b.gate").symlink_to("nowhere")
    call_ending_with(2, "lint", ".", "--diff")


def test_file_behind_a_link_is_fixed_once_and_the_link_stays(folder: Path) -> None:
    write(a_json=WRITTEN_OUT)
    (folder / "b.json").symlink_to("a.json")
    assert "1 fix made in 1 file" in call("lint", ".", "--fix", "--select", "GW310").stderr
    assert (folder / "b.json").is_symlink()
    assert "exit_code" not in (folder / "a.json").read_text()


def test_fix_that_brings_an_error_about_is_not_made_whatever_is_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(scene: Scene) -> Iterator[Finding]:
        for use in scene.patterns:
            if use.span is not None:
                yield Finding(GW203, "m", use.span, fix=Fix("break it", (Edit(use.span, "`(`"),), is_safe=True))

    monkeypatch.setattr("gatewright.runtime.lint.one_file.findings_of", breaking)
    text = GOOD + 'require "r": executed_commands matches `x`\n'
    write(a_gate=text)
    call("lint", "a.gate", "--fix", "--select", "GW203")
    assert Path("a.gate").read_text() == text


def test_byte_order_mark_and_line_ends_survive_fixes() -> None:
    text = '\ufeff[\r\n  {"label": "up", "validator": "host_state", "run": "x", "exit_code": 0}\r\n]\r\n'
    Path("a.json").write_bytes(text.encode())
    call("lint", "a.json", "--fix")
    assert Path("a.json").read_bytes() == text.replace(', "exit_code": 0', "").encode()


# ---- a baseline ------------------------------------------------------------------------------------------------------


def test_host_rules_that_held_before_the_run_are_told() -> None:
    rules = 'require "true": on web-01 run `test -d /`\nrequire "false": on web-01 run `test -e /nothing-there`\n'
    write(a_gate=f'scenario "s"\nhosts web-01\n{rules}')
    Path("hosts.toml").write_text('[hosts.web-01]\nconnection = "local"\n')
    call_ending_with(0, "baseline", "a.gate", "--inventory", "hosts.toml", "-o", "before.json")
    assert codes("a.gate", code=0) == []
    called = call_ending_with(1, "lint", "a.gate", "--baseline", "before.json", "--format", "json")
    (finding,) = json.loads(called.stdout)["findings"]
    assert (finding["code"], finding["rule"]) == ("GW509", "true")
    Path("b.gate").write_text(Path("a.gate").read_text().replace('"s"', '"another"'))
    call_ending_with(0, "lint", "b.gate", "--baseline", "before.json")
    Path("broken.json").write_text("{}")
    call_ending_with(2, "lint", "a.gate", "--baseline", "broken.json")


# ---- outputs ---------------------------------------------------------------------------------------------------------


def test_several_formats_go_to_several_places() -> None:
    write(a_gate=TWICE)
    called = call_ending_with(1, "lint", "a.gate", "--format", "text", "--format", "json=f.json")
    assert "GW306" in called.stdout
    assert json.loads(Path("f.json").read_text())["findings"][0]["code"] == "GW306"


@pytest.mark.parametrize("place", ["-", "/dev/stdout"])
def test_two_formats_do_not_both_go_to_standard_output(place: str) -> None:
    write(a_gate=TWICE)
    called = call_ending_with(2, "lint", "a.gate", "--format", "text", "--format", f"json={place}")
    assert "same place" in called.stderr


def test_report_never_replaces_what_it_is_made_of() -> None:
    write(a_json=WRITTEN_OUT)
    call_ending_with(2, "lint", "a.json", "--format", "json=a.json")
    assert Path("a.json").read_text() == WRITTEN_OUT


def test_report_replaces_no_file_that_was_found_in_a_folder(folder: Path) -> None:
    write(a_gate=f'{GOOD}include "common.inc"\n')
    Path("common.inc").write_text("[]")
    Path("gatewright.toml").write_text("")
    for name in ("a.gate", "common.inc", "gatewright.toml"):
        before = Path(name).read_text()
        call_ending_with(2, "lint", ".", "--format", f"json={name}")
        assert Path(name).read_text() == before


def test_summary_says_what_can_be_fixed() -> None:
    write(a_json=WRITTEN_OUT)
    assert "1 can be fixed with --fix" in call("lint", "a.json").stderr


def test_verbose_says_what_was_not_decided() -> None:
    write(
        a_gate=GOOD
        + 'require "one": executed_commands matches `(?=a)nginx reload`\n'
        + 'require "two": executed_commands never matches `(?=b)nginx \\w+`\n'
    )
    assert "not decided" not in call("lint", "a.gate").stderr
    told = call("lint", "a.gate", "--verbose").stderr
    assert "not decided: a.gate:" in told
    assert "GW304" in told


def test_cached_and_fresh_answers_are_the_same() -> None:
    write(a_gate=TWICE, b_json=WRITTEN_OUT)
    fresh = call("lint", ".", "--no-cache")
    first, second = call("lint", "."), call("lint", ".")
    assert (fresh.code, fresh.stdout, fresh.stderr) == (first.code, first.stdout, first.stderr)
    assert (first.code, first.stdout, first.stderr) == (second.code, second.stdout, second.stderr)
