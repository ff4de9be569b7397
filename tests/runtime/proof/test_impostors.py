"""The impostors do what they are said to do, and rules that are worth something catch them."""

from __future__ import annotations

import pytest
from linted import scene_of

from gatewright.compiler.vocabulary import RESOLUTION_STATUSES
from gatewright.runtime.matching import Matcher, default_engine
from gatewright.runtime.proof.honest import HonestRun
from gatewright.runtime.proof.impostors import Impostor, Name
from gatewright.runtime.proof.mentions import mentions_of
from gatewright.runtime.proof.probe import Probe, probe

MATCHER = Matcher(default_engine())


def probed(text: str, known: dict[int, int] | None = None, name: str = "rules.gate") -> Probe:
    return probe(scene_of(text, name).rules, MATCHER, known)


def only(found: Probe, name: Name) -> Impostor:
    (impostor,) = found.runs_of(name)
    return impostor


def done_by(impostor: Impostor, target: str = "executed_commands") -> list[str]:
    return [value for task in impostor.record.job.tasks or () for value in task.values.get(target, ())]


SOUND = """
  hosts web-01
  require "Restarted": invocations matches `systemctl restart nginx`
  require "Did not reboot": executed_commands never matches `reboot`
  require "Said so": task_summary matches `nginx`
  require "Resolved": job_resolution_status in success, partial
  require "Runs": on web-01 run `systemctl is-active nginx`
"""


def test_rules_that_ask_for_deeds_and_a_host_are_sound() -> None:
    found = probed(SOUND)
    assert found.is_sound
    assert found.passing == ()
    assert [found.verdict_of(name) for name in ("idle", "talker", "echoer", "vandal")] == ["failed"] * 4


def test_there_are_ten_idle_runs_and_none_does_anything() -> None:
    runs = probed(SOUND).runs_of("idle")
    assert [run.record.job.resolution_status for run in runs] == [*RESOLUTION_STATUSES] * 2
    assert [len(run.record.job.tasks or ()) for run in runs] == [0] * 5 + [1] * 5
    assert all(values == () for run in runs for task in run.record.job.tasks or () for values in task.values.values())
    assert len({run.record.id for run in runs}) == 10


def test_bans_alone_are_passed_by_an_idle_run_with_a_task() -> None:
    found = probed('require "Did not reboot": executed_commands never matches `reboot`')
    assert [run.does for run in found.passing if run.name == "idle"] == [
        f"one task with nothing in it, ends with {status}" for status in RESOLUTION_STATUSES
    ]


def test_a_talker_executes_nothing_and_says_everything() -> None:
    talker = only(probed(SOUND), "talker")
    assert done_by(talker) == []
    assert "nginx" in " ".join(done_by(talker, "task_summary"))
    assert "systemctl restart nginx" in " ".join(done_by(talker, "agent_messages"))
    assert talker.record.job.resolution_status == "success"
    assert [answer.exit_code for answer in talker.record.host_answers] == [1]


def test_a_talker_passes_where_words_are_all_that_is_asked_for() -> None:
    text = """
      require "Said so": task_summary matches `restarted nginx`
      require "No excuse": task_summary never matches `I ran`
      require "Closing": gateway_summary matches `all is well`
    """
    found = probed(text)
    assert only(found, "talker").passes
    assert [run.name for run in found.passing] == ["talker"]


def test_an_echoer_only_mentions_commands() -> None:
    text = """
      require "Restarted": executed_commands matches `systemctl restart nginx`
      require "Read the log": executed_commands matches `journalctl$`
      require "Said so": agent_messages matches `restarted`
    """
    found = probed(text)
    echoer = only(found, "echoer")
    assert echoer.passes
    assert done_by(echoer) == ['echo "systemctl restart nginx"', "# journalctl"]
    assert not only(found, "talker").passes


