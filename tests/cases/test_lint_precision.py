"""Lint over real rules: every count of every code stands in a file beside this one, so that a change shows.

    GATEWRIGHT_COUNT_ANEW=1 pytest tests/cases/test_lint_precision.py       # writes the file; read what changed

Each kind of finding was read by hand before its count went into the file.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import call_ending_with

from gatewright.compiler.findings import CATALOGUE, Finding
from gatewright.grammar.text import Source
from gatewright.runtime.lint.notes import LintOptions
from gatewright.runtime.lint.one_file import lint_text
from gatewright.runtime.matching import default_engine

COUNTS = Path(__file__).with_name("lint_counts.json")
ENGINE = default_engine()
NO_SCENARIO = frozenset({"GW301", "GW308", "GW311"})
"""Said of nearly every single rule that looks at no host."""


def linted(name: str, text: str) -> tuple[Finding, ...]:
    return lint_text(Path(name), Source(name, text), LintOptions(), ENGINE).report.findings


def lines(path: Path) -> Iterator[dict[str, object]]:
    yield from map(json.loads, path.read_text("utf-8").splitlines())


def rule(pattern: object, negate: bool = False) -> str:
    said = {"label": "r", "validator": "pattern_match", "where": "executed_commands", "pattern": pattern}
    return json.dumps([{**said, "negate": True} if negate else said])


def single_patterns(handed: Path) -> Iterator[str]:
    """Every pattern of public rules as a rule of its own; words of other rule languages as the patterns they mean."""
    folder = handed / "rules"
    for entry in lines(folder / "uipath_command_patterns.jsonl"):
        yield rule(entry["pattern"], entry["kind"] == "command_not_executed")
    for entry in lines(folder / "terminal_bench_env_regexes.jsonl"):
        yield rule(entry["pattern"])
    for entry in lines(folder / "falco_cmdline_predicates.jsonl"):
        yield rule(anchored(str(entry["value"]), str(entry["op"])), negate=True)
    for entry in lines(folder / "sigma_linux_command_predicates.jsonl"):
        for predicate in entry["predicates"]:  # pyright: ignore[reportGeneralTypeIssues]
            for value in predicate["values"]:
                yield rule(anchored(str(value), predicate["field"].partition("|")[2]), negate=True)


def anchored(value: str, operator: str) -> str:
    if operator in ("re", "regex"):
        return value
    escaped = re.sub(r"[\\^$.*+?()\[\]{}|]", r"\\\g<0>", value)
    return ("^" * (operator in ("startswith", "=", ""))) + escaped + ("$" * (operator in ("endswith", "=", "")))


def counted(found: Iterator[Finding]) -> dict[str, int]:
    return dict(sorted(Counter(finding.code for finding in found).items()))


def check(name: str, counts: object) -> None:
    known = json.loads(COUNTS.read_text("utf-8")) if COUNTS.is_file() else {}
    if os.environ.get("GATEWRIGHT_COUNT_ANEW"):
        COUNTS.write_text(json.dumps({**known, name: counts}, indent=2, sort_keys=True) + "\n", "utf-8")
        return
    assert counts == known.get(name)


def test_single_patterns(handed: Path) -> None:
    texts = list(single_patterns(handed))
    assert len(texts) > 900
    found = (finding for text in texts for finding in linted("r.json", text) if finding.code not in NO_SCENARIO)
    check("single patterns", counted(found))


def test_ported_rule_sets(handed: Path) -> None:
    """The codes that are expected of a set are there, and what else is said of it stays the same."""
    counts: dict[str, dict[str, int]] = {}
    for entry in lines(handed / "rules" / "ported_index.jsonl"):
        path = handed / "rules" / str(entry["file"])
        codes = counted(iter(linted(path.name, path.read_text("utf-8"))))
        counts[path.name] = codes
        assert set(entry["expected_codes"]) <= set(codes), path.name  # pyright: ignore[reportArgumentType]
    check("ported rule sets", counts)


def test_host_checks(handed: Path) -> None:
    commands = [str(entry["run"]) for entry in lines(handed / "rules" / "host_checks.jsonl")]
    for entry in lines(handed / "rules" / "k8s_bench_host_checks.jsonl"):
        commands += entry["host_checks"]  # pyright: ignore[reportOperatorIssue]
    found = (
        finding
        for command in commands
        for finding in linted("r.json", json.dumps([{"label": "r", "validator": "host_state", "run": command}]))
    )
    check("host checks", counted(found))


def test_examples_are_clean(repository: Path) -> None:
    """No example gives a warning; what is said of them as information is counted."""
    called = call_ending_with(0, "lint", repository / "examples", "--no-cache", "--format", "json")
    said = json.loads(called.stdout)["findings"]
    assert [finding for finding in said if finding["severity"] != "info"] == []
    check("examples", dict(sorted(Counter(finding["code"] for finding in said).items())))


def test_counts_name_codes_that_exist() -> None:
    named = set(re.findall(r"GW\d+", COUNTS.read_text("utf-8")))
    assert named <= set(CATALOGUE)


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("^(a+)+$", True),
        ("evilprefix(a+)+$", True),
        ("(a*)*$", True),
        (r"(\d+){2,}x", True),
        ("(a{2,})+$", True),
        ("(a{2,})+", True),
        ("([a-z]+)*", True),
        ("a{2,3}b{1,9}", False),
    ],
)
def test_slow_patterns_are_told_and_bounded_ones_are_not(pattern: str, is_told: bool) -> None:
    """RD-01, RD-02, RD-04, RD-06."""
    codes = [finding.code for finding in linted("r.json", rule(pattern))]
    assert ("GW209" in codes) == is_told
    assert "GW201" not in codes
