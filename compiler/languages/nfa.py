r"""From a tree to positions: places of a pattern that take one code unit, and where each leads.

    nfa = build(parse(r"a\b|b"))
    nfa.sets, nfa.of_position       # the sets of units that positions take, and which one each of them takes

Position 0 takes nothing: reaching it is a match. Between two units stands a gap with a kind on either side (the edge of
the value, a word character, another), and whether `^ $ \b \B` hold depends on the two kinds alone. Ways through the
pattern that take no unit are edges that are open in some of the nine gaps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..ecmascript import (
    Alternation,
    Anchor,
    AnchorKind,
    BackReference,
    Char,
    CharClass,
    ClassEscape,
    ClassRange,
    Disjunction,
    Dot,
    Group,
    Look,
    Pattern,
    Quantifier,
    Term,
)
from ..ecmascript.charsets import UnitSet, units_of
from ..ecmascript.rewrite import MAX_DEPTH

MAX_TERMS = 5_000
"""Terms that are built, each copy of a repeated one counted."""

EDGE, OTHER, WORD_CHARACTER = range(3)
"""Kinds of what stands on one side of a gap."""


def gap(before: int, behind: int) -> int:
    return 3 * before + behind


_GAPS = [(before, behind) for before in range(3) for behind in range(3)]
_ANY = 0b111_111_111


def _open_in(kind: AnchorKind) -> int:
    """The gaps in which an anchor holds, as bits."""
    bits = 0
    for before, behind in _GAPS:
        at_word = (before == WORD_CHARACTER) != (behind == WORD_CHARACTER)
        holds = {
            AnchorKind.START: before == EDGE,
            AnchorKind.END: behind == EDGE,
            AnchorKind.WORD_BOUNDARY: at_word,
            AnchorKind.NOT_WORD_BOUNDARY: not at_word,
        }
        bits |= holds[kind] << gap(before, behind)
    return bits


_OPEN_IN = {kind: _open_in(kind) for kind in AnchorKind}


class BeyondError(Exception):
    """The pattern is beyond the analysis; the text says why."""


@dataclass(slots=True)
class Nfa:
    sets: list[UnitSet] = field(default_factory=list[UnitSet])
    of_position: list[int] = field(default_factory=lambda: [-1])
    """By position: which of `sets` it takes."""
    target: list[int] = field(default_factory=lambda: [0])
    """By position: the node behind it."""
    position: list[int] = field(default_factory=lambda: [0])
    """By node: its position, or -1 where it is a crossing."""
    edges: list[tuple[tuple[int, int], ...]] = field(default_factory=lambda: [()])
    """By crossing: (gaps in which the way is open, node)."""
    chains: list[tuple[int, bool]] = field(default_factory=list[tuple[int, bool]])
    """Positions, as bits, of which one says all: the highest where True, else the lowest."""
    start: int = 0
    anchored: bool = False
    """Whether any anchor stands in it."""
    words: bool = False
    r"""Whether `\b` or `\B` stands in it."""

    def reach(self, node: int, at: int, known: Mapping[int, int] = MappingProxyType({})) -> int:
        """The positions, as bits, that can be next where `node` is reached in the gap `at`.

        `known` has the answers for other nodes, which need not be walked again.
        """
        if self.position[node] >= 0:
            return 1 << self.position[node]
        bits, seen, todo = 0, {node}, [node]
        while todo:
            for gaps, other in self.edges[todo.pop()]:
                if gaps >> at & 1 and other not in seen:
                    seen.add(other)
                    if other in known:
                        bits |= known[other]
                    elif self.position[other] >= 0:
                        bits |= 1 << self.position[other]
                    else:
                        todo.append(other)
        return bits

    def all_reach(self, at: int) -> dict[int, int]:
        """`reach` of every node. What stands behind has the lower numbers, so its answers are there first."""
        known: dict[int, int] = {}
        for node in range(len(self.position)):
            known[node] = self.reach(node, at, known)
        return known


def build(pattern: Pattern) -> Nfa:
    """Raises `BeyondError`."""
    if pattern.looks:
        raise BeyondError("a look-around is beyond the analysis")
    if pattern.references:
        raise BeyondError("a back-reference is beyond the analysis")
    if pattern.depth > MAX_DEPTH:
        raise BeyondError(f"groups inside groups, more than {MAX_DEPTH} deep, are beyond the analysis")
    builder = _Builder(pattern.source)
    builder.nfa.start = builder.branches(pattern.body, 0)
    return builder.nfa


class _Builder:
    """Builds from right to left: every piece is told the node behind it and answers with its own first node."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.nfa = Nfa()
        self._terms = 0
        self._numbers: dict[UnitSet, int] = {}
        self._of_text: dict[str, int] = {}

    def branches(self, body: Disjunction, behind: int) -> int:
        if not isinstance(body, Alternation):
            return self._sequence(body.items, behind)
        firsts = dict.fromkeys(self._sequence(branch.items, behind) for branch in body.branches)
        return self._crossing(tuple((_ANY, first) for first in firsts))

    def _sequence(self, items: tuple[Term, ...], behind: int) -> int:
        for item in reversed(items):
            behind = self._term(item, behind)
        return behind

    def _term(self, node: Term, behind: int) -> int:
        self._charge(1)
        match node:
            case Char() | Dot() | ClassEscape() | CharClass():
                return self._position(self._set_of(node), behind)
            case Group(body=body):
                return self.branches(body, behind)
            case Quantifier():
                return self._repeated(node, behind)
            case Anchor(kind=kind):
                self.nfa.anchored = True
                if kind in (AnchorKind.WORD_BOUNDARY, AnchorKind.NOT_WORD_BOUNDARY):
                    self.nfa.words = True
                return self._crossing(((_OPEN_IN[kind], behind),))
            case Look() | BackReference():
                raise BeyondError("the pattern is beyond the analysis")

    def _charge(self, terms: int) -> None:
        self._terms += terms
        if self._terms > MAX_TERMS:
            raise BeyondError("the pattern is too large for the analysis")

    def _set_of(self, node: Char | Dot | ClassEscape | CharClass) -> int:
        text = self.source[node.start : node.end] if isinstance(node, CharClass) else ""
        number = self._of_text.get(text) if text else None
        if number is None:
            if isinstance(node, CharClass):  # cases are looked up one by one: a wide class is as dear as many terms
                widths = (item.last - item.first for item in node.items if isinstance(item, ClassRange))
                self._charge(sum(widths) >> 8)
            units = units_of(node)
            number = self._numbers.setdefault(units, len(self._numbers))
            if number == len(self.nfa.sets):
                self.nfa.sets.append(units)
            if text:
                self._of_text[text] = number
        return number

    def _position(self, number: int, behind: int) -> int:
        nfa = self.nfa
        nfa.position.append(len(nfa.of_position))
        nfa.edges.append(())
        nfa.of_position.append(number)
        nfa.target.append(behind)
        return len(nfa.position) - 1

    def _crossing(self, edges: tuple[tuple[int, int], ...]) -> int:
        self.nfa.position.append(-1)
        self.nfa.edges.append(edges)
        return len(self.nfa.position) - 1

    def _repeated(self, node: Quantifier, behind: int) -> int:
        least, most = node.min, node.max
        if most == 0:
            return behind
        begin = len(self.nfa.of_position)
        looped = most is None
        if most is None:
            loop = self._crossing(())
            first = self._term(node.body, loop)
            self.nfa.edges[loop] = ((_ANY, first), (_ANY, behind))
            entry = first if least else loop
        else:
            first = self._term(node.body, behind)
            entry = first if least == most else self._crossing(((_ANY, first), (_ANY, behind)))
        size = len(self.nfa.of_position) - begin
        if not size:  # it takes no unit: once is as good as often
            return first if least else behind
        copies = max(least, 1) if most is None else most
        for copy in range(1, copies):
            entry = self._term(node.body, entry)
            if most is not None and copy < most - least:
                entry = self._crossing(((_ANY, entry), (_ANY, behind)))
        # Who is further from the forced end of the repetition can do all that the others can, and more.
        alike = copies if most is None else most - max(least, 1) + 1
        if alike > 1:
            every = sum(1 << (copy * size) for copy in range(alike))
            self.nfa.chains += [(every << (begin + place), not looped) for place in range(size)]
        return entry
