"""`gatewright fmt` from the outside: what it touches, what it shows, how it ends."""

from __future__ import annotations

import json
from pathlib import Path

UNTIDY = '# why\nrequire "a" :task_count 1\n'
TIDY = '# why\nrequire "a": task_count 1\n'


def test_a_file_is_laid_out_in_place_and_keeps_its_mode(gatewright, tmp_path: Path) -> None:
    path = tmp_path / "a.gate"
    path.write_text(UNTIDY)
    path.chmod(0o640)
    assert gatewright("fmt", "a.gate").returncode == 0
    assert path.read_text() == TIDY
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(gatewright, tmp_path: Path) -> None:
    (tmp_path / "real.gate").write_text(UNTIDY)
    (tmp_path / "link.gate").symlink_to("real.gate")
    assert gatewright("fmt", "link.gate").returncode == 0
    assert (tmp_path / "link.gate").is_symlink()
    assert (tmp_path / "real.gate").read_text() == TIDY


def test_check_names_the_files_and_changes_nothing(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text(UNTIDY)
    (tmp_path / "b.gate").write_text(TIDY)
    ended = gatewright("fmt", "--check", ".")
    assert ended.returncode == 1
    assert "not laid out: a.gate" in ended.stderr
    assert "b.gate" not in ended.stderr
    assert (tmp_path / "a.gate").read_text() == UNTIDY
    (tmp_path / "a.gate").write_text(TIDY)
    assert gatewright("fmt", "--check", ".").returncode == 0


def test_diff_shows_every_difference_line_ends_too(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_bytes(TIDY.replace("\n", "\r\n").encode()[:-2])
    ended = gatewright("fmt", "--diff", "a.gate")
    assert ended.returncode == 1
    assert "-# why\\r\n" in ended.stdout
    assert "+# why\n" in ended.stdout
    assert "(no line end)" in ended.stdout


def test_standard_input_is_laid_out_to_standard_output(gatewright) -> None:
    ended = gatewright("fmt", "-", stdin=UNTIDY)
    assert (ended.returncode, ended.stdout) == (0, TIDY)
    assert gatewright("fmt", "--check", "-", stdin=UNTIDY).returncode == 1
    diff = gatewright("fmt", "--diff", "-", stdin=UNTIDY)
    assert (diff.returncode, '-require "a" :task_count 1' in diff.stdout) == (1, True)


def test_a_broken_file_is_left_alone_and_the_others_are_laid_out(gatewright, tmp_path: Path) -> None:
    (tmp_path / "a.gate").write_text('require "a"\n')
    (tmp_path / "b.gate").write_text(UNTIDY)
    ended = gatewright("fmt", ".")
    assert ended.returncode == 2
    assert "a.gate:1:12: GW101" in ended.stderr
    assert (tmp_path / "a.gate").read_text() == 'require "a"\n'
    assert (tmp_path / "b.gate").read_text() == TIDY


def test_json_with_comments_is_left_alone_unless_they_may_go(gatewright, tmp_path: Path) -> None:
    text = '[ // mine\n{"label":"a","validator":"task_count","min":1}]\n'
    (tmp_path / "a.json").write_text(text)
    ended = gatewright("fmt", "a.json")
    assert ended.returncode == 2
    assert "a.json:1:3: GW107 error" in ended.stderr
    assert (tmp_path / "a.json").read_text() == text
    assert gatewright("fmt", "--strip-comments", "a.json").returncode == 0
    assert "//" not in (tmp_path / "a.json").read_text()
    assert json.loads((tmp_path / "a.json").read_text())[0]["min"] == 1


def test_run_records_are_no_rules(gatewright, tmp_path: Path) -> None:
    for name, record in (("a.json", {"schema": "gatewright/run/1", "job": {}}), ("b.json", {"job": {"tasks": []}})):
        (tmp_path / name).write_text(json.dumps(record))
        assert gatewright("fmt", name).returncode == 2
        assert json.loads((tmp_path / name).read_text()) == record
    ended = gatewright("fmt", ".")
    assert ended.returncode == 2
    assert "no files of rules" in ended.stderr
