"""SSH servers for tests: sshd where there is one, a server of paramiko's elsewhere, and sockets that misbehave.

`GATEWRIGHT_TEST_SSHD=none` has the tests run without sshd.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import pytest

from gatewright.runtime.hosts.inventory import Host
from gatewright.runtime.hosts.ssh import Links, ssh_connection

SSHD = os.environ.get("GATEWRIGHT_TEST_SSHD", "/usr/sbin/sshd")
KIND = "sshd" if Path(SSHD).is_file() else "paramiko-server"
PASSPHRASE = "correct horse battery"
USER = pwd.getpwuid(os.geteuid()).pw_name


def pytest_report_header() -> str:
    return f"ssh tests: {'sshd ' + SSHD if KIND == 'sshd' else 'no sshd here, a server of paramiko takes its place'}"


class Server(Protocol):
    port: int

    def stop(self) -> None: ...


@dataclass
class Keys:
    """Key files of one kind of owner: `folder/NAME` and `folder/NAME.pub`."""

    folder: Path
    made: dict[str, Path] = field(default_factory=dict)

    def make(self, name: str, kind: str, passphrase: str | None = None, form: str = "openssh") -> Path:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

        key = {
            "ed25519": ed25519.Ed25519PrivateKey.generate,
            "ecdsa": lambda: ec.generate_private_key(ec.SECP256R1()),
            "rsa": lambda: rsa.generate_private_key(65537, 2048),
        }[kind]()
        shapes = {"openssh": "OpenSSH", "pem": "TraditionalOpenSSL", "pkcs8": "PKCS8"}
        encryption = (
            serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption()
        )
        path = self.folder / name
        shape = getattr(serialization.PrivateFormat, shapes[form])
        path.write_bytes(key.private_bytes(serialization.Encoding.PEM, shape, encryption))
        path.chmod(0o600)
        public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
        path.with_name(f"{name}.pub").write_bytes(public + b"\n")
        self.made[name] = path
        return path

    def public(self, name: str) -> str:
        """`ssh-ed25519 AAAA…`"""
        return (self.folder / f"{name}.pub").read_text().strip()

    def blob(self, name: str) -> bytes:
        import base64

        return base64.b64decode(self.public(name).split()[1])


class Sshd:
    """A real one, on a loopback port."""

    def __init__(self, folder: Path, host_keys: list[Path], authorized: str, *settings: str) -> None:
        folder.mkdir()
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        (folder / "authorized_keys").write_text(authorized)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        lines = [
            f"Port {self.port}",
            "ListenAddress 127.0.0.1",
            *(f"HostKey {path}" for path in host_keys),
            "PidFile none",
            f"AuthorizedKeysFile {folder / 'authorized_keys'}",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "PermitRootLogin prohibit-password",
            "MaxStartups 200",
            "MaxSessions 200",
            "SetEnv SHLVL=2",  # bash reads no start-up file then
            *settings,
        ]
        config = folder / "sshd_config"
        config.write_text("".join(f"{line}\n" for line in lines))
        log = (folder / "log").open("wb")
        self._process = subprocess.Popen([SSHD, "-D", "-e", "-f", config], stdin=subprocess.DEVNULL, stderr=log)
        log.close()
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self._process.poll() is None, (folder / "log").read_text()
                time.sleep(0.02)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


@dataclass
class Servers:
    """What all tests of a session share. `web` and `bastion` take the keys `ed25519`, `rsa`, `ecdsa` and `locked`; the
    key `stranger` is of nobody."""

    folder: Path
    keys: Keys
    host_keys: Keys
    web: Server
    bastion: Server

    def lines_for(self, port: int, name: str = "127.0.0.1", *kinds: str) -> str:
        """What known_hosts has to say for a server with the host keys of these kinds."""
        return "".join(f"[{name}]:{port} {self.host_keys.public(kind)}\n" for kind in kinds or ("ed25519",))


@pytest.fixture(scope="session", params=[KIND])
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    folder = tmp_path_factory.mktemp("ssh")
    keys, host_keys = Keys(folder / "keys"), Keys(folder / "host_keys")
    for made in (keys, host_keys):
        made.folder.mkdir(mode=0o700)
        for kind in ("ed25519", "rsa", "ecdsa"):
            made.make(kind, kind)
    keys.make("locked", "ed25519", PASSPHRASE)
    keys.make("stranger", "ed25519")
    names = ("ed25519", "rsa", "ecdsa", "locked")
    if KIND == "sshd":
        authorized = "".join(f"{keys.public(name)}\n" for name in names)
        paths = [host_keys.made[kind] for kind in ("ed25519", "rsa", "ecdsa")]
        web: Server = Sshd(folder / "web", paths, authorized)
        bastion: Server = Sshd(folder / "bastion", paths[:1], authorized)
    else:
        from paramiko import ECDSAKey, Ed25519Key, RSAKey
        from paramiko_server import ParamikoServer

        loaded = [
            kind.from_private_key_file(str(host_keys.made[name]))
            for name, kind in (("ed25519", Ed25519Key), ("rsa", RSAKey), ("ecdsa", ECDSAKey))
        ]
        blobs = [keys.blob(name) for name in names]
        web, bastion = ParamikoServer(loaded, blobs), ParamikoServer(loaded[:1], blobs)
    yield Servers(folder, keys, host_keys, web, bastion)
    web.stop()
    bastion.stop()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory, no agent, no passphrase."""
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("HOME", str(home))
    for name in ("SSH_AUTH_SOCK", "GATEWRIGHT_SSH_PASSPHRASE"):
        monkeypatch.delenv(name, raising=False)
    return home


