"""Where the keys and values of a TOML text stand; `tomllib` reads values but forgets their places.

    found = places(Source("h.toml", '[hosts.web-01]\\nport = 22\\n'))
    found[("hosts", "web-01", "port")].value.text     # '22'

Only texts that `tomllib` has read may come here: the scanner knows how TOML is cut into pieces, not what is
allowed. Elements of arrays have no places of their own.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

from ..grammar.text import Source, Span

Path = tuple[str, ...]

_STRING = r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})" + r'|"(?:[^"\\]|\\.)*"' + r"|'[^']*'"
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(_STRING + r"|[A-Za-z0-9_-]+", re.DOTALL)
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_SCALAR = re.compile(_STRING + r"|[^,\]}#\r\n]+", re.DOTALL)
_PIECE = re.compile(_STRING + r"|#[^\n]*|[^\"'#\[\]{}]+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """One key: where it stands, and where its value does. Of a table the header is both."""

    key: Span
    value: Span


def places(source: Source) -> dict[Path, Place]:
    """The places of all tables and keys by path; of a table with several headers the first."""
    found: dict[Path, Place] = {}
    text, position, table = source.text, 0, ()
    while (position := _skip(_BLANK, text, position)) < len(text):
        if text[position] == "[":
            start = position
            keys, position = _dotted(source, _skip(re.compile(r"\[+[ \t]*"), text, position))
            position = _skip(re.compile(r"[ \t]*\]+"), text, position)
            table = tuple(name for name, _ in keys)
            header = source.span(start, position)
            for size in range(1, len(table) + 1):
                found.setdefault(table[:size], Place(keys[size - 1][1], header))
        else:
            position = _pair(source, position, table, found)
    return found


def toml_fault(source: Source, error: ValueError) -> tuple[str, Span | None]:
    """What `tomllib` has to say of a text, and where: its messages end with `(at line 3, column 7)` or `(at end of
    document)`."""
    said, _, place = str(error).partition(" (at ")
    span = None
    if found := re.fullmatch(r"line (\d+), column (\d+)\)", place):
        line, column = int(found[1]), int(found[2])
        start = source.line_starts[min(line, len(source.line_starts)) - 1] + column - 1
        span = source.span(start, start + 1)
    elif place:
        span = source.span(len(source.text), len(source.text))
    return f"{said[:1].lower()}{said[1:]}", span


def headers(source: Source, name: str) -> list[Span]:
    """The places of the headers `[[name]]` of an array of tables, in order."""
    found = re.finditer(rf"^[ \t]*(\[\[[ \t]*{re.escape(name)}[ \t]*\]\])", source.text, re.MULTILINE)
    return [source.span(*header.span(1)) for header in found]


def _pair(source: Source, position: int, table: Path, found: dict[Path, Place]) -> int:
    """Read `key = value` at a position into `found`; gives the position behind it."""
    keys, position = _dotted(source, position)
    start = _skip(_EQUALS, source.text, position)
    path = table + tuple(name for name, _ in keys)
    position = _value(source, start, path, found)
    value = source.span(start, position)
    for size in range(1, len(keys) + 1):
        found.setdefault(path[: len(table) + size], Place(keys[size - 1][1], value))
    return position


def _dotted(source: Source, position: int) -> tuple[list[tuple[str, Span]], int]:
    """The parts of `a."b c".d`, each with its place."""
    keys: list[tuple[str, Span]] = []
    while key := _KEY.match(source.text, position):
        keys.append((_name(key[0]), source.span(*key.span())))
        position = key.end()
        if not (dot := _DOT.match(source.text, position)):
            break
        position = dot.end()
    return keys, position


def _name(written: str) -> str:
    return tomllib.loads(f"value = {written}")["value"] if written[0] in "\"'" else written


def _value(source: Source, position: int, path: Path, found: dict[Path, Place]) -> int:
    """The position behind the value at a position; the keys of an inline table go into `found`."""
    text = source.text
    match text[position : position + 1]:
        case "{":
            position = _skip(_BLANK, text, position + 1)
            while position < len(text) and text[position] != "}":
                position = _pair(source, position, path, found)
                position = _skip(re.compile(r"[ \t\r\n,]*"), text, position)
            return position + 1
        case "[":
            depth = 0
            for piece in _PIECE.finditer(text, position):
                depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(piece[0], 0)
                if depth == 0:
                    return piece.end()
            return len(text)
        case _:
            scalar = _SCALAR.match(text, position)
            return position + len(scalar[0].rstrip(" \t")) if scalar else position + 1


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position
