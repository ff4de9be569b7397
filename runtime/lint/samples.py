r"""A plain string that a pattern is about, for witnesses: what a person would write down as an example.

    sample(parse(r"systemctl\s+(restart|reload)\b"))        # "systemctl restart"
    sample(parse(r"rm.*-rf"), gap=" ")                      # "rm -rf"

The first branch is taken, and as few repetitions as can be. Look-arounds and positions are passed over, so the string
is a guess: whoever shows it asks the engine first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ...compiler.ecmascript import (
    Alternation,
    Anchor,
    BackReference,
    Char,
    CharClass,
    ClassEscape,
    ClassRange,
    Disjunction,
    Dot,
    Group,
    Look,
    Pattern,
    Quantifier,
    Sequence,
    Term,
)
from ...compiler.ecmascript.charsets import contains, units_of

MAX_DEPTH = 40
MAX_LENGTH = 400
"""Patterns that nest deeper, and samples that grow longer, show nothing to a reader."""

_LIKED = "x1 -/_.:=aA0\t\n"
"""What a class is shown as: the first of these that it takes."""
_OF_ESCAPE = {"d": "1", "D": "x", "s": " ", "S": "x", "w": "x", "W": " "}
_NOTHING: Mapping[int, str] = MappingProxyType({})


def sample(pattern: Pattern, *, gap: str = "", instead: Mapping[int, str] = _NOTHING) -> str | None:
    """A string for the whole pattern; None where none can be told.

    `gap` stands where anything at all may stand or be missing (`.*`); `instead` maps the start of a character of the
    pattern to what shall stand for it.
    """
    return sample_of(pattern, pattern.body, gap=gap, instead=instead)


def sample_of(
    pattern: Pattern, part: Disjunction, *, gap: str = "", instead: Mapping[int, str] = _NOTHING
) -> str | None:
    """The same for one branch or group of the pattern."""
    if pattern.depth > MAX_DEPTH:
        return None
    try:
        text = _Writer(gap, instead).disjunction(part)
    except _NoSampleError:
        return None
    # Two halves of a character become one again.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


class _NoSampleError(Exception):
    """Inside this module only."""


class _Writer:
    def __init__(self, gap: str, instead: Mapping[int, str]) -> None:
        self.gap = gap
        self.instead = instead
        self.captured: dict[int, str] = {}

    def disjunction(self, node: Disjunction) -> str:
        branch = node.branches[0] if isinstance(node, Alternation) else node
        return self.sequence(branch)

    def sequence(self, node: Sequence) -> str:
        text = "".join(self.term(item) for item in node.items)
        if len(text) > MAX_LENGTH:
            raise _NoSampleError
        return text

    def term(self, node: Term) -> str:
        match node:
            case Char():
                return self.instead.get(node.start, chr(node.unit))
            case Dot():
                return self.instead.get(node.start, "x")
            case ClassEscape():
                return _OF_ESCAPE[node.letter]
            case CharClass():
                return _of_class(node)
            case BackReference():
                return self.captured.get(node.group, "")
            case Group():
                text = self.disjunction(node.body)
                if node.index is not None:
                    self.captured[node.index] = text
                return text
            case Quantifier():
                return self._repeated(node)
            case Anchor() | Look():
                return ""

    def _repeated(self, node: Quantifier) -> str:
        if node.min > MAX_LENGTH:
            raise _NoSampleError
        if self.gap and node.max is None and is_wide(node.body):
            return self.gap
        return self.term(node.body) * node.min if node.min else ""


def is_wide(node: Term) -> bool:
    """Whether a piece takes nearly any character, as `.` and `[^;|]` do."""
    match node:
        case Dot():
            return True
        case CharClass():
            units = units_of(node)
            return contains(units, ord(" ")) and contains(units, ord("x")) and contains(units, ord("1"))
        case _:
            return False


@lru_cache(maxsize=1024)
def _of_class(node: CharClass) -> str:
    # What is listed says best what the class is about: `[a-z]` is shown as “a”.
    listed = (chr(item.first) for item in node.items if isinstance(item, ClassRange)) if not node.negated else ()
    if (letter := next((each for each in listed if each.isalnum()), None)) is not None:
        return letter
    units = units_of(node)
    if not units:
        raise _NoSampleError
    return next((liked for liked in _LIKED if contains(units, ord(liked))), chr(units[0][0]))
