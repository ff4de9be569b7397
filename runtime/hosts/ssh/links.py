"""SSH connections, one a server, shared by everything that goes to it or through it.

A connection to a jump host carries its own commands and the connections of all hosts behind it, each in a channel. It
is closed when the last of those who use it let go.

A server that could not be reached is not tried again: everything that needs it gets the same reason at once. A
connection that stood and was lost is made anew when the next command needs it.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..inventory import Host
from ..local import seconds
from .config import DEFAULT_CONFIG, SshConfig
from .errand import Errand, Interrupted
from .host_keys import HostKeyCheck
from .keys import Offers, offers_for
from .login import handshake, login
from .paramiko_library import Listener, Socket, Transport, library
from .problems import NO_ANSWER, SshError, no_answer
from .sockets import ProxyCommand, addresses, tcp, through
from .targets import KEY_LIMIT, Target, target_of

_POLL = 0.1


class Link:
    """One connection. `owners` are those who use it."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.owners: set[object] = set()
        self.ready = threading.Event()
        """Set when it stands, or has failed."""
        self.failure: SshError | None = None
        self._connected: tuple[Transport, Listener] | None = None
        self._proxy: ProxyCommand | None = None
        self._hang_ups: list[Callable[[], None]] = []
        self._closed = False
        self._lock = threading.Lock()

    @property
    def connected(self) -> tuple[Transport, Listener]:
        """The connection. Raises the `SshError` for which there is none."""
        if self.failure is not None:
            raise self.failure.with_traceback(None)
        if self._connected is None or self.is_lost:
            raise no_answer(self.target.where, "connection closed", lost=True)
        return self._connected

    @property
    def is_lost(self) -> bool:
        """Whether it stood once and does not any more."""
        if self.failure is not None or not self.ready.is_set():
            return False
        return self._closed or self._connected is None or not self._connected[0].is_active()

    def establish(self, open_jump: Callable[[], Link | None], errand: Errand[Any]) -> None:
        """Connect and log in; what goes wrong is the `failure`."""
        target = self.target
        try:
            problem = SshError(f"login at {target.label}: its key took more than {KEY_LIMIT:g} s to open")
            errand.begin(KEY_LIMIT, problem)
            offers = offers_for(target)
            try:
                self._connected = self._connect(open_jump(), offers, errand)
            finally:
                offers.close()
        except SshError as error:
            self.give_up(error)
        except Exception as error:  # an errand that was called off; what paramiko raises beside its own
            self.give_up(no_answer(target.where, "connecting failed", f": {type(error).__name__} {error}"))
        finally:
            self.ready.set()

    def give_up(self, problem: SshError) -> None:
        """The connection will not come about, for this reason, or cannot be used any more: nobody is to wait for it."""
        if not self.ready.is_set() and self.failure is None:
            if self._proxy is not None and (words := self._proxy.last_words()):
                problem.detail += f"; its ProxyCommand said: {words}"
            self.failure = problem
            self.ready.set()
        self.close()

    def close(self) -> None:
        """Close it, without waiting for anything."""
        with self._lock:
            self._closed = True
            hang_ups, self._hang_ups = self._hang_ups, []
        for hang_up in hang_ups:
            hang_up()

    def _connect(self, jump: Link | None, offers: Offers, errand: Errand[Any]) -> tuple[Transport, Listener]:
        check = HostKeyCheck(self.target)
        transport = library().Transport(self._open(jump, errand))
        self._keep(partial(_close_later, transport))
        listener = Listener(transport)
        handshake(self.target, transport, check, errand)
        login(self.target, transport, listener, offers, errand)
        return transport, listener

    def _open(self, jump: Link | None, errand: Errand[Any]) -> Socket:
        """What the connection runs over."""
        target, limit = self.target, self.target.limit
        if jump is not None:
            transport, _ = jump.connected
            errand.begin(limit, no_answer(target.where, f"{jump.target.as_jump} did not connect to it in time"))
            return through(jump.target, transport, target, limit)
        if target.proxy_command is not None:
            self._proxy = ProxyCommand(target, target.proxy_command)
            self._keep(self._proxy.close)
            return self._proxy.socket
        errand.begin(limit, no_answer(target.where, f"its name was not resolved within {seconds(limit)}"))
        found = addresses(target)
        errand.begin(limit, no_answer(target.where, f"no TCP connection within {seconds(limit)}"))
        connection = tcp(target, found, limit, lambda: self._closed)
        self._keep(partial(_shut_down, connection))
        return connection

    def _keep(self, hang_up: Callable[[], None]) -> None:
        """Have something closed with the connection; at once, where that has been closed already."""
        with self._lock:
            if not self._closed:
                self._hang_ups.append(hang_up)
                return
        hang_up()
        raise Interrupted


