"""Hosts that do not answer over SSH, servers that misbehave, connections that are lost: always an answer, in time."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from gatewright.runtime.evidence.record import HostAnswer

pytestmark = pytest.mark.usefixtures("home")


def eventually(holds: Callable[[], bool], within: float = 5.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


# ---- hosts that do not answer ----------------------------------------------------------------------------------------


def a_closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def silent(connection: socket.socket) -> None:
    connection.recv(1000)


def resetting(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.sendall(b"SSH-2.0-Open")
    time.sleep(0.1)
    connection.close()


def saying(*words: bytes) -> Callable[[socket.socket], None]:
    def handle(connection: socket.socket) -> None:
        for word in words:
            connection.sendall(word)
        connection.recv(1000)
        connection.shutdown(socket.SHUT_RDWR)

    return handle


def mute_after_the_banner(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-test\r\n")
    while connection.recv(1000):
        pass


@pytest.mark.parametrize(
    ("handle", "reason"),
    [
        (silent, "no SSH banner within 0.5 s"),
        (lambda connection: connection.close(), "connection (closed|reset by peer) before its SSH banner"),
        (resetting, "connection reset by peer before its SSH banner"),
        (saying(b"220 mail.example.com ESMTP\r\n" * 200), "it is no SSH server"),
        (saying(b"\xff\xfe\x00garbage\n"), "it is no SSH server"),
        (saying(b"SSH-1.5-old\r\n"), r"no key exchange: Incompatible version \(1.5 instead of 2.0\)"),
        (saying(b"x" * 100_000), "connection (closed|reset by peer) before its SSH banner"),
        (saying(b"SSH-2.0-test\r\n"), "connection (closed|reset by peer) during the key exchange"),
        (saying(b"SSH-2.0-test\r\n", b"\xff" * 5000), "no key exchange: .+|connection .+ during the key exchange"),
        (mute_after_the_banner, "no key exchange within 0.5 s"),
    ],
)
def test_a_server_that_does_not_speak_ssh_is_no_answer(
    open_host: Any,
    raw_server: Any,
    told: list[str],
    capfd: pytest.CaptureFixture[str],
    handle: Any,
    reason: str,
) -> None:
    server = raw_server(handle)
    begun = time.monotonic()
    connection = open_host(port=server.port, connect_timeout=0.5)
    answer = connection.run("true")
    assert time.monotonic() - begun < 6
    assert re.fullmatch(f"host did not answer: ({reason})", answer.problem), answer.problem
    assert answer.unreachable
    for secret in ("127.0.0.1", str(server.port), "/"):
        assert secret not in answer.problem
    assert len(told) == 1
    assert f"@127.0.0.1 port {server.port}) did not answer: " in told[0]

    again = time.monotonic()
    assert connection.run("true").problem == answer.problem
    assert time.monotonic() - again < 0.45
    assert server.connections == 1
    assert len(told) == 1
    assert capfd.readouterr() == ("", "")


def test_a_refused_connection_is_no_answer(open_host: Any, told: list[str]) -> None:
    port = a_closed_port()
    answer = open_host(port=port).run("true")
    assert (answer.problem, answer.unreachable) == ("host did not answer: connection refused", True)
    assert f"127.0.0.1 port {port}) did not answer: connection refused" in told[0]


@pytest.mark.parametrize("address", ["no-such-host.invalid", "a..b", "x" * 300, "nul\0byte"])
def test_a_name_that_is_not_known_is_no_answer(open_host: Any, told: list[str], address: str) -> None:
    answer = open_host(address=address).run("true")
    assert answer.problem == "host did not answer: its name or address is not known"
    assert told[0].startswith("web-01 (")


def test_a_name_that_is_looked_up_for_ever_is_given_up(open_host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    begun = time.monotonic()
    answer = open_host(connect_timeout=0.3).run("true")
    assert answer.problem == "host did not answer: its name was not resolved within 0.3 s"
    assert time.monotonic() - begun < 2


def test_a_port_that_swallows_connections_is_given_up(open_host: Any) -> None:
    """A full backlog: the system answers no further connection."""
    full = socket.socket()
    full.bind(("127.0.0.1", 0))
    full.listen(0)
    waiting = [socket.socket() for _ in range(4)]
    for one in waiting:
        one.setblocking(False)
        one.connect_ex(full.getsockname())
    begun = time.monotonic()
    answer = open_host(port=full.getsockname()[1], connect_timeout=0.4).run("true")
    assert answer.problem in (
        "host did not answer: no TCP connection within 0.4 s",
        "host did not answer: no SSH banner within 0.4 s",  # systems differ in what a full backlog is
    )
    assert time.monotonic() - begun < 6
    for one in (*waiting, full):
        one.close()


def test_a_host_that_is_dead_does_not_delay_the_others(open_host: Any, raw_server: Any) -> None:
    dead = raw_server(silent)
    connections = [open_host(name=f"web-{number}") for number in range(7)]
    connections.append(open_host(name="dead", port=dead.port, connect_timeout=60))
    ended: dict[str, HostAnswer] = {}

    def ask(connection: Any) -> None:
        answer = connection.run("exit 3")
        ended[answer.host] = answer

    threads = [threading.Thread(target=ask, args=(connection,)) for connection in connections]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads[:-1]:
        thread.join(30)
    assert time.monotonic() - begun < 20
    assert [ended[f"web-{number}"].exit_code for number in range(7)] == [3] * 7
    connections[-1].close()
    threads[-1].join(2)
    assert ended["dead"].problem == "interrupted"


def test_a_connection_that_is_dropped_is_made_anew_for_the_next_command(
    open_host: Any, servers: Any, proxy_to: Any, told: list[str]
) -> None:
    proxy = proxy_to(servers.web.port)
    connection = open_host(port=proxy.port, host_key="ignore")
    answers: list[HostAnswer] = []
    thread = threading.Thread(target=lambda: answers.append(connection.run("echo begun; sleep 20; echo never")))
    thread.start()
    assert eventually(lambda: proxy.connections == 1)
    time.sleep(1)
    proxy.drop()
    thread.join(5)
    [answer] = answers
    assert answer.problem in (
        "host did not answer: connection closed while the command ran",
        "host did not answer: connection reset by peer while the command ran",
    )
    assert (answer.unreachable, answer.exit_code, answer.stdout) == (True, None, "begun\n")
    assert len(told) == 1
    assert connection.run("exit 4").exit_code == 4
    assert proxy.connections == 2

    proxy.drop()  # between two commands: the next one has not begun, so nobody need know
    assert connection.run("exit 5").exit_code == 5
    assert proxy.connections == 3
    assert len(told) == 1

    proxy.stop()
    assert connection.run("true").problem == "host did not answer: connection refused"
    assert connection.run("true").problem == "host did not answer: connection refused"


def test_a_peer_that_stops_reading_does_not_hold_the_time_limit_up(
    open_host: Any, servers: Any, raw_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing to it blocks for ever once all buffers are full."""
    from gatewright.runtime.hosts.ssh import sockets as ssh_sockets

    prepared = ssh_sockets._prepared

    def with_small_buffer(connection: socket.socket) -> socket.socket:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        return prepared(connection)

    monkeypatch.setattr(ssh_sockets, "_prepared", with_small_buffer)
    is_stopping = threading.Event()

    def handle(here: socket.socket) -> None:
        there = socket.create_connection(("127.0.0.1", servers.web.port))

        def back() -> None:
            with contextlib.suppress(OSError):
                while data := there.recv(65536):
                    here.sendall(data)

        threading.Thread(target=back, daemon=True).start()
        left = 100_000
        while left > 0 and (data := here.recv(4096)):
            there.sendall(data)
            left -= len(data) if is_stopping.is_set() else 0
        time.sleep(4 if left <= 0 else 0)
        there.close()

    server = raw_server(handle)
    connection = open_host(port=server.port, host_key="ignore")
    assert connection.run("true").exit_code == 0
    is_stopping.set()
    begun = time.monotonic()
    answer = connection.run("cat > /dev/null; sleep 30", stdin=bytes(64 * 1024 * 1024), time_limit=1)
    assert time.monotonic() - begun < 6
    assert answer.problem == "timed out after 1 s"
    is_stopping.clear()
    assert connection.run("exit 3").exit_code == 3


