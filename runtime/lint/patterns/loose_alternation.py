r"""GW204: `|` at the top of a pattern takes everything on its sides, where less was meant.

    ^root|syslog$               begins with “root”, or ends with “syslog”
    systemctl restart|reload    “systemctl restart”, or “reload” anywhere
    git push --force|-f         “git push --force”, or “-f” anywhere

Silent where branches stand on their own: `journalctl|/var/log/nginx`, `^a|^b`, `^rm\s|;\s*rm\s`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....compiler.ecmascript import Alternation, Anchor, AnchorKind, Sequence, Term
from ....compiler.findings import GW204, Finding, Witness
from ..scene import PatternUse, Scene
from .reading import (
    COMMANDS,
    PATHS,
    flat,
    harm,
    is_blank,
    is_gap,
    is_readable,
    is_word_letter,
    letter,
    sample_of_terms,
    unsafe_fix,
)
from .usual_words import SERVICE_NAMES, VERBS

_PREFIXES = ("sudo",)
_OPTIONS_OF_OTHERS = {"-f": "tail {} app.log", "--force": "npm install {}"}
"""Options, with a harmless command that has them too."""


@dataclass(frozen=True, slots=True)
class _Slip:
    """A branch that is on its own and should not be, the message, and the pattern that says what was meant."""

    branch: Sequence
    message: str
    around: str
    """A value with `{}` for a string of the branch."""
    fixed: str


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        body = use.tree.body
        if not isinstance(body, Alternation) or not is_readable(scene, GW204, use):
            continue
        slip = _prefix(use, body) or _anchors(use, body)
        text = sample_of_terms(use.tree, slip.branch.items) if slip is not None else None
        if slip is None or text is None:
            continue
        # What `echo` prints is no part of an invocation.
        around = slip.around.replace("echo ", "which ") if use.where == "invocations" else slip.around
        yield Finding(
            GW204,
            f"{slip.message}, which {harm(use)}",
            use.inside(slip.branch.start, slip.branch.end),
            help="`|` divides the whole pattern; `(?:…|…)` divides a part of it",
            rule=use.rule.label,
            witness=Witness("matches as well", around.format(text.strip()), matches=(use.text,), misses=(slip.fixed,)),
            fix=unsafe_fix(use, "put the alternatives into a group", slip.fixed),
        )


# ---- anchors -------------------------------------------------------------------------------------------------------


def _anchors(use: PatternUse, body: Alternation) -> _Slip | None:
    """`^a|b`, `a|b$`, `\\ba|b\\b`: an anchor of the first branch or the last one that others lack."""
    first, *_, last = body.branches
    front = _anchor(first, 0, AnchorKind.START)
    back = _anchor(last, -1, AnchorKind.END)
    if front is not None and _anchor(first, -1, AnchorKind.END) is not None:
        front = None  # a branch with both is complete, and on purpose
    if back is not None and _anchor(last, 0, AnchorKind.START) is not None:
        back = None
    if front is None and back is None:
        # `\b` on one side says little; on both outer ends it was meant for all.
        front = _anchor(first, 0, AnchorKind.WORD_BOUNDARY)
        back = _anchor(last, -1, AnchorKind.WORD_BOUNDARY)
        inner = (_anchor(first, -1, AnchorKind.WORD_BOUNDARY), _anchor(last, 0, AnchorKind.WORD_BOUNDARY))
        if front is None or back is None or inner != (None, None):
            return None
    without_front = _open(body.branches, front, 0)
    without_back = _open(body.branches, back, -1)
    if not without_front and not without_back:
        return None
    sign = front if without_front else back
    loose = without_front[0] if without_front else without_back[0]
    written = "" if sign is None else use.text[sign.start : sign.end]
    shown = use.text[loose.start : loose.end]
    return _Slip(
        loose,
        f"`{written}` is no part of the branch `{shown}`",
        _around(use, sign, at_front=bool(without_front)),
        _grouped(use, body, front if without_front else None, back if without_back else None),
    )


def _anchor(branch: Sequence, at: int, kind: AnchorKind) -> Anchor | None:
    item = branch.items[at] if branch.items else None
    return item if isinstance(item, Anchor) and item.kind is kind else None


def _open(branches: tuple[Sequence, ...], anchor: Anchor | None, at: int) -> tuple[Sequence, ...]:
    """The branches that lack the anchor; none at all where one of them has a limit of its own, or begins otherwise than
    the branch with the anchor does."""
    if anchor is None:
        return ()
    own, others = (branches[0], branches[1:]) if at == 0 else (branches[-1], branches[:-1])
    lacking = tuple(branch for branch in others if _anchor(branch, at, anchor.kind) is None)
    inner = flat(own)[1:] if at == 0 else flat(own)[:-1]
    kind = _kind(inner[at]) if inner else None
    alike = all(branch.items and _kind(flat(branch)[at]) == kind for branch in lacking)
    return lacking if kind is not None and alike else ()


def _kind(term: Term) -> str | None:
    if is_word_letter(term):
        return "word"
    return "path" if letter(term) == "/" else None


def _around(use: PatternUse, sign: Anchor | None, *, at_front: bool) -> str:
    if sign is not None and sign.kind is AnchorKind.WORD_BOUNDARY:
        return "pre{}" if at_front else "{}ing"
    if not at_front:
        return "{}-old"
    if use.where in PATHS:
        return "/srv/backup{}"
    return "echo {}" if use.where in COMMANDS else "not {}"


def _grouped(use: PatternUse, body: Alternation, front: Anchor | None, back: Anchor | None) -> str:
    """`^(?:a|b)$`, each anchor taken out of the branches that have it."""
    texts: list[str] = []
    for branch in body.branches:
        start, end = branch.start, branch.end
        if front is not None and (own := _anchor(branch, 0, front.kind)) is not None:
            start = own.end
        if back is not None and (own := _anchor(branch, -1, back.kind)) is not None:
            end = own.start
        texts.append(use.text[start:end])
    signs = ["" if each is None else use.text[each.start : each.end] for each in (front, back)]
    return f"{signs[0]}(?:{'|'.join(texts)}){signs[1]}"


# ---- what stands before the alternatives ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """What stands between blanks or gaps (`.*`); its text is empty where it is more than plain characters."""

    text: str
    start: int
    end: int


def _prefix(use: PatternUse, body: Alternation) -> _Slip | None:
    """`A B|C` where B and C are verbs of the tool A, or options, or services."""
    if use.where not in COMMANDS:
        return None
    first, *others = body.branches
    tokens = _tokens(first)
    while tokens and tokens[0].text in _PREFIXES:
        tokens = tokens[1:]
    if len(tokens) < 2 or not tokens[0].text.isascii() or not tokens[0].text[:1].isalpha():
        return None
    around = _alike(tokens, [_tokens(branch) for branch in others])
    if around is None:
        return None
    end = len(use.text)
    if isinstance(closing := others[-1].items[-1], Anchor):
        end = closing.start
    at = tokens[-1].start
    fixed = f"{use.text[:at]}(?:{use.text[at:end]}){use.text[end:]}"
    alone = _tokens(others[0])
    shown = use.text[alone[0].start : alone[-1].end]
    return _Slip(
        others[0], f"the branch `{shown}` matches without what stands before `{tokens[-1].text}`", around, fixed
    )


def _alike(tokens: list[_Token], others: list[list[_Token]]) -> str | None:
    """A value for the lone branches, where they are of the same kind as the last word of the first branch."""
    tool, last = tokens[0].text.lower(), tokens[-1].text.lower()
    if not all(each and each[0].text for each in others):
        return None
    words = [each[0].text.lower() for each in others]
    verbs = VERBS.get(tool, frozenset())
    if last in verbs and all(word in verbs for word in words) and not any(_is_option(each) for each in others):
        return "echo {}"
    if any(len(each) > 1 for each in others):
        return None
    if last.startswith("-") and all(word.startswith("-") for word in words):
        return _OPTIONS_OF_OTHERS.get(words[0], "echo {}")
    if len(tokens) >= 3 and all(word in SERVICE_NAMES and word != last for word in (last, *words)[1:]):
        return (
            "systemctl status {}" if last in SERVICE_NAMES and "status" not in (t.text for t in tokens) else "which {}"
        )
    return None


def _is_option(tokens: list[_Token]) -> bool:
    """Whether a verb is followed by an option: `rm -rf` may well be a command of its own."""
    return len(tokens) > 1 and not tokens[1].text[:1].isalnum()


def _tokens(branch: Sequence) -> list[_Token]:
    tokens: list[_Token] = []
    current: list[Term] = []
    for term in (*flat(branch), None):
        if term is None or is_blank(term) or is_gap(term):
            if current:
                tokens.append(_token(current))
            current = []
        elif not isinstance(term, Anchor):
            current.append(term)
    return tokens


def _token(terms: list[Term]) -> _Token:
    letters = [letter(term) for term in terms]
    text = "" if None in letters else "".join(each or "" for each in letters)
    return _Token(text, terms[0].start, terms[-1].end)
