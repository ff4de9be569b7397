"""`~/.ssh/config` for one host, with the inventory's settings over it.

The file is looked up as `ssh NAME` would, NAME being the host's name in the inventory, and the inventory's settings are
what options of `ssh` would be: they win, and `Match host` and `Match user` see them. Patterns of `Host` are compared
with the name and, where the inventory gives one, with the address.

paramiko reads blocks and patterns; `Include` is put in its place before that. Values are filled in here, when all of
them are known.
"""

from __future__ import annotations

import getpass
import os
import pwd
import re
import shlex
import socket
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import paramiko_library
from .problems import SshError, os_words

DEFAULT_CONFIG = Path("~/.ssh/config")

EXEC_LIMIT = 10.0
"""Seconds that a command of `Match exec` may take."""

_DEEPEST = 16
"""Files that include one another, at most; as OpenSSH."""

_LINE = re.compile(r"\s*(\w+)(?:\s*=\s*|\s+)(.*?)\s*")


class SshConfig:
    """The file, read once, at the first look-up. `path` None: no file; one that is not there is empty."""

    def __init__(self, path: Path | None = DEFAULT_CONFIG) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._blocks: list[Any] | None = None

    def options(self, name: str, said: Mapping[str, str], address: str | None) -> Mapping[str, Any]:
        """What is said of a host, by keyword in lower case: texts, a list of them for `identityfile`, None for
        `ProxyCommand none`. `hostname` is there only where the file gives one.

        `said`: options that the inventory has said already. Raises `SshError`.
        """
        try:
            names = (name,) if address is None else (name, address)
            options: dict[str, Any] = dict(self._reader(names, said).lookup(name))
            if options.get("hostname") == name:  # paramiko says so where the file says nothing
                del options["hostname"]
            if address is not None:  # an address may be a name that the file knows
                options["hostname"] = self._reader((address,), {}).lookup(address)["hostname"]
        except SshError:
            raise
        except Exception as error:  # paramiko raises what it meets: KeyError, ValueError, socket.gaierror, …
            raise self._unusable(str(error) or type(error).__name__) from None
        return options

    def _reader(self, names: tuple[str, ...], said: Mapping[str, str]) -> Any:
        first = {"host": ["*"], "config": dict(said)}
        reader = paramiko_library.config_reader([first, *self._read()])
        paramiko_library.adapt_config(reader, _Names(names).match, self._succeeds)
        return reader

    def _read(self) -> list[Any]:
        with self._lock:
            if self._blocks is None:
                path = None if self._path is None else at_home(str(self._path))
                text = "\n".join(self._lines(path, "", 0)) if path is not None and path.exists() else ""
                self._blocks = paramiko_library.config_blocks(text)
            return self._blocks

    def _lines(self, path: Path, within: str, depth: int) -> list[str]:
        """The lines of a file with those of the included ones among them. `within`: the criteria of the block that
        includes it, as `Match` has them."""
        if depth > _DEEPEST:
            raise self._unusable("Include goes too deep")
        try:
            text = path.read_bytes().decode("utf-8", "surrogateescape")
        except OSError as error:
            raise self._unusable(f"cannot read {path}: {os_words(error)}") from None
        lines: list[str] = []
        here = within
        for line in text.split("\n"):
            found = _LINE.fullmatch(line)
            keyword, value = (found[1].lower(), found[2]) if found else ("", "")
            match keyword:
                case "include":
                    for included in self._included(value):
                        lines += self._lines(included, here, depth + 1)
                        lines.append(f"Match {here}" if here else "Host *")  # what follows belongs to the block again
                case "host" | "match":
                    here = _both(within, _criteria(keyword, value))
                    lines.append(f"Match {here}" if within else line)
                case "userknownhostsfile" | "globalknownhostsfile":
                    quoted = value.startswith('"') and value.endswith('"')  # paramiko takes these off, `"a" "b"` too
                    lines.append(f'{keyword} "{value}"' if quoted else line)
                case _:
                    lines.append(line)
        return lines

    def _included(self, value: str) -> list[Path]:
        """The files that an `Include` names, in their order; a relative one lies beside the first file."""
        folder = at_home(str(self._path or DEFAULT_CONFIG)).parent
        files: list[Path] = []
        for pattern in shlex.split(value):
            whole = folder / at_home(pattern)
            files += sorted(Path(whole.anchor).glob(str(whole.relative_to(whole.anchor))))
        return [path for path in files if path.is_file()]

    def _succeeds(self, command: str) -> bool:
        """Whether a command of `Match exec` ends well."""
        nothing = subprocess.DEVNULL
        try:
            ended = subprocess.run(
                ["/bin/sh", "-c", command],
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
                timeout=EXEC_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise self._unusable(f"a command of Match exec did not end within {EXEC_LIMIT:g} s: {command}") from None
        return ended.returncode == 0

    def _unusable(self, why: str) -> SshError:
        return SshError("the ssh configuration cannot be used", f"{self._path} cannot be used: {why}")


class _Names:
    """The names under which a file may know a host. A pattern that excludes one of them excludes the host."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def match(self, plain: Any, patterns: Any, target: str) -> bool:
        """`patterns`: a list, or a text with commas. `plain` is how one name is matched."""
        if target != self._names[0]:
            return plain(patterns, target)
        words: list[str] = patterns.split(",") if isinstance(patterns, str) else list(patterns)
        excluding = [word[1:] for word in words if word.startswith("!")]
        if any(plain(excluding, name) for name in self._names):
            return False
        return any(plain([word for word in words if not word.startswith("!")], name) for name in self._names)


def _criteria(keyword: str, value: str) -> str:
    """The criteria of a block as `Match` has them: `Host a !b` is `originalhost a,!b`."""
    if keyword == "match":
        return value
    return f"originalhost {shlex.quote(','.join(shlex.split(value)))}"


def _both(outer: str, inner: str) -> str:
    """Criteria that hold where both hold."""
    if inner == "all":
        return outer or inner
    return inner if outer in ("", "all") else f"{outer} {inner}"


class Tokens:
    """What `%h` and the like stand for in a value (ssh_config(5), TOKENS), and `${NAME}` and `~` in a path."""

    def __init__(self, *, name: str, address: str, port: int, user: str, alias: str | None) -> None:
        local = socket.gethostname()
        self._values = {
            "%": "%",
            "d": os.environ.get("HOME", ""),
            "h": address,
            "i": str(os.getuid()),
            "k": alias or address,
            "L": local.split(".")[0],
            "l": local,
            "n": name,
            "p": str(port),
            "r": user,
            "u": local_user() or "",
        }

    def fill(self, value: str) -> str:
        """An unknown token stays as it is."""
        return re.sub(r"%(.)", lambda found: self._values.get(found[1], found[0]), value)

    def path(self, value: str) -> Path:
        named = re.sub(r"\$\{(\w+)\}", lambda found: os.environ.get(found[1], ""), self.fill(value))
        return at_home(named).absolute()


def at_home(path: str) -> Path:
    """A path with the home directory for `~`; as it is, where there is none or it is of somebody who is not known."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def words_of(value: str) -> list[str]:
    """The words of a value, quotes removed."""
    try:
        return shlex.split(value, comments=True)
    except ValueError:
        return value.split()


def local_user() -> str | None:
    """The name of the user who runs this; None where the number has no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # a container may run under a number that nobody has entered
        pass
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None
