r"""Code units that sets tell apart, and the one to show of those that are alike.

    letters = Letters([WORD])                   # two letters: word characters, and all others
    letters.of(ord("é"))                        # 0

A pattern sees a few dozen letters at most, where there are 65,536 code units. Letters of several patterns are joined
by `joint`: one entry for every combination that some code unit has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..ecmascript.charsets import LAST_UNIT, UnitSet, contains

MAX_LETTERS = 200

READABLE = "x" + "abcdefghijklmnopqrstuvwyz" + " " + "1234567890" + "-_/.:=,@+#%" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What a person types, dearest first; what is left of ASCII follows."""

_ORDER = tuple(
    dict.fromkeys([*map(ord, READABLE), *range(0x21, 0x7F), 0x09, 0x0A, 0xE9, 0x3B1, 0x436, 0x4E2D]),
)
_RANK = {unit: rank for rank, unit in enumerate(_ORDER)}


class TooManyLettersError(Exception):
    """The sets tell more apart than is worth an analysis."""


class Letters:
    """The letters of one pattern: code units are one letter where all of `sets` agree on them."""

    def __init__(self, sets: Sequence[UnitSet]) -> None:
        changes: dict[int, int] = {0: 0}
        for number, units in enumerate(sets):
            bit = 1 << number
            for first, last in units:
                changes[first] = changes.get(first, 0) ^ bit
                changes[last + 1] = changes.get(last + 1, 0) ^ bit
        changes.pop(LAST_UNIT + 1, None)
        numbers: dict[int, int] = {}
        self.begins: dict[int, int] = {}
        """The letter of each range of code units, by its first unit; in order."""
        members = 0
        for first in sorted(changes):
            members ^= changes[first]
            self.begins[first] = numbers.setdefault(members, len(numbers))
        if len(numbers) > MAX_LETTERS:
            raise TooManyLettersError
        self.members: tuple[int, ...] = tuple(numbers)
        """By letter: the sets that it is in, as bits."""
        self._firsts = list(self.begins)
        self._of_range = list(self.begins.values())
        ascii_ends = [*self._firsts[1:], 0x80]
        self._ascii: list[int] = []
        for letter, end in zip(self._of_range, ascii_ends, strict=True):
            self._ascii += [letter] * (min(end, 0x80) - len(self._ascii))
        self.ordered = tuple(map(self.of, _ORDER))
        """The letters of the units of `_ORDER`."""

    def of(self, unit: int) -> int:
        return self._ascii[unit] if unit < 0x80 else self._of_range[bisect_right(self._firsts, unit) - 1]


def joint(alphabets: Sequence[Letters]) -> list[tuple[tuple[int, ...], int]]:
    """Every combination of letters that some code unit has, with the most readable unit; those first."""
    shown: dict[tuple[int, ...], int] = {}
    for key, unit in zip(zip(*(letters.ordered for letters in alphabets), strict=True), _ORDER, strict=True):
        if key not in shown:
            shown[key] = unit
    begins = [letters.begins for letters in alphabets]
    current = [0] * len(alphabets)
    for first in sorted(set[int]().union(*begins)):
        for place, begin in enumerate(begins):
            if first in begin:
                current[place] = begin[first]
        key = tuple(current)
        other = shown.get(key)
        if other is None or (other not in _RANK and _dearness(first) < _dearness(other)):
            shown[key] = first
    return sorted(shown.items(), key=lambda entry: _dearness(entry[1]))


def _dearness(unit: int) -> tuple[int, int]:
    """Lower is more readable: what can be typed, then small letters, other signs, invisible ones, halves."""
    rank = _RANK.get(unit)
    if rank is not None:
        return 0, rank
    character = chr(unit)
    if character.isprintable():
        return (1 if character.islower() else 2), unit
    return (4 if 0xD800 <= unit <= 0xDFFF else 3), unit


def readable(units: UnitSet) -> int:
    """The most readable unit of a set that is not empty."""
    known = next((unit for unit in _ORDER if contains(units, unit)), None)
    return min((first for first, _ in units), key=_dearness) if known is None else known


def text_of(units: Sequence[int]) -> str:
    """The string of these code units; halves that make a character are joined."""
    text = "".join(map(chr, units))
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units_of_text(text: str) -> Sequence[int]:
    """The code units of a string."""
    if text.isascii():
        return text.encode("ascii")
    return memoryview(text.encode("utf-16", "surrogatepass")).cast("H")[1:]
