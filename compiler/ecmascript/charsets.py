r"""Sets of UTF-16 code units, and which of them a piece of a pattern takes when case is ignored.

    units_of(parse("[a-c]").body.items[0])      # ((0x41, 0x43), (0x61, 0x63))

A set is a tuple of ranges in order, both ends included, that neither touch nor overlap, so equal sets are equal
tuples. Without the flag u ECMAScript compares `Canonicalize`d code units (ES2023 §22.2.2.7.3): upper case by the
simple mapping, never from outside ASCII into it, so `ſ` is no s and the Kelvin sign no k.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache

from .tree import Char, CharClass, ClassEscape, ClassRange, Dot

UnitSet = tuple[tuple[int, int], ...]
"""Ranges `(first, last)` of code units."""

LAST_UNIT = 0xFFFF

EMPTY: UnitSet = ()
ALL: UnitSet = ((0, LAST_UNIT),)

_NEWER_PAIRS = (
    (0x019B, 0xA7DC),
    (0x0264, 0xA7CB),
    (0x1C8A, 0x1C89),
    (0xA7CD, 0xA7CC),
    (0xA7CF, 0xA7CE),
    (0xA7D3, 0xA7D2),
    (0xA7D5, 0xA7D4),
    (0xA7DB, 0xA7DA),
)
"""(lower, upper) of Unicode 16 and 17, which Node 20.20 and the engine know and the Python at hand may not."""


def union(ranges: Iterable[tuple[int, int]]) -> UnitSet:
    """The set of all units in any of `ranges`, which may come in any order and overlap."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(units: UnitSet) -> UnitSet:
    """Every unit that is not in `units`."""
    holes: list[tuple[int, int]] = []
    begin = 0
    for first, last in units:
        if first > begin:
            holes.append((begin, first - 1))
        begin = last + 1
    if begin <= LAST_UNIT:
        holes.append((begin, LAST_UNIT))
    return tuple(holes)


def contains(units: UnitSet, unit: int) -> bool:
    at = bisect_right(units, (unit, LAST_UNIT)) - 1
    return at >= 0 and units[at][1] >= unit


DIGITS: UnitSet = ((0x30, 0x39),)
WORD: UnitSet = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
r"""`\w`, and what `\b` calls a word character."""
LINE_TERMINATORS: UnitSet = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
SPACES: UnitSet = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
r"""`\s`: WhiteSpace and LineTerminator (ES2023 §12.2, §12.3)."""

_CLASSES: dict[str, UnitSet] = {
    "d": DIGITS,
    "D": complement(DIGITS),
    "s": SPACES,
    "S": complement(SPACES),
    "w": WORD,
    "W": complement(WORD),
}
_DOT = complement(LINE_TERMINATORS)
_ASCII_LETTERS = ((0x41, 0x5A, 0x20), (0x61, 0x7A, -0x20))
"""(first, last, how far off the same letters of the other case are)."""


def canonical(unit: int) -> int:
    """`Canonicalize` of a code unit: units match each other ignoring case when these are equal."""
    return _canonical_units().get(unit, unit)


def ignoring_case(units: UnitSet) -> UnitSet:
    """`units` and everything that matches one of them ignoring case."""
    added: list[tuple[int, int]] = []
    for first, last in units:
        if (first, last) == (0, LAST_UNIT):
            return ALL
        for begin, end, shift in _ASCII_LETTERS:
            if first <= end and last >= begin:
                added.append((max(first, begin) + shift, min(last, end) + shift))
        if last >= 0x80:  # ASCII alone, the common case, needs no table
            folded, in_order = _folded(), _folded_in_order()
            for unit in in_order[bisect_left(in_order, max(first, 0x80)) : bisect_right(in_order, last)]:
                added += [(other, other) for other in folded[unit] if not first <= other <= last]
    return union([*units, *added]) if added else units


def same_ignoring_case(unit: int) -> tuple[int, ...]:
    """All units equal to `unit` ignoring case, itself included; nothing where there is none but itself."""
    if unit < 0x80:  # the common case needs no table, as no unit from outside is equal to one of ASCII
        letter = chr(unit)
        return (ord(letter.upper()), ord(letter.lower())) if letter.isalpha() else ()
    return _folded().get(unit, ())


def units_of(node: Char | Dot | ClassEscape | CharClass | ClassRange) -> UnitSet:
    """The code units that a piece for one unit takes under the flag i."""
    match node:
        case Char(unit=unit):
            return _unit(unit)
        case Dot():
            return _DOT
        case ClassEscape(letter=letter):
            return _CLASSES[letter]
        case ClassRange(first=first, last=last):
            return ignoring_case(((first, last),))
        case CharClass(items=items, negated=negated):
            # Ranges are united before their other cases are looked up, as thousands of them may overlap.
            listed = ignoring_case(union((item.first, item.last) for item in items if isinstance(item, ClassRange)))
            escaped = (range_ for item in items if isinstance(item, ClassEscape) for range_ in units_of(item))
            units = union([*listed, *escaped])
            return complement(units) if negated else units


@cache
def _unit(unit: int) -> UnitSet:
    same = same_ignoring_case(unit)
    return union((each, each) for each in same) if same else ((unit, unit),)


@cache
def _canonical_units() -> dict[int, int]:
    """Code units that are not their own canonical unit, with it."""
    table = dict(_NEWER_PAIRS)
    for unit in range(LAST_UNIT + 1):
        if 0xD800 <= unit <= 0xDFFF:
            continue
        upper = chr(unit).upper()
        if len(upper) == 1 and ord(upper) <= LAST_UNIT and ord(upper) != unit and not (unit >= 128 > ord(upper)):
            table[unit] = ord(upper)
    return table


@cache
def _folded() -> dict[int, tuple[int, ...]]:
    """For every unit that has others equal to it ignoring case: all of them."""
    groups: dict[int, list[int]] = {}
    for unit, upper in _canonical_units().items():
        groups.setdefault(upper, [upper]).append(unit)
    return {unit: tuple(sorted(group)) for group in groups.values() for unit in group}


@cache
def _folded_in_order() -> tuple[int, ...]:
    return tuple(sorted(_folded()))
