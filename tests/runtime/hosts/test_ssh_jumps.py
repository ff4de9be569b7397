"""Ways to a host: jump hosts of the inventory and of `~/.ssh/config`, proxy commands."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gatewright.runtime.evidence.record import HostAnswer
from gatewright.runtime.hosts.ssh import Links, check_host


@pytest.fixture
def bastion(servers: Any, proxy_to: Any) -> Any:
    """The way to the jump host, which counts connections."""
    return proxy_to(servers.bastion.port)


@pytest.fixture
def links(open_host: Any, bastion: Any, told: list[str]) -> Callable[..., Links]:
    """Links that know the jump host as “bastion”."""

    def make(config: Path | None = None, **settings: Any) -> Links:
        host = open_host.host(**{"name": "bastion", "port": bastion.port, "host_key": "ignore", **settings})
        return Links({"bastion": host}, told.append, config)

    return make


def test_commands_go_through_the_jump_host(open_host: Any, links: Any, bastion: Any) -> None:
    connection = open_host(links(), jump="bastion")
    assert connection.run("echo $SSH_CONNECTION; exit 3").exit_code == 3
    assert connection.run("exit 4").exit_code == 4
    assert bastion.connections == 1


def test_hosts_behind_a_jump_host_and_the_jump_host_itself_share_its_connection(
    open_host: Any, links: Any, bastion: Any
) -> None:
    shared = links()
    connections = [open_host(shared, name=f"web-{number}", jump="bastion") for number in range(4)]
    connections.append(open_host(shared, name="bastion", port=bastion.port, host_key="ignore"))
    codes: list[int | None] = []
    threads = [
        threading.Thread(target=lambda connection=connection: codes.append(connection.run("exit 3").exit_code))
        for connection in connections
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert codes == [3] * 5
    assert bastion.connections == 1
    for connection in connections[1:]:
        connection.close()
    assert connections[0].run("exit 5").exit_code == 5
    connections[0].close()
    assert open_host(shared, name="web-9", jump="bastion").run("exit 6").exit_code == 6
    assert bastion.connections == 2


def test_jump_hosts_lead_to_jump_hosts(open_host: Any, servers: Any, bastion: Any, told: list[str]) -> None:
    hosts = {
        "outer": open_host.host(name="outer", port=bastion.port, host_key="ignore"),
        "inner": open_host.host(name="inner", jump="outer"),
    }
    assert open_host(Links(hosts, told.append, None), jump="inner").run("exit 3").exit_code == 3


def test_a_dropped_jump_host_is_connected_anew(open_host: Any, links: Any, bastion: Any) -> None:
    connection = open_host(links(), jump="bastion")
    assert connection.run("exit 3").exit_code == 3
    bastion.drop()
    answers = [connection.run("exit 4") for _ in range(2)]
    # A command that was sent before the loss was noticed may have begun, so it is not run again; the next one connects.
    # The loss is noticed at the host's connection, or where the jump host is asked for another one.
    lost = any(words in (answers[0].problem or "") for words in ("closed", "connection lost"))
    assert answers[0].exit_code == 4 or (answers[0].unreachable and lost)
    assert answers[1].exit_code == 4
    assert bastion.connections == 2


def test_a_jump_host_that_does_not_answer_is_told_once(
    open_host: Any, links: Any, bastion: Any, told: list[str]
) -> None:
    bastion.stop()
    shared = links()
    for name in ("web-01", "web-02"):
        answer = open_host(shared, name=name, jump="bastion").run("true")
        assert answer == HostAnswer(
            name, "true", problem="host did not answer: jump host bastion: connection refused", unreachable=True
        )
    assert len(told) == 1
    assert told[0].startswith("bastion (")
    assert told[0].endswith(f"@127.0.0.1 port {bastion.port}) did not answer: connection refused")


def test_a_host_that_its_jump_host_cannot_reach_is_no_answer(
    open_host: Any, links: Any, told: list[str], raw_server: Any
) -> None:
    closed = raw_server(lambda connection: None)
    closed.stop()
    answer = open_host(links(), port=closed.port, jump="bastion").run("true")
    assert answer.problem == "host did not answer: jump host bastion cannot connect to it: connect failed"
    assert f"port {closed.port}) did not answer: jump host bastion cannot connect to it" in told[0]


def test_a_silent_host_behind_a_jump_host_is_given_up(open_host: Any, links: Any, raw_server: Any) -> None:
    silent = raw_server(lambda connection: connection.recv(1000) and connection.recv(1000))
    shared = links()
    answer = open_host(shared, port=silent.port, jump="bastion", connect_timeout=0.5).run("true")
    assert answer.problem == "host did not answer: no SSH banner within 0.5 s"
    assert open_host(shared, name="web-02", jump="bastion").run("exit 3").exit_code == 3


def test_a_jump_host_whose_name_is_looked_up_for_ever_is_named(
    open_host: Any, links: Any, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    shared = links(connect_timeout=0.3)
    answer = open_host(shared, jump="bastion").run("true")
    assert answer.problem == "host did not answer: jump host bastion: its name was not resolved within 0.3 s"
    assert open_host(shared, name="web-02", jump="bastion").run("true").problem == answer.problem
    assert len(told) == 1
    assert told[0].startswith("bastion (")


def test_a_jump_host_with_an_unknown_key_is_refused(
    open_host: Any, links: Any, home: Path, told: list[str], bastion: Any
) -> None:
    shared = links(host_key="known", known_hosts=str(home / "none"))
    answer = open_host(shared, jump="bastion").run("true")
    assert answer.problem.startswith("host key of bastion is not known: ssh-ed25519 SHA256:")
    assert answer.unreachable
    assert told[0].startswith("host key of bastion (")


def test_an_unknown_key_behind_a_jump_host_is_told_with_the_line_to_add(
    open_host: Any, links: Any, home: Path, told: list[str], servers: Any
) -> None:
    known = home / "none"
    open_host(links(), jump="bastion", known_hosts=str(known)).run("true")
    line = servers.lines_for(servers.web.port).strip()
    assert f"then add this line to {known}: “{line}”; or set host_key" in told[0]


def test_a_jump_host_that_is_not_there_or_leads_back_is_told(open_host: Any) -> None:
    host = open_host.host(jump="nobody")
    assert check_host(host, {}, None) == "the jump host nobody is not in the inventory"
    hosts = {"a": open_host.host(name="a", jump="b"), "b": open_host.host(name="b", jump="a")}
    assert check_host(hosts["a"], hosts, None) == "jump hosts form a circle: a → b → a"
    assert open_host(Links(hosts, config=None), name="a", jump="b").run("true").problem == "jump hosts form a circle"


def test_the_key_of_a_jump_host_is_checked_before_anything_is_asked(open_host: Any, home: Path) -> None:
    hosts = {"bastion": open_host.host(name="bastion", key=str(home / "none"))}
    detail = f"login at bastion: the key file {home / 'none'} is not there"
    assert check_host(open_host.host(jump="bastion"), hosts, None) == detail


# ---- ~/.ssh/config ---------------------------------------------------------------------------------------------------


@pytest.fixture
def config(home: Path) -> Path:
    return home / ".ssh" / "config"


def outer(servers: Any, port: int, name: str = "outer") -> str:
    """The blocks of a jump host."""
    known = servers.folder / "known"
    known.write_text(
        f"[127.0.0.1]:{port} {servers.host_keys.public('ed25519')}\n" + servers.lines_for(servers.web.port)
    )
    return (
        f"Host {name}\n HostName 127.0.0.1\n Port {port}\n IdentityFile {servers.keys.folder / 'rsa'}\n"
        f" UserKnownHostsFile {known}\n"
    )


def test_proxy_jump_is_followed(open_host: Any, servers: Any, config: Path, bastion: Any) -> None:
    config.write_text(f"Host web-*\n ProxyJump outer\n{outer(servers, bastion.port)}")
    assert open_host(Links(config=config)).run("exit 3").exit_code == 3
    assert bastion.connections == 1


def test_proxy_jump_with_user_and_port_and_a_chain_is_followed(
    open_host: Any, servers: Any, config: Path, bastion: Any, proxy_to: Any
) -> None:
    import pwd

    user = pwd.getpwuid(os.geteuid()).pw_name
    inner = proxy_to(servers.web.port)
    known = servers.folder / "known"
    config.write_text(
        f"Host web-*\n ProxyJump outer,ssh://{user}@127.0.0.1:{inner.port}\n{outer(servers, bastion.port)}"
        f"Host 127.0.0.1\n IdentityFile {servers.keys.folder / 'rsa'}\n UserKnownHostsFile {known}\n"
    )
    with known.open("a") as file:
        file.write(servers.lines_for(inner.port))
    assert open_host(Links(config=config)).run("exit 3").exit_code == 3
    assert (bastion.connections, inner.connections) == (1, 1)


def test_proxy_jump_to_a_host_of_the_inventory_is_the_inventorys(
    open_host: Any, links: Any, config: Path, bastion: Any
) -> None:
    config.write_text("Host web-*\n ProxyJump bastion\n")
    assert open_host(links(config)).run("exit 3").exit_code == 3
    assert bastion.connections == 1


@pytest.mark.parametrize("first", ["ProxyJump none", "ProxyCommand none"])
def test_none_is_no_jump(open_host: Any, servers: Any, config: Path, bastion: Any, first: str) -> None:
    config.write_text(f"{first}\nHost *\n ProxyJump outer\n ProxyCommand false\n{outer(servers, bastion.port)}")
    assert open_host(Links(config=config)).run("exit 3").exit_code == 3
    assert bastion.connections == 0


def test_the_inventorys_jump_wins_over_the_configuration(
    open_host: Any, links: Any, config: Path, bastion: Any
) -> None:
    config.write_text("Host web-*\n ProxyJump nowhere.invalid\n ProxyCommand false\n")
    assert open_host(links(config), jump="bastion").run("exit 3").exit_code == 3
    assert bastion.connections == 1


def test_the_inventorys_proxies_win_over_the_configuration(
    open_host: Any, servers: Any, config: Path, bastion: Any, pipe: str
) -> None:
    config.write_text(f"Host web-*\n ProxyCommand false\n{outer(servers, bastion.port)}")
    assert open_host(Links(config=config), proxy_jump="outer").run("exit 3").exit_code == 3
    assert bastion.connections == 1
    assert open_host(Links(config=config), proxy_command=f"{pipe} %h %p").run("exit 4").exit_code == 4


def test_a_host_that_is_not_supported_says_so(open_host: Any, config: Path, told: list[str]) -> None:
    host = open_host.host(unsupported="cannot reach web-01: winrm is not supported")
    assert check_host(host, config=None) == "cannot reach web-01: winrm is not supported"
    answer = open_host(unsupported="cannot reach web-01: winrm is not supported").run("true")
    assert (answer.problem, answer.unreachable) == ("cannot reach web-01: winrm is not supported", True)


def test_reports_do_not_name_a_jump_host_that_is_not_in_the_inventory(
    open_host: Any, config: Path, told: list[str], raw_server: Any
) -> None:
    closed = raw_server(lambda connection: None)
    closed.stop()
    config.write_text(
        f"Host web-*\n ProxyJump somebody@127.0.0.1:{closed.port}\nHost 127.0.0.1\n IdentityFile {config.parent}/key\n"
    )
    answer = open_host(Links(tell=told.append, config=config)).run("true")
    assert answer.problem == "login at its jump host: there is no key to offer"
    subprocess.run(["cp", os.fspath(open_host.host().key), config.parent / "key"], check=True)
    answer = open_host(Links(tell=told.append, config=config)).run("true")
    assert answer.problem == "host did not answer: its jump host: connection refused"
    assert told[-1] == (f"its jump host (somebody@127.0.0.1 port {closed.port}) did not answer: connection refused")


def test_a_circle_in_the_configuration_is_told(open_host: Any, config: Path) -> None:
    config.write_text("Host *\n ProxyJump outer\n")
    assert check_host(open_host.host(), {}, config) == "jump hosts form a circle: web-01 → outer → outer"


# ---- proxy commands --------------------------------------------------------------------------------------------------

PIPE = """
import os, socket, sys, threading
there = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def out():
    while data := there.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=out, daemon=True).start()
