r"""Literals that a match cannot do without, over projected values.

    clauses(parse(r"systemctl\s+(re)?start\s+(nginx|httpd)"))     # ((b'systemctl',), (b'start',), (b'nginx', b'httpd'))

A value that a pattern matches has at least one literal out of every clause. Looking for bytes is as fast as anything
gets, so most values are settled without any engine.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...compiler.ecmascript import (
    Anchor,
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
    Sequence,
    Term,
)
from ...compiler.ecmascript.charsets import units_of
from ...compiler.ecmascript.rewrite import MAX_DEPTH
from .projection import project

Clause = tuple[bytes, ...]

MAX_CLAUSES = 4
MAX_ALTERNATIVES = 16
"""Of a clause. To look for more costs about as much as to ask the engine."""

MIN_LENGTH = 2
"""Of the shortest literal of a clause: single characters are in almost every value."""


def clauses(pattern: Pattern) -> tuple[Clause, ...]:
    """The clauses worth looking for, the most selective first; none where the pattern asks for nothing literal."""
    if pattern.depth > MAX_DEPTH:
        return ()
    found = dict.fromkeys(clause for clause in _disjunction(pattern.body).clauses if _shortest(clause) >= MIN_LENGTH)
    ranked = sorted(found, key=lambda clause: (len(clause) > 1, -_shortest(clause), len(clause)))
    return tuple(ranked[:MAX_CLAUSES])


@dataclass(frozen=True, slots=True)
class _Needs:
    """What a piece of a pattern asks of a value."""

    exact: bytes | None
    """The one text that the piece matches; None where it matches several, or asks for more than its text."""
    clauses: tuple[Clause, ...] = ()


_NOTHING = _Needs(None)
_EMPTY = _Needs(b"")


def _shortest(clause: Clause) -> int:
    return min(map(len, clause))


def _disjunction(body: Disjunction) -> _Needs:
    if isinstance(body, Sequence):
        return _sequence(body)
    branches = [_sequence(branch) for branch in body.branches]
    best: list[bytes] = []
    for branch in branches:
        if not branch.clauses:
            return _NOTHING
        best += max(branch.clauses, key=lambda clause: (_shortest(clause), -len(clause)))
    alternatives = tuple(dict.fromkeys(best))
    return _Needs(None, (alternatives,)) if len(alternatives) <= MAX_ALTERNATIVES else _NOTHING


def _sequence(sequence: Sequence) -> _Needs:
    """Neighbours that match one text each make one literal together."""
    gathered: list[Clause] = []
    run = bytearray()
    whole = True
    for item in sequence.items:
        needs = _term(item)
        if needs.exact is not None:
            run += needs.exact
            continue
        whole = False
        gathered += needs.clauses
        if isinstance(item, Look):
            continue  # it takes no room: what stands before it and behind it are neighbours
        if run:
            gathered.append((bytes(run),))
        run.clear()
    if run:
        gathered.append((bytes(run),))
    return _Needs(bytes(run) if whole else None, tuple(gathered))


def _term(node: Term) -> _Needs:
    match node:
        case Char() | Dot() | ClassEscape() | CharClass():
            projected = project(units_of(node))
            return _Needs(bytes(projected)) if len(projected) == 1 else _NOTHING
        case Anchor():
            return _EMPTY
        case Group(body=body):
            return _disjunction(body)
        case Look(negated=negated, body=body):
            return _NOTHING if negated else _Needs(None, _disjunction(body).clauses)
        case Quantifier():
            return _repeated(node)
        case BackReference():
            return _NOTHING


def _repeated(node: Quantifier) -> _Needs:
    if node.max == 0:
        return _EMPTY
    if node.min == 0:
        return _NOTHING
    needs = _term(node.body)
    return needs if node.min == node.max == 1 else _Needs(None, needs.clauses)
