"""Texts and places in them.

Every later layer speaks of places through `Span`: a source and two offsets. Lines and columns are worked out only
when somebody asks, so that a span costs nothing while all is well.

    source = Source("a.gate", 'hosts web-01\n')
    span = source.span(6, 12)
    (span.line, span.column, span.text)     # (1, 7, 'web-01')
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate


@dataclass(frozen=True)
class Source:
    """One text that was read, under the name that messages give it (a path as the user wrote it, or `<stdin>`).

    A byte order mark at its beginning takes no column.
    """

    name: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets of the first character of every line; a line ends with LF (so CRLF counts once)."""
        return [0, *accumulate(len(line) + 1 for line in self.text.split("\n")[:-1])]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; columns count characters (code points), a tab is one."""
        line = bisect_right(self.line_starts, offset)
        if line == 1 and self.text.startswith("\ufeff"):
            return 1, max(offset, 1)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of line `line` (from 1) without its line ending."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        text = self.text[start:end].rstrip("\r\n")
        return text.removeprefix("\ufeff") if line == 1 else text

    def span(self, start: int, end: int) -> Span:
        return Span(self, start, end)


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` up to, not including, `end` of a source."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def file(self) -> str:
        return self.source.name

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_and_column(self.start)[1]

    @property
    def end_line(self) -> int:
        return self.source.line_and_column(self.end)[0]

    @property
    def end_column(self) -> int:
        """Column just behind the last character, from 1."""
        return self.source.line_and_column(self.end)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of `other` (same source)."""
        return Span(self.source, self.start, other.end)
