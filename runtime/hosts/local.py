"""Commands on this machine, run as `ssh HOST CMD` would run them.

That is: by the user's login shell (or the inventory's `shell`) with `-c CMD`, in the home directory, with
standard input closed (unless the caller gives one), without a terminal, in a session of its own. Of the
caller's environment only the search path, the language, the time zone and XDG_RUNTIME_DIR (for `systemctl
--user`) are passed on: what a check says must not depend on who asks, and no secret of the caller's reaches
it.

The command is over when the shell has exited. Background processes it left may go on; what they still write
within half a second is kept, and nothing waits for them. At the time limit, when the connection is closed and
when the user interrupts, the whole process group is killed.
"""

from __future__ import annotations

import os
import pwd
import selectors
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from ..evidence.record import HostAnswer
from .connections import unanswered
from .streams import CappedStream

GRACE = 0.5
"""Seconds during which output is still read after the shell has exited while something holds the pipe
open."""

_POLL = 0.05
"""Seconds between two looks at whether the shell has exited or the connection was closed."""

_CHUNK = 64 * 1024
_KEPT_VARIABLES = ("PATH", "LANG", "LANGUAGE", "TZ", "XDG_RUNTIME_DIR")
_DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class LocalConnection:
    """This machine under the name `host`. `shell` None: the login shell; `time_limit` in seconds."""

    def __init__(self, host: str, shell: str | None = None, time_limit: float = 300.0) -> None:
        self._host = host
        self._shell = shell
        self._time_limit = time_limit
        self._closed = threading.Event()

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        if self._closed.is_set():
            return unanswered(self._host, command, "interrupted")
        user = _user()
        shell = self._shell or user.shell
        try:
            process = subprocess.Popen(
                [Path(shell).name, b"-c", command.encode()],
                executable=shell,
                cwd=user.home if os.access(user.home, os.X_OK) else "/",
                env=user.environment(),
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            return unanswered(self._host, command, f"cannot start {shell}: {error.strerror or error}")
        except ValueError:  # a NUL character or a lone surrogate: no argument of a program can hold it
            return unanswered(self._host, command, "the command holds a character that no shell can be given")
        stdout, stderr = CappedStream(), CappedStream()
        try:
            allowed = self._time_limit if time_limit is None else min(self._time_limit, time_limit)
            problem, unreachable = self._follow(process, stdin or b"", stdout, stderr, allowed)
        finally:
            _end(process)
        exit_code = process.returncode if problem is None else None
        return HostAnswer(self._host, command, exit_code, stdout.text(), stderr.text(), problem, unreachable)

    def close(self) -> None:
        self._closed.set()

    def _follow(
        self,
        process: subprocess.Popen[bytes],
        stdin: bytes,
        stdout: CappedStream,
        stderr: CappedStream,
        allowed: float,
    ) -> tuple[str | None, bool]:
        """Feed standard input and read both streams, side by side, until the command is over. Gives the
        problem, if any, and whether it is nobody's fault."""
        limit = time.monotonic() + allowed
        has_exited = False
        unfed = memoryview(stdin)
        with selectors.DefaultSelector() as selector:
            for output, stream in ((process.stdout, stdout), (process.stderr, stderr)):
                if output is not None:
                    selector.register(output, selectors.EVENT_READ, stream)
            open_outputs = len(selector.get_map())
            if (pipe := process.stdin) is not None:
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_WRITE)
            while True:
                # 1. is it over, one way or the other?
                now = time.monotonic()
                if not has_exited and process.poll() is not None:
                    has_exited = True
                    limit = now + GRACE
                if has_exited and (not open_outputs or now >= limit):
                    return _signal_problem(process.returncode), False
                if self._closed.is_set():
                    return "interrupted", True
                if now >= limit:
                    return f"timed out after {seconds(allowed)}", False

                # 2. wait until a pipe is ready, or for the end once all have ended
                pause = min(_POLL, limit - now)
                if not selector.get_map():
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(pause)
                for key, _ in selector.select(pause) if selector.get_map() else ():
                    if key.events == selectors.EVENT_WRITE:
                        unfed = unfed[_fed(key.fd, unfed) :]
                        if pipe is not None and not unfed:
                            selector.unregister(pipe)
                            pipe.close()
                    elif chunk := os.read(key.fd, _CHUNK):
                        key.data.feed(chunk)
                    else:
                        selector.unregister(key.fileobj)
                        open_outputs -= 1


def _fed(pipe: int, data: memoryview) -> int:
    """How many bytes the pipe took; all of them once nobody reads it any more, because a command need not read its
    standard input to the end."""
    try:
        return os.write(pipe, data[:_CHUNK]) if data else 0
    except BlockingIOError:
        return 0
    except BrokenPipeError:
        return len(data)


def seconds(amount: float) -> str:
    """`300 s`, `0.5 s`."""
    return f"{int(amount)} s" if amount == int(amount) else f"{amount} s"


def _signal_problem(status: int) -> str | None:
    """`killed by SIGKILL` for the status that `subprocess` gives a process that a signal ended."""
    if status >= 0:
        return None
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"killed by signal {-status}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what runs on when nobody waits any more, and close the pipes.

    The group is killed only while its leader is not reaped, so that its number cannot have passed to somebody
    else.
    """
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # a process of another user may have survived
            process.wait(5)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


class _User:
    """Who runs the commands: what a login would set."""

    def __init__(self, name: str, home: str, shell: str) -> None:
        self.name = name
        self.home = home
        self.shell = shell or "/bin/sh"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES or name.startswith("LC_")}
        login = {"HOME": self.home, "USER": self.name, "LOGNAME": self.name, "SHELL": self.shell}
        return {"PATH": _DEFAULT_PATH, **kept, **login}


def _user() -> _User:
    number = os.geteuid()
    try:
        entry = pwd.getpwuid(number)
    except KeyError:  # a container may run under a number that nobody has entered
        return _User(str(number), os.environ.get("HOME", "/"), "/bin/sh")
    return _User(entry.pw_name, entry.pw_dir, entry.pw_shell)
