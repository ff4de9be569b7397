from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.reports import FINDING_FORMATS, RESULT_FORMATS
from gatewright.runtime.reports.escape import display_width, safe_line
from gatewright.runtime.reports.reasons import compliance_reason, resolution_reason
from gatewright.runtime.reports.results_text import results_summary, results_text
from gatewright.runtime.reports.style import Style
from gatewright.runtime.result import (
    Basis,
    ComplianceGate,
    ImplicitCheck,
    Match,
    Provenance,
    ResolutionGate,
    Result,
    RuleResult,
    Score,
    Status,
)

PROVENANCE = Provenance(rules="sha256:1", evidence="sha256:2", version="0.1.0")


def rule(label: str, status: Status, reason: str = "because", **more: Any) -> RuleResult:
    fields = {"validator": "pattern_match", "required": True, "negate": False, **more}
    return RuleResult(label=label, status=status, reason=reason, **fields)


def result(
    *rules: RuleResult,
    compliance: bool | None = True,
    resolution: bool | None = True,
    basis: Basis = "ground_truth",
    score: tuple[int, int] = (1, 1),
    **more: Any,
) -> Result:
    fields = {
        "scenario": "nginx",
        "run": "run-7",
        "semantics": "flat",
        "verdict": "passed",
        "compliance": ComplianceGate(passed=compliance, score=Score(passed=score[0], total=score[1])),
        "resolution": ResolutionGate(passed=resolution, basis=basis),
        "provenance": PROVENANCE,
        **more,
    }
    return Result(rules=rules, **fields)


COMPLETED = ImplicitCheck(label="Job completed", status="pass", reason="job status is completed")
HOST = {"validator": "host_state", "host": "web-01"}

FAILED = result(
    rule("Agent restarted nginx", "pass", "a value matched (3 checked)"),
    rule(
        "Did not reboot the host",
        "fail",
        "a value matched (3 checked)",
        negate=True,
        match=Match(task="t2", value=1, excerpt="sudo \x1b[1mreboot\x1b[0m\nnow", start=0, end=9),
    ),
    rule("Agent checked the service logs", "skipped", "the run had no ticket", required=False),
    rule(
        "Nginx serves again",
        "fail",
        "exit status 7, expected 0",
        exit_code=7,
        stdout="",
        stderr="".join(f"line {number}\n" for number in range(1, 8)) + "curl: (7) \x07refused\r\n",
        **HOST,
    ),
    rule("Old unit is gone", "fail", "exit status 0, expected 1", exit_code=0, stdout="", stderr="", **HOST),
    rule("Disk is fine", "error", "cannot reach web-01: no route to host", **HOST),
    compliance=False,
    resolution=False,
    score=(1, 5),
    verdict="error",
    implicit=(COMPLETED,),
)


def test_one_run_in_full():
    assert results_text([FAILED]) == (
        "ERROR  nginx · run-7\n"
        "\n"
        "  compliance   ✗ failed  “Did not reboot the host” failed\n"
        "  remediation  ✗ failed  “Nginx serves again” and “Old unit is gone” failed, “Disk is fine” could\n"
        "                         not be evaluated\n"
        "  score        1/5 (20.0 %)\n"
        "\n"
        "  ✓ pass     required  Agent restarted nginx           a value matched (3 checked)\n"
        "  ✗ fail     required  Did not reboot the host         a value matched (3 checked)\n"
        "                       task t2, value 1 │ sudo \\x1b[1mreboot\\x1b[0m\\nnow\n"
        "  - skipped  optional  Agent checked the service logs  the run had no ticket\n"
        "  ✗ fail     required  Nginx serves again              exit status 7, expected 0\n"
        "                       on web-01\n"
        "                       stderr │ … 3 more above\n"
        "                              │ line 4\n"
        "                              │ line 5\n"
        "                              │ line 6\n"
        "                              │ line 7\n"
        "                              │ curl: (7) \\x07refused\n"
        "  ✗ fail     required  Old unit is gone                exit status 0, expected 1\n"
        "                       on web-01, no output\n"
        "  ! error    required  Disk is fine                    cannot reach web-01: no route to host\n"
        "  ✓ pass     implicit  Job completed                   job status is completed\n"
    )


