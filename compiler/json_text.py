"""JSON text → a lossless syntax tree in which everything has its place.

    source = decode(data, "rules.json", report)         # bytes → text; every front end uses it
    document = parse_json(source, report)               # None when there was a GW101
    document.root.get("validation").value.span.line     # where it stands

Accepted is exactly RFC 8259 plus comments (`//`, `/* */`) and trailing commas (GW107 each), and NaN,
Infinity and -Infinity, which are reported as GW104 and stay numbers of the tree. The parser is a loop
over the tokens of one expression; each of its steps is a method that takes a token and returns the step
for the next one. After a fault that leaves no doubt about what was meant (single quotes, a bare key, a
missing comma) it reads on, else it stops, so that no finding is the echo of another. It never recurses,
and no text makes it raise.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ..grammar.text import Source, Span
from .findings import GW101, GW104, GW107, GW108, Code, Finding, Label, Report
from .json_tree import (
    JsonArray,
    JsonDocument,
    JsonLiteral,
    JsonMember,
    JsonNumber,
    JsonObject,
    JsonPath,
    JsonString,
    JsonValue,
    path_text,
    printable,
)

MAX_DEPTH = 256
MAX_FAULTS = 100  # syntax faults of one text that are reported before reading ends

# ---- tokens -------------------------------------------------------------------------------------------------------
_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
      (?P<plain>"[^"\\\x00-\x1f]*+")
    | (?P<punctuation>[{}\[\]:,])
    | (?P<escaped>"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+")
    | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?(?![-+.\w$]))
    | (?P<literal>(?:true|false|null)(?![-+.\w$]))
    | (?P<constant>(?:NaN|-?Infinity)(?![-+.\w$]))
    | (?P<comment>//[^\r\n]*+ | /\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)
    )""",
    re.VERBOSE,
)
_LINE_BREAK = re.compile(r"\\?\r?(?:\n|\Z)")  # in a string: its line, or the file, ends here
_BLANK = re.compile(r"[ \t\n\r]*")
_FOREIGN_BLANK = re.compile("[\x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]+")
_QUOTED = re.compile(r"""'(?:[^'\\\r\n]|\\[^\r\n])*+'|[“”„][^“”„"\r\n]*+[“”]|[‘’‚][^‘’‚"\r\n]*+[‘’]""")
_WORD = re.compile(r"[-+.\w$]+")
_STRING_RUN = re.compile(r'[^"\\\x00-\x1f]*+')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
_SURROGATE = re.compile(r"[\ud800-\udfff]")

_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_OPENERS = ("{", "[")
_STRINGS = ("plain", "escaped")
_VALUES = (*_OPENERS, *_STRINGS, "number", "literal", "constant")  # what begins a value
_MISSPELLED = ("word", "quoted")  # what was meant as a string, number or literal and is none
_CONTROL_ESCAPES = {"\b": r"\b", "\t": r"\t", "\f": r"\f", "\r": r"\r"}
_FOREIGN_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}
_STRICT_HELP = "programs that read only JSON refuse this file"
_QUOTES_HELP = "JSON strings are written with double quotes"

_Step: TypeAlias = Callable[[str, int, int], "_Step | None"]


@dataclass(slots=True)
class _Frame:
    """An object or array that is still open."""

    start: int
    closer: str
    items: list[JsonValue] = field(default_factory=list[JsonValue])
    members: list[JsonMember] = field(default_factory=list[JsonMember])
    keys: dict[str, JsonString] = field(default_factory=dict[str, JsonString])
    key: JsonString | None = None


def parse_json(source: Source, report: Report) -> JsonDocument | None:
    """The syntax tree of a text, or None when it does not parse.

    Reports one GW101 per syntax fault (at most 100), GW107 per comment and trailing comma, GW108 per key
    given again, GW104 per NaN, Infinity and string with a lone surrogate. Only a GW101 leaves no document.
    """
    return _Parser(source, report).run()


