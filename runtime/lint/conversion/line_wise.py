r"""Where a pattern sees values joined with newlines otherwise than one by one.

    values_apart(parse("^a$"), …)               # ('a', 'true'): matched alone, not in “a⏎true”
    values_apart(parse(r"a\s+b"), …)            # ('a', 'b'): matched as “a⏎b”, none of both alone

A match inside a value is a match in the joined text, and the other way round, unless an end of the text is asked for
or the match takes the newline between two values. So a pattern is held against its line-wise sibling, which takes no
newline and whose `^` and `$` are the ends of lines: it matches a joined text when the pattern matches one of the
values. What one of both matches alone, cut at its newlines, is what is looked for. An end of a line has to take the
newline there, which in the middle of a pattern is not quite the same; so every answer is asked of the engine again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from itertools import chain

from ....compiler.ecmascript import (
    Anchor,
    AnchorKind,
    Char,
    CharClass,
    ClassEscape,
    Dot,
    Look,
    Pattern,
    Quantifier,
    parse,
    walk,
)
from ....compiler.ecmascript.charsets import UnitSet, complement, contains, union, units_of
from ....compiler.ecmascript.rewrite import NotRewritableError, rewrite
from ....compiler.languages import Undecided, example, find
from ..samples import sample

STEPS = 20_000
"""How much is looked at to hold a pattern against its sibling."""

_NEWLINE = 0x0A
_ENDS = (AnchorKind.START, AnchorKind.END)
_MOST_CUTS = 12
"""Places of a guessed text at which it is cut in two."""

Matches = Callable[[str], bool | None]
"""Whether the engine finds the pattern in a text; None where it has no answer."""


class Apart(Enum):
    """Why values are seen otherwise when they are joined."""

    ENDS = auto()
    """A value matches, and the joined text does not."""
    BRIDGE = auto()
    """The joined text matches, and no value does."""
    NOTHING = auto()
    """There is no value, and the empty text matches."""


def why_apart(values: Sequence[str], matches: Matches) -> Apart | None:
    """How joined and single values differ for a pattern; None where they do not."""
    joined, alone = matches("\n".join(values)), [matches(value) for value in values]
    if joined is None or None in alone or joined == any(alone):
        return None
    if not values:
        return Apart.NOTHING
    return Apart.BRIDGE if joined else Apart.ENDS


def values_apart(pattern: Pattern, matches: Matches, others: Sequence[str]) -> tuple[str, ...] | Undecided | None:
    """Values that differ; None where there are none. `others` are values that may stand beside what is found."""
    if matches(""):
        return ()
    # What matches in no empty text and can neither see nor take a newline is the same both ways.
    has_ends = any(isinstance(node, Anchor) and node.kind in _ENDS for node in walk(pattern.body))
    takes_newline = any(map(_takes_newline, walk(pattern.body)))
    if not has_ends and not takes_newline and not pattern.looks:
        return None
    undecided: Undecided | None = None
    texts: list[str] = []
    sibling = _sibling(pattern)
    if isinstance(sibling, Undecided):
        undecided = sibling
    else:
        questions = [([sibling], [pattern])] * has_ends + [([pattern], [sibling])] * takes_newline
        found = [find(wanted, unwanted, STEPS) for wanted, unwanted in questions]
        undecided = next((answer for answer in found if isinstance(answer, Undecided)), None)
        texts = [answer for answer in found if isinstance(answer, str)]
        if not texts and undecided is None:
            return None
    tried = chain(*(_cut(text, others) for text in texts), _guesses(pattern, others))
    return next((values for values in tried if why_apart(values, matches)), undecided)


def typical(pattern: Pattern, matches: Matches) -> str | None:
    """A text that the pattern matches, as a person would type it."""
    for made in (example, sample):
        text = made(pattern)
        if text is not None and matches(text):
            return text
    return None


def _cut(text: str, others: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """A joined text as values; in place of empty ones, which nobody types, something else where that does."""
    values = tuple(text.split("\n"))
    if "" in values:
        for other in others:
            yield tuple(value or other for value in values)
    yield values


def _guesses(pattern: Pattern, others: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Where the languages say nothing: an example beside something else, and cut in two wherever a blank stands."""
    text = sample(pattern) or sample(pattern, gap=" ")
    if not text:
        return
    for other in others:
        yield text, other
        yield other, text
    for place in [at for at, letter in enumerate(text) if letter.isspace()][:_MOST_CUTS]:
        yield text[:place], text[place + 1 :]


def _takes_newline(node: object) -> bool:
    return isinstance(node, Char | Dot | ClassEscape | CharClass) and contains(units_of(node), _NEWLINE)


# ---- the line-wise sibling -------------------------------------------------------------------------------------------


def _sibling(pattern: Pattern) -> Pattern | Undecided:
    try:
        return parse(rewrite(pattern, _LineWise()))
    except NotRewritableError as error:
        return Undecided(str(error))


class _LineWise:
    """The dialect in which a pattern sees lines one by one."""

    def units(self, units: UnitSet) -> str:
        rest = complement(union([*complement(units), (_NEWLINE, _NEWLINE)]))
        return f"[{''.join(f'{_escaped(first)}-{_escaped(last)}' for first, last in rest)}]"

    def anchor(self, kind: AnchorKind) -> str:
        return rf"(?:{kind}|\n)" if kind in _ENDS else kind

    def look(self, node: Look) -> str:
        raise NotRewritableError("a look-around is beyond the analysis")

    def repeat(self, body: str, node: Quantifier) -> str:
        most = "" if node.max is None else str(node.max)
        return f"(?:{body}){{{node.min},{most}}}"


def _escaped(unit: int) -> str:
    return f"\\u{unit:04x}"
