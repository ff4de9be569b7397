"""Text that others wrote, made safe to show and cut to fit.

Labels, values and outputs come from authors, agents and hosts. A terminal obeys what stands in them: an
escape sequence moves the cursor or sets the clipboard, a bidi control turns a line around. So every control
character is shown as a visible escape before it is printed; backslashes that were there stay as they are, so
that patterns read as written.

    safe_line("\\x1b[2J gone")     # r"\\x1b[2J gone"
"""

from __future__ import annotations

import re
import unicodedata

ELLIPSIS = "…"

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1: every terminal control sequence begins with one of these
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidi marks, embeddings, overrides, isolates
    "\u2028\u2029"  # line and paragraph separator
    "\u00ad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f"  # invisible
    "\ud800-\udfff"  # lone surrogates: no encoding takes them
    "]"
)
_SHORT = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def safe_line(text: str) -> str:
    """The text as one line: tabs and line ends are shown as `\\t` and `\\n` like every other control
    character."""
    return _UNSAFE.sub(_escape, text)


def safe_lines(text: str) -> list[str]:
    """The lines of a text, each of them safe; LF and CRLF end lines, tabs become four spaces."""
    if not text:
        return []
    return [safe_line(line.removesuffix("\r").replace("\t", "    ")) for line in text.removesuffix("\n").split("\n")]


def character_width(character: str) -> int:
    """Terminal columns of one safe character: 2 for wide ones (East Asian width), 0 for combining ones, else
    1."""
    if character < "\u0300":
        return 1
    if character in "\u200c\u200d" or unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def display_width(text: str) -> int:
    """Terminal columns of a safe text."""
    return len(text) if text.isascii() else sum(map(character_width, text))


def _fitting(text: str, width: int) -> int:
    """How many characters from the front fit into `width` columns; zero-width ones go with what they
    follow."""
    used = 0
    for index, character in enumerate(text):
        used += character_width(character)
        if used > width:
            return index
    return len(text)


def shortened(text: str, width: int) -> str:
    """A safe text in at most `width` columns (at least 1), with an ellipsis where something was cut."""
    if _fitting(text, width) == len(text):
        return text
    return text[: _fitting(text, width - 1)].rstrip() + ELLIPSIS


def wrapped(text: str, width: int) -> list[str]:
    """A safe one-line text in lines of at most `width` columns, broken at spaces, or inside words that do not
    fit.

    Nothing is lost but the spaces at the breaks. An empty text is one empty line.
    """
    width = max(width, 2)
    lines: list[str] = []
    line, used = "", 0
    for piece in re.findall(r" *[^ ]+", text.rstrip(" ")):
        size = display_width(piece)
        if used + size <= width:
            line, used = line + piece, used + size
            continue
        lines += [line] if line else []
        line = piece.lstrip(" ") if line else piece
        while (used := display_width(line)) > width:
            cut = _fitting(line, width)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line or not lines else lines
