"""`gatewright test`: what it reads, what it ends with, what failures show, and the reports."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml
from support import call, call_ending_with

from gatewright.runtime.cli import test_command
from gatewright.runtime.schemas import SCHEMAS

RULES = """\
hosts web-01

require "Restarted": executed_commands matches `systemctl (restart|start) nginx`
require "No reboot": executed_commands never matches `reboot`
require "Serves": run `curl -sf localhost`
"""
GOOD = """
test "a restart" {
  executed_commands `systemctl restart nginx`
  run `curl -sf localhost`
  expect pass "Restarted"
  expect passed
}
"""
BAD = """
test "a Reload" {
  executed_commands `systemctl reload nginx`, `cat /run/reboot-required`
  run `curl -sf localhost` exits 7
  expect pass "Restarted"
  expect pass "No reboot"
  expect passed
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


# ---- what is read, and the exit status -------------------------------------------------------------------------------


def test_all_tests_pass() -> None:
    write("a.gate", RULES + GOOD)
    called = call_ending_with(0, "test", "a.gate")
    assert (called.stdout, called.stderr) == ("1 test passed in 1 file\n", "")


def test_one_test_fails() -> None:
    write("a.gate", RULES + GOOD + BAD)
    assert call_ending_with(1, "test", "a.gate").stdout.endswith("\n1 of 2 tests failed in 1 file\n")


def test_folder_is_searched_for_gate_files_with_tests() -> None:
    write("s/a.gate", RULES + GOOD)
    write("s/deep/b.gate", RULES + GOOD + BAD)
    write("s/rules.gate", RULES)
    write("s/rules.json", '[{"label": "r", "validator": "task_count", "min": 1}]')
    called = call_ending_with(1, "test", "s", "--verbose")
    assert called.stdout.startswith("s/a.gate\n  ✓ passed  a restart\n\ns/deep/b.gate\n")
    assert "  ✗ failed  a Reload\n" in called.stdout
    assert called.stdout.endswith("1 of 3 tests failed in 2 files\n")


def test_excluded_files_are_passed_over() -> None:
    write("gatewright.toml", 'exclude = ["old"]\n')
    write("old/a.gate", RULES + BAD)
    write("b.gate", RULES + GOOD)
    assert call_ending_with(0, "test", ".").stdout == "1 test passed in 1 file\n"


def test_file_named_twice_is_tested_once() -> None:
    write("a.gate", RULES + GOOD)
    assert call_ending_with(0, "test", "a.gate", ".").stdout == "1 test passed in 1 file\n"


def test_file_that_does_not_parse_is_a_failure_and_others_are_tested() -> None:
    write("a.gate", RULES + GOOD)
    write("b.gate", "require oops\n")
    called = call_ending_with(1, "test", ".")
    assert called.stdout.startswith("b.gate:1:9: GW101 error: ")
    assert called.stdout.endswith("1 test passed in 1 file, 1 file has errors and could not be tested\n")


def test_errors_in_rules_stop_their_tests_and_warnings_do_not() -> None:
    write("a.gate", RULES + 'require "x": executed_commands matches `(`\n' + GOOD)
    assert "GW201 error" in call_ending_with(1, "test", "a.gate").stdout
    write("a.gate", "let unused = `x`\n" + RULES + GOOD)
    assert call_ending_with(0, "test", "a.gate").stdout == "1 test passed in 1 file\n"


def test_errors_in_a_file_without_tests_are_no_business_of_this_command() -> None:
    write("a.gate", RULES + GOOD)
    write("part.gate", 'require "x": executed_commands matches t`{{ defined_elsewhere }}`\n')
    assert call_ending_with(0, "test", ".").stdout == "1 test passed in 1 file\n"


def test_expectation_of_an_unknown_rule_is_an_error() -> None:
    write("a.gate", RULES + 'test "t" { expect pass "Restrted" }')
    assert "no rule is labelled “Restrted”" in call_ending_with(1, "test", "a.gate").stdout


def test_bytes_that_are_no_text_are_a_failure() -> None:
    Path("a.gate").write_bytes(b"\xff\xfe\x00")
    assert "GW101 error" in call_ending_with(1, "test", "a.gate").stdout


@pytest.mark.parametrize("argument", ["nowhere.gate", "", "a\0b"])
def test_path_that_is_not_there(argument: str) -> None:
    assert "there is no " in call_ending_with(2, "test", argument).stderr


def test_nothing_to_test() -> None:
    write("a.gate", RULES)
    assert "no test in ." in call_ending_with(2, "test", ".").stderr
    assert "no test in a.gate" in call_ending_with(2, "test", "a.gate").stderr
    write("a.json", '[{"label": "r", "validator": "task_count", "min": 1}]')
    assert "write a .gate file that includes it" in call_ending_with(2, "test", "a.json").stderr


def test_named_file_without_tests_beside_others_is_told() -> None:
    write("a.gate", RULES + GOOD)
    write("b.gate", RULES)
    assert call_ending_with(0, "test", "a.gate", "b.gate").stderr == "no tests in b.gate\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_file_that_cannot_be_read() -> None:
    write("a.gate", RULES + GOOD)
    write("b.gate", RULES + GOOD)
    Path("b.gate").chmod(0)
    called = call_ending_with(2, "test", ".")
    assert "cannot read b.gate" in called.stderr
    assert "1 test passed" in called.stdout


def test_link_to_nothing_cannot_be_read() -> None:
    write("a.gate", RULES + GOOD)
    Path("b.gate").symlink_to("nowhere")
    assert "cannot read b.gate" in call_ending_with(2, "test", ".").stderr


def test_rules_in_json_are_tested_by_a_file_that_includes_them() -> None:
    rules = {"hosts": ["h"], "validation": [{"label": "r", "validator": "host_state", "run": "true"}]}
    write("scenario.json", json.dumps(rules))
    write("t.gate", 'include "scenario.json"\ntest "t" { on h run `true` expect pass "r" expect passed }')
    assert call_ending_with(0, "test", ".").stdout == "1 test passed in 1 file\n"


def test_hosts_come_from_the_scenario_beside_the_file() -> None:
    write("scenario.json", '{"key": "s", "hosts": ["h", "i"], "validation": []}')
    write("s.gate", 'scenario "s"\nrequire "r": executed_commands matches `x`\n')
    text = Path("s.gate").read_text() + 'require "h": on h executed_commands matches `x`\n'
    write("s.gate", text + 'test "t" { executed_commands `x` expect pass "h" }')
    call_ending_with(0, "test", "s.gate")


def test_many_files_in_several_processes_come_out_the_same() -> None:
    for number in range(12):
        write(f"{number:02}.gate", RULES + (BAD if number % 3 == 0 else GOOD))
    write("12.gate", "require oops")
    one = call_ending_with(1, "test", ".", "--format", "json", "-j", "1", "--coverage", "--mutate")
    two = call_ending_with(1, "test", ".", "--format", "json", "-j", "2", "--coverage", "--mutate")
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["summary"]["failed"] == 4


# ---- choosing tests --------------------------------------------------------------------------------------------------


def test_tests_are_chosen_by_words_of_their_names() -> None:
    write("a.gate", RULES + GOOD + BAD)
    assert call_ending_with(0, "test", "a.gate", "-k", "RESTART").stdout == "1 test passed in 1 file\n"
    assert "1 of 1 test failed" in call_ending_with(1, "test", "a.gate", "-k", "reload").stdout
    assert "1 of 2 tests failed" in call_ending_with(1, "test", "a.gate", "-k", "reload", "-k", "restart").stdout
    assert "no test with “x” in its name in a.gate" in call_ending_with(2, "test", "a.gate", "-k", "x").stderr


# ---- failures --------------------------------------------------------------------------------------------------------


def test_failure_shows_what_was_expected_what_came_and_on_which_facts() -> None:
    write("a.gate", RULES + BAD)
    assert call_ending_with(1, "test", "a.gate").stdout == (
        """\
a.gate:7:6: FAILED: a Reload

  a.gate:10:3: expect pass "Restarted"
    - pass
    + fail: no value matched (2 checked)
    rule   a.gate:3:1
        3 | require "Restarted": executed_commands matches `systemctl (restart|start) nginx`
    facts  a.gate:8:3
        8 |   executed_commands `systemctl reload nginx`, `cat /run/reboot-required`

  a.gate:11:3: expect pass "No reboot"
    - pass
    + fail: task 1, value 1 matched: cat /run/reboot-required
    rule   a.gate:4:1
        4 | require "No reboot": executed_commands never matches `reboot`
    facts  a.gate:8:3
        8 |   executed_commands `systemctl reload nginx`, `cat /run/reboot-required`

  a.gate:12:3: expect passed
    - passed
    + failed
    compliance   failed  “Restarted” and “No reboot” failed
    remediation  failed  “Serves” failed
      fail   Restarted: no value matched (2 checked)
      fail   No reboot: task 1, value 1 matched: cat /run/reboot-required
      fail   Serves: exit status 7, expected 0

1 of 1 test failed in 1 file
"""
    )


@pytest.mark.parametrize(
    ("rule", "expected", "said"),
    [
        ("executed_commands matches `x`", "pass", "nothing is stated of this target, so it has no values"),
        ("task_count 2", "pass", "no task is stated, so there is one"),
        ("turns [web-01]", "pass", "no task is stated, so there is one, without times"),
        ("job_resolution_status in partial", "pass", "no resolution status is stated, so it is success"),
        ("ticket_status is open", "pass", "no ticket status is stated"),
        ("run `x`", "pass", "no answer to this command is stated"),
        ('ansible "x.yml"', "pass", "no end of this playbook is stated"),
    ],
)
def test_failure_says_what_is_not_stated(rule: str, expected: str, said: str) -> None:
    write("a.gate", f'hosts web-01\nrequire "r": {rule}\ntest "t" {{ expect {expected} "r" }}')
    assert f"    facts  {said}\n" in call_ending_with(1, "test", "a.gate").stdout


def test_value_that_matched_is_shown_where_the_reason_does_not() -> None:
    long = "y" * 300
    write(
        "a.gate",
        f'require "r": executed_commands matches `x`\ntest "t" {{ executed_commands `{long}x` expect fail "r" }}',
    )
    shown = call_ending_with(1, "test", "a.gate").stdout
    assert "- fail\n    + pass" in shown
    assert max(map(len, shown.splitlines())) <= 102


def test_test_without_expectations_fails() -> None:
    write("a.gate", RULES + 'test "t" { no tasks }')
    assert "the test expects nothing, so it cannot fail" in call_ending_with(1, "test", "a.gate").stdout


def test_hostile_text_is_escaped() -> None:
    write("a.gate", RULES + 'test "\\u001b[2Jt" { executed_commands "\\u001b[2J reboot" expect pass "No reboot" }')
    for form in ("text", "json", "junit"):
        called = call_ending_with(1, "test", "a.gate", "--format", form, "--color", "never")
        assert "\x1b" not in called.stdout


def test_colours() -> None:
    write("a.gate", RULES + GOOD + BAD)
    assert "\x1b[1;31mFAILED" in call_ending_with(1, "test", "a.gate", "--color", "always").stdout
    assert "\x1b" not in call_ending_with(1, "test", "a.gate", "--color", "never").stdout


# ---- reports ---------------------------------------------------------------------------------------------------------


def test_json_says_it_all_and_keeps_to_its_schema() -> None:
    write("a.gate", RULES + GOOD + BAD)
    write("b.gate", "require oops")
    called = call_ending_with(1, "test", ".", "--format", "json", "--coverage", "--mutate")
    report = json.loads(called.stdout)
    Draft202012Validator(SCHEMAS["tests"]()).validate(report)
    summary = report["summary"]
    mutation = summary.pop("mutation")
    assert summary == {"files": 2, "files_with_errors": 1, "tests": 2, "passed": 1, "failed": 1}
    assert mutation == report["files"][0]["mutation"]["score"]
    good, bad = report["files"][0]["tests"]
    assert (good["passed"], good["verdict"], good["line"]) == (True, "passed", 7)
    assert bad["expectations"][1] == {
        "expected": "pass",
        "got": "fail",
        "holds": False,
        "rule": "No reboot",
        "reason": "task 1, value 1 matched: cat /run/reboot-required",
        "match": {"task": "1", "value": 1, "excerpt": "cat /run/reboot-required", "start": 9, "end": 15},
        "file": "a.gate",
        "line": 18,
        "column": 3,
        "rule_at": {"file": "a.gate", "line": 4, "column": 1},
        "facts_at": [{"file": "a.gate", "line": 15, "column": 3}],
    }
    coverage = report["files"][0]["coverage"]
    assert coverage[0] | {"file": "", "line": 0, "column": 0} == {
        "rule": "Restarted",
        "file": "",
        "line": 0,
        "column": 0,
        "pass": 1,
        "fail": 1,
        "error": 0,
        "skipped": 0,
    }
    assert report["files"][1]["findings"][0]["code"] == "GW101"


def test_schema_of_tests_is_published() -> None:
    schema = json.loads(call_ending_with(0, "schema", "tests").stdout)
    Draft202012Validator.check_schema(schema)
    assert schema["properties"]["schema"] == {"const": "gatewright/tests/1"}


def test_junit_has_a_suite_a_file_and_a_case_a_test() -> None:
    write("a.gate", RULES + GOOD + BAD + GOOD)
    write("b.gate", "require oops")
    call_ending_with(1, "test", ".", "--format", "junit=out.xml", "--format", "text")
    suites = list(JUnitXml.fromfile("out.xml"))
    assert [(suite.name, suite.tests, suite.failures, suite.errors) for suite in suites] == [
        ("a.gate", 3, 1, 0),
        ("b.gate", 1, 0, 1),
    ]
    cases = [case for suite in suites for case in suite]
    assert [(case.classname, case.name, case.is_passed) for case in cases] == [
        ("a.gate", "a restart", True),
        ("a.gate", "a Reload", False),
        ("a.gate", "a restart #2", True),
        ("b.gate", "rules", False),
    ]
    (failure,) = cases[1].result
    assert failure.message.startswith("expected pass of “Restarted”, got fail: no value matched (2 checked); ")
    assert "+ fail: no value matched" in failure.text


def test_report_takes_no_input_s_place() -> None:
    write("part.gate", RULES)
    write("a.gate", 'include "part.gate"\n' + GOOD)
    for name in ("a.gate", "part.gate"):
        assert f"{name} is an input" in call_ending_with(2, "test", "a.gate", "-o", name).stderr
    assert "there is no format “xml”" in call_ending_with(2, "test", "a.gate", "--format", "xml").stderr


# ---- coverage and changes --------------------------------------------------------------------------------------------


def test_coverage_says_what_no_test_sees() -> None:
    write("a.gate", RULES + GOOD + 'test "idle" { no tasks expect error "Serves" }')
    assert call_ending_with(0, "test", "a.gate", "--coverage").stdout == (
        """\
coverage of a.gate: tests see 2 of 3 rules pass and fail

  pass  fail  error  skipped
     1     1      0        0  Restarted
     1     1      0        0  No reboot
     1     0      1        0  Serves                                    fails in no test

2 tests passed in 1 file
"""
    )


def test_changes_that_no_test_notices_are_listed() -> None:
    write("a.gate", RULES + GOOD)
    shown = call_ending_with(0, "test", "a.gate", "--mutate").stdout
    assert shown.startswith("changes of a.gate: ")
    assert "    a.gate:3:68: dropping the alternative “start” is noticed by no test\n" in shown
    assert "“restart” is noticed by no test" not in shown
    assert shown.splitlines()[-1].endswith("%)")


def test_score_that_is_too_low_ends_with_1() -> None:
    write("a.gate", RULES + GOOD)
    assert call("test", "a.gate", "--mutate", "--min-score", "10").code == 0
    assert call("test", "a.gate", "--mutate", "--min-score", "90").code == 1
    assert "give both" in call_ending_with(2, "test", "a.gate", "--min-score", "90").stderr
    assert call("test", "a.gate", "--mutate", "--min-score", "101").code == 2
    assert call("test", "a.gate", "--mutate", "--min-score", "nan").code == 2


def test_the_page_on_testing_has_every_option_and_kind() -> None:
    from gatewright.runtime.testing.mutants import KINDS

    page = (Path(__file__).parents[3] / "docs" / "TESTING.md").read_text("utf-8")
    options = {max(parameter.opts, key=len) for parameter in test_command.command.params if parameter.opts[0][0] == "-"}
    untold = {"--color", "--jobs", "--output"}
    assert [name for name in options - untold if f"`{name}" not in page] == []
    kinds = {*KINDS, "loosen-pattern", "tighten-pattern", "drop-alternative"} - {"pattern"}
    assert [kind for kind in kinds if f"| `{kind}` |" not in page] == []
