"""Character classes: `[...]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

from .escapes import CLASS_LETTERS, read_character
from .tree import CharClass, ClassEscape, ClassRange
from .units import Units

_BACKSPACE = 0x08


def read_class(units: Units, start: int, has_names: Callable[[], bool]) -> tuple[CharClass, int]:
    r"""The class that begins at `start` (its bracket), and the offset behind it.

    `has_names` tells whether the pattern names a group; `\k` is no longer a plain k then.
    """
    text = units.text
    negated = text.startswith("^", start + 1)
    at = start + 1 + negated
    items: list[ClassRange | ClassEscape] = []
    while at < len(text) and text[at] != "]":
        first, end = _read_atom(units, at, has_names)
        items.append(first)
        if end + 1 < len(text) and text[end] == "-" and text[end + 1] != "]":
            last, end_of_range = _read_atom(units, end + 1, has_names)
            if isinstance(first, ClassRange) and isinstance(last, ClassRange):
                items[-1] = _range(units, at, end_of_range, first, last)
            else:  # “any digit to x” is no range: the hyphen is a plain character
                items += (ClassRange(*units.place(end, end + 1), ord("-"), ord("-")), last)
            end = end_of_range
        at = end
    if at >= len(text):
        raise units.error(
            "unterminated character class",
            start,
            start + 1,
            r"close it with `]`, or write `\[` for the character itself",
        )
    return CharClass(*units.place(start, at + 1), tuple(items), negated), at + 1


def _read_atom(units: Units, at: int, has_names: Callable[[], bool]) -> tuple[ClassRange | ClassEscape, int]:
    text = units.text
    if text[at] != "\\":
        return _single(units, at, at + 1, ord(text[at])), at + 1
    letter = text[at + 1 : at + 2]
    if letter in CLASS_LETTERS:
        return class_escape(units, at), at + 2
    if letter == "b":
        return _single(units, at, at + 2, _BACKSPACE), at + 2
    if letter == "k" and has_names():
        raise units.error(
            r"`\k` means nothing in a character class",
            at,
            at + 2,
            "write `k` for the letter; a class cannot refer to a group",
        )
    unit, end = read_character(units, at, in_class=True)
    return _single(units, at, end, unit), end


def class_escape(units: Units, at: int) -> ClassEscape:
    r"""The node of `\d` and the like; the caller has seen that the letter is one of `CLASS_LETTERS`."""
    letter = cast('Literal["d", "D", "s", "S", "w", "W"]', units.text[at + 1])
    return ClassEscape(*units.place(at, at + 2), letter)


def _single(units: Units, start: int, end: int, unit: int) -> ClassRange:
    return ClassRange(*units.place(start, end), unit, unit)


def _range(units: Units, start: int, end: int, first: ClassRange, last: ClassRange) -> ClassRange:
    if first.first <= last.first:
        return ClassRange(*units.place(start, end), first.first, last.first)
    if 0xDC00 <= first.first <= 0xDFFF:
        hint = "characters beyond U+FFFF make no ranges here: each is two code units; write `(?:😀|😁)`"
    else:
        hint = r"write the lower end first; for a plain hyphen write `\-`, or put it first or last in the class"
    raise units.error("range out of order in a character class", start, end, hint)
