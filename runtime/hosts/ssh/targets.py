"""Where a host is and how to get in: the inventory, `~/.ssh/config` and the defaults put together.

The inventory wins over the file, the file over the defaults. Of the file count `HostName`, `Port`, `User`,
`IdentityFile`, `IdentitiesOnly`, `IdentityAgent`, `ProxyJump`, `ProxyCommand`, `UserKnownHostsFile`,
`GlobalKnownHostsFile`, `HostKeyAlias` and `HashKnownHosts`. `StrictHostKeyChecking` does not: only the inventory can
say that an unknown key will do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..inventory import Host
from .config import SshConfig, Tokens, local_user, words_of
from .problems import SshError

_PORT = 22
_USER_FILES = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
_GLOBAL_FILES = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")

_LONGEST = 1e6

KEY_LIMIT = 60.0
"""Seconds in which the key files of a host must be opened: a passphrase is meant to take time."""

UNNAMED = "its jump host"
"""What reports call a jump host that is not in the inventory."""

_JUMP = re.compile(r"(?:ssh://)?(?:(?P<user>.+)@)?(?P<host>\[[^\]]+\]|[^:@]+)(?::(?P<port>[0-9]{1,5}))?/?")
"""One stop of a `ProxyJump`."""


@dataclass(frozen=True, slots=True)
class Target:
    """One SSH server. Equal targets can share a connection."""

    host: Host
    label: str
    """What reports call it: the inventory's name, or `UNNAMED`."""
    address: str
    port: int
    user: str
    key: Path | None
    """The one key to log in with, where the inventory says one."""
    identities: tuple[Path, ...] | None
    """Keys of the configuration file; None: it says nothing."""
    identities_only: bool
    agent: str | None
    """Socket of the agent."""
    alias: str | None
    """Name under which the key of the host is known, instead of address and port."""
    known_hosts: tuple[Path, ...]
    """Files of known keys; the first is the one that new keys go into."""
    global_known_hosts: tuple[Path, ...]
    hash_names: bool
    """Whether names are hashed that are written into known_hosts."""
    jump: Target | None
    proxy_command: str | None

    @property
    def where(self) -> str:
        """For the user's eyes."""
        return f"{self.label} ({self.user}@{self.address} port {self.port})"

    @property
    def limit(self) -> float:
        """Seconds for each wait of connecting; no more than what timers can take."""
        return min(self.host.connect_timeout, _LONGEST)

    @property
    def as_jump(self) -> str:
        """What reports call it where it is on the way."""
        return self.label if self.label == UNNAMED else f"jump host {self.label}"

    @property
    def key_names(self) -> tuple[str, ...]:
        """Names under which its key is looked up, the first of which new keys are written with. As for OpenSSH, a
        key that is known for the plain address will do for another port."""
        if self.alias is not None:
            return (self.alias.lower(),)
        address = self.address.lower()
        return (address,) if self.port == _PORT else (f"[{address}]:{self.port}", address)

    @property
    def connect_limit(self) -> float:
        """Seconds after which it is connected or never will be, jump hosts included: name, connection, banner, key
        exchange and login have a limit each."""
        return KEY_LIMIT + 5 * self.limit + (self.jump.connect_limit if self.jump is not None else 0)


def target_of(host: Host, hosts: Mapping[str, Host], config: SshConfig) -> Target:
    """What is known of a host of the inventory `hosts`. Raises `SshError`."""
    return _Resolver(hosts, config).target(host, host.name, (), None)


