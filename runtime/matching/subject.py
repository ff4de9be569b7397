"""A value as engines read it, made once and searched with every pattern.

JavaScript strings are sequences of UTF-16 code units, so matches are counted in them and may take half of a
character beyond U+FFFF. A text of ASCII alone has one unit, one byte and one code point a character, so its
bytes serve, which are the fastest to search; every other text is laid out as code units.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass

_NATIVE_UTF_16 = "utf-16-le" if sys.byteorder == "little" else "utf-16-be"


@dataclass(slots=True, unsafe_hash=True)  # not frozen, which doubles what one costs: most values have one
class Subject:
    units: bytes | array[int]
    """One element a UTF-16 code unit; offsets into it are the offsets of matches."""

    @staticmethod
    def of(value: str) -> Subject:
        """Lone surrogates are kept: JSON can hold them, and a pattern can ask for them."""
        if value.isascii():
            return Subject(value.encode("ascii"))
        return Subject(array("H", value.encode(_NATIVE_UTF_16, "surrogatepass")))
