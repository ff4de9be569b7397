"""Comments that allow a finding: `# allow(GW203): reason`, at the end of a line or alone on the line above.

A comment speaks of the innermost statement (rule, step, setting …) that it stands in or above; several lines of
comments may stand above one another. One without a reason is GW903, and one that allows nothing GW902. Errors cannot be
allowed: what does not compile does not compile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...compiler.findings import CATALOGUE, GW902, GW903, Edit, Finding, Fix, did_you_mean
from ...grammar import syntax
from ...grammar.text import Source, Span
from .notes import BY_OPTION

_ALLOW = re.compile(r"#\s*allow\s*\(([^)]*)\)\s*(?::\s*(.*))?$")


@dataclass(slots=True)
class AllowComment:
    """One comment, what it allows and where. `start` and `end` are offsets of the statement; none has both at 0."""

    span: Span
    codes: tuple[str, ...]
    reason: str
    start: int
    end: int
    used: set[str] = field(default_factory=set[str])


def allow_comments(file: syntax.File) -> list[AllowComment]:
    """Every comment that allows something, or is meant to, of a file that was parsed with its comments."""
    places = _Places(file)
    found: list[AllowComment] = []
    for comment in file.comments:
        match = _ALLOW.match(comment.text.rstrip())
        if match is None:
            continue
        words = [word.strip() for word in match[1].split(",") if word.strip()]
        codes = tuple(word.upper() if word.upper() in CATALOGUE else word for word in words)
        start, end = places.of(comment)
        span = Span(file.source, comment.start, comment.start + len(comment.text.rstrip()))
        found.append(AllowComment(span, codes, (match[2] or "").strip(), start, end))
    return found


def without_allowed(findings: Iterable[Finding], comments: dict[Source, list[AllowComment]]) -> Iterator[Finding]:
    """The findings that no comment of their own file allows; comments learn what they were used for."""
    by_code: dict[tuple[Source, str], list[AllowComment]] = {}
    for source, here in comments.items():
        for comment in here:
            for code in set(comment.codes):
                by_code.setdefault((source, code), []).append(comment)
    for finding in findings:
        span = finding.span
        if span is None or finding.is_error:
            yield finding
            continue
        possible = by_code.get((span.source, finding.code), ())
        allowing = [comment for comment in possible if comment.start <= span.start < comment.end]
        for comment in allowing:
            comment.used.add(finding.code)
        if not allowing:
            yield finding


def faults_of(comments: Iterable[AllowComment]) -> Iterator[Finding]:
    """GW902 and GW903 of comments, when all findings of their file are known."""
    for comment in comments:
        if not comment.reason:
            help_ = f"write why: # allow({', '.join(comment.codes) or 'GW203'}): reason"
            yield Finding(GW903, "this allows a finding and does not say why", comment.span, help=help_)
        for code in comment.codes or ("",):
            if code in comment.used or code in BY_OPTION:
                continue
            if code not in CATALOGUE:
                said = f"“{code}” is no finding" if code else "this allows nothing"
                yield Finding(GW902, said, comment.span, help=_code_that_is_meant(code))
                continue
            fix = Fix("drop the comment", (_removal(comment.span),), is_safe=True) if len(comment.codes) == 1 else None
            kind = CATALOGUE[code]
            said = f"this allows {code} ({kind.slug}), which is not found here"
            yield Finding(GW902, said, comment.span, fix=fix)


def _code_that_is_meant(word: str) -> str | None:
    by_slug = next((kind.code for kind in CATALOGUE.values() if kind.slug == word.lower()), None)
    return f"write its code: {by_slug}" if by_slug is not None else did_you_mean(word.upper(), CATALOGUE)


def _removal(span: Span) -> Edit:
    """The comment with the blanks before it; its whole line where nothing else stands there."""
    text = span.source.text
    start, end = span.start, span.end
    while start > 0 and text[start - 1] in " \t":
        start -= 1
    if start == 0 or text[start - 1] == "\n":
        end = text.find("\n", end) + 1 or len(text)
    return Edit(Span(span.source, start, end), "")


Statement = syntax.Statement | syntax.StepNode


def _statements(statements: Iterable[syntax.Statement]) -> Iterator[Statement]:
    """Statements, and those inside their blocks, outer ones first."""
    for statement in statements:
        yield statement
        match statement:
            case syntax.ForBlock():
                yield from statement.rules
            case syntax.StepsBlock():
                yield from statement.steps
            case _:
                pass


class _Places:
    """Which statement stands where, asked line by line."""

    def __init__(self, file: syntax.File) -> None:
        self._source = file.source
        self._around: dict[int, Statement] = {}
        """The innermost statement of a line, the last one where there are several."""
        self._inside: dict[int, Statement] = {}
        """The same without blocks."""
        self._first: dict[int, Statement] = {}
        """The last statement that begins on a line."""
        for node in _statements(file.statements):
            first, last = self._line_of(node.start), self._line_of(node.end - 1)
            lines = dict.fromkeys(range(first, last + 1), node)
            self._around.update(lines)
            if not isinstance(node, syntax.ForBlock | syntax.StepsBlock):
                self._inside.update(lines)
            self._first[first] = node
        self._comments = {self._line_of(comment.start) for comment in file.comments if comment.own_line}

    def _line_of(self, offset: int) -> int:
        return self._source.line_and_column(offset)[0]

    def of(self, comment: syntax.Comment) -> tuple[int, int]:
        """The offsets of the statement that a comment speaks of; `(0, 0)` where it stands alone."""
        line = self._line_of(comment.start)
        if comment.own_line:
            # In the middle of a rule it belongs to that rule; in a block, and outside, to what comes next.
            node = self._inside.get(line) or self._first.get(self._below(line))
        else:
            node = self._around.get(line)
        return (0, 0) if node is None else (node.start, node.end)

    def _below(self, line: int) -> int:
        """The next line that is no comment."""
        line += 1
        while line in self._comments:
            line += 1
        return line
