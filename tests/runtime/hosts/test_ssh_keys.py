"""Logging in: which keys are offered, and what is said where none will do."""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gatewright.runtime.hosts.ssh import Links, check_host, locked_keys
from gatewright.runtime.hosts.ssh.keys import PASSPHRASE

PHRASE = "correct horse battery"
FINGERPRINT = r"ssh-ed25519 SHA256:[A-Za-z0-9+/]{43}"


@pytest.fixture
def usual_key(home: Path, servers: Any) -> Any:
    """Put a key where the usual files are looked for."""

    def put(name: str, as_name: str | None = None) -> Path:
        path = home / ".ssh" / (as_name or f"id_{name}")
        shutil.copy(servers.keys.folder / name, path)
        return path

    return put


def test_the_variable_of_the_passphrase() -> None:
    assert PASSPHRASE == "GATEWRIGHT_SSH_PASSPHRASE"


@pytest.mark.parametrize("kind", ["ed25519", "rsa", "ecdsa"])
def test_every_kind_of_key_logs_in(open_host: Any, servers: Any, kind: str) -> None:
    assert open_host(key=str(servers.keys.folder / kind)).run("exit 3").exit_code == 3


@pytest.mark.parametrize("form", ["pem", "pkcs8"])
@pytest.mark.parametrize("passphrase", [None, PHRASE])
def test_keys_are_read_in_their_older_forms(servers: Any, home: Path, form: str, passphrase: str | None) -> None:
    from gatewright.runtime.hosts.ssh.keys import KeyFileError, open_key

    path = servers.keys.make(f"{form}-{passphrase is None}", "rsa", passphrase, form)
    key = open_key(path.read_bytes(), passphrase)
    assert key.asbytes() == servers.keys.blob(path.name)
    if passphrase is not None:
        with pytest.raises(KeyFileError, match="does not open with the passphrase in GATEWRIGHT_SSH_PASSPHRASE"):
            open_key(path.read_bytes(), "wrong")
        with pytest.raises(KeyFileError, match="needs a passphrase: put it into the environment variable"):
            open_key(path.read_bytes(), None)


def test_an_encrypted_key_is_opened_with_the_passphrase(
    open_host: Any, servers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE, PHRASE)
    connection = open_host(key=str(servers.keys.folder / "locked"))
    assert check_host(open_host.host(key=str(servers.keys.folder / "locked")), config=None) is None
    assert connection.run("exit 3").exit_code == 3


@pytest.mark.parametrize(
    ("passphrase", "reason"),
    [
        (None, f"needs a passphrase: put it into the environment variable {PASSPHRASE}"),
        ("wrong", f"does not open with the passphrase in {PASSPHRASE}"),
    ],
)
def test_an_encrypted_key_that_does_not_open_is_told_before_anything_is_asked(
    open_host: Any,
    servers: Any,
    proxy_to: Any,
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
    passphrase: str | None,
    reason: str,
) -> None:
    if passphrase:
        monkeypatch.setenv(PASSPHRASE, passphrase)
    proxy = proxy_to(servers.web.port)
    key = servers.keys.folder / "locked"
    settings = {"port": proxy.port, "key": str(key)}
    detail = f"login at web-01: the key file {key} {reason}"
    assert check_host(open_host.host(**settings), config=None) == detail
    answer = open_host(**settings).run("true")
    assert (answer.problem, answer.unreachable) == (f"login at web-01: the key file {reason}", True)
    assert told == [detail]
    assert proxy.connections == 0


def damaged(servers: Any, path: Path) -> None:
    text = (servers.keys.folder / "ed25519").read_text()
    path.write_text(text[:150] + text[180:])


