r"""The quick way out: patterns that cannot be slow, told from their trees alone.

    loops_may_meet(parse(r"systemctl\s+restart\s+nginx"))       # False: no space of the second is ever the first's
    loops_may_meet(parse(r"systemctl.*restart.*nginx"))         # True: worth a closer look

One loop makes a search quadratic at most. It takes two with something in common, and no piece between them that the
first could not take as well, or a loop around something that is not one code unit.
"""

from __future__ import annotations

from ..ecmascript import (
    Alternation,
    Anchor,
    BackReference,
    Char,
    CharClass,
    ClassEscape,
    Disjunction,
    Dot,
    Group,
    Look,
    Pattern,
    Quantifier,
    Term,
    walk,
)
from ..ecmascript.charsets import UnitSet, units_of
from .ambiguity_alphabet import UnitPiece


def loops_may_meet(pattern: Pattern) -> bool:
    """Whether two loops may read the same word, or one may read it in two ways."""
    return any(_meet(branch) for branch in _branches(pattern.body))


def _branches(body: Disjunction) -> tuple[tuple[Term, ...], ...]:
    return tuple(branch.items for branch in body.branches) if isinstance(body, Alternation) else (body.items,)


def _meet(items: tuple[Term, ...]) -> bool:
    """Whether two loops of a sequence may; loops in groups are taken to."""
    going: list[UnitSet] = []
    """Loops that may have read all since."""
    for item in items:
        if isinstance(item, Quantifier) and item.max is None and isinstance(item.body, UnitPiece):
            units = units_of(item.body)
            if any(_common(units, other) for other in going):
                return True
            going = [units] if item.min else [*going, units]
        elif _has_loop(item):
            return True
        else:
            going = [units for units in going if _passes(item, units)]
    return False


def _has_loop(item: Term) -> bool:
    if isinstance(item, Group | Quantifier):
        return any(isinstance(node, Quantifier) and node.max is None for node in walk(item))
    return False


def _passes(item: Term, units: UnitSet) -> bool:
    """Whether a piece without loops may read code units of a set alone; nested pieces are looked at one level deep."""
    match item:
        case Char() | Dot() | ClassEscape() | CharClass():
            return _common(units_of(item), units)
        case Quantifier(body=body, min=least):
            return least == 0 or not isinstance(body, UnitPiece) or _common(units_of(body), units)
        case Group(body=body):
            return any(
                all(not isinstance(piece, UnitPiece) or _common(units_of(piece), units) for piece in branch)
                for branch in _branches(body)
            )
        case Anchor() | Look() | BackReference():
            return True


def _common(one: UnitSet, other: UnitSet) -> bool:
    """Whether two sets have a code unit in common."""
    at, behind = 0, 0
    while at < len(one) and behind < len(other):
        if one[at][1] < other[behind][0]:
            at += 1
        elif other[behind][1] < one[at][0]:
            behind += 1
        else:
            return True
    return False
