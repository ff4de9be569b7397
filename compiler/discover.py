"""Which files a path names: itself, or the files of rules below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

from .findings import ignore
from .folders import RealFolders
from .settings import Settings, SettingsReader

_PASSED_OVER = frozenset({"node_modules", "__pycache__", "build", "dist"})


def rule_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file that is named, and below every folder that is named its files of rules, in the order of their names.

    Below a folder these are the `.gate` files and the JSON files that hold rules (not run records or other JSON).
    Hidden folders, those of tools, and what `exclude` of the folder's `gatewright.toml` names are passed over. A file
    comes once, however often it is named.
    """
    for path, is_named in candidates(paths):
        if is_named or path.suffix == ".gate" or _holds_rules(path):
            yield path


def candidates(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Files that are named (True), and all `.gate` and JSON files below folders (False), each once."""
    seen: set[tuple[str, str]] = set()
    real = RealFolders()
    for path in paths:
        is_folder = path.is_dir()
        for file in _below(path) if is_folder else (path,):
            # `a.gate` and `/home/me/a.gate` may be one file, and must not be fixed twice.
            place = (real.of(str(file.parent)), file.name)
            if place not in seen:
                seen.add(place)
                yield file, not is_folder


def _below(folder: Path) -> Iterator[Path]:
    """The files below a folder: its own by name, then those of its folders."""
    settings = SettingsReader(ignore).of(os.path.realpath(folder))
    waiting = [str(folder)]
    while waiting:
        where = waiting.pop()
        entries = _entries(where)
        if entries is None:
            yield Path(where)  # nor will it be read as a file, which is then told
            continue
        folders, files = entries
        yield from (Path(where, name) for name in files if not _is_excluded(where, name, settings))
        kept = [name for name in folders if not _is_excluded(where, name, settings)]
        waiting += [os.path.join(where, name) for name in reversed(kept)]  # noqa: PTH118


def _entries(where: str) -> tuple[list[str], list[str]] | None:
    """The folders to go into and the files to look at, by name; None where the folder cannot be read.

    Pipes and devices are no files: reading one may never end.
    """
    folders: list[str] = []
    files: list[str] = []
    try:
        with os.scandir(where) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if not name.startswith(".") and name not in _PASSED_OVER:
                        folders.append(name)
                elif name.endswith((".gate", ".json")) and _may_be_read(entry):
                    files.append(name)
    except OSError:
        return None
    return sorted(folders), sorted(files)


def _may_be_read(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file, or a symbolic link to nothing, which is told as a file that cannot be read."""
    try:
        return entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path))  # noqa: PTH110
    except OSError:  # links that go round in a circle
        return True


def _is_excluded(where: str, name: str, settings: Settings) -> bool:
    """Whether the name, or the path from the settings' folder, fits one of the patterns of `exclude`."""
    if not settings.exclude or settings.folder is None:
        return False
    path = os.path.relpath(os.path.realpath(os.path.join(where, name)), settings.folder)  # noqa: PTH118
    return any(fnmatch(name, pattern) or fnmatch(path, pattern.rstrip("/")) for pattern in settings.exclude)


def may_hold_rules(data: bytes) -> bool:
    """Whether the bytes of a JSON file speak of rules at all: a quick look before a careful one."""
    return b'"validator"' in data or b'"validation"' in data


def _holds_rules(path: Path) -> bool:
    """Whether a JSON file below a folder is meant to hold rules. A broken one is, where it speaks of rules."""
    from .json_kind import looks_like_rules
    from .json_text import parse_json
    from .sources import decode

    try:
        data = path.read_bytes()
    except OSError:
        return False
    if not may_hold_rules(data):
        return False
    source = decode(data, str(path), ignore)
    document = None if source is None else parse_json(source, ignore)
    return document is None or looks_like_rules(document.root)