def test_a_value_that_the_reason_shows_is_not_shown_again():
    match = Match(task="t2", value=1, excerpt="sudo  reboot\n", start=6, end=12)
    one = result(rule("No reboot", "fail", "task t2, value 1 matched: sudo reboot", negate=True, match=match))
    assert results_text([one]).splitlines()[6:] == [
        "  ✗ fail     required  No reboot  task t2, value 1 matched: sudo reboot"
    ]


def test_a_narrow_terminal_wraps_and_loses_nothing():
    one = result(rule("Agent restarted nginx and waited for it", "fail", "no value matched (12 checked)"))
    assert results_text([one], Style(width=60)).splitlines()[-3:] == [
        "  ✗ fail     required  Agent restarted   no value matched",
        "                       nginx and waited  (12 checked)",
        "                       for it",
    ]


def test_a_very_long_label_takes_the_whole_width_and_is_whole():
    label = " ".join(f"word{number}" for number in range(2000))
    lines = results_text([result(rule(label, "fail", "no value matched"))]).splitlines()
    assert " ".join(line[23:] for line in lines[6:-1]) == label
    assert lines[-1] == " " * 23 + "no value matched"
    assert max(map(len, lines[6:])) <= 100


def test_a_run_that_could_not_be_read_shows_its_problem():
    one = Result(
        scenario=None,
        run="bad\x1b.json",
        semantics="flat",
        verdict="error",
        problem="bad.json:3: GW701: not JSON\x07",
        provenance=PROVENANCE,
    )
    assert results_text([one]) == "ERROR  bad\\x1b.json\n\n  bad.json:3: GW701: not JSON\\x07\n"


def test_several_runs_in_short():
    passed = result(rule("A", "pass"), score=(12, 12), run="run-10")
    failed = replace(FAILED, verdict="failed", scenario=None, rules=FAILED.rules[:3])
    broken = Result(
        scenario=None, run="x.json", semantics="flat", verdict="error", problem="not JSON", provenance=PROVENANCE
    )
    optional = result(rule("B", "fail", "no", required=False), verdict="failed", run="日本")
    assert results_text([passed, failed, broken, optional]) == (
        "✓ passed  run-10  12/12 (100.0 %)  nginx\n"
        "✗ failed  run-7      1/5 (20.0 %)\n"
        "          fail  Did not reboot the host: a value matched (3 checked)\n"
        "! error   x.json\n"
        "          not JSON\n"
        "✗ failed  日本      1/1 (100.0 %)  nginx\n"
        "          fail  B (optional): no\n"
        "\n"
        "4 runs: 1 passed, 2 failed, 1 error\n"
    )


def test_no_run_and_one_run_have_a_summary():
    assert results_text([]) == "no run was graded\n"
    assert results_summary([FAILED]) == "1 run: 0 passed, 0 failed, 1 error"


def test_classic_runs_speak_of_the_resolution_gate():
    text = results_text([result(rule("A", "pass"), semantics="classic", basis="score")])
    assert "  resolution   ✓ passed  compliance passed and the score of 100.0 % is at least 80 %\n" in text


def test_colour_adds_sequences_and_nothing_else():
    for results in ([FAILED], [FAILED, FAILED]):
        painted = results_text(results, Style(color=True))
        assert "\x1b[1;31m" in painted
        assert "\x1b[1mreboot" not in painted
        assert re.sub(r" +\n", "\n", re.sub(r"\x1b\[[0-9;]*m", "", painted)) == results_text(results)


def test_formats_are_found_by_name():
    assert RESULT_FORMATS["text"]([FAILED], Style()) == results_text([FAILED])
    assert FINDING_FORMATS["text"]([], Style()) == ""


# ---- why the gates came out so -----------------------------------------------------------------------------

