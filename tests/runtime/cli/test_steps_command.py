"""`gatewright prepare` and `gatewright restore` from the outside, with this machine as every host."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support import call_ending_with

from gatewright.runtime.evidence.record import PlaybookAnswer
from gatewright.runtime.hosts.live import LiveEvidence

LOCAL = '[defaults]\nconnection = "local"\nshell = "/bin/sh"\n'
BLOCK = "```"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hosts.toml").write_text(f"{LOCAL}[hosts.web-01]\n[hosts.web-02]\n")
    unreachable = f'{LOCAL}[hosts.web-01]\n[hosts.web-02]\nshell = "/no/such/shell"\n'
    (tmp_path / "unreachable.toml").write_text(unreachable)
    (tmp_path / "one.toml").write_text(f"{LOCAL}[hosts.box]\n")
    return tmp_path


def scenario(folder: Path, steps: str, phase: str = "prepare", head: str = "hosts web-01, web-02") -> Path:
    path = folder / "scenario.gate"
    path.write_text(f'scenario "nginx-down"\n{head}\n{phase} {{\n{steps}\n}}\n')
    return path


def without_times(text: str) -> list[str]:
    return re.sub(r" \(\d+\.\d s\)", "", text).splitlines()


# ---- what comes of it ------------------------------------------------------------------------------------------------


def test_steps_run_in_order_and_each_has_a_line(folder: Path) -> None:
    steps = f"""
      "Starting the log": run `echo first > {folder}/log`
      "Breaking the site file": on web-02 write "{folder}/site conf" {BLOCK}
        server_name example.test;
        {BLOCK}
      "Reading it": run `cat '{folder}/site conf' >> {folder}/log`
    """
    called = call_ending_with(0, "prepare", scenario(folder, steps), "--inventory", "hosts.toml")
    assert without_times(called.stdout) == [
        "ok       web-01  Starting the log",
        "ok       web-02  Breaking the site file",
        "ok       web-01  Reading it",
    ]
    assert called.stderr == ""
    assert (folder / "log").read_text() == "first\nserver_name example.test;\n"


def test_prepare_stops_at_the_first_failure(folder: Path) -> None:
    steps = f"""
      "Works": run `true`
      "Fails": on web-02 run `echo hidden; printf 'why\\033[2J\\n' >&2; exit 3`
      "Never": run `touch {folder}/never`
    """
    called = call_ending_with(1, "prepare", scenario(folder, steps), "--inventory", "hosts.toml")
    assert without_times(called.stdout) == [
        "ok       web-01  Works",
        "failed   web-02  Fails: exit status 3",
        "                 stderr │ why\\x1b[2J",
        "not run  web-01  Never",
    ]
    assert called.stderr == ""
    assert not (folder / "never").exists()


def test_restore_goes_on_with_a_warning(folder: Path) -> None:
    steps = f"""
      "Fails": run `exit 3`
      "Also": on web-02 write "{folder}" "text"
      "Works": run `touch {folder}/done`
    """
    called = call_ending_with(1, "restore", scenario(folder, steps, "restore"), "--inventory", "hosts.toml")
    assert without_times(called.stdout) == [
        "failed   web-01  Fails: exit status 3",
        "failed   web-02  Also: exit status 1",
        "                 stderr │ the path is a directory",
        "ok       web-01  Works",
    ]
    assert called.stderr.splitlines() == [
        "warning: “Fails” failed; going on with what is left",
        "warning: “Also” failed; going on with what is left",
    ]
    assert (folder / "done").exists()


def test_a_host_out_of_reach_ends_prepare(folder: Path) -> None:
    steps = '"A": run `true`\n"B": on web-02 run `true`\n"C": run `true`'
    called = call_ending_with(3, "prepare", scenario(folder, steps), "--inventory", "unreachable.toml")
    assert without_times(called.stdout) == [
        "ok       web-01  A",
        "failed   web-02  B: cannot start /no/such/shell: No such file or directory",
        "not run  web-01  C",
    ]


def test_a_host_out_of_reach_keeps_restore_from_its_steps_only(folder: Path) -> None:
    steps = '"A": on web-02 run `true`\n"B": run `exit 1`\n"C": on web-02 run `true`\n"D": run `true`'
    called = call_ending_with(3, "restore", scenario(folder, steps, "restore"), "--inventory", "unreachable.toml")
    assert [line.split("  ")[0].strip() for line in called.stdout.splitlines()] == ["failed", "failed", "not run", "ok"]
    assert "C: web-02 could not be reached before" in called.stdout


def test_the_command_timeout_ends_a_step(folder: Path) -> None:
    path = scenario(folder, '"Waits": run `sleep 60`')
    called = call_ending_with(1, "prepare", path, "--inventory", "hosts.toml", "--command-timeout", "0.2")
    assert "Waits (0." in called.stdout
    assert ": timed out after 0.2 s" in called.stdout


def test_json_scenarios_and_folders_run_too(folder: Path) -> None:
    document = {
        "key": "nginx-down",
        "hosts": ["web-01"],
        "prepare": [
            {"name": "Writing", "write": f"{folder}/a", "content": "crlf\r\nno end"},
            {"run": f"cp {folder}/a {folder}/b"},
        ],
        "validation": [],
        "restore": [{"name": "Removing", "run": f"rm {folder}/a"}],
    }
    (folder / "scenario.json").write_text(json.dumps(document))
    called = call_ending_with(0, "prepare", "scenario.json", "--inventory", "hosts.toml")
    assert without_times(called.stdout)[0] == "ok       web-01  Writing"
    assert without_times(called.stdout)[1].startswith(f"ok       web-01  cp {folder}/a"[:100])
    assert "GW114 warning" in called.stderr
    assert (folder / "b").read_bytes() == b"crlf\r\nno end"
    call_ending_with(0, "restore", folder, "--inventory", "hosts.toml")
    assert not (folder / "a").exists()


def test_without_declared_hosts_the_only_host_of_the_inventory_is_meant(folder: Path) -> None:
    path = scenario(folder, '"A": run `true`', head="")
    called = call_ending_with(0, "prepare", path, "--inventory", "one.toml")
    assert without_times(called.stdout) == ["ok       box  A"]
    called = call_ending_with(2, "prepare", path, "--inventory", "hosts.toml")
    assert "GW704 error: which host? the inventory hosts.toml has web-01, web-02" in called.stderr


# ---- what ends with 2, and nothing run -------------------------------------------------------------------------------


def test_hosts_that_the_inventory_lacks_are_told_before_anything_is_run(folder: Path) -> None:
    path = scenario(folder, f'"A": run `touch {folder}/done`\n"B": on web-02 run `true`')
    (folder / "hosts.toml").write_text(f"{LOCAL}[hosts.web-01]\n")
    called = call_ending_with(2, "prepare", path, "--inventory", "hosts.toml")
    assert "GW704 error: host “web-02” is not in the inventory hosts.toml" in called.stderr
    assert (called.stdout, (folder / "done").exists()) == ("", False)


def test_a_step_that_is_bound_to_fail_is_told_before_anything_is_run(folder: Path) -> None:
    path = scenario(folder, f'"A": run `touch {folder}/done`\n"B": write "etc/x" "text"\n"C": run "a\\u0000b"')
    called = call_ending_with(2, "prepare", path, "--inventory", "hosts.toml")
    assert "scenario.gate:5:12: GW104 error: the path “etc/x” is not absolute" in called.stderr
    assert "scenario.gate:6:10: GW104 error: the command holds U+0000" in called.stderr
    assert (called.stdout, (folder / "done").exists()) == ("", False)


def test_a_lone_surrogate_in_a_content_is_told_before_anything_is_run(folder: Path) -> None:
    steps = [{"name": "W", "write": f"{folder}/a", "content": "x\ud800"}]
    (folder / "s.json").write_text(json.dumps({"hosts": ["web-01"], "prepare": steps, "validation": []}))
    called = call_ending_with(2, "prepare", "s.json", "--inventory", "hosts.toml")
    assert "GW104 error" in called.stderr
    assert not (folder / "a").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing argument 'SCENARIO'"),
        (("scenario.gate",), "--inventory is missing"),
        (("scenario.gate", "--inventory", "missing.toml"), "cannot read the inventory missing.toml"),
        (("missing.gate", "--inventory", "hosts.toml"), "missing.gate"),
        (("scenario.gate", "--inventory", "hosts.toml", "--command-timeout", "0"), "no number of seconds above 0"),
        (("plan.json", "--inventory", "hosts.toml"), "plan.json is a plan"),
    ],
)
def test_a_wrong_call_ends_with_2(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    path = scenario(folder, f'"A": run `touch {folder}/done`')
    (folder / "plan.json").write_text(call_ending_with(0, "compile", path).stdout)
    called = call_ending_with(2, "prepare", *arguments)
    assert words in called.stderr
    assert called.stdout == ""
    assert not (folder / "done").exists()


# ---- nothing to do, and dry runs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["prepare", "restore"])
def test_a_scenario_without_steps_has_nothing_to_do(folder: Path, command: str) -> None:
    (folder / "empty.gate").write_text('scenario "nothing"\nhosts web-01\n')
    for arguments in ((), ("--inventory", "hosts.toml"), ("--dry-run",)):
        called = call_ending_with(0, command, "empty.gate", *arguments)
        assert (called.stdout, called.stderr) == (f"nothing to {command}\n", "")


def test_a_dry_run_says_what_would_happen_where_and_runs_nothing(folder: Path) -> None:
    steps = f"""
      "Touching": run `touch {folder}/done`
      "Again": run `touch {folder}/done`
      "Writing": on web-02 sudo write "{folder}/done" "secret"
    """
    (folder / "prepare.yml").write_text("[]")
    path = scenario(folder, steps)
    called = call_ending_with(0, "prepare", path, "--dry-run", "--inventory", "hosts.toml")
    assert called.stdout.splitlines() == [
        "web-01 (local connection)",
        "  Touching",
        f"    touch {folder}/done",
        "  Again",
        f"    touch {folder}/done",
        "web-02 (local connection)",
        "  Writing",
        f"    sudo write {folder}/done (6 bytes)",
        "playbook prepare.yml",
    ]
    called = call_ending_with(0, "prepare", path, "--dry-run")
    assert called.stdout.startswith("web-01 (no --inventory is given, so nothing would be run)\n  Touching\n")
    assert not (folder / "done").exists()


# ---- playbooks -------------------------------------------------------------------------------------------------------


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The playbooks that were run, none of them really; one called restore.yml fails."""
    paths: list[str] = []

    def playbook(self: LiveEvidence, path: str) -> PlaybookAnswer:
        paths.append(path)
        return PlaybookAnswer(path, 2 if path == "restore.yml" else 0, output="ok: [web-01]\nfatal: [web-01]\n")

    monkeypatch.setattr(LiveEvidence, "playbook", playbook)
    return paths


