"""The pages of the findings: what each means, why it is worth saying, an example, and what its fix does.

The page of a code is the Markdown file beside this module that is named after it.

    page_of("GW203").summary        # 'A bare word that other words contain.'
    page_of("GW203").sections["Fix"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..findings import CATALOGUE

_FOLDER = Path(__file__).parent
_SUMMARY = re.compile(r"([A-Z][a-z]+(?: or [a-z]+)?)\. (.+)", re.DOTALL)


class PageError(Exception):
    """A page is not laid out as pages are: a fault of the product, never of its user."""


@dataclass(frozen=True, slots=True)
class Page:
    """What `gatewright explain CODE` shows."""

    code: str
    slug: str
    severity: str
    """As the page has it: `Warning`, or `Error or warning` where it depends."""
    summary: str
    """One sentence, or two, on one line."""
    sections: dict[str, str]
    """Title → Markdown below it, in the order of the page."""
    text: str
    """The whole page."""


def page_of(code: str) -> Page | None:
    """The page of a code such as `GW203`; None where no finding has this code, or no page."""
    path = _FOLDER / f"{code}.md"
    if code not in CATALOGUE or not path.is_file():
        return None
    return read_page(path.read_text("utf-8"))


def pages() -> Iterator[Page]:
    """All pages in the order of their codes."""
    for code in sorted(CATALOGUE):
        if (page := page_of(code)) is not None:
            yield page


def read_page(text: str) -> Page:
    """A page from its Markdown."""
    opening, *parts = _cut(text)
    heading, _, said = opening.partition("\n")
    words = heading.removeprefix("# ").split()
    summary = _SUMMARY.fullmatch(" ".join(said.split()))
    if not heading.startswith("# ") or len(words) != 2 or summary is None:
        raise PageError(f"not the opening of a page: {opening!r}")
    sections: dict[str, str] = {}
    for part in parts:
        title, _, body = part.partition("\n")
        sections[title.removeprefix("## ")] = body.strip("\n")
    return Page(words[0], words[1], summary[1], summary[2], sections, text)


def _cut(text: str) -> list[str]:
    """What stands before the first section, and each section with its heading; code blocks hold no headings."""
    parts: list[list[str]] = [[]]
    for line, is_heading in with_headings(text):
        if is_heading and line.startswith("## "):
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(lines) for lines in parts]


def with_headings(text: str) -> Iterator[tuple[str, bool]]:
    """The lines of a Markdown text, each with whether it is a heading."""
    fence = ""
    for line in text.splitlines():
        mark = re.match(r"`{3,}", line)
        if not fence:
            fence = mark[0] if mark else ""
            yield line, line.startswith("#") and mark is None
            continue
        if mark and len(mark[0]) >= len(fence) and line.strip() == mark[0]:
            fence = ""
        yield line, False
