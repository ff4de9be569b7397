r"""A pattern over ASCII that says of projected values exactly what the pattern says of the values themselves.

    form = ascii_form(parse(r"é+\s"))
    form.pattern                            # r'(?:[\x01]){1,}[\x02]': no flags, case is spelled out
    form.project(array("H", ...))           # of "aÉÉ x": b'0\x01\x01\x020'

Code units that no set of the pattern tells apart are one letter of its alphabet. A pattern has few such letters, so
bytes of ASCII can stand for them: word characters for word characters, as `\b` is to hold at the same places. One
byte stands for one unit, so places are the same too. Engines that are fast and linear for ASCII alone are so for every
value this way.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from .charsets import LAST_UNIT, WORD, UnitSet, contains, units_of
from .rewrite import NotRewritableError, rewrite
from .tree import Anchor, AnchorKind, Char, CharClass, ClassEscape, Dot, Look, Pattern, Quantifier, walk

_WORD_BYTES = bytes(byte for byte in range(0x80) if contains(WORD, byte))
_OTHER_BYTES = bytes(byte for byte in range(0x80) if not contains(WORD, byte))


_NONE = r"[^\x00-\xff]"
"""Matches nothing in a projected value; `[]` means something else to other engines than those of ECMAScript."""


@dataclass(frozen=True, slots=True)
class AsciiForm:
    pattern: str
    """To be compiled without any flag; ECMAScript and RE2 read it alike."""
    blocks: tuple[tuple[bytes, bytes], ...]
    """(high bytes, bytes for the low bytes): blocks of 256 code units whose letters are laid out alike."""

    def project(self, units: bytes | array[int]) -> bytes:
        """One byte a code unit, in time that grows with the length alone.

        Each block's letters are laid over the bytes of its units; all the bytes at once, as one large number.
        """
        if isinstance(units, bytes):  # units of ASCII alone are all in the first block
            return units.translate(next(letters for members, letters in self.blocks if 0 in members))
        raw = units.tobytes()
        low, high = (raw[0::2], raw[1::2]) if sys.byteorder == "little" else (raw[1::2], raw[0::2])
        projected = 0
        for members, letters in self.blocks:
            mask = int.from_bytes(high.translate(_mask(members)), "big")
            if mask:
                projected |= int.from_bytes(low.translate(letters), "big") & mask
        return projected.to_bytes(len(units), "big")


def ascii_form(pattern: Pattern) -> AsciiForm | None:
    """None for patterns with look-around or back-references, and for the few that have too many letters."""
    if pattern.looks or pattern.references:
        return None
    sets = dict.fromkeys(_sets(pattern))
    letters = _letters(list(sets))
    if letters is None:
        return None
    try:
        text = rewrite(pattern, _Ascii(letters))
    except NotRewritableError:
        return None
    return AsciiForm(text, tuple(_blocks(letters)))


def _sets(pattern: Pattern) -> Iterator[UnitSet]:
    for node in walk(pattern.body):
        if isinstance(node, Char | Dot | ClassEscape | CharClass):
            yield units_of(node)
        elif isinstance(node, Anchor) and node.kind in (AnchorKind.WORD_BOUNDARY, AnchorKind.NOT_WORD_BOUNDARY):
            yield WORD


def _letters(sets: list[UnitSet]) -> list[tuple[int, int]] | None:
    """(first unit, byte) of ranges that cover all units, in order; None where bytes do not suffice."""
    changes: dict[int, int] = {0: 0}
    for number, units in enumerate([*sets, WORD]):
        for first, last in units:
            changes[first] = changes.get(first, 0) ^ (1 << number)
            changes[last + 1] = changes.get(last + 1, 0) ^ (1 << number)
    bytes_of: dict[int, int] = {}
    words, others = iter(_WORD_BYTES), iter(_OTHER_BYTES)
    found: list[tuple[int, int]] = []
    members = 0
    for first in sorted(changes):
        if first > LAST_UNIT:
            break
        members ^= changes[first]
        byte = bytes_of.get(members)
        if byte is None:
            byte = next(words if members >> len(sets) else others, None)
            if byte is None:
                return None
            bytes_of[members] = byte
        found.append((first, byte))
    return found


def _byte_at(letters: list[tuple[int, int]], unit: int) -> int:
    return letters[bisect_right(letters, (unit, 0x80)) - 1][1]


def _blocks(letters: list[tuple[int, int]]) -> Iterator[tuple[bytes, bytes]]:
    members: dict[bytes, list[int]] = {}
    edges = [first for first, _ in letters]
    for high in range(0x100):
        first = high << 8
        if bisect_right(edges, first) == bisect_right(edges, first + 0xFF):
            layout = bytes([_byte_at(letters, first)]) * 0x100
        else:
            layout = bytes(_byte_at(letters, first + low) for low in range(0x100))
        members.setdefault(layout, []).append(high)
    for layout, highs in members.items():
        yield bytes(highs), layout


@lru_cache(maxsize=1024)
def _mask(members: bytes) -> bytes:
    return bytes(0xFF if byte in members else 0 for byte in range(0x100))


@dataclass(frozen=True, slots=True)
class _Ascii:
    """The dialect of `AsciiForm`."""

    letters: list[tuple[int, int]]

    def units(self, units: UnitSet) -> str:
        taken = sorted({byte for first, byte in self.letters if contains(units, first)})
        return "[" + "".join(f"\\x{byte:02x}" for byte in taken) + "]" if taken else _NONE

    def anchor(self, kind: AnchorKind) -> str:
        return kind

    def look(self, node: Look) -> str:
        raise NotRewritableError("a look-around")

    def repeat(self, body: str, node: Quantifier) -> str:
        most = "" if node.max is None else node.max
        return f"(?:{body}){{{node.min},{most}}}" + ("" if node.greedy else "?")
