"""The architecture as documented: layers, packages, modules, and what no file says."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = ("grammar", "compiler", "runtime")


def modules(repository: Path) -> Iterator[Path]:
    for layer in LAYERS:
        yield from sorted((repository / layer).rglob("*.py"))


def imports_of(path: Path, repository: Path) -> Iterator[str]:
    """The layers that a module imports from, and the packages of others."""
    depth = len(path.relative_to(repository).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.level in (0, depth)):
            yield (node.module or "").split(".")[0]


def test_no_layer_imports_an_upper_one(repository: Path) -> None:
    for path in modules(repository):
        layer = LAYERS.index(path.relative_to(repository).parts[0])
        assert not set(imports_of(path, repository)) & set(LAYERS[layer + 1 :]), path


def test_every_package_is_built_into_the_wheel(repository: Path) -> None:
    listed = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {init.parent.relative_to(repository) for init in modules(repository) if init.name == "__init__.py"}
    assert set(listed) == {f"gatewright.{'.'.join(folder.parts)}" for folder in folders}


def test_every_module_stands_in_the_architecture(repository: Path) -> None:
    text = (repository / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[a-z_]+", text))
    for path in modules(repository):
        parts = path.relative_to(repository).with_suffix("").parts
        # Modules of a package inside a layer are spoken for by the package.
        assert parts[1] in named or parts[1] in ("__init__", "__main__"), path


@pytest.mark.parametrize("word", [r"\bprint\(", r"except Exception: *pass", r"\bTODO\b", r"\bFIXME\b"])
def test_product_code_is_free_of(repository: Path, word: str) -> None:
    for path in modules(repository):
        assert not re.search(word, path.read_text(encoding="utf-8")), path
