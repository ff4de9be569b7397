"""The pattern as ECMAScript reads it: UTF-16 code units, with the way back to the places a person sees.

`Units.text` is a Python string with one character a code unit, so that slices and comparisons work as usual;
a character beyond U+FFFF stands in it as two surrogates. Offsets into `text` are what the readers hand
around; `place` turns a pair of them into code point offsets of the pattern, which is what nodes and errors
carry.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass

from .errors import PatternError


@dataclass(frozen=True, slots=True)
class Units:
    text: str
    origins: array[int] | None
    """For each code unit the code point it comes from; None where they are the same."""

    @staticmethod
    def of(pattern: str) -> Units:
        if all(character <= "\uffff" for character in pattern):
            return Units(pattern, None)
        order = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"
        units = array("H", pattern.encode(order, "surrogatepass"))
        origins = array("L")
        for index, character in enumerate(pattern):
            origins.extend((index,) if character <= "\uffff" else (index, index))
        return Units("".join(map(chr, units)), origins)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Code point offsets of the units `start` up to `end`; half a character counts as the whole of it."""
        if self.origins is None:
            return start, end
        behind = self.origins[-1] + 1
        first = self.origins[start] if start < len(self.origins) else behind
        return first, self.origins[end - 1] + 1 if end > start else first

    def shown(self, start: int, end: int) -> str:
        """The units as text for a message, with the halves of a character put together again."""
        return self.text[start:end].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def error(self, message: str, start: int, end: int, hint: str | None = None) -> PatternError:
        return PatternError(message, *self.place(start, end), hint)


DIGITS = frozenset("0123456789")
HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
OCTAL_DIGITS = frozenset("01234567")


def run_end(text: str, start: int, allowed: frozenset[str]) -> int:
    """Where the run of `allowed` characters that begins at `start` ends."""
    end = start
    while end < len(text) and text[end] in allowed:
        end += 1
    return end


def read_hex(text: str, start: int, count: int) -> int | None:
    """The number that exactly `count` hexadecimal digits at `start` make, or None."""
    digits = text[start : start + count]
    if len(digits) != count or not HEX_DIGITS.issuperset(digits):
        return None
    return int(digits, 16)
