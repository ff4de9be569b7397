"""Changing parts of a JSON text and leaving the rest byte for byte.

    rewrite(document, [
        Replace(("validation",), rules),
        Insert((), "restore", steps, after=("key", "title", "validation")),
        Delete(("old_note",)),
    ])

What no edit touches keeps its bytes: order, spacing, spelling of numbers, escapes. Only comments and
trailing commas go (JSON has none), CRLF becomes LF, and the text ends with exactly one newline. That
cleaning comes first; when it changed anything the text is read again, so that edits only ever see strict
JSON with LF.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..grammar.text import Source, Span
from .findings import Finding
from .json_layout import INDENT, Printable, layout, string_text
from .json_text import parse_json
from .json_tree import JsonArray, JsonDocument, JsonObject, JsonPath, JsonValue, path_text


@dataclass(frozen=True, slots=True)
class Replace:
    """The value of the member (or item) at `path` becomes `value`; `()` is the whole text."""

    path: JsonPath
    value: Printable


@dataclass(frozen=True, slots=True)
class Insert:
    """The object at `path` gets the member `key`.

    It stands behind the last of the members `after` that the object has, else before the first of
    `before`, else at the end; several at one place stand in the order of the edits. Members that earlier
    edits inserted count, deleted ones do not.
    """

    path: JsonPath
    key: str
    value: Printable
    after: Sequence[str] = ()
    before: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Delete:
    """The member (or item) at `path` goes."""

    path: JsonPath


Edit: TypeAlias = Replace | Insert | Delete


def rewrite(document: JsonDocument, edits: Iterable[Edit] = (), strip_comments: bool = True) -> str:
    """The text of `document` with the edits made.

    Raises ValueError where an edit names no place of the document, gives an object a key it has, or
    touches what another edit replaces or deletes; and for a document with comments unless
    `strip_comments` allows to drop them.
    """
    if document.comments and not strip_comments:
        raise ValueError("the document has comments, which are not to be dropped")
    clean = _without_extensions(document)
    text, start = clean.source.text, clean.root.span.start
    return f"{text[:start]}{_new_text(text, clean.root, _planned(edits), start)}\n"


# ---- cleaning -----------------------------------------------------------------------------------------------------
_BLANKS = " \t\r"
_LINE_REST = re.compile(r"[ \t\r]*")


def _without_extensions(document: JsonDocument) -> JsonDocument:
    """The document without comments, trailing commas and CRLF; itself where it has none of them."""
    text = document.source.text
    extensions = sorted((*document.comments, *document.trailing_commas), key=lambda span: span.start)
    if not extensions and "\r\n" not in text:
        return document
    pieces: list[str] = []
    position = 0
    for start, end in _removals(text, extensions):
        pieces.append(text[position:start])
        position = end
    pieces.append(text[position:])
    clean = re.sub(r"\r+\n", "\n", "".join(pieces))
    if document.comments and document.comments[0].start < document.root.span.start:
        clean = clean.lstrip(_BLANKS + "\n")
    findings: list[Finding] = []
    again = parse_json(Source(document.source.name, clean), findings.append)
    if again is None:  # taking out comments and commas cannot break JSON
        raise AssertionError(findings)
    return again


def _removals(text: str, extensions: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """What to take out, in order: neighbours together, with the blanks or the whole line they leave."""
    groups: list[tuple[int, int]] = []
    for span in extensions:
        if groups and not text[groups[-1][1] : span.start].strip(_BLANKS):
            groups[-1] = (groups[-1][0], span.end)
        else:
            groups.append((span.start, span.end))
    for start, end in groups:
        before = start
        while before > 0 and text[before - 1] in _BLANKS:
            before -= 1
        after = _end_of_blanks(text, end)
        starts_line = before == 0 or text[before - 1] == "\n"
        ends_line = after == len(text) or text[after] == "\n"
        if starts_line and ends_line:
            yield before, min(after + 1, len(text))
        elif starts_line:
            yield start, after
        else:
            yield before, end


def _end_of_blanks(text: str, position: int) -> int:
    match = _LINE_REST.match(text, position)
    return position if match is None else match.end()


# ---- edits, sorted by place ---------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Plan:
    """What is to happen to one value and inside it."""

    replacement: Replace | None = None
    deleted: bool = False
    inserts: list[Insert] = field(default_factory=list[Insert])
    children: dict[str | int, _Plan] = field(default_factory=dict[str | int, "_Plan"])

    @property
    def is_final(self) -> bool:
        return self.deleted or self.replacement is not None


def _planned(edits: Iterable[Edit]) -> _Plan:
    root = _Plan()
    for edit in edits:
        plan = root
        for step in edit.path:
            _refuse(plan.is_final, edit, "lies in a value that another edit replaces or deletes")
            plan = plan.children.setdefault(step, _Plan())
        _refuse(plan.is_final, edit, "is replaced or deleted by another edit")
        if isinstance(edit, Insert):
            plan.inserts.append(edit)
            continue
        _refuse(bool(plan.inserts or plan.children), edit, "has another edit inside")
        if isinstance(edit, Replace):
            plan.replacement = edit
        else:
            _refuse(not edit.path, edit, "cannot be deleted")
            plan.deleted = True
    return root


def _refuse(condition: bool, edit: Edit, why: str) -> None:
    if condition:
        raise ValueError(f"{type(edit).__name__}: {path_text(edit.path)} {why}")


# ---- writing ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Part:
    """A member or item as it stands in the text; `start` is that of its key, where it has one."""

    name: str | int
    start: int
    value: JsonValue


@dataclass(slots=True)
class _Entry:
    """A member or item on its way out: the blanks before it (unless it is first), its text, those behind."""

    name: str | int
    lead: str
    body: str
    tail: str = ""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class _Style:
    """The blanks of one array or object: behind its opening, behind a comma, before its closing bracket."""

    first: str
    following: str
    closing: str
    colon: str = ": "


def _new_text(text: str, node: JsonValue, plan: _Plan, start: int, path: JsonPath = ()) -> str:
    """The text of `node` with its edits; `start` is where its key stands, or itself where it has none."""
    if plan.replacement is not None:
        column = node.span.start - _line_start(text, node.span.start)
        return _laid_out(plan.replacement.value, _indentation(text, start), column)
    if not plan.children and not plan.inserts:
        return text[node.span.start : node.span.end]
    parts = _parts(node)
    last = {part.name: part for part in parts}
    for name in plan.children:
        if name not in last:
            raise ValueError(f"{path_text((*path, name))} is not in the document")
    style = _style(text, node, parts)
    entries: list[_Entry] = []
    for number, part in enumerate(parts):
        child = plan.children.get(part.name)
        if child is not None and child.deleted:
            continue
        begin, end = part.value.span.start, part.value.span.end
        body = text[part.start : end]
        if child is not None and part is last[part.name]:
            body = _new_text(text, part.value, child, part.start, (*path, part.name))
            body = text[part.start : begin] + body
        lead = text[text.rindex(",", 0, part.start) + 1 : part.start] if number else style.following
        tail = text[end : text.index(",", end)] if number + 1 < len(parts) else ""
        entries.append(_Entry(part.name, lead, body, tail))
    for insert in plan.inserts:
        if not isinstance(node, JsonObject):
            raise ValueError(f"{path_text(path)} is no object to insert into")
        _insert(text, entries, insert, style, node.span.start)
    brackets = "{}" if isinstance(node, JsonObject) else "[]"
    if not entries:
        return brackets
    pieces = [brackets[0]]
    for number, entry in enumerate(entries):
        pieces += ("," + entry.lead if number else style.first, entry.body)
        pieces.append(entry.tail if number + 1 < len(entries) else style.closing)
    return "".join((*pieces, brackets[1]))


def _parts(node: JsonValue) -> list[_Part]:
    match node:
        case JsonObject():
            return [_Part(each.key.value, each.key.span.start, each.value) for each in node.members]
        case JsonArray():
            return [_Part(number, item.span.start, item) for number, item in enumerate(node.items)]
        case _:
            return []


def _style(text: str, node: JsonValue, parts: Sequence[_Part]) -> _Style:
    opening = node.span.start
    if not parts:
        if node.span.start > 0 and "\n" not in text.strip():
            return _Style("", "", "")
        margin = _indentation(text, opening)
        inner = f"\n{margin}{' ' * INDENT}"
        return _Style(inner, inner, f"\n{margin}")
    first = text[opening + 1 : parts[0].start]
    closing = text[parts[-1].value.span.end : node.span.end - 1]
    colon = ": "
    if isinstance(node, JsonObject):
        member = node.members[0]
        colon = text[member.key.span.end : member.value.span.start]
    following = first
    if len(parts) > 1:
        following = text[text.rindex(",", 0, parts[-1].start) + 1 : parts[-1].start]
    if "\n" in following:
        return _Style(first, following[following.rindex("\n") :], closing)
    if len(parts) == 1:
        following = "" if colon == ":" else " "
    return _Style(first, following, closing, ":" if colon == ":" else ": ")


def _insert(text: str, entries: list[_Entry], insert: Insert, style: _Style, opening: int) -> None:
    """Puts a new member among the entries of the object that begins at `opening`."""
    names = [entry.name for entry in entries]
    if insert.key in names:
        raise ValueError(f"{path_text((*insert.path, insert.key))} is in the document already")
    behind = [number + 1 for number, name in enumerate(names) if name in insert.after]
    ahead = [number for number, name in enumerate(names) if name in insert.before]
    position = behind[-1] if behind else ahead[0] if ahead else len(entries)
    if behind:  # behind what earlier edits put at the same place, if that is not to be ahead of it
        while position < len(entries) and entries[position].is_new and names[position] not in insert.before:
            position += 1
    key = string_text(insert.key) + style.colon
    if "\n" in style.following:
        margin = style.following[style.following.rindex("\n") + 1 :]
        column = len(margin) + len(key)
    else:
        margin = _indentation(text, opening)
        column = opening - _line_start(text, opening) + len(key)
    body = key + _laid_out(insert.value, margin, column)
    entries.insert(position, _Entry(insert.key, style.following, body, is_new=True))


def _laid_out(value: Printable, margin: str, column: int) -> str:
    """The canonical layout of a value on a line that begins with the blanks `margin`."""
    text = layout(value, len(margin), column=column)
    return text.replace("\n" + " " * len(margin), "\n" + margin) if margin.strip(" ") else text


def _line_start(text: str, position: int) -> int:
    return text.rfind("\n", 0, position) + 1


def _indentation(text: str, position: int) -> str:
    """The blanks that the line of `position` begins with."""
    start = _line_start(text, position)
    return text[start : min(_end_of_blanks(text, start), position)]
