"""What Ansible's messages must not tell of an inventory: addresses, users who log in, key files.

    masks = Masks(inventory, {"/tmp/x/hosts.yml": "hosts.toml"})
    masks.all("bench@192.0.2.10: Permission denied")      # web-01: Permission denied

Results of benchmarks are shown to people who have no business in the lab. Loopback addresses say nothing about it and
stay; a user's name is replaced where it stands before an address, for words like “root” have other meanings.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..inventory import Host, Inventory

_LOOPBACK = re.compile(r"localhost(?:\.localdomain)?|127(?:\.[0-9]{1,3}){3}|::1")
_JUMP = re.compile(r"(?:ssh://)?(?:[^@]*@)?(\[[^\]]*\]|[^:]*)(?::[0-9]*)?/?")
_USER = r"[^\s@'\"=:/,;()]+@"


class Masks:
    """The masks of an inventory: of each host, and of all together. `fixed`: further texts and what stands for them."""

    def __init__(self, inventory: Inventory, fixed: Mapping[str, str]) -> None:
        self._hosts = inventory.hosts
        self._fixed = fixed
        self.all = _mask(inventory.hosts.values(), fixed)

    def of(self, name: str) -> Callable[[str], str]:
        """The mask for texts about one host, whose address several hosts may share."""
        host = self._hosts.get(name)
        return _mask(() if host is None else (host,), self._fixed)


def _mask(hosts: Iterable[Host], fixed: Mapping[str, str]) -> Callable[[str], str]:
    addresses: defaultdict[str, dict[str, None]] = defaultdict(dict)
    paths: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for host in sorted(hosts, key=lambda each: each.connection == "local"):
        for found, texts in ((_addresses(host), addresses), (_paths(host), paths)):
            for text, name in found:
                if host.connection == "ssh" or text not in texts:  # nobody goes there for a local host
                    texts[text][name] = None
    words = {**fixed, **{text: "/".join([*names][:3]) for text, names in {**paths, **addresses}.items()}}
    bare = [*fixed, *paths, *(text for text in addresses if not _is_plain(text, words))]
    if not words:
        return str
    either, alone = (_any_of(texts) for texts in (addresses, bare))
    pattern = rf"(?<![\w.-])(?:{_USER}({either})|({alone}))(?![\w-]|\.\w)"
    return partial(re.compile(pattern, re.IGNORECASE).sub, partial(_replace, words))


def _is_plain(address: str, words: Mapping[str, str]) -> bool:
    """Whether an address may stand: it is the host's own name, or leads nowhere else."""
    return words[address].lower() == address or _LOOPBACK.fullmatch(address) is not None


def _any_of(texts: Iterable[str]) -> str:
    """A pattern for any of the texts, the longest first; for none of them one that never matches."""
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True))) or r"(?!)"


def _replace(words: Mapping[str, str], match: re.Match[str]) -> str:
    text = match[1] or match[2]
    return words.get(text) or words.get(text.lower()) or match[0]


def _addresses(host: Host) -> Iterator[tuple[str, str]]:
    """Names and addresses, in lower case, under which a connection is made, and what is said in place of each."""
    yield host.name.lower(), host.name
    if host.address is not None:
        yield host.address.lower(), host.name
    for jump in (host.proxy_jump or "").split(","):
        if (found := _JUMP.fullmatch(jump.strip())) and found[1]:
            yield found[1].strip("[]").lower(), f"the jump host of {host.name}"


def _paths(host: Host) -> Iterator[tuple[str, str]]:
    """Paths, also without `..` and links, and as they are called from the working directory, and what is said in place
    of each."""
    for path, what in ((host.key, "key"), (host.known_hosts, "known_hosts")):
        if path is None:
            continue
        for spelled in dict.fromkeys((path, os.path.normpath(path), os.path.realpath(path))):
            yield spelled, f"the {what} of {host.name}"
            with suppress(ValueError, OSError):
                yield str(Path(spelled).relative_to(Path.cwd())), f"the {what} of {host.name}"
