"""Includes: what they give, what they leave, how often they are read, and where they must stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load

FLAT = json.dumps([{"label": "flat", "validator": "task_count", "min": 1}])
GROUPED = json.dumps({"tasks": [{"label": "grouped", "validator": "ansible", "ansiblePath": "v.yml"}]})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that names in messages are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    """Files by name; `__` stands for `/`, and `.gate` is understood."""
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ".gate")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def read(name: str = "main.gate") -> tuple[Loaded, list[Finding]]:
    findings: list[Finding] = []
    loaded = load(Path(name), findings.append)
    assert isinstance(loaded, Loaded)
    return loaded, findings


def labels(name: str = "main.gate") -> list[str]:
    """The labels of a file that is good, in order."""
    loaded, findings = read(name)
    assert [finding.message for finding in findings] == []
    return [rule.label for rule in loaded.rules.rules]


def only_error(name: str = "main.gate") -> Finding:
    _, findings = read(name)
    errors = [finding for finding in findings if finding.is_error]
    assert len(errors) == 1, errors
    return errors[0]


def place(finding: Finding) -> tuple[str, int, int, str]:
    assert finding.span is not None
    return finding.span.file, finding.span.line, finding.span.column, finding.span.text


# ---- what an include gives -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_included_rules_stand_where_the_include_stands() -> None:
    write(
        main='require "1": task_count 1\ninclude "common.gate"\nrequire "4": task_count 1\n',
        common='require "2": task_count 1\noptional "3": task_count 1\n',
    )
    assert labels() == ["1", "2", "3", "4"]


@pytest.mark.usefixtures("folder")
def test_scenario_title_tags_steps_and_tests_of_an_included_file_are_left() -> None:
    write(
        main='scenario "mine"\ninclude "common.gate"\n',
        common=(
            'scenario "theirs"\ntitle "T"\ntags t\nprepare { "p": run `x` }\nrestore { "r": run `x` }\n'
            'require "a": task_count 1\ntest "t" { expect passed }\n'
        ),
    )
    loaded, findings = read()
    assert findings == []
    rules = loaded.rules
    assert (rules.scenario, rules.title, rules.tags) == ("mine", None, None)
    assert (rules.prepare, rules.restore, rules.tests) == (None, None, ())
    assert [rule.label for rule in rules.rules] == ["a"]


@pytest.mark.usefixtures("folder")
def test_hosts_and_semantics_of_an_included_file_are_taken() -> None:
    write(main='include "common.gate"\nrequire "p": ansible "x.yml"\n', common="hosts a, b\nsemantics classic\n")
    loaded, findings = read()
    assert findings == []
    assert (loaded.rules.hosts, loaded.rules.semantics) == (("a", "b"), "classic")


@pytest.mark.usefixtures("folder")
def test_included_lets_can_be_used_behind_the_include_and_need_no_use_there() -> None:
    write(
        main='include "common.gate"\nrequire t"uses {{ a }}": task_count 1\n',
        common='let a = "A"\nlet unused = "U"\nlet b = t"{{ a }}"\n',
    )
    assert labels() == ["uses A"]


@pytest.mark.usefixtures("folder")
def test_included_let_is_not_defined_before_the_include() -> None:
    write(main='require t"uses {{ a }}": task_count 1\ninclude "common.gate"\n', common='let a = "A"\n')
    assert only_error().code == "GW113"


@pytest.mark.usefixtures("folder")
def test_included_file_does_not_see_the_lets_of_the_file_that_includes_it() -> None:
    write(
        main='let a = "A"\nrequire t"{{ a }}": task_count 1\ninclude "common.gate"\n',
        common='require t"uses {{ a }}": task_count 1\n',
    )
    finding = only_error()
    assert finding.code == "GW113"
    assert place(finding)[0] == "common.gate"


@pytest.mark.usefixtures("folder")
def test_error_in_an_included_file_is_shown_there() -> None:
    write(main='# one\ninclude "common.gate"\n', common='\n\nrequire "a": nosuch matches `x`\n')
    finding = only_error()
    assert finding.code == "GW106"
    assert place(finding) == ("common.gate", 3, 14, "nosuch")


@pytest.mark.usefixtures("folder")
def test_path_is_relative_to_the_file_that_includes() -> None:
    write(main='include "sub/one.gate"\n', sub__one='include "two.gate"\n', sub__two='require "2": task_count 1\n')
    assert labels() == ["2"]


# ---- JSON ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_flat_array_can_be_included_beside_flat_rules() -> None:
    Path("rules.json").write_text(FLAT, "utf-8")
    write(main='include "rules.json"\nrequire "h": run `x`\n')
    assert labels() == ["flat", "h"]


@pytest.mark.usefixtures("folder")
def test_grouped_object_makes_the_file_classic() -> None:
    Path("rules.json").write_text(GROUPED, "utf-8")
    write(main='include "rules.json"\nrequire "t": task_count 1\n')
    loaded, findings = read()
    assert findings == []
    assert loaded.rules.semantics == "classic"
    write(main='include "rules.json"\nrequire "h": run `x`\n')
    assert only_error().code == "GW109"


@pytest.mark.usefixtures("folder")
def test_scenario_object_gives_its_rules_and_hosts_and_nothing_else() -> None:
    scenario = {"key": "k", "title": "T", "hosts": ["a"], "prepare": [{"name": "n", "run": "x"}]}
    Path("s.json").write_text(json.dumps({**scenario, "validation": json.loads(FLAT)}), "utf-8")
    write(main='include "s.json"\nrequire "h": on a run `x`\n')
    loaded, findings = read()
    assert findings == []
    assert (loaded.rules.scenario, loaded.rules.title, loaded.rules.prepare) == (None, None, None)
    assert loaded.rules.hosts == ("a",)


@pytest.mark.parametrize(
    ("text", "code"),
    [("{", "GW101"), ("{}", "GW101"), ('[{"label": "x"}]', "GW103"), ('{"schema": "gatewright/plan/1"}', "GW116")],
)
@pytest.mark.usefixtures("folder")
def test_broken_json_is_told_where_it_is_included(text: str, code: str) -> None:
    Path("rules.json").write_text(text, "utf-8")
    write(main='include "rules.json"\n')
    assert only_error().code == code


# ---- two values ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "main",
    ['semantics flat\ninclude "rules.json"\n', 'include "rules.json"\nsemantics flat\n'],
    ids=["before", "behind"],
)
@pytest.mark.usefixtures("folder")
def test_two_semantics_are_an_error(main: str) -> None:
    Path("rules.json").write_text(GROUPED, "utf-8")
    write(main=main)
    finding = only_error()
    assert finding.code == "GW116"
    assert "classic" in finding.message
    assert "flat" in finding.message


@pytest.mark.usefixtures("folder")
def test_flat_json_in_a_classic_file_and_two_forms_of_json_are_an_error() -> None:
    Path("flat.json").write_text(FLAT, "utf-8")
    Path("grouped.json").write_text(GROUPED, "utf-8")
    write(main='semantics classic\ninclude "flat.json"\n')
    assert only_error().code == "GW116"
    write(main='include "flat.json"\ninclude "grouped.json"\n')
    assert only_error().code == "GW116"


@pytest.mark.usefixtures("folder")
def test_gate_file_that_says_no_semantics_fits_into_both() -> None:
    Path("grouped.json").write_text(GROUPED, "utf-8")
    write(main='include "common.gate"\ninclude "grouped.json"\n', common='require "t": task_count 1\n')
    loaded, findings = read()
    assert findings == []
    assert loaded.rules.semantics == "classic"


@pytest.mark.parametrize("hosts", ["hosts b, a\n", "hosts a\n", "hosts a, b, c\n"])
@pytest.mark.usefixtures("folder")
def test_two_lists_of_hosts_are_an_error_at_the_second(hosts: str) -> None:
    write(main='hosts a, b\ninclude "common.gate"\n', common=hosts)
    finding = only_error()
    assert (finding.code, place(finding)[:2]) == ("GW116", ("main.gate", 2))
    write(main='include "common.gate"\nhosts a, b\n')
    finding = only_error()
    assert (finding.code, place(finding)[:2]) == ("GW116", ("main.gate", 2))


@pytest.mark.usefixtures("folder")
def test_equal_values_twice_are_fine() -> None:
    write(
        main='let n = "x"\nhosts a\nsemantics flat\ninclude "common.gate"\nrequire t"{{ n }}": task_count 1\n',
        common='let n = "x"\nhosts a\nsemantics flat\n',
    )
    assert labels() == ["x"]


@pytest.mark.usefixtures("folder")
def test_two_values_of_a_let_are_an_error() -> None:
    write(
        main='let n = "x"\ninclude "common.gate"\nrequire t"{{ n }}": task_count 1\n',
        common='let n = "y"\n',
    )
    assert only_error().code == "GW116"


# ---- once, and no circle ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_file_is_read_once_however_often_and_however_it_is_reached() -> None:
    write(
        main='include "a.gate"\ninclude "b.gate"\ninclude "./sub/../c.gate"\ninclude "c.gate"\n',
        a='include "c.gate"\nrequire "a": task_count 1\n',
        b='include "c.gate"\nrequire "b": task_count 1\n',
        c='require "c": task_count 1\n',
        sub__x="",
    )
    assert labels() == ["c", "a", "b"]


@pytest.mark.usefixtures("folder")
def test_lets_of_a_file_that_was_read_before_can_be_used_by_every_file_that_includes_it() -> None:
    """“Read once however often reached” is about rules: each file still names what it depends on."""
    write(
        main='include "a.gate"\ninclude "b.gate"\n',
        a='include "lets.gate"\nrequire t"a {{ n }}": task_count 1\n',
        b='include "lets.gate"\nrequire t"b {{ n }}": task_count 1\n',
        lets='let n = "N"\n',
    )
    assert labels() == ["a N", "b N"]


@pytest.mark.parametrize(
    ("files", "chain"),
    [
        ({"main": 'include "main.gate"\n'}, ["main.gate", "main.gate"]),
        ({"main": 'include "b.gate"\n', "b": 'include "main.gate"\n'}, ["main.gate", "b.gate", "main.gate"]),
        (
            {"main": 'include "b.gate"\n', "b": 'include "sub/c.gate"\n', "sub__c": 'include "../b.gate"\n'},
            ["b.gate", "sub/c.gate", "b.gate"],
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_circle_is_an_error_that_names_its_files(files: dict[str, str], chain: list[str]) -> None:
    write(**files)
    finding = only_error()
    assert finding.code == "GW116"
    assert " → ".join(chain) in finding.message


@pytest.mark.usefixtures("folder")
def test_long_chain_of_includes_is_no_circle_and_ends_without_a_recursion_error() -> None:
    count = 400
    files = {f"f{n}": f'include "f{n + 1}.gate"\nrequire "{n}": task_count 1\n' for n in range(count)}
    write(**files, **{f"f{count}": ""})
    loaded, findings = read("f0.gate")
    if findings:
        assert {finding.code for finding in findings} == {"GW116"}  # a limit that says so would be fine, too
    else:
        assert [rule.label for rule in loaded.rules.rules] == [str(n) for n in reversed(range(count))]


# ---- inside the root -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["../outside.gate", "/etc/hostname", "sub/../../outside.gate", ".."])
def test_without_a_marked_root_an_include_stays_in_the_files_own_folder(folder: Path, path: str) -> None:
    write(outside='require "o": task_count 1\n', inner__main=f'# \ninclude "{path}"\n', inner__sub__x="")
    finding = only_error("inner/main.gate")
    assert finding.code == "GW116"
    assert place(finding)[1:] == (2, 9, f'"{path}"')


@pytest.mark.parametrize("mark", ["gatewright.toml", ".git"])
def test_marked_root_above_allows_includes_from_beside(folder: Path, mark: str) -> None:
    (folder / "root").mkdir()
    (folder / "root" / mark).mkdir() if mark == ".git" else (folder / "root" / mark).write_text("")
    write(
        root__common='require "c": task_count 1\n',
        root__inner__main='include "../common.gate"\n',
        root__inner__far='include "../../outside.gate"\n',
        outside="",
    )
    assert labels("root/inner/main.gate") == ["c"]
    assert only_error("root/inner/far.gate").code == "GW116"


def test_nearest_mark_is_the_root(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / "inner").mkdir()
    (folder / "inner" / "gatewright.toml").write_text("")
    write(common='require "c": task_count 1\n', inner__main='include "../common.gate"\n')
    assert only_error("inner/main.gate").code == "GW116"


def test_link_that_leads_outside_is_outside(folder: Path) -> None:
    write(outside='require "o": task_count 1\n', inner__main='include "link.gate"\n')
    (folder / "inner" / "link.gate").symlink_to(folder / "outside.gate")
    assert only_error("inner/main.gate").code == "GW116"


@pytest.mark.parametrize("path", ["nosuch.gate", "sub", "no\\u0000such.gate", "x" * 300 + ".gate"])
@pytest.mark.usefixtures("folder")
def test_what_is_no_file_is_an_error_at_the_path(path: str) -> None:
    write(main=f'include "{path}"\nrequire "r": task_count 1\n', sub__x="")
    finding = only_error()
    assert finding.code == "GW116"
    assert place(finding)[:3] == ("main.gate", 1, 9)


@pytest.mark.usefixtures("folder")
def test_file_that_is_not_utf8_is_an_error_in_that_file() -> None:
    Path("bad.gate").write_bytes(b'require "caf\xe9": task_count 1\n')
    write(main='include "bad.gate"\n')
    finding = only_error()
    assert finding.code == "GW101"
    assert place(finding)[:3] == ("bad.gate", 1, 13)


@pytest.mark.usefixtures("folder")
def test_every_broken_include_of_a_file_is_told() -> None:
    write(main='include "a.gate"\ninclude "b.gate"\nrequire "x": nosuch matches `y`\n')
    _, findings = read()
    assert [finding.code for finding in findings] == ["GW116", "GW116", "GW106"]
