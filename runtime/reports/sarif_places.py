"""Places as SARIF says them: the URI of a file, and regions whose columns count UTF-16 code units.

physical_location(span)
# {"artifactLocation": {"uri": "rules.gate", "uriBaseId": "%SRCROOT%"},
#  "region": {"startLine": 3, "startColumn": 6, "endLine": 3, "endColumn": 10}}
"""

from __future__ import annotations

from urllib.parse import quote

from ...grammar.text import Source, Span

JsonObject = dict[str, object]

ROOT = "%SRCROOT%"
"""What relative paths are relative to: the folder of the call."""


def physical_location(span: Span) -> JsonObject | None:
    """The place of a span; None where its text comes from no file that a URI could name."""
    artifact = artifact_location(span.file)
    return None if artifact is None else {"artifactLocation": artifact, "region": region(span)}


def artifact_location(name: str) -> JsonObject | None:
    """The file of this name: relative to the root, or absolute as `file://`; None for standard input."""
    if name.startswith("/"):
        return {"uri": f"file://{_quoted(name)}"}
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return None if name in ("", "<stdin>") else {"uri": _quoted(name), "uriBaseId": ROOT}


def region(span: Span) -> JsonObject:
    """Lines and columns from 1; the end column stands just behind the last code unit."""
    line, column = _line_and_column(span.source, span.start)
    end_line, end_column = _line_and_column(span.source, max(span.start, span.end))
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _line_and_column(source: Source, offset: int) -> tuple[int, int]:
    line, column = source.line_and_column(offset)
    if not source.text.isascii():
        before = source.text[offset - (column - 1) : offset]
        column += sum(character > "\uffff" for character in before) if not before.isascii() else 0
    return line, column


def _quoted(name: str) -> str:
    """Percent-encoded bytes of a name; halves of characters are bytes of a name that is not UTF-8."""
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = name.encode("utf-8", "surrogatepass")
    return quote(data, safe="/")