# ---- what only a server that misbehaves does -------------------------------------------------------------------------


@pytest.fixture
def odd_server(servers: Any) -> Any:
    """A server with replaced methods of paramiko's server interface."""
    from paramiko import Ed25519Key
    from paramiko_server import ParamikoServer

    made: list[Any] = []
    host_key = Ed25519Key.from_private_key_file(str(servers.host_keys.folder / "ed25519"))

    def make(**hooks: Any) -> Any:
        made.append(ParamikoServer([host_key], [servers.keys.blob("ed25519")], **hooks))
        return made[-1]

    yield make
    for server in made:
        server.stop()


def later(action: Callable[[], Any]) -> bool:
    threading.Timer(0.1, action).start()
    return True


def test_a_command_without_an_exit_status_is_no_answer(open_host: Any, odd_server: Any) -> None:
    def execute(channel: Any, command: bytes) -> bool:
        return later(lambda: (channel.sendall(b"ok\n"), channel.close()))

    answer = open_host(port=odd_server(check_channel_exec_request=execute).port, host_key="ignore").run("exit 1")
    assert answer.problem == "host did not answer: the command ended without an exit status"
    assert (answer.unreachable, answer.exit_code, answer.stdout) == (True, None, "ok\n")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("TERM", "killed by SIGTERM"),
        ("USR1", "killed by SIGUSR1"),
        ("RTMIN@example.com", "killed by a signal"),
        ("\x1b[31m\n", "killed by a signal"),
    ],
)
def test_a_signal_of_the_servers_is_named(open_host: Any, odd_server: Any, name: str, problem: str) -> None:
    from paramiko_server import send_exit_signal

    def execute(channel: Any, command: bytes) -> bool:
        return later(lambda: (send_exit_signal(channel, name), channel.close()))

    answer = open_host(port=odd_server(check_channel_exec_request=execute).port, host_key="ignore").run("true")
    assert (answer.problem, answer.unreachable, answer.exit_code) == (problem, False, None)


