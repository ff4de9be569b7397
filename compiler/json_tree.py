"""The syntax tree of a JSON text: lossless, and everything in it has its place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TypeAlias

from ..grammar.text import Source, Span
from .vocabulary import MAX_INTEGER

JsonPath: TypeAlias = tuple[str | int, ...]

_NUMBER_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?)([0-9]+))?")
_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")


@dataclass(frozen=True, slots=True)
class JsonString:
    """A string: `value` decoded (surrogate pairs combined), `span` with its quotes."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A number as it was spelled; also `NaN`, `Infinity` and `-Infinity`, which the parser has reported."""

    raw: str
    span: Span

    @property
    def is_finite(self) -> bool:
        return not self.raw.endswith(("N", "y"))

    def integer(self) -> int | None:
        """The integer this number is (`1.0` and `1e0` are 1), or None: a fraction, beyond ±2^53, not finite.

        Exact, and linear in the length of the spelling: `1e999999999` builds no large number.
        """
        match = _NUMBER_PARTS.fullmatch(self.raw)
        if match is None:
            return None
        sign, whole, fraction, exponent_sign, exponent = match.groups(default="")
        digits = (whole + fraction).lstrip("0")
        if not digits:
            return 0
        exponent = exponent.lstrip("0")
        if len(exponent) > 18:  # no text is long enough to make up for that many places
            return None
        significant = digits.rstrip("0")
        shift = len(digits) - len(significant) - len(fraction) + int(exponent_sign + (exponent or "0"))
        if shift < 0 or len(significant) + shift > 16:
            return None
        size = int(significant) * 10**shift
        if size > MAX_INTEGER:
            return None
        return -size if sign else size


@dataclass(frozen=True, slots=True)
class JsonLiteral:
    """`true`, `false` or `null`."""

    value: bool | None
    span: Span


@dataclass(frozen=True, slots=True)
class JsonArray:
    items: tuple[JsonValue, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class JsonMember:
    key: JsonString
    value: JsonValue

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return self.key.span.to(self.value.span)


@dataclass(frozen=True, slots=True)
class JsonObject:
    """An object; `members` in the order of the text, duplicates included."""

    members: tuple[JsonMember, ...]
    span: Span

    def get(self, key: str) -> JsonMember | None:
        """The member of that key (the last one, where the key is given twice)."""
        for member in reversed(self.members):
            if member.key.value == key:
                return member
        return None


JsonValue: TypeAlias = JsonObject | JsonArray | JsonString | JsonNumber | JsonLiteral


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A whole text: its value, and where the comments and trailing commas stand that JSON does not have."""

    root: JsonValue
    source: Source
    comments: tuple[Span, ...] = ()
    trailing_commas: tuple[Span, ...] = ()


def path_text(path: JsonPath) -> str:
    """A path for people: `validation[3].turns[0].hosts`, `a["b c"]`; `the top level` for ()."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _PLAIN_KEY.fullmatch(step):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{printable(json.dumps(step, ensure_ascii=False))}]")
    return "".join(parts) or "the top level"


def printable(text: str) -> str:
    """The text with everything that cannot be printed, lone surrogates included, as `\\u` escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def describe(node: JsonValue) -> str:
    """What a value is, in words."""
    match node:
        case JsonObject():
            return "an object"
        case JsonArray():
            return "an array"
        case JsonString():
            return "a string"
        case JsonNumber():
            return f"the number {node.raw if len(node.raw) <= 20 else node.raw[:17] + '…'}"
        case JsonLiteral(value=None):
            return "null"
        case JsonLiteral():
            return str(node.value).lower()
