from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from gatewright.grammar.text import Source
from gatewright.runtime.hosts.connections import HostEvidence
from gatewright.runtime.hosts.inventory import Inventory, parse_inventory
from gatewright.runtime.hosts.live import LiveEvidence

LOCAL = '[defaults]\nconnection = "local"\nshell = "/bin/sh"\n[hosts.web-01]\n'


def inventory(text: str) -> Inventory:
    found = parse_inventory(Source("hosts.toml", text), Path("/"), pytest.fail)
    assert found is not None
    return found


def problem(evidence: HostEvidence, host: str | None) -> str | None:
    answer = evidence.connect(host).run("true")
    assert answer.unreachable == (answer.problem is not None)
    return answer.problem


def test_a_local_host_is_asked():
    evidence = LiveEvidence(inventory(LOCAL))
    answer = evidence.connect("web-01").run("echo hello; exit 4")
    assert (answer.host, answer.exit_code, answer.stdout) == ("web-01", 4, "hello\n")
    assert evidence.live


def test_no_host_means_the_only_one():
    assert LiveEvidence(inventory(LOCAL)).connect(None).run("true").host == "web-01"
    several = LiveEvidence(inventory(LOCAL + "[hosts.db-01]\n"))
    assert problem(several, None) == "which host? hosts.toml has web-01, db-01"


def test_a_host_that_is_missing_is_answered_with_those_that_are_there():
    evidence = LiveEvidence(inventory(LOCAL + "[hosts.db-01]\n"))
    assert problem(evidence, "web-1") == "host “web-1” is not in hosts.toml: did you mean “web-01”?"
    assert problem(evidence, "mail") == "host “mail” is not in hosts.toml: it has web-01, db-01"


def test_the_inventorys_time_limit_holds():
    limited = inventory(LOCAL).with_limits(command_timeout=0.2)
    assert LiveEvidence(limited).connect("web-01").run("sleep 5").problem == "timed out after 0.2 s"


def test_what_went_wrong_is_told_with_addresses_and_answered_without(tmp_path: Path):
    key = tmp_path / "key"
    new = Ed25519PrivateKey.generate()
    key.write_bytes(new.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    key.chmod(0o600)
    told: list[str] = []
    unused = f'[hosts.web-01]\naddress = "127.0.0.1"\nport = 1\nkey = "{key}"\n'
    answer = problem(LiveEvidence(inventory(unused), tell=told.append), "web-01")
    assert answer is not None
    assert answer.startswith("host did not answer: ")
    assert "127.0.0.1" not in answer
    assert len(told) == 1
    assert "127.0.0.1" in told[0]
    assert "web-01" in told[0]


def test_a_playbook_is_looked_for_in_the_folder_of_the_rules(tmp_path: Path):
    evidence = LiveEvidence(inventory(LOCAL), tmp_path)
    assert evidence.playbook("../validate.yml").problem == "../validate.yml lies outside the scenario's folder"


def test_after_closing_nothing_is_run_any_more():
    evidence = LiveEvidence(inventory(LOCAL))
    connection = evidence.connect("web-01")
    evidence.close()
    assert connection.run("true").problem == "interrupted"
    assert problem(evidence, "web-01") == "interrupted"
