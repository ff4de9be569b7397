r"""The code units that a pattern tells apart, as few symbols as there are differences.

    alphabet = Alphabet.of(parse(r"\d+x"))
    alphabet.write(alphabet.read("17x!"))       # "00xa": one unit stands for all that the pattern treats alike

A set of symbols is a mask, one bit each. Symbols come in order of how well they serve in an example: those that can
be printed first, and of these the ones that fewer pieces of the pattern take.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from ..ecmascript import Anchor, AnchorKind, Char, CharClass, ClassEscape, Dot, Pattern, walk
from ..ecmascript.charsets import LAST_UNIT, WORD, UnitSet, units_of

UnitPiece = Char | Dot | ClassEscape | CharClass

_EXAMPLES = "abcdefghijklmnopqrstuvwxyz0123456789 !-_./:=,;@#%&+~'\"()<>[]{}|*?^$\\`ABCDEFGHIJKLMNOPQRSTUVWXYZ\n\t"
_PLAIN = len(_EXAMPLES) - 2
"""The examples that can be printed."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The symbols of a pattern."""

    examples: tuple[int, ...]
    """One code unit a symbol."""
    word_units: int
    r"""The symbols that `\b` calls word characters; meaningful where the pattern has such an anchor."""
    _begins: tuple[int, ...]
    """Where runs of code units that are treated alike begin, in order."""
    _symbols: tuple[int, ...]
    """The symbol of each run."""
    _masks: dict[UnitSet, int]

    @classmethod
    def of(cls, pattern: Pattern) -> Alphabet:
        sets: dict[UnitSet, None] = {}
        boundaries = False
        for node in walk(pattern.body):
            if isinstance(node, UnitPiece):
                sets[units_of(node)] = None
            elif isinstance(node, Anchor):
                boundaries = boundaries or node.kind in (AnchorKind.WORD_BOUNDARY, AnchorKind.NOT_WORD_BOUNDARY)
        if boundaries:
            sets[WORD] = None
        return cls._of_sets(list(sets))

    @classmethod
    def _of_sets(cls, sets: list[UnitSet]) -> Alphabet:
        # 1. who takes the units from each point on where anything changes
        changes: dict[int, int] = {0: 0}
        for index, units in enumerate(sets):
            for first, last in units:
                changes[first] = changes.get(first, 0) ^ 1 << index
                changes[last + 1] = changes.get(last + 1, 0) ^ 1 << index
        begins = sorted(begin for begin in changes if begin <= LAST_UNIT)
        takers: list[int] = []
        current = 0
        for begin in begins:
            current ^= changes[begin]
            takers.append(current)

        # 2. the best example of each kind of unit
        ranks: dict[int, tuple[int, int]] = {}
        for rank, example in enumerate(_EXAMPLES):
            kind = takers[bisect_right(begins, ord(example)) - 1]
            ranks.setdefault(kind, (rank, ord(example)))
        for begin, kind in zip(begins, takers, strict=True):
            ranks.setdefault(kind, (len(_EXAMPLES), begin))

        # 3. kinds in order, numbered
        kinds = sorted(ranks, key=lambda kind: (ranks[kind][0] >= _PLAIN, kind.bit_count(), ranks[kind]))
        numbers = {kind: number for number, kind in enumerate(kinds)}
        masks = {
            units: sum(1 << number for kind, number in numbers.items() if kind >> index & 1)
            for index, units in enumerate(sets)
        }
        return cls(
            tuple(ranks[kind][1] for kind in kinds),
            masks.get(WORD, 0),
            tuple(begins),
            tuple(numbers[kind] for kind in takers),
            masks,
        )

    @property
    def all(self) -> int:
        return (1 << len(self.examples)) - 1

    def mask(self, piece: UnitPiece) -> int:
        """The symbols that a piece of the pattern takes."""
        return self._masks[units_of(piece)]

    def is_plain(self, symbol: int) -> bool:
        """Whether the example of a symbol can be printed."""
        return 0x20 <= self.examples[symbol] <= 0x7E

    def read(self, text: str) -> tuple[int, ...]:
        """The symbols of a text of the basic plane."""
        return tuple(self._symbols[bisect_right(self._begins, ord(each)) - 1] for each in text)

    def write(self, symbols: Iterable[int]) -> str:
        return "".join(chr(self.examples[symbol]) for symbol in symbols)
