"""Where folders really are and what lies above them, for thousands of files without asking the file system twice."""

from __future__ import annotations

import os


class RealFolders:
    """`os.path.realpath` of folders."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, folder: str) -> str:
        """`folder` without symbolic links, absolute."""
        below: list[tuple[str, str]] = []
        while (real := self._known.get(folder)) is None:
            above, name = os.path.split(folder)
            is_plain = above and name and name not in (".", "..") and not os.path.islink(folder)  # noqa: PTH114
            if is_plain:
                below.append((folder, name))
                folder = above
            else:
                real = self._known[folder] = os.path.realpath(folder)
                break
        for inner, name in reversed(below):
            real = self._known[inner] = os.path.join(real, name)  # noqa: PTH118
        return real


class Above:
    """Folders above folders that have a file or folder of one of some names. Asks the file system once a folder."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._known: dict[str, str | None] = {}

    def of(self, folder: str) -> str | None:
        """`folder` (absolute), or the nearest folder above it; None where there is none."""
        asked: list[str] = []
        while folder not in self._known:
            asked.append(folder)
            if any(os.path.lexists(f"{folder}/{name}") for name in self._names):
                self._known[folder] = folder
                break
            above = os.path.dirname(folder)  # noqa: PTH120 -- a tenth of the time, for thousands of folders
            if above == folder:
                self._known[folder] = None
                break
            folder = above
        found = self._known[folder]
        self._known.update(dict.fromkeys(asked, found))
        return found
