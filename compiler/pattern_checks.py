"""Patterns that no ECMAScript engine compiles (GW201), each shown at its place in the file."""

from __future__ import annotations

from ..grammar.literals import Literal, source_offset
from ..grammar.text import Span
from .ecmascript import PatternError, parse
from .findings import GW201, Finding, Report
from .ir import PatternMatch, RuleSet


def check_patterns(rules: RuleSet, report: Report) -> None:
    """Report every pattern that `new RegExp(pattern, "i")` refuses."""
    known: dict[str, PatternError | None] = {}
    for rule in rules.rules:
        if not isinstance(rule.check, PatternMatch):
            continue
        for field, pattern in (("pattern", rule.check.pattern), ("before", rule.check.before)):
            if pattern is None:
                continue
            if pattern not in known:
                known[pattern] = _error(pattern)
            error = known[pattern]
            if error is not None:
                span = inside_literal(rule.check.at(field), error.position, error.end)
                message = f"invalid regular expression: {error.message} (at {error.position} in the pattern)"
                report(Finding(GW201, message, span, help=error.hint, rule=rule.label))


def _error(pattern: str) -> PatternError | None:
    try:
        parse(pattern)
    except PatternError as error:
        return error
    return None


def inside_literal(span: Span | None, start: int, end: int) -> Span | None:
    """The place of the characters `start` to `end` of a literal's value.

    The whole literal where its value is not spelled out there (a template), or where `span` is none.
    """
    if span is None:
        return None
    literal = _literal_at(span)
    if literal is None:
        return span
    first = source_offset(literal, start)
    return Span(span.source, first, max(first + 1, source_offset(literal, max(end, start + 1))))


def _literal_at(span: Span) -> Literal | None:
    text = span.text
    if text.startswith('"'):
        return Literal("string", False, text, span.start, span.end)
    if text.startswith("```"):
        return Literal("fenced", False, text, span.start, span.end)
    if text.startswith("``"):
        return Literal("raw2", False, text, span.start, span.end)
    if text.startswith("`"):
        return Literal("raw", False, text, span.start, span.end)
    return None