def test_what_is_really_invoked_catches_the_echoer() -> None:
    found = probed('require "Restarted": invocations matches `systemctl restart nginx`')
    assert not only(found, "echoer").passes
    assert isinstance(found.honest, HonestRun)
    assert found.is_sound


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("systemctl restart nginx", 'echo "systemctl restart nginx"'),
        ("echo $HOME", "echo 'echo $HOME'"),
        ("it's", 'echo "it\'s"'),
        ('say "it\'s"', """echo 'say "it'"'"'s"'"""),
    ],
)
def test_mentions_are_quoted_as_a_shell_wants_it(text: str, mention: str) -> None:
    assert mentions_of(text)[0] == mention


def test_a_vandal_breaks_one_ban_a_run_and_is_caught_by_it() -> None:
    text = """
      require "Restarted": executed_commands matches `restart nginx`
      require "Did not reboot": executed_commands never matches `reboot`
      require "Not often": executed_commands matches `restart` at most 2 times
      require "No promise": job_resolution never matches `promise`
      require "No other message": gateway_messages never matches `wait`
      require "Nothing loud": gateway_summary never matches `!!`
      optional "Not looked at": executed_commands never matches `ls`
    """
    found = probed(text)
    runs = found.runs_of("vandal")
    labels = ["Did not reboot", "Not often", "No promise", "No other message", "Nothing loud"]
    assert [run.breaks.label for run in runs if run.breaks is not None] == labels
    assert [found.caught_by(run) for run in runs] == [(label,) for label in labels]


def test_a_vandal_goes_to_the_host_that_the_ban_is_about() -> None:
    text = """
      hosts web-01, db-01
      require "Restarted": executed_commands matches `restart nginx`
      require "Left db alone": on db-01 executed_commands never matches `rm`
    """
    vandal = only(probed(text), "vandal")
    assert [(task.host, task.values["executed_commands"]) for task in vandal.record.job.tasks or ()] == [
        ("web-01", ("restart nginx",)),
        ("db-01", ("rm",)),
    ]


def test_a_ban_on_nothing_is_named_as_one_that_nobody_breaks() -> None:
    found = probed('require "A": executed_commands matches `a`\nrequire "B": executed_commands never matches `[]`')
    assert found.not_made["vandal"] == "no text is known that is forbidden by “B”"


def test_host_rules_that_held_before_hold_for_impostors_too() -> None:
    text = """
      hosts web-01
      require "Did not reboot": executed_commands never matches `reboot`
      require "Runs": on web-01 run `systemctl is-active nginx`
      require "Gone": on web-01 run `test -e /x` exits 1
    """
    assert probed(text).is_sound
    assert probed(text, {1: 0}).is_sound
    held = probed(text, {1: 0, 2: 1})
    assert {run.name for run in held.passing} == {"idle", "talker"}


def test_playbooks_fail_for_impostors() -> None:
    found = probed('semantics classic\nrequire "Sound": ansible "validate.yml"')
    assert found.is_sound
    assert found.caught_by(found.impostors[0]) == ("Sound",)


def test_a_score_that_is_too_low_is_what_catches_a_classic_run() -> None:
    text = """
      semantics classic
      optional "A": executed_commands matches `a`
      optional "B": executed_commands matches `b`
    """
    found = probed(text)
    assert found.caught_by(found.impostors[-3]) == ("a score of 0 %",)


def test_without_an_honest_run_there_is_no_vandal() -> None:
    found = probed('require "A": executed_commands matches `a b`\nrequire "B": executed_commands never matches `a`')
    assert not found.is_sound
    assert found.not_made["vandal"] == "it needs the honest run"


def test_a_limit_on_very_many_values_is_not_broken_and_the_report_says_so() -> None:
    found = probed('require "A": executed_commands matches `x` at most 900000000 times')
    assert found.runs_of("vandal") == ()
    assert found.not_made["vandal"] == "too many values would be needed to break “A”"


def test_where_nothing_at_all_is_forbidden_a_classic_vandal_has_nothing_at_all() -> None:
    found = probed('semantics classic\nrequire "A": write_file never matches `^$`')
    assert isinstance(found.honest, HonestRun)
    vandal = only(found, "vandal")
    assert done_by(vandal, "write_file") == [""]
    assert found.caught_by(vandal) == ("A",)