class _Parser:
    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self.text = source.text
        self.report = report
        self.raw_surrogates = _SURROGATE.search(self.text) is not None
        self.faults = 0
        self.frames: list[_Frame] = []
        self.root: JsonValue | None = None
        self.comma = 0  # where the last comma stands
        self.misspelled = False  # the last value was no value
        self.comments: list[Span] = []
        self.trailing_commas: list[Span] = []

    def run(self) -> JsonDocument | None:
        step: _Step | None = self._value
        for kind, start, end in self._tokens():
            step = step(kind, start, end)
            if step is None or self.faults >= MAX_FAULTS:
                break
        if self.faults or self.root is None:
            return None
        return JsonDocument(self.root, self.source, tuple(self.comments), tuple(self.trailing_commas))

    # -- reading tokens --
    def _tokens(self) -> Iterator[tuple[str, int, int]]:
        """(kind, start, end); punctuation is its own kind, `end` comes last, none after a hopeless fault."""
        text, match_token = self.text, _TOKEN.match
        position: int | None = 0
        while position is not None and self.faults < MAX_FAULTS:
            match = match_token(text, position)
            if match is None:
                position = yield from self._odd_token(position)
                continue
            kind = match.lastgroup or ""
            position = match.end()
            start = match.start(kind)
            if kind == "punctuation":
                yield text[start], start, position
            elif kind == "comment":
                span = Span(self.source, start, position)
                self.comments.append(span)
                self._say(GW107, "JSON has no comments", span, _STRICT_HELP)
            else:
                yield kind, start, position

    def _odd_token(self, position: int) -> Generator[tuple[str, int, int], None, int | None]:
        """A token of no valid kind, at `position` behind blanks; returns where to read on (None: nowhere)."""
        text = self.text
        start = _end_of(_BLANK, text, position)
        if start == len(text):
            end = len(text.rstrip(" \t\r\n"))
            yield "end", end, end
            return None
        match text[start]:
            case '"':
                end = self._broken_string(start)
                if end is not None:
                    yield "plain", start, end
                return end
            case "/" if text.startswith("/*", start):
                self._fault("this comment is never closed", start, start + 2, "close it with */")
                return None
            case "#":
                end = _line_end(text, start)
                self._fault("found “#”, which begins nothing in JSON", start, end, "remove the comment")
                return end
            case _:
                pass
        for kind, pattern in (("quoted", _QUOTED), ("word", _WORD)):
            end = _end_of(pattern, text, start)
            if end > start:
                yield kind, start, end
                return end
        end = _end_of(_FOREIGN_BLANK, text, start)
        if end > start:
            help_text = "between values stand only spaces, tabs and line breaks"
            self._fault(f"found {_character(text[start])} between values", start, end, help_text)
            return end
        yield "odd", start, start + 1
        return None

    def _broken_string(self, start: int) -> int | None:
        """Reports what is wrong in the string at `start`; returns its end, None when it is not closed."""
        text, position = self.text, start + 1
        while True:
            position = _end_of(_STRING_RUN, text, position)
            character = text[position : position + 1]
            if character == '"':
                return position + 1
            break_here = _LINE_BREAK.match(text, position)
            if break_here is not None:
                where = "line" if "\n" in break_here.group() else "file"
                help_text = r'close it with "; a line break inside a string is written \n'
                self._fault(f'found the end of the {where} in a string, expected “"”', start, position, help_text)
                return None
            if character == "\\":
                end = _end_of(_ESCAPE, text, position)
                if end == position:
                    end = position + 2
                    self._bad_escape(position, end)
                position = end
            else:
                help_text = f"write {_CONTROL_ESCAPES.get(character) or printable(character)}"
                message = f"found {_character(character)} in a string, where control characters are escaped"
                self._fault(message, position, position + 1, help_text)
                position += 1

    def _bad_escape(self, start: int, end: int) -> None:
        found = self.text[start:end]
        expected = 'expected one of " \\ / b f n r t u behind the backslash'
        match found[1:]:
            case "u":
                expected, help_text = (
                    "expected four hexadecimal digits behind it",
                    r"for example \u00e9",
                )
            case "'":
                help_text = "a single quote needs no backslash"
            case other if other.isprintable():
                help_text = rf"a backslash is written twice: \\{other}"
            case _:
                help_text = r"a backslash is written twice: \\"
        self._fault(f"found “{printable(found)}” in a string, {expected}", start, end, help_text)

    # -- the steps: each takes a token and returns the step for the next, or None to stop --
    def _value(self, kind: str, start: int, end: int) -> _Step | None:
        return self._read_value(kind, start, end, "a value")

    def _first_item(self, kind: str, start: int, end: int) -> _Step | None:
        return self._close(end) if kind == "]" else self._read_value(kind, start, end, "a value or “]”")

    def _next_item(self, kind: str, start: int, end: int) -> _Step | None:
        return self._close_behind_comma(end) if kind == "]" else self._read_value(kind, start, end, "a value")

    def _read_value(self, kind: str, start: int, end: int, wanted: str) -> _Step | None:
        if kind in _STRINGS:
            return self._add(self._string(kind, start, end))
        if kind in _OPENERS:
            if len(self.frames) >= MAX_DEPTH:
                help_text = "rules need only a few levels; is this the right file?"
                self._fault(f"nested deeper than {MAX_DEPTH} levels", start, end, help_text)
                return None
            self.frames.append(_Frame(start, "}" if kind == "{" else "]"))
            return self._first_key if kind == "{" else self._first_item
        span = Span(self.source, start, end)
        if kind in ("number", "constant"):
            raw = self.text[start:end]
            if kind == "constant":
                self._say(GW104, f"{path_text(self._path())} is {raw}, which is no number in JSON", span, None)
            return self._add(JsonNumber(raw, span))
        if kind == "literal":
            return self._add(JsonLiteral(_LITERALS[self.text[start:end]], span))
        self._unexpected(kind, start, end, wanted)
        if kind in _MISSPELLED:
            self.misspelled = True
            return self._add(JsonLiteral(None, span))
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.closer == "}" and kind in (",", "}"):
            self._add(JsonLiteral(None, span))
            return self._after(kind, start, end)
        return self._first_item if frame is not None and kind == "," else None

    def _first_key(self, kind: str, start: int, end: int) -> _Step | None:
        return self._close(end) if kind == "}" else self._read_key(kind, start, end, "a key in double quotes or “}”")

    def _next_key(self, kind: str, start: int, end: int) -> _Step | None:
        if kind == "}":
            return self._close_behind_comma(end)
        return self._read_key(kind, start, end, "a key in double quotes")

    def _read_key(self, kind: str, start: int, end: int, wanted: str) -> _Step | None:
        frame = self.frames[-1]
        if kind in _STRINGS:
            key = self._string(kind, start, end, is_key=True)
        else:
            self._unexpected(kind, start, end, wanted)
            if kind not in ("word", "quoted", "number", "literal"):
                return self._first_key if kind == "," else None
            key = JsonString(self.text[start:end], Span(self.source, start, end))
        frame.key = key
        first = frame.keys.setdefault(key.value, key)
        if first is not key:
            message = f"{path_text(self._path())} is given twice; the later one would win silently"
            self._say(GW108, message, key.span, "keep one of them", Label(first.span, "first given here"))
        return self._colon

    def _colon(self, kind: str, start: int, end: int) -> _Step | None:
        if kind == ":":
            return self._value
        self._unexpected(kind, start, end, "“:” behind the key")
        if kind in _VALUES:
            return self._value(kind, start, end)
        if kind in (",", "}"):
            self._add(JsonLiteral(None, Span(self.source, start, end)))
            return self._after(kind, start, end)
        return None

    def _after(self, kind: str, start: int, end: int) -> _Step | None:
        """Behind a value in an object or array."""
        frame = self.frames[-1]
        in_object = frame.closer == "}"
        if kind == ",":
            self.comma = start
            self.misspelled = False
            return self._next_key if in_object else self._next_item
        if kind == frame.closer:
            return self._close(end)
        if self.misspelled:  # the rest of what should have been a string
            return None
        before = (frame.members if in_object else frame.items)[-1].span
        opener = Span(self.source, frame.start, frame.start + 1)
        help_text, label = None, Label(opener, "opened here")
        if kind == "word" and start == before.end and self.text[start - 1] == '"':
            help_text = r"a quote inside a string is written \""
        elif kind == ":":
            help_text = "keys stand only in objects: { }" if not in_object else "a key has one value"
        elif kind in _VALUES or kind in _MISSPELLED:
            label = Label(before, "“,” is missing behind this")
        self._unexpected(kind, start, end, f"“,” or “{frame.closer}”", help_text, label)
        if in_object:
            return self._next_key(kind, start, end) if kind in _STRINGS else None
        if kind == ":":
            return self._next_item
        return self._next_item(kind, start, end) if kind in _VALUES else None

    def _done(self, kind: str, start: int, end: int) -> _Step | None:
        if kind != "end":
            self._unexpected(kind, start, end, "the end of the file", "a JSON file holds one value")
        return None

    # -- building the tree --
    def _add(self, node: JsonValue) -> _Step:
        if not self.frames:
            self.root = node
            return self._done
        frame = self.frames[-1]
        if frame.key is not None:
            frame.members.append(JsonMember(frame.key, node))
        else:
            frame.items.append(node)
        return self._after

    def _close(self, end: int) -> _Step:
        self.misspelled = False
        frame = self.frames.pop()
        span = Span(self.source, frame.start, end)
        if frame.closer == "}":
            return self._add(JsonObject(tuple(frame.members), span))
        return self._add(JsonArray(tuple(frame.items), span))

    def _close_behind_comma(self, end: int) -> _Step:
        span = Span(self.source, self.comma, self.comma + 1)
        self.trailing_commas.append(span)
        self._say(GW107, "JSON has no trailing commas", span, _STRICT_HELP)
        return self._close(end)

    def _string(self, kind: str, start: int, end: int, is_key: bool = False) -> JsonString:
        if kind == "plain":
            node = JsonString(self.text[start + 1 : end - 1], Span(self.source, start, end))
            if not self.raw_surrogates:
                return node
        else:
            node = JsonString(json.loads(self.text[start:end]), Span(self.source, start, end))
        lone = _SURROGATE.search(node.value)
        if lone is not None:
            owner = f"the key {path_text(self._path(node.value))}" if is_key else path_text(self._path())
            message = f"a lone surrogate \\u{ord(lone.group()):04x} in {owner}, half of a character"
            self._say(GW104, message, node.span, "write the character itself, or both halves of its pair")
        return node

    def _path(self, key: str | None = None) -> JsonPath:
        """The path of the value that is being read, or of the member of that key in the innermost object."""
        path: list[str | int] = [len(frame.items) if frame.key is None else frame.key.value for frame in self.frames]
        return tuple(path) if key is None else (*path[:-1], key)

    # -- findings --
    def _say(self, kind: Code, message: str, span: Span, help_text: str | None = None, *labels: Label) -> None:
        self.report(Finding(kind, message, span, labels=labels, help=help_text))

    def _fault(self, message: str, start: int, end: int, help_text: str | None, *labels: Label) -> None:
        self.faults += 1
        if self.faults <= MAX_FAULTS:
            self._say(GW101, message, Span(self.source, start, end), help_text, *labels)

    def _unexpected(
        self, kind: str, start: int, end: int, wanted: str, help_text: str | None = None, *labels: Label
    ) -> None:
        text = self.text[start:end]
        match kind:
            case "end":
                found = "the end of the file" if self.text.strip() else "nothing: the file is empty"
                if self.frames:
                    opener = self.frames[-1].start
                    place = Span(self.source, opener, opener + 1)
                    labels = (Label(place, f"this “{self.text[opener]}” is never closed"),)
            case "plain" | "escaped":
                found = f"the string {_shortened(text)}"
            case "number" | "constant":
                found = f"the number {_shortened(text)}"
            case "quoted":
                found = "a string in single quotes" if text[0] == "'" else "a string in typographic quotes"
            case "odd":
                found = f"“{text}”" if text.isprintable() else _character(text)
            case _:
                found = f"“{_shortened(text)}”"
        if help_text is None and (kind == "quoted" or (kind == "odd" and text in "'‘’‚“”„")):
            help_text = _QUOTES_HELP
        elif help_text is None and kind == "word":
            help_text = _word_help(text)
        self._fault(f"expected {wanted}, found {found}", start, end, help_text, *labels)


