"""Host evidence from a record: what hosts answered before, to exactly the same commands.

Nothing is run and nothing is guessed: a command that is not in the record has no answer. An answer without a
host belongs to the scenario's first host where the rules declare hosts, else to the only host that the record
names, else to whichever host is asked for. Several answers to one command are given in the order of the
record, the last one again and again, so that a record replays what happened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ..evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from .connections import HostConnection, NoConnection, unanswered


class RecordedEvidence:
    """The `host_answers` and `playbooks` of a run record. `hosts`: those that the rules declare, in their
    order."""

    live: bool = False

    def __init__(self, record: RunRecord, hosts: Sequence[str] | None = None) -> None:
        self._answers = record.host_answers
        self._playbooks = record.playbooks
        self._named = tuple(dict.fromkeys(answer.host for answer in self._answers if answer.host is not None))
        if hosts:
            self._unnamed: str | None = hosts[0]
        else:
            self._unnamed = self._named[0] if len(self._named) == 1 else None

    def connect(self, host: str | None) -> HostConnection:
        if not self._answers:
            return NoConnection(host, f"no connection to {host or 'the host'}: give --inventory")
        if host is None and len(self._named) > 1:
            return NoConnection(None, f"which host? the record has answers of {', '.join(self._named)}")
        wanted = host or self._unnamed
        answers: defaultdict[str, list[HostAnswer]] = defaultdict(list)
        for answer in self._answers:
            if self._belongs(answer, wanted):
                answers[answer.run].append(replace(answer, host=wanted))
        return _RecordedConnection(wanted, answers)

    def _belongs(self, answer: HostAnswer, wanted: str | None) -> bool:
        if answer.host is not None:
            return answer.host == wanted
        return self._unnamed == wanted or (self._unnamed is None and not self._named)

    def playbook(self, path: str) -> PlaybookAnswer:
        for answer in self._playbooks:
            if answer.path == path:
                return answer
        if not self._playbooks:
            return PlaybookAnswer(path, problem=f"no connection to run {path}: give --inventory")
        return PlaybookAnswer(path, problem=f"no recorded result of {path}")

    def close(self) -> None:
        pass


class _RecordedConnection:
    """The answers of one host by command; those that were given are dropped, but for the last."""

    def __init__(self, host: str | None, answers: dict[str, list[HostAnswer]]) -> None:
        self._host = host
        self._answers = answers

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        answers = self._answers.get(command)
        if not answers:
            return unanswered(self._host, command, f"no recorded answer of {self._host or 'the host'} for: {command}")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    def close(self) -> None:
        pass
