from __future__ import annotations

from gatewright.runtime.evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from gatewright.runtime.hosts.recorded import RecordedEvidence


def record(*answers: HostAnswer, playbooks: tuple[PlaybookAnswer, ...] = ()) -> RunRecord:
    return RunRecord("run-1", host_answers=answers, playbooks=playbooks)


def ask(evidence: RecordedEvidence, host: str | None, command: str = "true") -> HostAnswer:
    return evidence.connect(host).run(command)


def test_an_answer_fits_its_host_and_its_command_only():
    evidence = RecordedEvidence(record(HostAnswer("web-01", "true", 3, "out", "err")))
    assert ask(evidence, "web-01") == HostAnswer("web-01", "true", 3, "out", "err")
    answer = ask(evidence, "web-01", "true ")
    assert answer.problem == "no recorded answer of web-01 for: true "
    assert answer.unreachable
    assert ask(evidence, "web-02").problem == "no recorded answer of web-02 for: true"
    assert not evidence.live


def test_recorded_problems_stay_as_they_are():
    down = HostAnswer("web-01", "true", problem="unreachable", unreachable=True)
    slow = HostAnswer("web-01", "sleep 9", problem="timed out")
    evidence = RecordedEvidence(record(down, slow))
    assert [ask(evidence, "web-01"), ask(evidence, "web-01", "sleep 9")] == [down, slow]


def test_without_any_answer_the_way_out_is_named():
    evidence = RecordedEvidence(record())
    assert ask(evidence, "web-01").problem == "no connection to web-01: give --inventory"
    assert ask(evidence, None).unreachable
    assert evidence.playbook("validate.yml").problem == "no connection to run validate.yml: give --inventory"


def test_no_host_asked_for_means_the_only_one_of_the_record():
    one = RecordedEvidence(record(HostAnswer("web-01", "true", 0), HostAnswer("web-01", "false", 1)))
    assert ask(one, None) == HostAnswer("web-01", "true", 0)
    two = RecordedEvidence(record(HostAnswer("web-01", "true", 0), HostAnswer("db-01", "true", 1)))
    assert ask(two, None).problem == "which host? the record has answers of web-01, db-01"
    assert ask(two, None).unreachable


def test_an_answer_without_a_host_belongs_to_the_only_one_named():
    evidence = RecordedEvidence(record(HostAnswer("web-01", "false", 1), HostAnswer(None, "true", 0)))
    assert ask(evidence, "web-01") == HostAnswer("web-01", "true", 0)
    assert ask(evidence, None) == HostAnswer("web-01", "true", 0)
    assert ask(evidence, "web-02").unreachable


def test_an_answer_without_a_host_fits_any_where_none_is_named():
    evidence = RecordedEvidence(record(HostAnswer(None, "true", 0)))
    assert ask(evidence, "web-01") == HostAnswer("web-01", "true", 0)
    assert ask(evidence, None) == HostAnswer(None, "true", 0)


def test_an_answer_without_a_host_belongs_to_the_first_declared_one():
    evidence = RecordedEvidence(record(HostAnswer(None, "true", 0)), ["web-01", "web-02"])
    assert ask(evidence, "web-01").exit_code == 0
    assert ask(evidence, "web-02").unreachable


def test_an_answer_without_a_host_is_not_guessed_among_several():
    evidence = RecordedEvidence(record(HostAnswer("a", "x", 0), HostAnswer("b", "x", 0), HostAnswer(None, "true", 0)))
    assert ask(evidence, "a").unreachable


def test_several_answers_to_one_command_are_given_in_turn():
    evidence = RecordedEvidence(record(*(HostAnswer("a", "true", code) for code in (1, 2))))
    first, second = evidence.connect("a"), evidence.connect("a")
    assert [first.run("true").exit_code for _ in range(3)] == [1, 2, 2]
    assert second.run("true").exit_code == 1


def test_playbooks_are_found_by_path():
    result = PlaybookAnswer("validate.yml", 2)
    evidence = RecordedEvidence(record(playbooks=(result,)))
    assert evidence.playbook("validate.yml") == result
    assert evidence.playbook("other.yml").problem == "no recorded result of other.yml"
