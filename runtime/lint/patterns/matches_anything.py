r"""GW206: a pattern that every value matches, the empty one included.

    (restart)?      a|      .*      ^\s*

A match of nothing at the beginning of a value, or at its end, is a match in every value. What hangs on more than that
(`^[\s\S]*$`, look-arounds) is asked of the languages.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.ecmascript import (
    Alternation,
    Anchor,
    AnchorKind,
    BackReference,
    Disjunction,
    Group,
    Look,
    Pattern,
    Quantifier,
    Sequence,
    Term,
    parse,
)
from ....compiler.findings import GW206, Finding, Fix, Label, Witness
from ....compiler.languages import Proved, Undecided, matches_everything
from ..edits import with_value
from ..scene import PatternUse, Scene
from .reading import is_readable

MAX_LABELS = 3

_START, _END = frozenset({AnchorKind.START}), frozenset({AnchorKind.END})
_BOTH = _START | _END
_Blame = Quantifier | Sequence
"""What lets nothing pass: a piece that may be left out, or an empty branch."""


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if is_readable(scene, GW206, use) and _matches_everything(scene, use):
            yield _finding(use)


def _matches_everything(scene: Scene, use: PatternUse) -> bool:
    body = use.tree.body
    if not _may_be_empty(body, _BOTH, looks=True):
        return False  # the empty value is not matched
    if _may_be_empty(body, _START, looks=False) or _may_be_empty(body, _END, looks=False):
        return True
    answer = matches_everything(use.tree)
    if isinstance(answer, Undecided):
        scene.undecided(GW206, answer.why, use)
    return isinstance(answer, Proved)


def _may_be_empty(node: Disjunction | Term, held: frozenset[AnchorKind], *, looks: bool) -> bool:
    """Whether `node` matches nothing at all at a place where the positions `held` are given; `looks` is what is taken
    for the answer of a look-around and of a reference."""
    match node:
        case Sequence():
            return all(_may_be_empty(item, held, looks=looks) for item in node.items)
        case Alternation():
            return any(_may_be_empty(branch, held, looks=looks) for branch in node.branches)
        case Group():
            return _may_be_empty(node.body, held, looks=looks)
        case Quantifier():
            return node.min == 0 or _may_be_empty(node.body, held, looks=looks)
        case Anchor():
            return node.kind in held or (looks and node.kind is AnchorKind.NOT_WORD_BOUNDARY)
        case Look() | BackReference():
            return looks
        case _:
            return False


def _finding(use: PatternUse) -> Finding:
    blamed = tuple(_blamed(use.tree.body))
    labels: list[Label] = []
    for node in blamed[:MAX_LABELS]:
        start, end, words = _place(use.tree, node)
        span = use.inside(start, end)
        if span is not None and span != use.span:
            labels.append(Label(span, words))
    return Finding(
        GW206,
        "every value matches this pattern, the empty one too",
        use.inside(0, len(use.text)),
        labels=tuple(labels),
        help="leave out what asks for nothing, and require the words that matter",
        rule=use.rule.label,
        witness=Witness("matches the empty value", "", matches=(use.text,)),
        fix=_fix(use, blamed),
    )


def _blamed(node: Disjunction | Term) -> Iterator[_Blame]:
    """The parts that would have to go, or to be asked for, for the pattern to say something."""
    match node:
        case Sequence():
            if not node.items:
                yield node
            for item in node.items:
                yield from _blamed(item)
        case Alternation():
            empty = (branch for branch in node.branches if _may_be_empty(branch, _BOTH, looks=True))
            yield from _blamed(next(empty, node.branches[0]))
        case Group():
            yield from _blamed(node.body)
        case Quantifier():
            if node.min == 0:
                yield node
            else:
                yield from _blamed(node.body)
        case _:
            return


def _place(pattern: Pattern, node: _Blame) -> tuple[int, int, str]:
    """Where a part is marked, and what is said of it: the sign behind a piece, the bar beside an empty branch."""
    if isinstance(node, Quantifier):
        words = "may be left out" if node.max == 1 else "none at all will do"
        return node.body.end, node.end, words
    if pattern.source[node.start - 1 : node.start] == "|":
        return node.start - 1, node.start, "an empty branch"
    return node.end, node.end + 1, "an empty branch" if pattern.source.startswith("|", node.end) else "an empty group"


def _fix(use: PatternUse, blamed: tuple[_Blame, ...]) -> Fix | None:
    """The one sign that is too much taken away, where that leaves a pattern that says something."""
    if len(blamed) != 1:
        return None
    [node] = blamed
    start, end, _ = _place(use.tree, node)
    if isinstance(node, Quantifier):
        if not isinstance(node.body, Group):
            return None
        once = node.max == 1
        title, sign = ("require the group", "") if once else ("require the group at least once", "+")
        if node.max is not None and not once:
            return None
    elif use.text[start:end] == "|":
        title, sign = "drop the empty branch", ""
    else:
        return None
    text = use.text[:start] + sign + use.text[end:]
    if not text or _may_be_empty(parse(text).body, _BOTH, looks=True):
        return None
    edit = with_value(use.span, text)
    return Fix(title, (edit,)) if edit is not None else None
