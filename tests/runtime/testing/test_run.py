"""Tests are graded by the grader, and every expectation is held against what came out."""

from __future__ import annotations

from pathlib import Path

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.testing.outcome import TestOutcome
from gatewright.runtime.testing.run import run_test

MATCHER = Matcher(ExactEngine())
NGINX = """\
hosts web-01, web-02, mon-01
require "Agent restarted nginx":
  executed_commands matches `\\bsystemctl\\s+(restart|reload|start)\\s+nginx\\b`
require "Nginx serves again": on web-01 run `curl -sf -m 5 -o /dev/null http://localhost`
"""


def outcomes(text: str, folder: Path) -> list[TestOutcome]:
    path = folder / "rules.gate"
    path.write_text(text, "utf-8")
    told: list[Finding] = []
    loaded = load(path, told.append)
    assert isinstance(loaded, Loaded)
    assert [finding.message for finding in told if finding.is_error] == []
    return [run_test(loaded.rules, block, MATCHER) for block in loaded.rules.tests]


def test_reload_counts_as_a_restart(tmp_path: Path) -> None:
    (outcome,) = outcomes(
        NGINX
        + """test "a reload counts as a restart" {
      job_resolution_status success
      executed_commands `sudo systemctl reload nginx`, `journalctl -u nginx`
      on web-01 run `curl -sf -m 5 -o /dev/null http://localhost` exits 0
      expect pass "Agent restarted nginx"
      expect passed
    }""",
        tmp_path,
    )
    assert outcome.passed
    assert outcome.result.verdict == "passed"
    assert [each.got for each in outcome.checked] == ["pass", "passed"]


def test_host_rule_without_an_answer_is_an_error(tmp_path: Path) -> None:
    none, other = outcomes(
        NGINX
        + """test "none" { expect error "Nginx serves again" expect error }
        test "of another command" { run `true` expect error "Nginx serves again" expect error }""",
        tmp_path,
    )
    assert none.passed
    assert none.checked[0].rule is not None
    assert none.checked[0].rule.reason == "the test has no answer of web-01"
    assert other.passed


def test_playbook_of_which_nothing_is_said_is_an_error(tmp_path: Path) -> None:
    (outcome,) = outcomes('require "p": ansible "v.yml"\ntest "t" { expect error "p" }', tmp_path)
    assert outcome.passed
    assert outcome.result.rules[0].reason == "the test does not say how v.yml ends"


def test_failure_says_what_came_out_on_which_facts(tmp_path: Path) -> None:
    (outcome,) = outcomes(
        NGINX + 'test "t" {\n  executed_commands `service nginx restart`\n  expect pass "Agent restarted nginx"\n}',
        tmp_path,
    )
    (failure,) = outcome.failures
    assert (failure.expected, failure.got, failure.label) == ("pass", "fail", "Agent restarted nginx")
    assert failure.rule is not None
    assert failure.rule.reason == "no value matched (1 checked)"
    assert failure.span is not None and (failure.span.line, failure.span.column) == (7, 3)
    assert failure.rule_span is not None and failure.rule_span.line == 2
    assert [span.line for span in failure.facts] == [6]


def test_several_rules_with_one_label_must_all_come_out_so(tmp_path: Path) -> None:
    both, one = outcomes(
        """require "r": task_count 1
        require "r": executed_commands matches `a`
        test "both" { executed_commands `a` expect pass "r" }
        test "one" { executed_commands `b` expect pass "r" }""",
        tmp_path,
    )
    assert both.passed
    assert [each.got for each in one.failures] == ["fail"]


def test_test_that_expects_nothing_does_not_pass(tmp_path: Path) -> None:
    (outcome,) = outcomes('require "r": task_count 1\ntest "t" { no tasks }', tmp_path)
    assert not outcome.passed
    assert outcome.failures == ()


def test_classic_ticket_rules_are_skipped_without_a_ticket(tmp_path: Path) -> None:
    without, with_ticket = outcomes(
        """semantics classic
        require "t": ticket_status is resolved
        require "m": gateway_messages matches `one\\ntwo`
        test "without" { expect skipped "t" expect skipped "m" expect passed }
        test "with" { ticket_status RESOLVED gateway_messages `one`, `two` expect pass "t" expect pass "m" }""",
        tmp_path,
    )
    assert without.passed
    assert with_ticket.passed


def test_times_out_fails_and_unreachable_is_an_error(tmp_path: Path) -> None:
    late, gone = outcomes(
        """require "h": on web-01 run `a`
        test "late" { on web-01 run `a` times out expect fail "h" expect failed }
        test "gone" { on web-01 run `a` unreachable expect error "h" expect error }""",
        tmp_path,
    )
    assert late.passed
    assert gone.passed


def test_turns_are_read_from_tasks(tmp_path: Path) -> None:
    together, apart = outcomes(
        """hosts a, b
        require "t": turns [a, b]
        test "together" {
          task on a turn 1 from "2026-05-01T10:00:00Z" to "2026-05-01T10:02:00Z" { }
          task on b turn 1 from "2026-05-01T10:01:00Z" to "2026-05-01T10:03:00Z" { }
          expect pass "t"
        }
        test "apart" {
          task on a turn 1 from "2026-05-01T10:00:00Z" to "2026-05-01T10:02:00Z" { }
          task on b turn 2 from "2026-05-01T10:02:00Z" to "2026-05-01T10:03:00Z" { }
          expect fail "t"
        }""",
        tmp_path,
    )
    assert together.passed, together.failures
    assert apart.passed


def test_scenario_of_the_rules_does_not_matter(tmp_path: Path) -> None:
    (outcome,) = outcomes('scenario "s"\nrequire "r": task_count 1\ntest "t" { expect passed }', tmp_path)
    assert outcome.passed
