r"""Escapes of single characters, by the rules of Annex B: every `\` that is not something else is a plain
character.

`\Z` is the letter Z, `\400` is `\40` and a 0, `\x4` is the letter x and a 4, `\c` before anything but a
letter is a backslash and a c.
"""

from __future__ import annotations

from .units import OCTAL_DIGITS, Units, read_hex

CLASS_LETTERS = frozenset("dDsSwW")

_CONTROL = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_BACKSLASH = 0x5C


def read_character(units: Units, at: int, *, in_class: bool) -> tuple[int, int]:
    r"""The code unit that the escape at `at` (its backslash) stands for, and the offset behind it.

    Class escapes, `\b`, `\B` and references are the caller's, who knows whether they mean anything where they
    stand.
    """
    text = units.text
    if at + 1 >= len(text):
        raise units.error("the pattern ends in a backslash", at, at + 1, r"write `\\` for a backslash")
    letter = text[at + 1]
    if letter in _CONTROL:
        return _CONTROL[letter], at + 2
    if letter == "c":
        return _read_control_letter(text, at, in_class=in_class)
    if letter in "xu":
        count = 2 if letter == "x" else 4
        unit = read_hex(text, at + 2, count)
        return (ord(letter), at + 2) if unit is None else (unit, at + 2 + count)
    if letter in OCTAL_DIGITS:
        return _read_octal(text, at + 1)
    return ord(letter), at + 2


def _read_control_letter(text: str, at: int, *, in_class: bool) -> tuple[int, int]:
    letter = text[at + 2 : at + 3]
    if letter.isascii() and (letter.isalpha() or (in_class and (letter.isdigit() or letter == "_"))):
        return ord(letter) & 0x1F, at + 3
    return _BACKSLASH, at + 1  # the backslash itself; the c is read next, as a character of its own


def _read_octal(text: str, at: int) -> tuple[int, int]:
    """One to three octal digits, as many as stay below 256."""
    value, end = 0, at
    while end < min(at + 3, len(text)) and text[end] in OCTAL_DIGITS and value * 8 + int(text[end]) < 256:
        value = value * 8 + int(text[end])
        end += 1
    return value, end
