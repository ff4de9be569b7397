r"""GW212: file name patterns of the shell, which are valid regular expressions and mean something else.

nginx*                  “ngin”, then any number of “x”
/etc/nginx/*            “/etc/nginx”, then any number of slashes
{restart,reload}        these very characters, braces and all
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....compiler.ecmascript import (
    Anchor,
    AnchorKind,
    Char,
    ClassEscape,
    Dot,
    Quantifier,
    Sequence,
    Term,
    walk,
)
from ....compiler.findings import GW212, Finding, Fix, Witness
from ..edits import with_value
from ..samples import sample
from ..scene import PatternUse, Scene
from .reading import is_readable

MIN_LETTERS = 3
"""Letters before the repeated one: `fo*` is more likely meant than `nginx*`."""

_ANY_NAME = r"[^/\s]*"
_IN_BRACES = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,")
_QUOTES = frozenset("'\"`")


@dataclass(frozen=True, slots=True)
class _Star:
    """A `*` that reads as that of a glob."""

    node: Quantifier
    word: int
    """Where the word or path that it belongs to begins."""
    dot: Dot | None
    """The `.` behind it: `*.log`."""


@dataclass(frozen=True, slots=True)
class _Braces:
    opening: Char
    closing: Char
    words: tuple[str, ...]


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if "*" not in use.text and "{" not in use.text:
            continue
        if not is_readable(scene, GW212, use):
            continue
        star: _Star | None = None
        braces: _Braces | None = None
        for node in walk(use.tree.body):
            if isinstance(node, Sequence):
                star = star or _star(use.text, node)
                braces = braces or _braces(use.text, node)
        if star is not None:
            yield _star_finding(use, star)
        if braces is not None:
            yield _braces_finding(use, braces)


# ---- stars ---------------------------------------------------------------------------------------------------------


def _star(text: str, sequence: Sequence) -> _Star | None:
    items = sequence.items
    for index, node in enumerate(items):
        if not (isinstance(node, Quantifier) and isinstance(node.body, Char)):
            continue
        if text[node.body.end : node.end] != "*" or node.body.end != node.body.start + 1:
            continue
        # 1. what stands before: letters of one word, or a path
        first = index
        while first > 0 and _is_of_path(items[first - 1]):
            first -= 1
        before = "".join(chr(each.unit) for each in items[first:index] if isinstance(each, Char))
        letter, behind = chr(node.body.unit), items[index + 1 :]
        is_path = letter == "/" and "/" in before and before[-1:].isalnum()
        word = len(before) - len(before.rstrip(_LETTERS))
        # `errors*` is a careless plural as often as a glob.
        is_word = letter.isascii() and letter.isalpha() and letter not in "sS" and word >= MIN_LETTERS
        # 2. what stands behind: the end of a word
        if (is_path or is_word) and _ends_the_glob(behind, is_path=is_path):
            dot = behind[0] if behind and isinstance(behind[0], Dot) else None
            return _Star(node, items[first].start, dot)
    return None


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _is_of_path(node: Term) -> bool:
    return isinstance(node, Char) and (chr(node.unit).isalnum() or chr(node.unit) in "/_.-~")


def _ends_the_glob(behind: tuple[Term, ...], *, is_path: bool) -> bool:
    """Whether a name ends here. `/*$` is not taken: it is how a last slash is made optional."""
    if not behind:
        return True
    match behind[0]:
        case Anchor(kind=kind):
            return kind is AnchorKind.END and not is_path
        case Dot():
            return len(behind) > 1 and isinstance(behind[1], Char) and chr(behind[1].unit).isalpha()
        case Char(unit=unit):
            character = chr(unit)
            is_space = character == " "
            return (is_space and not _is_end(behind[1:])) or (character == "/" and not is_path) or character in _QUOTES
        case ClassEscape(letter="s") | Quantifier(body=ClassEscape(letter="s")):
            return not _is_end(behind[1:])
        case _:
            return False


def _is_end(behind: tuple[Term, ...]) -> bool:
    return len(behind) == 1 and isinstance(behind[0], Anchor) and behind[0].kind is AnchorKind.END


def _star_finding(use: PatternUse, star: _Star) -> Finding:
    node = star.node
    letter = use.text[node.start]
    end = node.end if star.dot is None else star.dot.end
    name = _ANY_NAME + (r"\." if star.dot is not None else "")
    # The letter belongs to the name; the star alone is what goes.
    fixed = use.text[: node.end - 1] + name + use.text[end:]
    edit = with_value(use.span, fixed)
    value = sample(use.tree)
    what = "slashes" if letter == "/" else f"“{letter}”"
    return Finding(
        GW212,
        f"`{letter}*` is any number of {what}, zero too, and not what a shell makes of it",
        use.inside(star.word, node.end),
        help=rf"write `{_ANY_NAME}` for the rest of a name, or `\*` for the star itself",
        rule=use.rule.label,
        witness=Witness("matches as well", value, matches=(use.text,)) if value else None,
        fix=Fix("let any name stand there", (edit,)) if edit is not None else None,
    )


# ---- braces --------------------------------------------------------------------------------------------------------


def _braces(text: str, sequence: Sequence) -> _Braces | None:
    opening: Char | None = None
    for node in sequence.items:
        if not isinstance(node, Char | Dot):
            opening = None
        elif isinstance(node, Char) and text[node.start : node.end] == "{":
            opening = node
        elif isinstance(node, Char) and opening is not None and text[node.start : node.end] == "}":
            words = tuple(text[opening.end : node.start].split(","))
            if len(words) > 1 and all(words) and any(each.isalpha() for each in "".join(words)):
                return _Braces(opening, node, words)
            opening = None
        elif text[node.start : node.end] not in _IN_BRACES:
            opening = None
    return None


def _braces_finding(use: PatternUse, braces: _Braces) -> Finding:
    start, end = braces.opening.start, braces.closing.end
    branches = "|".join(word.replace(".", r"\.") for word in braces.words)
    fixed = f"{use.text[:start]}(?:{branches}){use.text[end:]}"
    edit = with_value(use.span, fixed)
    # The first word stands for all of it.
    said = dict.fromkeys(range(start, end), "") | {start: braces.words[0]}
    value = sample(use.tree, instead=said)
    return Finding(
        GW212,
        f"`{use.text[start:end]}` is this text, braces and all, and no choice",
        use.inside(start, end),
        help=f"write `(?:{branches})`",
        rule=use.rule.label,
        witness=Witness("does not match", value, matches=(fixed,), misses=(use.text,)) if value else None,
        fix=Fix("write a group", (edit,)) if edit is not None else None,
    )
