"""An SSH server of paramiko's, in this process: for what no real server does, and where there is no sshd."""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterable
from typing import Any

import paramiko

Channel = paramiko.Channel


class ParamikoServer:
    """Runs commands with the user's login shell, forwards connections; `hooks` replaces methods of the server
    interface, by name."""

    def __init__(
        self, host_keys: Iterable[paramiko.PKey], authorized: Iterable[bytes] = (), **hooks: Callable[..., Any]
    ) -> None:
        self._host_keys = list(host_keys)
        self._authorized = set(authorized)
        self._hooks = hooks
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.transports: list[paramiko.Transport] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for transport in self.transports:
            transport.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            transport = paramiko.Transport(connection)
            self.transports.append(transport)
            for key in self._host_keys:
                transport.add_server_key(key)
            interface = _Interface(self._authorized)
            for name, hook in self._hooks.items():
                setattr(interface, name, hook)
            with contextlib.suppress(Exception):
                transport.start_server(event=threading.Event(), server=interface)


class _Interface(paramiko.ServerInterface):
    def __init__(self, authorized: set[bytes]) -> None:
        self._authorized = authorized

    def get_allowed_auths(self, username: str) -> str:
        return "publickey"

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        is_known = key.asbytes() in self._authorized and username == user()
        return paramiko.AUTH_SUCCESSFUL if is_known else paramiko.AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return paramiko.OPEN_SUCCEEDED

    def check_channel_direct_tcpip_request(self, chanid: int, origin: Any, destination: tuple[str, int]) -> int:
        try:
            there = socket.create_connection(destination, timeout=5)
        except OSError:
            return paramiko.OPEN_FAILED_CONNECT_FAILED
        there.settimeout(None)
        threading.Thread(target=self._forward, args=(chanid, there), daemon=True).start()
        return paramiko.OPEN_SUCCEEDED

    def _forward(self, chanid: int, there: socket.socket) -> None:
        transport = next(
            t for t in threading.enumerate() if isinstance(t, paramiko.Transport) and t.server_object is self
        )
        channel = None
        while channel is None:
            channel = transport._channels.get(chanid)
        threading.Thread(target=_pump, args=(channel.recv, there.sendall, there.close), daemon=True).start()
        _pump(there.recv, channel.sendall, channel.close)

    def check_channel_exec_request(self, channel: Channel, command: bytes) -> bool:
        threading.Thread(target=run, args=(channel, command), daemon=True).start()
        return True


def _pump(take: Callable[[int], bytes], give: Callable[[bytes], None], end: Callable[[], None]) -> None:
    with contextlib.suppress(OSError, EOFError):
        while data := take(65536):
            give(data)
    with contextlib.suppress(OSError, EOFError):
        end()


def run(channel: Channel, command: bytes) -> None:
    """Run a command as sshd would, and say how it ended."""
    entry = pwd.getpwuid(os.geteuid())
    process = subprocess.Popen(
        [entry.pw_shell or "/bin/sh", "-c", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=entry.pw_dir,
        start_new_session=True,
        bufsize=0,
    )
    threading.Thread(target=_pump, args=(channel.recv, process.stdin.write, process.stdin.close), daemon=True).start()
    readers = [
        threading.Thread(target=_pump, args=(out.read, give, lambda: None), daemon=True)
        for out, give in ((process.stdout, channel.sendall), (process.stderr, channel.sendall_stderr))
    ]
    for reader in readers:
        reader.start()
    status = process.wait()
    if status >= 0:
        channel.send_exit_status(status)
    else:
        send_exit_signal(channel, signal.Signals(-status).name.removeprefix("SIG"))
    for reader in readers:
        reader.join()
    channel.close()


def send_exit_signal(channel: Channel, name: str) -> None:
    message = paramiko.Message()
    message.add_byte(bytes([98]))
    message.add_int(channel.remote_chanid)
    message.add_string("exit-signal")
    message.add_boolean(False)
    message.add_string(name)
    message.add_boolean(False)
    message.add_string("")
    message.add_string("")
    channel.transport._send_user_message(message)


def user() -> str:
    return pwd.getpwuid(os.geteuid()).pw_name
