"""Commands over SSH, against a real sshd where there is one."""

from __future__ import annotations

import os
import signal
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

pytestmark = pytest.mark.usefixtures("home")

PROC = Path("/proc")
needs_proc = pytest.mark.skipif(not PROC.joinpath("self/cmdline").exists(), reason="looks for processes in /proc")


def processes_with(marker: str) -> list[int]:
    found: list[int] = []
    for folder in PROC.glob("[0-9]*"):
        try:
            arguments = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
        except OSError:
            continue
        if marker in arguments:
            found.append(int(folder.name))
    return found


def eventually(holds: Callable[[], bool], within: float = 5.0) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


@pytest.fixture
def marker() -> Any:
    """A number of seconds that only this test sleeps; who still sleeps it afterwards is ended."""
    number = f"86391.{os.getpid()}{time.monotonic_ns()}"
    yield number
    for pid in processes_with(number):
        os.kill(pid, signal.SIGKILL)


def kills(request: pytest.FixtureRequest) -> bool:
    """Whether the server kills commands when it is asked to: sshd does, but for root."""
    return request.node.callspec.params["servers"] == "sshd" and os.geteuid() != 0


# ---- commands --------------------------------------------------------------------------------------------------------


def test_both_streams_and_the_status_are_told_apart(open_host: Any) -> None:
    connection = open_host()
    answer = connection.run("printf out; printf err >&2; exit 3")
    assert answer == HostAnswer("web-01", "printf out; printf err >&2; exit 3", 3, "out", "err")
    assert [connection.run(f"exit {code}").exit_code for code in (0, 1, 255)] == [0, 1, 255]


def test_the_login_shell_runs_it_in_the_home_directory_without_a_terminal(open_host: Any) -> None:
    answer = open_host().run('test -t 0 || test -t 1 || test -t 2; echo "$? $SHELL"; pwd; (: < /dev/tty) 2>/dev/null')
    import pwd

    entry = pwd.getpwuid(os.geteuid())
    assert answer.stdout.splitlines()[1] == entry.pw_dir
    assert answer.stdout.split()[0] == "1"
    assert answer.exit_code != 0


def test_the_inventorys_shell_runs_it(open_host: Any, tmp_path: Path) -> None:
    shell = tmp_path / "my shell"
    shell.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    shell.chmod(0o755)
    assert open_host(shell=str(shell)).run("echo 'a  b'\n\"$x\"").stdout == "-c|echo 'a  b'\n\"$x\"|"


def test_a_shell_may_be_found_on_the_search_path(open_host: Any) -> None:
    assert open_host(shell="sh").run("exit 3").exit_code == 3


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("/nowhere/my sh", "No such file or directory"),
        ("no-such-shell", "No such file or directory"),
        ("/etc/passwd", "Permission denied"),
        ("/etc", "Permission denied"),
    ],
)
def test_a_shell_that_is_not_there_is_no_answer_of_the_command(
    open_host: Any, told: list[str], shell: str, words: str
) -> None:
    connection = open_host(shell=shell)
    for command in ("true", "exit 127"):
        answer = connection.run(command)
        assert answer == HostAnswer("web-01", command, None, problem=f"cannot start {shell}: {words}", unreachable=True)
    assert len(told) == 1


@pytest.mark.parametrize("command", ["cat; echo end", "more {}", "read line; echo $?"])
def test_standard_input_is_closed(open_host: Any, command: str) -> None:
    answer = open_host().run(command.format(__file__), time_limit=5)
    assert answer.problem is None
    assert answer.exit_code == 0


def test_standard_input_holds_what_is_given(open_host: Any) -> None:
    connection = open_host()
    data = bytes(range(256)) * 4096
    answer = connection.run("sha256sum; exit 4", stdin=data)
    import hashlib

    assert (answer.stdout.split()[0], answer.exit_code) == (hashlib.sha256(data).hexdigest(), 4)
    assert connection.run("cat", stdin=b"").stdout == ""
    assert connection.run("cat", stdin="ä\0b".encode()).stdout == "ä\0b"


