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
    AnchorKind,
    Disjunction,
    Group,
    Look,
    Pattern,
    Quantifier,
    Sequence,
    Term,
)
from ...compiler.ecmascript.charsets import UnitSet
from ...compiler.ecmascript.rewrite import MAX_DEPTH, NotRewritableError, rewrite_branches
from .projection import project

MAX_COUNT = 5
"""Counts above are weakened: an automaton has a state for each place in a count."""

MAX_LENGTH = 4_000
"""Characters of a superset. Longer ones are not worth their automaton: the pattern is asked about every value."""


def supersets(pattern: Pattern) -> tuple[str, ...]:
    """Patterns for RE2 that all match wherever `pattern` does; none where none is worth having."""
    if pattern.depth > MAX_DEPTH:
        return ()
    dialect = _Superset()
    found: dict[str, None] = {}
    for body in required_bodies(pattern.body):
        try:
            text = rewrite_branches(_trimmed(body), dialect)
        except NotRewritableError:
            continue
        if "" not in text.split("|") and len(text) <= MAX_LENGTH:
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


def _trimmed(body: Disjunction) -> Disjunction:
    if isinstance(body, Alternation):
        return replace(body, branches=tuple(_trimmed_sequence(branch) for branch in body.branches))
    return _trimmed_sequence(body)


def _trimmed_sequence(sequence: Sequence) -> Sequence:
    """Without what may be empty at its ends, and with as few repetitions there as there may be."""
    items: list[Term] = [item for item in sequence.items if not isinstance(item, Look)]
    for end in (0, -1):
        while items and isinstance(items[end], Quantifier) and items[end].min == 0:  # type: ignore[union-attr]
            del items[end]
        if items:
            items[end] = _least(items[end])
    return replace(sequence, items=tuple(items))


def _least(item: Term) -> Term:
    return replace(item, max=item.min) if isinstance(item, Quantifier) else item


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