ONE = rule("One", "pass")
BAD = rule("Bad", "fail")
OPEN = rule("Open", "error")
OPTIONAL = rule("Optional", "fail", required=False)
SKIPPED = rule("Skipped", "skipped")
BOOK = rule("Book", "pass", validator="ansible")
BAD_BOOK = rule("Bad book", "fail", validator="ansible", required=False)
UP, DOWN = rule("Up", "pass", **HOST), rule("Down", "fail", **HOST)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (result(ONE, OPTIONAL, DOWN), "every required process rule passed"),
        (result(ONE, implicit=(COMPLETED,)), "every required process rule passed, job completed"),
        (result(SKIPPED, UP), "no process rule is required"),
        (result(ONE, BAD, OPTIONAL, compliance=False), "“Bad” failed"),
        (result(ONE, BAD, OPEN, compliance=False), "“Bad” failed, “Open” could not be evaluated"),
        (result(OPEN, UP, compliance=None), "“Open” could not be evaluated"),
        (
            result(ONE, compliance=False, implicit=(replace(COMPLETED, status="fail"),)),
            "“Job completed” failed",
        ),
        (result(BAD, BAD, BAD, compliance=False), "“Bad”, “Bad” and “Bad” failed"),
    ],
)
def test_why_compliance_came_out_so(one: Result, expected: str):
    assert compliance_reason(one) == expected


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (result(UP), "“Up” passed"),
        (result(UP, UP), "every required host rule passed"),
        (result(UP, DOWN, resolution=False), "“Down” failed"),
        (result(replace(UP, status="error"), resolution=None), "“Up” could not be evaluated"),
        (result(BOOK, basis="playbook"), "“Book” passed"),
        (result(BOOK, BOOK, basis="playbook"), "every playbook passed"),
        (result(BOOK, BAD_BOOK, basis="playbook", resolution=False), "“Bad book” failed"),
        (result(basis="compliance"), "no host rule is required: decided by compliance, which passed"),
        (
            result(basis="compliance", compliance=False, resolution=False),
            "no host rule is required: decided by compliance, which failed",
        ),
        (
            result(basis="compliance", compliance=None, resolution=None),
            "no host rule is required: decided by compliance, which is open",
        ),
        (
            result(basis="score", score=(4, 5)),
            "compliance passed and the score of 80.0 % is at least 80 %",
        ),
        (result(basis="score", score=(3, 4), resolution=False), "the score of 75.0 % is below 80 %"),
        (
            result(basis="score", score=(3, 4), compliance=False, resolution=False),
            "compliance did not pass and the score of 75.0 % is below 80 %",
        ),
        (
            result(basis="score", score=(4, 4), compliance=False, resolution=False),
            "compliance did not pass",
        ),
        (result(OPEN, basis="score", compliance=None, resolution=None), "“Open” could not be evaluated"),
    ],
)
def test_why_the_resolution_gate_came_out_so(one: Result, expected: str):
    assert resolution_reason(one) == expected


# ---- hostile text ------------------------------------------------------------------------------------------

HOSTILE = st.text(
    st.one_of(st.sampled_from("ab  \t\n\x1b\x9b\x07\u202e\u2066\ud800日🚀\u0301\r\u2028"), st.characters()), max_size=80
)
RULES = st.builds(
    RuleResult,
    label=HOSTILE.filter(bool),
    validator=st.sampled_from(["pattern_match", "host_state", "ansible"]),
    required=st.booleans(),
    negate=st.booleans(),
    status=st.sampled_from(["pass", "fail", "error", "skipped"]),
    reason=HOSTILE,
    match=st.none()
    | st.builds(
        Match, task=st.none() | HOSTILE, value=st.none() | st.just(3), excerpt=HOSTILE, start=st.just(0), end=st.just(1)
    ),
    host=st.none() | HOSTILE,
    exit_code=st.none() | st.integers(0, 255),
    stdout=st.none() | HOSTILE,
    stderr=st.none() | HOSTILE,
)
RESULTS = st.builds(
    result,
    RULES,
    RULES,
    compliance=st.sampled_from([True, False, None]),
    resolution=st.sampled_from([True, False, None]),
    basis=st.sampled_from(["playbook", "score", "ground_truth", "compliance"]),
    semantics=st.sampled_from(["flat", "classic"]),
    verdict=st.sampled_from(["passed", "failed", "error"]),
    scenario=st.none() | HOSTILE,
    run=HOSTILE,
    problem=st.none() | HOSTILE,
)


@given(st.lists(RESULTS, min_size=1, max_size=3), st.integers(1, 120))
def test_no_control_character_reaches_the_report(results: list[Result], width: int):
    output = results_text(results, Style(width=width))
    assert not [c for c in output if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    output.encode("utf-8")


@given(RESULTS)
def test_labels_are_never_lost_and_lines_keep_to_the_width(one: Result):
    one = replace(one, problem=None)
    text = results_text([one])
    squeezed = "".join(line[23:].replace(" ", "") for line in text.splitlines())
    for label in [checked.label for checked in one.rules]:
        words = safe_line(label).split(" ")
        assert all(piece in squeezed or display_width(piece) > 30 for piece in words)
    assert all(display_width(line) <= 100 for line in text.splitlines())
