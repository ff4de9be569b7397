r"""A pattern changed by one small step: looser, tighter, or with an alternative less.

    pattern_changes(r"\b(start|stop)")
    # (start|stop)       dropping “\b”
    # \b(stop)           dropping the alternative “start”
    # …

Every step is a cut in the pattern's text; whether it changes what the pattern matches is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...compiler.ecmascript import Pattern, PatternError, parse
from ...compiler.ecmascript.tree import (
    Alternation,
    Anchor,
    Char,
    ClassEscape,
    Group,
    Look,
    Node,
    Quantifier,
    Sequence,
    walk,
)

MAX_DEPTH = 50
"""Levels of nesting of patterns that are changed; none that a person wrote comes near."""


@dataclass(frozen=True, slots=True)
class PatternChange:
    """The pattern after a step, and the characters of the old one that the step is about."""

    kind: str
    text: str
    what: str
    start: int
    end: int


def pattern_changes(text: str) -> Iterator[PatternChange]:
    """All steps from a pattern, in the order of their places; none from one that is invalid or nests too deep."""
    try:
        tree = parse(text)
    except PatternError:
        return
    if tree.depth > MAX_DEPTH:
        return
    for node in walk(tree.body):
        yield from _of_node(node, text)
    yield from _anchored(tree)


def _of_node(node: Node, text: str) -> Iterator[PatternChange]:
    match node:
        case Sequence(items=items):
            for item in items:
                if isinstance(item, Anchor | Look):
                    yield _without(item, text)
        case Quantifier():
            yield from _repeated_otherwise(node, text)
        case Alternation(branches=branches):
            for dropped in branches:
                kept = "|".join(text[each.start : each.end] for each in branches if each is not dropped)
                words = text[dropped.start : dropped.end]
                what = f"dropping the alternative “{words}”" if words else "dropping the empty alternative"
                start, end = dropped.start, dropped.end
                changed = text[: node.start] + kept + text[node.end :]
                yield PatternChange("drop-alternative", changed, what, start, max(end, start + 1))
        case _:
            pass


def _without(item: Anchor | Look, text: str) -> PatternChange:
    words = text[item.start : item.end]
    return PatternChange(
        "loosen-pattern", text[: item.start] + text[item.end :], f"dropping “{words}”", item.start, item.end
    )


def _repeated_otherwise(node: Quantifier, text: str) -> Iterator[PatternChange]:
    """`x+` ↔ `x*`, and `x?` → `x`; counts in braces are left as they are."""
    body, mark = text[node.start : node.body.end], text[node.body.end : node.end]
    match mark[:1]:
        case "+":
            kind, other, become = "loosen-pattern", f"*{mark[1:]}", "*"
        case "*":
            kind, other, become = "tighten-pattern", f"+{mark[1:]}", "+"
        case "?":
            kind, other, become = "tighten-pattern", "", ""
        case _:
            return
    changed = text[: node.body.end] + other + text[node.end :]
    yield PatternChange(kind, changed, f"making “{body}{mark[:1]}” “{body}{become}”", node.start, node.end)


def _anchored(tree: Pattern) -> Iterator[PatternChange]:
    """The pattern bound to the ends of the value, and to the ends of words where it begins or ends with one."""
    text = tree.source
    piece = text if isinstance(tree.body, Sequence) else f"(?:{text})"
    made = [("^", f"^{piece}", True), ("$", f"{piece}$", False)]
    made += [(r"\b", rf"\b{piece}", True)] if _is_word_at_edge(tree.body, first=True) else []
    made += [(r"\b", rf"{piece}\b", False)] if _is_word_at_edge(tree.body, first=False) else []
    for anchor, changed, first in made:
        where = "in front" if first else "at the end"
        yield PatternChange("tighten-pattern", changed, f"putting “{anchor}” {where}", 0, max(len(text), 1))


def _is_word_at_edge(node: Node, *, first: bool) -> bool:
    """Whether all that the node matches begins (or ends) with a letter, digit or `_`, as far as is easily seen."""
    match node:
        case Char(unit=unit):
            return unit < 0x80 and (chr(unit).isalnum() or unit == 0x5F)
        case ClassEscape(letter=letter):
            return letter in ("w", "d")
        case Sequence(items=items):
            return bool(items) and _is_word_at_edge(items[0 if first else -1], first=first)
        case Alternation(branches=branches):
            return all(_is_word_at_edge(branch, first=first) for branch in branches)
        case Group(body=body):
            return _is_word_at_edge(body, first=first)
        case Quantifier(body=body, min=least):
            return least > 0 and _is_word_at_edge(body, first=first)
        case _:
            return False
