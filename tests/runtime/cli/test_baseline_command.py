"""`gatewright baseline` from the outside, on this machine as its only host."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from support import call_ending_with

from gatewright.runtime.evidence.bundle_schema import bundle_schema

RULES = """\
scenario "demo"
hosts web-01
require "Room in tmp": run `test -d /tmp`
require "Service is there": run `false` within 60 s
require "Old unit is gone": run `false` exits 1
require "Typed it": executed_commands matches `x`
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("demo.gate").write_text(RULES)
    Path("hosts.toml").write_text('[hosts.web-01]\nconnection = "local"\nshell = "/bin/sh"\n')
    return tmp_path


def test_the_answers_are_written_for_the_owner_alone(folder: Path) -> None:
    called = call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml", "-o", "before.json")
    assert called.stdout == ""
    assert called.stderr == "holds before the run: Room in tmp\nholds before the run: Old unit is gone\n"
    assert stat.S_IMODE(Path("before.json").stat().st_mode) == 0o600
    bundle = json.loads(Path("before.json").read_text())
    Draft202012Validator(bundle_schema()).validate(bundle)
    assert (bundle["record"], bundle["scenario"], bundle["live"]) == (None, "demo", True)
    (host,) = bundle["hosts"]
    assert [(answer["run"], answer["exit_code"]) for answer in host["answers"]] == [
        ("test -d /tmp", 0),
        ("false", 1),
        ("false", 1),
    ]


def test_without_a_file_the_bundle_is_printed(folder: Path) -> None:
    called = call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml")
    assert json.loads(called.stdout)["schema"] == "gatewright/bundle/1"


def test_nothing_of_the_inventory_is_written(folder: Path) -> None:
    Path("hosts.toml").write_text(
        '[hosts.web-01]\nconnection = "local"\nshell = "/bin/sh"\naddress = "192.0.2.77"\nuser = "benchmark-user"\n'
    )
    called = call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml")
    assert "192.0.2.77" not in called.stdout
    assert "benchmark-user" not in called.stdout


def test_secrets_are_masked_on_request(folder: Path) -> None:
    Path("demo.gate").write_text('hosts web-01\nrequire "Login": run `echo DB_PASSWORD=hunter2; kill -9 $$`\n')
    arguments = ("baseline", "demo.gate", "--inventory", "hosts.toml")
    assert "hunter2" in call_ending_with(0, *arguments).stdout
    called = call_ending_with(0, *arguments, "--redact")
    assert "hunter2" not in called.stdout + called.stderr
    assert json.loads(called.stdout)["redacted"] is True


def test_a_host_out_of_reach_ends_it_with_3_and_what_is_known_is_written(folder: Path) -> None:
    Path("demo.gate").write_text(
        RULES.replace("hosts web-01", "hosts web-01, web-02") + 'require "B": on web-02 run `x`\n'
    )
    with Path("hosts.toml").open("a") as file:
        file.write('[hosts.web-02]\nconnection = "local"\nshell = "/nowhere/sh"\n')
    called = call_ending_with(3, "baseline", "demo.gate", "--inventory", "hosts.toml", "-o", "before.json")
    assert "not known before the run: B (cannot start /nowhere/sh" in called.stderr
    hosts = json.loads(Path("before.json").read_text())["hosts"]
    assert [host["asked"] for host in hosts] == ["web-01", "web-02"]
    assert hosts[1]["answers"][0]["unreachable"] is True


def test_a_command_without_an_exit_status_fails(folder: Path) -> None:
    Path("demo.gate").write_text('hosts web-01\nrequire "Killed": run `kill -9 $$`\n')
    called = call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml", "-o", "before.json")
    assert called.stderr == ""


def test_a_host_that_cannot_be_followed_keeps_no_other_from_being_asked(folder: Path) -> None:
    Path("demo.gate").write_text('hosts web-01, box\nrequire "A": run `true`\nrequire "B": on box run `true`\n')
    Path("hosts.ini").write_text("web-01 ansible_connection=local\nbox ansible_connection=docker\n")
    called = call_ending_with(3, "baseline", "demo.gate", "--inventory", "hosts.ini", "-o", "before.json")
    assert "warning" in called.stderr
    assert "holds before the run: A\nnot known before the run: B (cannot reach box: " in called.stderr


def test_rules_that_look_at_no_host_give_an_empty_bundle(folder: Path) -> None:
    Path("demo.gate").write_text('require "Typed it": executed_commands matches `x`\n')
    called = call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml")
    assert called.stderr == "no rule looks at a host, so there was nothing to ask\n"
    assert json.loads(called.stdout)["hosts"] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("demo.gate",), "--inventory is missing"),
        (("demo.gate", "--inventory", "missing.toml"), "GW704"),
        (("missing.gate", "--inventory", "hosts.toml"), "missing.gate"),
        (("demo.gate", "--inventory", "hosts.toml", "-o", "demo.gate"), "demo.gate is an input"),
        (("demo.gate", "--inventory", "hosts.toml", "-o", "hosts.toml"), "hosts.toml is an input"),
        (("demo.gate", "--inventory", "hosts.toml", "--command-timeout", "0"), "no number of seconds"),
    ],
)
def test_a_wrong_call_ends_with_2_and_writes_nothing(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert said in call_ending_with(2, "baseline", *arguments).stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_host_that_the_inventory_lacks_is_told_before_anything_is_run(folder: Path) -> None:
    Path("demo.gate").write_text(f'hosts web-09\nrequire "A": run `touch {folder}/ran`\n')
    assert "GW704" in call_ending_with(2, "baseline", "demo.gate", "--inventory", "hosts.toml").stderr
    assert not (folder / "ran").exists()


def test_a_hang_up_leaves_no_playbook_and_no_inventory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("demo.gate").write_text('require "Plays": ansible "a.yml"\n')
    Path("a.yml").touch()
    program = folder / "bin" / "ansible-playbook"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$$ $2" > {folder}/new; mv {folder}/new {folder}/going; exec sleep 60\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    command = [sys.executable, "-m", "gatewright.runtime", "baseline", "demo.gate", "--inventory", "hosts.toml"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not Path("going").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGHUP)
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout, stderr) == (129, b"", b"")
    number, inventory = Path("going").read_text().split()
    assert not Path(inventory).parent.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)


def test_nohup_lets_it_go_on(folder: Path) -> None:
    Path("demo.gate").write_text(
        'require "Goes on": run `kill -HUP $(cat FOLDER/number); sleep 0.3`\n'.replace("FOLDER", str(folder))
    )
    command = [sys.executable, "-m", "gatewright.runtime", "baseline", "demo.gate", "--inventory", "hosts.toml"]
    script = 'trap "" HUP; echo $$ > number; exec "$@"'
    called = subprocess.run(["sh", "-c", script, "sh", *command], capture_output=True, check=False, timeout=20)
    assert called.returncode == 0
