"""`gatewright convert` from the outside: where it writes, and what it must not overwrite or move."""

from __future__ import annotations

import json
from pathlib import Path

RULES = 'hosts web-01, db-01\nrequire "Up": run `true`\nprepare {\n  "Stop": run `false`\n}\n'


def scenario(tmp_path: Path, **keys: object) -> Path:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps({"key": "k", "validation": [], **keys}, indent=2) + "\n")
    return path


def test_the_default_host_is_written_out_where_the_scenario_has_another(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text(RULES)
    target = scenario(tmp_path, hosts=["db-01", "web-01"])
    ended = gatewright("convert", "a.gate", "--into", "scenario.json")
    assert ended.returncode == 0
    assert "GW603" in ended.stderr
    written = json.loads(target.read_text())
    assert written["validation"][0]["on"] == "web-01"
    assert written["prepare"][0]["on"] == "web-01"
    assert written["hosts"] == ["db-01", "web-01"]


def test_the_default_host_stays_unsaid_where_it_is_the_same(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text(RULES)
    target = scenario(tmp_path, hosts=["web-01"])
    assert gatewright("convert", "a.gate", "--into", "scenario.json").returncode == 0
    assert "on" not in json.loads(target.read_text())["validation"][0]


def test_hosts_that_the_scenario_does_not_list_are_refused(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text(RULES)
    target = scenario(tmp_path, hosts=["app-01"])
    before = target.read_text()
    ended = gatewright("convert", "a.gate", "--into", "scenario.json")
    assert ended.returncode == 2
    assert "GW112" in ended.stderr
    assert target.read_text() == before


def test_comments_of_the_scenario_are_not_dropped_unasked(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text('require "One": task_count 1\n')
    target = tmp_path / "scenario.json"
    target.write_text('{\n  // mine\n  "validation": []\n}\n')
    before = target.read_text()
    assert gatewright("convert", "a.gate", "--into", "scenario.json").returncode == 2
    assert target.read_text() == before
    assert gatewright("convert", "a.gate", "--into", "scenario.json", "--strip-comments").returncode == 0
    assert json.loads(target.read_text())["validation"][0]["min"] == 1


def test_rules_of_another_meaning_go_into_a_scenario_only_when_asked(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text('require "One": task_count 1\n')
    scenario(tmp_path, validation={"job": []})
    ended = gatewright("convert", "a.gate", "--into", "scenario.json")
    assert ended.returncode == 2
    assert "say which form is wanted: --to grouped or --to flat" in ended.stderr
    assert gatewright("convert", "a.gate", "--into", "scenario.json", "--to", "grouped").returncode == 0


def test_a_folder_is_not_converted_into_itself(gatewright, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.gate").write_text('require "One": task_count 1\n')
    for output in ("tree", "tree/out"):
        ended = gatewright("convert", "tree", "--to", "flat", "-o", output)
        assert ended.returncode == 2
        assert "a folder of their own" in ended.stderr
    assert [path.name for path in (tmp_path / "tree").iterdir()] == ["a.gate"]


def test_the_folder_of_a_scenario_goes_to_standard_output_like_a_file(gatewright, repository: Path) -> None:
    folder = repository / "examples" / "disk-filling-up"
    by_folder = gatewright("convert", folder, "--to", "flat")
    by_file = gatewright("convert", folder / "disk-filling-up.gate", "--to", "flat")
    assert by_folder.returncode == 0
    assert by_folder.stdout == by_file.stdout
