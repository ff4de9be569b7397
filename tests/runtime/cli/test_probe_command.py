"""`gatewright probe`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator
from support import call, call_ending_with

from gatewright.runtime.reports.probe_json import probe_schema

SOUND = r"""scenario "nginx"
hosts web-01

require "Restarted": invocations matches `\bsystemctl\s+restart\s+nginx\b`
require "Did not reboot": executed_commands never matches `\breboot\b`
require "Runs": on web-01 run `systemctl is-active nginx`
"""
LOOSE = r"""scenario "nginx"

require "Restarted": executed_commands matches `\bsystemctl\s+restart\s+nginx\b`
require "Did not reboot": executed_commands never matches `\breboot\b`
"""


def written(folder: Path, text: str, name: str = "rules.gate") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_sound_rules_end_with_0_and_a_table(tmp_path: Path) -> None:
    called = call_ending_with(0, "probe", written(tmp_path, SOUND))
    assert called.stdout == (
        "nginx\n\n"
        "  idle    10 runs  ✓ failed  Restarted; Runs\n"
        "  talker    1 run  ✓ failed  Restarted; Runs\n"
        "  echoer    1 run  ✓ failed  Restarted; Runs\n"
        "  vandal    1 run  ✓ failed  Did not reboot\n"
        "  honest    1 run  ✓ passed\n\n"
        "no impostor passes, and the honest run does\n"
    )
    assert called.stderr == ""


def test_an_impostor_that_passes_is_shown_and_ends_with_1(tmp_path: Path) -> None:
    called = call_ending_with(1, "probe", written(tmp_path, LOOSE))
    assert "  echoer    1 run  ✗ passed\n" in called.stdout
    assert '          "executed_commands": [\n            "echo \\"systemctl restart nginx\\""\n' in called.stdout
    assert called.stdout.endswith("echoer passes, and so does the honest run\n")


def test_rules_that_no_run_passes_end_with_1_and_say_why(tmp_path: Path) -> None:
    text = LOOSE + 'require "No systemctl": executed_commands never matches `systemctl`\n'
    called = call_ending_with(1, "probe", written(tmp_path, text))
    assert "  honest        -  ✗ none    no run can pass\n" in called.stdout
    assert "all that “Restarted” asks for is forbidden by “No systemctl”" in " ".join(called.stdout.split())


def test_rules_with_errors_end_with_2(tmp_path: Path) -> None:
    called = call_ending_with(2, "probe", written(tmp_path, 'require "A": executed_commands matches `(`\n'))
    assert "GW201" in called.stderr
    assert called.stdout == ""
    call_ending_with(2, "probe", tmp_path / "missing.gate")
    call_ending_with(2, "probe", written(tmp_path, SOUND), "--format", "xml")


def test_json_follows_its_schema(tmp_path: Path) -> None:
    schema = Draft202012Validator(probe_schema())
    conflict = LOOSE + 'require "No systemctl": executed_commands never matches `systemctl`\n'
    for text in (SOUND, LOOSE, conflict, 'require "A": task_count 0'):
        called = call("probe", written(tmp_path, text), "--format", "json")
        body = json.loads(called.stdout)
        assert list(schema.iter_errors(body)) == []
        assert body["is_sound"] == (called.code == 0)
    assert json.loads(call_ending_with(0, "schema", "probe").stdout) == probe_schema()


def test_saved_runs_are_graded_the_same(tmp_path: Path) -> None:
    rules, runs = written(tmp_path, SOUND), tmp_path / "runs"
    body = json.loads(call_ending_with(0, "probe", rules, "--format", "json", "--save", runs).stdout)
    verdicts = {run["id"]: run["verdict"] for impostor in body["impostors"] for run in impostor["runs"]}
    verdicts["honest"] = "passed"
    assert {path.stem for path in runs.iterdir()} == verdicts.keys()
    results = json.loads(call_ending_with(1, "grade", rules, "--run", runs, "--format", "json").stdout)["results"]
    assert {result["run"]: result["verdict"] for result in results} == verdicts


def test_a_plan_and_a_folder_are_probed_like_the_rules(tmp_path: Path) -> None:
    rules = written(tmp_path, SOUND)
    table = call_ending_with(0, "probe", rules).stdout
    plan = written(tmp_path, call_ending_with(0, "compile", rules).stdout, "plan.json")
    assert call_ending_with(0, "probe", plan).stdout == table
    assert call_ending_with(0, "probe", tmp_path).stdout == table


def test_a_baseline_says_which_host_rules_held(tmp_path: Path) -> None:
    text = 'hosts web-01\nrequire "Quiet": executed_commands never matches `a`\nrequire "True": on web-01 run `true`\n'
    rules = written(tmp_path, text)
    inventory = written(tmp_path, '[hosts.web-01]\nconnection = "local"\n', "hosts.toml")
    before = tmp_path / "before.json"
    call_ending_with(0, "baseline", rules, "--inventory", inventory, "-o", before)
    call_ending_with(0, "probe", rules)
    called = call_ending_with(1, "probe", rules, "--baseline", before)
    assert "idle passes: one task with nothing in it, ends with success (and so do 4 others)" in called.stdout
    run = tmp_path / "run.json"
    run.write_text('{"schema": "gatewright/run/1", "id": "r", "job": {"tasks": []}}')
    bundle = tmp_path / "bundle.json"
    call("grade", rules, "--run", run, "--inventory", inventory, "--record", bundle)
    assert "holds a run" in call_ending_with(2, "probe", rules, "--baseline", bundle).stderr


def test_labels_are_safe_to_print(tmp_path: Path) -> None:
    text = json.dumps([{"label": "\u001b[2Jx", "validator": "host_state", "run": "true"}])
    called = call_ending_with(0, "probe", written(tmp_path, text, "rules.json"))
    assert "\u001b" not in called.stdout
    assert r"\x1b[2Jx" in called.stdout


def test_reports_do_not_replace_rules_and_runs_want_a_folder(tmp_path: Path) -> None:
    rules = written(tmp_path, SOUND)
    assert "is an input" in call_ending_with(2, "probe", rules, "-o", rules).stderr
    assert "a folder is wanted" in call_ending_with(2, "probe", rules, "--save", rules).stderr


def test_saved_runs_replace_neither_the_rules_nor_the_report(tmp_path: Path) -> None:
    rules = written(tmp_path, '[{"label": "a", "validator": "task_count", "min": 1}]', "honest.json")
    before = rules.read_bytes()
    assert "--save would replace" in call_ending_with(2, "probe", rules, "--save", tmp_path).stderr
    assert rules.read_bytes() == before
    loose = written(tmp_path, LOOSE)
    call_ending_with(2, "probe", loose, "--save", tmp_path / "runs", "-o", tmp_path / "runs" / "talker.json")
    assert not (tmp_path / "runs").exists()
