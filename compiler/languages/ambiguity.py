r"""What a pattern costs on a backtracking engine: exponential or steep polynomial time, with a value that shows it.

    hazard_of(parse("(a+)+$"))          # Hazard(kind="exponential", ...): “aaaa…!”
    hazard_of(parse(r".*\.conf"))       # None: n² / 2 steps are nothing for n = 4,096

1. Patterns without two loops that could get in each other's way are done with at once.
2. The pattern as an automaton is searched for loops that read a word in two ways (exponential), and for chains of loops
   that share words (a polynomial, `ambiguity_search`). Both give a value: a prefix, words to repeat, and an end that
   fails.
3. The value is run on a backtracking engine that counts steps (`backtracker`), a few times and small. Only what really
   grows as foreseen, and would take more than `TOO_MANY_STEPS` for a value of `LENGTH` code units, is told.

So anchors, empty iterations and limits of quantifiers are never guessed at. Everything is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import inf, isfinite, log2
from typing import Literal

from ..ecmascript import Pattern, Quantifier
from .ambiguity_alphabet import Alphabet
from .ambiguity_exit import loops_may_meet
from .ambiguity_positions import Positions, TooManyPositionsError, positions_of
from .ambiguity_search import Link, Moves, TooManyMovesError, Word, chain, doubling, path, paths, reachable
from .backtracker import MAX_DEPTH, NotExecutableError, Program, assemble

LENGTH = 4_096
"""Code units of a long value: a screen or two of output."""
TOO_MANY_STEPS = 300_000_000
"""About one second in Node 20, and four in Python's `re` (3 and 14 ns a step, measured with `.*.*x`)."""

_STEPS = 8_000
"""Steps of one run that a value is tried out with."""
_COUNTED = (96, 192)
"""Lengths of values that the ways of the automaton are counted for."""
_LONG_ENOUGH = 512
"""The length of a value that would match, if longer ones did."""
_SKETCHED = 4

_FEW_PUMPS = 3
_MANY_PUMPS = 16
_PUMPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
_LINKS = 4
"""Links of a chain that are pumped: few do, and more take too many steps to be tried out."""
_SUFFIXES = 3
"""Symbols that are tried at the end of a value."""

_DOUBLED = 1.8
"""One more pump of a word that is read in two ways makes two times the steps, less what is the same for all."""
_SLACK = 8
"""Steps may be that many times what the lengths of the words let expect; beyond hope are those below."""
_CONSTANT = 0.85
"""A share that falls less than to this between two runs is taken not to fall."""
_ONE_BY_ONE = 8
"""Loops in a chain from which on a short value that cannot be made longer is worth a look: 2ⁿ steps for n loops."""

