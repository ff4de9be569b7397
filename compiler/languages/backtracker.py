r"""What a backtracking engine does with a value: tried out, and counted.

    alphabet = Alphabet.of(pattern)
    program = assemble(pattern, alphabet)
    program.steps(alphabet.read("aaaaaaaa!"), limit=10_000)     # how often a unit or a position is looked at

The search tries every start, every branch in the order of the text, and forgets what it has tried, as the engines of
JavaScript and Python do. A step is one look at a code unit or at a position; what engines spend between two looks is
bounded by the pattern, so their time grows as these steps do: about 3 ns a step in Node, and 14 ns in Python's `re`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

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

MAX_INSTRUCTIONS = 4_000
MAX_DEPTH = 50
"""Levels of nesting; no pattern that a person wrote comes near."""
_MOVES_A_STEP = 50
"""Instructions that may pass, a step of the limit, without a look at anything."""

_UNIT, _SPLIT, _JUMP, _ANCHOR, _MARK, _MOVED, _MATCH = range(7)
Instruction = tuple[int, int, int]
"""What to do, and two numbers: a mask, the places to go on at (the preferred one first), or a register."""

_ANCHORS = tuple(AnchorKind)


class NotExecutableError(Exception):
    """The pattern looks around, refers back, nests too deep or is too large."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search came to."""

    steps: int
    answer: bool | None
    """Whether the value matches; None where the limit of steps ended the search."""


@dataclass(frozen=True, slots=True)
class Program:
    """A pattern as instructions for the search."""

    code: tuple[Instruction, ...]
    registers: int
    word_units: int
    r"""The mask of what `\b` calls word characters."""

    def search(self, units: Sequence[int], limit: int) -> Search:
        """Search in a value of minterms, for at most `limit` steps."""
        steps, moves = 0, 0
        code, size = self.code, len(units)
        bits = [1 << unit for unit in units]
        none: tuple[int, ...] = (-1,) * self.registers
        for start in range(size + 1):
            stack: list[tuple[int, int, tuple[int, ...]]] = [(0, start, none)]
            while stack:
                at, here, marks = stack.pop()
                while True:
                    kind, first, second = code[at]
                    if kind == _UNIT:
                        steps += 1
                        if here == size or not bits[here] & first:
                            break
                        at, here = at + 1, here + 1
                        continue
                    moves += 1
                    if kind == _SPLIT:
                        stack.append((second, here, marks))
                        at = first
                    elif kind == _JUMP:
                        at = first
                    elif kind == _MARK:
                        marks = (*marks[:first], here, *marks[first + 1 :])
                        at += 1
                    elif kind == _MOVED:
                        if marks[first] == here:
                            break
                        at += 1
                    elif kind == _ANCHOR:
                        steps += 1
                        if not self._holds(first, bits, here):
                            break
                        at += 1
                    else:
                        return Search(steps, True)
                if steps > limit or moves > limit * _MOVES_A_STEP:
                    return Search(steps, None)
        return Search(steps, False)

    def matches(self, units: Sequence[int], starts: Iterable[int]) -> bool | None:
        """Whether a value matches from one of `starts` on, in time that grows with its length only.

        None where loops must see to it that they move on, as then it counts how a place was come to.
        """
        if self.registers:
            return None
        code, size = self.code, len(units)
        bits = [1 << unit for unit in units]
        seen: set[tuple[int, int]] = set()
        stack = [(0, start) for start in starts]
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            at, here = state
            kind, first, second = code[at]
            if kind == _MATCH:
                return True
            if kind == _SPLIT:
                stack += [(first, here), (second, here)]
            elif kind == _JUMP:
                stack.append((first, here))
            elif kind == _ANCHOR:
                if self._holds(first, bits, here):
                    stack.append((at + 1, here))
            elif here < size and bits[here] & first:
                stack.append((at + 1, here + 1))
        return False

    def _holds(self, anchor: int, bits: list[int], here: int) -> bool:
        match _ANCHORS[anchor]:
            case AnchorKind.START:
                return here == 0
            case AnchorKind.END:
                return here == len(bits)
            case AnchorKind.WORD_BOUNDARY:
                return self._is_boundary(bits, here)
            case AnchorKind.NOT_WORD_BOUNDARY:
                return not self._is_boundary(bits, here)

    def _is_boundary(self, bits: list[int], here: int) -> bool:
        before = here > 0 and bits[here - 1] & self.word_units != 0
        after = here < len(bits) and bits[here] & self.word_units != 0
        return before != after