def _shut_down(connection: socket.socket) -> None:
    """End a connection. The thread that reads it closes the socket; until then its number must not pass to another."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _close_later(transport: Transport) -> None:
    """Close a transport in the background: one behind a jump host says good-bye over a connection that may hang."""
    transport.packetizer.complete_handshake()  # ends a timer that would keep the process from ending
    threading.Thread(target=_close, args=(transport,), daemon=True, name="ssh close").start()


def _close(transport: Transport) -> None:
    with suppress(Exception):  # the jump host may have gone before
        transport.close()


class Links:
    """All SSH connections of one inventory. `hosts`: its hosts, for jumps; `tell` gets a line for each thing that went
    wrong, with addresses and paths, from any thread; `config`: the configuration file, None for none."""

    def __init__(
        self,
        hosts: Mapping[str, Host] | None = None,
        tell: Callable[[str], None] | None = None,
        config: Path | None = DEFAULT_CONFIG,
    ) -> None:
        self._hosts = hosts or {}
        self._tell = tell
        self._config = SshConfig(config)
        self._links: dict[Target, Link] = {}
        self._lock = threading.Lock()

    def target(self, host: Host) -> Target:
        """Where a host is and how to get in. Raises `SshError`."""
        return target_of(host, self._hosts, self._config)

    def open(self, target: Target, owner: object, errand: Errand[Any]) -> Link:
        """The connection to a server; it stands until its last owner has let go. Raises `SshError`, `Interrupted`."""
        with self._lock:
            if errand.called_off():  # a thread that nobody waits for must not get in the way of those who came after
                raise Interrupted
            link = self._links.get(target)
            is_new = link is None or link.is_lost
            if link is None or is_new:
                before, link = link, Link(target)
                self._links[target] = link
                if before is not None:
                    before.close()
            link.owners.add(owner)
        if is_new:
            link.establish(partial(self._open_jump, target, link, errand), errand)
            if link.failure is not None:
                self._forget_if(errand.called_off() or link.failure.lost, link)
                self.release(link)
        else:
            wait = errand.begin(target.connect_limit, no_answer(target.where, "not connected in time"))
            while not link.ready.wait(_POLL):
                if errand.called_off():
                    raise Interrupted
                if not wait.left:
                    raise wait.problem
        link.connected  # noqa: B018 - raises where it failed
        return link

    def _open_jump(self, target: Target, link: Link, errand: Errand[Any]) -> Link | None:
        """The connection that another one runs through, which is the owner of it."""
        if target.jump is None:
            return None
        try:
            return self.open(target.jump, link, errand)
        except SshError as error:
            raise self._behind(target.jump, error) from None

    def _behind(self, jump: Target, error: SshError) -> SshError:
        """What it means for a host that its jump host cannot be used. The user is told about the jump host, once, and
        not about every host behind it."""
        self.tell(error)
        reason = error.reason
        if reason.startswith(NO_ANSWER):
            reason = f"{NO_ANSWER}{jump.as_jump}: {reason.removeprefix(NO_ANSWER)}"
        problem = SshError(reason, error.detail, lost=error.lost)
        problem.told = True
        return problem

    def _forget_if(self, is_passing: bool, link: Link) -> None:
        """A failure that says nothing about the server is not remembered."""
        with self._lock:
            if is_passing and self._links.get(link.target) is link:
                del self._links[link.target]

    def give_up(self, target: Target, problem: SshError) -> SshError:
        """Let go of a connection that does not get anywhere. Gives what that comes to for the host itself: it may be a
        jump host on the way that has not been reached."""
        with self._lock:
            link = self._links.get(target)
            jump = None if target.jump is None else self._links.get(target.jump)
        if jump is not None and not jump.ready.is_set():
            problem = self._behind(jump.target, self.give_up(jump.target, problem))
        if link is not None:
            link.give_up(problem)
        return problem

    def release(self, owner: object) -> None:
        """The owner needs no connection any more. What nobody else needs is closed."""
        with self._lock:
            owned = [link for link in self._links.values() if owner in link.owners]
            for link in owned:
                link.owners.discard(owner)
            unused = [link for link in owned if not link.owners]
            for link in unused:
                if link.failure is None:  # a failure is remembered
                    del self._links[link.target]
        for link in unused:
            link.close()
            self.release(link)

    def tell(self, problem: SshError) -> None:
        """Tell the user the details of a problem, once."""
        with self._lock:
            told, problem.told = problem.told, True
        if not told and self._tell is not None:
            self._tell(problem.detail)
