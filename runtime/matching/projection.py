"""Values as a prefilter reads them: joined into one run of bytes, one byte a code unit, case and rare letters gone.

    blob = Blob.of(["Systemctl stop nginx", "ls"])
    blob.text, blob.starts          # b'systemctl stop nginx\\nls', (0, 21, 24)

Every code unit becomes a byte: letters of ASCII their small ones, a newline `NEWLINE`, all that is not ASCII `?`,
and any other itself. `project` does the same to a set of code units. So whenever a pattern matches a value, the
projected pattern matches the projected value at the same place; the other way round it need not, which the exact
engine sorts out. A newline in the blob stands between two values and nowhere else: no projected set holds it, so no
match reaches from one value into the next, and `^` and `$` are those of lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from ...compiler.ecmascript.charsets import UnitSet

NEWLINE = 0x80
OTHER = ord("?")
"""Shares its byte with the question mark: a pattern that tells them apart costs a look at the exact engine."""

SEPARATOR = b"\n"

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_TO_BYTES = bytes(range(0x80)).lower().replace(b"\n", bytes([NEWLINE])) + bytes(range(0x80, 0x100))
_JOINED_TO_BYTES = b"\n" + _TO_BYTES[1:]
"""For values joined with NUL, which none of them holds."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Projected values, a newline between each two."""

    text: bytes
    starts: Sequence[int]
    """Where each value begins, and where one more would."""
    longest: int
    """Bytes of the longest value."""

    @staticmethod
    def of(values: Sequence[str]) -> Blob:
        """`values` are one or more."""
        joined = "\0".join(values)
        if joined.count("\0") == len(values) - 1:
            text = _ascii(joined).translate(_JOINED_TO_BYTES)
        else:  # NUL stands in a value too
            text = SEPARATOR.join(_ascii(value).translate(_TO_BYTES) for value in values)
        steps = [len(value) + 1 for value in (values if len(text) == len(joined) else text.split(SEPARATOR))]
        return Blob(text, tuple(accumulate(steps, initial=0)), max(steps) - 1)


@lru_cache(maxsize=4096)
def project(units: UnitSet) -> frozenset[int]:
    """The bytes that the units of a set, closed under case, become."""
    projected: set[int] = set()
    for first, last in units:
        projected.update(_TO_BYTES[unit] for unit in range(first, min(last, 0x7F) + 1))
        if last > 0x7F:
            projected.add(OTHER)
    return frozenset(projected)


def _ascii(text: str) -> bytes:
    """One byte a code unit; `?` for what is not ASCII, twice for a character that is two units."""
    encoded = text.encode("ascii", "replace")
    if not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) != 2 * len(text):
        encoded = _ASTRAL.sub("??", text).encode("ascii", "replace")
    return encoded
