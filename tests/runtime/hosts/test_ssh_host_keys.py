"""Which keys a host may show, and how files of known keys are read and written."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from gatewright.runtime.hosts.ssh import Links
from gatewright.runtime.hosts.ssh.known_hosts import add_if_unknown, fingerprint, known_keys, line_for

SALT = bytes(range(20))


def hashed(name: str) -> str:
    digest = hmac.new(SALT, name.encode(), hashlib.sha1).digest()
    return f"|1|{base64.b64encode(SALT).decode()}|{base64.b64encode(digest).decode()}"


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patterns", "names", "found"),
    [
        ("web-01", ["web-01"], True),
        ("WEB-01", ["web-01"], True),
        ("web-01,192.0.2.1", ["192.0.2.1"], True),
        ("web-*", ["web-01"], True),
        ("web-0?", ["web-01"], True),
        ("web-0?", ["web-011"], False),
        ("web-*,!web-01", ["web-01"], False),
        ("!web-02", ["web-01"], False),
        ("[web-01]:2222", ["[web-01]:2222", "web-01"], True),
        ("[web-01]:2222", ["web-01"], False),
        ("[web-01]:*", ["[web-01]:2222"], True),
        ("web-01", ["[web-01]:2222", "web-01"], True),
        ("[wv]eb-01", ["web-01"], False),
        (hashed("web-01"), ["web-01"], True),
        (hashed("[web-01]:2222"), ["[web-01]:2222"], True),
        (hashed("web-02"), ["web-01"], False),
        ("|1|broken", ["web-01"], False),
        ("|1|a|b|c", ["web-01"], False),
        ("|1|!!|!!", ["web-01"], False),
        ("# web-01", ["web-01"], False),
    ],
)
def test_the_first_field_says_which_hosts_a_line_is_about(
    servers: Any, home: Path, patterns: str, names: list[str], found: bool
) -> None:
    file = home / "known"
    file.write_text(f"# a comment\n\nrubbish\n{patterns} {servers.host_keys.public('ed25519')} and a comment\n")
    known = known_keys([home / "none", file], tuple(names))
    assert [(entry.line, entry.kind, entry.key, entry.revoked) for entry in known] == (
        [(4, "ssh-ed25519", servers.host_keys.blob("ed25519"), False)] if found else []
    )


def test_lines_that_are_of_no_use_are_passed_over(servers: Any, home: Path) -> None:
    file = home / "known"
    key = servers.host_keys.public("ed25519")
    file.write_bytes(
        b"@cert-authority web-01 "
        + key.encode()
        + b"\n@unknown web-01 "
        + key.encode()
        + b"\nweb-01 ssh-ed25519\nweb-01 ssh-ed25519 !!!!\nweb-01 1024 35 1234567\n\xff\xfe\n@revoked web-01 "
        + key.encode()
        + b"\n"
    )
    known = known_keys([file], ("web-01",))
    assert [(entry.line, entry.revoked) for entry in known] == [(7, True)]


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="asks ssh-keygen")
def test_fingerprints_and_hashed_lines_are_those_of_openssh(servers: Any, home: Path) -> None:
    from paramiko import Ed25519Key

    path = servers.host_keys.folder / "ed25519"
    said = subprocess.run(["ssh-keygen", "-lf", f"{path}.pub"], capture_output=True, text=True, check=True).stdout
    assert said.split()[1] == fingerprint(servers.host_keys.blob("ed25519"))
    key: Any = Ed25519Key.from_private_key_file(str(path))
    file = home / "known"
    for hashing in (True, False):
        file.write_text(line_for("[web-01]:2222", key, hashed=hashing) + "\n")
        found = subprocess.run(["ssh-keygen", "-F", "[web-01]:2222", "-f", file], capture_output=True, check=False)
        assert found.returncode == 0
        assert len(known_keys([file], ("[web-01]:2222",))) == 1


def test_a_line_is_added_once_and_begins_a_line(servers: Any, home: Path) -> None:
    from paramiko import Ed25519Key

    key: Any = Ed25519Key.from_private_key_file(str(servers.host_keys.folder / "ed25519"))
    file = home / "new" / "known"
    assert add_if_unknown(file, "web-01", key, hashed=False) == []
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [entry.line for entry in add_if_unknown(file, "web-01", key, hashed=False)] == [1]
    file.write_text("web-00 ssh-rsa AAAA")
    add_if_unknown(file, "web-01", key, hashed=True)
    first, second = file.read_text().splitlines()
    assert first == "web-00 ssh-rsa AAAA"
    assert second.startswith("|1|")
    assert len(known_keys([file], ("web-01",))) == 1


# ---- hosts -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def known(home: Path) -> Path:
    return home / "known"


def test_an_unknown_key_is_refused_with_its_fingerprint_and_the_fix(
    open_host: Any, servers: Any, known: Path, told: list[str]
) -> None:
    answer = open_host(known_hosts=str(known)).run("true")
    shown = f"ssh-ed25519 {fingerprint(servers.host_keys.blob('ed25519'))}"
    assert (answer.problem, answer.unreachable) == (f"host key of web-01 is not known: {shown}", True)
    port = servers.web.port
    assert f"@127.0.0.1 port {port}) is not known: {shown}; it is not in {known} as [127.0.0.1]:{port}" in told[0]
    assert f"then: ssh-keyscan -t ed25519 -p {port} 127.0.0.1 >> {known}; or set host_key = " in told[0]
    assert not known.exists()


@pytest.mark.skipif(shutil.which("ssh-keyscan") is None, reason="runs ssh-keyscan")
def test_the_fix_mends_it(open_host: Any, servers: Any, known: Path, told: list[str]) -> None:
    open_host(known_hosts=str(known)).run("true")
    command = re.search(r"then: (ssh-keyscan .+?); or", told[0])
    assert command is not None
    subprocess.run(["sh", "-c", command[1]], check=True, capture_output=True)
    assert open_host(known_hosts=str(known)).run("exit 3").exit_code == 3

    known.write_text(servers.lines_for(servers.web.port).replace("ed25519 AAAA", "ed25519 BBBB"))
    answer = open_host(known_hosts=str(known)).run("true")
    assert answer.problem.startswith("host key of web-01 has changed: it shows ssh-ed25519 SHA256:")
    command = re.search(r"(ssh-keygen -R .+)$", told[-1])
    assert command is not None
    subprocess.run(["sh", "-c", command[1]], check=True, capture_output=True)
    assert "is not known" in open_host(known_hosts=str(known)).run("true").problem


@pytest.mark.parametrize("policy", ["known", "accept-new"])
def test_a_changed_key_is_refused_with_file_and_line(
    open_host: Any, servers: Any, known: Path, told: list[str], policy: str
) -> None:
    other = servers.keys.public("ed25519")
    port = servers.web.port
    known.write_text(f"# another machine once\n[127.0.0.1]:{port} {other}\n")
    answer = open_host(known_hosts=str(known), host_key=policy).run("true")
    before, now = (fingerprint(keys.blob("ed25519")) for keys in (servers.keys, servers.host_keys))
    reason = f"has changed: it shows ssh-ed25519 {now}, known is ssh-ed25519 {before}"
    assert (answer.problem, answer.unreachable) == (f"host key of web-01 {reason}", True)
    assert told[0].endswith(
        f"{reason} in {known} line 2; if the machine was set up anew: ssh-keygen -R '[127.0.0.1]:{port}' -f {known}"
    )
    assert len(known.read_text().splitlines()) == 2


@pytest.mark.parametrize("kinds", [("rsa",), ("ecdsa",), ("ed25519",), ("ecdsa", "rsa")])
def test_the_kinds_of_keys_that_are_known_are_asked_for(
    open_host: Any, servers: Any, known: Path, kinds: tuple[str, ...]
) -> None:
    known.write_text(servers.lines_for(servers.web.port, "127.0.0.1", *kinds))
    assert open_host(known_hosts=str(known)).run("exit 3").exit_code == 3


@pytest.mark.parametrize("policy", ["known", "accept-new"])
def test_a_host_that_has_lost_the_kind_of_key_that_is_known_is_no_new_host(
    open_host: Any, servers: Any, known: Path, policy: str
) -> None:
    known.write_text(servers.lines_for(servers.bastion.port, "127.0.0.1", "rsa"))
    answer = open_host(known_hosts=str(known), port=servers.bastion.port, host_key=policy).run("true")
    assert answer.problem.startswith("host key of web-01 has changed: it shows ssh-ed25519 SHA256:")
    assert ", known is ssh-rsa SHA256:" in answer.problem


def test_hashed_names_and_plain_addresses_are_found(open_host: Any, servers: Any, known: Path) -> None:
    key = servers.host_keys.public("ed25519")
    known.write_text(f"{hashed(f'[127.0.0.1]:{servers.web.port}')} {key}\n")
    assert open_host(known_hosts=str(known)).run("exit 3").exit_code == 3
    known.write_text(f"127.0.0.1 {key}\n")
    assert open_host(known_hosts=str(known)).run("exit 4").exit_code == 4


def test_a_revoked_key_is_refused_though_it_is_known(
    open_host: Any, servers: Any, known: Path, told: list[str]
) -> None:
    key = servers.host_keys.public("ed25519")
    known.write_text(f"{servers.lines_for(servers.web.port)}@cert-authority * {key}\n@revoked * {key}\n")
    for policy in ("known", "accept-new"):
        answer = open_host(known_hosts=str(known), host_key=policy).run("true")
        assert re.fullmatch("host key of web-01 is revoked: ssh-ed25519 SHA256:.{43}", answer.problem)
    assert told[0].endswith(f", by {known} line 3")
    assert open_host(known_hosts=str(known), host_key="ignore").run("exit 3").exit_code == 3


def test_accept_new_remembers_the_key(open_host: Any, servers: Any, home: Path, told: list[str]) -> None:
    known = home / "deep" / "known"
    assert open_host(known_hosts=str(known), host_key="accept-new").run("exit 3").exit_code == 3
    assert known.read_text() == servers.lines_for(servers.web.port)
    assert known.stat().st_mode & 0o777 == 0o600
    assert open_host(known_hosts=str(known)).run("exit 4").exit_code == 4
    assert told == []


def test_accept_new_in_many_threads_leaves_a_whole_file(open_host: Any, servers: Any, known: Path) -> None:
    ports = [servers.web.port, servers.bastion.port]
    connections = [
        open_host(name=f"web-{number}", port=ports[number % 2], known_hosts=str(known), host_key="accept-new")
        for number in range(8)
    ]
    codes: list[int | None] = []
    threads = [
        threading.Thread(target=lambda connection=connection: codes.append(connection.run("exit 3").exit_code))
        for connection in connections
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert codes == [3] * 8
    assert sorted(known.read_text().splitlines()) == sorted("".join(map(servers.lines_for, ports)).splitlines())


def test_a_key_that_cannot_be_remembered_is_refused(open_host: Any, home: Path, told: list[str]) -> None:
    (home / "file").write_text("")
    answer = open_host(known_hosts=str(home / "file" / "known"), host_key="accept-new").run("true")
    assert re.fullmatch("host key of web-01 cannot be remembered: (file exists|not a directory)", answer.problem)
    assert str(home / "file" / "known") in told[0]


def test_a_file_that_cannot_be_read_is_told(open_host: Any, home: Path, told: list[str]) -> None:
    answer = open_host(known_hosts=str(home)).run("true")
    assert (answer.problem, answer.unreachable) == ("known host keys cannot be read: is a directory", True)
    assert told == [f"cannot read {home}: is a directory"]


def test_ignore_takes_any_key(open_host: Any, servers: Any, known: Path) -> None:
    known.write_text(f"[127.0.0.1]:{servers.web.port} {servers.keys.public('ed25519')}\n")
    before = known.read_text()
    assert open_host(known_hosts=str(known), host_key="ignore").run("exit 3").exit_code == 3
    assert known.read_text() == before


# ---- what ~/.ssh/config says about it --------------------------------------------------------------------------------


def test_files_of_the_configuration_are_looked_in(open_host: Any, servers: Any, home: Path, known: Path) -> None:
    config = home / ".ssh" / "config"
    other = home / "with blank"
    for user_files, global_files in (
        (f'/none {known} "{other}"', "/none"),
        (f'"/none" "{other}"', "none"),
        ("none", f'"{other}"'),
    ):
        config.write_text(f"UserKnownHostsFile {user_files}\nGlobalKnownHostsFile {global_files}\n")
        other.write_text(servers.lines_for(servers.web.port))
        assert open_host(Links(config=config), known_hosts=None).run("exit 3").exit_code == 3


def test_the_default_file_is_in_the_home_directory(open_host: Any, servers: Any, home: Path) -> None:
    (home / ".ssh" / "known_hosts").write_text(servers.lines_for(servers.web.port))
    assert open_host(known_hosts=None).run("exit 3").exit_code == 3


@pytest.mark.parametrize("strict", ["no", "off", "accept-new", "ask"])
def test_strict_host_key_checking_of_the_configuration_weakens_nothing(open_host: Any, home: Path, strict: str) -> None:
    config = home / ".ssh" / "config"
    config.write_text(f"StrictHostKeyChecking {strict}\nUserKnownHostsFile /dev/null\n")
    answer = open_host(Links(config=config), known_hosts=None).run("true")
    assert answer.problem.startswith("host key of web-01 is not known: ")


def test_an_alias_is_what_the_key_is_known_as(
    open_host: Any, servers: Any, home: Path, known: Path, told: list[str]
) -> None:
    config = home / ".ssh" / "config"
    config.write_text("HostKeyAlias Web\n")
    known.write_text(f"web {servers.host_keys.public('ed25519')}\n")
    assert open_host(Links(config=config), known_hosts=str(known)).run("exit 3").exit_code == 3
    known.write_text("")
    open_host(Links(config=config, tell=told.append), known_hosts=str(known)).run("true")
    key = servers.host_keys.public("ed25519")
    assert f"then add this line to {known}: “web {key}”; or" in told[0]


def test_names_are_hashed_where_the_configuration_wants_it(
    open_host: Any, servers: Any, home: Path, known: Path
) -> None:
    config = home / ".ssh" / "config"
    config.write_text("HashKnownHosts yes\n")
    assert open_host(Links(config=config), known_hosts=str(known), host_key="accept-new").run("true").exit_code == 0
    assert known.read_text().startswith("|1|")
    assert open_host(Links(config=config), known_hosts=str(known)).run("exit 3").exit_code == 3


def test_two_users_of_a_file_wait_for_each_other(servers: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    from gatewright.runtime.hosts.ssh import known_hosts as ssh_known_hosts

    monkeypatch.setattr(ssh_known_hosts, "_LOCK_LIMIT", 0.1)
    file = home / "known"
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    key: Any = None
    with pytest.raises(BlockingIOError):
        add_if_unknown(file, "web-01", key, hashed=False)
    os.close(descriptor)