@pytest.fixture
def classic(folder: Path) -> Path:
    """A scenario folder with playbooks, and no steps."""
    here = folder / "classic"
    here.mkdir()
    document = {"key": "old", "hosts": ["web-01"], "validation": {"gateway": [], "job": [], "tasks": []}}
    (here / "scenario.json").write_text(json.dumps(document))
    for name in ("prepare.yml", "restore.yml", "validate.yml"):
        (here / name).write_text("[]")
    return here


@pytest.mark.parametrize("named", ["classic", "classic/scenario.json"])
def test_the_playbook_beside_a_scenario_is_run(classic: Path, played: list[str], named: str) -> None:
    called = call_ending_with(0, "prepare", named, "--inventory", "hosts.toml")
    assert without_times(called.stdout) == ["ok       playbook  prepare.yml"]
    called = call_ending_with(1, "restore", named, "--inventory", "hosts.toml")
    assert without_times(called.stdout) == [
        "failed   playbook  restore.yml: exit status 2",
        "                   ansible │ ok: [web-01]",
        "                   ansible │ fatal: [web-01]",
    ]
    assert played == ["prepare.yml", "restore.yml"]


@pytest.mark.parametrize(("command", "ran"), [("true", ["prepare.yml"]), ("false", [])])
def test_steps_come_before_the_playbook(classic: Path, played: list[str], command: str, ran: list[str]) -> None:
    document = json.loads((classic / "scenario.json").read_text())
    document["prepare"] = [{"name": "Step", "run": command}]
    (classic / "scenario.json").write_text(json.dumps(document))
    called = call_ending_with(1 - len(ran), "prepare", "classic", "--inventory", "hosts.toml")
    assert [line.split(" (")[0] for line in called.stdout.splitlines()] == [
        f"{'ok    ' if ran else 'failed'}   web-01    Step",
        f"{'ok     ' if ran else 'not run'}  playbook  prepare.yml",
    ]
    assert played == ran


