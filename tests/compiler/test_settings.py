"""`gatewright.toml`: which one counts, what it says, and what is told of a wrong one."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from gatewright.compiler.discover import rule_files
from gatewright.compiler.findings import Finding, Severity
from gatewright.compiler.settings import Settings, SettingsReader, known_code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(folder: Path, text: str) -> tuple[Settings, list[Finding]]:
    (folder / "gatewright.toml").write_text(text, "utf-8")
    findings: list[Finding] = []
    return SettingsReader(findings.append).of(str(folder)), findings


def test_all_keys_are_read(folder: Path) -> None:
    settings, findings = read(
        folder,
        """
        exclude = ["drafts"]
        [lint]
        select = ["GW2", "redundant", "all"]
        ignore = ["gw308"]
        fail-level = "error"
        [[allow]]
        path = "a/*.json"
        label = "One"
        code = "gw203"
        reason = "meant so"
        until = 2027-01-01
        """,
    )
    assert findings == []
    assert settings.path == folder / "gatewright.toml"
    assert settings.exclude == ("drafts",)
    assert settings.select == ("GW2", "GW305", "GW")
    assert settings.ignore == ("GW308",)
    assert settings.fail_level is Severity.ERROR
    (allow,) = settings.allows
    assert (allow.path, allow.label, allow.code, allow.reason) == ("a/*.json", "One", "GW203", "meant so")
    assert allow.until == datetime.date(2027, 1, 1)
    assert allow.span.text == "[[allow]]"


def test_the_nearest_file_counts_and_no_other(folder: Path) -> None:
    (folder / "gatewright.toml").write_text('[lint]\nignore = ["GW308"]\n')
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    assert SettingsReader(lambda _: None).of(str(inner)).ignore == ("GW308",)
    (folder / "a" / "gatewright.toml").write_text('[lint]\nselect = ["GW3"]\n')
    settings = SettingsReader(lambda _: None).of(str(inner))
    assert (settings.select, settings.ignore) == (("GW3",), ())


WRONG = [
    ("x = [", "GW101", 1, 6),
    ('exclud = ["a"]', "GW102", 1, 1),
    ("exclude = 3", "GW104", 1, 11),
    ("lint = 3", "GW104", 1, 8),
    ('[lint]\nselect = "GW2"', "GW104", 2, 10),
    ('[lint]\nselect = ["GW999"]', "GW104", 2, 10),
    ('[lint]\nfail-level = "warn"', "GW104", 2, 14),
    ("[lint]\nfoo = 1", "GW102", 2, 1),
    ('[[allow]]\npath = "a"', "GW103", 1, 1),
    ('[[allow]]\ncode = "GW203"', "GW103", 1, 1),
    ('[[allow]]\npath = "a"\ncode = "GW9"', "GW104", 1, 1),
    ('[[allow]]\npath = "a"\ncode = "GW203"\nreason = ""', "GW104", 1, 1),
    ('[[allow]]\npath = "a"\ncode = "GW203"\nuntil = "soon"', "GW104", 1, 1),
    ('[[allow]]\npath = "a"\ncode = "GW203"\nreasn = "r"', "GW102", 1, 1),
    ("allow = 1", "GW104", 1, 9),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), WRONG)
def test_what_is_wrong_is_told_at_its_place(folder: Path, text: str, code: str, line: int, column: int) -> None:
    _, findings = read(folder, text)
    places = [(f.code, f.span.line, f.span.column) for f in findings if f.span is not None]
    assert (code, line, column) in places, places
    assert all(finding.is_error for finding in findings)


def test_words_stand_for_codes() -> None:
    assert known_code("GW203") == known_code("gw203") == known_code("loose-word") == "GW203"
    assert known_code("GW2") == "GW2"
    assert known_code("ALL") == "GW"
    assert known_code("GW9999") is known_code("") is known_code("loose") is None


def test_searches_of_a_folder_pass_over_what_is_excluded(folder: Path) -> None:
    for name in ("a.gate", "drafts/b.gate", "c/d.gate", "c/e.gate"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("require `x`: task_count 1\n")
    read(folder, 'exclude = ["drafts", "c/e.gate"]')
    found = [path.as_posix() for path in rule_files([Path()])]
    assert found == ["a.gate", "c/d.gate"]
    assert list(rule_files([Path("drafts/b.gate")])) == [Path("drafts/b.gate")]
