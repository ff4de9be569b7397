"""`gatewright grade` from the outside: exit statuses, several runs, formats, options."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

RULES = """\
scenario "disk-full"
hosts app-01
require "Looked at the disk": executed_commands matches `\\bdf\\b`
require "Job resolved": job_resolution_status in success
require "Room again": run `test -w /var/tmp`
"""

PASSING = {
    "id": "good",
    "scenario": "disk-full",
    "job": {"status": "completed", "resolution_status": "success", "tasks": [{"executed_commands": ["df -h"]}]},
    "host_answers": [{"host": "app-01", "run": "test -w /var/tmp", "exit_code": 0}],
}
FAILING = {**PASSING, "id": "bad", "job": {**PASSING["job"], "tasks": [{"executed_commands": ["ls"]}]}}
UNANSWERED = {key: value for key, value in {**PASSING, "id": "open"}.items() if key != "host_answers"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "disk.gate").write_text(RULES)
    for name, record in (("good", PASSING), ("bad", FAILING), ("open", UNANSWERED)):
        (tmp_path / f"{name}.json").write_text(json.dumps(record))
    return tmp_path


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        (("good.json",), 0),
        (("bad.json",), 1),
        (("good.json", "bad.json"), 1),
        (("open.json",), 3),
        (("open.json", "bad.json", "good.json"), 3),
        (("missing.json",), 2),
        (("missing.json", "good.json"), 3),
    ],
)
def test_the_exit_status_is_the_worst_that_came_of_the_runs(gatewright, folder, runs, status) -> None:
    assert gatewright("grade", "disk.gate", "--run", *runs).returncode == status


def test_run_can_be_repeated_and_take_several_paths(gatewright, folder) -> None:
    ended = gatewright(
        "grade", "disk.gate", "--run", "good.json", "bad.json", "--format", "jsonl", "--run", "open.json"
    )
    assert [json.loads(line)["run"] for line in ended.stdout.splitlines()] == ["good", "bad", "open"]


def test_one_run_is_an_object_and_several_are_results(gatewright, folder) -> None:
    one = json.loads(gatewright("grade", "disk.gate", "--run", "good.json", "--format", "json").stdout)
    several = json.loads(gatewright("grade", "disk.gate", "--run", "good.json", "bad.json", "--format", "json").stdout)
    assert (one["schema"], one["verdict"]) == ("gatewright/result/1", "passed")
    assert several["schema"] == "gatewright/results/1"
    assert [result["verdict"] for result in several["results"]] == ["passed", "failed"]


def test_a_folder_of_runs_is_read_by_name(gatewright, folder) -> None:
    runs = folder / "runs"
    (runs / "later").mkdir(parents=True)
    (runs / "later" / "z.json").write_text(json.dumps(FAILING))
    (runs / "a.jsonl").write_text(f"{json.dumps(PASSING)}\n\n{json.dumps({**PASSING, 'id': 'second'})}\n")
    ended = gatewright("grade", "disk.gate", "--run", "runs", "--format", "jsonl")
    assert [json.loads(line)["run"] for line in ended.stdout.splitlines()] == ["good", "second", "bad"]


def test_a_run_can_come_from_standard_input(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "-", stdin=json.dumps(PASSING))
    assert ended.returncode == 0
    assert "PASSED" in ended.stdout


def test_a_truncated_line_is_named_and_the_other_runs_are_graded(gatewright, folder) -> None:
    (folder / "runs.jsonl").write_text(f"{json.dumps(PASSING)}\n{json.dumps(FAILING)[:40]}\n{json.dumps(FAILING)}\n")
    ended = gatewright("grade", "disk.gate", "--run", "runs.jsonl", "--format", "json")
    results = json.loads(ended.stdout)["results"]
    assert [result["verdict"] for result in results] == ["passed", "error", "failed"]
    assert results[1]["rules"] == []
    assert "runs.jsonl:2:" in ended.stderr
    assert "GW701" in ended.stderr
    assert ended.returncode == 3


def test_when_no_run_can_be_read_the_results_are_printed_all_the_same(gatewright, folder) -> None:
    (folder / "broken.json").write_text('{"job": ')
    ended = gatewright("grade", "disk.gate", "--run", "broken.json", "--format", "json")
    assert ended.returncode == 2
    assert json.loads(ended.stdout)["verdict"] == "error"


def test_a_record_of_another_scenario_is_an_error_unless_it_may_be(gatewright, folder) -> None:
    (folder / "other.json").write_text(json.dumps({**PASSING, "scenario": "nginx-down"}))
    ended = gatewright("grade", "disk.gate", "--run", "other.json")
    assert ended.returncode == 3
    assert "GW703" in ended.stderr
    assert "nginx-down" in ended.stdout
    assert gatewright("grade", "disk.gate", "--run", "other.json", "--any-scenario").returncode == 0


def test_rules_with_errors_stop_before_any_run_is_read(gatewright, folder) -> None:
    (folder / "bad.gate").write_text('require "x": task_count 3..1\n')
    ended = gatewright("grade", "bad.gate", "--run", "missing.json")
    assert ended.returncode == 2
    assert ended.stderr.startswith("bad.gate:1:25: GW110")
    assert "missing.json" not in ended.stderr
    assert ended.stdout == ""


def test_the_same_input_gives_the_same_bytes(gatewright, folder) -> None:
    first, second = (
        gatewright("grade", "disk.gate", "--run", "good.json", "--format", "json", PYTHONHASHSEED=seed).stdout
        for seed in ("1", "2")
    )
    assert first == second
    timed = json.loads(gatewright("grade", "disk.gate", "--run", "good.json", "--format", "json", "--timing").stdout)
    assert timed["timing"]["seconds"] >= 0


def test_several_formats_go_to_their_files_and_one_to_standard_output(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "good.json", "--format", "json=out/r.json", "--format", "text")
    assert ended.returncode == 0
    assert "PASSED" in ended.stdout
    assert json.loads((folder / "out" / "r.json").read_text())["verdict"] == "passed"


def test_two_formats_for_one_place_are_refused(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "good.json", "--format", "json", "--format", "text")
    assert ended.returncode == 2
    assert "--format json=FILE" in ended.stderr


def test_only_grades_by_the_rules_that_are_named(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "bad.json", "--only", "Job resolved", "--format", "json")
    result = json.loads(ended.stdout)
    assert [rule["label"] for rule in result["rules"]] == ["Job resolved"]
    assert result["gates"]["compliance"]["score"] == {"passed": 1, "total": 1, "percent": 100.0}
    assert ended.returncode == 0


def test_only_with_an_unknown_label_suggests_one(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "bad.json", "--only", "Job resolve")
    assert ended.returncode == 2
    assert "did you mean" in ended.stderr


def test_a_plan_grades_like_the_rules_it_was_made_from(gatewright, folder) -> None:
    assert gatewright("compile", "disk.gate", "-o", "disk.plan.json").returncode == 0
    by_rules = gatewright("grade", "disk.gate", "--run", "good.json", "bad.json", "--format", "json").stdout
    by_plan = gatewright("grade", "disk.plan.json", "--run", "good.json", "bad.json", "--format", "json").stdout
    assert by_plan == by_rules


# ---- hosts -----------------------------------------------------------------------------------------------------------


def test_an_inventory_has_the_hosts_asked_now(gatewright, folder) -> None:
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "local"\n')
    ended = gatewright("grade", "disk.gate", "--run", "open.json", "--inventory", "hosts.toml", "--format", "json")
    assert ended.returncode == 0
    host_rule = json.loads(ended.stdout)["rules"][2]
    assert (host_rule["status"], host_rule["host"], host_rule["exit_code"]) == ("pass", "app-01", 0)


def test_without_an_inventory_nothing_is_run(gatewright, folder) -> None:
    (folder / "touch.gate").write_text(f'require "x": run `touch {folder}/marker`\n')
    ended = gatewright("grade", "touch.gate", "--run", "open.json")
    assert ended.returncode == 3
    assert "give --inventory" in ended.stdout
    assert not (folder / "marker").exists()


def test_a_dry_run_says_what_would_be_run_where_and_runs_nothing(gatewright, folder) -> None:
    (folder / "touch.gate").write_text(f'hosts app-01\nrequire "x": run `touch {folder}/marker`\n')
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "local"\n')
    ended = gatewright("grade", "touch.gate", "--run", "open.json", "--inventory", "hosts.toml", "--dry-run")
    assert ended.returncode == 0
    assert ended.stdout == f"app-01 (local connection)\n  touch {folder}/marker\n"
    assert not (folder / "marker").exists()


def test_an_inventory_takes_exactly_one_run(gatewright, folder) -> None:
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "local"\n')
    ended = gatewright("grade", "disk.gate", "--run", "good.json", "bad.json", "--inventory", "hosts.toml")
    assert ended.returncode == 2
    assert "exactly one run" in ended.stderr


def test_a_broken_inventory_is_told_before_anything_runs(gatewright, folder) -> None:
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "lokal"\n')
    ended = gatewright("grade", "disk.gate", "--run", "good.json", "--inventory", "hosts.toml")
    assert ended.returncode == 2
    assert "hosts.toml:2:" in ended.stderr
    assert "GW704" in ended.stderr


# ---- transcripts -----------------------------------------------------------------------------------------------------

SESSION = [
    {"type": "user", "sessionId": "s-1", "message": {"role": "user", "content": "The disk of app-01 is full."}},
    {
        "type": "assistant",
        "sessionId": "s-1",
        "message": {
            "id": "m-1",
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "u-1", "name": "Bash", "input": {"command": "df -h"}}],
        },
    },
    {
        "type": "assistant",
        "sessionId": "s-1",
        "message": {"id": "m-2", "role": "assistant", "content": [{"type": "text", "text": "Freed 4 GB."}]},
    },
]


def test_a_transcript_is_graded_with_what_it_cannot_know_given(gatewright, folder) -> None:
    (folder / "session.jsonl").write_text("".join(json.dumps(line) + "\n" for line in SESSION))
    labels = ("Looked at the disk", "Job resolved")
    only = [word for label in labels for word in ("--only", label)]
    arguments = ("grade", "disk.gate", "--run", "session.jsonl", *only)
    assert gatewright(*arguments).returncode == 1
    assert gatewright(*arguments, "--resolution-status", "success").returncode == 0


def test_an_imported_transcript_grades_like_the_transcript(gatewright, folder) -> None:
    (folder / "session.jsonl").write_text("".join(json.dumps(line) + "\n" for line in SESSION))
    given = ("--resolution-status", "success", "--host", "app-01", "--scenario", "disk-full")
    assert gatewright("import", "session.jsonl", *given, "-o", "session.json").returncode == 0
    direct = json.loads(gatewright("grade", "disk.gate", "--run", "session.jsonl", *given, "--format", "json").stdout)
    imported = json.loads(gatewright("grade", "disk.gate", "--run", "session.json", "--format", "json").stdout)
    for result in (direct, imported):
        result.pop("provenance")
    assert imported == direct
    record = json.loads((folder / "session.json").read_text())
    assert record["job"]["tasks"][0]["host"] == "app-01"
    assert record["job"]["tasks"][0]["executed_commands"] == ["df -h"]


def test_a_report_never_replaces_its_own_input(gatewright, folder) -> None:
    rules = (folder / "disk.gate").read_text()
    for output in ("disk.gate", "./disk.gate", "good.json"):
        ended = gatewright("grade", "disk.gate", "--run", "good.json", "-o", output)
        assert ended.returncode == 2
        assert f"{output} is an input" in ended.stderr
    assert (folder / "disk.gate").read_text() == rules
    assert json.loads((folder / "good.json").read_text()) == PASSING


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_is_a_positive_number(gatewright, folder, limit: str) -> None:
    for option in ("--match-timeout", "--command-timeout", "--connect-timeout"):
        ended = gatewright("grade", "disk.gate", "--run", "good.json", option, limit)
        assert ended.returncode == 2
        assert f"“{limit}” is no number of seconds above 0" in ended.stderr


def test_hosts_that_the_inventory_lacks_are_told_before_any_command_runs(gatewright, folder) -> None:
    (folder / "two.gate").write_text(
        f'hosts app-01, app-02\nrequire "a": run `touch {folder}/marker`\nrequire "b": on app-02 run `true`\n'
    )
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "local"\n')
    ended = gatewright("grade", "two.gate", "--run", "open.json", "--any-scenario", "--inventory", "hosts.toml")
    assert ended.returncode == 2
    assert "GW704 error: host “app-02” is not in the inventory hosts.toml" in ended.stderr
    assert not (folder / "marker").exists()


def test_the_old_word_for_no_action_is_read_in_records_too(gatewright, folder) -> None:
    (folder / "old.gate").write_text('require "r": job_resolution_status in no_action\n')
    (folder / "old.json").write_text('{"job": {"status": "completed", "resolution_status": "no_tasks_created"}}')
    ended = gatewright("grade", "old.gate", "--run", "old.json")
    assert ended.returncode == 0
    assert "GW115" in ended.stderr


def test_a_try_ends_with_the_time_that_within_gives(gatewright, folder) -> None:
    (folder / "w.gate").write_text('require "r": run `sleep 20` within 1 s\n')
    (folder / "hosts.toml").write_text('[hosts.app-01]\nconnection = "local"\nshell = "/bin/sh"\n')
    ended = gatewright("grade", "w.gate", "--run", "open.json", "--inventory", "hosts.toml", "--format", "json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["rules"][0]["reason"] == "timed out after 1 s"


def test_rules_that_are_swallowed_by_run_are_asked_for_with_the_reason(gatewright, folder) -> None:
    ended = gatewright("grade", "--run", "good.json", "disk.gate")
    assert ended.returncode == 2
    assert "RULES is missing; it stands before --run" in ended.stderr


def test_a_dry_run_makes_no_report(gatewright, folder) -> None:
    ended = gatewright("grade", "disk.gate", "--run", "good.json", "--dry-run", "-o", "dry.json")
    assert ended.returncode == 2
    assert not (folder / "dry.json").exists()


def test_the_help_names_every_format_of_runs(gatewright) -> None:
    from gatewright.runtime.importers import FORMATS

    said = " ".join(gatewright("grade", "--help").stdout.split())
    for name in ("record", *FORMATS):
        assert name in said