def test_standard_input_need_not_be_read(open_host: Any) -> None:
    connection = open_host()
    assert connection.run("exit 3", stdin=bytes(8 * 1024 * 1024), time_limit=10).exit_code == 3
    assert connection.run("exec <&-; sleep 0.2; exit 4", stdin=bytes(8 * 1024 * 1024), time_limit=10).exit_code == 4


def test_ten_mebibytes_on_each_stream_are_drained_and_cut_visibly(open_host: Any) -> None:
    answer = open_host().run(
        "head -c 10485760 /dev/zero | tr '\\0' a & head -c 10485760 /dev/zero | tr '\\0' b >&2; wait; "
        "echo last; echo end >&2; exit 4"
    )
    assert answer.exit_code == 4
    for text, letter, last in ((answer.stdout, "a", "last"), (answer.stderr, "b", "end")):
        head, note, tail = text.split("\n", 2)
        assert head == letter * (512 * 1024)
        assert note == f"[… {10 * 1024 * 1024 + len(last) + 1 - 1024 * 1024} bytes cut …]"
        assert tail == letter * (512 * 1024 - len(last) - 1) + last + "\n"


def test_a_character_that_comes_in_pieces_is_one_character(open_host: Any) -> None:
    pieces = "; sleep 0.05; ".join(f"printf '\\{byte:o}'" for byte in "\U00010348".encode())
    assert open_host().run(pieces).stdout == "\U00010348"


def test_bytes_that_are_not_utf_8_become_replacement_characters(open_host: Any) -> None:
    answer = open_host().run(r"printf 'caf\351\n'; printf '\261\342' >&2")
    assert (answer.stdout, answer.stderr) == ("caf\ufffd\n", "\ufffd\ufffd")


@pytest.mark.parametrize("name", ["KILL", "TERM"])
def test_a_signal_that_ends_the_shell_is_named(open_host: Any, name: str) -> None:
    answer = open_host().run(f"echo before; kill -{name} $$; sleep 5")
    assert (answer.problem, answer.exit_code, answer.stdout) == (f"killed by SIG{name}", None, "before\n")
    assert not answer.unreachable


def test_a_signal_that_ends_a_child_is_the_shells_exit_status(open_host: Any) -> None:
    answer = open_host().run("sh -c 'kill -9 $$'; exit $?")
    assert (answer.exit_code, answer.problem) == (137, None)


@needs_proc
def test_at_the_time_limit_the_command_is_ended_and_the_connection_stays(
    open_host: Any, servers: Any, marker: str, proxy_to: Any, told: list[str], request: pytest.FixtureRequest
) -> None:
    proxy = proxy_to(servers.web.port)
    connection = open_host(port=proxy.port, host_key="ignore")
    begun = time.monotonic()
    answer = connection.run(f"printf begun; sleep {marker} & sleep {marker}; echo never", time_limit=1)
    assert 1 <= time.monotonic() - begun < 4
    assert answer.problem == "timed out after 1 s"
    assert (answer.exit_code, answer.stdout, answer.unreachable) == (None, "begun", False)
    assert connection.run("exit 5").exit_code == 5
    assert proxy.connections == 1
    assert told == []
    if kills(request):
        assert eventually(lambda: not processes_with(marker))


def test_the_hosts_own_limit_counts_where_it_is_less(open_host: Any) -> None:
    assert open_host(command_timeout=0.5).run("sleep 30", time_limit=60).problem == "timed out after 0.5 s"


def test_a_command_that_never_stops_writing_meets_the_time_limit(open_host: Any) -> None:
    answer = open_host().run("yes", time_limit=0.3)
    assert answer.problem == "timed out after 0.3 s"
    assert answer.stdout.startswith("y\ny\n")


