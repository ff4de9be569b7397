r"""Pieces of a pattern as a reader sees them: where it is open, where anything may stand, where a blank.

    flat(parse(r"(?:rm\s+)-rf").body)       # r, m, \s+, -, r, f: groups of one branch are no border

What a rule does with a match is told here too: a demand that matches too much passes wrong runs, a ban that does fails
right ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from ....compiler.ecmascript import (
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
from ....compiler.ecmascript.charsets import SPACES, WORD, UnitSet, contains, union, units_of
from ....compiler.findings import Code, Edit, Fix
from ..edits import with_value
from ..samples import MAX_DEPTH, sample_of
from ..scene import PatternUse, Scene

COMMANDS = frozenset({"executed_commands", "invocations"})
PATHS = frozenset({"write_file", "update_file"})
PROSE = frozenset(
    {
        "agent_messages",
        "task_summary",
        "task_description",
        "task_plan",
        "operational_rules",
        "job_resolution",
        "job_plan",
        "gateway_messages",
        "gateway_summary",
    }
)

MAX_SOURCE = 4_000
"""Longer patterns were made by programs; a reader's habits say nothing of them."""
LONG_GAP = 10
"""A repetition of any character at most this often is no gap: `.{0,3}`."""

_SEPARATORS = ";&|"
_SEPARATING = union([*SPACES, (ord(":"), ord(":")), (ord("="), ord("="))])
_ONE_UNIT = (Char, Dot, ClassEscape, CharClass)


def is_readable(scene: Scene, kind: Code, use: PatternUse) -> bool:
    """Whether a pattern is of a size that people write; where not, that is noted."""
    if len(use.text) <= MAX_SOURCE and use.tree.depth <= MAX_DEPTH:
        return True
    scene.undecided(kind, "the pattern is too long or nests too deep to be read", use)
    return False


def forbids(use: PatternUse) -> bool:
    """Whether a match speaks against the run: bans, upper limits, and what must not come before.

    `exactly` does both; it counts as a demand.
    """
    if use.field == "before":
        return not use.rule.negate
    how_often = use.check.how_often
    return use.rule.negate or (how_often is not None and how_often.bound == "at most")


def harm(use: PatternUse) -> str:
    """What a match of something else does."""
    return "can fail a run that did nothing wrong" if forbids(use) else "can pass a run that did something else"


# ---- pieces --------------------------------------------------------------------------------------------------------


def branches(body: Disjunction) -> tuple[Sequence, ...]:
    return body.branches if isinstance(body, Alternation) else (body,)


def flat(sequence: Sequence) -> tuple[Term, ...]:
    """The terms of a sequence, those of its groups of one branch among them; only for patterns that are readable."""
    return tuple(_flat(sequence))


def _flat(sequence: Sequence) -> Iterator[Term]:
    for term in sequence.items:
        if isinstance(term, Group) and isinstance(term.body, Sequence):
            yield from _flat(term.body)
        else:
            yield term


def letter(term: Term) -> str | None:
    """The character that a term is; None for everything else, halves of characters among it."""
    if isinstance(term, Char) and not 0xD800 <= term.unit <= 0xDFFF:
        return chr(term.unit)
    return None


def is_word_letter(term: Term) -> bool:
    return isinstance(term, Char) and contains(WORD, term.unit)


def is_blank(term: Term) -> bool:
    r"""Whether a term is white space, one or more: a space, `\s+`, `[ \t]`."""
    if isinstance(term, Quantifier):
        return term.min >= 1 and is_blank(term.body)
    return isinstance(term, _ONE_UNIT) and not isinstance(term, Dot) and _within(units_of(term), SPACES)


def is_separator(term: Term) -> bool:
    r"""Whether a term is a blank or what stands between a name and its value: `=`, `[:=\s]+`, `\s*`."""
    body = term.body if isinstance(term, Quantifier) else term
    return isinstance(body, _ONE_UNIT) and not isinstance(body, Dot) and _within(units_of(body), _SEPARATING)


def is_optional_blank(term: Term) -> bool:
    r"""`\s*`, ` ?`."""
    return isinstance(term, Quantifier) and term.min == 0 and is_blank(term.body)


def is_gap(term: Term) -> bool:
    r"""Whether anything may stand here, the end of one command and the next one included: `.*`, `[\s\S]+`."""
    if not isinstance(term, Quantifier) or (term.max is not None and term.max < LONG_GAP):
        return False
    return _is_any(term.body)


def _is_any(body: Term) -> bool:
    match body:
        case Dot():
            return True
        case CharClass():
            units = units_of(body)
            return all(contains(units, ord(each)) for each in f"{_SEPARATORS} ax0-/.")
        case Group(index=None, body=Alternation(branches=several)):
            return any(len(branch.items) == 1 and isinstance(branch.items[0], Dot) for branch in several)
        case _:
            return False


