"""GW302 and GW303: rules that pass in no run, or in every one."""

from __future__ import annotations

import pytest
from linted import scene_of, told, told_of

from gatewright.runtime.lint.logic import always_passes, never_passes

EVERYTHING = [".*", "(restart)?", "a|", "^", "$", r"\s*x*", "[^]*", "(?:)", r"\b|\B"]
NOTHING = ["a^b", "$x", "[]", r"x\b\B", "a[]b", r"\bx\By\bz"]
SOMETHING = [".", "restart", r"\b", "^$", r"\S", "$", "^x|y$", "x?y", "[^]", r"^\s*$"]
ALL_STATUSES = "success, partial, no_action, agentic_failure, hard_failure"


def never(text: str) -> list[str]:
    return [finding.message for finding in told(never_passes.check, scene_of(text))]


def always(text: str) -> list[str]:
    return [finding.message for finding in told(always_passes.check, scene_of(text))]


@pytest.mark.parametrize("pattern", EVERYTHING)
def test_a_ban_on_everything_passes_only_where_there_is_nothing(pattern: str) -> None:
    [finding] = told_of(never_passes.check, pattern, negate=True)
    assert finding.message.startswith("this passes only where executed_commands has no value")
    assert finding.witness is not None


@pytest.mark.parametrize("pattern", EVERYTHING)
def test_under_classic_semantics_a_ban_on_everything_never_passes(pattern: str) -> None:
    [finding] = told_of(never_passes.check, pattern, negate=True, semantics="classic")
    assert finding.message.startswith("this never passes")


@pytest.mark.parametrize("pattern", EVERYTHING)
def test_asking_for_what_everything_matches_always_passes(pattern: str) -> None:
    assert len(told_of(always_passes.check, pattern)) == 1
    assert told_of(never_passes.check, pattern) == []


@pytest.mark.parametrize("pattern", NOTHING)
def test_asking_for_what_nothing_matches_never_passes(pattern: str) -> None:
    assert len(told_of(never_passes.check, pattern)) == 1
    assert told_of(always_passes.check, pattern) == []


@pytest.mark.parametrize("pattern", NOTHING)
def test_a_ban_on_what_nothing_matches_always_passes(pattern: str) -> None:
    [finding] = told_of(always_passes.check, pattern, negate=True)
    assert finding.message.startswith("this forbids nothing")
    assert told_of(never_passes.check, pattern, negate=True) == []


@pytest.mark.parametrize("pattern", [pattern for pattern in SOMETHING if pattern != "$"])
@pytest.mark.parametrize("negate", [False, True])
def test_a_pattern_that_some_values_match_and_others_do_not_is_fine(pattern: str, negate: bool) -> None:
    assert told_of(never_passes.check, pattern, negate=negate) == []
    assert told_of(always_passes.check, pattern, negate=negate) == []


@pytest.mark.parametrize("pattern", ["(?=.*)", r"(?!x)x", r"(a)?\1", r"(?<=^)"])
def test_what_is_beyond_the_analysis_is_noted_and_passed_over(pattern: str) -> None:
    scene = scene_of(f'require "a": executed_commands matches `{pattern}`\n')
    assert [*told(never_passes.check, scene), *told(always_passes.check, scene)] == []
    assert scene.notes


def test_a_pattern_that_takes_something_is_known_not_to_match_everything_whatever_stands_around() -> None:
    scene = scene_of('require "a": executed_commands never matches `(?!-)reboot(?!-)`\n')
    assert told(never_passes.check, scene) == []
    assert scene.notes == []


@pytest.mark.parametrize(
    ("how_often", "is_never", "is_always"),
    [
        ("at most 0 times", True, False),
        ("exactly 0 times", True, False),
        ("at least 1 time", False, True),
        ("at least 2 times", False, False),
        ("at most 1 time", False, False),
        ("exactly 1 time", False, False),
    ],
)
def test_counts_of_what_everything_matches(how_often: str, is_never: bool, is_always: bool) -> None:
    text = f'require "a": executed_commands matches `.*` {how_often}\n'
    assert (bool(never(text)), bool(always(text))) == (is_never, is_always)


@pytest.mark.parametrize(
    ("how_often", "is_never", "is_always"),
    [
        ("at most 0 times", False, True),
        ("exactly 0 times", False, True),
        ("exactly 1 time", True, False),
        ("at least 2 times", True, False),
        ("before `y`", True, False),
    ],
)
def test_counts_of_what_nothing_matches(how_often: str, is_never: bool, is_always: bool) -> None:
    text = f'require "a": executed_commands matches `$x` {how_often}\n'
    assert (bool(never(text)), bool(always(text))) == (is_never, is_always)


def test_matching_everything_before_something_can_fail() -> None:
    assert always('require "a": executed_commands matches `.*` before `^reboot`\n') == []


def test_all_five_statuses_leave_nothing_to_decide() -> None:
    assert always(f'require "a": job_resolution_status in {ALL_STATUSES}\n')
    assert never(f'require "a": not job_resolution_status in {ALL_STATUSES}\n')


def test_four_statuses_can_fail() -> None:
    four = ALL_STATUSES.removesuffix(", hard_failure")
    assert always(f'require "a": job_resolution_status in {four}\n') == []
    assert never(f'require "a": not job_resolution_status in {four}\n') == []


def test_any_number_of_tasks_leaves_nothing_to_decide() -> None:
    assert always('require "a": task_count 0..\n')
    assert never('require "a": not task_count 0..\n')


@pytest.mark.parametrize("bounds", ["0", "..3", "1..", "0..3"])
def test_bounds_on_the_number_of_tasks_can_fail(bounds: str) -> None:
    assert always(f'require "a": task_count {bounds}\n') == []
    assert never(f'require "a": not task_count {bounds}\n') == []


def test_one_statement_in_a_loop_is_told_once() -> None:
    text = 'for x in a, b, c {\n  require t"{{ x }}": executed_commands matches `.*`\n}\n'
    assert len(always(text)) == 1
