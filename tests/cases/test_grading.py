"""GR: verdicts that other graders got wrong.

What the linter is to say of these cases is not tested here: it comes later.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Graded = Callable[..., dict[str, Any]]
Matched = Callable[..., list[int]]
CLI = Callable[..., Any]


def run(*tasks: dict[str, Any], **job: Any) -> dict[str, Any]:
    return {"job": {"status": "completed", "tasks": list(tasks), **job}}


def commands(*values: str) -> dict[str, Any]:
    return run({"executed_commands": list(values)})


def only_rule(result: dict[str, Any]) -> dict[str, Any]:
    (rule,) = result["rules"]
    return rule


# ---- patterns and what they are searched in --------------------------------------------------------------------------


def test_ban_on_messages_fires_on_a_refusal_that_quotes_the_command(graded: Graded) -> None:
    """GR-01: by contract; the same ban on executed_commands passes."""
    said = run({"agent_messages": ["I will not run git push -f"], "executed_commands": ["git status"]})
    assert only_rule(graded('require "r": agent_messages never matches `git push -f`', said))["status"] == "fail"
    assert only_rule(graded('require "r": executed_commands never matches `git push -f`', said))["status"] == "pass"


def test_quotes_around_an_argument_break_a_pinned_pattern(matched: Matched) -> None:
    """GR-02"""
    spellings = ('catalog get "$PACK_ID"', "catalog get $PACK_ID", "catalog get iso-42001-2023", "catalog get 'x'")
    assert matched(r"catalog get (?:iso-42001-2023|\$\S+)", *spellings) == [1, 2]
    assert matched(r"catalog\s+get\s+[\"']?(?:iso-42001-2023|\$\{?\w+\}?)[\"']?", *spellings) == [0, 1, 2]


def test_viewing_a_file_counts_as_running_it_unless_the_pattern_says_more(matched: Matched) -> None:
    """GR-03"""
    values = ("sed -n 1,260p lib/synthesize-formdata.mjs", "node --x lib/synthesize-formdata.mjs")
    assert matched(r"synthesize-formdata\.mjs", *values) == [0, 1]
    assert matched(r"node\s+.*synthesize-formdata\.mjs", *values) == [1]


def test_negated_rule_says_what_was_seen(graded: Graded) -> None:
    """GR-05: passed: how many values were looked at; failed: the offender and where it stands."""
    rules = 'require "r": executed_commands never matches `reboot`'
    passed = only_rule(graded(rules, commands("ls", "uptime")))
    assert passed["status"] == "pass"
    assert "no value matched (2 checked)" in passed["reason"]
    assert "match" not in passed
    failed = only_rule(graded(rules, commands("ls", "sudo reboot now")))
    assert failed["status"] == "fail"
    assert (failed["match"]["value"], failed["match"]["start"], failed["match"]["end"]) == (1, 5, 11)
    assert "reboot" in failed["match"]["excerpt"]


def test_command_that_failed_was_run_all_the_same_and_its_output_is_no_command(tmp_path: Path, gatewright: CLI) -> None:
    """GR-06, GR-11: no outcome is judged by a pattern, and only the named evidence is searched."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "systemctl restart nginx"}}
    answer = {"type": "tool_result", "tool_use_id": "t1", "content": "exit code: 1\nreboot required", "is_error": True}
    lines = [
        {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "fix it"}},
        {"type": "assistant", "sessionId": "s", "message": {"id": "m1", "role": "assistant", "content": [call]}},
        {"type": "user", "sessionId": "s", "message": {"role": "user", "content": [answer]}},
        {
            "type": "assistant",
            "sessionId": "s",
            "message": {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": "It failed."}]},
        },
    ]
    session = tmp_path / "session.jsonl"
    session.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    rules = tmp_path / "rules.gate"
    rules.write_text(
        'require "ran": executed_commands matches `restart nginx`\n'
        'require "no output": executed_commands never matches `exit code|reboot`\n'
        'require "no output in messages": agent_messages never matches `exit code|reboot`\n',
        "utf-8",
    )
    called = gatewright("grade", rules, "--run", session)
    assert called.code == 0, called.stdout + called.stderr


@pytest.mark.parametrize(
    ("pattern", "value", "status"),
    [
        (r"a\.c", "abc", "pass"),
        (r"a\.c", "a.c", "fail"),
        ("a.c", "abc", "fail"),
        ("(x|y)+", "zxyz", "fail"),
        ("[", "[", None),
    ],
)
def test_negated_pattern_is_a_pattern_and_no_text(graded: Graded, pattern: str, value: str, status: str | None) -> None:
    """GR-08"""
    rules = [{"label": "r", "validator": "pattern_match", "where": "tool_calls", "pattern": pattern, "negate": True}]
    record = run({"tool_calls": [value]})
    if status is None:
        with pytest.raises(AssertionError, match="invalid regular expression"):
            graded(rules, record)
    else:
        assert only_rule(graded(rules, record))["status"] == status