class RawServer:
    """Does with each connection what `handle` does; `connections` counts them."""

    def __init__(self, handle: Callable[[socket.socket], Any]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._handle = handle
        self._open: list[socket.socket] = []
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):  # the other side has gone
            self._handle(connection)

    def drop(self) -> None:
        """End all connections."""
        while self._open:
            connection = self._open.pop()
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # closing alone does not wake the thread that accepts
        self._listener.close()
        self.drop()


@pytest.fixture
def raw_server() -> Iterator[Callable[[Callable[[socket.socket], Any]], RawServer]]:
    made: list[RawServer] = []

    def make(handle: Callable[[socket.socket], Any]) -> RawServer:
        made.append(RawServer(handle))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@pytest.fixture
def proxy_to(raw_server: Any) -> Callable[[int], RawServer]:
    """A server that passes everything on to a port."""

    def make(port: int) -> RawServer:
        def handle(here: socket.socket) -> None:
            there = socket.create_connection(("127.0.0.1", port))
            server._open.append(there)
            threading.Thread(target=pass_on, args=(there, here), daemon=True).start()
            pass_on(here, there)

        def pass_on(source: socket.socket, sink: socket.socket) -> None:
            with contextlib.suppress(OSError):
                while data := source.recv(65536):
                    sink.sendall(data)
            for end in (source, sink):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

        server: RawServer = raw_server(handle)
        return server

    return make


@pytest.fixture
def agent(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """An agent; call it with key files (and the passphrase of all) to add them."""
    if shutil.which("ssh-agent") is None or shutil.which("ssh-add") is None:
        pytest.skip("ssh-agent is not there")
    path = home / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(path))
    for _ in range(200):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as listening:
            listening.connect(str(path))
            break
        time.sleep(0.01)

    def add(*files: Path, passphrase: str = "") -> None:
        asker = home / "askpass"
        asker.write_text(f"#!/bin/sh\necho '{passphrase}'\n")
        asker.chmod(0o700)
        environment = {**os.environ, "SSH_ASKPASS": str(asker), "SSH_ASKPASS_REQUIRE": "force"}
        subprocess.run(["ssh-add", *files], env=environment, check=True, capture_output=True)

    yield add
    process.terminate()
    process.wait(5)


@pytest.fixture
def told() -> list[str]:
    """What the user was told."""
    return []


@pytest.fixture
def open_host(servers: Any, home: Path, told: list[str]) -> Any:
    """Connections to hosts whose keys are known, closed afterwards; every key of a host can be given."""
    opened: list[Any] = []
    known = home / "known_hosts"
    known.write_text(servers.lines_for(servers.web.port) + servers.lines_for(servers.bastion.port))

    def make(links: Links | None = None, **settings: Any) -> Any:
        connection = ssh_connection(a_host(**settings), links or Links(tell=told.append, config=None))
        opened.append(connection)
        return connection

    def a_host(**settings: Any) -> Host:
        usual = {
            "name": "web-01",
            "address": "127.0.0.1",
            "port": servers.web.port,
            "key": str(servers.keys.folder / "ed25519"),
            "known_hosts": str(known),
            "connect_timeout": 10.0,
            "command_timeout": 30.0,
        }
        return Host.model_validate({name: value for name, value in {**usual, **settings}.items() if value is not None})

    make.host = a_host
    yield make
    for connection in opened:
        connection.close()
