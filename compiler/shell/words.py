r"""What words mean: the text of one that is built up piece by piece, and words put together.

joined(words)        # what `ssh host a 'b c'` hands to the shell of the other host: a b c
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from .nodes import Sequence, Word

_ANSI_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI_CODE = re.compile(r"x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})")


class WordBuilder:
    """A word while it is read: its text with the place of every run of it, and the scripts in it."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._pieces: list[tuple[int, int]] = []
        self._length = 0
        self._expected = -1
        self.scripts: list[Sequence] = []
        self.is_literal = True

    def add(self, text: str, offset: int, width: int | None = None) -> None:
        """Add text that stands at `offset`; `width` where it is written with more characters than it has."""
        if not text:
            return
        if offset != self._expected:
            self._pieces.append((self._length, offset))
        self._text.append(text)
        self._length += len(text)
        self._expected = offset + len(text) if width is None else -1

    def word(self, start: int, end: int) -> Word:
        return Word(
            "".join(self._text), start, end, tuple(self._pieces), tuple(self.scripts), is_literal=self.is_literal
        )


def read_ansi(source: str, at: int, out: WordBuilder) -> int:
    """Read the text of `$'…'`, whose first character is `at`; returns the offset of its closing quote."""
    while at < len(source) and source[at] != "'":
        if source[at] != "\\":
            out.add(source[at], at)
            at += 1
        elif found := _ANSI_CODE.match(source, at + 1):
            digits = found[1] or found[2] or found[3]
            code = int(digits, 16) if digits else int(found[4], 8)
            out.add(chr(code) if code <= 0x10FFFF else "\ufffd", at, found.end() - at)
            at = found.end()
        else:
            char = source[at + 1 : at + 2]
            out.add(_ANSI_ESCAPES.get(char, "\\" + char), at, 2)
            at += 2
    return min(at, len(source))


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


def moved(word: Word, place: Callable[[int], int]) -> Word:
    """A word of a script within a script, with the places it has in the whole text; `place` only ever grows."""
    pieces: list[tuple[int, int]] = []
    ends = [*(index for index, _ in word.pieces[1:]), len(word.text)]
    for (index, offset), end in zip(word.pieces, ends, strict=False):
        first, last = place(offset), place(offset + end - index - 1)
        if last - first == end - index - 1:  # written there as it is
            pieces.append((index, first))
        else:
            pieces += ((at, place(offset + at - index)) for at in range(index, end))
    return replace(word, start=place(word.start), end=place(max(word.end - 1, word.start)) + 1, pieces=tuple(pieces))
