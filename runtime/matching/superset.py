r"""Patterns for RE2: every value that a pattern matches, its supersets match too, over projected values.

    supersets(parse(r"systemctl\s+(?=stop|start).*"))     # ('systemctl[\\x09\\x0b-\\x0d\\x20\\x3f\\x80]', 'stop|start')

Written from the syntax tree, never by replacing text. What RE2 has not is weakened, so that more matches: an assertion
that has to hold is asked for anywhere in the value, any other holds everywhere, and large counts become `*`, which
keeps automata small. What may be empty at either end is left off, as no more and no fewer values match without it.
RE2 reads Latin-1 here, one byte a code unit, so what is `\b` to ECMAScript is `\b` to RE2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from ...compiler.ecmascript import (
    Alternation,
    Anchor,
    AnchorKind,
    Char,
    CharClass,
    ClassEscape,
    Disjunction,
    Dot,
    Group,
    Look,
    Pattern,
    Quantifier,
    Sequence,
    Term,
)
from ...compiler.ecmascript.charsets import UnitSet, units_of
from ...compiler.ecmascript.rewrite import MAX_DEPTH, NotRewritableError, rewrite_branches
from .projection import project

MAX_COUNT = 5
"""Counts above are weakened: an automaton has a state for each place in a count."""

_WIDE = 96
"""Bytes, of the 103 that occur, in a class whose repetition is a gap."""

MAX_LENGTH = 4_000
"""Characters of a superset. Longer ones are not worth their automaton: the pattern is asked about every value."""


def supersets(pattern: Pattern, *, cut: bool = False) -> tuple[str, ...]:
    """Patterns for RE2 that all match wherever `pattern` does; none where none is worth having.

    `cut`: what a wide gap such as `.*` joins is asked for apart, in any order. More matches then, but an automaton for
    many patterns need not remember, through a long text, which of them it has seen the beginning of.
    """
    if pattern.depth > MAX_DEPTH:
        return ()
    dialect = _Superset()
    found: dict[str, None] = {}
    for body in required_bodies(pattern.body):
        for piece in _pieces(body) if cut else (body,):
            trimmed = _trimmed(piece)
            if not _asks_for_something(trimmed):
                continue
            try:
                text = rewrite_branches(trimmed, dialect)
            except NotRewritableError:
                continue
            if len(text) <= MAX_LENGTH:
                found[text] = None
    return tuple(found)


def required_bodies(body: Disjunction) -> Iterator[Disjunction]:
    """What has to match somewhere in every value that `body` matches: itself, and its positive assertions."""
    yield body
    if isinstance(body, Sequence):
        for item in body.items:
            if isinstance(item, Look) and not item.negated:
                yield from required_bodies(item.body)
            elif isinstance(item, Group):
                required = required_bodies(item.body)
                next(required)
                yield from required


def _pieces(body: Disjunction) -> Iterator[Disjunction]:
    """What stands between the wide gaps of a sequence; of every branch of an alternation, the piece that says most."""
    if isinstance(body, Alternation):
        said = [max(_pieces(branch), key=_characters) for branch in body.branches]
        yield replace(body, branches=tuple(piece for piece in said if isinstance(piece, Sequence)))
        return
    start = 0
    for index, item in enumerate(body.items):
        if isinstance(item, Quantifier) and (item.max is None or item.max > MAX_COUNT) and _is_wide(item.body):
            yield replace(body, items=body.items[start:index])
            start = index + 1
    yield replace(body, items=body.items[start:])


def _characters(body: Disjunction) -> int:
    return sum(isinstance(item, Char) for item in body.items) if isinstance(body, Sequence) else 0


def _is_wide(body: Term) -> bool:
    return isinstance(body, Dot | CharClass | ClassEscape) and len(project(units_of(body))) >= _WIDE


def _trimmed(body: Disjunction) -> Disjunction:
    if isinstance(body, Alternation):
        return replace(body, branches=tuple(_trimmed_sequence(branch) for branch in body.branches))
    return _trimmed_sequence(body)


def _trimmed_sequence(sequence: Sequence) -> Sequence:
    r"""Without what may be empty at its ends, and with as few repetitions there as there may be. A `\b` in front goes
    too: it keeps patterns that begin alike from sharing an automaton."""
    items: list[Term] = [item for item in sequence.items if not isinstance(item, Look)]
    for end in (0, -1):
        while items and isinstance(items[end], Quantifier) and items[end].min == 0:  # type: ignore[union-attr]
            del items[end]
        if items:
            items[end] = _least(items[end])
    if items and isinstance(items[0], Anchor) and items[0].kind is AnchorKind.WORD_BOUNDARY:
        del items[0]
    return replace(sequence, items=tuple(items))


def _least(item: Term) -> Term:
    return replace(item, max=item.min) if isinstance(item, Quantifier) else item


def _asks_for_something(body: Disjunction) -> bool:
    """Whether every branch asks for more than a place."""
    branches = body.branches if isinstance(body, Alternation) else (body,)
    return all(any(not isinstance(item, Anchor) for item in branch.items) for branch in branches)


_ANCHORS = {
    AnchorKind.START: "(?m:^)",
    AnchorKind.END: "(?m:$)",
    AnchorKind.WORD_BOUNDARY: r"\b",
    AnchorKind.NOT_WORD_BOUNDARY: r"\B",
}


class _Superset:
    """The dialect of RE2, weakened."""

    def units(self, units: UnitSet) -> str:
        return _class(project(units))

    def anchor(self, kind: AnchorKind) -> str:
        return _ANCHORS[kind]

    def look(self, node: Look) -> str:
        return "(?:)"

    def repeat(self, body: str, node: Quantifier) -> str:
        """A count inside a count is weakened too: they would multiply. Braces are written for counts alone."""
        low, high = min(node.min, MAX_COUNT), node.max
        if high == 0:
            return "(?:)"
        if high is not None and (high > MAX_COUNT or (high > 1 and "{" in body)):
            high = None
        if "{" in body:
            low = min(low, 1)
        match low, high:
            case 0, None:
                return body + "*"
            case 1, None:
                return body + "+"
            case 0, 1:
                return body + "?"
            case 1, 1:
                return body
            case _, None:
                return f"{body}{{{low},}}"
            case _:
                return f"{body}{{{low},{high}}}"


@lru_cache(maxsize=4096)
def _class(projected: frozenset[int]) -> str:
    """A class of bytes; the other bytes do not occur."""
    if len(projected) == 1:
        return _byte(next(iter(projected)))
    ranges: list[tuple[int, int]] = []
    for byte in sorted(projected):
        if ranges and ranges[-1][1] == byte - 1:
            ranges[-1] = (ranges[-1][0], byte)
        else:
            ranges.append((byte, byte))
    if not ranges:
        return r"[^\x00-\xff]"
    return "[" + "".join(_byte(a) if a == b else f"{_byte(a)}-{_byte(b)}" for a, b in ranges) + "]"


def _byte(byte: int) -> str:
    character = chr(byte)
    return character if character.isascii() and character.isalnum() else f"\\x{byte:02x}"
