"""GW401, GW402, GW405, GW407: the evidence that rules read."""

from __future__ import annotations

import pytest
from linted import fixed, scene_of, told, told_of

from gatewright.compiler.ecmascript import parse
from gatewright.runtime.lint.evidence import always_empty_target, not_the_agents, path_target, prose_target
from gatewright.runtime.lint.evidence.command_shape import command_in

COMMANDS = [
    (r"systemctl\s+(restart|reload)", "systemctl restart"),
    ("git push -f", "git push"),
    (r"\brm\b.*-rf", "rm -rf"),
    (r"/usr/sbin/iptables\s+-F", "/usr/sbin/iptables -F"),
    (r"cat\s+/etc/passwd", "cat /etc/passwd"),
    (r"shopctl\s+--force", "shopctl --force"),
    (r"reboot|shutdown\s+-h", "shutdown -h"),
    (r"(?:sudo\s+)?apt-get\s+install\s+nginx", "apt-get install"),
    (r"echo x > /etc/motd|tee\s+/etc/motd", "tee /etc/motd"),
]
PROSE = [
    "nginx restarted",
    "service restarted",
    "docker container",
    "find the cause",
    "kill the process",
    "root cause",
    "tail - the end",
    "cat",
    "reboot",
    "restart.*nginx",
    r"nginx\.conf",
    "/etc/nginx/",
    r"\bgit repository\b",
    "ip address",
    "(?:a|b){999}rm -rf",
]


@pytest.mark.parametrize(("pattern", "command"), COMMANDS)
def test_a_command_with_a_verb_an_option_or_a_path_is_a_command(pattern: str, command: str) -> None:
    found = command_in(parse(pattern))
    assert found is not None
    assert found.words == command


@pytest.mark.parametrize("pattern", PROSE)
def test_prose_and_bare_words_are_no_command(pattern: str) -> None:
    assert command_in(parse(pattern)) is None


# ---- GW401 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("semantics", "negate", "said"),
    [
        ("flat", False, "passes on old ones only"),
        ("flat", True, "where it is missing this rule fails"),
        ("classic", False, "never passes"),
        ("classic", True, "passes wherever there is a task"),
    ],
)
def test_a_plan_of_a_task_is_never_there(semantics: str, negate: bool, said: str) -> None:
    [finding] = told_of(always_empty_target.check, "x", where="task_plan", semantics=semantics, negate=negate)
    assert said in finding.message


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("task_plan matches `.*`", "passes wherever there is a task"),
        ("task_plan never matches `.*`", "never passes"),
        ("task_plan matches `x` at least 1 time", "never passes"),
        ("task_plan matches `x` at most 1 time", "passes wherever there is a task"),
        ("task_plan matches `x` exactly 0 times", "passes wherever there is a task"),
        ("task_plan matches `.*` before `x`", "never passes"),
    ],
)
def test_what_follows_is_what_a_classic_rule_comes_to_without_values(check: str, said: str) -> None:
    [finding] = told(always_empty_target.check, scene_of(f'semantics classic\nrequire "x": {check}\n'))
    assert said in finding.message


def test_the_plan_of_the_job_is_left_alone() -> None:
    assert told_of(always_empty_target.check, "x", where="job_plan") == []


# ---- GW402 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["agent_messages", "task_summary", "job_resolution"])
def test_a_command_in_prose_is_told_with_a_sentence_that_only_mentions_it(where: str) -> None:
    [finding] = told_of(prose_target.check, r"systemctl\s+restart\s+nginx", where=where)
    assert finding.witness is not None
    assert finding.witness.value == "I will not run systemctl restart nginx here."
    assert "a mere mention of it passes this rule" in finding.message
    assert fixed(finding) == "executed_commands"


def test_a_ban_is_broken_by_a_refusal() -> None:
    [finding] = told_of(prose_target.check, "rm -rf", where="agent_messages", negate=True)
    assert "a refusal that quotes it fails this rule" in finding.message


def test_the_mention_is_of_the_branch_with_the_command() -> None:
    [finding] = told_of(prose_target.check, r"reboot|shutdown\s+-h", where="agent_messages")
    assert finding.witness is not None
    assert finding.witness.value == "I will not run shutdown -h here."


@pytest.mark.parametrize("where", ["executed_commands", "tool_calls", "use_mcp_tool"])
def test_a_command_among_commands_is_left_alone(where: str) -> None:
    assert told_of(prose_target.check, "rm -rf", where=where) == []


def test_a_pattern_that_a_sentence_cannot_match_is_left_alone() -> None:
    assert told_of(prose_target.check, "^rm -rf", where="agent_messages") == []


def test_the_resolution_of_a_grouped_rule_has_no_fix() -> None:
    [finding] = told_of(prose_target.check, "rm -rf", where="job_resolution", semantics="classic")
    assert finding.fix is None


def test_a_rule_is_told_once_and_fixed_as_a_word_in_a_gate_file() -> None:
    scene = scene_of('require "x": agent_messages matches `rm -rf` before `git push`\n')
    [finding] = told(prose_target.check, scene)
    assert finding.fix is not None
    assert finding.fix.edits[0].text == "executed_commands"


# ---- GW405 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["task_description", "operational_rules"])
def test_what_is_written_before_the_agent_begins_is_told(where: str) -> None:
    [finding] = told_of(not_the_agents.check, "nginx", where=where)
    assert finding.span is not None
    assert finding.span.text == f'"{where}"'


@pytest.mark.parametrize("where", ["task_summary", "executed_commands", "job_resolution"])
def test_what_the_agent_writes_is_left_alone(where: str) -> None:
    assert told_of(not_the_agents.check, "nginx", where=where) == []


# ---- GW407 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["write_file", "update_file"])
def test_a_command_among_paths_is_told_with_a_path_that_it_misses(where: str) -> None:
    [finding] = told_of(path_target.check, r"tee\s+-a\s+/etc/motd", where=where)
    assert finding.witness is not None
    assert finding.witness.value == "/etc/motd"
    assert fixed(finding) == "executed_commands"


@pytest.mark.parametrize("pattern", [r"/etc/nginx/.*\.conf", "nginx", r"rm -rf|/etc/motd", r"\.service$"])
def test_a_pattern_that_a_path_can_match_is_left_alone(pattern: str) -> None:
    assert [
        finding for finding in told_of(path_target.check, pattern, where="write_file") if "rm" not in finding.message
    ] == []