@needs_proc
def test_a_background_process_that_holds_the_streams_is_neither_waited_for_nor_killed(
    open_host: Any, marker: str
) -> None:
    begun = time.monotonic()
    answer = open_host().run(f"sleep {marker} & echo $!; (sleep 0.1; echo late) & exit 6")
    assert time.monotonic() - begun < 4
    assert answer.exit_code == 6
    assert answer.stdout.endswith("late\n")
    assert processes_with(marker)


def test_a_background_process_that_writes_for_ever_is_not_waited_for(open_host: Any) -> None:
    begun = time.monotonic()
    assert open_host().run("yes & exit 7").exit_code == 7
    assert time.monotonic() - begun < 4


@pytest.mark.parametrize("command", ["a\0b", "a\ud800b"])
def test_a_command_that_no_shell_can_be_given_is_an_error(open_host: Any, command: str) -> None:
    answer = open_host().run(command)
    assert answer.problem == "the command holds a character that no shell can be given"
    assert answer.unreachable


def test_all_commands_go_over_one_tcp_connection_that_close_ends(open_host: Any, servers: Any, proxy_to: Any) -> None:
    proxy = proxy_to(servers.web.port)
    connection = open_host(port=proxy.port, host_key="ignore")
    assert proxy.connections == 0
    assert [connection.run(f"exit {code}").exit_code for code in range(12)] == list(range(12))
    assert proxy.connections == 1
    connection.close()
    assert eventually(lambda: all(end.fileno() == -1 or gone(end) for end in proxy._open))
    answer = connection.run("true")
    assert (answer.problem, answer.unreachable) == ("interrupted", True)
    connection.close()
    assert proxy.connections == 1


def gone(end: socket.socket) -> bool:
    try:
        return end.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except OSError:
        return False


@needs_proc
def test_closing_ends_a_running_command_at_once(open_host: Any, marker: str, request: pytest.FixtureRequest) -> None:
    connection = open_host()
    connection.run("true")
    answers: list[HostAnswer] = []
    thread = threading.Thread(target=lambda: answers.append(connection.run(f"echo begun; sleep {marker}")))
    thread.start()
    assert eventually(lambda: bool(processes_with(marker)))
    time.sleep(0.1)
    begun = time.monotonic()
    connection.close()
    thread.join(5)
    assert time.monotonic() - begun < 5
    assert (answers[0].problem, answers[0].unreachable, answers[0].stdout) == ("interrupted", True, "begun\n")
    if kills(request):
        assert eventually(lambda: not processes_with(marker))


# ---- nothing loads, nothing stays ------------------------------------------------------------------------------------


def test_paramiko_loads_at_the_first_command() -> None:
    program = (
        "import sys\n"
        "from gatewright.runtime.hosts.inventory import Host\n"
        "from gatewright.runtime.hosts.ssh import Links, check_host, ssh_connection\n"
        "ssh_connection(Host(name='web-01'), Links({})).close()\n"
        "sys.exit('paramiko' in sys.modules or 'cryptography' in sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode == 0


def mute_after_the_banner(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-test\r\n")
    while connection.recv(1000):
        pass


def test_a_program_ends_at_once_after_a_host_that_did_not_answer(raw_server: Any, servers: Any) -> None:
    server = raw_server(mute_after_the_banner)
    key = servers.keys.folder / "ed25519"
    program = (
        "from gatewright.runtime.hosts.inventory import Host\n"
        "from gatewright.runtime.hosts.ssh import Links, ssh_connection\n"
        f"host = Host(name='web-01', address='127.0.0.1', port={server.port}, key={str(key)!r}, connect_timeout=1)\n"
        "print(ssh_connection(host, Links(config=None)).run('true').problem)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    begun = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=False, capture_output=True, text=True, timeout=30
    )
    assert ended.stdout == "host did not answer: no key exchange within 1 s\n"
    assert ended.stderr == ""
    assert time.monotonic() - begun < 5


def test_no_thread_stays(open_host: Any) -> None:
    before = set(threading.enumerate())
    connection = open_host()
    connection.run("true")
    connection.run("sleep 5", time_limit=0.2)
    connection.close()
    assert eventually(lambda: set(threading.enumerate()) <= before)
