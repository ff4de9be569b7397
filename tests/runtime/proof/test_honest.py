"""The honest run passes, is short, and where there is none, that is proved or said to be unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linted import scene_of

from gatewright.compiler.findings import Finding, ignore
from gatewright.compiler.ir import RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.load import Loaded, load
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.evidence.record import RunRecord
from gatewright.runtime.evidence.write_record import record_text
from gatewright.runtime.grade import grade
from gatewright.runtime.matching import Matcher, default_engine
from gatewright.runtime.proof.honest import Conflict, HonestRun, NotFound, honest_run
from gatewright.runtime.proof.records import known_json

MATCHER = Matcher(default_engine())


def rules_of(text: str, name: str = "rules.gate") -> RuleSet:
    return scene_of(text, name).rules


def honest(text: str, name: str = "rules.gate") -> HonestRun:
    found = honest_run(rules_of(text, name), MATCHER)
    assert isinstance(found, HonestRun), found
    assert found.result.verdict == "passed"
    return found


def commands(text: str) -> list[tuple[str, ...]]:
    return [task.values["executed_commands"] for task in honest(text).record.job.tasks or ()]


# ---- what it does ----------------------------------------------------------------------------------------------------


def test_commands_are_those_that_the_rules_look_for() -> None:
    text = r"""
      require "Tested": executed_commands matches `\bnginx\s+-t\b`
      require "Restarted": executed_commands matches `\bsystemctl\s+(?:re)?start\s+nginx$`
    """
    assert commands(text) in ([("nginx -t", f"systemctl {verb} nginx")] for verb in ("start", "restart"))


def test_one_command_serves_all_rules_that_it_matches() -> None:
    text = """
      require "Used systemctl": executed_commands matches `systemctl`
      require "Restarted": executed_commands matches `systemctl restart nginx`
    """
    assert commands(text) == [("systemctl restart nginx",)]


def test_bans_are_kept_where_the_first_example_breaks_one() -> None:
    text = """
      require "Restarted": executed_commands matches `systemctl (?:stop|restart) nginx`
      require "Never stopped": executed_commands never matches `stop`
    """
    assert commands(text) == [("systemctl restart nginx",)]


def test_order_is_kept_and_its_opposite_too() -> None:
    text = """
      require "Stopped": executed_commands matches `stop db`
      require "Backup first": executed_commands matches `backup` before `stop db`
    """
    assert commands(text) == [("backup", "stop db")]


def test_counts_are_met_exactly() -> None:
    text = """
      require "Twice": executed_commands matches `ping` exactly 2 times
      require "One was long": executed_commands matches `ping -c 9` at least 1 times
      require "Not often": executed_commands matches `p` at most 2 times
    """
    (made,) = commands(text)
    assert len(made) == 2
    assert made[0] == "ping -c 9"


def test_a_rule_of_one_host_has_its_task_there() -> None:
    text = """
      hosts web-01, db-01
      require "On db": on db-01 executed_commands matches `pg_ctl`
      require "Not on web": on web-01 executed_commands never matches `pg_ctl`
    """
    tasks = honest(text).record.job.tasks or ()
    assert [(task.host, task.values["executed_commands"]) for task in tasks] == [("db-01", ("pg_ctl",))]


def test_turns_are_laid_out_in_time() -> None:
    text = """
      hosts a, b, c
      require "Turns": turns [a, b] then [c, at least 2] then [at least 3]
      require "Count": task_count 8..
    """
    tasks = honest(text).record.job.tasks or ()
    assert [(task.host, task.turn) for task in tasks][:7] == [
        ("a", 1),
        ("b", 1),
        ("c", 2),
        ("a", 2),
        ("a", 3),
        ("b", 3),
        ("c", 3),
    ]
    assert len(tasks) == 8


def test_rules_that_allow_no_task_get_none() -> None:
    record = honest('require "None": task_count 0\nrequire "No": job_resolution_status in no_action').record
    assert record.job.tasks == ()
    assert record.job.resolution_status == "no_action"


def test_answers_of_hosts_suit_all_rules_about_a_command() -> None:
    text = """
      hosts web-01
      require "Gone": on web-01 run `test -e /x` exits 1
      require "Runs": run `systemctl is-active nginx`
    """
    answers = honest(text).record.host_answers
    assert [(answer.host, answer.exit_code) for answer in answers] == [("web-01", 1), ("web-01", 0)]


def test_words_are_one_text_where_a_real_run_has_one() -> None:
    text = """
      require "A": job_resolution matches `disk full`
      require "B": job_resolution matches `rotated$`
      require "C": job_resolution never matches `maybe`
    """
    resolution = honest(text).record.job.resolution
    assert resolution is not None
    assert len(resolution) == 1
    assert "disk full" in resolution[0]


def test_invocations_come_from_commands() -> None:
    text = r"""
      require "Quoted": invocations matches `^curl -d \{"a":1\} localhost$`
      require "No shell": executed_commands never matches `\bbash\b`
    """
    (made,) = commands(text)
    assert len(made) == 1


@pytest.mark.parametrize("pattern", ["(?=.*nginx)(?=.*restart)", r"^(?!sudo)\w+ restart", r"(['\"])x\1"])
def test_patterns_beyond_the_automata_are_guessed(pattern: str) -> None:
    assert honest(json.dumps([_rule(pattern)]), "rules.json").record.job.tasks


def test_a_classic_run_keeps_values_apart_where_joined_ones_would_not_do() -> None:
    text = r"""
      semantics classic
      require "A": executed_commands matches `^uptime$`
      require "B": executed_commands matches `^df$`
    """
    assert sorted(commands(text)) == [("df",), ("uptime",)]


def test_a_ticket_is_there_where_rules_speak_of_one() -> None:
    text = """
      semantics classic
      require "Resolved": ticket_status is resolved
      require "Taken": gateway_messages matches `looking into`
      require "Closing": gateway_summary matches `pg_hba`
    """
    ticket = honest(text).record.ticket
    assert ticket is not None
    assert ticket.status == "resolved"
    assert ticket.messages == ("looking into", "pg_hba")


def test_optional_rules_are_met_as_far_as_they_can_be() -> None:
    text = """
      require "Restarted": executed_commands matches `restart`
      optional "Nothing was restarted": executed_commands never matches `restart`
      optional "Log": executed_commands matches `journalctl`
    """
    found = honest(text)
    assert [rule.label for rule in found.unmet] == ["Nothing was restarted"]
    assert (found.record.job.tasks or ())[0].values["executed_commands"] == ("restart", "journalctl")


# ---- why there is none -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        'require "A": executed_commands matches `a b`\nrequire "B": executed_commands never matches `a`',
        'require "A": job_resolution_status in success\nrequire "B": job_resolution_status in partial',
        'require "A": task_count 0\nrequire "B": executed_commands matches `a`',
        'require "A": executed_commands matches `[]`',
        'semantics classic\nrequire "A": task_plan matches `restart`',
    ],
)
def test_rules_that_no_run_passes_are_a_conflict_that_names_them(text: str) -> None:
    found = honest_run(rules_of(text), MATCHER)
    assert isinstance(found, Conflict)
    assert "“A”" in " ".join(found.reasons)


@pytest.mark.parametrize(
    "text",
    [
        'require "A": gateway_messages matches `a`\nrequire "B": gateway_messages never matches `a`',
        'require "A": gateway_summary matches `[]`',
        'require "A": ticket_status is open\nrequire "B": ticket_status is closed',
        'require "A": task_plan matches `^$`',
    ],
)
def test_no_conflict_is_said_to_be_proved_of_what_a_classic_run_without_ticket_or_plan_passes(text: str) -> None:
    alone = f"semantics classic\n{text}\n"
    honest(alone)
    found = honest_run(rules_of(f'{alone}require "Many": executed_commands matches `x` at least 1200 times'), MATCHER)
    assert isinstance(found, NotFound)
    assert "“Many”" in found.why


def test_more_hosts_than_can_be_made_up_are_not_tried() -> None:
    assert isinstance(honest_run(rules_of('require "A": turns [at least 900000000]'), MATCHER), NotFound)


def test_what_is_neither_found_nor_excluded_is_said_to_be_unknown() -> None:
    text = r"""
      require "A": executed_commands matches `^(?=\w{2}(\d)\1)(?!x)\w{9}z$`
    """
    found = honest_run(rules_of(text), MATCHER)
    assert isinstance(found, NotFound)
    assert "“A”" in found.why


def test_a_host_that_cannot_be_told_is_an_error_that_is_named() -> None:
    text = """
      require "A": run `true`
      require "B": on a run `true`
      require "C": on b run `true`
    """
    found = honest_run(rules_of(text), MATCHER)
    assert isinstance(found, NotFound)
    assert "which host" in found.why


# ---- for all sets ----------------------------------------------------------------------------------------------------

PATTERNS = ["a", "^a$", "a b", "b", r"\bc\b", "^(?:a|c)", "c$", "a.*b", ""]
CHECKS = st.one_of(
    st.builds(
        "{} {} `{}`{}".format,
        st.sampled_from(["executed_commands", "agent_messages", "job_resolution", "invocations"]),
        st.sampled_from(["matches", "never matches"]),
        st.sampled_from([pattern for pattern in PATTERNS if pattern]),
        st.just(""),
    ),
    st.builds(
        "executed_commands matches `{}` {} {} times".format,
        st.sampled_from([pattern for pattern in PATTERNS if pattern]),
        st.sampled_from(["at least", "at most", "exactly"]),
        st.integers(1, 3),
    ),
    st.builds("executed_commands matches `{}` before `{}`".format, st.sampled_from("abc"), st.sampled_from("abc")),
    st.sampled_from(
        [
            "task_count ..2",
            "task_count 2..3",
            "job_resolution_status in partial, no_action",
            "job_resolution_status in success",
        ]
    ),
)
RULES = st.lists(st.tuples(st.sampled_from(["require", "optional"]), CHECKS), min_size=1, max_size=6)


@given(RULES, st.sampled_from(["flat", "classic"]))
@settings(max_examples=60, deadline=None)
def test_a_run_that_is_found_passes_when_it_is_written_and_read(checks: list[tuple[str, str]], semantics: str) -> None:
    text = f"semantics {semantics}\n" + "\n".join(
        f'{kind} "R{number}": {check}' for number, (kind, check) in enumerate(checks)
    )
    rules = rules_of(text)
    found = honest_run(rules, MATCHER)
    if isinstance(found, HonestRun):
        for written in (record_text(found.record), json.dumps(known_json(found.record))):
            assert grade(ir_to_plan(rules), _read(written), None, MATCHER).verdict == "passed"


def _read(text: str) -> RunRecord:
    findings: list[Finding] = []
    record = read_record(Source("run.json", text), findings.append, default_id="run")
    assert findings == []
    assert record is not None
    return record


def _rule(pattern: str) -> dict[str, object]:
    return {"label": "A", "validator": "pattern_match", "where": "executed_commands", "pattern": pattern}


def test_examples_of_the_project_have_an_honest_run(repository: Path) -> None:
    for path in sorted((repository / "examples").glob("*/*.gate")):
        loaded = load(path, ignore)
        assert isinstance(loaded, Loaded)
        found = honest_run(loaded.rules, MATCHER)
        assert isinstance(found, HonestRun), path
        assert found.unmet == (), path