def assemble(pattern: Pattern, alphabet: Alphabet, then: Literal["", "$"] = "") -> Program:
    """The program of a pattern, or of `(?:pattern)$`; raises `NotExecutableError`."""
    if pattern.looks or pattern.references or pattern.depth > MAX_DEPTH:
        raise NotExecutableError("looks around, refers back or nests deep")
    assembler = _Assembler(alphabet)
    assembler.branches(pattern.body)
    if then:
        assembler.add(_ANCHOR, _ANCHORS.index(AnchorKind.END))
    assembler.add(_MATCH)
    return Program(tuple(assembler.code), assembler.registers, alphabet.word_units)


class _Assembler:
    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.code: list[Instruction] = []
        self.registers = 0

    def add(self, kind: int, first: int = 0, second: int = 0) -> int:
        if len(self.code) >= MAX_INSTRUCTIONS:
            raise NotExecutableError("too large")
        self.code.append((kind, first, second))
        return len(self.code) - 1

    def branches(self, body: Disjunction) -> None:
        if not isinstance(body, Alternation):
            self._sequence(body.items)
            return
        ends: list[int] = []
        for branch in body.branches[:-1]:
            split = self.add(_SPLIT)
            self._sequence(branch.items)
            ends.append(self.add(_JUMP))
            self._split(split, len(self.code), greedy=True)
        self._sequence(body.branches[-1].items)
        for end in ends:
            self.code[end] = (_JUMP, len(self.code), 0)

    def _sequence(self, items: tuple[Term, ...]) -> None:
        for item in items:
            self._term(item)

    def _term(self, node: Term) -> None:
        match node:
            case Char() | Dot() | ClassEscape() | CharClass():
                self.add(_UNIT, self.alphabet.mask(node))
            case Anchor(kind=kind):
                self.add(_ANCHOR, _ANCHORS.index(kind))
            case Group(body=body):
                self.branches(body)
            case Quantifier():
                self._repeat(node)
            case BackReference() | Look():
                raise NotExecutableError("looks around or refers back")

    def _repeat(self, node: Quantifier) -> None:
        """Iterations that must be are copies; those that may be are left again where they match nothing."""
        for _ in range(node.min):
            before = len(self.code)
            self._term(node.body)
            if len(self.code) == before:
                return
        if node.max == node.min:
            return
        mark = -1
        if _may_be_empty(node.body):
            mark, self.registers = self.registers, self.registers + 1
        if node.max is None:
            split = self._optional(node, mark)
            self.add(_JUMP, split)
            self._split(split, len(self.code), node.greedy)
            return
        splits = [self._optional(node, mark) for _ in range(node.max - node.min)]
        for split in splits:
            self._split(split, len(self.code), node.greedy)

    def _optional(self, node: Quantifier, mark: int) -> int:
        split = self.add(_SPLIT)
        if mark >= 0:
            self.add(_MARK, mark)
        self._term(node.body)
        if mark >= 0:
            self.add(_MOVED, mark)
        return split

    def _split(self, split: int, otherwise: int, greedy: bool) -> None:
        self.code[split] = (_SPLIT, split + 1, otherwise) if greedy else (_SPLIT, otherwise, split + 1)


def _may_be_empty(node: Term) -> bool:
    match node:
        case Char() | Dot() | ClassEscape() | CharClass():
            return False
        case Group(body=body):
            branches = body.branches if isinstance(body, Alternation) else (body,)
            return any(all(_may_be_empty(item) for item in branch.items) for branch in branches)
        case Quantifier(body=body, min=least):
            return least == 0 or _may_be_empty(body)
        case Anchor() | Look() | BackReference():
            return True
