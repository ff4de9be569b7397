"""`gatewright grade` with real hosts: bundles, baselines, redaction, and what is refused before anything runs."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import call, call_ending_with

from gatewright.runtime.cli import progress

RULES = """\
scenario "disk-full"
hosts app-01, app-02
require "Looked at the disk": executed_commands matches `\\bdf\\b`
require "Mark is there": run `test -e {mark} && echo token=ghp_abcdefghijklmnopqrstuvwxyz0123456789`
require "Second host answers": on app-02 run `exit 3` exits 3
"""
RUN = {
    "id": "run-1",
    "scenario": "disk-full",
    "job": {"status": "completed", "resolution_status": "success", "tasks": [{"executed_commands": ["df -h"]}]},
}
LOCAL = '[defaults]\nconnection = "local"\nshell = "/bin/sh"\n[hosts.app-01]\n[hosts.app-02]\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("disk.gate").write_text(RULES.format(mark=tmp_path / "mark"))
    Path("run.json").write_text(json.dumps(RUN))
    Path("hosts.toml").write_text(LOCAL)
    return tmp_path


def graded(*options: str, code: int = 0) -> dict[str, object]:
    return json.loads(call_ending_with(code, "grade", "disk.gate", *options, "--format", "json").stdout)


RECORDED = ("--run", "run.json", "--inventory", "hosts.toml", "--record", "bundle.json")


def test_a_bundle_gives_the_same_result_byte_for_byte_when_the_hosts_are_gone(here: Path) -> None:
    (here / "mark").touch()
    first = call_ending_with(0, "grade", "disk.gate", *RECORDED, "--format", "json")
    (here / "mark").unlink()
    (here / "hosts.toml").unlink()
    again = call_ending_with(0, "grade", "disk.gate", "--from-bundle", "bundle.json", "--format", "json")
    assert again.stdout == first.stdout
    assert Path("bundle.json").stat().st_mode & 0o777 == 0o600


def test_other_rules_on_a_bundle_get_as_far_as_it_reaches(here: Path) -> None:
    (here / "mark").touch()
    call_ending_with(0, "grade", "disk.gate", *RECORDED)
    text = Path("disk.gate").read_text()
    Path("disk.gate").write_text(
        text + 'optional "New": on app-02 run `true`\nrequire "Quiet": executed_commands matches `df -h`\n'
    )
    rules = graded("--from-bundle", "bundle.json", code=3)["rules"]
    assert isinstance(rules, list)
    assert [rule["status"] for rule in rules] == ["pass", "pass", "pass", "error", "pass"]
    assert rules[3]["reason"] == "the bundle has no answer of app-02 for: true"


def test_a_changed_bundle_is_refused(here: Path) -> None:
    call_ending_with(1, "grade", "disk.gate", *RECORDED)
    Path("bundle.json").write_text(Path("bundle.json").read_text().replace("df -h", "df -H"))
    refused = call_ending_with(2, "grade", "disk.gate", "--from-bundle", "bundle.json")
    assert "GW705" in refused.stderr
    assert refused.stdout == ""


def test_a_baseline_says_what_held_before(here: Path) -> None:
    call_ending_with(0, "baseline", "disk.gate", "--inventory", "hosts.toml", "-o", "before.json")
    (here / "mark").touch()
    found = graded("--run", "run.json", "--inventory", "hosts.toml", "--baseline", "before.json")["rules"]
    assert isinstance(found, list)
    assert [rule.get("held_before") for rule in found] == [None, False, True]
    text = call_ending_with(0, "grade", "disk.gate", *RECORDED, "--baseline", "before.json").stdout
    assert text.count("held before the run") == 1


def test_a_baseline_must_be_one_and_of_the_scenario(here: Path) -> None:
    call_ending_with(1, "grade", "disk.gate", *RECORDED)
    other = call_ending_with(2, "grade", "disk.gate", "--run", "run.json", "--baseline", "bundle.json")
    assert "this bundle holds a run" in other.stderr
    call_ending_with(0, "baseline", "disk.gate", "--inventory", "hosts.toml", "-o", "before.json")
    is_baseline = call_ending_with(2, "grade", "disk.gate", "--from-bundle", "before.json")
    assert "this bundle is a baseline" in is_baseline.stderr
    Path("other.gate").write_text(Path("disk.gate").read_text().replace("disk-full", "disk-empty"))
    wrong = ("grade", "other.gate", "--run", "run.json", "--baseline", "before.json")
    assert "the baseline is of “disk-full”" in call_ending_with(2, *wrong).stderr
    assert call(*wrong, "--any-scenario").code == 3


def test_redaction_masks_reports_and_bundles_and_changes_no_verdict(here: Path) -> None:
    (here / "mark").touch()
    plain = graded(*RECORDED)
    masked = graded(*RECORDED, "--redact")
    assert "ghp_" in json.dumps(plain)
    assert "ghp_" not in json.dumps(masked) + Path("bundle.json").read_text()
    assert masked["verdict"] == plain["verdict"] == "passed"
    again = call_ending_with(0, "grade", "disk.gate", "--from-bundle", "bundle.json")
    assert "the bundle is redacted" in again.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--from-bundle", "b.json", "--run", "run.json"), "--run says others"),
        (("--from-bundle", "b.json", "--inventory", "hosts.toml"), "--inventory says others"),
        (("--from-bundle", "b.json", "--record", "c.json"), "--record says others"),
        (("--run", "run.json", "--dry-run", "--record", "c.json"), "--record has no use"),
        (("--run", "run.json", "run.json", "--record", "c.json"), "--record takes exactly one run"),
        (("--run", "run.json", "--record", "run.json"), "run.json is an input"),
        (("--run", "run.json", "--record", "b.json", "--baseline", "b.json"), "b.json is an input"),
        (("--run", "run.json", "--record", "b.json", "-o", "b.json"), "two things would be written to b.json"),
        (("--run", "run.json", "--record", "b.json", "--format", "json=./b.json"), "two things would be written"),
        (("--run", "run.json", "--record", "."), "it is a folder"),
        (("--run", "run.json", "--format", "json=/proc/x.json"), "cannot write /proc/x.json"),
        (("--run", "run.json", "--forks", "0"), "forks"),
        (("--from-bundle", "missing.json"), "missing.json"),
    ],
)
def test_options_that_cannot_stand_together_are_refused(here: Path, options: tuple[str, ...], says: str) -> None:
    assert says in call_ending_with(2, "grade", "disk.gate", *options).stderr
    assert Path("run.json").read_text() == json.dumps(RUN)


def test_keys_and_playbooks_that_cannot_be_used_are_told_before_anything_runs(here: Path) -> None:
    marks = {"label": "A", "validator": "host_state", "run": f"touch {here / 'ran'}"}
    Path("state.json").write_text(json.dumps([marks]))
    Path("keys.toml").write_text('[hosts.app-01]\nkey = "no-such-key"\n')
    told = call_ending_with(2, "grade", "state.json", "--run", "run.json", "--inventory", "keys.toml")
    assert "GW704 error: host “app-01”:" in told.stderr
    assert "no-such-key" in told.stderr
    Path("one.toml").write_text('[hosts.app-01]\nconnection = "local"\n')
    Path("play.gate").write_text(f'require "A": run `touch {here / "ran"}`\nrequire "P": ansible "missing.yml"\n')
    told = call_ending_with(2, "grade", "play.gate", "--run", "run.json", "--inventory", "one.toml")
    assert "cannot run a playbook: missing.yml" in told.stderr
    assert not (here / "ran").exists()


def test_hosts_are_asked_side_by_side_as_far_as_forks_allow(here: Path) -> None:
    Path("disk.gate").write_text(
        'scenario "disk-full"\nhosts app-01, app-02\n'
        'require "A": run `sleep 0.6`\nrequire "B": on app-02 run `sleep 0.6`\n'
    )
    spent = {}
    for forks in ("1", "2"):
        begun = time.perf_counter()
        graded("--run", "run.json", "--inventory", "hosts.toml", "--forks", forks)
        spent[forks] = time.perf_counter() - begun
    assert spent["1"] >= 1.2  # one after the other cannot be quicker
    assert spent["2"] < spent["1"]


def test_a_terminal_shows_what_is_being_asked_and_a_pipe_does_not(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("disk.gate").write_text('scenario "disk-full"\nhosts app-01\nrequire "Slow thing": run `sleep 2`\n')
    command = [
        sys.executable,
        "-m",
        "gatewright.runtime",
        "grade",
        "disk.gate",
        "--run",
        "run.json",
        "--inventory",
        "hosts.toml",
    ]
    main, other = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other)
    os.close(other)
    shown = b""
    while True:
        try:
            chunk = os.read(main, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        shown += chunk
    assert process.wait() == 0
    assert b"app-01: Slow thing (" in shown
    assert shown.endswith(b"\r\x1b[K")  # wiped at the end
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stderr == b""


def test_an_interrupt_leaves_no_command_and_no_bundle(here: Path) -> None:
    Path("disk.gate").write_text(
        f'scenario "disk-full"\nhosts app-01\nrequire "A": run `touch {here}/began; sleep 77.25`\n'
    )
    command = [sys.executable, "-m", "gatewright.runtime", "grade", "disk.gate", *RECORDED, "--format", "json=out.json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (here / "began").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in told
    assert not Path("bundle.json").exists()
    assert not Path("out.json").exists()
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 77.25" not in running


def test_a_progress_line_keeps_to_the_width_and_holds_no_control_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.shutil, "get_terminal_size", lambda: os.terminal_size((30, 10)))
    line = progress.ProgressLine(sys.stderr)
    try:
        line.asked("web-01", "first \x1b[31m thing\nwith lines")
        line.asked("web-02", "second")
        assert len(line._line()) <= 29
        assert "\x1b" not in line._line()
        line.answered("web-01")
        assert line._line().startswith("web-02: second (0 s)")
    finally:
        line.end()