def of_kind(kind: bytes) -> str:
    """A key file that says of what kind its key is, and little more."""

    def string(data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + data

    data = b"openssh-key-v1\0" + string(b"none") * 2 + string(b"") + b"\0\0\0\1" + string(string(kind))
    return (
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{base64.b64encode(data).decode()}\n-----END OPENSSH PRIVATE KEY-----\n"
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda servers, path: None, "is not there"),
        (lambda servers, path: path.mkdir(), "is not a file"),
        (lambda servers, path: path.write_text("hello\n"), "is not a private key"),
        (lambda servers, path: path.write_bytes(b"\xff\0" * 100), "is not a private key"),
        (lambda servers, path: path.write_text(""), "is not a private key"),
        (
            lambda servers, path: shutil.copy(servers.keys.folder / "ed25519.pub", path),
            "is a public key; the private one is needed, or an agent that has it",
        ),
        (
            lambda servers, path: path.write_text("PuTTY-User-Key-File-3: ssh-ed25519\n"),
            "is a PuTTY key; puttygen -O private-openssh turns it into one that can be used",
        ),
        (damaged, "is damaged"),
        (
            lambda servers, path: path.write_text(of_kind(b"ssh-dss")),
            "holds a key of the kind ssh-dss, which is not supported",
        ),
    ],
)
def test_a_key_file_that_is_none_is_told_without_its_path(
    open_host: Any, servers: Any, home: Path, told: list[str], make: Any, reason: str
) -> None:
    path = home / "key"
    make(servers, path)
    detail = f"login at web-01: the key file {path} {reason}"
    assert check_host(open_host.host(key=str(path)), config=None) == detail
    answer = open_host(key=str(path)).run("true")
    assert (answer.problem, answer.unreachable) == (f"login at web-01: the key file {reason}", True)
    assert told == [detail]


def test_a_key_file_that_may_not_be_read_is_told(
    open_host: Any, servers: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = home / "key"
    shutil.copy(servers.keys.folder / "ed25519", path)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)  # root may read everything
    assert check_host(open_host.host(key=str(path)), config=None) == (
        f"login at web-01: the key file {path} cannot be read: permission denied"
    )


def test_a_server_that_accepts_no_key_is_told_with_the_keys(open_host: Any, servers: Any, told: list[str]) -> None:
    key = servers.keys.folder / "stranger"
    answer = open_host(key=str(key)).run("true")
    assert re.fullmatch(
        f"login refused by web-01: it accepts none of the keys offered: {FINGERPRINT}", answer.problem
    ), answer.problem
    assert answer.unreachable
    import pwd

    user = pwd.getpwuid(os.geteuid()).pw_name
    assert f"login refused by web-01 ({user}@127.0.0.1 port {servers.web.port}): it accepts none" in told[0]
    assert told[0].endswith(f" (from {key})")


def test_the_usual_files_are_offered(open_host: Any, usual_key: Any) -> None:
    usual_key("stranger", "id_ed25519")
    usual_key("rsa")
    assert open_host(key=None).run("exit 3").exit_code == 3


def test_without_any_key_that_is_told(open_host: Any, told: list[str]) -> None:
    answer = open_host(key=None).run("true")
    assert (answer.problem, answer.unreachable) == ("login at web-01: there is no key to offer", True)
    assert told[0].endswith(": no key: none in the inventory, none in an agent, none of the usual files")
    assert check_host(open_host.host(key=None), config=None) == told[0]


def test_usual_files_that_cannot_be_used_are_passed_over(
    open_host: Any, usual_key: Any, told: list[str], home: Path
) -> None:
    locked = usual_key("locked", "id_ed25519")
    (home / ".ssh" / "id_ecdsa").write_text("rubbish")
    answer = open_host(key=None).run("true")
    assert answer.problem == "login at web-01: there is no key to offer"
    assert f"no key: {locked} needs a passphrase: put it into the environment variable {PASSPHRASE}; " in told[0]
    assert "id_ecdsa is not a private key" in told[0]
    usual_key("rsa")
    assert open_host(key=None).run("exit 3").exit_code == 3


# ---- the agent -------------------------------------------------------------------------------------------------------


def test_the_agents_keys_are_offered(open_host: Any, servers: Any, agent: Any) -> None:
    agent(servers.keys.folder / "stranger", servers.keys.folder / "rsa", servers.keys.folder / "ecdsa")
    assert open_host(key=None).run("exit 3").exit_code == 3


def test_the_agent_signs_for_a_key_whose_file_is_locked(
    open_host: Any, servers: Any, agent: Any, tmp_path: Path
) -> None:
    locked = servers.keys.folder / "locked"
    agent(locked, passphrase=PHRASE)
    assert check_host(open_host.host(key=str(locked)), config=None) is None
    assert open_host(key=str(locked)).run("exit 3").exit_code == 3


def test_a_locked_key_is_one_that_no_agent_holds(
    open_host: Any, servers: Any, agent: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE, PHRASE)
    locked, free = servers.keys.folder / "locked", servers.keys.folder / "ed25519"
    jump, host = open_host.host(key=str(locked)), open_host.host(key=str(free))
    behind = host.model_copy(update={"name": "behind", "jump": jump.name})
    assert locked_keys(jump, {}, config=None) == [locked]
    assert locked_keys(host, {}, config=None) == []
    assert locked_keys(behind, {jump.name: jump}, config=None) == [locked]
    assert locked_keys(open_host.host(key=str(tmp_path / "none")), {}, config=None) == []
    agent(locked, passphrase=PHRASE)
    assert locked_keys(jump, {}, config=None) == []


