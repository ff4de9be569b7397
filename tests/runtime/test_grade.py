"""Grading a run: hosts side by side, commands in order, nothing fetched that no rule needs, other scenarios."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from gatewright.compiler.findings import Finding
from gatewright.compiler.ir import Ansible, HostState, PatternMatch, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.compiler.plan import Plan
from gatewright.runtime.evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task
from gatewright.runtime.grade import GradeOptions, grade, plan_digest, ungraded
from gatewright.runtime.matching import ExactEngine, Matcher
from gatewright.runtime.result import RuleResult

Answer = Callable[[str | None, str], HostAnswer]


def exits(code: int) -> Answer:
    return lambda host, command: HostAnswer(host, command, exit_code=code)


@dataclass
class FakeHosts:
    """Answers by function and remembers what it was asked."""

    answer: Answer = field(default_factory=lambda: exits(0))
    live: bool = True
    playbook_exit: int | None = 0
    asked: dict[str | None, list[str]] = field(default_factory=dict)
    closed: list[str | None] = field(default_factory=list)
    all_closed: bool = False

    def connect(self, host: str | None) -> FakeConnection:
        assert host not in self.asked, "one connection a host"
        self.asked[host] = []
        return FakeConnection(self, host)

    def playbook(self, path: str) -> PlaybookAnswer:
        self.asked.setdefault("playbooks", []).append(path)
        problem = None if self.playbook_exit is not None else "no ansible-playbook"
        return PlaybookAnswer(path, self.playbook_exit, problem, "PLAY RECAP")

    def close(self) -> None:
        self.all_closed = True


@dataclass
class FakeConnection:
    hosts: FakeHosts
    host: str | None

    def run(self, command: str, time_limit: float | None = None) -> HostAnswer:
        self.hosts.asked[self.host].append(command)
        return self.hosts.answer(self.host, command)

    def close(self) -> None:
        self.hosts.closed.append(self.host)


@dataclass
class FakeClock:
    time: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


RECORD = RunRecord("r1", job=Job(status="completed", tasks=(Task(values={"executed_commands": ("x",)}),)), digest="d")


def plan_of(*checks: Any, hosts: tuple[str, ...] | None = ("a", "b"), **more: Any) -> Plan:
    rules = tuple(Rule(label=str(number), check=check) for number, check in enumerate(checks))
    return ir_to_plan(RuleSet(rules=rules, hosts=hosts, **more))


def graded(plan: Plan, hosts: FakeHosts | None, **options: Any) -> tuple[RuleResult, ...]:
    return grade(plan, RECORD, hosts, Matcher(ExactEngine()), GradeOptions(**options)).rules


# ---- hosts -----------------------------------------------------------------------------------------------------------
def test_commands_of_a_host_run_in_rule_order_over_one_connection() -> None:
    hosts = FakeHosts()
    plan = plan_of(HostState(run="1"), HostState(run="2", on="b"), HostState(run="3", on="a"), HostState(run="1"))
    assert [rule.host for rule in graded(plan, hosts)] == ["a", "b", "a", "a"]
    assert hosts.asked == {"a": ["1", "3", "1"], "b": ["2"]}
    assert sorted(map(str, hosts.closed)) == ["a", "b"]


def test_hosts_run_side_by_side() -> None:
    together = threading.Barrier(3, timeout=10)

    def answer(host: str | None, command: str) -> HostAnswer:
        together.wait()
        return HostAnswer(host, command, exit_code=0)

    names = ("a", "b", "c")
    plan = plan_of(*(HostState(run="c", on=name) for name in names), hosts=names)
    assert [rule.status for rule in graded(plan, FakeHosts(answer))] == ["pass"] * 3


def test_plan_without_host_rules_opens_no_connection() -> None:
    hosts = FakeHosts()
    graded(plan_of(PatternMatch(where="executed_commands", pattern="x")), hosts)
    assert hosts.asked == {}


def test_undeclared_host_is_asked_for_as_the_only_one() -> None:
    hosts = FakeHosts(lambda _, command: HostAnswer("web", command, exit_code=0))
    assert graded(plan_of(HostState(run="c"), hosts=None), hosts)[0].host == "web"
    assert list(hosts.asked) == [None]


def test_playbooks_run_in_rule_order() -> None:
    hosts = FakeHosts(playbook_exit=2)
    rules = graded(plan_of(Ansible(path="b.yml"), Ansible(path="a.yml")), hosts)
    assert hosts.asked == {"playbooks": ["b.yml", "a.yml"]}
    assert [(rule.status, rule.exit_code, rule.stdout) for rule in rules] == [("fail", 2, "PLAY RECAP")] * 2


def test_playbook_that_did_not_run_is_an_error() -> None:
    (rule,) = graded(plan_of(Ansible(path="a.yml")), FakeHosts(playbook_exit=None))
    assert (rule.status, rule.reason) == ("error", "no ansible-playbook")


@pytest.mark.parametrize(
    ("problem", "unreachable", "status"),
    [
        ("timed out after 300 s", False, "fail"),
        ("killed by SIGKILL", False, "fail"),
        ("connection lost", True, "error"),
        ("which host? web has a, b", True, "error"),
    ],
)
def test_command_without_exit_status(problem: str, unreachable: bool, status: str) -> None:
    hosts = FakeHosts(lambda host, run: HostAnswer(host, run, problem=problem, unreachable=unreachable))
    (rule,) = graded(plan_of(HostState(run="c")), hosts)
    assert (rule.status, rule.reason) == (status, problem)
    assert (rule.exit_code, rule.stdout, rule.stderr) == (None, None, None)


def test_interrupt_closes_every_connection_and_goes_on_up() -> None:
    def interrupt(host: str | None, command: str) -> HostAnswer:
        raise KeyboardInterrupt

    hosts = FakeHosts(interrupt)
    with pytest.raises(KeyboardInterrupt):
        graded(plan_of(HostState(run="c")), hosts)
    assert hosts.all_closed
    assert hosts.closed == ["a"]


# ---- within ----------------------------------------------------------------------------------------------------------
def after(tries: int) -> Answer:
    """Fails until it has been asked this many times."""
    asked: list[str] = []

    def answer(host: str | None, command: str) -> HostAnswer:
        asked.append(command)
        return HostAnswer(host, command, exit_code=0 if len(asked) >= tries else 1)

    return answer


@pytest.mark.parametrize(("tries", "asked", "status"), [(1, 1, "pass"), (3, 3, "pass"), (4, 4, "pass"), (5, 4, "fail")])
def test_within_tries_again_each_second_until_the_time_is_over(tries: int, asked: int, status: str) -> None:
    hosts, clock = FakeHosts(after(tries)), FakeClock()
    (rule,) = graded(plan_of(HostState(run="c", within=3)), hosts, clock=clock)
    assert rule.status == status
    assert hosts.asked == {"a": ["c"] * asked}
    assert clock.slept == [1.0] * (asked - 1)


def test_within_tries_an_unreachable_host_again() -> None:
    answers = iter([HostAnswer("a", "c", problem="refused", unreachable=True), HostAnswer("a", "c", exit_code=0)])
    (rule,) = graded(plan_of(HostState(run="c", within=3)), FakeHosts(lambda *_: next(answers)), clock=FakeClock())
    assert rule.status == "pass"


def test_within_stops_when_interrupted() -> None:
    hosts = FakeHosts(lambda host, run: HostAnswer(host, run, problem="interrupted", unreachable=True))
    graded(plan_of(HostState(run="c", within=60)), hosts, clock=FakeClock())
    assert hosts.asked == {"a": ["c"]}


def test_within_reads_a_recorded_answer_once() -> None:
    hosts = FakeHosts(exits(1), live=False)
    (rule,) = graded(plan_of(HostState(run="c", within=60)), hosts, clock=FakeClock())
    assert hosts.asked == {"a": ["c"]}
    assert rule.reason == "exit status 1, expected 0 within 60 s"


# ---- scenarios, provenance, timing -----------------------------------------------------------------------------------
def test_record_of_another_scenario_is_reported_and_not_graded() -> None:
    plan, hosts = plan_of(HostState(run="c"), scenario="alpha"), FakeHosts()
    findings: list[Finding] = []
    record = RunRecord("r9", scenario="beta")
    result = grade(plan, record, hosts, Matcher(ExactEngine()), report=findings.append)
    assert (result.verdict, result.rules, result.compliance, result.resolution) == ("error", (), None, None)
    assert result.problem == "the record is of the scenario “beta”, the rules are of “alpha”"
    assert [(finding.code, "r9" in finding.message) for finding in findings] == [("GW703", True)]
    assert hosts.asked == {}


def test_any_scenario_grades_it() -> None:
    findings: list[Finding] = []
    options = GradeOptions(any_scenario=True)
    plan = plan_of(scenario="alpha")
    result = grade(plan, RunRecord("r", scenario="beta"), None, Matcher(ExactEngine()), options, report=findings.append)
    assert (result.problem, findings) == (None, [])


def test_ungraded_run_is_an_error_without_rules() -> None:
    result = ungraded(plan_of(scenario="alpha"), "broken.json", "line 3: not JSON", evidence="sha256:1")
    assert (result.verdict, result.run, result.problem) == ("error", "broken.json", "line 3: not JSON")
    assert (result.rules, result.compliance, result.resolution, result.implicit) == ((), None, None, ())
    assert result.provenance.evidence == "sha256:1"


def test_provenance_names_rules_and_evidence() -> None:
    plan = plan_of()
    provenance = grade(plan, RECORD, None, Matcher(ExactEngine())).provenance
    assert (provenance.rules, provenance.evidence) == (plan_digest(plan), "d")
    assert plan_digest(plan).startswith("sha256:")
    assert plan_digest(plan) != plan_digest(plan_of(hosts=None))
    given = grade(plan, RECORD, None, Matcher(ExactEngine()), GradeOptions(rules_digest="sha256:2")).provenance
    assert given.rules == "sha256:2"


def test_no_clock_is_read_into_a_result_unless_asked() -> None:
    plan = plan_of()
    assert grade(plan, RECORD, None, Matcher(ExactEngine())).timing is None
    timing = grade(plan, RECORD, None, Matcher(ExactEngine()), GradeOptions(timing=True)).timing
    assert timing is not None
    assert timing.started_at.endswith("+00:00")
    assert timing.seconds >= 0
