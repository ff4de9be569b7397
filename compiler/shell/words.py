r"""Words of a shell without their quoting.

    unquote(r"a\ b'c'", 0, 7)        # Word("a bc", 0, 7)

What stands in `expansions`, `$x` and `$( )`, is kept as it is written, also between double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .nodes import Word

_ANSI_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI_CODE = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})")
_KEPT_IN_DOUBLE = '$`"\\'


class _Pieces:
    """Text with the place of every run of it."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.pieces: list[tuple[int, int]] = []
        self.length = 0
        self.expected = -1

    def add(self, text: str, offset: int, width: int | None = None) -> None:
        if not text:
            return
        if offset != self.expected:
            self.pieces.append((self.length, offset))
        self.text.append(text)
        self.length += len(text)
        self.expected = offset + len(text) if width is None else -1


def unquote(source: str, start: int, end: int, expansions: Mapping[int, int] | None = None) -> Word:
    """The word that stands at `start` to `end`; `expansions` maps the beginnings of those in it to their ends."""
    verbatim = expansions or {}
    out = _Pieces()
    at = start
    in_double = False
    while at < end:
        if at in verbatim and verbatim[at] > at:
            stop = min(verbatim[at], end)
            out.add(source[at:stop], at)
            at = stop
            continue
        char = source[at]
        if char == "\\":
            at = _escaped(source, at, end, in_double, out)
        elif char == '"':
            in_double = not in_double
            at += 1
        elif in_double:
            out.add(char, at)
            at += 1
        elif char == "'":
            stop = _closing(source, at + 1, end)
            out.add(source[at + 1 : stop], at + 1)
            at = stop + 1
        elif source.startswith("$'", at):
            at = _ansi(source, at + 2, end, out)
        elif source.startswith('$"', at):
            at += 1
        else:
            out.add(char, at)
            at += 1
    return Word("".join(out.text), start, end, tuple(out.pieces), is_literal=not verbatim)


def joined(words: Iterable[Word]) -> Word | None:
    """Words joined by spaces into one, as `ssh` and `eval` do; None for no words."""
    taken = tuple(words)
    if not taken:
        return None
    pieces: list[tuple[int, int]] = []
    length = 0
    for word in taken:
        pieces += [(length + index, offset) for index, offset in word.pieces]
        length += len(word.text)
        pieces.append((length, word.end))
        length += 1
    text = " ".join(word.text for word in taken)
    return Word(text, taken[0].start, taken[-1].end, tuple(pieces), (), all(word.is_literal for word in taken))


def _escaped(source: str, at: int, end: int, in_double: bool, out: _Pieces) -> int:
    if at + 1 >= end:
        out.add("\\", at)
        return end
    following = source[at + 1]
    if following == "\n":
        return at + 2
    if in_double and following not in _KEPT_IN_DOUBLE:
        out.add("\\", at)
        return at + 1
    out.add(following, at + 1)
    return at + 2


def _closing(source: str, at: int, end: int) -> int:
    stop = source.find("'", at, end)
    return end if stop < 0 else stop


def _ansi(source: str, at: int, end: int, out: _Pieces) -> int:
    while at < end and source[at] != "'":
        if source[at] != "\\":
            out.add(source[at], at)
            at += 1
            continue
        if found := _ANSI_CODE.match(source, at + 1, end):
            digits = found[1] or found[2] or found[3]
            code = int(digits, 16) if digits else int(found[4], 8)
            out.add(chr(code) if code <= 0x10FFFF else "\ufffd", at, found.end() - at)
            at = found.end()
        else:
            char = source[at + 1 : at + 2]
            out.add(_ANSI_ESCAPES.get(char, "\\" + char), at, 2)
            at += 2
    return at + 1
