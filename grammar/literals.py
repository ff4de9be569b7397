r"""What literals mean, and how to write one that means a given text.

    unwrap(literal)                 # `a\b` and "a\\b" both mean a\b
    source_offset(literal, 2)       # where in the source the third character of the value was written
    write("echo `hostname`")        # ``echo `hostname` ``

A template's `t` is passed over here: unwrapping comes first, rendering second, and rendering is the compiler's work.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal as OneOf

RESERVED = (
    "scenario",
    "title",
    "tags",
    "hosts",
    "semantics",
    "let",
    "include",
    "for",
    "require",
    "optional",
    "prepare",
    "restore",
    "test",
    "expect",
)
"""Words that begin a statement; as a host or a tag they are written in quotes."""

_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

_STRING_PIECE = re.compile(
    r"\\u(?P<high>[Dd][89ABab][0-9A-Fa-f]{2})\\u(?P<low>[Dd][C-Fc-f][0-9A-Fa-f]{2})"
    r"|\\u(?P<code>[0-9A-Fa-f]{4})|\\(?P<short>.)|[^\\]+"
)
# Characters that a reader cannot see, or that turn the direction of what follows: only an escape shows them.
_UNSEEN = "\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
_NEEDS_STRING = re.compile(f"[{_UNSEEN}]")
_NEEDS_STRING_IN_LINES = re.compile(f"(?![\n\t])[{_UNSEEN}]")
_NEEDS_ESCAPE = re.compile(f'["\\\\{_UNSEEN}]')
_BARE_ITEM = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*|[0-9]{1,3}(?:\.[0-9]{1,3}){3}", re.ASCII)
_FENCE_LINE = re.compile(r"^[ \t]*```[ \t]*$", re.MULTILINE)
_BLANK_LINE = re.compile(r"^[ \t]+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Literal:
    """A string or raw literal with its fences, and the `t` of a template."""

    style: OneOf["string", "raw", "raw2", "fenced"]
    template: bool
    text: str
    start: int
    end: int


# ---- reading -----------------------------------------------------------------------------------------------


def unwrap(literal: Literal, *, content: bool = False) -> str:
    """The text that a literal means. As the `content` of a `write`, a fenced block keeps its last newline.

    A surrogate that is escaped without its other half stays in the value, for the caller to refuse.
    """
    return "".join(piece for piece, _ in _pieces(literal, content))


def source_offset(literal: Literal, index: int, *, content: bool = False) -> int:
    """The offset in the source of the character `index` (code points) of the value; at its end, of what closes it."""
    left = max(index, 0)
    offset = literal.start
    for piece, offset in _pieces(literal, content):
        if left < len(piece):
            return offset + left
        left -= len(piece)
    return offset


def _pieces(literal: Literal, content: bool) -> list[tuple[str, int]]:
    """The value in pieces that were written as they are, each with its offset; the last is empty and ends the value."""
    opening = 1 if literal.template else 0
    match literal.style:
        case "string":
            start, end = literal.start + opening + 1, literal.end - 1
            body = literal.text[opening + 1 : -1]
            return [*_string_pieces(body, start), ("", end)]
        case "raw":
            return [(literal.text[opening + 1 : -1], literal.start + opening + 1), ("", literal.end - 1)]
        case "raw2":
            body, start, end = literal.text[opening + 2 : -2], literal.start + opening + 2, literal.end - 2
            if body.startswith(" `"):
                body, start = body[1:], start + 1
            if body.endswith("` "):
                body, end = body[:-1], end - 1
            return [(body, start), ("", end)]
        case "fenced":
            return _fenced_pieces(literal, content)


def _string_pieces(body: str, start: int) -> list[tuple[str, int]]:
    if "\\" not in body:
        return [(body, start)]
    pieces: list[tuple[str, int]] = []
    for found in _STRING_PIECE.finditer(body):
        if found["high"]:
            high, low = int(found["high"], 16) - 0xD800, int(found["low"], 16) - 0xDC00
            piece = chr(0x10000 + (high << 10) + low)
        elif found["code"]:
            piece = chr(int(found["code"], 16))
        else:
            piece = _ESCAPES[found["short"]] if found["short"] else found[0]
        pieces.append((piece, start + found.start()))
    return pieces


def _fenced_pieces(literal: Literal, content: bool) -> list[tuple[str, int]]:
    first_line = literal.text.index("\n") + 1
    *lines, closing = literal.text[first_line:].split("\n")
    lines = [line.removesuffix("\r") for line in lines]
    margin = _common_blanks([*(line for line in lines if line.strip(" \t")), closing])
    pieces: list[tuple[str, int]] = []
    offset = literal.start + first_line
    for line in lines:
        if line.strip(" \t"):
            pieces.append((line[margin:], offset + margin))
        offset += len(line)
        pieces.append(("\n", offset))
        offset += 2 if literal.text.startswith("\r\n", offset - literal.start) else 1
    if not content and pieces:
        offset = pieces.pop()[1]
    return [*pieces, ("", offset)]


def _common_blanks(lines: list[str]) -> int:
    """How many blanks all lines begin with, the same ones."""
    lowest, highest = min(lines), max(lines)
    margin = 0
    for one, other in zip(lowest, highest, strict=False):
        if one != other or one not in " \t":
            break
        margin += 1
    return margin


# ---- writing -----------------------------------------------------------------------------------------------


def write(text: str, *, content: bool = False) -> str:
    """The literal that means this text: raw where a raw literal can say it, fenced for lines, else a string."""
    if not _NEEDS_STRING.search(text):
        if text and "`" not in text:
            return f"`{text}`"
        return _in_two_backticks(text) or write_string(text)
    return _fenced(text, content) or write_string(text)


def write_string(text: str) -> str:
    """The string that means this text, as labels and titles are written: JSON with as few escapes as can be."""
    return f'"{_NEEDS_ESCAPE.sub(_escape, text)}"'


def write_item(name: str) -> str:
    """A host, tag or status: bare where it is a name or an IPv4 address, else a string."""
    return name if _BARE_ITEM.fullmatch(name) and name not in RESERVED else write_string(name)


def _escape(found: re.Match[str]) -> str:
    return _SHORT_ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"


def _in_two_backticks(text: str) -> str | None:
    if not text or "``" in text or text.startswith(" `") or text.endswith("` "):
        return None
    before = " " if text.startswith("`") else ""
    after = " " if text.endswith("`") else ""
    return f"``{before}{text}{after}``"


def _fenced(text: str, content: bool) -> str | None:
    """A fenced block at the left margin, or None where it would say something else or hide what it says."""
    body = text if content else text + "\n"
    if (
        not body.endswith("\n")
        or "\n" not in text.strip("\n") + ("\n" if content else "")
        or not body.strip("\n")
        or _NEEDS_STRING_IN_LINES.search(body)
        or _BLANK_LINE.search(body)
        or _FENCE_LINE.search(body)
    ):
        return None
    return f"```\n{body}```"
