"""The syntax tree of a pattern: what each piece is, and where it stands.

Every node carries `start` and `end`, offsets into the pattern in code points (the indexes of the Python
string). What a node stands for is a matter of UTF-16 code units: without the flags u and v ECMAScript reads a
character beyond U+FFFF as two of them. Such a character makes two `Char` nodes, one a half, and both carry
the span of the whole character; a quantifier behind it repeats the second half alone, as it does in
JavaScript.

    parse("a|[b-d]+").body
    Alternation(0, 8, (Sequence(0, 1, (Char(0, 1, 0x61),)),
                       Sequence(2, 8, (Quantifier(2, 8, CharClass(...), min=1, max=None, greedy=True),))))

Trees are as deep as the pattern nests, which may be 100,000 levels: go through them with `walk` or with a
stack, never by recursion. (`==`, `hash` and `repr` do recurse; they are for small trees in tests.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, assert_never


class AnchorKind(StrEnum):
    """The positions a pattern can ask for; without the flag m `^` and `$` are the ends of the whole value."""

    START = "^"
    END = "$"
    WORD_BOUNDARY = r"\b"
    NOT_WORD_BOUNDARY = r"\B"


@dataclass(frozen=True, slots=True)
class Char:
    """One UTF-16 code unit, written as itself or as an escape."""

    start: int
    end: int
    unit: int


@dataclass(frozen=True, slots=True)
class Dot:
    """`.`: any code unit but LF, CR, U+2028 and U+2029."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ClassEscape:
    r"""`\d`, `\D`, `\s`, `\S`, `\w` or `\W`, on its own or in a class."""

    start: int
    end: int
    letter: Literal["d", "D", "s", "S", "w", "W"]


@dataclass(frozen=True, slots=True)
class ClassRange:
    """The code units `first` to `last`, both included; a single one where they are equal."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CharClass:
    """`[...]`; `[]` matches nothing and `[^]` everything. Items are in the order of the text."""

    start: int
    end: int
    items: tuple[ClassRange | ClassEscape, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Anchor:
    start: int
    end: int
    kind: AnchorKind


@dataclass(frozen=True, slots=True)
class BackReference:
    r"""`\1` or `\k<name>`: what the group `group` captured; it may come before, inside or behind that group.

    `name` is None where the reference is a number.
    """

    start: int
    end: int
    group: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """`(...)`, `(?<name>...)` or `(?:...)`; `index` counts captures from 1, and is None for `(?:...)`."""

    start: int
    end: int
    body: Disjunction
    index: int | None
    name: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """`(?=...)`, `(?!...)`, `(?<=...)` or `(?<!...)`."""

    start: int
    end: int
    body: Disjunction
    behind: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`body` at least `min` and at most `max` times; `max` is None where there is no limit.

    Numbers above `MAX_REPEAT` are read as `MAX_REPEAT`: no string is that long.
    """

    start: int
    end: int
    body: Char | Dot | ClassEscape | CharClass | BackReference | Group | Look
    min: int
    max: int | None
    greedy: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """Pieces one behind the other; none at all for the empty pattern or the empty branch."""

    start: int
    end: int
    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """`a|b`: two branches or more, tried from left to right."""

    start: int
    end: int
    branches: tuple[Sequence, ...]


Atom = Char | Dot | ClassEscape | CharClass | BackReference | Group | Look
Term = Atom | Anchor | Quantifier
Disjunction = Sequence | Alternation
Node = Term | Disjunction | ClassRange

MAX_REPEAT = 2**31 - 1
"""V8 cuts the numbers of `{n,m}` here, before it compares them: `a{9999999999,8888888888}` is valid."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A whole pattern: its text, tree, count of capturing groups, and the numbers of the named ones."""

    source: str
    body: Disjunction
    captures: int
    names: Mapping[str, int]
    depth: int
    """How many groups and look-arounds stand inside each other, at most."""
    looks: bool
    """Whether there is a look-around."""
    references: bool
    """Whether there is a back-reference."""


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right below `node`, from left to right."""
    match node:
        case Sequence() | CharClass():
            return node.items
        case Alternation():
            return node.branches
        case Group() | Look() | Quantifier():
            return (node.body,)
        case Char() | Dot() | ClassEscape() | ClassRange() | Anchor() | BackReference():
            return ()
        case _:
            assert_never(node)


def walk(node: Node) -> Iterator[Node]:
    """`node` and all below it, parents first and from left to right, however deep the tree is."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))
