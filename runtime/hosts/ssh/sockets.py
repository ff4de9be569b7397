"""What an SSH connection runs over: TCP, the standard streams of a `ProxyCommand`, or a channel of a jump host.

Each is had within a time limit; what they raise is `SshError`.
"""

from __future__ import annotations

import errno
import os
import selectors
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..local import seconds
from .paramiko_library import Channel, Socket, Transport, library
from .problems import no_answer, one_line, os_words
from .targets import Target

_POLL = 0.1
"""Seconds between two looks at whether nobody waits any more."""

_DEAD_AFTER = 60_000
"""Milliseconds without an acknowledgement after which the system gives a TCP connection up, where it can be told."""

Address = tuple[int, tuple[Any, ...]]
"""A family, and an address as its sockets take it."""


def addresses(target: Target) -> list[Address]:
    """Address families and addresses of the host. The system's own time limits count: callers have to have theirs."""
    try:
        found = socket.getaddrinfo(target.address, target.port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise no_answer(target.where, "its name or address is not known", f" ({error.strerror})") from None
    except (OSError, UnicodeError, ValueError):
        raise no_answer(target.where, "its name or address is not known") from None
    return [(int(family), address) for family, _, _, _, address in found]


def tcp(target: Target, found: list[Address], limit: float, given_up: Callable[[], bool]) -> socket.socket:
    """A TCP connection to the first of the addresses that takes one. Each gets its share of the time."""
    end = time.monotonic() + limit
    why = no_answer(target.where, f"no TCP connection within {seconds(limit)}")
    for position, (family, address) in enumerate(found):
        share = (end - time.monotonic()) / (len(found) - position)
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:  # no IPv6 here
            why = no_answer(target.where, os_words(error))
            continue
        try:
            if _connected(connection, address, time.monotonic() + share, given_up):
                return _prepared(connection)
        except OSError as error:
            why = no_answer(target.where, os_words(error))
        connection.close()
    raise why


def _connected(connection: socket.socket, address: tuple[Any, ...], end: float, given_up: Callable[[], bool]) -> bool:
    """Whether the connection was made in time. Raises OSError where it was refused."""
    connection.setblocking(False)
    status = connection.connect_ex(address)
    if status not in (0, errno.EINPROGRESS, errno.EINTR, errno.EAGAIN):
        raise OSError(status, os.strerror(status))
    with selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_WRITE)
        while not selector.select(max(0.0, min(_POLL, end - time.monotonic()))):
            if time.monotonic() >= end or given_up():
                return False
    status = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if status:
        raise OSError(status, os.strerror(status))
    return True


def _prepared(connection: socket.socket) -> socket.socket:
    """Small messages go at once; a peer that has gone is noticed."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _DEAD_AFTER)
    return connection


class ProxyCommand:
    """A program whose standard input and output are the connection. Its own process group, killed when closed."""

    def __init__(self, target: Target, command: str) -> None:
        self.socket, theirs = socket.socketpair()
        self._words = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command}"],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._words,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            self.socket.close()
            self._words.close()
            raise no_answer(target.where, "its ProxyCommand cannot be started", f": {error}") from None
        finally:
            theirs.close()

    def last_words(self) -> str:
        """The last line that it wrote on standard error; empty: none."""
        if self._words.closed:
            return ""
        self._words.seek(0, os.SEEK_END)
        self._words.seek(max(0, self._words.tell() - 1000))
        lines = self._words.read().decode("utf-8", "replace").split("\n")
        return next((one_line(line.strip()) for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)  # the thread that reads it closes it
        self._words.close()


class JumpSocket:
    """A channel of a jump host as a socket: the jump host may have gone when it is closed."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.settimeout = channel.settimeout
        self.send = channel.send
        self.recv = channel.recv

    def close(self) -> None:
        with suppress(Exception):
            self._channel.close()

    @property
    def _closed(self) -> bool:  # what paramiko asks sockets for
        return self._channel.closed


def through(jump: Target, transport: Transport, target: Target, limit: float) -> Socket:
    """A connection to the host from its jump host."""
    end = time.monotonic() + limit
    try:
        where = (target.address, target.port)
        return JumpSocket(transport.open_channel("direct-tcpip", where, ("127.0.0.1", 0), timeout=limit))
    except library().ChannelException as error:
        words = str(getattr(error, "text", "")).lower() or "no reason given"
        raise no_answer(target.where, f"{jump.as_jump} cannot connect to it: {words}", f" ({jump.where})") from None
    except (library().SSHException, EOFError, OSError):
        late = time.monotonic() >= end
        reason = f"not within {seconds(limit)}" if late else "connection lost"
        raise no_answer(target.where, f"{jump.as_jump} did not connect to it: {reason}", lost=not late) from None


def lost_words(error: BaseException | None) -> str:
    """How a connection ended, from what paramiko raised: `connection reset by peer`, `connection closed`."""
    seen = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno is not None:
            return os_words(seen)
        seen = seen.__context__
    return "connection closed"
