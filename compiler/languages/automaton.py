r"""The search automaton of one pattern, made as far as it is walked.

    automaton = automaton_of(parse(r"\breboot\b"))
    automaton.accepts("sudo reboot")            # True

A state stands for all that the units read so far leave open: the positions that can be next, by the kind of the unit
that comes next. As a match may begin anywhere, the first positions are always among them; where a match has ended,
nothing that follows can undo it, so all such values share one state.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import cast

from ..ecmascript import Pattern, parse
from ..ecmascript.charsets import WORD
from .letters import Letters, TooManyLettersError, units_of_text
from .nfa import EDGE, OTHER, WORD_CHARACTER, BeyondError, Nfa, build, gap

MAX_KEPT = 3_000
"""States that an automaton keeps from one question to the next."""

MAX_TABLE = 200_000
"""Letters times positions."""


class State:
    """Where a value has led to; equal states are one object."""

    __slots__ = ("cost", "final", "full", "others", "row", "words")

    def __init__(self, others: int, words: int, final: bool, cost: int, letters: int) -> None:
        self.others = others
        """The positions that can be next if the next unit is no word character."""
        self.words = words
        self.final = final
        """Whether a value that ends here matches."""
        self.cost = cost
        """Steps that it takes to make and leave."""
        self.row: list[State | None] = [None] * letters
        """By letter: the state it leads to, where that has been asked."""
        self.full: list[State] | None = None
        """The row where all of it has been asked."""


class Automaton:
    def __init__(self, nfa: Nfa) -> None:
        self._nfa = nfa
        sets = [*nfa.sets, WORD] if nfa.words else nfa.sets
        try:
            self.letters = Letters(sets)
        except TooManyLettersError:
            raise BeyondError("the pattern names too many different characters for the analysis") from None
        if len(self.letters.members) * len(nfa.of_position) > MAX_TABLE:
            raise BeyondError("the pattern is too large for the analysis")
        takers = [0] * len(sets)
        for position, number in enumerate(nfa.of_position):
            if number >= 0:
                takers[number] |= 1 << position
        self._takers = [_union_of(takers, members) for members in self.letters.members]
        """By letter: the positions that take it."""
        word_bit = len(sets) - 1
        self._is_word = [nfa.words and bool(members >> word_bit & 1) for members in self.letters.members]
        by_kind = [*zip(self._takers, self._is_word, strict=True)]
        self._useful_others = 1 | _union(bits for bits, is_word in by_kind if not is_word)
        self._useful_words = 1 | _union(bits for bits, is_word in by_kind if is_word)
        self._any_chain = _union(bits for bits, _ in nfa.chains)
        self._reach: dict[int, dict[int, int]] = {}
        self._reach_of_start: dict[int, int] = {}
        self._by_positions: tuple[dict[int, State], ...] = ({}, {}, {})
        self._by_future: dict[tuple[int, int, bool], State] = {}
        letters = len(self._takers)
        self.accepted = State(1, 1, True, 1, letters)
        """A match has ended."""
        self.dead = State(0, 0, False, 1, letters)
        """No match can end any more."""
        for state in (self.accepted, self.dead):
            state.full = [state] * letters
            state.row = [*state.full]
        later = [(before, behind) for before in (OTHER, WORD_CHARACTER) for behind in (EDGE, OTHER, WORD_CHARACTER)]
        useful = self._useful_others | self._useful_words
        self._begins_later = any(self._nfa.reach(nfa.start, gap(*kinds)) & useful for kinds in later)
        """Whether a match can begin elsewhere than at the start of the value."""
        self.start = self._first()

    def trim(self) -> None:
        """Forget what has been made where it is much; states in use go on to serve who uses them."""
        if sum(map(len, self._by_positions)) > MAX_KEPT:
            self._by_positions = ({}, {}, {})
            self._by_future = {}
            self.start = self._first()

    def row(self, state: State) -> list[State]:
        """By letter: the state that `state` leads to."""
        row = state.row
        for letter, known in enumerate(row):
            if known is None:
                row[letter] = self._step(state, letter)
        state.full = cast("list[State]", row)
        return state.full

    def accepts(self, value: str, steps: int) -> bool | None:
        """Whether `value` matches; None where to say so takes more than `steps`."""
        state, seen, of = self.start, set[State](), self.letters.of
        for unit in units_of_text(value):
            if state is self.accepted or state is self.dead:
                break
            if state not in seen:
                seen.add(state)
                steps -= state.cost
                if steps < 0:
                    return None
            letter = of(unit)
            state = state.row[letter] or self._step(state, letter)
        return state.final

    def _step(self, state: State, letter: int) -> State:
        is_word = self._is_word[letter]
        reach = state.words if is_word else state.others
        if reach & 1:
            reached = self.accepted
        else:
            kind = WORD_CHARACTER if is_word else OTHER
            positions = reach & self._takers[letter]
            reached = self._by_positions[kind].get(positions) or self._state(positions, kind)
        state.row[letter] = reached
        return reached

    def _first(self) -> State:
        return self._state(0, EDGE if self._nfa.anchored else OTHER)

    def _state(self, positions: int, before: int) -> State:
        """The state in which the positions `positions` have just taken a unit of the kind `before`."""
        lasting = positions & self._any_chain
        if lasting and lasting & (lasting - 1):
            lasting = self._without_weaker(positions)
        else:
            lasting = positions
        end = self._next(lasting, before, EDGE)
        others = words = end
        if self._nfa.anchored:
            others = self._next(lasting, before, OTHER)
            words = self._next(lasting, before, WORD_CHARACTER) if self._nfa.words else others
        others = 1 if others & 1 else others & self._useful_others
        words = 1 if words & 1 else words & self._useful_words
        if not self._nfa.words:
            words = others
        key = others, words, bool(end & 1)
        if key == (1, 1, True):
            state = self.accepted
        elif key == (0, 0, False) and not self._begins_later:
            state = self.dead
        else:
            letters = len(self._takers)
            cost = 8 + letters + lasting.bit_count() + (others.bit_count() + words.bit_count()) // 8
            cost += len(self._nfa.chains) // 2
            state = self._by_future.setdefault(key, State(*key, cost, letters))
        self._by_positions[before][positions] = state
        return state

    def _without_weaker(self, positions: int) -> int:
        """`positions` without those that can do nothing that another of their chain cannot."""
        for chain, highest in self._nfa.chains:
            members = positions & chain
            if members & (members - 1):
                kept = 1 << (members.bit_length() - 1) if highest else members & -members
                positions ^= members ^ kept
        return positions

    def _next(self, positions: int, before: int, behind: int) -> int:
        if not positions:
            return self._from_start(gap(before, behind))
        reach_of = self._reach_in(gap(before, behind))
        target = self._nfa.target
        reach = reach_of[self._nfa.start]
        while positions:
            lowest = positions & -positions
            reach |= reach_of[target[lowest.bit_length() - 1]]
            positions ^= lowest
        return reach

    def _from_start(self, at: int) -> int:
        reach = self._reach_of_start.get(at)
        if reach is None:
            reach = self._reach_of_start[at] = self._nfa.reach(self._nfa.start, at)
        return reach

    def _reach_in(self, at: int) -> dict[int, int]:
        reach = self._reach.get(at)
        if reach is None:
            reach = self._reach[at] = self._nfa.all_reach(at)
        return reach


def automaton_of(pattern: Pattern) -> Automaton | BeyondError:
    """The automaton of `pattern`; those of recent patterns are kept as far as they have been made."""
    known = _automaton(pattern.source)
    if isinstance(known, Automaton):
        known.trim()
    return known


@lru_cache(maxsize=256)
def _automaton(source: str) -> Automaton | BeyondError:
    try:
        return Automaton(build(parse(source)))
    except BeyondError as beyond:
        return beyond


def _union_of(bits: list[int], members: int) -> int:
    united = 0
    while members:
        lowest = members & -members
        united |= bits[lowest.bit_length() - 1]
        members ^= lowest
    return united


def _union(bits: Iterable[int]) -> int:
    united = 0
    for each in bits:
        united |= each
    return united