while data := os.read(0, 65536):
    there.sendall(data)
"""


@pytest.fixture
def pipe(home: Path) -> str:
    (home / "pipe.py").write_text(PIPE)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(home / 'pipe.py'))}"


def test_a_proxy_command_is_the_connection_and_ends_with_it(
    open_host: Any, config: Path, pipe: str, home: Path
) -> None:
    marker = home / "pid"
    config.write_text(f"Host web-*\n ProxyCommand sh -c 'echo $$ %n %r > {marker}; exec {pipe} %h %p'\n")
    connection = open_host(Links(config=config), user=None)
    assert connection.run("exit 3").exit_code == 3
    assert connection.run("cat", stdin=b"x" * 100_000).stdout == "x" * 100_000
    pid, name, _ = marker.read_text().split()
    assert name == "web-01"
    assert Path(f"/proc/{pid}").exists() or not Path("/proc").exists()
    connection.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


@pytest.mark.parametrize(
    ("command", "reason", "more"),
    [
        ("sh -c 'echo no way >&2; exit 1'", "connection (closed|reset by peer) before its SSH banner", "no way"),
        ("no-such-program %h", "connection (closed|reset by peer) before its SSH banner", "not found"),
        ("sleep 60", "no SSH banner within 0.5 s", ""),
        ("cat", "no SSH banner within 0.5 s|no key exchange.*|connection closed during the key exchange", ""),
    ],
)
def test_a_proxy_command_that_does_not_work_is_no_answer(
    open_host: Any,
    config: Path,
    told: list[str],
    capfd: pytest.CaptureFixture[str],
    command: str,
    reason: str,
    more: str,
) -> None:
    import re

    config.write_text(f"Host web-*\n ProxyCommand {command}\n")
    answer = open_host(Links(tell=told.append, config=config), connect_timeout=0.5).run("true")
    assert re.fullmatch(f"host did not answer: ({reason})", answer.problem), answer.problem
    assert more in told[0]
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(shutil.which("ssh") is None, reason="runs ssh")
def test_ssh_may_be_the_proxy_command(open_host: Any, servers: Any, config: Path, bastion: Any) -> None:
    config.write_text(outer(servers, bastion.port))
    theirs = config.with_name("theirs")
    theirs.write_text(f"Host web-*\n ProxyCommand ssh -F {config} -W %h:%p outer\n")
    assert open_host(Links(config=theirs)).run("exit 3").exit_code == 3
    assert bastion.connections == 1


def test_closing_ends_a_proxy_command_that_says_nothing(open_host: Any, config: Path, home: Path) -> None:
    marker = home / "pid"
    config.write_text(f"Host web-*\n ProxyCommand sh -c 'echo $$ > {marker}; exec sleep 600'\n")
    connection = open_host(Links(config=config), connect_timeout=60)
    answers: list[HostAnswer] = []
    thread = threading.Thread(target=lambda: answers.append(connection.run("true")))
    thread.start()
    while not (marker.exists() and marker.read_text()):
        time.sleep(0.01)
    begun = time.monotonic()
    connection.close()
    thread.join(5)
    assert time.monotonic() - begun < 5
    assert answers[0].problem == "interrupted"
    with pytest.raises(ProcessLookupError):
        os.kill(int(marker.read_text()), 0)