def _within(units: UnitSet, larger: UnitSet) -> bool:
    return bool(units) and all(any(low <= first and last <= high for low, high in larger) for first, last in units)


# ---- words and what stands beside them -----------------------------------------------------------------------------

Side = Literal["open", "limit", "unknown"]
"""What limits a word on one side: nothing at all, something that is no part of a word, or something in between."""


@dataclass(frozen=True, slots=True)
class Word:
    """Plain characters of words in a row, as many as there are."""

    text: str
    start: int
    end: int
    before: Side
    after: Side
    terms: tuple[Term, ...]
    """The branch that it stands in."""
    first: int
    last: int
    """Where in `terms`; `last` is behind it."""


def words(body: Disjunction, before: Side = "open", after: Side = "open") -> Iterator[Word]:
    """All words of a pattern that stand in no optional or repeated group; only for patterns that are readable."""
    for branch in branches(body):
        terms = flat(branch)
        index = 0
        while index < len(terms):
            term = terms[index]
            if isinstance(term, Group):
                yield from words(term.body, _side(terms, index, -1, before), _side(terms, index, 1, after))
            if not is_word_letter(term):
                index += 1
                continue
            last = index
            while last < len(terms) and is_word_letter(terms[last]):
                last += 1
            text = "".join(letter(each) or "" for each in terms[index:last])
            sides = _side(terms, index, -1, before), _side(terms, last - 1, 1, after)
            yield Word(text, term.start, terms[last - 1].end, *sides, terms, index, last)
            index = last


def _side(terms: tuple[Term, ...], index: int, step: Literal[-1, 1], outside: Side) -> Side:
    """What stands on one side of the term at `index`. Pieces that may be missing and are no part of a word are looked
    through."""
    at = index + step
    passed = False
    while 0 <= at < len(terms):
        term = terms[at]
        if is_gap(term):
            return "open"
        if not (isinstance(term, Quantifier) and term.min == 0 and _is_outside_words(term.body)):
            side = _limit(term)
            return "unknown" if passed and is_word_letter(term) else side
        passed = True
        at += step
    return outside


def _limit(term: Term) -> Side:
    if isinstance(term, Anchor):
        return "unknown" if term.kind is AnchorKind.NOT_WORD_BOUNDARY else "limit"
    body = term.body if isinstance(term, Quantifier) and term.min >= 1 else term
    return "limit" if _is_outside_words(body) else "unknown"


def _is_outside_words(term: Term) -> bool:
    match term:
        case Char(unit=unit):
            return not contains(WORD, unit)
        case ClassEscape(letter=kind):
            return kind in "sW"
        case CharClass():
            return all(last < low or high < first for first, last in units_of(term) for low, high in WORD)
        case _:
            return False


# ---- samples and fixes ---------------------------------------------------------------------------------------------

_NOTHING: Mapping[int, str] = MappingProxyType({})


def sample_through(tree: Pattern, start: int, instead: Mapping[int, str] = _NOTHING) -> str | None:
    """A string that the pattern may match by way of the piece that begins at `start`."""
    if tree.depth > MAX_DEPTH:
        return None
    return sample_of(tree, _through(tree.body, start), gap=" ", instead=instead)


def sample_of_terms(tree: Pattern, terms: Iterable[Term]) -> str | None:
    """A string for some terms of the pattern in a row."""
    return sample_of(tree, Sequence(0, 0, tuple(terms)), gap=" ")


def _through(body: Disjunction, start: int) -> Sequence:
    options = branches(body)
    branch = next((each for each in options if each.start <= start < each.end), options[0])
    return replace(branch, items=tuple(_term_through(term, start) for term in branch.items))


def _term_through(term: Term, start: int) -> Term:
    if not term.start <= start < term.end:
        return term
    match term:
        case Group():
            return replace(term, body=_through(term.body, start))
        case Quantifier(body=Group() as group):
            return replace(term, min=max(term.min, 1), body=replace(group, body=_through(group.body, start)))
        case Quantifier():
            return replace(term, min=max(term.min, 1))
        case Look() | Anchor():
            return term
        case _:
            return term


def inserted(text: str, additions: Iterable[tuple[int, str]]) -> str:
    """`text` with something put in at some places."""
    for place, what in sorted(additions, reverse=True):
        text = text[:place] + what + text[place:]
    return text


def unsafe_fix(use: PatternUse, title: str, pattern: str) -> Fix | None:
    """The pattern in place of the old one; None where that is a template's."""
    edit: Edit | None = with_value(use.span, pattern)
    return None if edit is None else Fix(title, (edit,))
