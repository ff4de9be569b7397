"""paramiko: as much of it as is used, with types, and what it keeps to itself brought out.

It has no types of its own, takes a quarter of a second to load, and hides a few things that matter here:

- the signal that ended a command, and why a server hung up: `Listener` reads these messages on their way
- when a channel has news: `Listener` says so, instead of a wait that has no time limit
- requests on a channel: `exec_command` waits for ever for the answer; `send_request` only sends
- an agent: its sockets have no time limits; `Agent` has one

Everything here that begins with an underscore in paramiko is used in this module only.
"""

from __future__ import annotations

import importlib
import io
import logging
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, cast

_CHANNEL_CLOSE, _CHANNEL_REQUEST, _CHANNEL_FAILURE = 97, 98, 100
"""Numbers of messages (RFC 4254, 9)."""


class Socket(Protocol):
    """What a transport runs over: a socket, or a channel of another transport."""

    def settimeout(self, value: float | None, /) -> None: ...
    def send(self, data: bytes, /) -> int: ...
    def recv(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


class Key(Protocol):
    """A key: of a host, in a file, in an agent."""

    def get_name(self) -> str: ...
    def asbytes(self) -> bytes: ...


class PrivateKey(Key, Protocol):
    def load_certificate(self, value: str, /) -> None: ...


class Channel(Protocol):
    """One command, or one connection through a jump host."""

    chanid: int
    closed: bool
    eof_received: bool
    exit_status: int
    event: threading.Event
    event_ready: bool

    def settimeout(self, value: float | None, /) -> None: ...
    def send(self, data: bytes, /) -> int: ...
    def send_ready(self) -> bool: ...
    def recv(self, size: int, /) -> bytes: ...
    def recv_ready(self) -> bool: ...
    def recv_stderr(self, size: int, /) -> bytes: ...
    def recv_stderr_ready(self) -> bool: ...
    def shutdown_write(self) -> None: ...
    def close(self) -> None: ...


class _SecurityOptions(Protocol):
    key_types: tuple[str, ...]


class _Packetizer(Protocol):
    def complete_handshake(self) -> None: ...


class Transport(Protocol):
    """One SSH connection, with a thread of its own that reads it."""

    banner_timeout: float
    handshake_timeout: float
    auth_timeout: float
    clear_to_send_timeout: float
    remote_version: str
    initial_kex_done: bool
    server_extensions: Mapping[str, bytes]
    packetizer: _Packetizer

    def start_client(self, event: threading.Event) -> None: ...
    def is_active(self) -> bool: ...
    def get_exception(self) -> Exception | None: ...
    def get_remote_server_key(self) -> Key: ...
    def get_security_options(self) -> _SecurityOptions: ...
    def auth_publickey(self, username: str, key: Key) -> list[str]: ...
    def open_channel(
        self, kind: str, dest_addr: tuple[str, int] | None, src_addr: tuple[str, int] | None, *, timeout: float
    ) -> Channel: ...
    def set_keepalive(self, interval: int) -> None: ...
    def close(self) -> None: ...


class _KeyClass(Protocol):
    def from_private_key(self, file_obj: io.StringIO) -> PrivateKey: ...


class Library(Protocol):
    """The package itself."""

    SSHException: type[Exception]
    AuthenticationException: type[Exception]
    BadAuthenticationType: type[Exception]
    ChannelException: type[Exception]
    SSHConfig: Callable[[], Any]
    RSAKey: _KeyClass
    ECDSAKey: _KeyClass
    Ed25519Key: _KeyClass
    Message: Callable[[], Any]

    def Transport(self, sock: Socket) -> Transport: ...  # noqa: N802


def library() -> Library:
    """paramiko, loaded at the first call. Its log goes nowhere unless somebody has set up logging."""
    loaded = importlib.import_module("paramiko")
    log = logging.getLogger("paramiko")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    return cast(Library, loaded)


def private_key(kind: str, text: str) -> PrivateKey:
    """A private key from its text in OpenSSH's form, not encrypted; `kind` is `rsa`, `ecdsa` or `ed25519`."""
    classes = {"rsa": library().RSAKey, "ecdsa": library().ECDSAKey, "ed25519": library().Ed25519Key}
    return classes[kind].from_private_key(io.StringIO(text))


class Agent:
    """The agent that listens at a path, and its keys; none where there is no agent. It is waited for `limit` seconds at
    most for each answer, signatures too. `close` when no key of it is needed any more."""

    def __init__(self, path: str, limit: float) -> None:
        self.keys: list[Key] = []
        agent_module: Any = importlib.import_module("paramiko.agent")
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connection.settimeout(limit)
        try:
            self._connection.connect(path)
            agent = agent_module.AgentSSH()
            agent._connect(self._connection)
            self.keys = list(agent.get_keys())
        except (OSError, library().SSHException):
            self.close()

    def close(self) -> None:
        self._connection.close()


def takes_rsa(transport: Transport) -> bool:
    """Whether the server takes signatures of RSA keys with SHA-2. paramiko ends the connection where it does not."""
    said = transport.server_extensions.get("server-sig-algs")
    return said is None or b"rsa-sha2-" in said


def send_request(transport: Transport, channel: Channel, name: str, argument: bytes, *, reply: bool) -> None:
    """Send a channel request with one argument (RFC 4254, 5.4). The answer to the one that asks for one sets
    `channel.event`, with `event_ready` where it is yes; the end of the channel sets it too."""
    message = library().Message()
    message.add_byte(bytes([_CHANNEL_REQUEST]))
    message.add_int(cast(Any, channel).remote_chanid)
    message.add_string(name)
    message.add_boolean(reply)
    message.add_string(argument)
    cast(Any, transport)._send_user_message(message)


class Listener:
    """Sees the messages of a transport that paramiko drops. Stands in the way of its tables: of this one transport."""

    def __init__(self, transport: Transport) -> None:
        self.farewell: str | None = None
        """The server's words when it hung up, as they came."""
        self._signals: dict[int, str] = {}
        self._closed: set[int] = set()
        self._news: dict[int, threading.Event] = {}
        inner = cast(Any, transport)
        table: Mapping[int, Callable[[Channel, Any], None]] = inner._channel_handler_table
        inner._channel_handler_table = {number: self._passing(number, handler) for number, handler in table.items()}
        inner._parse_disconnect = self._disconnect

    def news(self, channel: Channel) -> threading.Event:
        """An event that every message for the channel sets; the end of the transport does not."""
        return self._news.setdefault(channel.chanid, threading.Event())

    def signal(self, channel: Channel) -> str | None:
        """The signal that ended the command, without `SIG`; None: none has yet."""
        return self._signals.get(channel.chanid)

    def was_closed(self, channel: Channel) -> bool:
        """Whether the server has closed it, or refused a request; the end of the transport closes it too."""
        return channel.chanid in self._closed

    def forget(self, channel: Channel) -> None:
        """Numbers of channels come again."""
        self._closed.discard(channel.chanid)
        self._news.pop(channel.chanid, None)
        self._signals.pop(channel.chanid, None)

    def _passing(self, number: int, handler: Callable[[Channel, Any], None]) -> Callable[[Channel, Any], None]:
        def handle(channel: Channel, message: Any) -> None:
            if number == _CHANNEL_REQUEST:
                self._look(channel, message)
            elif number in (_CHANNEL_CLOSE, _CHANNEL_FAILURE):
                self._closed.add(channel.chanid)
            handler(channel, message)
            if (news := self._news.get(channel.chanid)) is not None:
                news.set()

        return handle

    def _look(self, channel: Channel, message: Any) -> None:
        """`exit-signal`: signal name, core dumped, words, language (RFC 4254, 6.10)."""
        start = message.packet.tell()
        name, _ = message.get_string(), message.get_boolean()
        if name == b"exit-signal":
            self._signals[channel.chanid] = message.get_string().decode("ascii", "replace")
        message.packet.seek(start)

    def _disconnect(self, message: Any) -> None:
        """Reason code, words, language (RFC 4253, 11.1)."""
        message.get_int()
        self.farewell = message.get_string().decode("utf-8", "replace")


def config_reader(contexts: Iterable[Any]) -> Any:
    """A reader of ssh_config over blocks that were read before."""
    reader = library().SSHConfig()
    reader._config = list(contexts)
    return reader


def config_blocks(text: str) -> list[Any]:
    """The blocks of the text of an ssh_config, which `config_reader` takes. Raises paramiko's SSHException."""
    reader = library().SSHConfig()
    reader.parse(io.StringIO(text))
    return reader._config


def adapt_config(
    reader: Any,
    matches: Callable[[Callable[[Any, str], bool], Any, str], bool],
    succeeds: Callable[[str], bool],
) -> None:
    """Let others decide what a pattern matches (`matches`) and run the commands of `Match exec` (`succeeds`).

    paramiko runs those without a time limit and with the standard input of this process, takes a kind of `Match` that
    it does not know for one that holds, and fills in `%h` and the like before the inventory has been asked.
    """
    match_pattern: Callable[[Any, str], bool] = reader._pattern_matches
    match_block = reader._does_match
    tokens = [token for token in reader.TOKENS_BY_CONFIG_KEY["match-exec"] if token != "%l"]  # `%l` asks DNS
    reader.TOKENS_BY_CONFIG_KEY = {"match-exec": tokens}
    known = {"all", "canonical", "final", "host", "originalhost", "user", "localuser", "exec"}

    def pattern_matches(patterns: Any, target: str) -> bool:
        return matches(match_pattern, patterns, target)

    def does_match(wanted: list[Any], target: str, canonical: bool, final: bool, options: Any) -> bool:
        if not wanted or any(one["type"] not in known for one in wanted):
            return False
        rest = [one for one in wanted if one["type"] != "exec"]
        if rest and not match_block(rest, target, canonical, final, options):
            return False
        return all(
            succeeds(reader._tokenize(options, target, "match-exec", one["param"])) != one["negate"]
            for one in wanted
            if one["type"] == "exec"
        )

    reader._pattern_matches = pattern_matches
    reader._does_match = does_match
