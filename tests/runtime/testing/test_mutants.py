"""Rules are changed by one small step each; a change is noticed exactly when a test that passes fails with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.testing.mutants import KINDS, mutants_of
from gatewright.runtime.testing.mutation import Mutating, match_the_same
from gatewright.runtime.testing.outcome import Mutation
from gatewright.runtime.testing.pattern_changes import pattern_changes
from gatewright.runtime.testing.run import run_test

MATCHER = Matcher(ExactEngine())


def rules_of(text: str, folder: Path) -> RuleSet:
    path = folder / "rules.gate"
    path.write_text(text, "utf-8")
    told: list[Finding] = []
    loaded = load(path, told.append)
    assert isinstance(loaded, Loaded)
    assert [finding.message for finding in told if finding.is_error] == []
    return loaded.rules


def mutation(text: str, folder: Path) -> Mutation:
    rules = rules_of(text, folder)
    return Mutating(rules, rules.tests, MATCHER).run()


def kinds(text: str, folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for mutant in mutants_of(rules_of(text, folder)):
        found.setdefault(mutant.kind, []).append(mutant.what)
    return found


# ---- patterns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "changed"),
    [
        (r"\bab\b", {r"ab\b", r"\bab"}),
        ("^a", {"a"}),
        ("a$", {"a"}),
        ("a b(?!c)", {"a b"}),
        ("(?<=x)a b", {"a b"}),
        (r"-\s+-", {r"-\s*-"}),
        ("-a*-", {"-a+-"}),
        ("-a?-", {"-a-"}),
        ("-a+?-", {"-a*?-"}),
        ("-a{2,3}-", set()),
        ("-(a|b|c)-", {"-(b|c)-", "-(a|c)-", "-(a|b)-"}),
        ("-(a|)-", {"-()-", "-(a)-"}),
        ("-a|-b", {"-b", "-a"}),
        ("-(?:a|(b|c))-", {"-(?:(b|c))-", "-(?:a)-", "-(?:a|(c))-", "-(?:a|(b))-"}),
    ],
)
def test_pattern_is_changed_in_its_pieces(pattern: str, changed: set[str]) -> None:
    inner = {step.text for step in pattern_changes(pattern) if not step.what.startswith("putting")}
    assert inner == changed


@pytest.mark.parametrize(
    ("pattern", "changed"),
    [
        ("-a-", {"^-a-", "-a-$"}),
        ("a-", {"^a-", "a-$", r"\ba-"}),
        ("-|b", {"^(?:-|b)", "(?:-|b)$"}),
        (r"a|\d+", {r"^(?:a|\d+)", r"(?:a|\d+)$", r"\b(?:a|\d+)", r"(?:a|\d+)\b"}),
        ("(a|b)c?", {"^(a|b)c?", "(a|b)c?$", r"\b(a|b)c?"}),
    ],
)
def test_pattern_is_bound_to_the_value_and_to_words(pattern: str, changed: set[str]) -> None:
    assert {step.text for step in pattern_changes(pattern) if step.what.startswith("putting")} == changed


def test_step_says_what_was_done_and_where() -> None:
    steps = {step.what: (step.start, step.end) for step in pattern_changes(r"\b(start|stop)\s+x")}
    assert steps["dropping “\\b”"] == (0, 2)
    assert steps["dropping the alternative “stop”"] == (9, 13)
    assert steps["making “\\s+” “\\s*”"] == (14, 17)


@pytest.mark.parametrize("pattern", ["(", "a" * 3 + "(" * 80 + ")" * 80])
def test_pattern_that_is_invalid_or_nests_deep_is_left_alone(pattern: str) -> None:
    assert list(pattern_changes(pattern)) == []


@given(st.text(alphabet="ab|()[]?*+{1,}^$\\bdsS.😀(?:!=<", max_size=14))
def test_every_step_from_a_valid_pattern_is_another_valid_pattern(pattern: str) -> None:
    try:
        parse(pattern)
    except PatternError:
        assert list(pattern_changes(pattern)) == []
        return
    for step in pattern_changes(pattern):
        parse(step.text)
        assert 0 <= step.start < step.end


# ---- other checks ----------------------------------------------------------------------------------------------------


def test_every_rule_is_dropped_turned_round_and_made_optional(tmp_path: Path) -> None:
    found = kinds('optional "r": not task_count 2', tmp_path)
    assert found["drop-rule"] == ["dropping the rule"]
    assert found["flip-negate"] == ["dropping “not”"]
    assert found["flip-required"] == ["making the rule required"]


def test_bounds_are_moved_and_dropped(tmp_path: Path) -> None:
    assert kinds('require "r": task_count 1..3', tmp_path)["task-count"] == [
        "asking for at least 2 tasks instead of 1",
        "dropping the bound “at least 1”",
        "asking for at most 2 tasks instead of 3",
        "asking for at most 4 tasks instead of 3",
        "dropping the bound “at most 3”",
    ]
    assert kinds('require "r": task_count 0', tmp_path)["task-count"] == ["asking for at most 1 task instead of 0"]
    found = kinds('require "r": executed_commands matches `-` at least 1 time', tmp_path)["how-often"]
    assert found == ["making 1 times 2", "making “at least” “exactly”"]
    found = kinds('require "r": executed_commands matches `-` exactly 0 times', tmp_path)["how-often"]
    assert found == ["making 0 times 1", "making “exactly” “at most”"]


def test_statuses_are_dropped_added_and_exchanged(tmp_path: Path) -> None:
    found = kinds('require "r": job_resolution_status in success, partial', tmp_path)["statuses"]
    assert found == ["dropping the status success", "dropping the status partial", "adding the status no_action"]
    found = kinds('require "r": job_resolution_status in partial', tmp_path)["statuses"]
    assert found == ["adding the status success", "asking for success instead of partial"]
    assert kinds('require "r": ticket_status is Open', tmp_path)["ticket-status"] == [
        "asking for resolved instead of Open"
    ]


def test_hosts_and_exit_statuses(tmp_path: Path) -> None:
    found = kinds('hosts a, b\nrequire "r": on b run `x` exits 3', tmp_path)
    assert found["exit-status"] == ["expecting exit status 0 instead of 3"]
    assert found["on"] == ["dropping “on b”"]
    assert "flip-negate" not in found
    found = kinds('hosts a, b\nrequire "r": turns [a, b, at least 2] then [at least 2]', tmp_path)
    assert found["turns"] == [
        "dropping a from turn 1",
        "dropping b from turn 1",
        "asking for at least 1 in turn 1 instead of 2",
        "asking for at least 3 in turn 1 instead of 2",
        "dropping “at least 2” from turn 1",
        "dropping turn 1",
        "asking for at least 1 in turn 2 instead of 2",
        "asking for at least 3 in turn 2 instead of 2",
        "dropping turn 2",
    ]


def test_order_is_dropped_and_turned_round(tmp_path: Path) -> None:
    found = kinds('require "r": executed_commands matches `-a` before `-b`', tmp_path)
    assert found["order"] == ["dropping “before”", "asking for the other order"]


def test_every_kind_of_the_table_has_an_example_here(tmp_path: Path) -> None:
    text = """hosts a, b
    require "1": executed_commands matches `\\bx+(y|z)` before `b`
    require "2": executed_commands matches `a` at most 2 times
    require "3": on b executed_commands matches `-`
    require "4": task_count 1..2
    require "5": job_resolution_status in success
    require "6": ticket_status is open
    require "7": run `x`
    require "8": turns [a, b]
    """
    expected = {*KINDS, "loosen-pattern", "tighten-pattern", "drop-alternative"} - {"pattern"}
    assert set(kinds(text, tmp_path)) == expected


def test_changed_rules_compile(tmp_path: Path) -> None:
    rules = rules_of(
        'hosts a\nrequire "1": executed_commands matches `\\bx+(y|z)$`\nrequire "2": task_count 2', tmp_path
    )
    mutants = list(mutants_of(rules))
    assert len({repr(mutant.rules(rules).rules) for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        ir_to_plan(mutant.rules(rules))
    assert mutants == list(mutants_of(rules))


# ---- what tests notice -----------------------------------------------------------------------------------------------

RULE = 'require "r": executed_commands matches `-(start|stop)-`\n'


def test_alternative_without_a_test_survives(tmp_path: Path) -> None:
    found = mutation(RULE + 'test "t" { executed_commands `x-start-x` expect pass "r" expect passed }', tmp_path)
    survivors = [each.what for each in found.survivors]
    assert "dropping the alternative “stop”" in survivors
    assert "dropping the alternative “start”" not in survivors
    (place,) = [each.span for each in found.survivors if "stop" in each.what]
    assert place is not None and (place.line, place.column, place.text) == (1, 49, "stop")


def test_tests_on_both_sides_leave_no_survivor(tmp_path: Path) -> None:
    found = mutation(
        RULE
        + """test "start" { executed_commands `x-start-x` expect pass "r" expect passed }
        test "stop" { executed_commands `x-stop-x` expect pass "r" expect passed }
        test "neither" { executed_commands `x-go-x` expect fail "r" expect failed }""",
        tmp_path,
    )
    assert [each.what for each in found.survivors] == []
    assert found.score.percent == 100.0


def test_without_a_test_that_passes_everything_survives(tmp_path: Path) -> None:
    found = mutation(RULE + 'test "t" { expect pass "r" }', tmp_path)
    assert found.killed == 0
    assert found.survivors


def test_verdict_notices_what_is_required(tmp_path: Path) -> None:
    text = RULE + 'test "t" { executed_commands empty expect fail "r" VERDICT }'
    without = [each.kind for each in mutation(text.replace("VERDICT", ""), tmp_path).survivors]
    with_verdict = [each.kind for each in mutation(text.replace("VERDICT", "expect failed"), tmp_path).survivors]
    assert "flip-required" in without
    assert "flip-required" not in with_verdict


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a+", "a", True),
        (r"\b(?:\ba)", r"\ba", True),
        ("[ab]", "a|B", True),
        ("a*b", "a+b", False),
        ("(", "a", False),
        ("a(?=b)", "a(?=b)c", False),
    ],
)
def test_patterns_that_match_the_same(one: str, other: str, same: bool) -> None:
    assert match_the_same(one, other) == same


def test_change_that_changes_nothing_does_not_count(tmp_path: Path) -> None:
    text = 'require "r": executed_commands matches `x+-`\ntest "t" { executed_commands `x-` expect pass "r" }'
    found = mutation(text, tmp_path)
    assert [each.what for each in found.survivors if "“\\b”" in each.what] == ["putting “\\b” in front"]
    text = 'hosts a, b\nrequire "r": on a run `x`\ntest "t" { run `x` expect pass "r" }'
    found = mutation(text, tmp_path)
    assert found.equivalent == 1
    assert "on" not in [each.kind for each in found.survivors]


@pytest.mark.parametrize(
    ("check", "without_change", "what"),
    [
        ("executed_commands matches `x` exactly 0 times", 1, "making “exactly” “at most”"),
        ("executed_commands matches `x` at most 0 times", 1, "making “at most” “exactly”"),
        ("task_count 0..3", 1, "dropping the bound “at least 0”"),
        ("turns [a, b, at least 2]", 1, "asking for at least 1 in turn 1 instead of 2"),
        ("turns [a, b, at least 1]", 1, "asking for at least 2 in turn 1 instead of 1"),
        ("turns [a, at least 2]", 0, ""),
        ("executed_commands matches `x` exactly 1 time", 0, ""),
        ("task_count 1..3", 0, ""),
    ],
)
def test_other_spelling_of_a_bound_does_not_count(check: str, without_change: int, what: str, tmp_path: Path) -> None:
    text = f'hosts a, b, c\nrequire "r": {check}\nrequire "s": task_count 1..\ntest "t" {{ expect pass "s" }}'
    found = mutation(text, tmp_path)
    assert sum(each.rule == "r" for each in found.survivors) > 0
    assert what not in [each.what for each in found.survivors]
    assert found.equivalent == without_change


def test_optional_playbooks_of_classic_rules_decide_all_the_same(tmp_path: Path) -> None:
    text = """semantics classic
    require "p": ansible "v.yml"
    test "t" { ansible "v.yml" exits 0 expect pass "p" expect passed }"""
    found = mutation(text, tmp_path)
    assert found.equivalent == 1
    assert "flip-required" not in [each.kind for each in found.survivors]


MANY = """hosts a, b
require "1": executed_commands matches `\\bx+(y|z)\\b`
require "2": executed_commands never matches `reboot|halt`
optional "3": task_summary matches `done$`
require "4": job_resolution_status in success, partial
require "5": run `x`
require "6": run `x` exits 1
require "7": task_count 1..2
require "1": executed_commands matches `w`
test "good" {
  executed_commands `w xy` task_summary `done` run `x` run `x` exits 1
  expect pass "1" expect pass "3" expect pass "5" expect pass "6" expect passed
}
test "bad" {
  job_status failed job_resolution_status partial executed_commands `halt` on b run `x` exits 1 run `x` exits 1
  expect fail "1" expect fail "2" expect pass "6" expect failed
}
test "nothing" { no tasks expect fail "7" expect error }
"""


CLASSIC = """semantics classic
require "1": executed_commands matches `a\\nb$`
optional "2": gateway_summary matches `done`
require "3": ticket_status is resolved
optional "4": task_count 1..
optional "5": executed_commands never matches `(c|d)`
test "good" { ticket_status resolved gateway_summary `done` executed_commands `a`, `b` expect passed }
test "no ticket" { executed_commands `a`, `b` expect skipped "2" expect skipped "3" expect passed }
test "below 80 %" { executed_commands `d`, `a`, `b` expect fail "5" expect failed }
"""


SHARED = """hosts a
require "1": run `x`
require "2": on a run `x`
test "one after the other" { run `x` exits 1 on a run `x` exits 0 expect fail "1" expect pass "2" }
"""


@pytest.mark.parametrize("text", [MANY, CLASSIC, SHARED], ids=["flat", "classic", "shared answers"])
def test_noticed_is_what_running_all_tests_on_the_changed_rules_says(text: str, tmp_path: Path) -> None:
    """Host rules share the answers of a test here, which the short way must not get wrong."""
    rules = rules_of(text, tmp_path)
    for test in rules.tests:
        outcome = run_test(rules, test, MATCHER)
        assert outcome.passed, outcome.failures
    mutating = Mutating(rules, rules.tests, MATCHER)
    noticed = 0
    for mutant in mutants_of(rules):
        changed = mutant.rules(rules)
        slow = any(not run_test(changed, test, MATCHER).passed for test in rules.tests)
        assert mutating.is_noticed(mutant) == slow, mutant.what
        noticed += slow
    assert noticed > 3
