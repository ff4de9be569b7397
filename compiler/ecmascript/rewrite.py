"""A pattern written anew in another dialect, or over another alphabet, from its syntax tree.

What a piece becomes is the dialect's affair; how pieces stand together is the same everywhere: branches, sequences
and repetitions are written in groups that capture nothing.
"""

from __future__ import annotations

from typing import Protocol

from .charsets import UnitSet, units_of
from .tree import (
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

MAX_DEPTH = 50
"""Levels of nesting that are rewritten: up to eight calls each, of the thousand that Python lets stand inside each
other. No pattern that a person wrote comes near."""


class NotRewritableError(Exception):
    """The dialect has nothing that says the same, or the pattern nests too deep."""


class Dialect(Protocol):
    """Writes the pieces; any of its methods may raise `NotRewritableError`."""

    def units(self, units: UnitSet) -> str:
        """One code unit out of a set."""
        ...

    def anchor(self, kind: AnchorKind) -> str: ...

    def look(self, node: Look) -> str: ...

    def repeat(self, body: str, node: Quantifier) -> str:
        """`body`, written already and one piece, as often as `node` says."""
        ...


def rewrite(pattern: Pattern, dialect: Dialect) -> str:
    """The text of `pattern` in `dialect`; raises `NotRewritableError`."""
    if pattern.depth > MAX_DEPTH:
        raise NotRewritableError(f"more than {MAX_DEPTH} levels of nesting")
    return rewrite_branches(pattern.body, dialect)


def rewrite_branches(body: Disjunction, dialect: Dialect) -> str:
    branches = body.branches if isinstance(body, Alternation) else (body,)
    return "|".join("".join(_term(item, dialect) for item in branch.items) for branch in branches)


def _term(node: Term, dialect: Dialect) -> str:
    match node:
        case Char() | Dot() | ClassEscape() | CharClass():
            return dialect.units(units_of(node))
        case Anchor(kind=kind):
            return dialect.anchor(kind)
        case Group(body=body):
            return f"(?:{rewrite_branches(body, dialect)})"
        case Look():
            return dialect.look(node)
        case Quantifier(body=body):
            return dialect.repeat(_term(body, dialect), node)
        case BackReference():
            raise NotRewritableError("a back-reference")
