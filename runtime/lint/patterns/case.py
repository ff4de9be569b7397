r"""GW208: upper and lower case told apart in a pattern, where matching ignores case.

[A-Z]+_TOKEN        takes lower case as well
[a-zA-Z0-9]         says its letters twice
branch\s+-D         `git branch -d` is another command, and matches
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ....compiler.ecmascript import (
    Anchor,
    AnchorKind,
    Char,
    CharClass,
    ClassEscape,
    ClassRange,
    Dot,
    Group,
    Pattern,
    PatternError,
    Quantifier,
    Sequence,
    Term,
    parse,
    walk,
)
from ....compiler.ecmascript.charsets import UnitSet, units_of
from ....compiler.findings import GW208, Finding, Fix, Label, Witness
from ..edits import with_value
from ..samples import is_wide, sample, sample_of
from ..scene import PatternUse, Scene
from .reading import is_readable, sample_through

MAX_LABELS = 3

_UPPER = range(ord("A"), ord("Z") + 1)
_HEX_LETTER = range(ord("A"), ord("F") + 1)
_TO_LOWER = ord("a") - ord("A")


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if use.text.islower() or not any("A" <= each <= "Z" for each in use.text):
            continue
        if not is_readable(scene, GW208, use):
            continue
        classes = [node for node in walk(use.tree.body) if isinstance(node, CharClass)]
        doubled = [(node, extra) for node in classes if (extra := _said_twice(node))]
        upper = [node for node in classes if _is_upper_only(node)]
        if doubled:
            yield _redundant(use, doubled)
        if upper:
            yield _upper(use, upper)
        if (letter := _option(use)) is not None:
            yield _short_option(use, letter)


# ---- classes -------------------------------------------------------------------------------------------------------


def _said_twice(node: CharClass) -> tuple[ClassRange, ...]:
    """The ranges of upper case whose lower case is listed beside them: the `A-Z` of `[a-zA-Z]`.

    Single letters are left alone: who writes `-[tT]` has both options in mind.
    """
    ranges = [item for item in node.items if isinstance(item, ClassRange)]
    listed = {(item.first, item.last) for item in ranges}
    return tuple(
        item
        for item in ranges
        if item.first < item.last
        and item.first in _UPPER
        and item.last in _UPPER
        and any(
            first <= item.first + _TO_LOWER and item.last + _TO_LOWER <= last and first >= ord("a")
            for first, last in listed
        )
    )


def _is_upper_only(node: CharClass) -> bool:
    """`[A-Z]`, `[A-Z0-9_]`: a range of upper case and no lower case. Digits of hexadecimal numbers are left alone."""
    ranges = [item for item in node.items if isinstance(item, ClassRange)]
    if len(ranges) < len(node.items) or any(chr(item.first).islower() or chr(item.last).islower() for item in ranges):
        return False
    letters = [item for item in ranges if item.first in _UPPER and item.last in _UPPER]
    return any(item.first < item.last and item.last not in _HEX_LETTER for item in letters)


def _upper(use: PatternUse, classes: list[CharClass]) -> Finding:
    node = classes[0]
    written = use.text[node.start : node.end]
    other = "leaves out lower case too" if node.negated else "takes lower case too"
    value = sample(use.tree)
    witness = Witness("matches as well", value.lower(), matches=(use.text,)) if value else None
    return Finding(
        GW208,
        f"`{written}` {other}: matching ignores case",
        use.inside(node.start, node.end),
        labels=_labels(use, classes[1:], "as well"),
        help="no pattern tells upper from lower case; ask for something else that the values differ in",
        rule=use.rule.label,
        witness=witness,
    )


def _redundant(use: PatternUse, doubled: list[tuple[CharClass, tuple[ClassRange, ...]]]) -> Finding:
    node, extra = doubled[0]
    written = use.text[extra[0].start : extra[0].end]
    fixed = use.text
    for each, items in reversed(doubled):
        fixed = fixed[: each.start] + _class_without(use.text, each, items) + fixed[each.end :]
    edit = with_value(use.span, fixed) if _same_units(use, fixed) else None
    value = sample(use.tree)
    witness = Witness("matches without it too", value.upper(), matches=(use.text, fixed)) if value and edit else None
    return Finding(
        GW208,
        f"`{written}` adds nothing to `{use.text[node.start : node.end]}`: matching ignores case",
        use.inside(extra[0].start, extra[0].end),
        labels=_labels(use, [each for each, _ in doubled[1:]], "here too"),
        help="one case says both",
        rule=use.rule.label,
        witness=witness,
        fix=Fix("say it once", (edit,), is_safe=True) if edit is not None else None,
    )


def _class_without(text: str, node: CharClass, items: tuple[ClassRange, ...]) -> str:
    """The class as it is written, less some items."""
    kept = "".join(text[item.start : item.end] for item in node.items if item not in items)
    return f"[{'^' if node.negated else ''}{kept}]"


def _same_units(use: PatternUse, fixed: str) -> bool:
    """Whether every piece takes what it took: `[A-Z^a-z]` less its first item would be negated."""
    try:
        tree = parse(fixed)
    except PatternError:
        return False
    return _units(use.tree) == _units(tree)


def _units(pattern: Pattern) -> list[UnitSet]:
    nodes = walk(pattern.body)
    return [units_of(node) for node in nodes if isinstance(node, Char | Dot | ClassEscape | CharClass)]


# ---- options -------------------------------------------------------------------------------------------------------

_BOTH_USUAL = {"branch": "DMC", "usermod": "GLU", "useradd": "GM"}
"""Words of commands whose options of these letters take the same arguments in lower case, and mean something else."""
_SAME = {"rm": "R", "cp": "R", "grep": "R"}
"""Commands whose options of these letters are the same in both cases, or nearly."""


def _option(use: PatternUse) -> Char | None:
    """The letter of an option of one upper-case letter, `-D`, where nothing behind it tells it from `-d`."""
    nodes = list(walk(use.tree.body))
    # What may be left out asks for nothing: `git (?:-C \S+ )?revert`.
    optional = [(node.start, node.end) for node in nodes if isinstance(node, Quantifier) and node.min == 0]
    for node in nodes:
        if not isinstance(node, Sequence) or any(start <= node.start and node.end <= end for start, end in optional):
            continue
        for index in range(1, len(node.items)):
            letter = node.items[index]
            if (
                isinstance(letter, Char)
                and letter.unit in _UPPER
                and _is_dash(node.items[index - 1])
                and (index == 1 or _ends_outside_a_word(use.tree, node.items[index - 2]))
                and _is_open(use.tree, node.items[index + 1 :], letter)
                and not _has_lower_case(use.tree, letter)
            ):
                return letter
    return None


def _is_dash(node: Term) -> bool:
    return isinstance(node, Char) and node.unit == ord("-")


def _ends_outside_a_word(pattern: Pattern, node: Term) -> bool:
    """Whether a dash behind `node` can begin an option: `foo-D` is none, nor is `--D`."""
    match node:
        case Quantifier(body=body) if not is_wide(body):
            return _ends_outside_a_word(pattern, body)
        case Group(body=body):
            text = sample_of(pattern, body)
            return text is not None and not (text[-1:].isalnum() or text[-1:] in ("_", "-"))
        case Char(unit=unit):
            return not (chr(unit).isalnum() or chr(unit) in "_-")
        case ClassEscape(letter=letter):
            return letter in "sSW"
        case Anchor(kind=kind):
            return kind is not AnchorKind.WORD_BOUNDARY
        case _:
            return True


def _is_open(pattern: Pattern, behind: tuple[Term, ...], letter: Char) -> bool:
    """Whether the option stands alone: it begins no word, and no argument behind it makes it certain."""
    if behind and isinstance(behind[0], Char) and (chr(behind[0].unit).isalnum() or chr(behind[0].unit) in "-=_"):
        return False
    words = (sample(pattern, gap=" ") or "").lower().split()
    if _is_listed(_SAME, words, letter):
        return False
    if _is_listed(_BOTH_USUAL, words, letter):
        return True
    argument = (node for term in behind for node in walk(term))
    return not any(isinstance(node, Char) and chr(node.unit).isalnum() for node in argument)


def _is_listed(table: dict[str, str], words: list[str], letter: Char) -> bool:
    return any(chr(letter.unit) in table.get(word, "") for word in words)


def _has_lower_case(pattern: Pattern, letter: Char) -> bool:
    """Whether the pattern names the option of the other case too: then both are meant."""
    lower = letter.unit + _TO_LOWER
    for node in walk(pattern.body):
        if isinstance(node, Sequence):
            for one, other in pairwise(node.items):
                if _is_dash(one) and isinstance(other, Char) and other.unit == lower:
                    return True
    return False


def _short_option(use: PatternUse, letter: Char) -> Finding:
    option = f"-{chr(letter.unit)}"
    value = sample_through(use.tree, letter.start, {letter.start: chr(letter.unit).lower()})
    return Finding(
        GW208,
        f"`{option}` matches `{option.lower()}` too: matching ignores case",
        use.inside(letter.start - 1, letter.end),
        help="ask for something else that the two commands differ in, or for the long name of the option",
        rule=use.rule.label,
        witness=Witness("matches as well", value, matches=(use.text,)) if value else None,
    )


def _labels(use: PatternUse, nodes: list[CharClass], words: str) -> tuple[Label, ...]:
    spans = (use.inside(node.start, node.end) for node in nodes[:MAX_LABELS])
    return tuple(Label(span, words) for span in spans if span is not None and span != use.span)
