"""Edits of rules as text: a literal with another value, in whatever form it is written."""

from __future__ import annotations

from ...compiler.findings import Edit
from ...compiler.json_layout import string_text
from ...grammar.literals import write
from ...grammar.text import Span


def with_value(span: Span | None, value: str) -> Edit | None:
    """The literal at `span` with another value; None for templates, whose value is not what stands there.

    In a `.gate` file it may stand in another kind of literal than before: whichever says the value.
    """
    if span is None or not span.text or span.text[0] not in '"`':
        return None
    is_json = not span.file.endswith(".gate")
    return Edit(span, string_text(value) if is_json else write(value))