def test_a_playbook_beside_a_mere_file_of_rules_is_not_the_rules_own(classic: Path, played: list[str]) -> None:
    (classic / "rules.json").write_text("[]")
    called = call_ending_with(0, "prepare", "classic/rules.json", "--inventory", "hosts.toml")
    assert (called.stdout, played) == ("nothing to prepare\n", [])


# ---- the command line around it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["prepare", "restore"])
def test_help_has_an_example(command: str) -> None:
    called = call_ending_with(0, command, "--help")
    assert f"gatewright {command} " in called.stdout.split("Example")[1]
    assert f"\n  {command} " in call_ending_with(0, "--help").stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupt_ends_the_step_and_says_where_it_stopped(folder: Path, number: signal.Signals, code: int) -> None:
    going = folder / "going"
    steps = f"""
      "First": run `true`
      "Second": on web-02 run `echo $$ > {going}.new; mv {going}.new {going}; sleep 60; touch {folder}/on`
      "Third": run `touch {folder}/third`
    """
    scenario(folder, steps)
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewright.runtime", "prepare", "scenario.gate", "--inventory", "hosts.toml"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert eventually(going.exists, within=20)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == code
    assert without_times(stdout.decode()) == ["ok       web-01  First"]
    assert stderr.decode().split("\n")[0] == "stopped after “First”, in the middle of “Second”"
    assert "Traceback" not in stderr.decode()
    with pytest.raises(ProcessLookupError):
        os.kill(int(going.read_text()), 0)
    assert not (folder / "on").exists()
    assert not (folder / "third").exists()