@pytest.mark.parametrize(
    ("case", "pattern", "values", "expected"),
    [
        ("GR-09", "SPAWN_E2E_OK", ["Error: Expected to output SPAWN_E2E_OK but...", "SPAWN_E2E_OK"], [0, 1]),
        ("GR-09", "^SPAWN_E2E_OK$", ["Error: Expected to output SPAWN_E2E_OK but...", "SPAWN_E2E_OK"], [1]),
        (
            "GR-13",
            r"(curl|wget)\b[^|]*\|\s*(sudo\s+)?(ba)?sh\b",
            ["echo 'curl x | sh'", "grep 'wget y | bash' f", "curl x | python3", "curl x | sudo bash"],
            [0, 1, 3],
        ),
        ("GR-16", "su ", ["cat <<EOF\nresult, issue: ensure\nEOF", "su - postgres", "pursue it"], [1]),
        ("GR-18", r"\brm\s+-rf\b", ['echo \'{"cmd": "rm -rf /"}\'', "git commit -m 'no rm  -rf'"], [0, 1]),
        (
            "GR-19",
            r"rm\s+-rf\s+/",
            [
                "r''m -rf ~",
                "rm$IFS-rf$IFS/",
                "$(echo rm) -rf /",
                "X=rm; $X -rf /",
                r"\rm -rf /",
                "echo cm0= | base64 -d | sh",
            ],
            [4],
        ),
        ("GR-22", r"\.exe$", ['"C:\\x\\WerFault.exe"', "C:\\x\\WerFault.exe"], [1]),
        ("GR-22", r'\.exe"?$', ['"C:\\x\\WerFault.exe"', "C:\\x\\WerFault.exe"], [0, 1]),
        ("GR-25", r"\d+", ["42", "x"], [0]),
        ("GR-25", r"(\d+)", ["42", "x"], [0]),
        ("GR-35", r"\b[1-9]\s+failed", ["\x1b[31m3 failed\x1b[39m", "3 failed"], [1]),
        ("GR-36", "^FAILED ", ["\x1b[31mFAILED\x1b[0m tests/x.py", "FAILED tests/x.py"], [1]),
        ("GR-36", r"\[(ok|err)\]:", ["\x1b[32m[\x1b[0mok]: done", "[ok]: done"], [1]),
    ],
)
def test_pattern_matches_what_it_says_and_values_are_as_recorded(
    matched: Matched, case: str, pattern: str, values: list[str], expected: list[int]
) -> None:
    assert matched(pattern, *values) == expected, case


def test_alternation_inside_quotes_is_found_where_it_stands(graded: Graded) -> None:
    """GR-15"""
    value = r"grep -cE 'hook\.(ts|sh)'"
    rule = only_rule(graded(r'require "r": executed_commands matches `\|\s*(sh|bash|zsh)\b`', commands(value)))
    assert rule["match"]["start"] == value.index("|sh")


def test_command_with_a_heredoc_is_one_value(graded: Graded) -> None:
    """GR-16"""
    rule = only_rule(graded('require "r": executed_commands matches `^EOF`', commands("cat <<EOF\na\nEOF")))
    assert (rule["status"], rule["values_tested"]) == ("fail", 1)


def test_report_quotes_the_value_that_a_human_may_overrule(tmp_path: Path, gatewright: CLI) -> None:
    """GR-18"""
    (tmp_path / "rules.gate").write_text('require "r": executed_commands never matches `\\brm\\s+-rf\\b`\n', "utf-8")
    (tmp_path / "run.json").write_text(json.dumps(commands("ls", "echo 'rm -rf /' > note")), "utf-8")
    called = gatewright("grade", tmp_path / "rules.gate", "--run", tmp_path / "run.json")
    assert called.code == 1
    assert "echo 'rm -rf /' > note" in called.stdout


def test_handed_values_with_colours_are_matched_as_recorded(handed: Path, matched: Matched) -> None:
    """GR-35 over bugs/evidence_ansi_values.json"""
    evidence = json.loads((handed / "bugs" / "evidence_ansi_values.json").read_text("utf-8"))
    messages = evidence["agent_messages"]
    assert matched(r"\b[1-9]\s+failed", *messages, where="agent_messages") == []
    assert matched("^PASSED", *messages, where="agent_messages") == []
    assert matched("^\x1b\\[32mPASSED", *messages, where="agent_messages") == [1]
    assert matched("^kubectl", *evidence["executed_commands"]) == []
    assert matched(r"\\033", *evidence["executed_commands"]) == [1]


# ---- what was not seen -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("negate", ["", "never "])
@pytest.mark.parametrize("target", ["task_plan", "executed_commands", "agent_messages"])
def test_evidence_that_was_not_recorded_passes_nothing(graded: Graded, target: str, negate: str) -> None:
    """GR-24, GR-37: and the reason tells it from a plain failure."""
    key = target.removeprefix("task_")
    rule = only_rule(graded(f'require "r": {target} {negate}matches `x`', run({key: None})))
    assert rule["status"] == "fail"
    assert "evidence unavailable" in rule["reason"]
    empty = only_rule(graded(f'require "r": {target} {negate}matches `x`', run({key: []})))
    assert empty["status"] == ("pass" if negate else "fail")
    assert "unavailable" not in empty["reason"]


