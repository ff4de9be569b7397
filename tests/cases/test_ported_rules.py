"""The ported rule sets and a real run: what compiles, what is refused, what matches.

Only errors that exist now are expected: codes of the linter (GW208 and its like) come with it and are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gatewright.compiler.findings import CATALOGUE, Finding, Severity
from gatewright.compiler.ir import PatternMatch
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load
from gatewright.runtime.evidence.record import RunRecord
from gatewright.runtime.evidence.sources import ReadRun, read_runs
from gatewright.runtime.grade import GradeOptions, grade
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result_json import result_to_dict

SHARED = Path(__file__).parents[3] / "shared" / "cases"
INDEX = SHARED / "rules" / "ported_index.jsonl"
ENTRIES = [json.loads(line) for line in INDEX.read_text("utf-8").splitlines()] if INDEX.is_file() else []
ABSENT = pytest.param(None, marks=pytest.mark.skip(f"the handed cases are not here: {SHARED}"))
READABLE_RUNS = ("claude_code_session.jsonl",)
RULE_SETS = [pytest.param(entry, id=Path(entry["file"]).name) for entry in ENTRIES] or [ABSENT]
VERDICTS = [
    pytest.param(
        entry,
        name,
        id=f"{Path(entry['file']).name}-{name}",
        marks=() if name in READABLE_RUNS else pytest.mark.skip(f"{name}: its format is not read yet"),
    )
    for entry in ENTRIES
    for name in sorted({run for rule in entry["expected_on_runs"] for run in rule["per_run"]})
] or [pytest.param(None, "", marks=pytest.mark.skip(f"the handed cases are not here: {SHARED}"))]


def read(path: Path) -> tuple[Loaded, list[Finding]]:
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert isinstance(loaded, Loaded)
    return loaded, findings


@pytest.mark.parametrize("entry", RULE_SETS)
def test_rule_set_compiles_or_is_refused_with_its_codes(entry: dict[str, Any], gatewright: Callable[..., Any]) -> None:
    path = SHARED / "rules" / entry["file"]
    loaded, findings = read(path)
    errors = sorted({finding.code for finding in findings if finding.is_error})
    expected = [
        code for code in entry["expected_codes"] if code in CATALOGUE and CATALOGUE[code].severity is Severity.ERROR
    ]
    assert errors == sorted(expected)
    assert (errors == []) == entry["compiles"]
    called = gatewright("compile", path)
    assert called.code == (0 if entry["compiles"] else 2)
    if entry["compiles"]:
        assert len(loaded.rules.rules) == entry["rules"]
    else:
        assert called.stdout == ""


@pytest.mark.parametrize("entry", [param for param in RULE_SETS if param is ABSENT or not param.values[0]["compiles"]])
def test_refusal_is_shown_inside_the_pattern_or_at_the_rule(entry: dict[str, Any]) -> None:
    _, findings = read(SHARED / "rules" / entry["file"])
    (finding,) = [finding for finding in findings if finding.is_error]
    assert finding.span is not None
    if finding.code == "GW201":
        assert finding.span.text.startswith("(?")
        assert finding.help


@pytest.fixture(scope="module")
def records() -> Callable[[str], RunRecord]:
    known: dict[str, RunRecord] = {}

    def record(name: str) -> RunRecord:
        if name not in known:
            (run,) = read_runs([str(SHARED / "runs" / name)])
            assert isinstance(run, ReadRun)
            known[name] = run.record
        return known[name]

    return record


@pytest.mark.parametrize(("entry", "name"), VERDICTS)
def test_rules_on_a_real_run_pass_and_match_as_a_javascript_engine_says(
    entry: dict[str, Any], name: str, records: Callable[[str], RunRecord]
) -> None:
    loaded, _ = read(SHARED / "rules" / entry["file"])
    record = records(name)
    matcher = Matcher(ExactEngine())
    result = result_to_dict(grade(ir_to_plan(loaded.rules), record, None, matcher, GradeOptions()))
    statuses = {rule["label"]: rule for rule in result["rules"]}
    patterns = {rule.label: rule.check for rule in loaded.rules.rules}
    assert record.job.tasks is not None
    values = record.job.tasks[0].values["executed_commands"]
    for expected in entry["expected_on_runs"]:
        wanted = expected["per_run"][name]
        rule, check = statuses[expected["label"]], patterns[expected["label"]]
        assert isinstance(check, PatternMatch)
        assert (rule["status"] == "pass") == wanted["pass"], expected["label"]
        assert rule["status"] in ("pass", "fail")
        assert matching(matcher, check.pattern, values) == wanted["matching_value_indexes"], expected["label"]


def matching(matcher: Matcher, pattern: str, values: tuple[str, ...]) -> list[int]:
    """Which of the values a pattern matches, each by itself."""
    compiled: Any = matcher.compile(pattern)
    return [index for index, value in enumerate(values) if compiled.test(value) is True]


def test_optional_rules_alone_pass_flat_and_fail_classic(
    handed: Path, records: Callable[[str], RunRecord], tmp_path: Path
) -> None:
    """only_optional_rules: the score of 1 of 2 is shown; the same rules in the grouped form fail at 50 %."""
    given = json.loads((handed / "rules" / "ported" / "only_optional_rules.flat.json").read_text("utf-8"))
    for validation, verdict in ((given["validation"], "passed"), ({"tasks": given["validation"]}, "failed")):
        path = tmp_path / "rules.json"
        path.write_text(json.dumps({"validation": validation}), "utf-8")
        loaded, _ = read(path)
        plan = ir_to_plan(loaded.rules)
        result = result_to_dict(grade(plan, records(READABLE_RUNS[0]), None, Matcher(ExactEngine()), GradeOptions()))
        assert result["verdict"] == verdict
        assert result["gates"]["compliance"]["score"] == {"passed": 1, "total": 2, "percent": 50.0}


# ---- the same with rules of our own, where the handed ones are not here ---------------------------------------------

OWN: list[tuple[dict[str, Any], list[str]]] = [
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"(?s)uip\s+update.*removeFields"}, ["GW201"]),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"(?i)Authorization:\s*Bearer"}, ["GW201"]),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"(?is)a"}, ["GW201"]),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"(?P<name>Sally)"}, ["GW201"]),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": ""}, ["GW104"]),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"(?=[\s\S]*a)(?=[\s\S]*b)"}, []),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r'"path":\s*"[^"]*X'}, []),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r".*s_.*(?<!MMI)\.csv"}, []),
    ({"validator": "pattern_match", "where": "tool_calls", "pattern": r"\A[^\t]*\Z"}, []),
    ({"validator": "pattern_match", "where": "executed_commands", "pattern": r"auditctl\b.*-D", "negate": True}, []),
    ({"validator": "task_count"}, ["GW110"]),
    ({"validator": "task_count", "min": 3, "max": 1}, ["GW110"]),
    ({"validator": "turns", "turns": [{"hosts": ["web-01", "web-02"]}, {"hosts": ["mon-01"]}]}, []),
]


@pytest.mark.parametrize(("entry", "codes"), OWN)
def test_rule_of_our_own_compiles_or_is_refused(
    entry: dict[str, Any], codes: list[str], said_of: Callable[..., list[tuple[str, int, int]]]
) -> None:
    assert [code for code, *_ in said_of(json.dumps([{"label": "r", **entry}]))] == codes


def test_dot_stops_at_the_end_of_a_line_so_that_a_continued_command_is_not_matched(
    matched: Callable[..., list[int]],
) -> None:
    """RX-24: the same curl on one line, and over three with backslashes."""
    one = "curl -s -X POST http://x/submit -d '{}'"
    three = "curl -s -X POST http://x/submit \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'"
    assert matched(r"curl\b.*\s-[FTd]\s", one, three) == [0]
    assert matched(r"curl\b[\s\S]*\s-[FTd]\s", one, three) == [0, 1]
