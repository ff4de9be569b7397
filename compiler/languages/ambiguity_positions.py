r"""A pattern as an automaton without empty moves: its positions, and in how many ways one comes behind another.

    positions_of(parse("(a+)+b"), alphabet).follow[1]       # {1: 2, 2: 1}: from a to a in two ways, to b in one

Each piece that takes a code unit is a position (Glushkov's automaton); position 0 is the search itself, which may begin
anywhere. Numbers of ways are 1, or 2 for “more than one”: two ways on a loop are what a backtracking engine dies of.
Anchors ask for nothing here, and numbers of a quantifier are cut to a few copies: what is found is tried out on the
pattern itself (`backtracker`), so it costs findings only, and makes none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ecmascript import (
    Alternation,
    Anchor,
    AnchorKind,
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
)
from .ambiguity_alphabet import Alphabet

MAX_POSITIONS = 400
_COPIES = 60
"""Positions that the copies of one repeated piece may fill, but for three copies that there are in any case."""
MANY = 2
"""More ways than one."""

Ways = dict[int, int]


class TooManyPositionsError(Exception):
    """The pattern is too large to be looked at."""


@dataclass(frozen=True, slots=True)
class Loop:
    """The positions `first` to `last`, which a quantifier without limit leads from each to each."""

    first: int
    last: int
    quantifier: Quantifier | None
    """The outermost one; None for the search."""

    @property
    def positions(self) -> range:
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Positions:
    alphabet: Alphabet
    masks: list[int]
    """What a position takes."""
    follow: list[Ways]
    """What comes behind a position, in how many ways."""
    final: Ways
    """Positions that a match may end at."""
    around: list[tuple[Quantifier, ...]]
    """The quantifiers around a position, from the outermost to the innermost."""
    backwards: dict[tuple[int, int], tuple[Quantifier, ...]]
    """The quantifiers that lead from a position to one that begins the next iteration."""
    loops: list[Loop]
    """From left to right; the search is the first."""
    loop_of: list[int]
    """The index of the loop that a position is in, or -1."""


def positions_of(pattern: Pattern, alphabet: Alphabet) -> Positions:
    """Raises `TooManyPositionsError`; the pattern has neither look-arounds nor references, and nests modestly."""
    builder = _Builder(alphabet)
    whole = builder.branches(pattern.body)
    if _begins_at_the_start(pattern.body):
        builder.follow[0].clear()
    builder.link({0: 1}, whole.first, None)
    return Positions(
        alphabet,
        builder.masks,
        builder.follow,
        whole.last,
        builder.around,
        builder.backwards,
        builder.loops,
        builder.loop_of,
    )


def _begins_at_the_start(body: Disjunction) -> bool:
    """Whether every branch begins with `^`, so that the search has one start only."""
    branches = body.branches if isinstance(body, Alternation) else (body,)
    firsts = [branch.items[0] if branch.items else None for branch in branches]
    return all(isinstance(first, Anchor) and first.kind is AnchorKind.START for first in firsts)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the pattern: in how many ways it matches nothing, and where it begins and ends."""

    empty: int
    first: Ways = field(default_factory=Ways)
    last: Ways = field(default_factory=Ways)


_NOTHING = _Part(1)


class _Builder:
    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.masks = [alphabet.all]
        self.follow: list[Ways] = [{0: 1}]
        self.around: list[tuple[Quantifier, ...]] = [()]
        self.backwards: dict[tuple[int, int], tuple[Quantifier, ...]] = {}
        self.loops = [Loop(0, 0, None)]
        self.loop_of = [0]
        self.inside: list[Quantifier] = []
        self.in_loop = False

    def branches(self, body: Disjunction) -> _Part:
        if not isinstance(body, Alternation):
            return self._sequence(body.items)
        empty, first, last = 0, Ways(), Ways()
        for branch in body.branches:
            part = self._sequence(branch.items)
            empty = min(empty + part.empty, MANY)
            first |= part.first
            last |= part.last
        return _Part(empty, first, last)

    def _sequence(self, items: tuple[Term, ...]) -> _Part:
        whole = _NOTHING
        for item in items:
            whole = self._behind(whole, self._term(item))
        return whole

    def _behind(self, before: _Part, after: _Part, back: Quantifier | None = None) -> _Part:
        self.link(before.last, after.first, back)
        first, last = before.first, after.last
        if before.empty:
            first = _sum(first, after.first, before.empty)
        if after.empty:
            last = _sum(last, before.last, after.empty)
        return _Part(min(before.empty * after.empty, MANY), first, last)

    def link(self, last: Ways, first: Ways, back: Quantifier | None) -> None:
        """Everything of `first` may come behind everything of `last`; `back` is the loop that says so, if one does."""
        for position, ways in last.items():
            behind = self.follow[position]
            for next_position, next_ways in first.items():
                behind[next_position] = min(behind.get(next_position, 0) + ways * next_ways, MANY)
                if back is not None:
                    edge = (position, next_position)
                    self.backwards[edge] = (*self.backwards.get(edge, ()), back)

    def _term(self, node: Term) -> _Part:
        match node:
            case Char() | Dot() | ClassEscape() | CharClass():
                if len(self.masks) > MAX_POSITIONS:
                    raise TooManyPositionsError
                position = len(self.masks)
                self.masks.append(self.alphabet.mask(node))
                self.follow.append({})
                self.around.append(tuple(self.inside))
                self.loop_of.append(len(self.loops) if self.in_loop else -1)
                return _Part(0, {position: 1}, {position: 1})
            case Group(body=body):
                return self.branches(body)
            case Quantifier():
                self.inside.append(node)
                part = self._repeat(node)
                self.inside.pop()
                return part
            case Anchor() | Look() | BackReference():
                return _NOTHING

    def _repeat(self, node: Quantifier) -> _Part:
        """`x{2,}` is xxx*, `x{2,4}` is xx(x(x)?)?; an iteration that matches nothing is no way of its own."""
        if node.max == 0:
            return _NOTHING
        whole = _NOTHING
        count = len(self.masks)
        # `x+` is one loop, and no x before a loop: fewer positions, and it is how engines run it
        copies = node.min if node.max is not None or node.min > 1 else 0
        done = 0
        while done < copies and not (done >= 3 and len(self.masks) - count > _COPIES):
            before = len(self.masks)
            whole = self._behind(whole, self._term(node.body))
            done += 1
            if len(self.masks) == before:
                return whole
        if node.max is None:
            body = self._loop(node)
            empty = body.empty if copies < node.min else 1
            return self._behind(whole, _Part(empty, body.first, body.last))
        parts: list[_Part] = []
        while len(parts) < node.max - node.min and not (done >= 3 and len(self.masks) - count > _COPIES):
            before = len(self.masks)
            parts.append(self._term(node.body))
            done += 1
            if len(self.masks) == before:
                break
        tail = _NOTHING
        for part in reversed(parts):
            some = self._behind(part, tail)
            tail = _Part(1, some.first, some.last)
        return self._behind(whole, tail)

    def _loop(self, node: Quantifier) -> _Part:
        outermost = not self.in_loop
        self.in_loop = True
        first = len(self.masks)
        body = self._term(node.body)
        self.link(body.last, body.first, node)
        if outermost:
            self.in_loop = False
            if len(self.masks) > first:
                self.loops.append(Loop(first, len(self.masks) - 1, node))
        return body


def _sum(one: Ways, other: Ways, times: int) -> Ways:
    total = dict(one)
    for position, ways in other.items():
        total[position] = min(total.get(position, 0) + ways * times, MANY)
    return total
