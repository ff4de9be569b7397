"""What is fetched is handed on unchanged and remembered: per host in order, from several threads, of tries the last."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from gatewright.runtime.evidence.bundle import AskedHost
from gatewright.runtime.evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from gatewright.runtime.hosts.connections import NoConnection, TimeLeft
from gatewright.runtime.hosts.recorded import RecordedEvidence
from gatewright.runtime.hosts.recording import RecordingEvidence
from gatewright.runtime.version import version


@dataclass
class Hosts:
    """Answers with the number of the question; remembers what it was asked and closed."""

    live: bool = True
    asked: list[tuple[str | None, str, float | None, bytes | None]] = field(default_factory=list)
    closed: list[str | None] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def connect(self, host: str | None) -> Connection:
        return Connection(self, host)

    def playbook(self, path: str) -> PlaybookAnswer:
        return PlaybookAnswer(path, len(path))

    def close(self) -> None:
        self.closed.append("all")


@dataclass
class Connection:
    hosts: Hosts
    host: str | None

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        with self.hosts.lock:
            self.hosts.asked.append((self.host, command, time_limit, stdin))
            return HostAnswer(self.host or "only", command, 0, stdout=str(len(self.hosts.asked)))

    def close(self) -> None:
        self.hosts.closed.append(self.host)


def test_questions_and_answers_pass_through_unchanged() -> None:
    hosts = Hosts()
    recording = RecordingEvidence(hosts)
    connection = recording.connect("a")
    answer = connection.run("x", 3.0, b"in")
    assert hosts.asked == [("a", "x", 3.0, b"in")]
    assert answer == HostAnswer("a", "x", 0, stdout="1")
    assert recording.playbook("p.yml") == PlaybookAnswer("p.yml", 5)
    connection.close()
    recording.close()
    assert hosts.closed == ["a", "all"]


@pytest.mark.parametrize("live", [True, False])
def test_it_is_live_where_what_it_wraps_is(live: bool) -> None:
    assert RecordingEvidence(Hosts(live=live)).live == live
    assert not RecordingEvidence(Hosts(live=live), once=True).live
    assert RecordingEvidence(Hosts(live=live), once=True).bundle(None).live == live


def test_answers_are_kept_by_the_name_asked_for_in_the_order_of_asking() -> None:
    recording = RecordingEvidence(Hosts())
    for host, command in (("b", "2"), (None, "1"), ("a", "3"), ("b", "4"), ("b", "2")):
        recording.connect(host).run(command)
    bundle = recording.bundle(RunRecord("r", "from the record"))
    assert [(group.asked, [answer.run for answer in group.answers]) for group in bundle.hosts] == [
        (None, ["1"]),
        ("a", ["3"]),
        ("b", ["2", "4", "2"]),
    ]
    assert (bundle.scenario, bundle.version, bundle.redacted) == ("from the record", version(), False)
    assert recording.bundle(None, "given").scenario == "given"


def test_a_host_that_was_asked_nothing_is_left_out() -> None:
    recording = RecordingEvidence(Hosts())
    recording.connect("a")
    assert recording.bundle(None).hosts == ()


def test_of_the_tries_of_one_question_the_last_is_kept() -> None:
    recording = RecordingEvidence(Hosts())
    connection = recording.connect("a")
    connection.run("x", 30)
    connection.run("x", TimeLeft(29.0))
    connection.run("x", TimeLeft(10.0))
    connection.run("x", 10)
    connection.run("x")
    (group,) = recording.bundle(None).hosts
    assert [answer.stdout for answer in group.answers] == ["3", "4", "5"]


def test_hosts_that_cannot_be_reached_are_remembered_too() -> None:
    @dataclass
    class Unreachable(Hosts):
        def connect(self, host: str | None) -> NoConnection:  # pyright: ignore[reportIncompatibleMethodOverride]
            return NoConnection(host, "no route to host")

    recording = RecordingEvidence(Unreachable())
    recording.connect("a").run("x")
    answer = HostAnswer("a", "x", problem="no route to host", unreachable=True)
    assert recording.bundle(None).hosts == (AskedHost("a", (answer,)),)


def test_recorded_answers_can_be_recorded() -> None:
    record = RunRecord("r", host_answers=(HostAnswer("a", "x", 3),), playbooks=(PlaybookAnswer("p.yml", 0),))
    recording = RecordingEvidence(RecordedEvidence(record))
    recording.connect("a").run("x")
    recording.playbook("p.yml")
    bundle = recording.bundle(record)
    assert not bundle.live
    assert bundle.hosts == (AskedHost("a", record.host_answers),)
    assert bundle.playbooks == record.playbooks


def test_many_threads_lose_nothing() -> None:
    recording = RecordingEvidence(Hosts())

    def ask(number: int) -> None:
        connection = recording.connect(f"host-{number % 7}")
        for command in range(20):
            connection.run(str(command))
        recording.playbook(str(number))

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(70)))
    bundle = recording.bundle(None)
    assert [group.asked for group in bundle.hosts] == [f"host-{number}" for number in range(7)]
    for group in bundle.hosts:
        assert [answer.run for answer in group.answers] == [str(command) for command in range(20)] * 10
    assert len(bundle.playbooks) == 70
