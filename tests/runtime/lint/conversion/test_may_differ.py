"""GW602: a run is shown for every difference, and it differs in truth; where forms agree nothing is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import call

from gatewright.compiler.convert import convert
from gatewright.compiler.findings import Finding, ignore
from gatewright.compiler.load import Loaded, load_text
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.record import Job, RunRecord, Task, Ticket
from gatewright.runtime.lint.conversion.may_differ import check
from gatewright.runtime.lint.conversion.runs import BothForms
from gatewright.runtime.lint.notes import LintOptions
from gatewright.runtime.lint.scene import Scene
from gatewright.runtime.matching import Matcher, default_engine

ASKS_HOW_IT_ENDED = 'require "Job resolved": job_resolution_status in success\n'
ENGINE = default_engine()
MATCHER = Matcher(ENGINE)


def loaded(text: str, name: str = "rules.gate") -> Loaded:
    findings: list[Finding] = []
    made = load_text(Path(name), Source(name, text), findings.append)
    assert isinstance(made, Loaded)
    assert not any(finding.is_error for finding in findings)
    return made


def differences(text: str, target: str, name: str = "rules.gate") -> list[Finding]:
    options = LintOptions(target=target)  # pyright: ignore[reportArgumentType]
    return list(check(Scene(loaded(text, name), options, ENGINE)))


def of_pattern(check_text: str) -> list[Finding]:
    """What is said of one classic rule that shall become a flat one."""
    return differences(f'semantics classic\n{ASKS_HOW_IT_ENDED}require "R": {check_text}\n', "flat")


def run_of(finding: Finding) -> dict[str, object]:
    assert finding.witness is not None
    assert finding.witness.is_run
    return json.loads(finding.witness.value)


def commands_of(finding: Finding) -> object:
    job = run_of(finding)["job"]
    assert isinstance(job, dict)
    return job["tasks"][0]["executed_commands"]  # pyright: ignore[reportUnknownVariableType]


# ---- one rule --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "commands", "says"),
    [
        (r"^systemctl restart nginx$", ["systemctl restart nginx", "true"], "fails as grouped and passes as flat"),
        (r"nginx$", ["nginx", "true"], "fails as grouped and passes as flat"),
        (r"^nginx", ["true", "nginx"], "fails as grouped and passes as flat"),
        (r"systemctl\s+restart", ["systemctl", "restart"], "passes as grouped and fails as flat"),
        (r"nginx\s", ["nginx", "true"], "passes as grouped and fails as flat"),
        (r"stop[\s\S]*start", ["stop", "start"], "passes as grouped and fails as flat"),
        (r"stop[^;]*start", ["stop", "start"], "passes as grouped and fails as flat"),
        (r"stop nginx\nstart nginx", ["stop nginx", "start nginx"], "passes as grouped and fails as flat"),
        (r"(?:nginx)?", [], "passes as grouped and fails as flat"),
        (r"^(?!.*nginx).*restart", ["true", "restart"], "fails as grouped and passes as flat"),
        (r"(on|off)\s\1", ["on", "on"], "passes as grouped and fails as flat"),
    ],
)
def test_joined_text_is_told_from_single_values(pattern: str, commands: list[str], says: str) -> None:
    [finding] = of_pattern(f"executed_commands matches `{pattern}`")
    assert commands_of(finding) == commands
    assert finding.witness is not None
    assert finding.witness.says == f"the rule {says}"
    assert finding.rule == "R"
    assert finding.span is not None
    assert finding.span.text == f"`{pattern}`"


@pytest.mark.parametrize(
    "pattern",
    [
        "nginx",
        r"systemctl (?:re)?start \w+",
        r"\bnginx\b",
        r"systemctl.*nginx",
        r"\Bctl\B",
        r"(?:^|\n)systemctl restart nginx(?:$|\n)",
        r"(?:^|\s)reboot(?:\s|$)",
        r"[^;\n]nginx",
        r"systemctl[ \t]+restart",
        r"(on|off)=\1",
        r"reboot(?=x)",
    ],
)
def test_patterns_that_see_values_and_joined_text_alike_are_not_told(pattern: str) -> None:
    assert of_pattern(f"executed_commands matches `{pattern}`") == []
    assert of_pattern(f"executed_commands never matches `{pattern}`") == []


def test_a_negated_rule_differs_the_other_way_round() -> None:
    [finding] = of_pattern(r"executed_commands never matches `rm\s+-rf`")
    assert finding.witness is not None
    assert finding.witness.says == "the rule fails as grouped and passes as flat"


def test_ends_of_a_text_that_stands_alone_are_the_same_in_both_forms() -> None:
    assert of_pattern("task_description matches `^Fix nginx$`") == []
    assert of_pattern("job_resolution matches `^Fixed$`") == []
    assert of_pattern(r"job_resolution matches `restarted\s+nginx`") == []


def test_a_plan_of_a_task_is_there_in_flat_runs_only() -> None:
    [finding] = of_pattern("task_plan matches `restart`")
    assert run_of(finding)["job"] == {"status": "completed", "tasks": [{"plan": "restart"}]}


def test_the_last_message_counts_in_grouped_runs_only() -> None:
    [finding, without_ticket] = of_pattern("gateway_messages matches `^Working on it$`")
    assert run_of(finding)["ticket"] == {"messages": ["Working on it"]}
    assert "without a ticket" in without_ticket.message


def test_what_is_beyond_the_analysis_is_noted() -> None:
    text = f'semantics classic\n{ASKS_HOW_IT_ENDED}require "R": executed_commands matches `(?=.*a)(?=.*b)`\n'
    scene = Scene(loaded(text), LintOptions(target="flat"), ENGINE)
    assert list(check(scene)) == []
    assert [note.code for note in scene.notes] == ["GW602"]


def test_an_exit_status_of_a_playbook_is_an_error_as_flat_only() -> None:
    [finding] = differences(f'{ASKS_HOW_IT_ENDED}require "Well": ansible "validate.yml"\n', "grouped")
    assert finding.witness is not None
    assert finding.witness.says == "the rule fails as grouped and is an error as flat"


def test_only_rules_that_the_other_form_can_say_are_looked_at() -> None:
    text = r'require "R": executed_commands matches `^a` at least 2 times' + "\n" + r'require "H": run `true`'
    assert differences(text, "grouped") == []


# ---- all rules together ----------------------------------------------------------------------------------------------

OPTIONAL = """
require "Restarted": executed_commands matches `restart`
optional "Looked": executed_commands matches `journalctl`
"""


def test_optional_rules_fail_a_grouped_run_by_its_score() -> None:
    for text, target in (
        (f"semantics classic\n{ASKS_HOW_IT_ENDED}{OPTIONAL}", "flat"),
        (ASKS_HOW_IT_ENDED + OPTIONAL,) * 2,
    ):
        [finding] = differences(text, target if target == "flat" else "grouped")
        assert "score under 80 %" in finding.message
        assert finding.rule == "Looked"
        assert finding.witness is not None
        assert finding.witness.says == "the run fails as grouped and passes as flat"
        assert commands_of(finding) == ["restart"]


def test_few_optional_rules_do_no_harm() -> None:
    required = "".join(f'require "R{number}": executed_commands matches `r{number}`\n' for number in range(4))
    assert differences(f'{ASKS_HOW_IT_ENDED}{required}optional "O": task_count 2\n', "grouped") == []


def test_a_run_without_a_ticket_skips_required_gateway_rules_as_grouped_only() -> None:
    text = f'{ASKS_HOW_IT_ENDED}require "Said": gateway_summary matches `fixed`\n'
    [finding] = differences(text, "grouped")
    assert "ticket" not in run_of(finding)
    assert finding.rule == "Said"
    assert differences(text.replace('require "Said"', 'optional "Said"'), "grouped") != [finding]


@pytest.mark.parametrize("statuses", ["hard_failure", "success, hard_failure"])
def test_a_job_that_may_fail_is_told(statuses: str) -> None:
    [finding] = differences(f'require "Ended": job_resolution_status in {statuses}\n', "grouped")
    assert run_of(finding)["job"] == {"status": "failed", "resolution_status": "hard_failure"}
    assert finding.rule == "Ended"


def test_a_job_whose_end_nobody_asks_for_is_told() -> None:
    [finding] = differences('require "R": executed_commands matches `restart`\n', "grouped")
    assert "did not complete" in finding.message
    assert finding.rule is None


@pytest.mark.parametrize("statuses", ["success", "success, partial", "success, agentic_failure", "agentic_failure"])
def test_a_job_is_not_told_of_where_a_rule_asks_how_it_ended(statuses: str) -> None:
    assert differences(f'require "Ended": job_resolution_status in {statuses}\n', "grouped") == []


def test_an_optional_playbook_decides_as_grouped_only() -> None:
    found = differences(f'{ASKS_HOW_IT_ENDED}optional "Well": ansible "validate.yml"\n', "grouped")
    assert [finding.witness.says for finding in found if finding.witness] == [
        "the rule fails as grouped and is an error as flat",
        "the run fails as grouped and passes as flat",
    ]


def test_all_rules_together_are_not_judged_while_one_of_them_is_refused() -> None:
    assert differences(f'{OPTIONAL}require "Up": run `true`\n', "grouped") == []


def test_a_run_shows_the_difference_that_is_told_and_no_other() -> None:
    # In one task the anchored rule would fail as grouped, and the verdict with it, whatever the score is.
    rules = """require "Exact": executed_commands matches `^restart nginx$`