def test_what_is_stopped_in_its_first_step_may_have_done_something(folder: Path) -> None:
    going = folder / "going"
    scenario(folder, f'"First": run `touch {going}; sleep 60`')
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewright.runtime", "prepare", "scenario.gate", "--inventory", "hosts.toml"],
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert eventually(going.exists, within=20)
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate(timeout=20)
    assert stderr.decode().split("\n")[0] == "stopped in the middle of “First”"


def test_a_terminal_that_goes_ends_the_step(folder: Path) -> None:
    going = folder / "going"
    scenario(folder, f'"First": run `echo $$ > {going}.new; mv {going}.new {going}; sleep 60`')
    main, other = pty.openpty()
    # the leader of a session that opens a terminal has it as its own
    leader = ["sh", "-c", 'exec "$@" <"$0"', os.ttyname(other)]
    process = subprocess.Popen(
        [*leader, sys.executable, "-m", "gatewright.runtime", "prepare", "scenario.gate", "--inventory", "hosts.toml"],
        stdout=other,
        stderr=other,
        cwd=folder,
        start_new_session=True,
    )
    os.close(other)
    assert eventually(going.exists, within=20)
    os.close(main)
    assert process.wait(timeout=20) == 129
    with pytest.raises(ProcessLookupError):
        os.kill(int(going.read_text()), 0)


@pytest.mark.parametrize("command", ["prepare", "restore"])
def test_steps_on_a_host_that_cannot_be_followed_are_refused_before_anything_is_run(folder: Path, command: str) -> None:
    (folder / "hosts.ini").write_text("web-01 ansible_connection=local\nweb-02 ansible_connection=docker\n")
    scenario(folder, f'"First": run `touch {folder}/ran`\n"Second": on web-02 run `true`', command)
    called = call_ending_with(2, command, "scenario.gate", "--inventory", "hosts.ini")
    assert "host “web-02”: cannot reach web-02: " in called.stderr
    assert not (folder / "ran").exists()


def eventually(holds: Callable[[], bool], within: float) -> bool:
    end = time.monotonic() + within
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()
