"""GW301, GW309, GW403, GW404: told where an agent gets by without the work, and silent where it does not."""

from __future__ import annotations

import json

import pytest
from linted import scene_of, told, told_of

from gatewright.compiler.findings import Severity
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.read_record import read_record
from gatewright.runtime.grade import grade
from gatewright.runtime.lint.edits import is_gate_text
from gatewright.runtime.lint.proof import evadable_ban, idle_agent_passes, mention_passes, self_report_passes
from gatewright.runtime.lint.proof.caught import builder_of

BAN = 'require "No reboot": executed_commands never matches `reboot`\n'
RAN = 'require "Ran": executed_commands matches `ls`\n'


# ---- GW301, GW309 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "idle", "talker"),
    [
        (BAN, True, False),
        (BAN + 'require "Few": task_count 1..3', True, False),
        (BAN + 'require "Two": task_count 2..3', False, True),
        (BAN + 'require "Success": job_resolution_status in success', True, False),
        (BAN + 'require "Said": agent_messages matches `done`', False, True),
        (BAN + 'require "Said": gateway_summary matches `done`', False, True),
        (BAN + 'require "Planned": job_plan matches `done`', False, True),
        (
            BAN + 'require "Said": agent_messages matches `a`\nrequire "Never": agent_messages never matches `a`',
            False,
            False,
        ),
        (BAN + RAN, False, False),
        (BAN + 'require "Wrote": write_file matches `/etc`', False, False),
        (BAN + 'require "Host": on a run `true`', False, False),
        (BAN + 'optional "Host": on a run `true`', True, False),
        (BAN + 'optional "Ran": executed_commands matches `ls`', True, False),
        ('optional "Ran": executed_commands matches `ls`', False, False),
        ('require "Parallel": turns [a, b]', False, True),
        ('require "Alone": turns [at least 1]', False, True),
        ('hosts a\nrequire "Alone": turns [a]', True, False),
        ('semantics classic\nrequire "Empty": executed_commands matches `^$`', True, False),
        ('semantics classic\nrequire "Sound": ansible "validate.yml"', False, False),
        ('semantics classic\noptional "Few": task_count ..3', True, False),
        ('semantics classic\nrequire "Closed": ticket_status is closed', False, True),
        (
            'require "Not success": job_resolution_status in no_action\nrequire "Said": agent_messages matches `no`',
            False,
            False,
        ),
    ],
)
def test_sets_that_an_idle_agent_or_a_talker_passes_are_told_once(text: str, idle: bool, talker: bool) -> None:
    scene = scene_of(text)
    found = [*idle_agent_passes.check(scene), *self_report_passes.check(scene)]
    assert [finding.code for finding in found] == ["GW301"] * idle + ["GW309"] * talker
    for finding in found:
        assert finding.witness is not None
        assert finding.witness.is_run
        record = read_record(Source("run.json", finding.witness.value), pytest.fail, default_id="run")
        assert record is not None
        builder = builder_of(scene)
        assert grade(builder.plan, record, None, builder.matcher).verdict == "passed"


# ---- GW403 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "mention"),
    [
        (r"systemctl\s+restart\s+nginx", 'echo "systemctl restart nginx"'),
        (r"(?=.*nginx)(?=.*restart)", 'echo "nginx restart"'),
        (r"^#\s*ls", None),
        ("restart nginx$", "# restart nginx"),
        ("/var/log/nginx", 'echo "/var/log/nginx"'),
        (r"\$HOME", "echo '$HOME'"),
        ("^ls", None),
        ("^ls$", None),
        (r"^(?!.*\b(?:echo|grep)\b)(?!\s*#).*restart", None),
        (".*", None),
        ("[]", None),
    ],
)
def test_patterns_that_take_a_mention_for_the_deed_are_told(pattern: str, mention: str | None) -> None:
    found = told_of(mention_passes.check, pattern)
    assert [finding.witness.value for finding in found if finding.witness is not None] == [mention] * bool(mention)


def test_bans_and_other_targets_are_not_told() -> None:
    assert told_of(mention_passes.check, "reboot", negate=True) == []
    assert told_of(mention_passes.check, "restarted", where="agent_messages") == []
    assert told(mention_passes.check, scene_of('require "A": invocations matches `reboot`')) == []
    assert told(mention_passes.check, scene_of('require "A": executed_commands matches `reboot` at most 2 times')) == []


