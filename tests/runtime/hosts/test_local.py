"""The local connection, with real processes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gatewright.runtime.hosts.local import LocalConnection, seconds

SH = "/bin/sh"
PROC = Path("/proc")


def run(command: str, *, shell: str | None = SH, time_limit: float = 30.0):
    return LocalConnection("web-01", shell, time_limit).run(command)


def processes_with(marker: str) -> list[int]:
    """All processes that have the marker as an argument."""
    found: list[int] = []
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            arguments = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
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


def children() -> set[int]:
    """Children of this process, running or zombie."""
    found: set[int] = set()
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"\nPPid:\t{os.getpid()}\n" in (folder / "status").read_text():
                found.add(int(folder.name))
    return found


@pytest.fixture(autouse=True)
def no_child_stays():
    before = children()
    yield
    assert children() <= before


@pytest.fixture
def marker():
    """A number of seconds that only this test sleeps; who still sleeps it afterwards is ended."""
    number = f"86390.{os.getpid()}{time.monotonic_ns()}"
    yield number
    for pid in processes_with(number):
        os.kill(pid, signal.SIGKILL)


needs_proc = pytest.mark.skipif(not PROC.joinpath("self/cmdline").exists(), reason="looks for processes in /proc")


def test_both_streams_and_the_status_are_told_apart():
    answer = run("printf out; printf err >&2; exit 3")
    assert (answer.host, answer.run) == ("web-01", "printf out; printf err >&2; exit 3")
    assert (answer.exit_code, answer.stdout, answer.stderr) == (3, "out", "err")
    assert answer.problem is None
    assert not answer.unreachable


def test_every_exit_status_comes_through():
    connection = LocalConnection("web-01", SH)
    assert [connection.run(f"exit {code}").exit_code for code in range(256)] == list(range(256))


def test_ten_mebibytes_on_each_stream_are_drained_and_cut_visibly():
    answer = run(
        "head -c 10485760 /dev/zero | tr '\\0' a & head -c 10485760 /dev/zero | tr '\\0' b >&2; wait; "
        "echo last; echo end >&2; exit 4"
    )
    assert answer.exit_code == 4
    for text, letter, last in ((answer.stdout, "a", "last"), (answer.stderr, "b", "end")):
        head, note, tail = text.split("\n", 2)
        assert head == letter * (512 * 1024)
        assert note == f"[… {10 * 1024 * 1024 + len(last) + 1 - 1024 * 1024} bytes cut …]"
        assert tail == letter * (512 * 1024 - len(last) - 1) + last + "\n"


def test_a_stream_that_was_closed_early_does_not_end_the_command():
    begun = time.monotonic()
    assert run("exec >&- 2>&-; sleep 0.3; exit 5").exit_code == 5
    assert time.monotonic() - begun >= 0.3


@needs_proc
def test_at_the_time_limit_children_die_too(marker: str):
    begun = time.monotonic()
    answer = run(f"printf begun; sleep {marker} & sleep {marker}; echo never", time_limit=0.5)
    assert time.monotonic() - begun < 5
    assert answer.problem == "timed out after 0.5 s"
    assert (answer.exit_code, answer.stdout, answer.unreachable) == (None, "begun", False)
    assert eventually(lambda: not processes_with(marker))


def test_a_command_that_never_stops_writing_meets_the_time_limit():
    answer = run("yes", time_limit=0.3)
    assert answer.problem == "timed out after 0.3 s"
    assert "bytes cut" in answer.stdout


def test_a_command_that_ignores_polite_signals_is_ended():
    assert run("trap '' TERM INT HUP; while :; do sleep 0.05; done", time_limit=0.3).problem is not None


@pytest.mark.parametrize("name", ["KILL", "TERM", "SEGV"])
def test_a_signal_that_ends_the_shell_is_named(name: str):
    answer = run(f"echo before; kill -{name} $$; sleep 5")
    assert answer.problem == f"killed by SIG{name}"
    assert (answer.exit_code, answer.stdout) == (None, "before\n")
    assert not answer.unreachable


def test_a_signal_that_ends_a_child_is_the_shells_exit_status():
    answer = run("sh -c 'kill -9 $$'; exit $?")
    assert (answer.exit_code, answer.problem) == (137, None)


def test_bytes_that_are_not_utf_8_become_replacement_characters():
    assert run(r"printf 'a\377b'").stdout == "a\ufffdb"


def test_a_character_that_comes_in_pieces_is_one_character():
    pieces = "; sleep 0.05; ".join(f"printf '\\{byte:o}'" for byte in "\U00010348".encode())
    assert run(pieces).stdout == "\U00010348"


@pytest.fixture
def open_standard_input():
    """Standard input of this process is a pipe that nobody writes into."""
    kept = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    yield
    os.dup2(kept, 0)
    for descriptor in (kept, reading, writing):
        os.close(descriptor)


@pytest.mark.usefixtures("open_standard_input")
def test_standard_input_is_closed():
    answer = run("cat; read line; echo $?", time_limit=5)
    assert (answer.stdout, answer.problem) == ("1\n", None)


def fed(command: str, stdin: bytes, time_limit: float = 30.0):
    return LocalConnection("web-01", SH, time_limit).run(command, stdin=stdin)


@pytest.mark.parametrize("data", [b"", b"text", b"a\r\nb\0\xff", b"x" * 70_000])
def test_standard_input_arrives_byte_for_byte_and_ends(data: bytes):
    answer = fed("wc -c; cat", data)
    assert int(answer.stdout) == len(data)
    digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
    assert fed("md5sum", data).stdout.split()[0] == digest


def test_ten_mebibytes_in_and_out_again_do_not_block_each_other():
    data = b"0123456789abcdef" * (640 * 1024)
    answer = fed("tee /dev/stderr", data)
    assert (answer.exit_code, answer.problem) == (0, None)
    for text in (answer.stdout, answer.stderr):
        assert text.startswith("0123456789abcdef")
        assert f"[… {9 * 1024 * 1024} bytes cut …]" in text


def test_a_command_need_not_read_its_standard_input():
    begun = time.monotonic()
    answer = fed("head -c 3; exec <&-; sleep 0.2; exit 4", b"y" * 5_000_000)
    assert (answer.exit_code, answer.stdout, answer.problem) == (4, "yyy", None)
    assert fed("exit 5", b"y" * 5_000_000).exit_code == 5
    assert time.monotonic() - begun < 5


def test_a_command_that_reads_slowly_still_gets_everything():
    answer = fed("for i in 1 2 3; do head -c 60000 >/dev/null; sleep 0.1; done; wc -c", b"y" * 500_000)
    assert 0 < int(answer.stdout) <= 500_000 - 180_000  # `head` may read ahead


@needs_proc
def test_a_command_that_never_reads_meets_the_time_limit(marker: str):
    answer = fed(f"sleep {marker}", b"y" * 1_000_000, time_limit=0.3)
    assert answer.problem == "timed out after 0.3 s"
    assert eventually(lambda: not processes_with(marker))


@needs_proc
def test_a_background_process_that_keeps_standard_input_is_not_waited_for(marker: str):
    begun = time.monotonic()
    answer = fed(f"exec 3<&0; sleep {marker} <&3 & echo $!; exit 6", b"y" * 1_000_000)
    assert time.monotonic() - begun < 3
    assert answer.exit_code == 6
    os.kill(int(answer.stdout), signal.SIGKILL)


def test_there_is_no_terminal_even_when_the_caller_has_one():
    assert run("test -t 0 || test -t 1 || test -t 2").exit_code == 1
    program = (
        "import os, pty, sys\n"
        "from gatewright.runtime.hosts.local import LocalConnection\n"
        "pid, _ = pty.fork()\n"
        "if pid == 0:\n"
        "    os.close(os.open('/dev/tty', os.O_RDWR))\n"
        "    found = LocalConnection('web-01', '/bin/sh').run('( : < /dev/tty ) 2> /dev/null').exit_code == 0\n"
        "    os._exit(7 if found else 3)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    assert subprocess.run([sys.executable, "-c", program], env=with_this_path(), check=False).returncode == 3


def with_this_path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@needs_proc
def test_a_background_process_that_holds_the_pipe_is_neither_waited_for_nor_killed(marker: str):
    begun = time.monotonic()
    answer = run(f"sleep {marker} & echo $!; exit 6")
    assert time.monotonic() - begun < 3
    assert answer.exit_code == 6
    assert processes_with(marker)
    os.kill(int(answer.stdout), signal.SIGKILL)
    assert eventually(lambda: not processes_with(marker))


def test_what_the_background_writes_just_after_the_end_is_kept():
    assert run("(sleep 0.15; echo late) & echo now").stdout == "now\nlate\n"


def test_a_background_process_that_writes_for_ever_is_not_waited_for():
    begun = time.monotonic()
    answer = run("yes & exit 7")
    assert time.monotonic() - begun < 3
    assert answer.exit_code == 7


def test_the_login_shell_runs_it_in_the_home_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    import pwd

    user = pwd.getpwuid(os.geteuid())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    answer = run('echo "$HOME|$USER|$LOGNAME|$SHELL"; pwd', shell=None)
    shell = user.pw_shell or "/bin/sh"
    assert answer.stdout.splitlines() == [
        f"{user.pw_dir}|{user.pw_name}|{user.pw_name}|{shell}",
        str(Path(user.pw_dir)),
    ]


def test_of_the_environment_only_path_language_and_time_zone_pass(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("PATH", "/nowhere:/usr/bin:/bin")
    said = dict(line.split("=", 1) for line in run("env").stdout.splitlines())
    assert "API_KEY" not in said
    assert (said["LC_CTYPE"], said["TZ"], said["PATH"]) == ("C.UTF-8", "UTC", "/nowhere:/usr/bin:/bin")


def test_the_inventorys_shell_runs_it(tmp_path: Path):
    shell = tmp_path / "my shell"
    shell.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    shell.chmod(0o755)
    assert run("echo 'a b'", shell=str(shell)).stdout == "-c|echo 'a b'|"


def test_a_shell_that_is_not_there_is_an_error_of_one_line():
    answer = run("true", shell="/no/such/shell")
    assert answer.problem == "cannot start /no/such/shell: No such file or directory"
    assert answer.unreachable
    assert answer.exit_code is None


@pytest.mark.parametrize("command", ["a\0b", "a\ud800b"])
def test_a_command_that_no_program_can_be_given_is_an_error(command: str):
    answer = run(command)
    assert answer.problem == "the command holds a character that no shell can be given"
    assert answer.unreachable


def test_a_command_that_is_too_long_is_an_error():
    answer = run(": " + "x" * 5_000_000)
    assert answer.unreachable
    assert answer.problem == f"cannot start {SH}: Argument list too long"


@needs_proc
def test_closing_from_another_thread_ends_the_command(marker: str):
    connection = LocalConnection("web-01", SH)
    timer = threading.Timer(0.3, connection.close)
    timer.start()
    begun = time.monotonic()
    answer = connection.run(f"sleep {marker}; echo never")
    assert time.monotonic() - begun < 5
    assert (answer.problem, answer.unreachable) == ("interrupted", True)
    assert connection.run("true").problem == "interrupted"
    assert eventually(lambda: not processes_with(marker))
    timer.join()


@needs_proc
def test_an_interrupt_leaves_no_process_behind(marker: str):
    program = (
        "from gatewright.runtime.hosts.local import LocalConnection\n"
        f"LocalConnection('web-01', '/bin/sh').run('sleep {marker} & sleep {marker}; true')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stderr=subprocess.PIPE,
        env=with_this_path(),
    )
    assert eventually(lambda: len(processes_with(marker)) >= 2, within=20)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in errors
    assert eventually(lambda: not processes_with(marker))


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def test_many_commands_side_by_side_leave_no_child_and_no_open_file():
    before = open_files()
    answers: list[int | None] = []
    threads = [
        threading.Thread(target=lambda: answers.extend(run("echo x; exit 9").exit_code for _ in range(5)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [9] * 40
    assert open_files() == before


def test_time_limits_read_as_people_write_them():
    assert [seconds(300), seconds(300.0), seconds(0.5), seconds(1e6)] == ["300 s", "300 s", "0.5 s", "1000000 s"]