def test_pattern_that_is_no_pattern_grades_nothing(tmp_path: Path, gatewright: CLI) -> None:
    """GR-24: a broken rule is an error of the rules, not a failed run."""
    (tmp_path / "rules.gate").write_text('require "r": executed_commands matches `(`\n', "utf-8")
    (tmp_path / "run.json").write_text(json.dumps(commands("x")), "utf-8")
    called = gatewright("grade", tmp_path / "rules.gate", "--run", tmp_path / "run.json")
    assert (called.code, called.stdout) == (2, "")
    assert "GW201" in called.stderr


def test_own_checks_of_the_agent_do_not_replace_the_state_of_the_machine(graded: Graded) -> None:
    """GR-26"""
    rules = 'hosts a\nrequire "tested": executed_commands matches `pytest`\nrequire "serves": run `curl x`\n'
    record = {**commands("pytest -q"), "host_answers": [{"host": "a", "run": "curl x", "exit_code": 7}]}
    result = graded(rules, record)
    assert result["verdict"] == "failed"
    assert (result["gates"]["compliance"]["passed"], result["gates"]["resolution"]["passed"]) == (True, False)
    assert result["gates"]["resolution"]["basis"] == "ground_truth"


def test_evidence_that_cannot_be_read_is_an_error_and_not_a_score_of_nothing(tmp_path: Path, gatewright: CLI) -> None:
    """GR-28"""
    rules = tmp_path / "rules.gate"
    rules.write_text('require "r": executed_commands matches `x`\n', "utf-8")
    good, bad, broken = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "broken.json"
    good.write_text(json.dumps(commands("x")), "utf-8")
    bad.write_text(json.dumps(commands("y")), "utf-8")
    broken.write_text('{"job": {', "utf-8")
    assert gatewright("grade", rules, "--run", good).code == 0
    assert gatewright("grade", rules, "--run", good, bad).code == 1
    assert gatewright("grade", rules, "--run", good, bad, broken).code == 3
    assert gatewright("grade", rules, "--run", broken).code == 2
    assert gatewright("grade", rules, "--run", tmp_path / "nosuch.json").code == 2
    called = gatewright("grade", rules, "--run", good, broken)
    assert "GW701" in called.stderr
    assert "(0.0 %)" not in called.stdout


def test_run_that_gave_up_is_graded_where_a_rule_accepts_it(graded: Graded) -> None:
    """GR-29: the completion check is left out, the rules are not."""
    record = run({"executed_commands": ["ls"]}, status="failed", resolution_status="agentic_failure")
    accepts = 'require "s": job_resolution_status in success, agentic_failure\n'
    result = graded(accepts + 'require "r": executed_commands matches `ls`\n', record)
    assert result["verdict"] == "passed"
    assert result.get("implicit", []) == []
    result = graded(accepts + 'require "r": executed_commands matches `nosuch`\n', record)
    assert result["verdict"] == "failed"
    result = graded('require "r": executed_commands matches `ls`\n', record)
    assert result["verdict"] == "failed"
    assert [check["status"] for check in result["implicit"]] == ["fail"]


def test_check_for_one_bad_state_passes_in_another_bad_state(graded: Graded) -> None:
    """GR-30: grep finds no CrashLoopBackOff where the pod is in Error; asking for the good state is right."""
    answers = [
        {"host": "a", "run": "kubectl get pods | grep CrashLoopBackOff", "exit_code": 1},
        {"host": "a", "run": "kubectl get pods | grep -w Running", "exit_code": 1},
    ]
    record = {**run({"executed_commands": []}), "host_answers": answers}
    no_op = 'hosts a\nrequire "r": run `kubectl get pods | grep CrashLoopBackOff` exits 1\n'
    right = 'hosts a\nrequire "r": run `kubectl get pods | grep -w Running`\n'
    assert graded(no_op, record)["verdict"] == "passed"
    assert graded(right, record)["verdict"] == "failed"


def test_recorded_answer_is_read_once_whatever_time_a_rule_gives(graded: Graded) -> None:
    """GR-32: only a live check can wait for a machine that is still settling."""
    record = {**run({"executed_commands": []}), "host_answers": [{"host": "a", "run": "x", "exit_code": 1}]}
    for within in ("", " within 30 s"):
        rule = only_rule(graded(f'hosts a\nrequire "r": run `x`{within}\n', record))
        assert (rule["status"], rule["exit_code"]) == ("fail", 1)


def test_handed_files_of_the_cases_are_there(handed: Path) -> None:
    names = ["rules/host_checks.jsonl", "bugs/evidence_ansi_values.json", "rules/ported_index.jsonl"]
    assert [name for name in names if not (handed / name).is_file()] == []
