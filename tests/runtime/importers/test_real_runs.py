"""Real agents' runs, kept beside the repository: what a right adapter makes of them. Skipped where they are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gatewright.compiler.findings import Finding
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.evidence.sources import ReadRun, read_runs
from gatewright.runtime.evidence.write_record import record_text

RUNS = Path(__file__).parents[4] / "shared" / "cases" / "runs"
OURS = [path for kind in ("atif", "claude_code") for path in sorted(RUNS.glob(f"{kind}*.json*"))]
FILES = [path for path in OURS if not path.name.endswith(".expected.json")]


def runs_of(path: Path) -> ReadRun:
    (run,) = read_runs([str(path)])
    assert isinstance(run, ReadRun), [finding.message for finding in run.findings]
    return run


@pytest.mark.skipif(not FILES, reason=f"no real runs in {RUNS}")
def test_there_are_runs_of_each_format():
    assert {runs_of(path).format for path in FILES} == {"atif", "claude-code"}


@pytest.mark.parametrize("path", FILES or [pytest.param(None, marks=pytest.mark.skip(f"no real runs in {RUNS}"))])
def test_a_real_run_is_read_as_expected(path: Path):
    expected: dict[str, Any] = json.loads(path.with_name(f"{path.name}.expected.json").read_text(encoding="utf-8"))
    run = runs_of(path)
    assert run.findings == ()
    job = run.record.job
    assert job.tasks is not None
    values = job.tasks[0].values
    assert list(values["executed_commands"]) == expected["executed_commands"]
    assert list(values["write_file"]) == expected["write_file"]
    assert list(values["update_file"]) == expected["update_file"]
    assert [value.split(" ")[0] for value in values["tool_calls"]] == expected["tool_calls"]
    assert all(isinstance(json.loads(value.split(" ", 1)[1]), dict) for value in values["tool_calls"])
    assert len(values["agent_messages"]) == expected["agent_messages_count"]
    assert values["agent_messages"][-1].startswith(expected["agent_messages_last"])
    assert job.resolution == values["task_summary"] == values["agent_messages"][-1:]
    assert job.status == "completed"


@pytest.mark.parametrize("path", FILES or [pytest.param(None, marks=pytest.mark.skip(f"no real runs in {RUNS}"))])
def test_an_imported_run_is_read_back_equal(path: Path):
    record = runs_of(path).record
    found: list[Finding] = []
    again = read_record(Source("r.json", record_text(record)), found.append, default_id="", digest=record.digest)
    assert (again, found) == (record, [])