Parts = tuple[tuple[Word, bool], ...]
"""Texts, and whether they are pumped."""
Steps = list[tuple[int, int]]
"""Pumps, and the steps they took."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The analysis is not made for this pattern."""

    why: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A value as long as one likes: texts of which the pumped ones are repeated."""

    parts: Parts

    def symbols(self, pumps: int) -> Word:
        return tuple(symbol for word, pumped in self.parts for symbol in word * (pumps if pumped else 1))

    def pumps(self, length: int) -> int:
        """How many make a value of at most `length` symbols, if any do."""
        fixed = sum(len(word) for word, pumped in self.parts if not pumped)
        pumped = sum(len(word) for word, pumped in self.parts if pumped)
        return max(1, (length - fixed) // pumped)


@dataclass(frozen=True, slots=True)
class Hazard:
    """A pattern that is slow, and the proof."""

    kind: Literal["exponential", "polynomial"]
    degree: int | None
    """For a polynomial: of the number of steps in the length of the value."""
    needs_more: bool
    """Whether it is slow only when something follows that can fail; it was then tried out with `$`."""
    loop: Quantifier
    """The quantifier at fault."""
    rival: Quantifier | None
    """The one it fights with, if that is another."""
    attack: Attack
    alphabet: Alphabet

    def value(self, length: int) -> str:
        """A value that shows it, of about `length` code units."""
        return self.alphabet.write(self.attack.symbols(self.attack.pumps(length)))

    @property
    def sketch(self) -> str:
        """What such values look like: `aaaa…b`."""
        texts: list[str] = []
        for word, pumped in self.attack.parts:
            text = self.alphabet.write(word)
            texts.append(text * max(1, _SKETCHED // len(text)) + "…" if pumped and text else text)
        return "".join(texts)


def hazard_of(pattern: Pattern) -> Hazard | Unknown | None:
    """What is slow about a pattern; None when nothing is. The answers for recent patterns are kept."""
    return _hazard_of(_Key(pattern))


class _Key:
    """A pattern compared by its text: trees are too deep to be compared."""

    __slots__ = ("pattern",)

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.pattern.source == self.pattern.source

    def __hash__(self) -> int:
        return hash(self.pattern.source)


@lru_cache(maxsize=2048)
def _hazard_of(key: _Key) -> Hazard | Unknown | None:
    pattern = key.pattern
    if not loops_may_meet(pattern):
        return None
    if pattern.looks or pattern.references or pattern.depth > MAX_DEPTH:
        return Unknown("it looks around, refers back or nests deep")
    alphabet = Alphabet.of(pattern)
    try:
        return _Analysis(pattern, positions_of(pattern, alphabet)).hazard()
    except (TooManyPositionsError, TooManyMovesError, NotExecutableError):
        return Unknown("it is too large")


class _Analysis:
    def __init__(self, pattern: Pattern, positions: Positions) -> None:
        self.pattern = pattern
        self.positions = positions
        self.alphabet = positions.alphabet
        self.moves = Moves()

    def hazard(self) -> Hazard | None:
        return self._exponential() or self._polynomial()

    # ---- exponential -------------------------------------------------------------------------------------------------

    def _exponential(self) -> Hazard | None:
        found = [
            (loop, doubled)
            for loop in self.positions.loops
            if loop.quantifier is not None and (doubled := doubling(self.positions, loop, self.moves)) is not None
        ]
        for then in ("", "$") if found else ():
            program = assemble(self.pattern, self.alphabet, then)
            for loop, doubled in found:
                prefix = path(self.positions, 0, doubled.at, None, self.moves)
                parts = ((prefix or (), False), (doubled.pump, True))
                attack = _worst(program, parts, self._suffixes(doubled.at))
                if loop.quantifier is not None and _doubles(program, attack):
                    more = then != ""
                    return Hazard("exponential", None, more, loop.quantifier, doubled.rival, attack, self.alphabet)
        return None

    # ---- polynomial --------------------------------------------------------------------------------------------------

    def _polynomial(self) -> Hazard | None:
        links = chain(self.positions, self.moves)
        if len(links) < 2 or _foreseen(links) * _SLACK < TOO_MANY_STEPS:
            return None
        suffixes = self._suffixes(links[-1].end)
        program = None
        for count in range(min(len(links), _LINKS), 1, -1):
            used = links[:count]
            words = self._words(used)
            if _foreseen(used) * _SLACK < TOO_MANY_STEPS or _expected(self.positions, Attack(words)) < TOO_MANY_STEPS:
                continue
            program = program or assemble(self.pattern, self.alphabet)
            if len(links) >= _ONE_BY_ONE and _matches_early(program, _worst(program, self._words(links), suffixes)):
                return self._blocks(program, links, suffixes)
            attack = _worst(program, words, suffixes)
            if _is_steep(program, attack, self.positions, count) and not _matches_early(program, attack):
                return self._steep(used, count + 1, attack)
        return None

    def _steep(self, links: list[Link], degree: int, attack: Attack) -> Hazard:
        """The finding, at the last two loops that are no copies of each other."""
        loops = [self._quantifier(link.end) for link in links]
        first = self._quantifier(links[0].start)
        others = [loop for loop in ([first] if first is not None else []) + loops[:-1] if loop is not None]
        last = loops[-1]
        assert last is not None
        rival = next((loop for loop in reversed(others) if loop is not last), None)
        if rival is None:  # copies of one loop: whatever repeats it is at fault
            around = self.positions.around[links[-1].end]
            outer = around[max(0, around.index(last) - 1)]
            last, rival = (outer, last) if outer is not last else (last, None)
        return Hazard("polynomial", degree, False, last, rival, attack, self.alphabet)

    def _quantifier(self, position: int) -> Quantifier | None:
        return self.positions.loops[self.positions.loop_of[position]].quantifier

    def _words(self, links: list[Link]) -> Parts:
        """The parts of a value that pumps the words of a chain, and goes from one to the next."""
        parts: list[tuple[Word, bool]] = []
        at = 0
        for link in links:
            within = self.positions.loops[self.positions.loop_of[at]] if at else None
            parts.append((path(self.positions, at, link.start, within, self.moves) or (), False))
            parts.append((link.word, True))
            at = link.end
        return _joined(parts)

    def _blocks(self, program: Program, links: list[Link], suffixes: list[Word]) -> Hazard | None:
        """Many short values with an end that fails, for a pattern that matches the longer ones: `(.*a){20}`."""
        for suffix in suffixes:
            attack = Attack((*self._words(links), (suffix, False)))
            failing = 0
            while failing <= len(links) and not _matches_early(program, attack, failing + 1):
                failing += 1
            taken = _tried(program, attack, range(1, failing + 1))
            if len(taken) < _ONE_BY_ONE // 2 or not taken[-2][1]:
                continue
            (_, before), (pumps, steps) = taken[-2:]
            block = attack.symbols(failing)
            blocks = Attack(((block, True),))
            foreseen = steps * min(steps / before, 2) ** (failing - pumps) * (LENGTH // len(block))
            if foreseen >= TOO_MANY_STEPS and not _matches_early(program, blocks):
                return self._steep(links, len(links) + 1, blocks)
        return None

    def _suffixes(self, at: int) -> list[Word]:
        """Ends that may make the rest fail: symbols that little behind `at` takes, and none at all."""
        masks = [self.positions.masks[position] for position in reachable(self.positions, at)]

        def takers(symbol: int) -> tuple[int, bool, int]:
            return sum(mask >> symbol & 1 for mask in masks), not self.alphabet.is_plain(symbol), symbol

        symbols = sorted(range(len(self.alphabet.examples)), key=takers)
        return [*((symbol,) for symbol in symbols[:_SUFFIXES]), ()]


def _joined(parts: list[tuple[Word, bool]]) -> Parts:
    """Parts without empty ones, and a pumped word that comes twice in a row pumped once."""
    joined: list[tuple[Word, bool]] = []
    for part in parts:
        if part[0] and not (part[1] and joined and joined[-1] == part):
            joined.append(part)
    return tuple(joined)


# ---- tried out -------------------------------------------------------------------------------------------------------


def _tried(program: Program, attack: Attack, pumps: Iterable[int]) -> Steps:
    """The steps of values with more and more pumps, as long as they are few."""
    taken: Steps = []
    for count in pumps:
        search = program.search(attack.symbols(count), _STEPS)
        if search.answer is None:
            break
        taken.append((count, search.steps))
    return taken


def _worst(program: Program, parts: Parts, suffixes: list[Word]) -> Attack:
    """The value with the end that makes a small one take most steps."""
    attacks = [Attack((*parts, (suffix, False))) for suffix in suffixes]
    return max(attacks, key=lambda attack: program.search(attack.symbols(_FEW_PUMPS), _STEPS // 8).steps)


def _matches_early(program: Program, attack: Attack, pumps: int | None = None) -> bool:
    """Whether a value, a long one or one of `pumps`, matches from a start in its first half on."""
    symbols = attack.symbols(attack.pumps(_LONG_ENOUGH) if pumps is None else pumps)
    answer = program.matches(symbols, range(len(symbols) // 2 + 1))
    return program.search(symbols, _STEPS).answer is not None if answer is None else answer


def _doubles(program: Program, attack: Attack) -> bool:
    """Whether each pump multiplies the steps, until they are too many to be counted."""
    factors: list[float] = []
    before = 0
    for pumps in range(1, _MANY_PUMPS + 1):
        search = program.search(attack.symbols(pumps), _STEPS)
        factor = search.steps / before if before else 0
        if factor >= _DOUBLED or (before and search.answer is not None):  # else not all was counted
            factors.append(factor)
        is_enough = search.steps > _STEPS // 8 and min(factors[-3:], default=0) >= _DOUBLED
        if search.answer is None or (is_enough and len(factors) > 3):
            return len(factors) > 1 and min(factors[-2:]) >= _DOUBLED
        before = search.steps
    return False


def _foreseen(links: list[Link]) -> float:
    """The steps for a value that gives each link, and the way behind the last, an equal share."""
    share = LENGTH / (len(links) + 1)
    steps = share
    for link in links:
        steps *= share / len(link.word)
    return steps


def _is_steep(program: Program, attack: Attack, positions: Positions, links: int) -> bool:
    """Whether a long value takes too many steps, to conclude from what small ones take.

    Where these take what the automaton lets expect, or a constant share of it, so does the long one. Anchors and limits
    of quantifiers make that share smaller with every pump; then the growth of what was taken is all there is. (Of a
    polynomial it grows itself, so it is not overrated.)
    """
    taken = _tried(program, attack, _PUMPS)
    if len(taken) < 2 or not taken[-2][1]:
        return False
    (before_pumps, before), (pumps, steps) = taken[-2:]
    share_before, share = (
        count / paths(positions, attack.symbols(tried)) for tried, count in ((before_pumps, before), (pumps, steps))
    )
    if share >= share_before * _CONSTANT:
        return _expected(positions, attack) * min(share, 1) >= TOO_MANY_STEPS
    exponent = min(log2(steps / before) / log2(pumps / before_pumps), links + 1)
    return _grown(steps, attack.pumps(LENGTH) / pumps, exponent) >= TOO_MANY_STEPS


def _expected(positions: Positions, attack: Attack) -> float:
    """The steps that the automaton lets expect of a long value: counted for short ones, and drawn on from there."""
    shorter, longer = (attack.pumps(length) for length in _COUNTED)
    if shorter == longer:
        return 0
    before, steps = (paths(positions, attack.symbols(pumps)) for pumps in (shorter, longer))
    if not isfinite(steps):
        return inf
    return _grown(steps, attack.pumps(LENGTH) / longer, log2(steps / before) / log2(longer / shorter))


def _grown(steps: float, factor: float, exponent: float) -> float:
    """`steps * factor ** exponent`, which may be more than a number can say."""
    bits = log2(steps) + exponent * log2(factor)
    return inf if bits > 1000 else 2**bits