def test_an_exit_status_that_is_none_is_a_failure(open_host: Any, odd_server: Any) -> None:
    def execute(channel: Any, command: bytes) -> bool:
        return later(lambda: (channel.send_exit_status(0xC000013A), channel.close()))

    answer = open_host(port=odd_server(check_channel_exec_request=execute).port, host_key="ignore").run("true")
    assert answer.problem == "exit status 3221225786, which is not from 0 to 255"
    assert not answer.unreachable


def test_a_server_that_runs_no_commands_is_no_answer(open_host: Any, odd_server: Any) -> None:
    server = odd_server(check_channel_exec_request=lambda channel, command: False)
    answer = open_host(port=server.port, host_key="ignore").run("true")
    assert (answer.problem, answer.unreachable) == ("host did not answer: it runs no commands", True)


def test_a_server_that_opens_no_session_is_no_answer(open_host: Any, odd_server: Any) -> None:
    from paramiko import OPEN_FAILED_RESOURCE_SHORTAGE

    server = odd_server(check_channel_request=lambda kind, number: OPEN_FAILED_RESOURCE_SHORTAGE)
    answer = open_host(port=server.port, host_key="ignore").run("true")
    assert answer.problem == "host did not answer: it opens no session: resource shortage"


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("check_auth_publickey", "no answer to the login within 0.7 s"),
        ("check_channel_request", "no session within 0.7 s"),
        ("check_channel_exec_request", "the command was not taken within 0.7 s"),
    ],
)
def test_a_server_that_goes_silent_is_given_up(open_host: Any, odd_server: Any, hook: str, reason: str) -> None:
    server = odd_server(**{hook: lambda *_: time.sleep(4)})
    begun = time.monotonic()
    answer = open_host(port=server.port, host_key="ignore", connect_timeout=0.7).run("true", time_limit=60)
    assert (answer.problem, answer.unreachable) == (f"host did not answer: {reason}", True)
    assert time.monotonic() - begun < 6


def test_a_server_that_hangs_up_during_the_login_is_no_answer(open_host: Any, odd_server: Any) -> None:
    server = odd_server(check_auth_publickey=lambda *_: server.transports[0].sock.shutdown(socket.SHUT_RDWR))
    answer = open_host(port=server.port, host_key="ignore").run("true")
    assert answer.problem == "host did not answer: connection closed during the login"
    assert answer.unreachable


def test_a_server_that_takes_no_keys_is_named(open_host: Any, odd_server: Any) -> None:
    from paramiko import AUTH_FAILED

    server = odd_server(check_auth_publickey=lambda *_: AUTH_FAILED, get_allowed_auths=lambda user: "password")
    answer = open_host(port=server.port, host_key="ignore").run("true")
    assert answer.problem == "login refused by web-01: it takes no keys, only password"


def test_a_server_that_wants_more_than_a_key_is_named(open_host: Any, odd_server: Any) -> None:
    from paramiko import AUTH_PARTIALLY_SUCCESSFUL

    def check(*_: Any) -> int:
        return AUTH_PARTIALLY_SUCCESSFUL

    server = odd_server(check_auth_publickey=check, get_allowed_auths=lambda user: "password,keyboard-interactive")
    answer = open_host(port=server.port, host_key="ignore").run("true")
    assert answer.problem == "login refused by web-01: it wants more than a key: password, keyboard-interactive"
