r"""Where an automaton is ambiguous: words that it reads in many ways.

    doubling(positions, loop)       # for (a+)+: “a” leads from a back to a in two ways, so n of them in 2ⁿ ways
    chain(positions)                # for .*.*x: “a” leads from the search to .*, and on to .*; n of them in n² / 2 ways

The two are the known criteria of exponential and polynomial ambiguity (Weber and Seidl, “On the degree of ambiguity of
finite automata”, 1991). Words are tuples of symbols of the pattern's alphabet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log2
from typing import TypeVar

from ..ecmascript import Quantifier
from .ambiguity_positions import MANY, Loop, Positions

Word = tuple[int, ...]

S = TypeVar("S", bound=Hashable)

MAX_MOVES = 20_000
"""Moves of all automata that one question may take."""


class TooManyMovesError(Exception):
    """The question was too large."""


@dataclass(frozen=True, slots=True)
class Doubling:
    """A loop that reads `pump` in two ways and comes back to where it was."""

    at: int
    pump: Word
    rival: Quantifier | None
    """The quantifier in the loop that fights with it, if that is another one."""


@dataclass(frozen=True, slots=True)
class Link:
    """`word` leads from `start` back to it, from `start` to `end`, and from `end` back to it."""

    start: int
    end: int
    word: Word


class Moves:
    """Counts the moves of a search; raises `TooManyMovesError` when there are too many."""

    def __init__(self, limit: int = MAX_MOVES) -> None:
        self.left = limit

    def count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooManyMovesError


# ---- exponential -----------------------------------------------------------------------------------------------------


def doubling(positions: Positions, loop: Loop, moves: Moves) -> Doubling | None:
    """A word that the loop reads in two ways; None where it reads each in one. May raise `TooManyMovesError`."""
    if loop.quantifier is None:
        return None
    return _two_edges(positions, loop, moves) or _two_paths(positions, loop, moves)


def _two_edges(positions: Positions, loop: Loop, moves: Moves) -> Doubling | None:
    """Two ways from one position to the next: `(a+)+`."""
    for start in loop.positions:
        for end, ways in positions.follow[start].items():
            if ways < MANY or end not in loop.positions or not positions.masks[end]:
                continue
            back = path(positions, end, start, loop, moves)
            if back is not None:
                return Doubling(start, (_best(positions.masks[end]), *back), _rival(positions, loop, [(start, end)]))
    return None


def _two_paths(positions: Positions, loop: Loop, moves: Moves) -> Doubling | None:
    """Two ways that part and meet again: `(a|aa)+`."""
    masks, follow = positions.masks, positions.follow
    inside = [[end for end in follow[start] if end in loop.positions] for start in loop.positions]
    forks: dict[tuple[int, int], int] = {}
    for start, ends in zip(loop.positions, inside, strict=True):
        for one, other in combinations(ends, 2):
            moves.count()
            if masks[one] & masks[other]:
                forks.setdefault((one, other), start)

    def after(pair: tuple[int, int]) -> Iterator[tuple[tuple[int, int], int]]:
        one, other = pair
        if one == other:
            return
        for next_one in inside[one - loop.first]:
            for next_other in inside[other - loop.first]:
                yield (next_one, next_other), masks[next_one] & masks[next_other]

    found = _shortest(forks, after, lambda pair: pair[0] == pair[1], moves)
    if found is None:
        return None
    pairs, word = found
    start, meeting = forks[pairs[0]], pairs[-1][0]
    back = path(positions, meeting, start, loop, moves)
    if back is None:
        return None
    fork = _best(masks[pairs[0][0]] & masks[pairs[0][1]])
    rival = _rival(positions, loop, [(start, pairs[0][0]), (start, pairs[0][1])])
    return Doubling(start, (fork, *word, *back), rival)


def _rival(positions: Positions, loop: Loop, edges: Iterable[tuple[int, int]]) -> Quantifier | None:
    """The quantifier in the loop that one of the ways goes back by."""
    for edge in edges:
        for quantifier in positions.backwards.get(edge, ()):
            if quantifier is not loop.quantifier:
                return quantifier
    return None


# ---- polynomial ------------------------------------------------------------------------------------------------------


def chain(positions: Positions, moves: Moves) -> list[Link]:
    """The links of loops that multiply best, the search included; fewer than two mean at most quadratic time."""
    loops = positions.loops
    links: dict[tuple[int, int], Link] = {}
    for left, right in combinations(range(1, len(loops)), 2):
        link = _link(positions, loops[left], loops[right], moves)
        if link is not None:
            links[left, right] = link
    if not links:
        return []
    for right in range(1, len(loops)):
        link = _link(positions, loops[0], loops[right], moves)
        if link is not None:
            links[0, right] = link
    best: list[list[Link]] = [[] for _ in loops]
    for (left, right), link in sorted(links.items()):
        # Left loops come first, so that what leads to `left` is complete when it is used.
        best[right] = max(best[right], [*best[left], link], key=_gain)
    return max(best, key=_gain)


def _gain(links: list[Link]) -> float:
    """How much a chain costs, as the exponent of two: each link multiplies by how often its word fits into a value."""
    return sum(10 - log2(len(link.word)) for link in links)


def _link(positions: Positions, left: Loop, right: Loop, moves: Moves) -> Link | None:
    """The shortest word that keeps both loops going, and leads from one to the other."""
    masks, follow = positions.masks, positions.follow
    taken_left, taken_right = (_union(masks[position] for position in loop.positions) for loop in (left, right))
    if not taken_left & taken_right:
        return None

    def after(state: tuple[int, int, int]) -> Iterator[tuple[tuple[int, int, int], int]]:
        one, between, other = state
        for next_one in follow[one]:
            if next_one not in left.positions:
                continue
            for next_other in follow[other]:
                common = masks[next_one] & masks[next_other]
                if next_other not in right.positions or not common:
                    continue
                for next_between in follow[between]:
                    if next_between <= right.last:
                        yield (next_one, next_between, next_other), common & masks[next_between]

    best: Link | None = None
    for start in left.positions:
        for end in right.positions:

            def arrived(state: tuple[int, int, int], goal: tuple[int, int, int] = (start, end, end)) -> bool:
                return state == goal

            found = _shortest([(start, start, end)], after, arrived, moves)
            if found is not None and (best is None or len(found[1]) < len(best.word)):
                best = Link(start, end, found[1])
    return best


# ---- words -----------------------------------------------------------------------------------------------------------


def path(positions: Positions, start: int, end: int, loop: Loop | None, moves: Moves) -> Word | None:
    """The shortest word from one position to another, inside a loop or by any way; empty where they are the same."""
    masks, follow = positions.masks, positions.follow

    def after(position: int) -> Iterator[tuple[int, int]]:
        for position_behind in follow[position]:
            if loop is None or position_behind in loop.positions:
                yield position_behind, masks[position_behind]

    found = _shortest([start], after, lambda position: position == end, moves)
    return None if found is None else found[1]


def reachable(positions: Positions, start: int) -> set[int]:
    """Positions that may come behind `start`."""
    seen: set[int] = set()
    stack = [start]
    while stack:
        for position in positions.follow[stack.pop()]:
            if position not in seen:
                seen.add(position)
                stack.append(position)
    return seen


def paths(positions: Positions, word: Word) -> float:
    """The steps of a search that tries all ways through a word in vain: the ways to each place, times what is next."""
    masks, follow = positions.masks, positions.follow
    ways: dict[int, float] = {0: 1.0}
    steps = 0.0
    for symbol in word:
        bit = 1 << symbol
        after: dict[int, float] = {}
        for position, count in ways.items():
            for next_position, times in follow[position].items():
                steps += count * times
                if masks[next_position] & bit:
                    after[next_position] = after.get(next_position, 0.0) + count * times
        ways = after
    return steps


def _shortest(
    starts: Iterable[S],
    after: Callable[[S], Iterator[tuple[S, int]]],
    arrived: Callable[[S], bool],
    moves: Moves,
) -> tuple[list[S], Word] | None:
    """The states on the shortest way to one that has arrived, and the word read on it (best symbols first)."""
    before: dict[S, tuple[S, int] | None] = dict.fromkeys(starts)
    queue = deque(before)
    while queue:
        state = queue.popleft()
        if arrived(state):
            states, word = [state], list[int]()
            while (step := before[state]) is not None:
                state, symbol = step
                states.append(state)
                word.append(symbol)
            return states[::-1], tuple(word[::-1])
        for next_state, symbols in after(state):
            moves.count()
            if symbols and next_state not in before:
                before[next_state] = (state, _best(symbols))
                queue.append(next_state)
    return None


def _best(symbols: int) -> int:
    """The symbol of a mask that serves best in an example."""
    return (symbols & -symbols).bit_length() - 1


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union
