"""`convert`: every form to every form, files, trees and scenarios, and what it does when it cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import Called, call_ending_with

from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that names in messages are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def gatewright(*arguments: str, code: int) -> Called:
    return call_ending_with(code, *arguments)


def convert(text: str, form: str, name: str = "rules.json", code: int = 0) -> Called:
    Path(name).write_bytes(text.encode())
    return gatewright("convert", name, "--to", form, "--color", "never", code=code)


def to_json(text: str, form: str, name: str = "rules.json") -> Any:
    return json.loads(convert(text, form, name).stdout)


def codes(result: Called) -> list[str]:
    """The codes of the findings on standard error, in order, but GW602, which has tests of its own."""
    heads = [line.split(": ") for line in result.stderr.splitlines() if ": GW" in line and ": GW602" not in line]
    return [parts[1].split(" ")[0] for parts in heads if parts[1].startswith("GW")]


def says(result: Called, code: str) -> str:
    """The whole text of the findings of a code."""
    return "\n".join(block for block in result.stderr.split("\n\n") if f": {code} " in block)


def rule(label: str, validator: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "validator": validator, **more}


def pattern(label: str = "p", where: str = "executed_commands", **more: Any) -> dict[str, Any]:
    return rule(label, "pattern_match", pattern="x", where=where, **more)


STATUS = "job_resolution_status"


# ---- flat and grouped ------------------------------------------------------------------------------------------------


def test_grouped_becomes_flat_in_the_order_gateway_job_tasks() -> None:
    """FM-05: the order within a group is kept, whatever the order of the groups in the file."""
    grouped = {
        "tasks": [pattern("t1"), pattern("t2", "tool_calls", required=False)],
        "gateway": [pattern("g1", "gateway_messages"), pattern("g2", "gateway_summary", negate=True)],
        "job": [rule("j1", "task_count", max=0), pattern("j2", "job_plan")],
    }
    flat = to_json(json.dumps(grouped), "flat")
    assert [entry["label"] for entry in flat] == ["g1", "g2", "j1", "j2", "t1", "t2"]
    assert flat[1] == {**pattern("g2", "gateway_summary"), "negate": True}
    assert flat[2] == rule("j1", "task_count", max=0)
    assert flat[5] == {**pattern("t2", "tool_calls"), "required": False}


def test_flat_becomes_grouped_with_every_rule_in_its_group_and_all_three_groups() -> None:
    flat = [
        pattern("t1"),
        pattern("g1", "gateway_summary"),
        rule("j1", STATUS, statuses=["success", "partial"]),
        pattern("t2", "operational_rules"),
        pattern("j2", "job_resolution"),
    ]
    grouped = to_json(json.dumps(flat), "grouped")
    assert list(grouped) == ["gateway", "job", "tasks"]
    assert {group: [entry["label"] for entry in rules] for group, rules in grouped.items()} == {
        "gateway": ["g1"],
        "job": ["j1", "j2"],
        "tasks": ["t1", "t2"],
    }
    assert to_json("[]", "grouped") == {"gateway": [], "job": [], "tasks": []}
    assert to_json('{"job": []}', "flat") == []


@pytest.mark.parametrize("form", ["flat", "grouped"])
def test_no_defaults_are_written_by_a_conversion(form: str) -> None:
    entry = pattern(required=True, negate=False)
    given = [entry] if form == "grouped" else {"tasks": [entry]}
    written = to_json(json.dumps(given), form)
    assert (written["tasks"] if form == "grouped" else written) == [pattern()]


def test_required_false_and_exit_codes_are_written() -> None:
    flat = [rule("h", "host_state", run="x", on="a", exit_code=3, required=False)]
    gate = convert(json.dumps(flat), "gate").stdout
    assert to_json(gate, "flat", "again.gate") == flat


@pytest.mark.parametrize(
    ("check", "way_out"),
    [
        (rule("r", "ticket_status", pattern="resolved"), "gateway_summary"),
        (rule("r", "ansible", ansiblePath="v.yml"), "host_state"),
        (
            rule(
                "r",
                STATUS,
                statuses=["success", "partial", "no_action", "agentic_failure", "hard_failure"],
                negate=True,
            ),
            "",
        ),
        (rule("r", "task_count", min=1, max=3, negate=True), ""),
        (rule("r", "task_count", min=0, negate=True), ""),
        (rule("r", "task_count", min=2, max=2, negate=True), ""),
    ],
)
def test_rule_that_flat_cannot_say_is_refused_and_nothing_is_written(check: dict[str, Any], way_out: str) -> None:
    result = convert(json.dumps({"job": [check], "tasks": [pattern()]}), "flat", code=2)
    assert result.stdout == ""
    assert "GW601" in codes(result)
    assert "rule: r" in says(result, "GW601")
    assert "help: " in says(result, "GW601")
    assert way_out in says(result, "GW601")


@pytest.mark.parametrize("check", [rule("r", "host_state", run="x"), rule("r", "turns", turns=[{"at_least": 2}])])
def test_rule_that_grouped_cannot_say_is_refused_and_nothing_is_written(check: dict[str, Any]) -> None:
    result = convert(json.dumps([check, pattern()]), "grouped", code=2)
    assert result.stdout == ""
    assert codes(result) == ["GW601"]


@pytest.mark.parametrize("form", ["flat", "grouped"])
@pytest.mark.parametrize(
    "check",
    [
        "executed_commands matches `a` before `b`",
        "executed_commands matches `a` at least 2 times",
        "executed_commands matches `a` at most 0 times",
        "executed_commands matches `a` exactly 1 time",
        "on web-01 executed_commands matches `a`",
        "on web-01 executed_commands never matches `a`",
        "invocations matches `a`",
        "invocations never matches `a`",
    ],
)
def test_extension_is_refused_in_both_json_forms(check: str, form: str) -> None:
    result = convert(f'require "r": {check}\n', form, "rules.gate", code=2)
    assert result.stdout == ""
    assert codes(result) == ["GW601"]


def test_within_is_refused_and_every_refusal_is_told() -> None:
    text = 'require "a": run `x` within 30 s\nrequire "b": ansible "v.yml"\nrequire "c": task_count 1\n'
    result = convert(text, "flat", "rules.gate", code=2)
    assert codes(result) == ["GW601", "GW601"]
    assert "rules.gate:1:" in result.stderr
    assert "rules.gate:2:" in result.stderr


# ---- other words, same meaning ---------------------------------------------------------------------------------------


def test_pattern_of_a_resolution_status_becomes_statuses_and_is_told() -> None:
    for form in ("flat", "grouped"):
        result = convert(json.dumps({"job": [rule("r", STATUS, pattern="success")]}), form)
        written = json.loads(result.stdout)
        assert (written if form == "flat" else written["job"]) == [rule("r", STATUS, statuses=["success"])]
        assert "GW603" in codes(result)


def test_negated_statuses_become_the_other_ones_in_flat_only() -> None:
    given = json.dumps({"job": [rule("r", STATUS, statuses=["partial", "hard_failure"], negate=True)]})
    result = convert(given, "flat")
    assert json.loads(result.stdout) == [rule("r", STATUS, statuses=["success", "no_action", "agentic_failure"])]
    assert codes(result) == ["GW603"]
    result = convert(given, "grouped")
    assert json.loads(result.stdout)["job"] == [rule("r", STATUS, statuses=["partial", "hard_failure"], negate=True)]
    assert codes(result) == []


@pytest.mark.parametrize(
    ("bounds", "other"),
    [({"min": 3}, {"max": 2}), ({"min": 1}, {"max": 0}), ({"max": 3}, {"min": 4}), ({"max": 0}, {"min": 1})],
)
def test_negated_bound_becomes_the_other_side(bounds: dict[str, int], other: dict[str, int]) -> None:
    result = convert(json.dumps({"job": [rule("r", "task_count", **bounds, negate=True)]}), "flat")
    assert json.loads(result.stdout) == [rule("r", "task_count", **other)]
    assert codes(result) == ["GW603"]


def test_other_side_of_the_greatest_number_is_refused_since_no_form_could_read_it() -> None:
    """SPEC section 4: integers beyond 2^53 are GW104."""
    result = convert(json.dumps({"job": [rule("r", "task_count", max=2**53, negate=True)]}), "flat", code=2)
    assert codes(result) == ["GW601"]


@pytest.mark.parametrize("status", ['"pattern": "no_tasks_created"', '"statuses": ["no_tasks_created"]'])
def test_no_tasks_created_is_read_as_no_action_and_told(status: str) -> None:
    given = '{"job": [{"label": "r", "validator": "job_resolution_status", ' + status + "}]}"
    result = convert(given, "flat")
    assert json.loads(result.stdout) == [rule("r", STATUS, statuses=["no_action"])]
    assert "GW115" in codes(result)


def test_targets_that_the_classic_page_does_not_list_are_written_with_a_warning() -> None:
    result = convert(json.dumps([pattern(where="write_file")]), "grouped")
    assert json.loads(result.stdout)["tasks"] == [pattern(where="write_file")]
    assert codes(result) == ["GW109"]


# ---- the language ----------------------------------------------------------------------------------------------------


def test_grouped_becomes_a_gate_file_that_says_semantics_classic() -> None:
    """So that nothing changes meaning on that way."""
    grouped = {
        "gateway": [rule("t", "ticket_status", pattern="in progress", negate=True)],
        "job": [rule("s", STATUS, statuses=["success"], negate=True, required=False)],
        "tasks": [rule("a", "ansible", ansiblePath="validate.yml"), pattern("p", negate=True)],
    }
    result = convert(json.dumps(grouped), "gate")
    assert result.stdout == (
        "semantics classic\n"
        "\n"
        'require "t": not ticket_status is "in progress"\n'
        'optional "s": not job_resolution_status in success\n'
        'require "a": ansible "validate.yml"\n'
        'require "p": executed_commands never matches `x`\n'
    )
    assert to_json(result.stdout, "grouped", "again.gate") == grouped


def test_flat_becomes_a_gate_file_that_says_no_semantics() -> None:
    result = convert(
        json.dumps([pattern(), rule("c", "task_count", min=0, max=0), rule("z", "task_count", max=0)]), "gate"
    )
    assert result.stdout == (
        'require "p": executed_commands matches `x`\nrequire "c": task_count 0..0\nrequire "z": task_count ..0\n'
    )


def test_patterns_cross_every_form_untouched() -> None:
    """RX-25, RX-27, k8s: both quotes, backticks, braces and backslashes survive; nothing is escaped for its good."""
    patterns = [
        "wmic(?:\\.exe)?\\s*(?:\"|')?process",
        ".*/SetNotifyCmdLine.*(%COMSPEC%|cmd.exe)",
        "`a`",
        "a``b",
        "\\bfoo\\b|(?<!MMI)\\.csv",
        "{{ x }}",
        "\n",
        "#",
        "é🚀",
        "\\u00e9\\/",
        "\x07",
    ]
    flat = [rule(f"r{n}", "pattern_match", pattern=text, where="tool_calls") for n, text in enumerate(patterns)]
    gate = convert(json.dumps(flat), "gate").stdout
    assert to_json(gate, "flat", "again.gate") == flat


def test_scenario_in_gate_becomes_a_scenario_object_in_the_order_of_the_contract() -> None:
    text = (
        'restore { "r": run `x` }\nrequire "c": task_count 1\nprepare { "p": on a sudo write "/f" "y" }\n'
        'hosts a, "b c"\ntags t, "u v"\ntitle "T"\nscenario "k"\n'
    )
    written = to_json(text, "flat", "rules.gate")
    assert list(written) == ["key", "title", "tags", "hosts", "prepare", "validation", "restore"]
    assert written == {
        "key": "k",
        "title": "T",
        "tags": ["t", "u v"],
        "hosts": ["a", "b c"],
        "prepare": [{"name": "p", "on": "a", "write": "/f", "content": "y", "sudo": True}],
        "validation": [rule("c", "task_count", min=1, max=1)],
        "restore": [{"name": "r", "run": "x"}],
    }


@pytest.mark.parametrize(
    "statement", ['scenario "k"', 'title "T"', "tags t", "hosts a", "prepare { }", 'restore { "r": run `x` }']
)
def test_any_word_of_a_scenario_makes_a_scenario_object(statement: str) -> None:
    assert isinstance(to_json(f"{statement}\n", "flat", "rules.gate"), dict)
    assert to_json('require "c": task_count ..0\n', "flat", "rules.gate") == [rule("c", "task_count", max=0)]


def test_lets_loops_includes_and_comments_are_source_and_go_without_a_word() -> None:
    Path("common.gate").write_text('require "i": task_count 1\n', "utf-8")
    text = '# c\nlet a = "x"\ninclude "common.gate"\nfor h in a, b { require t"{{ a }} {{ h }}": on h run `true` }\n'
    result = convert(text, "flat", "rules.gate")
    assert [entry["label"] for entry in json.loads(result.stdout)] == ["i", "x a", "x b"]
    assert result.stderr == ""


def test_test_blocks_stay_behind_and_are_named() -> None:
    result = convert('require "c": task_count 1\ntest "one" { expect passed }\ntest "two" { }\n', "flat", "rules.gate")
    assert codes(result) == ["GW604"]
    assert "one" in says(result, "GW604")
    assert "two" in says(result, "GW604")


def test_keys_that_a_gate_file_cannot_carry_are_named() -> None:
    scenario = {
        "key": "k",
        "ticket": {"text": "t"},
        "hosts": [{"host_name": "web-01", "host_id": "i", "template": "debian"}, "b", {"host_id": "c"}],
        "validation": {"gateway": [], "job": [], "tasks": [pattern(**{"x-note": 1})], "allowedHosts": ["a"]},
        "x-own": None,
    }
    result = convert(json.dumps(scenario), "gate")
    told = says(result, "GW604")
    for word in ("ticket", "x-own", "web-01", "template", "host_id", "x-note", "allowedHosts"):
        assert word in told
    assert set(codes(result)) == {"GW604"}
    assert re.search("^hosts +web-01, b, c$", result.stdout, re.MULTILINE)


def test_empty_title_survives_the_way_over_a_gate_file_or_is_named() -> None:
    """What convert writes, it can read."""
    result = convert('{"key": "k", "title": "", "validation": []}', "gate")
    Path("again.gate").write_text(result.stdout, "utf-8")
    gatewright("compile", "again.gate", code=0)


@pytest.mark.parametrize("text", ['{"key": "k", "hosts": [], "validation": []}', '{"tags": [], "validation": []}'])
def test_empty_lists_of_a_scenario_survive_the_way_over_a_gate_file_or_are_named(text: str) -> None:
    """Nothing is dropped silently (LINTS.md, GW604)."""
    result = convert(text, "gate")
    again = to_json(result.stdout, "flat", "again.gate")
    assert again == json.loads(text) or "GW604" in codes(result)


def test_status_called_unavailable_is_not_read_back_as_no_status() -> None:
    text = 'test "t" {\n  ticket_status "unavailable"\n}\n'
    result = convert(text, "gate", "rules.gate")
    before, after = (read(name).rules.tests for name in ("rules.gate", _written(result.stdout)))
    assert before == after


def _written(text: str) -> str:
    Path("written.gate").write_text(text, "utf-8")
    return "written.gate"


def read(name: str) -> Loaded:
    findings: list[Finding] = []
    loaded = load(Path(name), findings.append)
    assert [finding for finding in findings if finding.is_error] == []
    assert isinstance(loaded, Loaded)
    return loaded


# ---- what is nobody's business is kept -------------------------------------------------------------------------------

SCENARIO = """\
{
  "ticket": {"text" : "Nginx is\\u0020down", "n": 1.0},
  "key": "k",
  "agents": [ {"name":"a"} ,
     {"name":"b"}],
  "validation": [ {"label": "A", "validator": "task_count", "min": 1e0} ],
  "x-last": 1e3
}
"""


def test_scenario_around_the_rules_keeps_every_byte_when_only_the_form_changes() -> None:
    before, behind = SCENARIO.split('[ {"label"', maxsplit=1)[0], SCENARIO.split("1e0} ]")[1]
    result = convert(SCENARIO, "grouped", "scenario.json")
    assert result.stdout.startswith(before)
    assert result.stdout.endswith(behind)
    grouped = json.loads(result.stdout)["validation"]
    assert grouped == {"gateway": [], "job": [rule("A", "task_count", min=1)], "tasks": []}


def test_x_keys_and_schema_of_rules_are_kept_between_json_forms() -> None:
    entry = pattern(**{"$schema": "s", "x-note": {"b": [1, None], "a": "é"}, "x-2": 1})
    written = to_json(json.dumps([entry]), "grouped")["tasks"][0]
    assert written == entry
    assert [key for key in written if key.startswith(("$", "x"))] == ["$schema", "x-note", "x-2"]
    assert list(written["x-note"]) == ["b", "a"]


def test_foreign_keys_of_a_grouped_object_are_kept_in_order_and_named_where_they_have_no_place() -> None:
    grouped = '{"x-b": 1, "allowedHosts": ["h"], "tasks": [], "allowedAgents": [], "gateway": [], "x-a": 2, "job": []}'
    written = to_json(grouped, "grouped")
    assert [key for key in written if key not in ("gateway", "job", "tasks")] == [
        "x-b",
        "allowedHosts",
        "allowedAgents",
        "x-a",
    ]
    result = convert(grouped, "flat")
    assert codes(result) == ["GW604"]
    for key in ("x-b", "allowedHosts", "allowedAgents", "x-a"):
        assert key in says(result, "GW604")


def test_steps_of_a_scenario_keep_their_x_keys_between_json_forms() -> None:
    scenario = {"prepare": [{"name": "n", "run": "x", "x-a": [1]}], "validation": []}
    assert to_json(json.dumps(scenario), "grouped")["prepare"] == scenario["prepare"]


# ---- --into ----------------------------------------------------------------------------------------------------------

TARGET = """\
{
\t"ticket" : {"text":"Nginx"},
\t"hosts": [{"host_name": "web-01", "template": "debian"}],
\t"validation": [
\t\t{"label": "A", "validator": "task_count", "min": 1, "required": true, "x-id": 7},
\t\t{"label": "B", "validator": "host_state", "run": "x", "exit_code": 0},
\t\t{"label": "C", "validator": "pattern_match", "pattern": "c", "where": "tool_calls", "negate": false}
\t],
\t"agents":[ 1,2 ]
}
"""


def into(rules: str, target: str = TARGET, *more: str, code: int = 0) -> str:
    """The target after `convert rules.gate --into`."""
    Path("rules.gate").write_text(rules, "utf-8")
    Path("scenario.json").write_bytes(target.encode())
    gatewright("convert", "rules.gate", "--into", "scenario.json", *more, code=code)
    return Path("scenario.json").read_bytes().decode()


def test_into_keeps_everything_but_the_rules_byte_for_byte() -> None:
    after = into('require "N": task_count 2..\n')
    assert after.startswith(TARGET[: TARGET.index("[\n\t\t{")])
    assert after.endswith(',\n\t"agents":[ 1,2 ]\n}\n')
    assert json.loads(after)["validation"] == [rule("N", "task_count", min=2)]


def test_into_keeps_the_defaults_and_foreign_keys_that_stood_at_a_rule_of_the_same_label() -> None:
    after = into(
        'require "B": on web-01 run `y`\noptional "A": task_count 1..\nrequire "C": tool_calls matches `d`\n'
        'require "D": executed_commands matches `d`\n'
    )
    assert json.loads(after)["validation"] == [
        rule("B", "host_state", run="y", on="web-01", exit_code=0),
        {**rule("A", "task_count", min=1, required=False), "x-id": 7},
        rule("C", "pattern_match", pattern="d", where="tool_calls", negate=False),
        rule("D", "pattern_match", pattern="d", where="executed_commands"),
    ]


def test_into_puts_steps_where_they_belong_and_leaves_those_it_says_nothing_of() -> None:
    rules = 'prepare { "p": run `x` }\nrestore { "r": run `y` }\nrequire "A": task_count 1\n'
    after = json.loads(into(rules))
    assert list(after) == ["ticket", "hosts", "prepare", "validation", "restore", "agents"]
    kept = into('require "A": task_count 1\n', json.dumps(after))
    assert json.loads(kept)["prepare"] == [{"name": "p", "run": "x"}]
    assert json.loads(kept)["restore"] == [{"name": "r", "run": "y"}]


def test_into_keeps_host_objects_title_and_key() -> None:
    rules = 'scenario "other"\ntitle "Other"\ntags t\nhosts web-01\nrequire "A": task_count 1\n'
    after = json.loads(into(rules, '{"key": "k", "hosts": [{"host_name": "web-01", "cpu": 2}], "validation": []}'))
    assert after["key"] == "k"
    assert after["hosts"] == [{"host_name": "web-01", "cpu": 2}]
    assert "title" not in after


def test_into_a_scenario_without_rules_puts_them_before_what_comes_behind() -> None:
    after = into('require "A": task_count 1\n', '{"key": "k", "restore": [], "ticket": 1}')
    assert list(json.loads(after)) == ["key", "validation", "restore", "ticket"]


def test_into_takes_the_form_that_stands_there_where_both_mean_the_same() -> None:
    grouped = '{"validation": {"job": [], "allowedAgents": ["x"]}}'
    written = json.loads(into('semantics classic\nrequire "A": task_count 1\n', grouped))["validation"]
    assert written["job"] == [rule("A", "task_count", min=1, max=1)]
    assert written["allowedAgents"] == ["x"]


def test_into_another_form_needs_to_be_told_which_form_is_wanted() -> None:
    """Rules of the grouped form mean something else than those of the flat one, so neither is taken silently."""
    grouped = '{"validation": {"job": [], "allowedAgents": ["x"]}}'
    assert into('require "A": task_count 1\n', grouped, code=2) == grouped
    written = json.loads(into('require "A": task_count 1\n', grouped, "--to", "flat"))["validation"]
    assert written == [rule("A", "task_count", min=1, max=1)]
    written = json.loads(into('require "A": task_count 1\n', grouped, "--to", "grouped"))["validation"]
    assert written["job"] == [rule("A", "task_count", min=1, max=1)]


def test_into_twice_is_once() -> None:
    rules = 'require "A": task_count 1\nprepare { "p": run `x` }\n'
    once = into(rules)
    assert into(rules, once) == once


@pytest.mark.parametrize(
    ("rules", "target"),
    [
        ('require "A": ansible "v.yml"\n', TARGET),
        ('require "A": nosuch matches `x`\n', TARGET),
        ('require "A": \n', TARGET),
        ('require "A": task_count 1\n', "[]"),
        ('require "A": task_count 1\n', "{"),
        ('require "A": task_count 1\n', "3"),
        ('require "A": task_count 1\n', '{"validation": [], "validation": []}'),
        ('require "A": task_count 1\n', '{"tasks": [{"label": "t", "validator": "ansible", "ansiblePath": "v.yml"}]}'),
        ('require "A": task_count 1\n', '{"schema": "gatewright/plan/1", "rules": []}'),
    ],
    ids=["refused", "bad-rules", "broken", "array", "open", "number", "duplicate", "grouped-object", "plan"],
)
def test_into_changes_nothing_when_it_cannot(rules: str, target: str) -> None:
    assert into(rules, target, code=2) == target


def test_into_refuses_what_has_no_sense() -> None:
    Path("s.json").write_text(TARGET, "utf-8")
    Path("r.gate").write_text('require "A": task_count 1\n', "utf-8")
    gatewright("convert", "r.gate", "--into", "s.json", "--to", "gate", code=2)
    gatewright("convert", "r.gate", "--into", "s.json", "-o", "x.json", code=2)
    gatewright("convert", "r.gate", "--into", "nosuch.json", code=2)
    gatewright("convert", "nosuch.gate", "--into", "s.json", code=2)
    assert Path("s.json").read_text("utf-8") == TARGET
    assert sorted(path.name for path in Path().iterdir()) == ["r.gate", "s.json"]


# ---- files and trees -------------------------------------------------------------------------------------------------


def test_output_file_is_written_whole_and_standard_output_stays_empty() -> None:
    Path("a.json").write_text(json.dumps([pattern()]), "utf-8")
    result = gatewright("convert", "a.json", "--to", "gate", "-o", "new/b.gate", code=0)
    assert result.stdout == ""
    assert Path("new/b.gate").read_text("utf-8") == 'require "p": executed_commands matches `x`\n'


def test_refused_conversion_leaves_the_output_file_as_it_was() -> None:
    Path("a.json").write_text(json.dumps([rule("h", "host_state", run="x")]), "utf-8")
    Path("b.json").write_text("as it was", "utf-8")
    gatewright("convert", "a.json", "--to", "grouped", "-o", "b.json", code=2)
    assert Path("b.json").read_text("utf-8") == "as it was"
    gatewright("convert", "a.json", "--to", "grouped", "-o", "c.json", code=2)
    assert not Path("c.json").exists()


@pytest.mark.parametrize("target", ["is_folder", "is_file/x.json", "x" * 300])
def test_output_that_cannot_be_written_is_an_error_and_leaves_no_temporary_file(target: str) -> None:
    Path("a.json").write_text(json.dumps([pattern()]), "utf-8")
    Path("is_folder").mkdir()
    Path("is_file").write_text("", "utf-8")
    result = gatewright("convert", "a.json", "--to", "gate", "-o", target, code=2)
    assert result.stderr != ""
    assert "internal error" not in result.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "is_file", "is_folder"]
    assert list(Path("is_folder").iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
def test_file_that_cannot_be_written_is_told_by_its_own_name() -> None:
    Path("a.json").write_text(json.dumps([pattern()]), "utf-8")
    result = gatewright("convert", "a.json", "--to", "gate", "-o", "/proc/x.gate", code=2)
    assert "/proc/x.gate" in result.stderr


def test_mode_of_a_file_that_is_rewritten_is_kept() -> None:
    Path("scenario.json").write_text(TARGET, "utf-8")
    Path("scenario.json").chmod(0o640)
    Path("r.gate").write_text('require "A": task_count 1\n', "utf-8")
    gatewright("convert", "r.gate", "--into", "scenario.json", code=0)
    assert Path("scenario.json").stat().st_mode & 0o777 == 0o640


def tree(**files: str) -> None:
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        path = Path("tree", stem.replace("__", "/") + "." + ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def below(folder: str) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def test_tree_is_mirrored_with_its_files_of_rules_only() -> None:
    tree(
        a_json=json.dumps([pattern()]),
        sub__deep__b_gate='require "c": task_count 1\n',
        sub__s_json=json.dumps({"key": "k", "validation": []}),
        run_json='{"schema": "gatewright/run/1", "job": {}}',
        note_txt="x",
    )
    gatewright("convert", "tree", "--to", "flat", "-o", "out", code=0)
    assert below("out") == ["a.json", "sub/deep/b.json", "sub/s.json"]
    assert json.loads(Path("out/sub/deep/b.json").read_text("utf-8")) == [rule("c", "task_count", min=1, max=1)]
    gatewright("convert", "tree", "--to", "gate", "-o", "gates", code=0)
    assert below("gates") == ["a.gate", "sub/deep/b.gate", "sub/s.gate"]


@pytest.mark.parametrize(
    "bad", ['require "a": ansible "v.yml"\n', 'require "a": \n', 'require "a": tool_calls matches `(`\n']
)
def test_one_refusal_in_a_tree_and_nothing_is_written(bad: str) -> None:
    tree(a_gate='require "c": task_count 1\n', m_gate=bad, z_gate='require "c": task_count 1\n')
    result = gatewright("convert", "tree", "--to", "flat", "-o", "out", code=2)
    assert "m.gate" in result.stderr
    assert not Path("out").exists()


def test_every_refusal_of_a_tree_is_told() -> None:
    tree(a_gate='require "a": ansible "v.yml"\n', b_gate='require "b": ansible "v.yml"\n')
    result = gatewright("convert", "tree", "--to", "flat", "-o", "out", "--color", "never", code=2)
    assert codes(result) == ["GW601", "GW601"]


def test_two_files_that_would_become_one_are_refused() -> None:
    tree(a_gate='require "c": task_count 1\n', a_json=json.dumps([pattern()]))
    gatewright("convert", "tree", "--to", "flat", "-o", "out", code=2)
    assert not Path("out").exists()


def test_tree_without_an_output_folder_or_without_rules_is_refused() -> None:
    tree(a_gate='require "c": task_count 1\n')
    gatewright("convert", "tree", "--to", "flat", code=2)
    Path("empty").mkdir()
    gatewright("convert", "empty", "--to", "flat", "-o", "out", code=2)
    assert not Path("out").exists()


def test_tree_that_cannot_be_written_leaves_nothing_behind() -> None:
    tree(a_gate='require "c": task_count 1\n', b_gate='require "c": task_count 1\n')
    Path("out").mkdir()
    Path("out/b.json").mkdir()
    gatewright("convert", "tree", "--to", "flat", "-o", "out", code=2)
    assert [path.name for path in Path("out").iterdir()] == ["b.json"]


# ---- usage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.json"],
        ["a.json", "--to", "yaml"],
        ["nosuch.json", "--to", "flat"],
        ["nosuch.gate", "--to", "flat"],
        ["", "--to", "flat"],
        ["x" * 300 + ".json", "--to", "flat"],
        ["plan.json", "--to", "flat"],
        ["empty.json", "--to", "flat"],
        ["run.json", "--to", "flat"],
        ["open.json", "--to", "flat"],
    ],
)
def test_what_cannot_be_converted_is_an_error_on_standard_error(arguments: list[str]) -> None:
    Path("a.json").write_text("[]", "utf-8")
    Path("empty.json").write_text("{}", "utf-8")
    Path("run.json").write_text('{"schema": "gatewright/run/1", "job": {}}', "utf-8")
    Path("open.json").write_text("[", "utf-8")
    gatewright("compile", "a.json", "-o", "plan.json", code=0)
    result = gatewright("convert", *arguments, code=2)
    assert result.stdout == ""
    assert result.stderr != ""


def test_warnings_do_not_stop_a_conversion_and_go_to_standard_error() -> None:
    result = convert('// c\n[{"label": "r", "validator": "task_count", "min": 1,},]', "flat")
    assert json.loads(result.stdout) == [rule("r", "task_count", min=1)]
    assert set(codes(result)) == {"GW107"}


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_mark_and_line_ends_change_nothing(mark: str, ending: str) -> None:
    """JS-03, LK-01."""
    gate = 'hosts a\nrequire "r": run ```\n  one\n  two\n  ```\n'
    flat = '{"hosts": ["a"],\n"validation": [{"label": "r", "validator": "host_state",\n"run": "one\\ntwo"}]}'
    expected = {"hosts": ["a"], "validation": [rule("r", "host_state", run="one\ntwo")]}
    assert to_json(mark + gate.replace("\n", ending), "flat", "rules.gate") == expected
    assert to_json(mark + flat.replace("\n", ending), "flat") == expected
