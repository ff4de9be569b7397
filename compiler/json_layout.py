"""JSON in its one canonical layout.

    layout({"label": "Job resolved", "statuses": ["success", "partial"]})

    {
      "label": "Job resolved",
      "statuses": ["success", "partial"]
    }

Two spaces a level and one member or item a line; an array of scalars stands on one line where it fits
into 100 columns (a comma behind it included), and so does an object that is marked `Inline` and holds
nothing but scalars and such arrays. Syntax-tree nodes and plain Python values mix freely; numbers of the
tree keep their spelling. Strings are written as they are, U+2028 and U+2029 too; escaped are only what
JSON demands, the other control characters (DEL and U+0080 to U+009F), the marks that turn the direction of text,
which hide what a string says, and lone surrogates, which UTF-8 cannot hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .json_tree import JsonArray, JsonLiteral, JsonNumber, JsonObject, JsonString, JsonValue

WIDTH = 100
INDENT = 2

_ESCAPED = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Inline:
    """A hint: `value`, an object, is printed on one line where it fits: `{ "hosts": ["web-01"] }`."""

    value: Mapping[str, Printable] | JsonObject


Printable: TypeAlias = "JsonValue | Inline | str | int | float | Sequence[Printable] | Mapping[str, Printable] | None"


def layout(value: Printable, indent: int = 0, *, column: int | None = None) -> str:
    """The text of a value, without a final newline.

    `indent` is the number of spaces that the line on which the value begins is indented by; they come before
    every further line. `column` is how many characters stand before the value on its line, where these are
    more (a key).
    """
    pieces: list[str] = []
    still_open: list[tuple[Iterator[tuple[str, str, Printable]], str]] = []  # what follows, the bracket
    room = WIDTH - (indent if column is None else column)
    while True:
        text = _scalar(value)
        if text is None:
            line = _one_line(value)
            text = line if line is not None and (len(line) < room or len(line) == 2) else None
        if text is not None:
            pieces.append(text)
        else:
            pieces.append("{" if _is_object(value) else "[")
            still_open.append((_members(value), "}" if _is_object(value) else "]"))
        following = None
        while still_open and following is None:
            following = next(still_open[-1][0], None)
            if following is None:
                bracket = still_open.pop()[1]
                pieces.append("\n" + " " * (indent + INDENT * len(still_open)) + bracket)
        if following is None:
            return "".join(pieces)
        comma, key, value = following
        margin = " " * (indent + INDENT * len(still_open))
        pieces.append(f"{comma}\n{margin}{key}")
        room = WIDTH - len(margin) - len(key)


def string_text(value: str) -> str:
    """The JSON text of a string, with its quotes."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _scalar(value: Printable) -> str | None:
    """The text of a value that is neither an array nor an object, else None."""
    match value:
        case str():
            return string_text(value)
        case JsonString():
            return string_text(value.value)
        case JsonNumber():
            return value.raw
        case JsonLiteral():
            return json.dumps(value.value)
        case None | bool() | int() | float():
            return json.dumps(value)
        case _:
            return None


def _one_line(value: Printable) -> str | None:
    """The one-line form of an array or object, or None where it has to be broken at any width."""
    match value:
        case Inline():
            parts = [(key, _scalar(member) or _flat_array(member)) for _, key, member in _members(value)]
            if not parts:
                return "{}"
            if any(text is None for _, text in parts):
                return None
            return "{ " + ", ".join(f"{key}{text}" for key, text in parts) + " }"
        case JsonObject():
            return None if value.members else "{}"
        case Mapping():
            return None if value else "{}"
        case _:
            return _flat_array(value)


def _flat_array(value: Printable) -> str | None:
    """The one-line form of an array of scalars (and of an empty one), None for anything else."""
    if _is_object(value):
        return None
    texts: list[str] = []
    for _, _, item in _members(value):
        text = _scalar(item)
        if text is None:
            return None
        texts.append(text)
    return f"[{', '.join(texts)}]"


def _is_object(value: Printable) -> bool:
    return isinstance(value, JsonObject | Inline | Mapping)


def _members(value: Printable) -> Iterator[tuple[str, str, Printable]]:
    """What an array or object holds: the comma before it, its key with the colon (or nothing), the value."""
    match value:
        case Inline():
            yield from _members(value.value)
        case JsonObject():
            for number, member in enumerate(value.members):
                yield "," if number else "", f"{string_text(member.key.value)}: ", member.value
        case JsonArray():
            for number, item in enumerate(value.items):
                yield "," if number else "", "", item
        case Mapping():
            for number, (key, item) in enumerate(value.items()):
                yield "," if number else "", f"{string_text(key)}: ", item
        case Sequence():
            for number, item in enumerate(value):
                yield "," if number else "", "", item
        case _:
            return
