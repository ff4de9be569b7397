"""Where reading can go on after a fault.

The next reserved word that is first on its line begins a statement; a brace first or last on its line ends a block;
in `prepare` and `restore` a name with its colon, first on its line, begins a step. What stands in literals and
comments is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .literals import RESERVED

# What hides a `#`, a brace or a reserved word: literals, longest fence first. The same shapes as in gate.lark.
OPAQUE = (
    r"```[ \t]*\r?\n(?:(?![ \t]*```[ \t]*(?:\r?\n|\Z))[^\n]*\n)*[ \t]*```(?=[ \t]*(?:\r?\n|\Z))"
    r"|``(?!`)(?:[^`\r\n]|`(?!`))*[^`\r\n]``(?!`)"
    r"|`[^`\r\n]+`"
    r'|"(?:[^"\\\x00-\x1f]|\\.)*"'
)
_PLACE = re.compile(
    rf"^[ \t]*(?P<word>{'|'.join(RESERVED)})(?![\w.-])"
    r'|^[ \t]*(?P<name>"(?:[^"\\\x00-\x1f]|\\.)*")(?=[ \t]*:)'
    r"|(?P<open>\{)(?=[ \t]*(?:#[^\r\n]*|\r?)$)"
    r"|^[ \t]*(?P<first_close>\})"
    r"|(?P<last_close>\})(?=[ \t]*(?:#[^\r\n]*|\r?)$)"
    rf"|#[^\r\n]*|{OPAQUE}",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """A place where a statement, a step or a block's end may begin; `kind` is the terminal that stands there."""

    kind: str
    offset: int


def places_to_resume(text: str, position: int) -> Iterator[Place]:
    """All such places from `position` on."""
    line_start = text.rfind("\n", 0, position) + 1
    at_line_start = not text[line_start:position].strip(" \t\f\r\ufeff")
    if not at_line_start and text.startswith("}", position):
        yield Place("RBRACE", position)
        position += 1
    for found in _PLACE.finditer(text, line_start if at_line_start else position):
        group = found.lastgroup
        if group is None or found.start(group) < position:
            continue
        if group == "word":
            yield Place(found[group].upper(), found.start(group))
        elif group == "name":
            yield Place("STRING", found.start(group))
        else:
            yield Place("LBRACE" if group == "open" else "RBRACE", found.start(group))