def test_the_agent_signs_for_a_public_key(open_host: Any, servers: Any, agent: Any, tmp_path: Path) -> None:
    agent(servers.keys.folder / "stranger", servers.keys.folder / "rsa")
    public = tmp_path / "token.pub"
    shutil.copy(servers.keys.folder / "rsa.pub", public)
    assert open_host(key=str(public)).run("exit 3").exit_code == 3
    assert open_host(key=str(tmp_path / "token")).run("exit 3").exit_code == 3
    shutil.copy(servers.keys.folder / "ecdsa.pub", public)
    assert check_host(open_host.host(key=str(tmp_path / "token")), config=None) is not None


def test_only_the_key_of_the_inventory_is_offered(open_host: Any, servers: Any, agent: Any) -> None:
    agent(servers.keys.folder / "ed25519")
    answer = open_host(key=str(servers.keys.folder / "stranger")).run("true")
    assert answer.problem.startswith("login refused by web-01: it accepts none of the keys offered: ssh-ed25519")


def test_identity_files_come_before_the_rest_of_the_agent(
    open_host: Any, servers: Any, agent: Any, home: Path, told: list[str]
) -> None:
    keys = servers.keys.folder
    agent(keys / "ed25519", keys / "stranger")
    config = home / ".ssh" / "config"
    config.write_text(f"IdentityFile {keys / 'stranger'}\n")
    assert open_host(Links(config=config), key=None).run("exit 3").exit_code == 3
    config.write_text(f"IdentityFile {keys / 'stranger'}\nIdentitiesOnly yes\n")
    answer = open_host(Links(config=config, tell=told.append), key=None).run("true")
    assert "accepts none of the keys offered" in answer.problem
    assert f"(from agent, {keys / 'stranger'})" in told[0]
    config.write_text("IdentityAgent none\n")
    assert open_host(Links(config=config), key=None).run("true").problem == "login at web-01: there is no key to offer"


def test_an_agent_that_is_gone_is_no_agent(
    open_host: Any, usual_key: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", str(home / "gone"))
    usual_key("rsa")
    assert open_host(key=None).run("exit 3").exit_code == 3


def test_an_agent_that_does_not_answer_is_not_waited_for(
    open_host: Any, usual_key: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(home / "agent"))
        listening.listen()
        monkeypatch.setenv("SSH_AUTH_SOCK", str(home / "agent"))
        usual_key("rsa")
        assert open_host(key=None, connect_timeout=1).run("exit 3").exit_code == 3


def test_a_server_that_has_enough_of_keys_is_told(
    open_host: Any, servers: Any, home: Path, request: pytest.FixtureRequest, told: list[str]
) -> None:
    if request.node.callspec.params["servers"] != "sshd":
        pytest.skip("only sshd hangs up after six keys")
    strangers = [servers.keys.make(f"stranger{number}", "ed25519") for number in range(8)]
    config = home / ".ssh" / "config"
    config.write_text("".join(f"IdentityFile {path}\n" for path in strangers))
    answer = open_host(Links(config=config, tell=told.append), key=None).run("true")
    assert answer.problem.startswith("login refused by web-01: it hung up after 6 keys: ssh-ed25519 SHA256:")
    assert told[0].endswith(f"{strangers[5]}); name one with key in the inventory")


# ---- certificates ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="certificates are made by ssh-keygen")
def test_a_certificate_that_will_not_do_leaves_the_key(open_host: Any, servers: Any, tmp_path: Path) -> None:
    for name in ("ed25519", "ed25519.pub"):
        shutil.copy(servers.keys.folder / name, tmp_path / name)
    authority = servers.keys.folder / "stranger"
    subprocess.run(
        ["ssh-keygen", "-q", "-s", authority, "-I", "x", "-n", "nobody", tmp_path / "ed25519.pub"], check=True
    )
    assert (tmp_path / "ed25519-cert.pub").exists()
    assert open_host(key=str(tmp_path / "ed25519")).run("exit 3").exit_code == 3
    (tmp_path / "ed25519-cert.pub").write_text("rubbish")
    assert open_host(key=str(tmp_path / "ed25519")).run("exit 3").exit_code == 3
