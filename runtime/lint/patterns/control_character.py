r"""GW207: a control character in a pattern, most often the backspace that `"\b"` is in a JSON string.

"pattern": "\brm\b"         a backspace, “rm”, a backspace
"pattern": "\\brm\\b"       the word “rm”
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.ecmascript import PatternError, parse
from ....compiler.findings import GW207, Finding, Fix, Label, Witness
from ....grammar.text import Span
from ..edits import with_value
from ..samples import sample
from ..scene import PatternUse, Scene

BACKSPACE = "\b"
MAX_LABELS = 3

_USUAL = frozenset("\t\n\r")
"""Tabs and line breaks: they mean themselves, and a fenced literal has them in plain sight."""
_CONTROLS = frozenset(map(chr, [*range(0x20), *range(0x7F, 0xA0)])) - _USUAL


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if _CONTROLS.isdisjoint(use.text):
            continue
        if BACKSPACE in use.text:
            yield _backspace(scene, use)
        elif places := [index for index, each in enumerate(use.text) if each in _CONTROLS]:
            # Who wrote `\u001b` meant that character.
            if all(_is_spelled_out(use.inside(index, index + 1)) for index in places):
                continue
            yield _other(scene, use, places)


def _backspace(scene: Scene, use: PatternUse) -> Finding:
    places = [index for index, each in enumerate(use.text) if each == BACKSPACE]
    fixed = _parsed(use.text.replace(BACKSPACE, r"\b"))
    edit = with_value(use.span, fixed) if fixed is not None else None
    wanted = sample(parse(fixed)) if fixed is not None else None
    witness = None
    if fixed is not None and wanted and scene.matches(fixed, wanted):
        witness = Witness("is not matched", wanted, matches=(fixed,), misses=(use.text,))
    return Finding(
        GW207,
        r"“\b” in a string is a backspace character, which hardly any value has, and not the edge of a word",
        use.inside(places[0], places[0] + 1),
        labels=_labels(use, places[1:], "and here"),
        help=r"write `\\b` between double quotes, or `\b` in a raw literal of a .gate file",
        rule=use.rule.label,
        witness=witness,
        fix=Fix("write the edge of a word", (edit,)) if edit is not None else None,
    )


def _other(scene: Scene, use: PatternUse, places: list[int]) -> Finding:
    character = use.text[places[0]]
    edit = with_value(use.span, _escaped(use.text)) if _can_be_escaped(use.text, places) else None
    value = sample(use.tree)
    is_shown = value is not None and scene.matches(use.text, value) is True
    return Finding(
        GW207,
        f"the pattern holds the control character U+{ord(character):04X}, which a reader does not see",
        use.inside(places[0], places[0] + 1),
        labels=_labels(use, places[1:], "and here"),
        help=f"write it as an escape of the pattern, `{_escape(character)}`, or leave it out",
        rule=use.rule.label,
        witness=Witness("matches only with it", value, matches=(use.text,)) if value and is_shown else None,
        fix=Fix("write it as an escape", (edit,), is_safe=True) if edit is not None else None,
    )


def _labels(use: PatternUse, places: list[int], words: str) -> tuple[Label, ...]:
    spans = (use.inside(index, index + 1) for index in places[:MAX_LABELS])
    return tuple(Label(span, words) for span in spans if span is not None and span != use.span)


def _is_spelled_out(span: Span | None) -> bool:
    return span is not None and span.text.startswith("\\u")


def _parsed(text: str) -> str | None:
    try:
        parse(text)
    except PatternError:
        return None
    return text


def _can_be_escaped(text: str, places: list[int]) -> bool:
    """Not behind a backslash, which would swallow that of the escape."""
    return all(index == 0 or text[index - 1] != "\\" for index in places)


def _escaped(text: str) -> str:
    return "".join(_escape(each) if each in _CONTROLS else each for each in text)


def _escape(character: str) -> str:
    return f"\\x{ord(character):02x}"
