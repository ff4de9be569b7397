"""The cache: the same findings with and without it, never old ones, and no harm where it cannot be used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gatewright.compiler.discover import candidates
from gatewright.compiler.findings import Finding
from gatewright.runtime.lint.cache import Cache
from gatewright.runtime.lint.many_files import LintReport, lint_files
from gatewright.runtime.lint.notes import LintOptions

TWICE = 'require "one": task_count 1\nrequire "one": task_count 1..2\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "rules"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


class Counting(Cache):
    """A cache that counts what it knew."""

    def __init__(self, options: LintOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self.hits = 0

    def get(self, key: str, path: Path, data: bytes):
        found = super().get(key, path, data)
        self.hits += found is not None
        return found


def lint(folder: Path, options: LintOptions | None = None, jobs: int = 1) -> tuple[LintReport, int]:
    """The report of the working folder, and how many of its files were known."""
    options = options or LintOptions()
    cache = Counting(options, folder.parent / "cache")
    return lint_files(candidates([Path()]), options, cache, jobs), cache.hits


def findings(report: LintReport) -> list[Finding]:
    return [finding for file in report.files for finding in file.findings]


def codes(report: LintReport) -> list[str]:
    return [finding.code for finding in findings(report)]


def test_second_call_knows_everything_and_says_the_same(folder: Path) -> None:
    (folder / "a.gate").write_text(TWICE)
    (folder / "b.json").write_text('[{"label": "x", "validator": "task_count", "min": 1, "lable": 3}]')
    (folder / "c.json").write_text('{"validator": "not rules at all"}')
    first, hits = lint(folder)
    assert hits == 0
    second, hits = lint(folder)
    assert hits == 3
    assert findings(second) == findings(first)
    assert "GW306" in codes(first)
    assert "GW102" in codes(first)
    assert [file.path.name for file in second.files] == ["a.gate", "b.json"]
    assert [finding.span.text for finding in findings(second) if finding.span] == [
        finding.span.text for finding in findings(first) if finding.span
    ]


def test_edit_of_the_same_length_and_time_is_seen(folder: Path) -> None:
    file = folder / "a.gate"
    file.write_text(TWICE)
    lint(folder)
    before = file.stat()
    file.write_text(TWICE.replace('"one": task_count 1..2', '"two": task_count 1..2'))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    report, hits = lint(folder)
    assert hits == 0
    assert "GW306" not in codes(report)


def test_edit_of_an_included_file_is_seen(folder: Path) -> None:
    (folder / "a.gate").write_text('include "sub/common.inc.gate"\nrequire "one": task_count 1\n')
    common = folder / "sub" / "common.inc.gate"
    common.parent.mkdir()
    common.write_text('require "one": task_count 1..3\n')
    report, _ = lint(folder)
    assert "GW306" in codes(report)
    common.write_text('require "two": task_count 1..3\n')
    report, hits = lint(folder)
    assert hits == 0
    assert "GW306" not in codes(report)


def test_included_file_that_appears_is_seen(folder: Path) -> None:
    (folder / "a.gate").write_text('include "common.gate"\nrequire "one": task_count 1\n')
    report, _ = lint(folder)
    assert codes(report).count("GW116") == 1
    (folder / "common.gate").write_text('require "two": task_count 1..3\n')
    report, hits = lint(folder)
    assert hits == 0
    assert "GW116" not in codes(report)


def test_finding_in_an_included_file_comes_back_with_its_text(folder: Path) -> None:
    (folder / "common.gate").write_text('require "one": task_count 3..1\n')
    (folder / "a.gate").write_text('include "common.gate"\n')
    first, _ = lint(folder)
    second, hits = lint(folder)
    assert hits == 2
    assert findings(second) == findings(first)
    (found,) = {finding for finding in findings(second) if finding.code == "GW110"}
    assert found.span is not None
    assert found.span.file == "common.gate"
    assert "3" in found.span.text


def test_neighbouring_scenario_is_part_of_it(folder: Path) -> None:
    (folder / "s.gate").write_text('scenario "s"\nrequire "up": on web-1 run `test -e /x`\n')
    report, _ = lint(folder)
    assert "GW112" not in codes(report)
    (folder / "scenario.json").write_text('{"hosts": ["db-1"]}')
    report, hits = lint(folder)
    assert hits == 0
    assert "GW112" in codes(report)


def test_root_that_includes_stay_in_is_part_of_it(folder: Path) -> None:
    (folder / "common.gate").write_text('require "one": task_count 1\n')
    inner = folder / "inner"
    inner.mkdir()
    (inner / "a.gate").write_text('include "../common.gate"\n')
    options = LintOptions()

    def inner_codes() -> list[str]:
        return codes(lint_files([(Path("inner/a.gate"), True)], options, Cache(options, folder.parent / "cache"), 1))

    assert "GW116" in inner_codes()
    (folder / "gatewright.toml").write_text("")
    assert "GW116" not in inner_codes()


def test_other_options_and_other_names_are_other_entries(folder: Path) -> None:
    (folder / "a.gate").write_text(TWICE)
    lint(folder)
    assert lint(folder, LintOptions(target="flat"))[1] == 0
    assert lint(folder, LintOptions(baseline_digest="x"))[1] == 0
    (folder / "b.gate").write_text(TWICE)
    assert lint(folder)[1] == 1


def test_what_other_code_found_does_not_count(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.gate").write_text(TWICE)
    lint(folder)
    monkeypatch.setattr("gatewright.runtime.lint.cache._fingerprint", lambda: "another version")
    assert lint(folder)[1] == 0


def test_entry_of_which_a_bit_is_flipped_is_no_entry(folder: Path) -> None:
    (folder / "a.gate").write_text(TWICE)
    first, _ = lint(folder)
    (entry,) = (folder.parent / "cache").rglob("??/*")
    data = entry.read_bytes()
    for place in range(0, len(data), 7):
        entry.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        again, hits = lint(folder)
        assert hits == 0
        assert findings(again) == findings(first)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"reads": [], "report": {}}', b"\xff", b'{"reads": 3}'])
def test_damaged_entry_is_no_entry(folder: Path, damage: bytes) -> None:
    (folder / "a.gate").write_text(TWICE)
    first, _ = lint(folder)
    for entry in (folder.parent / "cache").rglob("*"):
        if entry.is_file():
            entry.write_bytes(damage)
    again, hits = lint(folder)
    assert hits == 0
    assert findings(again) == findings(first)
    assert lint(folder)[1] == 1


def test_cache_that_cannot_be_written_is_no_error(folder: Path) -> None:
    (folder / "a.gate").write_text(TWICE)
    (folder.parent / "cache").write_text("a file where the folder would be")
    report, hits = lint(folder)
    assert "GW306" in codes(report)
    assert hits == 0


def test_file_of_another_encoding_is_told_anew_each_time(folder: Path) -> None:
    (folder / "a.gate").write_bytes(b'require "caf\xe9": task_count 1\n')
    for _ in range(2):
        report, hits = lint(folder)
        assert codes(report) == ["GW101"]
        assert hits == 0


def test_several_processes_find_the_same_in_the_same_order(folder: Path) -> None:
    for number in range(40):
        (folder / f"{number:02}.gate").write_text(f'scenario "s{number}"\n{TWICE}')
    alone = lint_files(candidates([Path()]), LintOptions(), None, 1)
    together, hits = lint(folder, jobs=2)
    assert hits == 0
    assert [file.path for file in together.files] == [file.path for file in alone.files]
    assert findings(together) == findings(alone)
    again, hits = lint(folder)
    assert hits == 40
    assert findings(again) == findings(alone)


def test_link_that_leads_elsewhere_is_read_again(folder: Path) -> None:
    inside, outside = folder / "sub", folder.parent / "outside.gate"
    inside.mkdir()
    (folder / "a.gate").write_text('include "sub/link.gate"\nrequire "one": task_count 1\n')
    (inside / "two.gate").write_text('require "two": task_count 1..3\n')
    (inside / "one.gate").write_text('require "one": task_count 1..3\n')
    outside.write_text("semantics flat\n")
    link = inside / "link.gate"
    for target, told in (
        ("two.gate", []),
        ("one.gate", ["GW306"]),
        ("../../outside.gate", ["GW116"]),
        ("link.gate", ["GW116"]),
        ("two.gate", []),
    ):
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        options = LintOptions()
        cache = Counting(options, folder.parent / "cache")
        report = lint_files([(Path("a.gate"), True)], options, cache, 1)
        assert [code for code in codes(report) if code in ("GW306", "GW116")] == told


def test_user_without_a_home_has_no_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.gate").write_text(TWICE)

    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("GATEWRIGHT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    options = LintOptions()
    report = lint_files(candidates([Path()]), options, Cache(options), 1)
    assert "GW306" in codes(report)