# ---- words for messages -------------------------------------------------------------------------------------------
def _word_help(word: str) -> str:
    """What the writer of a word that JSON does not know may have meant."""
    if word in _FOREIGN_WORDS:
        return f"in JSON this is written {_FOREIGN_WORDS[word]}"
    if word.lower() in _LITERALS:
        return f"in JSON this is written {word.lower()}"
    bare = word.lstrip("+-")
    if re.fullmatch(r"0[xX][0-9A-Fa-f]{1,12}", bare):
        return f"JSON numbers are decimal: {int(bare, 16)}"
    if re.fullmatch(r"0+[0-9]+", bare):
        return f"JSON numbers have no leading zeros: {_shortened(bare.lstrip('0') or '0')}"
    if word.startswith("+"):
        return "JSON numbers have no plus sign"
    if re.match(r"\.?[0-9]", bare) or not bare.strip("."):
        return "JSON numbers are written like 12, -0.5 or 1e3"
    return f'{_QUOTES_HELP}: "{_shortened(word)}"'


def _character(character: str) -> str:
    """`a tab (U+0009)`, `U+00A0 (no-break space)`, `U+0000`."""
    if character == "\t":
        return "a tab (U+0009)"
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X} ({name})" if name else f"U+{ord(character):04X}"


def _shortened(text: str) -> str:
    return printable(text if len(text) <= 40 else f"{text[:39]}…")


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a match of the pattern at `position` ends; `position` when there is none."""
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text.rstrip("\r\n")) if end < 0 else end
