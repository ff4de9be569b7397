r"""ECMAScript regular expressions as text: syntax, tree, and what is wrong with them.

    pattern = parse(r"systemctl\s+(?<verb>restart|reload)")
    pattern.captures, pattern.names         # 1, {'verb': 1}

    parse("(?P<verb>restart)")              # PatternError: at 1, hint “write `(?<verb>...)`”

Only syntax lives here. What a pattern matches, ignoring case, is asked of an engine.
"""

from __future__ import annotations

from .errors import PatternError
from .parser import MAX_CAPTURES, parse
from .tree import (
    MAX_REPEAT,
    Alternation,
    Anchor,
    AnchorKind,
    Atom,
    BackReference,
    Char,
    CharClass,
    ClassEscape,
    ClassRange,
    Disjunction,
    Dot,
    Group,
    Look,
    Node,
    Pattern,
    Quantifier,
    Sequence,
    Term,
    children,
    walk,
)

__all__ = [
    "MAX_CAPTURES",
    "MAX_REPEAT",
    "Alternation",
    "Anchor",
    "AnchorKind",
    "Atom",
    "BackReference",
    "Char",
    "CharClass",
    "ClassEscape",
    "ClassRange",
    "Disjunction",
    "Dot",
    "Group",
    "Look",
    "Node",
    "Pattern",
    "PatternError",
    "Quantifier",
    "Sequence",
    "Term",
    "children",
    "parse",
    "walk",
]