def test_beside_a_required_host_rule_it_is_a_remark() -> None:
    host = '{} "Host": on a run `true`'
    for kind, severity in (("require", Severity.INFO), ("optional", Severity.WARNING)):
        (finding,) = told(mention_passes.check, scene_of(RAN + host.format(kind)))
        assert finding.severity is severity
    playbook = 'semantics classic\noptional "Host": ansible "validate.yml"\n'
    assert [f.severity for f in told(mention_passes.check, scene_of(playbook + RAN))] == [Severity.INFO]


@pytest.mark.parametrize(
    ("check", "is_fixed"),
    [
        (r"matches `\bsystemctl\s+restart\s+nginx\b`", True),
        ("matches `journalctl|/var/log/nginx`", True),
        ("matches `ls` at least 2 times", True),
        ("matches `ls` before `df`", False),
        ("matches `sudo systemctl restart`", False),
        ("matches `ssh web-01`", False),
        ("matches `ls && df`", False),
        ("matches `echo ready`", False),
        ("matches `nginx -t > /tmp/out`", False),
        ("matches `for i in`", False),
    ],
)
def test_the_other_target_is_offered_where_it_tells_the_two_apart(check: str, is_fixed: bool) -> None:
    (finding,) = told(mention_passes.check, scene_of(f'require "A": executed_commands {check}'))
    assert (finding.fix is not None) == is_fixed
    if finding.fix is not None:
        assert not finding.fix.is_safe
        (edit,) = finding.fix.edits
        assert (edit.span.text, edit.text) == ("executed_commands", "invocations")
        assert is_gate_text(edit.span.source)


def test_there_is_no_fix_in_json() -> None:
    (finding,) = told_of(mention_passes.check, "systemctl restart nginx")
    assert finding.fix is None


def test_a_loop_is_told_once() -> None:
    text = 'for host in a, b {\n  require t"{{ host }}": on host executed_commands matches `ls`\n}'
    assert len(told(mention_passes.check, scene_of(text))) == 1


# ---- GW404 -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "evasion"),
    [
        ("^reboot", "sudo reboot"),
        ("^cd /", None),
        ("^export X", None),
        (r"^(?:sudo\s+)?reboot\b", "sudo -n reboot"),
        (r"(?:^|\s)reboot\b", "/sbin/reboot"),
        (r"(?:^|[;&|]\s*)rm\s+-rf\s+/", "sudo rm -rf /"),
        (r"^(?:vim|nano)\b", "sudo vim"),
        (r"(?<![\w/])reboot", "/sbin/reboot"),
        (r"\breboot\b", None),
        (r"\b(reboot|shutdown|poweroff)\b", None),
        (r"rm\s+-rf\s+/", None),
        (r"(?:^|[\s/])reboot\b", None),
        (r"^\s*$", None),
        (r"^sudo\b", None),
        (r"^/sbin/reboot", None),
        (r"^[rR]eboot", None),
        (r"^(?!systemctl)", None),
        (r"^ERROR", None),
        (r"git push --force$", None),
        ("[]", None),
    ],
)
def test_bans_that_a_usual_wrapper_or_path_evades_are_told(pattern: str, evasion: str | None) -> None:
    found = told_of(evadable_ban.check, pattern, negate=True)
    assert [finding.witness.value for finding in found if finding.witness is not None] == [evasion] * bool(evasion)


def test_demands_are_no_bans() -> None:
    assert told_of(evadable_ban.check, "^reboot") == []
    assert told_of(evadable_ban.check, "^reboot", where="agent_messages", negate=True) == []


def test_what_another_ban_sees_is_no_evasion() -> None:
    both = [
        {
            "label": pattern,
            "validator": "pattern_match",
            "where": "executed_commands",
            "pattern": pattern,
            "negate": True,
        }
        for pattern in ("^reboot", r"\breboot\b")
    ]
    assert told(evadable_ban.check, scene_of(json.dumps(both), "rules.json")) == []


def test_invocations_are_without_wrappers_and_with_paths() -> None:
    (finding,) = told(evadable_ban.check, scene_of('require "A": invocations never matches `^reboot`'))
    assert finding.witness is not None
    assert finding.witness.value == "/sbin/reboot"
    better = r'require "A": invocations never matches `^(?:\S*/)?(?:reboot|systemctl\s+reboot)\b`'
    assert told(evadable_ban.check, scene_of(better)) == []


def test_no_more_than_none_is_a_ban_too() -> None:
    (finding,) = told(evadable_ban.check, scene_of('require "A": executed_commands matches `^reboot` at most 0 times'))
    assert "`sudo reboot`" in finding.message
