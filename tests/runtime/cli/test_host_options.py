"""What is told of hosts and playbooks before anything is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from support import call_ending_with

PASSPHRASE = "correct horse battery"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scenario with a playbook and a step, and an inventory with a locked key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.setenv("GATEWRIGHT_SSH_PASSPHRASE", PASSPHRASE)
    key = ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.OpenSSH,
        serialization.BestAvailableEncryption(PASSPHRASE.encode()),
    )
    (tmp_path / "my id").write_bytes(key)
    (tmp_path / "hosts.toml").write_text(
        f'[hosts.web-01]\naddress = "127.0.0.1"\nport = 1\nkey = "{tmp_path}/my id"\n'
        '[hosts.here]\nconnection = "local"\n'
    )
    (tmp_path / "demo.gate").write_text(
        f'require "A": ansible "a.yml"\nrequire "B": on here run `touch {tmp_path}/ran`\n'
    )
    (tmp_path / "a.yml").write_text("[]\n")
    return tmp_path


def test_a_key_that_playbooks_cannot_open_is_told_before_anything_is_run(folder: Path) -> None:
    called = call_ending_with(2, "baseline", "demo.gate", "--inventory", "hosts.toml")
    assert "GW704" in called.stderr
    said = f"host “web-01”: a playbook cannot use the key file {folder}/my id, which needs a passphrase"
    assert said in called.stderr
    assert f"ssh-add '{folder}/my id'" in called.stderr
    assert not (folder / "ran").exists()


def test_it_is_told_before_the_steps_of_a_scenario_with_a_playbook(folder: Path) -> None:
    scenario = folder / "scenario"
    scenario.mkdir()
    step = f'"B": on here run `touch {folder}/ran`'
    (scenario / "scenario.gate").write_text(f'scenario "demo"\nprepare {{\n  {step}\n}}\n')
    call_ending_with(0, "prepare", "scenario", "--inventory", "hosts.toml")
    (folder / "ran").unlink()
    (scenario / "prepare.yml").write_text("[]\n")
    assert "ssh-add" in call_ending_with(2, "prepare", "scenario", "--inventory", "hosts.toml").stderr
    assert not (folder / "ran").exists()


def test_without_playbooks_the_passphrase_in_the_environment_will_do(folder: Path) -> None:
    (folder / "demo.gate").write_text(f'require "B": on here run `touch {folder}/ran`\n')
    call_ending_with(0, "baseline", "demo.gate", "--inventory", "hosts.toml")
    assert (folder / "ran").exists()


def test_a_host_that_cannot_be_followed_is_an_error_of_its_rules_only(folder: Path) -> None:
    (folder / "demo.gate").write_text('hosts here, box\nrequire "A": run `true`\nrequire "B": on box run `true`\n')
    (folder / "hosts.ini").write_text("here ansible_connection=local\nbox ansible_connection=docker\n")
    (folder / "run.json").write_text(json.dumps({"id": "r", "job": {"status": "completed", "tasks": []}}))
    options = ("--run", "run.json", "--inventory", "hosts.ini", "--format", "json")
    called = call_ending_with(3, "grade", "demo.gate", *options)
    assert "hosts.ini:2:5: GW704 warning: " in called.stderr
    assert [rule["status"] for rule in json.loads(called.stdout)["rules"]] == ["pass", "error"]