require "Asked": executed_commands matches `nginx -t`
optional "Looked": executed_commands matches `journalctl`
"""
    text = f'semantics classic\n{ASKS_HOW_IT_ENDED}{rules}optional "Also": executed_commands matches `dmesg`\n'
    [of_the_set] = [finding for finding in differences(text, "flat") if "score" in finding.message]
    assert run_of(of_the_set)["job"] == {
        "status": "completed",
        "resolution_status": "success",
        "tasks": [{"executed_commands": ["restart nginx"]}, {"executed_commands": ["nginx -t"]}],
    }


def test_a_set_that_no_run_passes_as_grouped_is_not_told_of_its_score() -> None:
    one_task = 'require "One": task_count 1\n'
    rules = """require "Exact": executed_commands matches `^restart nginx$`
require "Asked": executed_commands matches `nginx -t`
optional "Looked": executed_commands matches `journalctl`
optional "Also": executed_commands matches `dmesg`
"""
    found = differences(f"semantics classic\n{ASKS_HOW_IT_ENDED}{one_task}{rules}", "flat")
    assert [finding.rule for finding in found] == ["Exact"]


# ---- when nothing is asked -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["gate", "grouped", None])
def test_rules_that_keep_their_meaning_are_silent(target: str | None) -> None:
    text = f'semantics classic\nrequire "R": executed_commands matches `^a$`\n{OPTIONAL}'
    assert differences(text, target) == []  # pyright: ignore[reportArgumentType]


def test_grouped_json_is_told_of_at_the_pattern() -> None:
    rules = {"tasks": [{"label": "R", "validator": "pattern_match", "where": "executed_commands", "pattern": "^a$"}]}
    text = json.dumps(rules)
    first, *_ = differences(text, "flat", "rules.json")
    assert first.span is not None
    assert first.span.text == '"^a$"'
    assert differences(text, "grouped", "rules.json") == []


# ---- every run differs in truth --------------------------------------------------------------------------------------

SEVERAL = f"""semantics classic
{ASKS_HOW_IT_ENDED}{OPTIONAL}
require "Exact": executed_commands matches `^restart nginx$`
require "Wide": agent_messages matches `stop[^;]*start`
require "Never": write_file never matches `/etc/\\s`
require "Empty": tool_calls matches `(?:x)?`
require "Said": gateway_messages matches `\\u2028?Working`
require "Closed": gateway_summary never matches `wontfix`
"""


def test_grade_says_of_both_files_what_the_witness_says(tmp_path: Path) -> None:
    (tmp_path / "rules.gate").write_text(SEVERAL, "utf-8")
    source = loaded(SEVERAL)
    (tmp_path / "grouped.json").write_text(convert(source, "grouped", ignore), "utf-8")
    (tmp_path / "flat.json").write_text(convert(source, "flat", ignore), "utf-8")
    found = differences(SEVERAL, "flat")
    assert len(found) == 5
    (bridge,) = [finding for finding in found if finding.labels]
    assert (bridge.rule, [label.span.text for label in bridge.labels]) == ("Wide", ["`/etc/\\s`"])
    for finding in found:
        assert finding.witness is not None
        (tmp_path / "run.json").write_text(finding.witness.value, "utf-8")
        told: list[str] = []
        for form in ("grouped", "flat"):
            called = call("grade", tmp_path / f"{form}.json", "--run", tmp_path / "run.json", "--format", "json")
            assert "GW7" not in called.stderr  # the record is read without a word
            result = json.loads(called.stdout)
            statuses = {rule["label"]: rule["status"] for rule in result["rules"]}
            is_of_rule = finding.witness.says.startswith("the rule")
            told.append(statuses[finding.rule] if is_of_rule else result["verdict"])
        words = {"pass": "passes", "passed": "passes", "fail": "fails", "failed": "fails"}
        what = finding.witness.says.split(" ")[1]
        assert finding.witness.says == f"the {what} {words[told[0]]} as grouped and {words[told[1]]} as flat"


PATTERNS = (
    "a", "^a$", "^a", "a$", r"a\sb", "a[^c]b", "a.*b", r"\ba\b", r"a\W", r"(?:^|\s)a", "a?", r"a[\s\S]*b", r"\s",
    r"^\s*a", r"a\n?b", "[^a]", "^$", r"\n", r"a\b\s", r"(?:^|\n)a(?:$|\n)", r"\Ba", "^a|b$", r"a{2}\s*$", r"[\s;]a",
    "a$|b", r"^(?:a|b)\s+c?$", r"\S\s\S", "a[^b]{2}c", r"(?:a\s|^b)c",
)  # fmt: skip
VALUES = st.lists(st.text(alphabet="abc \n", max_size=4), max_size=3).map(tuple)
TASKS = st.lists(VALUES, min_size=1, max_size=2)


@settings(max_examples=300, deadline=None)
@given(pattern=st.sampled_from(PATTERNS), tasks=TASKS, negated=st.booleans())
def test_no_run_tells_apart_what_nothing_is_said_of(pattern: str, tasks: list[tuple[str, ...]], negated: bool) -> None:
    text = f'semantics classic\nrequire "R": executed_commands {"never " if negated else ""}matches `{pattern}`\n'
    record = RunRecord(id="r", job=Job(tasks=tuple(Task(values={"executed_commands": values}) for values in tasks)))
    grouped, flat = BothForms(loaded(text).rules, MATCHER).grade(record)
    if grouped.rules[0].status != flat.rules[0].status:
        assert [finding.rule for finding in differences(text, "flat")][:1] == ["R"]


RULES = st.lists(
    st.tuples(
        st.sampled_from(["require", "optional"]),
        st.sampled_from([
            "executed_commands matches `a`", "executed_commands never matches `b`", "gateway_summary matches `c`",
            "task_count 1..2", "task_count 2", "job_resolution_status in success, hard_failure",
            "job_resolution_status in success", "agent_messages matches `a|b`", "gateway_summary never matches `d`",
        ]),
    ),
    min_size=1, max_size=4,
)  # fmt: skip
RUNS = st.builds(
    RunRecord,
    id=st.just("r"),
    job=st.builds(
        Job,
        status=st.sampled_from(["completed", "failed"]),
        resolution_status=st.sampled_from(["success", "hard_failure"]),
        tasks=st.lists(
            st.builds(Task, values=st.fixed_dictionaries({"executed_commands": VALUES, "agent_messages": VALUES})),
            max_size=2,
        ).map(tuple),
    ),
    ticket=st.none() | st.builds(Ticket, status=st.just("open"), messages=VALUES),
)


@settings(max_examples=200, deadline=None)
@given(rules=RULES, record=RUNS)
def test_sets_whose_verdicts_differ_on_some_run_are_told(rules: list[tuple[str, str]], record: RunRecord) -> None:
    text = "".join(f'{word} "R{number}": {said}\n' for number, (word, said) in enumerate(rules))
    grouped, flat = (result.verdict for result in BothForms(loaded(text).rules, MATCHER).grade(record))
    # Of a job that failed and was resolved with success the finding does not speak.
    if grouped != flat and record.job.status == "completed":
        assert differences(text, "grouped")
