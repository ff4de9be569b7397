r"""GW213: spellings of other dialects that are valid here and mean something else.

    foo\Z               “foo” and the letter Z
    [[:alpha:]]+        one of `[`, `:`, `a`, `l`, `p`, `h`, then closing brackets
    a{,3}               the characters “a{,3}”

Without the flag u a backslash before a letter that is no escape is the letter itself, so none of this is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from ....compiler.ecmascript import Char, CharClass, ClassRange, PatternError, Sequence, Term, parse, walk
from ....compiler.findings import GW213, Finding, Fix, Label, Witness
from ..edits import with_value
from ..samples import sample
from ..scene import PatternUse, Scene
from .reading import is_readable

MAX_LABELS = 3


@dataclass(frozen=True, slots=True)
class _Spelling:
    """What an escape means elsewhere, and how that is said here; None where it cannot be, or not shortly."""

    meaning: str
    here: str | None
    in_class: str | None = None
    """The same inside a class; None where it means nothing there."""


_ESCAPES = {
    "A": _Spelling("the beginning of the text", "^"),
    "Z": _Spelling("the end of the text", "$"),
    "z": _Spelling("the end of the text", "$"),
    "G": _Spelling("the end of the last match", None),
    "K": _Spelling("a new beginning of the match", None),
    "X": _Spelling("a character with its accents", None),
    "R": _Spelling("a line break", r"(?:\r\n|[\n\r])"),
    "N": _Spelling("anything but a line break", "."),
    "h": _Spelling("a blank", r"[ \t]", r" \t"),
    "H": _Spelling("anything but a blank", r"[^ \t]"),
    "e": _Spelling("the escape character", r"\x1b", r"\x1b"),
    "a": _Spelling("the bell character", r"\x07", r"\x07"),
    "y": _Spelling("the edge of a word", r"\b"),
}

_POSIX = {
    "alnum": "a-z0-9",
    "alpha": "a-z",
    "ascii": r"\x00-\x7f",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": r"\d",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "a-z",
    "word": r"\w",
    "xdigit": r"\da-f",
}

_BRACED = {
    "p": "a Unicode property",
    "P": "anything but a Unicode property",
    "u": "a character by its number",
    "x": "a character by its number",
}
"""Letters whose escape is followed by a name or number in braces."""

_QUOTED_SIGNS = frozenset(r"\^$.*+?()[]{}|")


@dataclass(frozen=True, slots=True)
class _Found:
    """A foreign spelling at `start` to `end` of a pattern."""

    start: int
    end: int
    elsewhere: str
    here: str
    """What it means elsewhere and here, as parts of one sentence."""
    instead: str | None
    help: str = "ECMAScript has no sign for it"
    """What to do where there is nothing to write instead."""


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if "\\" not in use.text and "[:" not in use.text and "{," not in use.text:
            continue
        if not is_readable(scene, GW213, use):
            continue
        found = sorted(_spellings(use), key=lambda each: each.start)
        if found:
            yield _finding(scene, use, found)


def _spellings(use: PatternUse) -> Iterator[_Found]:
    text = use.text
    quoted = 0
    for node in walk(use.tree.body):
        if node.start < quoted:
            continue
        match node:
            case Char() if text[node.start] == "\\":
                found = _quotation(text, node) or _escape(text, node) or _braced(text, node)
                if found is not None:
                    quoted = found.end if found.elsewhere == _QUOTATION else quoted  # nothing counts inside
                    yield found
            case CharClass() if (found := _posix_class(text, node)) is not None:
                quoted = found.end
                yield found
            case CharClass():
                yield from _in_class(text, node)
            case Sequence():
                yield from _word_edges(text, node)
                yield from _up_to(text, node)
            case _:
                pass


_QUOTATION = "is text that is taken as it stands"


def _quotation(text: str, node: Char) -> _Found | None:
    r"""`\Q…\E`."""
    if text[node.start : node.end] != r"\Q":
        return None
    end = text.find(r"\E", node.end)
    quoted = text[node.end : end] if end >= 0 else text[node.end :]
    instead = "".join(f"\\{each}" if each in _QUOTED_SIGNS else each for each in quoted)
    return _Found(
        node.start, end + 2 if end >= 0 else len(text), _QUOTATION, "is the letter Q, then a pattern", instead
    )


def _escape(text: str, node: Char) -> _Found | None:
    spelling = _ESCAPES.get(text[node.start + 1]) if node.end == node.start + 2 else None
    if spelling is None or text.startswith("{", node.end):
        return None
    return _Found(
        node.start, node.end, f"is {spelling.meaning}", f"is the letter {text[node.start + 1]}", spelling.here
    )


def _braced(text: str, node: Char) -> _Found | None:
    r"""`\p{L}`, `\x{41}`, `\u{1F600}`."""
    letter = text[node.start + 1]
    if node.end != node.start + 2 or letter not in _BRACED or not text.startswith("{", node.end):
        return None
    end = text.find("}", node.end) + 1
    name = text[node.end + 1 : end - 1]
    if not name or not name.replace("=", "").replace("_", "").replace("^", "").isalnum():
        return None
    here = f"is the letter {letter}, then “{{{name}}}”"
    if letter in "ux":
        here = f"is {name} times the letter {letter}" if name.isdigit() else here
        return _Found(node.start, end, f"is {_BRACED[letter]}", here, _by_number(name))
    instead = {"L": "[a-z]", "Letter": "[a-z]", "N": r"\d", "Nd": r"\d"}.get(name) if letter == "p" else None
    needed = "properties need the flag u, which no rule has; list the characters"
    return _Found(node.start, end, f"is {_BRACED[letter]}", here, instead, needed)


def _by_number(digits: str) -> str | None:
    try:
        number = int(digits, 16)
    except ValueError:
        return None
    if number <= 0xFFFF:
        return f"\\x{number:02x}" if number <= 0xFF else f"\\u{number:04x}"
    return f"(?:{chr(number)})" if number <= sys.maxunicode else None


def _posix_class(text: str, node: CharClass) -> _Found | None:
    """`[[:alpha:]_]`, which ends at its first bracket here, or `[:alpha:]` without the outer brackets."""
    written = text[node.start : node.end]
    opening = written.rfind("[:")
    if opening < 0 or written[opening + 2 : -2] not in _POSIX or not written.endswith(":]"):
        return None
    if opening == 0:
        return _Found(node.start, node.end, _NAMES_A_CLASS, "is one character of it", _class_of(written))
    end = _end_of_posix_class(text, node.start)
    if end is None:
        return None
    here = "is one character of it, then a closing bracket"
    return _Found(node.start, end, _NAMES_A_CLASS, here, _class_of(text[node.start + 1 : end - 1]))


_NAMES_A_CLASS = "names a class of characters"


def _end_of_posix_class(text: str, start: int) -> int | None:
    """Behind the bracket that closes the class elsewhere; None where there is none."""
    at = start + 1
    while (opening := text.find("[:", at)) >= 0 and "]" not in text[at:opening]:
        closing = text.find(":]", opening)
        if closing < 0:
            break
        at = closing + 2
    return text.find("]", at) + 1 or None


def _in_class(text: str, node: CharClass) -> Iterator[_Found]:
    r"""Escapes in a class, such as the `\h` of `[\h-]`."""
    for item in node.items:
        if isinstance(item, ClassRange) and item.end == item.start + 2 and text[item.start] == "\\":
            letter = text[item.start + 1]
            spelling = _ESCAPES.get(letter)
            if spelling is not None and spelling.in_class is not None:
                here = f"is the letter {letter}"
                yield _Found(item.start, item.end, f"is {spelling.meaning}", here, spelling.in_class)


def _class_of(inside: str) -> str | None:
    """The class that `inside` says elsewhere: the names of `[:…:]` in it spelled out."""
    for name, units in _POSIX.items():
        inside = inside.replace(f"[:{name}:]", units)
    return None if "[:" in inside else f"[{inside}]"


def _word_edges(text: str, sequence: Sequence) -> Iterator[_Found]:
    r"""`\<word\>`. A `\<` that only escapes the sign of a redirection stands before a blank, or in the middle."""
    items = sequence.items
    if len(items) < 2 or _is_tag(text, sequence):
        return
    first, second, last_but_one, last = items[0], items[1], items[-2], items[-1]
    if _is_written(text, first, r"\<") and _is_letter(second):
        yield _Found(first.start, first.end, "is the beginning of a word", "is the sign <", r"\b")
    if _is_written(text, last, r"\>") and _is_letter(last_but_one):
        yield _Found(last.start, last.end, "is the end of a word", "is the sign >", r"\b")


def _is_written(text: str, node: Term, written: str) -> bool:
    return isinstance(node, Char) and text[node.start : node.end] == written


def _is_letter(node: Term) -> bool:
    return isinstance(node, Char) and chr(node.unit).isalpha()


def _is_tag(text: str, sequence: Sequence) -> bool:
    """Whether signs `<` and `>` are written without a backslash as well, or a tag is closed."""
    written = {text[node.start : node.end] for node in sequence.items if isinstance(node, Char)}
    return bool(written & {"<", ">", "/", r"\/"})


def _up_to(text: str, sequence: Sequence) -> Iterator[_Found]:
    """`{,3}`."""
    for node in sequence.items:
        if not (isinstance(node, Char) and text[node.start : node.end + 1] == "{,"):
            continue
        end = text.find("}", node.end) + 1
        digits = text[node.end + 1 : end - 1]
        if node.start > sequence.start and digits.isascii() and digits.isdigit():
            yield _Found(node.start, end, f"is up to {digits} times", "is this text", f"{{0,{digits}}}")


def _finding(scene: Scene, use: PatternUse, found: list[_Found]) -> Finding:
    first = found[0]
    written = use.text[first.start : first.end]
    value = _example(use, found)
    is_shown = value is not None and scene.matches(use.text, value) is True
    fixed = _fixed(use.text, found)
    edit = with_value(use.span, fixed) if fixed is not None else None
    spans = ((use.inside(each.start, each.end), each.here) for each in found[1 : 1 + MAX_LABELS])
    return Finding(
        GW213,
        f"`{written}` {first.elsewhere} in other dialects, and here it {first.here}",
        use.inside(first.start, first.end),
        labels=tuple(Label(span, here) for span, here in spans if span is not None and span != use.span),
        help=f"write `{first.instead}`" if first.instead else first.help,
        rule=use.rule.label,
        witness=Witness("matches", value, matches=(use.text,)) if value and is_shown else None,
        fix=Fix("write it as ECMAScript does", (edit,)) if edit is not None else None,
    )


def _example(use: PatternUse, found: list[_Found]) -> str | None:
    """A value that shows the letters for what they are: in lower case, as nobody expects them to match."""
    letters = {
        each.start: use.text[each.start + 1].lower()
        for each in found
        if use.text[each.start] == "\\" and use.text[each.start + 1].isalpha()
    }
    return sample(use.tree, instead=letters)


def _fixed(text: str, found: list[_Found]) -> str | None:
    for each in reversed(found):
        if each.instead is None:
            return None
        text = text[: each.start] + each.instead + text[each.end :]
    try:
        parse(text)
    except PatternError:
        return None
    return text
