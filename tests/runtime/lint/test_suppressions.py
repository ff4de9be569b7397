"""Comments that allow findings: what they speak of, and what is said of those that are of no use."""

from __future__ import annotations

import pytest

from gatewright.compiler.findings import GW101, GW203, GW308, GW902, GW903, Finding
from gatewright.grammar.parser import parse
from gatewright.grammar.text import Source
from gatewright.runtime.lint.suppressions import AllowComment, allow_comments, faults_of, without_allowed

RULES = """\
scenario "s"  # allow(GW308): graded by hand
# allow(GW203): no other word
# and a remark
require "first":
  executed_commands matches `one`
require "second":  # allow(gw203, GW202): both
  executed_commands
    # allow(GW205): in the middle
    matches `two`
for host in a, b {
  # allow(GW506): of the rule below
  require "third": on host run `three`
  require "fourth": on host run `four`  # allow(GW507)
}
prepare {
  "Step": run `five`  # allow(GW504): it is ended
}
# allow(GW204): of nothing
"""


def source_and_comments(text: str = RULES) -> tuple[Source, list[AllowComment]]:
    source = Source("r.gate", text)
    return source, allow_comments(parse(source, trivia=True))


@pytest.mark.parametrize(
    ("number", "speaks_of"),
    [
        (0, "scenario"),
        (1, 'require "first"'),
        (2, 'require "second"'),
        (3, 'require "second"'),
        (4, 'require "third"'),
        (5, 'require "fourth"'),
        (6, '"Step"'),
        (7, ""),
    ],
)
def test_comment_speaks_of_the_innermost_statement_it_stands_in_or_above(number: int, speaks_of: str) -> None:
    source, comments = source_and_comments()
    comment = comments[number]
    assert source.text[comment.start : comment.end].startswith(speaks_of)
    assert (comment.end == 0) == (speaks_of == "")


def test_codes_and_reasons_are_read() -> None:
    _, comments = source_and_comments()
    assert [comment.codes for comment in comments[:3]] == [("GW308",), ("GW203",), ("GW203", "GW202")]
    assert [comment.reason for comment in comments[4:6]] == ["of the rule below", ""]


def test_finding_inside_the_statement_is_allowed_and_others_are_not() -> None:
    source, comments = source_and_comments()
    one, two = (source.text.index(word) for word in ("`one`", "`two`"))
    first, second = (Finding(GW203, "m", source.span(at, at + 3)) for at in (one, two))
    elsewhere = Finding(GW203, "m", source.span(source.text.index("`five`"), len(source.text)))
    other_code = Finding(GW308, "m", source.span(one, one + 3))
    error = Finding(GW101, "m", source.span(one, one + 3))
    other_file = Finding(GW203, "m", Source("other.gate", source.text).span(one, one + 3))
    kept = list(without_allowed([first, second, elsewhere, other_code, error, other_file], {source: comments}))
    assert kept == [elsewhere, other_code, error, other_file]


def test_comment_without_a_reason_counts_and_is_told() -> None:
    source, comments = source_and_comments('require "r": task_count 1  # allow(GW203)\n')
    assert list(without_allowed([Finding(GW203, "m", source.span(0, 3))], {source: comments})) == []
    (finding,) = faults_of(comments)
    assert finding.kind is GW903
    assert finding.span is not None and finding.span.text == "# allow(GW203)"


def test_what_allows_nothing_is_told_code_by_code() -> None:
    source, comments = source_and_comments('require "r": task_count 1  # allow(GW203, GW204, GW999): why\n')
    list(without_allowed([Finding(GW203, "m", source.span(0, 3))], {source: comments}))
    found = list(faults_of(comments))
    assert [finding.kind for finding in found] == [GW902, GW902]
    assert [finding.message for finding in found] == [
        "this allows GW204 (loose-alternation), which is not found here",
        "“GW999” is no finding",
    ]
    assert all(finding.fix is None for finding in found)


def test_slug_in_place_of_a_code_is_told_with_the_code() -> None:
    _, comments = source_and_comments('require "r": task_count 1  # allow(loose-word, gw203): why\n')
    first, second = faults_of(comments)
    assert first.message == "“loose-word” is no finding"
    assert first.help == "write its code: GW203"
    assert second.message == "this allows GW203 (loose-word), which is not found here"


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ('require "r": task_count 1  # allow(GW203): why\n', 'require "r": task_count 1\n'),
        ('# allow(GW203): why\nrequire "r": task_count 1\n', 'require "r": task_count 1\n'),
        ('require "r": task_count 1\n  # allow(GW203): why', 'require "r": task_count 1\n'),
    ],
)
def test_unused_comment_is_dropped_by_its_fix(text: str, fixed: str) -> None:
    _, comments = source_and_comments(text)
    (finding,) = faults_of(comments)
    assert finding.fix is not None and finding.fix.is_safe
    (edit,) = finding.fix.edits
    assert text[: edit.span.start] + edit.text + text[edit.span.end :] == fixed


def test_prose_about_allowing_is_no_allowance() -> None:
    _, comments = source_and_comments("# allow the agent to restart it (GW203)\n# disallow(GW203): x\nsemantics flat\n")
    assert comments == []


def test_what_is_found_only_where_a_call_asks_for_it_is_never_of_no_use() -> None:
    _, comments = source_and_comments('require "r": task_count 1  # allow(GW509, GW602, GW603, GW604): why\n')
    assert list(faults_of(comments)) == []


def test_block_that_a_comment_stands_behind_is_allowed_whole() -> None:
    text = 'for h in a {  # allow(GW203): all of it\n  require "r": executed_commands matches `x`\n}\n'
    source, comments = source_and_comments(text)
    at = text.index("`x`")
    assert list(without_allowed([Finding(GW203, "m", source.span(at, at + 3))], {source: comments})) == []
