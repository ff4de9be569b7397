r"""Values that a pattern matches, as a person would type them: made from its tree, and put to its automaton.

    example(parse(r"systemctl\s+(restart|reload).*nginx"))      # 'systemctl restart nginx'

Where the tree alone leads to none, as with `\Bx`, the automaton has the nearest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..ecmascript import (
    Alternation,
    Anchor,
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
    Sequence,
    Term,
    parse,
    walk,
)
from ..ecmascript.charsets import contains, union, units_of
from ..ecmascript.rewrite import MAX_DEPTH
from .automaton import Automaton, automaton_of
from .letters import readable, text_of
from .nfa import BeyondError
from .search import STEPS, OverBudgetError, nearest

MAX_UNITS = 500
"""No example is longer."""

_VARIANTS = 12
_FILLS = ("x1 -_/.:=abc", "1x -_/.:=abc", "a_1x -/.:=bc", "x-1 _/.:=abc")
"""What to take out of a class, dearest first, by variant."""
_AROUND = (("", "x"), ("x", ""), ("x", "x"), ("", " x"), ("x ", ""), ("", "\n"), ("\n", ""))
"""What may stand around an example so that anchors of other patterns are tried."""


class _NothingError(Exception):
    """This way leads to no value, or to one that is longer than anybody wants to read."""


def example(pattern: Pattern) -> str | None:
    """A short readable value that `pattern` matches; None where there is none or none is known."""
    return _first(pattern.source)


def examples(pattern: Pattern, count: int) -> list[str]:
    """Up to `count` different ones: other branches, loops taken less and more often."""
    return list(_examples(pattern.source)[:count])


def probes(pattern: Pattern) -> Iterator[str]:
    """Values that `pattern` matches: its examples, and the first with something around it."""
    first = _first(pattern.source)
    if first is not None:
        yield first
        yield from _more_probes(pattern.source)


@lru_cache(maxsize=256)
def _first(source: str) -> str | None:
    pattern = parse(source)
    plain = _plain(pattern)
    if plain is not None:
        return plain
    automaton = automaton_of(pattern)
    if isinstance(automaton, BeyondError):
        return None
    for variant in range(_VARIANTS):
        value = _value(pattern, automaton, variant)
        if value is not None:
            return value
    try:
        return nearest([automaton], [], STEPS)
    except OverBudgetError:
        return None


@lru_cache(maxsize=256)
def _examples(source: str) -> tuple[str, ...]:
    first = _first(source)
    pattern = parse(source)
    automaton = automaton_of(pattern)
    if first is None or isinstance(automaton, BeyondError):
        return ()
    found = (_value(pattern, automaton, variant) for variant in range(_VARIANTS))
    return tuple(dict.fromkeys([first, *(value for value in found if value is not None)]))


@lru_cache(maxsize=256)
def _more_probes(source: str) -> tuple[str, ...]:
    automaton = automaton_of(parse(source))
    first = _first(source)
    if first is None or isinstance(automaton, BeyondError):
        return ()
    around = (before + first + behind for before, behind in _AROUND)
    return (*(value for value in around if automaton.accepts(value, STEPS)), *_examples(source)[1:])


def _value(pattern: Pattern, automaton: Automaton, variant: int) -> str | None:
    """The example of one variant, with as few spaces as do; None where the variant leads to no match."""
    maker = _Maker(variant)
    try:
        maker.branches(pattern.body)
    except _NothingError:
        return None
    value = text_of(maker.units)
    stripped = value.strip(" ")
    trials = dict.fromkeys((stripped if variant % 3 else re.sub(" +", " ", stripped), stripped, value))
    return next((trial for trial in trials if automaton.accepts(trial, STEPS)), None)


def _plain(pattern: Pattern) -> str | None:
    """The first variant, where it is sure to match without an automaton: nothing asks for a position, and there are no
    spaces that a person would leave out."""
    if pattern.looks or pattern.references or pattern.depth > MAX_DEPTH:
        return None
    if any(isinstance(node, Anchor) for node in walk(pattern.body)):
        return None
    maker = _Maker(0)
    try:
        maker.branches(pattern.body)
    except _NothingError:
        return None
    value = text_of(maker.units)
    return None if "  " in value or value != value.strip(" ") else value


class _Maker:
    """Follows a tree and writes what it takes; `variant` says which way to go where there are several."""

    def __init__(self, variant: int) -> None:
        self.variant = variant
        self.units: list[int] = []
        self._terms = 0

    def branches(self, body: Disjunction) -> None:
        branches = body.branches if isinstance(body, Alternation) else (body,)
        self._sequence(branches[self.variant % len(branches)])

    def _sequence(self, sequence: Sequence) -> None:
        for item in sequence.items:
            self._term(item)

    def _term(self, node: Term) -> None:
        self._terms += 1
        if self._terms > MAX_UNITS:
            raise _NothingError
        match node:
            case Char(unit=unit):
                self.units.append(unit)
            case Dot() | ClassEscape() | CharClass():
                self._one_of(node)
            case Group(body=body):
                self.branches(body)
            case Quantifier():
                self._repeated(node)
            case Anchor() | Look() | BackReference():
                pass

    def _one_of(self, node: Dot | ClassEscape | CharClass) -> None:
        units = units_of(node)
        if not units:
            raise _NothingError
        if isinstance(node, CharClass) and not node.negated:
            # Of `[AI]` a person types one of the two letters, and not the small ones, which match as well.
            ranges = [(item.first, item.last) for item in node.items if isinstance(item, ClassRange)]
            units = union(ranges) if len(ranges) == len(node.items) else units
        fills = map(ord, _FILLS[self.variant % len(_FILLS)])
        known = next((fill for fill in fills if contains(units, fill)), None)
        self.units.append(readable(units) if known is None else known)

    def _repeated(self, node: Quantifier) -> None:
        body, least, most = node.body, node.min, node.max
        if (
            not least
            and most is None
            and self.variant % 3 == 0
            and isinstance(body, Dot | ClassEscape | CharClass)
            and contains(units_of(body), 0x20)
        ):
            self.units.append(0x20)  # between words, which is where such loops mostly stand
            return
        times = least + (0, 0, 1, 2)[self.variant % 4]
        for _ in range(times if most is None else min(times, most)):
            self._term(body)
