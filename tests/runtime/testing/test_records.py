"""Facts become the run that the language's reference says, and what is not stated is what it says too."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import RuleSet
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.vocabulary import TARGETS
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Ticket
from gatewright.runtime.evidence.write_record import record_text
from gatewright.runtime.testing.records import facts_behind, record_of

TASK_TARGETS = {name for name, target in TARGETS.items() if target.scope == "task" and target.in_json}


def rules_with(facts: str, folder: Path, head: str = "hosts web-01, web-02") -> RuleSet:
    path = folder / "rules.gate"
    path.write_text(
        f'{head}\nrequire "r": task_count 1..\nrequire "h": run `a`\ntest "t" {{ {facts} expect pass "r" }}\n', "utf-8"
    )
    told: list[Finding] = []
    loaded = load(path, told.append)
    assert isinstance(loaded, Loaded)
    assert [finding.message for finding in told if finding.is_error] == []
    return loaded.rules


def record_with(facts: str, folder: Path, head: str = "hosts web-01, web-02") -> RunRecord:
    rules = rules_with(facts, folder, head)
    return record_of(rules.tests[0], rules.hosts)


def test_without_facts_the_job_is_done_and_one_task_left_no_trace(tmp_path: Path) -> None:
    record = record_with("", tmp_path)
    assert record.id == "t"
    assert (record.scenario, record.ticket, record.host_answers, record.playbooks) == (None, None, (), ())
    job = record.job
    assert (job.status, job.resolution_status, job.resolution, job.plan) == ("completed", "success", (), ())
    assert job.tasks is not None
    (task,) = job.tasks
    assert (task.host, task.turn, task.started_at, task.ended_at) == ("web-01", None, None, None)
    assert task.values == dict.fromkeys(TASK_TARGETS, ())


def test_without_hosts_the_task_ran_nobody_knows_where(tmp_path: Path) -> None:
    record = record_with("", tmp_path, head="")
    assert record.job.tasks is not None
    assert record.job.tasks[0].host is None


def test_statuses_are_stated_or_unavailable(tmp_path: Path) -> None:
    record = record_with("job_status failed job_resolution_status partial ticket_status Open", tmp_path)
    assert (record.job.status, record.job.resolution_status) == ("failed", "partial")
    assert record.ticket == Ticket("Open", ())
    record = record_with("job_status unavailable job_resolution_status unavailable ticket_status unavailable", tmp_path)
    assert (record.job.status, record.job.resolution_status) == (None, None)
    assert record.ticket == Ticket(None, ())


def test_evidence_of_the_default_task(tmp_path: Path) -> None:
    record = record_with("executed_commands `a`, `b` task_summary unavailable write_file empty", tmp_path)
    assert record.job.tasks is not None
    values = record.job.tasks[0].values
    assert values["executed_commands"] == ("a", "b")
    assert values["write_file"] == ()
    assert "task_summary" not in values
    assert values["tool_calls"] == ()


def test_evidence_of_the_job(tmp_path: Path) -> None:
    job = record_with("job_resolution `done`, `and dusted` job_plan unavailable", tmp_path).job
    assert (job.resolution, job.plan) == (("done", "and dusted"), None)


def test_no_tasks_are_no_tasks(tmp_path: Path) -> None:
    assert record_with("no tasks", tmp_path).job == Job("completed", "success", (), (), ())


def test_tasks_have_hosts_turns_times_and_evidence(tmp_path: Path) -> None:
    record = record_with(
        'task on web-02 turn 2 from "2026-05-01T10:00:00Z" to "2026-05-01T12:01:00+01:00" { executed_commands `a` }'
        + " task { write_file unavailable }",
        tmp_path,
    )
    assert record.job.tasks is not None
    first, second = record.job.tasks
    assert (first.host, first.turn) == ("web-02", 2)
    assert first.started_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert first.ended_at == datetime(2026, 5, 1, 11, 1, tzinfo=UTC)
    assert first.values["executed_commands"] == ("a",)
    assert first.values["write_file"] == ()
    assert (second.host, second.turn, second.started_at) == ("web-01", None, None)
    assert "write_file" not in second.values
    assert second.values["executed_commands"] == ()


@pytest.mark.parametrize(
    ("facts", "messages"),
    [
        ("gateway_messages `a`, `b`", ("a", "b")),
        ("gateway_summary `z`", ("z",)),
        ("gateway_summary `z` gateway_messages `a`, `b`", ("a", "b", "z")),
        ("gateway_messages empty gateway_summary `z`", ("z",)),
        ("gateway_messages empty", ()),
        ("gateway_messages unavailable", None),
        ("gateway_messages unavailable gateway_summary `z`", None),
        ("gateway_messages `a` gateway_summary unavailable", None),
    ],
)
def test_gateway_facts_create_the_ticket(facts: str, messages: tuple[str, ...] | None, tmp_path: Path) -> None:
    assert record_with(facts, tmp_path).ticket == Ticket(None, messages)


def test_hosts_answer_time_out_or_are_out_of_reach(tmp_path: Path) -> None:
    record = record_with("run `a` run `a` exits 3 on web-02 run `b` times out run `c` unreachable", tmp_path)
    assert record.host_answers == (
        HostAnswer(None, "a", 0),
        HostAnswer(None, "a", 3),
        HostAnswer("web-02", "b", problem="timed out"),
        HostAnswer(None, "c", problem="unreachable", unreachable=True),
    )


def test_playbooks_end(tmp_path: Path) -> None:
    assert record_with('ansible "v.yml" exits 2', tmp_path).playbooks == (PlaybookAnswer("v.yml", 2),)


def test_record_of_a_test_is_a_run_record_like_any_other(tmp_path: Path) -> None:
    record = record_with(
        'ticket_status open gateway_summary `z` run `a` exits 3 on web-02 run `b` times out ansible "v.yml" exits 2 '
        'job_plan unavailable task turn 1 from "2026-05-01T10:00:00Z" to "2026-05-01T10:02:00Z" { write_file `x` }',
        tmp_path,
    )
    again = read_record(Source("run.json", record_text(record)), pytest.fail, default_id="other")
    assert again == record


def test_facts_behind_a_rule_are_those_it_looks_at(tmp_path: Path) -> None:
    rules = rules_with("executed_commands `x` on web-01 run `a` on web-02 run `a` exits 1", tmp_path)
    _, host_rule = rules.rules
    (fact,) = facts_behind(host_rule.check, rules.tests[0], rules.hosts)
    assert fact == rules.tests[0].facts[1]
    assert facts_behind(rules.rules[0].check, rules.tests[0], rules.hosts) == ()


@pytest.mark.parametrize(
    ("facts", "behind"),
    [
        ("on a run `a` exits 1", [0]),
        ("run `a` exits 1", [0]),
        ("run `b` on a run `a` exits 1", [1]),
        ("on a run `a` on b run `a` exits 1", [0, 1]),
    ],
)
def test_without_hosts_any_answer_may_be_behind_a_rule_that_names_none(
    facts: str, behind: list[int], tmp_path: Path
) -> None:
    rules = rules_with(facts, tmp_path, head="")
    block = rules.tests[0]
    assert facts_behind(rules.rules[1].check, block, rules.hosts) == tuple(block.facts[index] for index in behind)
