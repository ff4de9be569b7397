r"""GW202: a dot in an address, a name or a version that stands for any character.

    10.0.0.1        takes “10a0b0c1” as well
    nginx.conf      takes “nginx-conf”; meant is `nginx\.conf`

Only dots between plain characters are looked at, and only where the text reads as something that has dots in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ....compiler.ecmascript import Char, CharClass, ClassEscape, Dot, Group, Quantifier, Sequence, Term, walk
from ....compiler.ecmascript.charsets import DIGITS, units_of
from ....compiler.findings import GW202, Finding, Witness
from ..scene import PatternUse, Scene
from .reading import (
    COMMANDS,
    PATHS,
    PROSE,
    branches,
    flat,
    harm,
    inserted,
    is_blank,
    is_readable,
    letter,
    sample_through,
    unsafe_fix,
)
from .usual_words import ENDINGS, ENDINGS_OF_PATHS, LAST_LABELS, LAST_LABELS_OF_LONG_NAMES

MAX_UNROLLED = 4


@dataclass(frozen=True, slots=True)
class _Cell:
    """One character of a text that a pattern reads as, and where it is written."""

    text: str
    start: int
    end: int
    dot: int | None = None
    """The offset of the dot, where it is one that means any character."""


@dataclass(frozen=True, slots=True)
class _Name:
    """What reads as a name, and the dots in it that mean any character."""

    kind: str
    start: int
    end: int
    text: str
    dots: tuple[int, ...]
    also: tuple[int, ...] = ()
    """The dots of `./` and `../` beside it: they say little alone, and are escaped with the others."""


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if "." not in use.text or not any(isinstance(node, Dot) for node in walk(use.tree.body)):
            continue
        if is_readable(scene, GW202, use) and (names := _names(use)):
            yield _finding(use, names)


def _finding(use: PatternUse, names: list[_Name]) -> Finding:
    first = names[0]
    dots = {dot for name in names for dot in name.dots + name.also}
    fixed = inserted(use.text, ((dot, "\\") for dot in dots))
    value = sample_through(use.tree, first.dots[0], dict(_other_characters(first)))
    what = "the dot stands" if len(first.dots) == 1 else "the dots stand"
    written = use.text[first.start : first.end]
    shown = written if written.count("(") == written.count(")") else first.text
    return Finding(
        GW202,
        f"in the {first.kind} `{shown}` {what} for any character, which {harm(use)}",
        use.inside(first.start, first.end),
        help=r"a dot itself is `\.`",
        rule=use.rule.label,
        witness=Witness("matches as well", value or "", matches=(use.text,), misses=(fixed,)),
        fix=unsafe_fix(use, "escape the dots" if len(dots) > 1 else "escape the dot", fixed),
    )


def _other_characters(name: _Name) -> Iterator[tuple[int, str]]:
    """What stands for the dots in the witness: another digit in numbers, letters in addresses, a hyphen in names."""
    for index, dot in enumerate(name.dots):
        match name.kind:
            case "address":
                yield dot, "abc"[index % 3]
            case "number" | "version":
                yield dot, "0"
            case _:
                yield dot, "-"


# ---- runs of plain characters --------------------------------------------------------------------------------------


def _names(use: PatternUse) -> list[_Name]:
    """All that has a loose dot and reads as a name, from left to right, no dot twice."""
    found: list[_Name] = []
    told: set[int] = set()
    beginnings = {branch.start for branch in branches(use.tree.body)}
    for node in walk(use.tree.body):
        if not isinstance(node, Sequence):
            continue
        for cells, after_blank in _runs(_cells(flat(node))):
            # `.ssh/authorized_keys`, `.conf$`: the pattern begins with the name of a file, or with its end.
            is_first = cells[0].start in beginnings and _is_hidden(cells)
            name = _read(cells, use.where, after_blank=after_blank or is_first)
            if name is None or not (dots := tuple(dot for dot in name.dots if dot not in told)):
                continue
            told.update(dots)
            found.append(replace(name, dots=dots))
    return sorted(found, key=lambda name: name.start)


_BREAK = _Cell("\0", 0, 0)
_BLANK = _Cell(" ", 0, 0)


def _cells(terms: tuple[Term, ...]) -> Iterator[_Cell]:
    for term in terms:
        match term:
            case Char():
                yield _Cell(letter(term) or "\0", term.start, term.end)
            case Dot():
                yield _Cell(".", term.start, term.end, dot=term.start)
            case ClassEscape() | CharClass() if _is_digit(term):
                yield _Cell("0", term.start, term.end)
            case Quantifier(min=least, body=ClassEscape() | CharClass() as body) if least >= 1 and _is_digit(body):
                yield from (_Cell("0", term.start, term.end) for _ in range(least if term.max == least <= 4 else 1))
            case Quantifier(min=least, max=most, body=Group(body=Sequence() as body)) if least == most:
                once = [replace(cell, start=term.start, end=term.end) for cell in _cells(flat(body))]
                yield from once * least if 1 <= least <= MAX_UNROLLED else [_BREAK]
            case Group():
                # The text of its first branch stands for the group: `(?:nginx|httpd).conf` is read as “nginx.conf”.
                several = [[letter(each) for each in flat(branch)] for branch in branches(term.body)]
                is_plain = all(each and None not in each for each in several)
                shown = "".join(each or "" for each in several[0]) if is_plain else "\0"
                yield from (_Cell(each, term.start, term.end) for each in shown)
            case _:
                yield _BLANK if is_blank(term) else _BREAK


def _is_digit(term: ClassEscape | CharClass) -> bool:
    units = units_of(term)
    return bool(units) and all(DIGITS[0][0] <= first and last <= DIGITS[0][1] for first, last in units)


def _runs(cells: Iterator[_Cell]) -> Iterator[tuple[tuple[_Cell, ...], bool]]:
    """Characters in a row that a path or a name can be made of, where there is a loose dot among them; with it whether
    a blank stands before them."""
    run: list[_Cell] = []
    after_blank = False
    for cell in (*cells, _BREAK):
        if cell.text.isascii() and (cell.text.isalnum() or cell.text in "._-/~"):
            run.append(cell)
            continue
        if any(each.dot is not None for each in run):
            yield tuple(run), after_blank
        run = []
        after_blank = cell.text == " "


# ---- what a run reads as -------------------------------------------------------------------------------------------


def _read(run: tuple[_Cell, ...], where: str, *, after_blank: bool) -> _Name | None:
    """The first part between slashes that has a loose dot and reads as a name; the other names of the run with it."""
    found: _Name | None = None
    here: tuple[int, ...] = ()
    in_path = any(cell.text == "/" for cell in run)
    start = 0
    for end in (*(index for index, cell in enumerate(run) if cell.text == "/"), len(run)):
        part = run[start:end]
        begins = start > 0 or (after_blank and where in COMMANDS | PATHS)
        start = end + 1
        text = "".join(cell.text for cell in part)
        if text in (".", ".."):
            here += tuple(cell.dot for cell in part if cell.dot is not None)
        kind = _kind(text, where, in_path, begins) if any(cell.dot is not None for cell in part) else None
        if kind is None:
            continue
        is_of_digits = kind in ("number", "version")
        places = [at for at in range(len(part)) if not is_of_digits or _is_between_digits(text, at)]
        dots = tuple(dict.fromkeys(dot for at in places if (dot := part[at].dot) is not None))
        if dots and found is None:
            found = _Name(kind, part[0].start, part[-1].end, text, dots)
        elif dots and found is not None:
            found = replace(found, dots=found.dots + dots)
    return found if found is None else replace(found, also=here)


def _is_hidden(run: tuple[_Cell, ...]) -> bool:
    """Whether a run begins as `.ssh/` or `.conf` does, and not as a mistyped `.*restart`."""
    name, slash, _ = "".join(cell.text for cell in run).partition("/")
    ending = name.removeprefix(".").lower()
    return name.startswith(".") and ending.isalnum() and (slash != "" or ending in ENDINGS | ENDINGS_OF_PATHS)


def _kind(text: str, where: str, in_path: bool, begins: bool) -> str | None:
    """What a text with dots reads as; None where a dot may well be meant to take anything."""
    labels = text.rstrip("-_~").split(".")
    last = labels[-1].lower()
    if all(label.isdigit() for label in labels[:-1]) and (last.isdigit() or (last == "" and len(labels) == 4)):
        return _kind_of_numbers(labels)
    if begins and labels[0] == "" and len(labels) == 2 and len(last) >= 2 and last[0].isalpha():
        return "file name"
    if not all(label and label[0].isalnum() for label in labels) or len(labels) < 2:
        return None
    is_precise = where in COMMANDS or where in PATHS or in_path
    if last in ENDINGS or (last in ENDINGS_OF_PATHS and is_precise) or (last == "d" and in_path):
        return "file name"
    if last in LAST_LABELS or (len(labels) >= 3 and last in LAST_LABELS_OF_LONG_NAMES):
        return "host name"
    if len(labels) >= 3 and where not in PROSE and all(len(label) >= 2 and label[0].isalpha() for label in labels):
        return "name"
    has_number = any(left[-1].isdigit() and right[0].isdigit() for left, right in pairwise(labels))
    return "version" if has_number else None


def _kind_of_numbers(labels: list[str]) -> str | None:
    if len(labels) == 4 and all(int(label or "0") <= 255 for label in labels):
        return "address"
    is_date = len(labels) == 3 and any(len(label) == 4 for label in labels)
    return None if is_date else "number" if len(labels) == 2 else "version"


def _is_between_digits(text: str, at: int) -> bool:
    return text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()
