"""One command over a connection: a session of its own, no terminal, both streams drained together.

The command is over when its exit status is there. What background processes still write within half a second is kept,
and nothing waits for them. At the time limit the server is asked to kill the command's process group, and the session
is closed; the connection stays. OpenSSH kills the commands of all users but root; others may kill none.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from shlex import quote
from typing import Any

from ..local import GRACE, seconds
from ..streams import CappedStream
from .errand import Errand, Interrupted
from .paramiko_library import Channel, Listener, Transport, library, send_request
from .problems import no_answer
from .sockets import lost_words
from .targets import Target

_CHUNK = 64 * 1024
_POLL = 0.1
"""Seconds between two looks at whether the connection still stands; everything else wakes the loop."""


SHELL_PROBLEMS = {71: "No such file or directory", 72: "Permission denied"}
"""What keeps a shell from being started, by the exit status of `shell_check`; the words are the system's."""

_SHELL_CHECK = (
    'case "$0" in '
    '*/*) test -e "$0" || exit 71; test -f "$0" && test -x "$0" || exit 72;; '
    '*) command -v "$0" >/dev/null || exit 71;; '
    "esac"
)
"""Without a single quote, a backslash, a line break or `!`, which some login shell would read in its own way."""


class CommandError(Exception):
    """The command was run and gave no exit status; the text says why, as `timed out after 300 s`."""


def command_line(command: str, shell: str | None) -> bytes:
    """What the server's shell is given. Raises ValueError for characters that no command can hold."""
    text = command if shell is None else f"{quote(shell)} -c {quote(command)}"
    if "\0" in text:
        raise ValueError
    return text.encode()


def shell_check(shell: str) -> bytes:
    """A command for the login shell, of whatever kind that is, that ends with one of `SHELL_PROBLEMS` where the shell
    cannot be started."""
    return f"/bin/sh -c {quote(_SHELL_CHECK)} {quote(shell)}".encode()


def open_session(target: Target, transport: Transport, errand: Errand[Any]) -> Channel:
    """A session for one command. Raises `SshError`; `lost` where the connection has gone."""
    limit = target.limit
    wait = errand.begin(limit, no_answer(target.where, f"no session within {seconds(limit)}", stuck=True))
    try:
        return transport.open_channel("session", None, None, timeout=limit)
    except library().ChannelException as error:
        words = str(getattr(error, "text", "")).lower() or "no reason given"
        raise no_answer(target.where, f"it opens no session: {words}") from None
    except (library().SSHException, EOFError, OSError) as error:
        if not wait.left:
            raise wait.problem from None
        raise no_answer(target.where, lost_words(error), lost=True) from None


class Command:
    """A command in its session. `stdout` and `stderr` have what has come so far, at any time."""

    def __init__(
        self, target: Target, transport: Transport, listener: Listener, channel: Channel, errand: Errand[Any]
    ) -> None:
        self._target = target
        self._transport = transport
        self._listener = listener
        self._channel = channel
        self._errand = errand
        self._news = listener.news(channel)

    def run(self, line: bytes, stdin: bytes | None, allowed: float, stdout: CappedStream, stderr: CappedStream) -> int:
        """Its exit status. `allowed` (seconds) count from when the server has taken the command. Raises
        `CommandError`, `SshError`, `Interrupted`."""
        try:
            self._start(line)
            return self._follow(memoryview(stdin or b""), allowed, stdout, stderr)
        except (library().SSHException, EOFError, OSError):
            raise self._lost() from None
        finally:
            with suppress(Exception):  # the connection may have gone
                self._end()

    def _start(self, line: bytes) -> None:
        limit = self._target.limit
        problem = no_answer(self._target.where, f"the command was not taken within {seconds(limit)}", stuck=True)
        wait = self._errand.begin(limit, problem, self._channel.event.set)
        send_request(self._transport, self._channel, "exec", line, reply=True)
        self._channel.event.wait(wait.left)
        if self._errand.called_off():
            raise Interrupted
        if self._channel.event_ready:
            return
        if not self._channel.event.is_set():
            raise problem
        if self._listener.was_closed(self._channel):
            raise no_answer(self._target.where, "it runs no commands")
        raise self._lost()

    def _follow(self, unsent: memoryview, allowed: float, stdout: CappedStream, stderr: CappedStream) -> int:
        channel, over = self._channel, CommandError(f"timed out after {seconds(allowed)}")
        wait = self._errand.begin(allowed, over, self._news.set)
        channel.settimeout(0.0)
        grace: float | None = None
        is_stdin_open = True
        while True:
            # 1. what has come
            self._news.clear()
            came = self._drain(stdout, stderr)
            now = time.monotonic()
            ended = channel.exit_status != -1 or self._listener.signal(channel) is not None
            if ended and grace is None:
                grace = now + GRACE
            if grace is not None and (now >= grace or (not came and (channel.eof_received or channel.closed))):
                return self._status()

            # 2. whether it can go on
            if self._errand.called_off():
                raise Interrupted
            if channel.closed and not ended and not came:
                if self._listener.was_closed(channel):
                    raise no_answer(self._target.where, "the command ended without an exit status")
                raise self._lost()
            if grace is None and not wait.left:
                raise over

            # 3. standard input, and a rest
            sent = 0
            if is_stdin_open and not ended:
                sent = self._feed(unsent)
                unsent = unsent[sent:]
                if not unsent:
                    channel.shutdown_write()
                    is_stdin_open = False
            if not came and not sent:
                left = wait.left if grace is None else grace - now
                self._news.wait(min(_POLL, max(0.0, left)))

    def _drain(self, stdout: CappedStream, stderr: CappedStream) -> bool:
        """Take what is there of both streams, a bounded amount; whether there was anything."""
        came = False
        if self._channel.recv_ready():
            stdout.feed(self._channel.recv(_CHUNK))
            came = True
        if self._channel.recv_stderr_ready():
            stderr.feed(self._channel.recv_stderr(_CHUNK))
            came = True
        return came

    def _feed(self, unsent: memoryview) -> int:
        """How many bytes were sent; all of them once the session is closed, because a command need not read its
        standard input to the end."""
        if not unsent or not self._channel.send_ready():
            return 0
        try:
            return self._channel.send(bytes(unsent[:_CHUNK])) or len(unsent)
        except TimeoutError:
            return 0
        except OSError:
            return len(unsent)

    def _status(self) -> int:
        if (name := self._listener.signal(self._channel)) is not None:
            is_name = re.fullmatch(r"[A-Z0-9]{1,20}", name)
            raise CommandError(f"killed by SIG{name}" if is_name else "killed by a signal")
        status = self._channel.exit_status
        if not 0 <= status <= 255:
            raise CommandError(f"exit status {status}, which is not from 0 to 255")
        return status

    def _lost(self) -> Exception:
        words = lost_words(self._transport.get_exception())
        return no_answer(self._target.where, f"{words} while the command ran", lost=True)

    def _end(self) -> None:
        """Close the session, and with it the command, where it has not ended."""
        channel, ended = self._channel, self._channel.exit_status != -1 or self._listener.signal(self._channel)
        if not ended and not channel.closed:
            send_request(self._transport, channel, "signal", b"KILL", reply=False)
        channel.close()
        self._listener.forget(channel)
