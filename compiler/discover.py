"""Which files a path names: itself, or the files of rules below a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

_PASSED_OVER = frozenset({"node_modules", "__pycache__", "build", "dist"})


def rule_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Every file that is named, and below every folder that is named its files of rules, in the order of their names.

    Below a folder these are the `.gate` files and the JSON files that hold rules (not run records or other JSON).
    Hidden folders and those of tools are passed over. A file comes once, however often it is named.
    """
    seen: set[Path] = set()
    for path in paths:
        for file in _below(path) if path.is_dir() else (path,):
            if file not in seen:
                seen.add(file)
                yield file


def _below(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _PASSED_OVER)
        for name in sorted(files):
            path = Path(where, name)
            if name.endswith(".gate") or (name.endswith(".json") and _holds_rules(path)):
                yield path


def _holds_rules(path: Path) -> bool:
    """Whether a JSON file below a folder is meant to hold rules. A broken one is, where it speaks of rules."""
    from .findings import ignore
    from .json_kind import looks_like_rules
    from .json_text import parse_json
    from .sources import decode

    try:
        data = path.read_bytes()
    except OSError:
        return False
    if b'"validator"' not in data and b'"validation"' not in data:
        return False
    source = decode(data, str(path), ignore)
    document = None if source is None else parse_json(source, ignore)
    return document is None or looks_like_rules(document.root)
