"""Markdown pages, cut into their fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Block:
    """A fenced block; what stands behind the language of its fence are its words."""

    page: Path
    line: int
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def name(self) -> str | None:
        """The file that the block is written to."""
        return next((word for word in self.words if "." in word), None)

    @property
    def kind(self) -> str | None:
        """What JSON is that is no set of rules."""
        return next((word for word in self.words if word in ("record", "result", "output")), None)

    @property
    def codes(self) -> set[str]:
        return {word for word in self.words if word.startswith("GW")}

    @property
    def id(self) -> str:
        return f"{self.page.name}:{self.line} {self.language}"


def blocks_of(page: Path) -> Iterator[Block]:
    return blocks_in(page.read_text("utf-8"), page)


def blocks_in(text: str, page: Path) -> Iterator[Block]:
    """The fenced blocks of a page; a fence is closed by one that is as long or longer."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        opening = re.fullmatch(r"(`{3,})([^`]*)", lines[number])
        number += 1
        if opening is None:
            continue
        start = number
        while not re.fullmatch(rf"`{{{len(opening[1])},}}\s*", lines[number]):
            number += 1
        language, *words = opening[2].split() or [""]
        yield Block(page, start, language, tuple(words), "".join(f"{line}\n" for line in lines[start:number]))
        number += 1
