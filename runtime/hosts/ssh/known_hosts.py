"""Files of known host keys (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT): what they have for a host, and how one is added.

    web-01,192.0.2.* ssh-ed25519 AAAA…
    |1|salt|hash ssh-rsa AAAA…
    [192.0.2.1]:2222 ssh-ed25519 AAAA…
    @revoked * ssh-ed25519 AAAA…

Certificate authorities (`@cert-authority`) are passed over: a host is known by its own key.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import os
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .paramiko_library import Key
from .problems import SshError, os_words

_LOCK_LIMIT = 10.0
"""Seconds that another program may keep a file locked."""


@dataclass(frozen=True, slots=True)
class Known:
    """A key in a file, and where it stands."""

    file: Path
    line: int
    kind: str
    """`ssh-ed25519`, `ssh-rsa`, …"""
    key: bytes
    name: str
    """Under which name of the host it was found."""
    revoked: bool = False


def known_keys(files: Iterable[Path], names: tuple[str, ...]) -> list[Known]:
    """The keys of a host, in the order of files and lines. A file that is not there has none; raises `SshError` for
    one that cannot be read."""
    found: list[Known] = []
    for file in files:
        try:
            text = file.read_bytes().decode("utf-8", "replace")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            words = os_words(error)
            raise SshError(f"known host keys cannot be read: {words}", f"cannot read {file}: {words}") from None
        for number, line in enumerate(text.splitlines(), start=1):
            if (known := _known(file, number, line, names)) is not None:
                found.append(known)
    return found


def _known(file: Path, number: int, line: str, names: tuple[str, ...]) -> Known | None:
    """The key in a line, where the line is about one of the names; None for lines that say nothing of use."""
    words = line.split()
    marker = words.pop(0) if words and words[0].startswith("@") else ""
    if len(words) < 3 or words[0].startswith("#") or marker not in ("", "@revoked"):
        return None
    name = next((name for name in names if _is_about(words[0], name)), None)
    if name is None:
        return None
    try:
        key = base64.b64decode(words[2], validate=True)
    except binascii.Error:
        return None
    return Known(file, number, words[1], key, name, marker == "@revoked")


def _is_about(patterns: str, name: str) -> bool:
    """Whether the first field of a line is about a host: a hash, or patterns with `*`, `?` and a `!` that excludes."""
    if patterns.startswith("|1|"):
        try:
            salt, hashed = (base64.b64decode(part, validate=True) for part in patterns[3:].split("|"))
        except ValueError:
            return False
        return hmac.compare_digest(hmac.new(salt, name.encode(), hashlib.sha1).digest(), hashed)
    about = False
    for pattern in patterns.lower().split(","):
        if re.fullmatch(_expression(pattern.removeprefix("!")), name):
            if pattern.startswith("!"):
                return False
            about = True
    return about


def _expression(pattern: str) -> str:
    """A pattern as a regular expression; brackets are brackets."""
    return re.escape(pattern).replace(r"\*", ".*").replace(r"\?", ".")


def fingerprint(key: bytes) -> str:
    """`SHA256:…`, as OpenSSH shows it."""
    return f"SHA256:{base64.b64encode(hashlib.sha256(key).digest()).decode().rstrip('=')}"


def line_for(name: str, key: Key, *, hashed: bool = False) -> str:
    """The line that makes a key known for a host."""
    if hashed:
        salt = os.urandom(hashlib.sha1().digest_size)
        digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
        name = "|1|" + "|".join(base64.b64encode(part).decode() for part in (salt, digest))
    return f"{name} {key.get_name()} {base64.b64encode(key.asbytes()).decode()}"


def add_if_unknown(file: Path, name: str, key: Key, *, hashed: bool) -> list[Known]:
    """Make the key known, unless the file has come to know one for that name: then these keys are given, and nothing is
    written.

    Threads and processes that do so at the same time do it one after the other. A new file is for its owner only.
    Raises OSError.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(descriptor)
        known = [entry for entry in known_keys([file], (name,)) if not entry.revoked]
        if not known:
            line = f"{line_for(name, key, hashed=hashed)}\n".encode()
            os.write(descriptor, line if _ends_a_line(descriptor) else b"\n" + line)
        return known
    finally:
        os.close(descriptor)  # and unlocks


def _lock(descriptor: int) -> None:
    end = time.monotonic() + _LOCK_LIMIT
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def _ends_a_line(descriptor: int) -> bool:
    """Whether a file ends with a line break, or is empty."""
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"
