"""The scenarios in examples/ do what their README says: they grade, convert, and come out the same in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gatewright.compiler.convert import Form, convert
from gatewright.compiler.load import Loaded, load
from gatewright.compiler.vocabulary import GROUPS
from gatewright.runtime.schemas import SCHEMAS

EXAMPLES = Path(__file__).parent.parent / "examples"
SCENARIOS = sorted(path.stem for path in EXAMPLES.glob("*/*.gate") if path.stem == path.parent.name)
FLAT = sorted(path.parent.name for path in EXAMPLES.glob("*/*.flat.json"))
GROUPED = sorted(path.parent.name for path in EXAMPLES.glob("*/*.grouped.json"))
STRICT = sorted(path.parent.name for path in EXAMPLES.glob("*/strict.gate"))
RUNS = ("passing", "failing")

Gatewright = Callable[..., CompletedProcess[str]]


def gate(name: str) -> Path:
    return EXAMPLES / name / f"{name}.gate"


def json_file(name: str, form: str) -> Path:
    return EXAMPLES / name / f"{name}.{form}.json"


def run_file(name: str, run: str) -> Path:
    return EXAMPLES / name / "runs" / f"{run}.json"


def run_files(name: str) -> list[Path]:
    return [run_file(name, run) for run in RUNS]


def graded(gatewright: Gatewright, rules: Path, runs: list[Path]) -> list[dict[str, Any]]:
    """What a grader reports of a passing and a failing run, without what names the file of rules."""
    ended = gatewright("grade", rules, "--run", *runs, "--format", "json")
    assert ended.returncode == 1, ended.stderr
    results = json.loads(ended.stdout)["results"]
    return [{key: value for key, value in result.items() if key != "provenance"} for result in results]


def loaded_from(path: Path) -> Loaded:
    loaded = load(path, lambda finding: None)
    assert isinstance(loaded, Loaded)
    return loaded


def ir_of(path: Path) -> Any:
    """The rules of a file as the compiler sees them; equality leaves places out."""
    return loaded_from(path).rules


def converted(path: Path, form: Form, target: Path) -> Path:
    text = convert(loaded_from(path), form, lambda finding: None)
    assert text is not None
    target.write_text(text)
    return target


def form_of(name: str) -> Form:
    return "flat" if name in FLAT else "grouped"


def test_readme_lists_every_scenario() -> None:
    folders = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
    assert folders == SCENARIOS
    readme = (EXAMPLES / "README.md").read_text()
    assert [name for name in SCENARIOS if f"| [{name}]({name}) |" not in readme] == []


# ---- grading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize(("run", "status", "verdict"), [("passing", 0, "PASSED"), ("failing", 1, "FAILED")])
def test_run_comes_out_as_its_name_says(name: str, run: str, status: int, verdict: str, gatewright: Gatewright) -> None:
    ended = gatewright("grade", EXAMPLES / name, "--run", run_file(name, run))
    assert (ended.returncode, ended.stderr) == (status, "")
    assert ended.stdout.startswith(f"{verdict}  {name} · ")


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_form_and_the_plan_grade_the_same(name: str, tmp_path: Path, gatewright: Gatewright) -> None:
    plan = tmp_path / "plan.json"
    assert gatewright("compile", gate(name), "-o", plan).returncode == 0
    as_gate = graded(gatewright, gate(name), run_files(name))
    as_plan = graded(gatewright, plan, run_files(name))
    as_json = graded(gatewright, json_file(name, form_of(name)), run_files(name))
    passing, failing = as_gate
    assert {rule["status"] for rule in passing["rules"]} == {"pass"}
    assert {rule["status"] for rule in failing["rules"]} == {"pass", "fail"}
    assert as_plan == as_gate
    # Grouped rules stand in the order of their groups.
    for result in as_json + as_gate:
        result["rules"].sort(key=lambda rule: rule["label"])
    assert as_json == as_gate


@pytest.mark.parametrize("name", STRICT)
def test_strict_rules_grade_the_same_runs_and_add_to_the_scenario(name: str, gatewright: Gatewright) -> None:
    plain = graded(gatewright, gate(name), run_files(name))
    strict = graded(gatewright, EXAMPLES / name / "strict.gate", run_files(name))
    assert [result["verdict"] for result in strict] == ["passed", "failed"]
    for few, many in zip(plain, strict, strict=True):
        assert few["rules"] == many["rules"][: len(few["rules"])]
        assert len(many["rules"]) > len(few["rules"])


@pytest.mark.parametrize("name", FLAT)
def test_flat_scenario_looks_at_a_host(name: str) -> None:
    rules = json.loads(json_file(name, "flat").read_text())["validation"]
    assert any(rule["validator"] == "host_state" and rule.get("required", True) for rule in rules)


def test_job_that_has_to_fail_need_not_complete(gatewright: Gatewright) -> None:
    name = "backup-without-credentials"
    passing, _ = graded(gatewright, gate(name), run_files(name))
    assert json.loads(run_file(name, "passing").read_text())["job"]["status"] == "failed"
    assert (passing["verdict"], passing.get("implicit")) == ("passed", None)


def test_run_by_the_book_fails_on_the_host(gatewright: Gatewright) -> None:
    _, failing = graded(gatewright, gate("disk-filling-up"), run_files("disk-filling-up"))
    assert (failing["gates"]["compliance"]["passed"], failing["gates"]["resolution"]["passed"]) == (True, False)


def test_host_rules_of_the_disk_scenario_hold_on_this_machine(gatewright: Gatewright) -> None:
    folder = EXAMPLES / "disk-filling-up"
    run = run_file("disk-filling-up", "failing")
    ended = gatewright("grade", folder, "--run", run, "--inventory", folder / "hosts.toml", "--format", "json")
    result = json.loads(ended.stdout)
    host_rules = [rule["status"] for rule in result["rules"] if rule["validator"] == "host_state"]
    assert host_rules == ["pass"] * 4, ended.stdout


# ---- forms -----------------------------------------------------------------------------------------------------------


def test_every_scenario_has_one_json_form() -> None:
    assert sorted(FLAT + GROUPED) == SCENARIOS


@pytest.mark.parametrize("name", SCENARIOS)
def test_json_is_the_conversion_byte_for_byte(name: str, gatewright: Gatewright) -> None:
    ended = gatewright("convert", gate(name), "--to", form_of(name))
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.encode() == json_file(name, form_of(name)).read_bytes()
    # Nothing but the tests stays behind.
    assert "GW60" not in ended.stderr.replace("GW604 info: JSON has no test blocks", "")


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_the_other_form_cannot_say_is_refused(name: str, gatewright: Gatewright) -> None:
    other = "grouped" if form_of(name) == "flat" else "flat"
    ended = gatewright("convert", json_file(name, form_of(name)), "--to", other)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "GW601 error" in ended.stderr


@pytest.mark.parametrize("name", STRICT)
@pytest.mark.parametrize("form", ["flat", "grouped"])
def test_no_json_form_can_say_the_strict_rules(name: str, form: str, gatewright: Gatewright) -> None:
    ended = gatewright("convert", EXAMPLES / name / "strict.gate", "--to", form)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "GW601 error" in ended.stderr


@pytest.mark.parametrize("name", SCENARIOS)
def test_json_to_gate_and_back_loses_nothing(name: str, tmp_path: Path, gatewright: Gatewright) -> None:
    source = json_file(name, form_of(name))
    there = tmp_path / "there.gate"
    assert gatewright("convert", source, "--to", "gate", "-o", there).returncode == 0
    assert ir_of(there) == ir_of(source)
    assert converted(there, form_of(name), tmp_path / "back.json").read_bytes() == source.read_bytes()


@pytest.mark.parametrize("name", FLAT)
def test_gate_to_flat_loses_only_the_tests(name: str) -> None:
    assert ir_of(json_file(name, "flat")) == ir_of(gate(name)).model_copy(update={"tests": ()})


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.gate")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_gate_to_gate_keeps_the_ir(path: Path, tmp_path: Path) -> None:
    assert ir_of(converted(path, "gate", tmp_path / "again.gate")) == ir_of(path)


def test_grouped_json_has_all_groups() -> None:
    for name in GROUPED:
        assert tuple(json.loads(json_file(name, "grouped").read_text())["validation"]) == GROUPS


def test_all_examples_are_laid_out(gatewright: Gatewright) -> None:
    ended = gatewright("fmt", "--check", EXAMPLES)
    assert ended.returncode == 0, ended.stderr
    seen = len([*EXAMPLES.rglob("*.gate"), *EXAMPLES.rglob("*.flat.json"), *EXAMPLES.rglob("*.grouped.json")])
    assert ended.stderr == f"0 files to lay out, {seen} files seen\n"


# ---- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_explain_names_every_rule(name: str, gatewright: Gatewright) -> None:
    ended = gatewright("explain", EXAMPLES / name)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [rule.label for rule in ir_of(gate(name)).rules if f"“{rule.label}”" not in ended.stdout] == []


# ---- runs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
def test_files_keep_to_their_schemas(name: str) -> None:
    for run in RUNS:
        Draft202012Validator(SCHEMAS["run"]()).validate(json.loads(run_file(name, run).read_text()))
    Draft202012Validator(SCHEMAS["scenario"]()).validate(json.loads(json_file(name, form_of(name)).read_text()))


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("run", RUNS)
def test_run_has_no_answer_that_nobody_asks_for(name: str, run: str) -> None:
    asked = {
        (rule.check.on or rules.hosts[0], rule.check.run)
        for path in (EXAMPLES / name).glob("*.gate")
        for rules in [ir_of(path)]
        for rule in rules.rules
        if rule.check.validator == "host_state"
    }
    answers = json.loads(run_file(name, run).read_text()).get("host_answers") or []
    assert {(answer["host"], answer["run"]) for answer in answers} == asked


def test_imported_run_is_its_transcript_and_the_answers_of_the_hosts(gatewright: Gatewright) -> None:
    """The command is the one that examples/README.md gives."""
    folder = EXAMPLES / "nginx-broken-config"
    given = ("--scenario", "nginx-broken-config", "--host", "web-01", "--resolution-status", "success")
    ended = gatewright("import", folder / "transcripts" / "passing.session.jsonl", *given)
    assert (ended.returncode, ended.stderr) == (0, "")
    imported = json.loads(ended.stdout)
    record = json.loads((folder / "runs" / "passing.json").read_text())
    assert record.pop("host_answers")
    assert not imported.pop("host_answers", None)
    assert record == imported
    assert " ".join(given) in (EXAMPLES / "README.md").read_text()


def test_transcript_alone_cannot_answer_for_the_hosts(gatewright: Gatewright) -> None:
    folder = EXAMPLES / "nginx-broken-config"
    transcript = folder / "transcripts" / "passing.session.jsonl"
    ended = gatewright("grade", folder, "--run", transcript, "--host", "web-01", "--resolution-status", "success")
    assert ended.returncode == 3
    assert "give --inventory" in ended.stdout


# ---- tests -----------------------------------------------------------------------------------------------------------


def test_all_test_blocks_pass(gatewright: Gatewright) -> None:
    ended = gatewright("test", EXAMPLES)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stdout
    count = sum(len(ir_of(path).tests) for path in EXAMPLES.rglob("*.gate"))
    assert count > 10
    assert ended.stdout.startswith(f"{count} tests passed in ")


@pytest.mark.parametrize("name", ["disk-filling-up", "ticket-postgres-down", "backup-without-credentials"])
def test_scenario_is_tested_with_a_run_that_passes_and_one_that_fails(name: str) -> None:
    verdicts = {
        expectation.verdict
        for test in ir_of(gate(name)).tests
        for expectation in test.expectations
        if expectation.kind == "verdict"
    }
    assert verdicts == {"passed", "failed"}
