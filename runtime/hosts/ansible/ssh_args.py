"""What `ansible_ssh_common_args` and its siblings say about a connection, in the words of the inventory.

    ssh_settings("-J bench@192.0.2.1 -o StrictHostKeyChecking=no")
    # SshSettings({"proxy_jump": "bench@192.0.2.1", "host_key": "ignore"}, ())

Options are those of ssh(1) and ssh_config(5), OpenSSH 9. As there, the first value of an option counts. Options that
say nothing about who is reached how (`-C`, `-o ControlPersist=60s`, …) are left out.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

_WITH_ARGUMENT = "BbcDEeFIiJLlmOoPpQRSWw"
"""Letters of ssh's options that take an argument."""

_OPTION = re.compile(r"\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)(.*)", re.DOTALL)

_LETTERS = {"J": "proxyjump", "p": "port", "i": "identityfile", "l": "user"}
"""Options with a letter, and the keyword that says the same."""

_KEYWORDS = {
    "hostname": "address",
    "port": "port",
    "user": "user",
    "identityfile": "key",
    "userknownhostsfile": "known_hosts",
    "connecttimeout": "connect_timeout",
}
"""Keywords of ssh_config whose value is a setting of a host as it stands."""

_HOST_KEY = {
    "no": "ignore",
    "off": "ignore",
    "false": "ignore",
    "accept-new": "accept-new",
    "yes": "known",
    "true": "known",
    "ask": "known",
}
"""`StrictHostKeyChecking` → `host_key`; who asks gets no answer here, so `ask` refuses."""


@dataclass(frozen=True, slots=True)
class SshSettings:
    """Settings by the names of `Host` (texts, even the port), and remarks on what cannot be followed."""

    settings: dict[str, str]
    remarks: tuple[str, ...]


def ssh_settings(arguments: str) -> SshSettings:
    """Read the arguments of one variable. Raises ValueError where they cannot be taken apart."""
    settings: dict[str, str] = {}
    remarks: list[str] = []
    waiting = shlex.split(arguments)[::-1]
    while waiting:
        word = waiting.pop()
        if not word.startswith("-") or word == "-":
            continue
        position = 1
        while position < len(word):  # `-Cqp2222` is -C -q -p 2222
            letter = word[position]
            position += 1
            if letter in _WITH_ARGUMENT:
                argument = word[position:] or (waiting.pop() if waiting else "")
                _add(letter, argument, settings, remarks)
                break
    return SshSettings(settings, tuple(remarks))


def _add(letter: str, argument: str, settings: dict[str, str], remarks: list[str]) -> None:
    """Take one option into account, where it says something that counts."""
    if letter == "F":
        remarks.append("-F is not followed: connections use ~/.ssh/config")
    keyword, value = _LETTERS.get(letter, ""), argument
    if letter == "o" and (found := _OPTION.fullmatch(argument)):
        keyword, value = found[1].lower(), found[2].strip()
    match keyword:
        case "proxyjump" | "proxycommand":
            if not {"proxy_jump", "proxy_command"} & settings.keys():  # the first of both wins
                settings["proxy_jump" if keyword == "proxyjump" else "proxy_command"] = value
        case "stricthostkeychecking":
            if (policy := _HOST_KEY.get(_word(value).lower())) is not None:
                settings.setdefault("host_key", policy)
            else:
                remarks.append(f"StrictHostKeyChecking={value} is not known")
        case _ if keyword in _KEYWORDS:
            settings.setdefault(_KEYWORDS[keyword], _word(value))
        case _:
            pass


def _word(value: str) -> str:
    """The first word of a value, quotes removed, as ssh_config reads it."""
    try:
        words = shlex.split(value)
    except ValueError:
        return value
    return words[0] if words else ""
