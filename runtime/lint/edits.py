"""Edits of rules as text: a literal with another value, in whatever form it is written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from ...compiler.findings import Edit
from ...compiler.json_layout import string_text
from ...compiler.json_tree import JsonArray, JsonDocument, JsonMember, JsonObject, JsonValue
from ...grammar.literals import write
from ...grammar.text import Source, Span


def with_value(span: Span | None, value: str) -> Edit | None:
    """The literal at `span` with another value; None for templates, whose value is not what stands there.

    In a `.gate` file it may stand in another kind of literal than before: whichever says the value.
    """
    if span is None or not span.text or span.text[0] not in '"`':
        return None
    is_gate = span.text[0] == "`" or is_gate_text(span.source)
    return Edit(span, write(value) if is_gate else string_text(value))


def is_gate_text(source: Source) -> bool:
    """Whether a text is one of a `.gate` file; on standard input, where no name says so, JSON begins as JSON does."""
    if source.name == "<stdin>":
        return not source.text.lstrip(" \t\r\n\v\f").startswith(("[", "{"))
    return PurePath(source.name).suffix == ".gate"


def without_member(document: JsonDocument, value: Span) -> Edit | None:
    """The object without the member whose value stands at `value`, its comma taken out with it.

    `{"a": 1, "negate": false}` becomes `{"a": 1}`. None where a comment stands between, or where it is the only member.
    """
    members = _members_around(document.root, value)
    index = next((i for i, member in enumerate(members) if member.value.span == value), None)
    if index is None or len(members) < 2:
        return None
    if index > 0:
        start, end = members[index - 1].span.end, value.end
    else:
        start, end = members[0].span.start, members[1].span.start
    has_comment = any(start <= comment.start < end for comment in document.comments)
    return None if has_comment else Edit(Span(value.source, start, end), "")


def _members_around(root: JsonValue, place: Span) -> tuple[JsonMember, ...]:
    """The members of the innermost object that a place lies in."""
    members: tuple[JsonMember, ...] = ()
    node: JsonValue | None = root
    while node is not None:
        children: Iterable[JsonValue] = ()
        if isinstance(node, JsonObject):
            members = node.members
            children = (member.value for member in members)
        elif isinstance(node, JsonArray):
            children = node.items
        node = next((child for child in children if child.span.start <= place.start < child.span.end), None)
    return members
