"""Evidence texts → plain Python values, fast; and places in them, only when somebody asks.

Archives hold 100,000 records, so a text goes through `json.loads` and not through the positioned parser of
the compiler. Only when something is wrong is the text read once more, for line and column (`Places`).

    reader = JsonReader()
    value = reader.read(source)                        # NotJsonError says what is wrong with it
    reader.faults(source, value)                       # keys given twice, NaN: JSON.loads lets both pass
    Places(source).value(("job", "tasks", 0))          # the span of job.tasks[0]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from ...compiler.findings import GW701, Finding
from ...grammar.text import Source, Span

if TYPE_CHECKING:
    from ...compiler.json_text import JsonDocument, JsonPath

MAX_DEPTH = 256
"""Objects and lists inside one another; the limit of the rule files, too."""

_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)


class NotJsonError(Exception):
    """The text is not JSON; carries the one finding (GW701) that says why and where."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


@dataclass(frozen=True)
class LineSource(Source):
    """One line of a longer file, as a source of its own whose places count the lines of the file."""

    first_line: int = 1

    def line_and_column(self, offset: int) -> tuple[int, int]:
        line, column = super().line_and_column(offset)
        return line + self.first_line - 1, column

    def line_text(self, line: int) -> str:
        return super().line_text(line - self.first_line + 1)


class NotFinite(float):
    """NaN, Infinity or -Infinity, which JSON does not have and many programs write all the same."""


def too_deep(text: str) -> int | None:
    """The offset of the bracket that opens level 257 of a JSON text, or None."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return None
    depth = 0
    for match in _BRACKET.finditer(text):
        character = text[match.start()]
        if character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return match.start()
        elif character != '"':
            depth -= 1
    return None


class JsonReader:
    """Reads many texts with one decoder. Not for several threads at once."""

    def __init__(self) -> None:
        self._duplicates = False
        self._not_finite = False
        self._decoder = json.JSONDecoder(object_pairs_hook=self._object, parse_constant=self._constant)
        self._patient = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._constant, parse_int=_integer
        )

    def read(self, source: Source) -> object:
        """The value of the text. Raises `NotJsonError`; nothing else, whatever the text.

        A lone surrogate stays as it is. Integers beyond 4,300 digits become floats (infinity, in the end),
        for no field takes them and Python refuses to convert them.
        """
        text = source.text
        self._duplicates = self._not_finite = False
        if (start := too_deep(text)) is not None:
            place = source.span(start, start + 1)
            raise NotJsonError(Finding(GW701, f"nested deeper than {MAX_DEPTH} levels", place))
        try:
            return self._decoder.decode(text)
        except json.JSONDecodeError as error:
            raise NotJsonError(_syntax_finding(source, error)) from None
        except ValueError:  # an integer of more digits than Python converts
            return self._patient.decode(text)

    def faults(self, source: Source, value: object) -> list[Finding]:
        """What makes the text last read ambiguous as evidence: keys given twice in an object, NaN and
        Infinity."""
        found: list[Finding] = []
        if self._duplicates:
            found += _duplicate_findings(source)
        if self._not_finite:
            places = Places(source)
            for path in _not_finite_paths(value):
                message = f"{path_name(path)} is NaN or Infinity, which JSON does not have"
                found.append(Finding(GW701, message, places.value(path), help="null says: not known"))
        return found

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) != len(pairs):
            self._duplicates = True
        return made

    def _constant(self, word: str) -> float:
        self._not_finite = True
        return NotFinite(word.replace("Infinity", "inf"))


class Places:
    """Where the values of a text stand; reads the text when first asked."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def value(self, path: JsonPath) -> Span:
        """The span of the value at `path`; of the nearest value around it where there is none."""
        return self._find(path)[0]

    def key(self, path: JsonPath) -> Span:
        """The span of the key at the end of `path`."""
        return self._find(path)[1]

    def _find(self, path: JsonPath) -> tuple[Span, Span]:
        from ...compiler.json_text import JsonArray, JsonObject

        if self._document is None:  # the compiler's parser refuses what json.loads took: no known case
            start = self.source.span(0, min(1, len(self.source.text)))
            return start, start
        node = self._document.root
        key = node.span
        for step in path:
            if isinstance(node, JsonObject) and isinstance(step, str):
                member = node.get(step)
                if member is None:
                    break
                node, key = member.value, member.key.span
            elif isinstance(node, JsonArray) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
                key = node.span
            else:
                break
        return node.span, key

    @cached_property
    def _document(self) -> JsonDocument | None:
        from ...compiler.json_text import parse_json

        return parse_json(self.source, lambda _: None)


def path_name(path: JsonPath) -> str:
    """A path for people: `job.tasks[2].executed_commands[0]`."""
    from ...compiler.json_text import path_text

    return path_text(path)


# ---- values of unknown shape -----------------------------------------------------------------------------
def as_object(value: object) -> dict[str, object] | None:
    """The JSON object that `value` is, or None."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object] | None:
    """The JSON list that `value` is, or None."""
    return cast("list[object]", value) if isinstance(value, list) else None


def as_text(value: object) -> str | None:
    """The string that `value` is, or None; None for the empty string, too."""
    return value if isinstance(value, str) and value else None


def kind_of(value: object) -> str:
    """What a JSON value is, in words for a message: `a string`, `true`, `null`, …"""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def shown(text: str) -> str:
    """At most 60 characters of a text from outside, for a message: control characters and lone surrogates
    escaped as in JSON."""
    part = text if len(text) <= 60 else f"{text[:59]}…"
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in part)


# ---- what is wrong ---------------------------------------------------------------------------------------
def _integer(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _syntax_finding(source: Source, error: json.JSONDecodeError) -> Finding:
    """In the words of the compiler's parser, which are better than json's."""
    from ...compiler.json_text import parse_json

    found: list[Finding] = []
    parse_json(source, found.append)
    faults = [finding for finding in found if finding.is_error]
    if not faults:  # comments, trailing commas: read in rule files, not in evidence
        place = found[0].span if found else source.span(error.pos, error.pos)
        return Finding(GW701, f"not JSON: {found[0].message if found else error.msg}", place)
    fault = faults[0]
    message = fault.message
    if isinstance(source, LineSource):
        message = message.replace("the end of the file", "the end of the line")
    return replace(fault, kind=GW701, message=f"not JSON: {message}", severity_override=None)


def _duplicate_findings(source: Source) -> list[Finding]:
    from ...compiler.findings import GW108
    from ...compiler.json_text import parse_json

    found: list[Finding] = []
    parse_json(source, found.append)
    return [replace(finding, kind=GW701) for finding in found if finding.kind == GW108]


def _not_finite_paths(value: object) -> Iterator[JsonPath]:
    waiting: list[tuple[JsonPath, object]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, NotFinite):
            yield path
        elif (members := as_object(item)) is not None:
            waiting.extend(((*path, key), inner) for key, inner in reversed(members.items()))
        elif (items := as_list(item)) is not None:
            waiting.extend(((*path, index), items[index]) for index in reversed(range(len(items))))
