"""GW211: the ends of values that have several lines."""

from __future__ import annotations

import pytest
from linted import fixed, scene_of, told, told_of

from gatewright.runtime.lint.patterns.anchor_scope import check

PROSE = ["agent_messages", "task_summary", "job_resolution", "gateway_messages", "gateway_summary", "job_plan"]


@pytest.mark.parametrize("where", PROSE)
def test_a_text_has_more_lines_than_one(where: str) -> None:
    [finding] = told_of(check, "^Done$", where=where)
    assert finding.witness is not None
    assert finding.witness.value.endswith("\nDone")
    assert fixed(finding) == r"(?:^|\n)Done(?:$|\n)"


@pytest.mark.parametrize("where", ["executed_commands", "write_file", "tool_calls", "use_mcp_tool"])
def test_values_of_one_line_are_left_alone(where: str) -> None:
    assert told_of(check, "^Done$", where=where) == []


@pytest.mark.parametrize("where", ["executed_commands", "tool_calls", "job_resolution", "gateway_messages"])
def test_under_classic_semantics_values_are_joined(where: str) -> None:
    assert len(told_of(check, "^Done", where=where, semantics="classic")) == 1


@pytest.mark.parametrize(
    "check_text",
    [
        "executed_commands matches `^a` at least 2 times",
        "invocations matches `^a`",
        "on web-01 executed_commands matches `^a`",
    ],
)
def test_extensions_read_single_values_under_classic_semantics_too(check_text: str) -> None:
    assert told(check, scene_of(f'semantics classic\nhosts web-01\nrequire "x": {check_text}\n')) == []


def test_only_the_sign_that_matters_is_shown_and_changed() -> None:
    [finding] = told_of(check, "^[^]*nginx$", where="job_resolution")
    assert finding.span is not None
    assert finding.span.text == "$"
    assert fixed(finding) == r"^[^]*nginx(?:$|\n)"


@pytest.mark.parametrize(
    "pattern",
    [
        "Done",
        r"(?:^|\n)Done",
        r"(^|\s)rm",
        r"^\s*$",
        "^$",
        r"^[\s\S]*x",
        r"a\$b",
        "[^a]b",
        "^(?!.*foo)",
        r"^(?=[^]*cause)",
        "x|^y",
    ],
)
def test_what_finds_a_line_anywhere_or_asks_for_any_text_is_left_alone(pattern: str) -> None:
    assert told_of(check, pattern, where="job_resolution") == []
