"""`google-re2`, the extra `fast`: whether it is there, and as much of it as is used, with types.

RE2 reads Latin-1 here: texts are bytes, and every byte is a character.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Protocol


class Match(Protocol):
    def span(self) -> tuple[int, int]: ...


class Regex(Protocol):
    def search(self, text: bytes) -> Match | None: ...


class Set(Protocol):
    """Its methods have these names there."""

    def Add(self, pattern: bytes) -> int: ...  # noqa: N802

    def Compile(self) -> None: ...  # noqa: N802

    def Match(self, text: bytes) -> list[int] | None: ...  # noqa: N802


@cache
def library() -> ModuleType | None:
    """The module; None where it is missing, breaks, or is `pyre2`, which has the same name and other ways."""
    try:
        module = import_module("re2")
    except Exception:
        return None
    return module if hasattr(module, "Set") and hasattr(module, "Options") else None


def compile_regex(pattern: str, memory: int) -> Regex | None:
    """None where RE2 is missing, or does not take the pattern; `memory` in bytes is for program and automata."""
    re2 = library()
    if re2 is None:
        return None
    try:
        return re2.compile(pattern.encode("ascii"), _options(re2, memory))
    except re2.error:
        return None


def compile_set(patterns: list[str], memory: int) -> Set | None:
    """A set that is searched for anywhere in a text; None where RE2 is missing or `memory` does not suffice."""
    re2 = library()
    if re2 is None:
        return None
    try:
        compiled = re2.Set.SearchSet(_options(re2, memory))
        for pattern in patterns:
            compiled.Add(pattern.encode("ascii"))
        compiled.Compile()  # a set that failed to compile must never be asked: it can crash
    except re2.error:
        return None
    return compiled


def _options(re2: ModuleType, memory: int) -> object:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = memory
    options.log_errors = False
    return options