class _Resolver:
    def __init__(self, hosts: Mapping[str, Host], config: SshConfig) -> None:
        self._hosts = hosts
        self._config = config

    def target(self, host: Host, label: str, on_the_way: tuple[str, ...], via: Target | None) -> Target:
        """`on_the_way`: the names of the hosts that it is a jump host for. `via`: where a chain of jump hosts has got
        to; what the file says about jumps does not count then."""
        if host.unsupported is not None:
            raise SshError(host.unsupported)
        if host.name in on_the_way:
            circle = " → ".join((*on_the_way, host.name))
            raise SshError("jump hosts form a circle", f"jump hosts form a circle: {circle}")
        said = {"hostname": host.address, "port": host.port, "user": host.user}
        given = {keyword: str(value) for keyword, value in said.items() if value is not None}
        options = self._config.options(host.name, given, host.address)

        typed = host.address or host.name
        port = host.port or self._port(options, label)
        user = host.user or options.get("user") or local_user()
        if user is None:
            raise SshError(f"login at {label}: which user? This process has no user name, and nothing else says one")
        alias: str | None = options.get("hostkeyalias")
        address = str(options.get("hostname", typed))
        if address != typed:
            address = _tokens(host, typed, port, user, alias).fill(address)
        tokens = _tokens(host, address, port, user, alias)
        jump, proxy_command = self._way(host, options, tokens, (*on_the_way, host.name), via)
        return Target(
            host=host,
            label=label,
            address=address,
            port=port,
            user=user,
            key=None if host.key is None else Path(host.key).absolute(),
            identities=_identities(options, tokens),
            identities_only=str(options.get("identitiesonly", "no")).lower() == "yes",
            agent=_agent(options, tokens),
            alias=alias,
            known_hosts=(Path(host.known_hosts).absolute(),)
            if host.known_hosts is not None
            else _files(options.get("userknownhostsfile"), _USER_FILES, tokens),
            global_known_hosts=_files(options.get("globalknownhostsfile"), _GLOBAL_FILES, tokens),
            hash_names=str(options.get("hashknownhosts", "no")).lower() == "yes",
            jump=jump,
            proxy_command=proxy_command,
        )

    def _port(self, options: Mapping[str, Any], label: str) -> int:
        word = words_of(str(options.get("port", _PORT)))[:1]
        if word and word[0].isdecimal() and 1 <= int(word[0]) <= 65535:
            return int(word[0])
        raise SshError("the ssh configuration cannot be used", f"the ssh configuration gives {label} no usable port")

    def _way(
        self, host: Host, options: Mapping[str, Any], tokens: Tokens, on_the_way: tuple[str, ...], via: Target | None
    ) -> tuple[Target | None, str | None]:
        """Jump host and proxy command: the inventory's, else of the file's `ProxyJump` and `ProxyCommand` the one that
        comes first, “none” too."""
        if via is not None:
            return via, None
        if host.jump is not None:
            if (jump := self._hosts.get(host.jump)) is None:
                raise SshError(f"the jump host {host.jump} is not in the inventory")
            return self.target(jump, jump.name, on_the_way, None), None
        said = {"proxyjump": host.proxy_jump, "proxycommand": host.proxy_command}
        given = {keyword: value for keyword, value in said.items() if value is not None}
        for keyword, value in (given or options).items():
            if keyword not in said:
                continue
            if value is None or value.lower() == "none":
                return None, None
            filled = tokens.fill(value)
            return (self._chain(host, filled, on_the_way), None) if keyword == "proxyjump" else (None, filled)
        return None, None

    def _chain(self, host: Host, value: str, on_the_way: tuple[str, ...]) -> Target | None:
        """The last of the jump hosts in a `ProxyJump`. The first of them has its own way; each leads to the next."""
        last: Target | None = None
        for stop in words_of(value.replace(",", " ")):
            found = _JUMP.fullmatch(stop)
            if found is None or int(found["port"] or 1) > 65535:
                raise SshError(
                    "the ssh configuration cannot be used",
                    f"the ssh configuration cannot be used: {stop} is no jump host for {host.name}",
                )
            name, user, port = found["host"].strip("[]"), found["user"], found["port"]
            known = self._hosts.get(name) if user is None and port is None else None
            if known is not None and known.connection == "ssh":
                last = self.target(known, known.name, on_the_way, last)
            else:
                made = Host(
                    name=name,
                    user=user,
                    port=int(port) if port else None,
                    connect_timeout=host.connect_timeout,
                    command_timeout=host.command_timeout,
                )
                last = self.target(made, UNNAMED, on_the_way, last)
        return last


def _tokens(host: Host, address: str, port: int, user: str, alias: str | None) -> Tokens:
    return Tokens(name=host.name, address=address, port=port, user=user, alias=alias)


def _identities(options: Mapping[str, Any], tokens: Tokens) -> tuple[Path, ...] | None:
    """The key files of the configuration file; `none` among them says that there are none."""
    said: list[str] | None = options.get("identityfile")
    if said is None:
        return None
    return () if "none" in said else tuple(dict.fromkeys(tokens.path(value) for value in said))


def _agent(options: Mapping[str, Any], tokens: Tokens) -> str | None:
    said: str | None = options.get("identityagent")
    if said is None or said == "SSH_AUTH_SOCK":
        return os.environ.get("SSH_AUTH_SOCK") or None
    if said == "none":
        return None
    if re.fullmatch(r"\$\w+", said):
        return os.environ.get(said[1:]) or None
    return str(tokens.path(said))


def _files(said: str | None, default: tuple[str, ...], tokens: Tokens) -> tuple[Path, ...]:
    """Files of known hosts; `none` is no file."""
    names = default if said is None else [name for name in words_of(said) if name != "none"]
    return tuple(tokens.path(name) for name in names)
