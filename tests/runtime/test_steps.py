"""Running the steps of `prepare` and `restore`: order, what a failure stops, what is known before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gatewright.compiler.ir import AnyStep, RuleSet, RunStep, WriteStep
from gatewright.grammar.text import Source
from gatewright.runtime.evidence.record import HostAnswer, PlaybookAnswer, PlaybookFailure
from gatewright.runtime.hosts.connections import NoConnection
from gatewright.runtime.hosts.inventory import parse_inventory
from gatewright.runtime.hosts.live import LiveEvidence
from gatewright.runtime.steps import Action, ActionResult, actions_of, faults_of, run_actions


def run(command: str, on: str | None = None, name: str | None = None) -> RunStep:
    return RunStep(name=name, run=command, on=on)


class FakeHosts:
    """Hosts that answer by a function, and remember who was asked what."""

    live = True

    def __init__(
        self,
        answer: Callable[[str | None, str], HostAnswer] = lambda host, run: HostAnswer(host, run, 0),
        playbook: PlaybookAnswer | None = None,
    ) -> None:
        self.answer = answer
        self.asked: list[tuple[str | None, str]] = []
        self.connected: list[str | None] = []
        self._playbook = playbook

    def connect(self, host: str | None):
        hosts = self
        self.connected.append(host)

        class Connection:
            def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
                hosts.asked.append((host, command))
                return hosts.answer(host, command)

            def close(self) -> None:
                pass

        return Connection()

    def playbook(self, path: str) -> PlaybookAnswer:
        self.asked.append((None, path))
        return self._playbook or PlaybookAnswer(path, 0)

    def close(self) -> None:
        pass


def prepared(
    steps: Sequence[AnyStep], hosts: FakeHosts, *, go_on: bool = False, playbook: str | None = None
) -> list[ActionResult]:
    rules = RuleSet(hosts=("web-01", "web-02", "db-01"), prepare=tuple(steps))
    return list(run_actions(actions_of(rules, "prepare", playbook), hosts, go_on=go_on))


def statuses(results: Sequence[ActionResult]) -> list[str]:
    return [result.status for result in results]


# ---- what is to be done ----------------------------------------------------------------------------------------------


def test_steps_run_on_the_first_host_unless_they_name_one():
    rules = RuleSet(hosts=("web-01", "web-02"), prepare=(run("a"), run("b", "web-02")), restore=(run("c", name="C"),))
    assert [(action.name, action.host) for action in actions_of(rules, "prepare", None)] == [
        ("a", "web-01"),
        ("b", "web-02"),
    ]
    assert [(action.name, action.host) for action in actions_of(rules, "restore", "restore.yml")] == [
        ("C", "web-01"),
        ("restore.yml", None),
    ]


def test_without_declared_hosts_it_is_the_only_host_there_is():
    write = WriteStep(write="/etc/x", content="")
    assert actions_of(RuleSet(prepare=(write,)), "prepare", None) == (Action("/etc/x", write, None),)
    assert actions_of(RuleSet(), "restore", None) == ()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (run("a\0b"), "the command holds U+0000, which no shell can be given"),
        (WriteStep(write="etc/x", content=""), "the path “etc/x” is not absolute"),
        (WriteStep(write="~root/x", content=""), "the path “~root/x” is not absolute"),
        (WriteStep(write="-x", content=""), "the path “-x” is not absolute"),
        (WriteStep(write="/etc/", content=""), "the path “/etc/” is one of a folder"),
        (WriteStep(write="/a\0", content=""), "no file has U+0000 in its name"),
    ],
)
def test_what_is_bound_to_fail_is_known_before(step: AnyStep, words: str):
    findings = list(faults_of(actions_of(RuleSet(prepare=(run("true"), step)), "prepare", None)))
    assert [(finding.code, finding.message) for finding in findings] == [("GW104", words)]


def test_what_can_be_done_has_no_faults():
    steps = (run("a\n€"), WriteStep(write="~/.x", content="\0\U0001f600"), WriteStep(write="/a b/'\n", content=""))
    assert list(faults_of(actions_of(RuleSet(prepare=steps), "prepare", "prepare.yml"))) == []


# ---- order and failures ----------------------------------------------------------------------------------------------


def test_everything_runs_in_the_order_of_the_file_over_one_connection_a_host():
    hosts = FakeHosts()
    steps = [run("a"), run("b", "web-02"), run("c"), run("d", "db-01"), run("e", "web-02")]
    assert statuses(prepared(steps, hosts, playbook="prepare.yml")) == ["ok"] * 6
    assert hosts.asked == [
        ("web-01", "a"),
        ("web-02", "b"),
        ("web-01", "c"),
        ("db-01", "d"),
        ("web-02", "e"),
        (None, "prepare.yml"),
    ]
    assert hosts.connected == ["web-01", "web-02", "db-01"]


def failing(host: str | None, command: str) -> HostAnswer:
    match command:
        case "bad":
            return HostAnswer(host, command, 7, "out", "err\n")
        case "slow":
            return HostAnswer(host, command, None, "", "so far", problem="timed out after 300 s")
        case "gone":
            return HostAnswer(host, command, problem="connection lost", unreachable=True)
        case _:
            return HostAnswer(host, command, 0, "", "a warning")


@pytest.mark.parametrize(
    ("command", "reason", "errors", "unreachable"),
    [
        ("bad", "exit status 7", "err\n", False),
        ("slow", "timed out after 300 s", "so far", False),
        ("gone", "connection lost", "", True),
    ],
)
def test_prepare_stops_at_the_first_failure(command: str, reason: str, errors: str, unreachable: bool):
    hosts = FakeHosts(failing)
    good, failed, *rest = prepared([run("a"), run(command), run("b"), run("c", "web-02")], hosts, playbook="p.yml")
    assert (good.status, good.reason, good.errors) == ("ok", "", "")
    assert (failed.status, failed.reason, failed.errors) == ("failed", reason, errors)
    assert failed.unreachable == unreachable
    assert statuses(rest) == ["not run"] * 3
    assert [asked for _, asked in hosts.asked] == ["a", command]


def test_restore_goes_on_but_not_on_a_host_that_is_out_of_reach():
    hosts = FakeHosts(failing)
    steps = [run("bad"), run("a"), run("gone", "web-02"), run("b", "web-02"), run("c"), run("slow")]
    results = prepared(steps, hosts, go_on=True, playbook="p.yml")
    assert statuses(results) == ["failed", "ok", "failed", "not run", "ok", "failed", "ok"]
    assert results[3].reason == "web-02 could not be reached before"
    assert [asked for _, asked in hosts.asked] == ["bad", "a", "gone", "c", "slow", "p.yml"]


def test_the_answer_of_a_host_that_cannot_be_reached_is_why():
    class Unreachable(FakeHosts):
        def connect(self, host: str | None):
            return NoConnection(host, f"cannot reach {host}")

    for step in (run("a"), WriteStep(write="/x", content="y")):
        (result,) = prepared([step], Unreachable())
        assert (result.status, result.reason, result.unreachable) == ("failed", "cannot reach web-01", True)


def test_results_come_one_by_one():
    hosts = FakeHosts()
    results = run_actions(actions_of(RuleSet(prepare=(run("a"), run("b"))), "prepare", None), hosts, go_on=False)
    assert next(results).action.name == "a"
    assert [asked for _, asked in hosts.asked] == ["a"]


def test_the_time_is_that_of_the_step():
    ticks = iter([10.0, 12.5, 20.0, 21.0])
    actions = actions_of(RuleSet(prepare=(run("a"),)), "prepare", "p.yml")
    results = run_actions(actions, FakeHosts(), go_on=False, clock=lambda: next(ticks))
    assert [result.seconds for result in results] == [2.5, 1.0]


FAILED = PlaybookFailure("web-01", "Stopping nginx", "no such service")
LOST = PlaybookFailure("web-02", "Gathering Facts", "Failed to connect", unreachable=True)


@pytest.mark.parametrize(
    ("answer", "status", "reason", "errors"),
    [
        (PlaybookAnswer("p.yml", 0, output="fine"), "ok", "", ""),
        (PlaybookAnswer("p.yml", 0, warning="no host matched"), "ok", "no host matched", ""),
        (PlaybookAnswer("p.yml", 2, output="fatal"), "failed", "exit status 2", "fatal"),
        (PlaybookAnswer("p.yml", 4, output="fatal", errors="no!", fault="not YAML"), "failed", "not YAML", "no!"),
        (
            PlaybookAnswer("p.yml", 2, output="fatal", failures=(FAILED,)),
            "failed",
            "exit status 2",
            "web-01: Stopping nginx: no such service",
        ),
        (
            PlaybookAnswer("p.yml", problem="no ansible-playbook", output="so far"),
            "failed",
            "no ansible-playbook",
            "so far",
        ),
        (PlaybookAnswer("p.yml"), "failed", "no exit status", ""),
    ],
)
def test_a_playbook_must_end_with_0(answer: PlaybookAnswer, status: str, reason: str, errors: str):
    (result,) = prepared([], FakeHosts(playbook=answer), playbook="p.yml")
    assert (result.status, result.reason, result.errors, result.unreachable) == (status, reason, errors, False)


def test_a_playbook_that_cannot_reach_a_host_says_so():
    (result,) = prepared([], FakeHosts(playbook=PlaybookAnswer("p.yml", 4, failures=(FAILED, LOST))), playbook="p.yml")
    assert result.unreachable
    assert result.errors.endswith("\nweb-02: Gathering Facts: Failed to connect")


# ---- on this machine -------------------------------------------------------------------------------------------------


def test_steps_really_happen(tmp_path: Path):
    file, log = tmp_path / "site.conf", tmp_path / "log"
    steps = (
        WriteStep(write=str(file), content="server_name example.test;\n"),
        run(f"cat {file} >> {log}; stat -c %a {file} >> {log}", "web-02"),
        WriteStep(write=str(file), content="no line end", on="web-02"),
        run(f"cat {file} >> {log}"),
        WriteStep(write=str(tmp_path), content="text"),
        run(f"rm {log}"),
    )
    source = Source(
        "hosts.toml", '[defaults]\nconnection = "local"\nshell = "/bin/sh"\n[hosts.web-01]\n[hosts.web-02]\n'
    )
    inventory = parse_inventory(source, tmp_path, pytest.fail)
    assert inventory is not None
    hosts = LiveEvidence(inventory)
    actions = actions_of(RuleSet(hosts=("web-01", "web-02"), prepare=steps), "prepare", None)
    results = list(run_actions(actions, hosts, go_on=False))
    hosts.close()
    assert statuses(results) == ["ok"] * 4 + ["failed", "not run"]
    assert log.read_text() == "server_name example.test;\n644\nno line end"
    assert results[4].errors == "the path is a directory\n"
