"""What the build adds to setuptools: the parse table in the package, and a source archive with everything in it.

setuptools loads this module from its file, before the package can be imported, so it imports nothing of the package.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

_FOLDERS = ("tests", "examples", "docs", "bench")
_FILES = ("Makefile", "CHANGELOG.md", "LICENSE", ".ci/run", ".pre-commit-hooks.yaml", "grammar/LANGUAGE.md")
_SOURCES = Path(__file__).resolve().parent
_LEFT_OUT = {"__pycache__", ".hypothesis", ".pytest_cache", ".ruff_cache"}


class BuildWithTable(build_py):
    """Writes `gate.table` beside `gate.lark`: into the built package, or the source folder of an editable install."""

    def run(self) -> None:
        super().run()
        write_table(_SOURCES / "gate.table" if self.editable_mode else self._built())

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        own = [] if self.editable_mode else [str(self._built())]
        return [*super().get_outputs(include_bytecode), *own]

    def _built(self) -> Path:
        return Path(self.build_lib) / "gatewright" / "grammar" / "gate.table"


class SourceDistribution(sdist):
    """Puts tests, examples and documents into the source archive, which setuptools leaves out of its own accord."""

    def make_distribution(self) -> None:
        listed = set(self.filelist.files)
        self.filelist.extend([file for file in extra_files(Path()) if file not in listed])
        super().make_distribution()


def write_table(path: Path) -> None:
    """Compile the grammar into a table file."""
    table: Any = runpy.run_path(str(_SOURCES / "table.py"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(table["build"](table["GRAMMAR_FILE"].read_text(encoding="utf-8")))


def extra_files(root: Path) -> list[str]:
    """What the source archive has beside the packages, as far as it is there."""
    files = [root / name for name in _FILES]
    for folder in _FOLDERS:
        files += sorted((root / folder).rglob("*"))
    return [str(file.relative_to(root)) for file in files if file.is_file() and not _LEFT_OUT.intersection(file.parts)]
