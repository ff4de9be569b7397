"""Excerpts: the matched text with some of its surroundings, for people to judge a match by.

Offsets are UTF-16 code units, as everywhere in results; an excerpt never cuts a character in two.
"""

from __future__ import annotations

MAX_EXCERPT = 200
"""Characters of an excerpt, marks of what was cut included."""
_CONTEXT = 60


def excerpt(text: str, start: int, end: int, limit: int = MAX_EXCERPT) -> str:
    """The code units `start` to `end` of `text` and up to 60 on each side, `…` standing for the rest."""
    units = text.encode("utf-16-le", "surrogatepass")
    size = len(units) // 2
    room = limit - 4  # two marks, two units that complete characters
    context = max(0, min(_CONTEXT, (room - (end - start)) // 2))
    first = max(0, start - context)
    last = min(size, end + context, first + room)
    first -= _splits_a_character(units, first)
    last += _splits_a_character(units, last)
    cut = units[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")
    return f"{'…' if first > 0 else ''}{cut}{'…' if last < size else ''}"


def matched_line(text: str, start: int, end: int, limit: int = 80) -> str:
    """The match and what surrounds it, for the middle of a sentence: at most `limit` characters, on one line."""
    shown = text if len(text) <= limit else excerpt(text, start, end, limit)
    return in_one_line(shown, limit)


def in_one_line(text: str, limit: int = 80) -> str:
    """A text for the middle of a sentence: blanks and line ends made single blanks, what is too long cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _splits_a_character(units: bytes, offset: int) -> bool:
    """Whether the code units before and behind `offset` are the halves of one character."""
    if not 0 < offset < len(units) // 2:
        return False
    before = int.from_bytes(units[2 * offset - 2 : 2 * offset], "little")
    behind = int.from_bytes(units[2 * offset : 2 * offset + 2], "little")
    return 0xD800 <= before <= 0xDBFF and 0xDC00 <= behind <= 0xDFFF
