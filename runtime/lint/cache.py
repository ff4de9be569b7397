"""What was found in a file, kept until anything that it rests on changes.

An entry is named after a hash of everything that goes into it: the bytes of the file and its place, the options of the
call, the code of Gatewright and the versions of what it works with. Inside it stand the other files that it rests on
with hashes of theirs: an entry counts only while all are as they were, or are still not there. So there is nothing to
invalidate, and two versions or two calls at a time do not get in each other's way.

Entries are files below `$XDG_CACHE_HOME/gatewright` (`~/.cache/gatewright`): a line with a hash of the rest, which is
JSON. They are written whole or not at all. A cache that cannot be read or written is no cache, and no error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from ...compiler.findings import ignore
from ...compiler.sources import decode
from ...grammar.text import Source
from .notes import LintOptions
from .stored import FileReport, from_json, to_json

_LAYOUT = 1
"""Of the entries; another number leaves all older ones alone."""

_KEPT = 30 * 24 * 3600
"""Seconds that an entry is kept."""


def cache_folder() -> Path:
    """Where entries are kept: `GATEWRIGHT_CACHE`, else below the user's folder for caches."""
    chosen = os.environ.get("GATEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base, "gatewright")
    try:
        return Path.home() / ".cache" / "gatewright"
    except RuntimeError:  # a user without a home: nothing can be kept
        return Path(os.devnull)


class Cache:
    """Entries for one set of options."""

    def __init__(self, options: LintOptions, folder: Path | None = None) -> None:
        self._common = repr((_LAYOUT, options.target, options.baseline_digest, _fingerprint())).encode(
            "utf-8", "surrogatepass"
        )
        self._folder = (folder or cache_folder()) / f"lint-{_LAYOUT}"

    def key(self, path: Path, place: str, data: bytes) -> str:
        """The name of the entry of a file: as it is named, where it really is, and what it holds."""
        hashed = blake2b(self._common, digest_size=20)
        for part in (os.fsencode(path), os.fsencode(place)):
            hashed.update(len(part).to_bytes(4, "big"))
            hashed.update(part)
        hashed.update(data)
        return hashed.hexdigest()

    def get(self, key: str, path: Path, data: bytes) -> FileReport | None:
        """The report of a file; None where there is none that counts."""
        try:
            digest, _, text = self._file(key).read_bytes().partition(b"\n")
            if digest != _digest(text).encode():  # cut short, or damaged
                return None
            entry = json.loads(text)
            sources = _sources(entry["reads"], path, data)
            return None if sources is None else from_json(entry["report"], path, sources)
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def put(self, key: str, report: FileReport, reads: Sequence[Path], source: Source) -> None:
        """Keep a report. Not kept is what speaks of a text that cannot be read again as it was."""
        named = {span.source for finding in report.findings if (span := finding.span) is not None}
        named |= {label.span.source for finding in report.findings for label in finding.labels}
        others = {os.path.realpath(other.name): other for other in named - {source}}
        entries: list[tuple[str, str | None, str | None]] = []
        sources = [source]
        for read in dict.fromkeys(os.path.abspath(path) for path in reads):  # noqa: PTH100 -- links stay links
            other = others.pop(os.path.realpath(read), None)
            data = _bytes_of(read)
            entries.append((read, None if data is None else _digest(data), other.name if other else None))
            if other:
                if data is None or _decoded(data, other.name) != other:
                    return
                sources.append(other)
        stored = to_json(report, sources)
        if stored is None:
            return
        data = f'{{"reads":{json.dumps(entries)},"report":{stored}}}'.encode("utf-8", "surrogatepass")
        try:
            self._write(key, _digest(data).encode() + b"\n" + data)
        except (OSError, ValueError):
            return

    def prune(self) -> None:
        """Drop entries that have not been written anew for a month; at most once a day."""
        stamp = self._folder / "pruned"
        now = time.time()
        try:
            if stamp.exists() and now - stamp.stat().st_mtime < 24 * 3600:
                return
            stamp.touch()
            for file in self._folder.glob("??/*"):
                if now - file.stat().st_mtime > _KEPT:
                    file.unlink(missing_ok=True)
        except OSError:
            return

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]

    def _write(self, key: str, data: bytes) -> None:
        file = self._file(key)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        temporary.write_bytes(data)
        temporary.replace(file)


def _sources(reads: Sequence[Sequence[str | None]], path: Path, data: bytes) -> list[Source] | None:
    """The texts that spans of an entry speak of; None where a file that it rests on is no longer as it was."""
    main = _decoded(data, str(path))
    sources = [main or Source(str(path), "")]
    for read, digest, name in reads:
        assert read is not None
        try:
            other = Path(read).read_bytes()
        except OSError:
            if digest is not None:
                return None
            continue
        if _digest(other) != digest:
            return None
        if name is not None:
            text = _decoded(other, name)
            if text is None:
                return None
            sources.append(text)
    return sources


def _decoded(data: bytes, name: str) -> Source | None:
    return decode(data, name, ignore)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()


def _bytes_of(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


def _fingerprint() -> str:
    """A hash of the code that finds: Gatewright's files by size and time, Python, and the libraries by version."""
    import click

    hashed = blake2b(sys.version.encode(), digest_size=20)
    for module in (Source.__module__, decode.__module__, __name__):  # a module of every layer
        layer, _, rest = module.removeprefix("gatewright.").partition(".")
        folder = Path(sys.modules[module].__file__ or "").parents[rest.count(".")]
        for line in sorted(_files(str(folder))):
            hashed.update(f"{layer} {line}".encode("utf-8", "surrogateescape"))
    libraries = Path(click.__file__).parents[1]
    wanted = ("corvus", "google_re2", "jinja2", "lark", "pydantic", "quickjs")
    with os.scandir(libraries) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(".dist-info")]
    hashed.update("".join(sorted(name for name in names if name.lower().startswith(wanted))).encode())
    return hashed.hexdigest()


def _files(folder: str) -> list[str]:
    found: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                found += _files(entry.path)
            else:
                status = entry.stat()
                found.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}\n")
    return found
