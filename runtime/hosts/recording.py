"""Host evidence that is remembered as it is fetched, for a bundle.

    recording = RecordingEvidence(LiveEvidence(inventory))
    result = grade(plan, record, recording, matcher)
    bundle = recording.bundle(record, plan.scenario)        # graded again, it gives an equal result

What comes through is handed on unchanged. Of the tries of one `within` only the last is kept, for it alone decides and
recorded answers are not tried again; everything else is kept, the answers of hosts that could not be reached included.
"""

from __future__ import annotations

import threading

from ..evidence.bundle import AskedHost, Bundle
from ..evidence.record import HostAnswer, PlaybookAnswer, RunRecord
from ..version import version
from .connections import HostConnection, HostEvidence, TimeLeft


class RecordingEvidence:
    """`inner`, remembered. `once`: every command is run a single time, as if trying again could change nothing."""

    def __init__(self, inner: HostEvidence, *, once: bool = False) -> None:
        self.live: bool = inner.live and not once
        self._inner = inner
        self._lock = threading.Lock()
        self._asked: dict[str | None, list[list[HostAnswer]]] = {}
        """By the name asked for: the answers that came over each connection, in the order of connecting."""
        self._playbooks: list[PlaybookAnswer] = []

    def connect(self, host: str | None) -> HostConnection:
        answers: list[HostAnswer] = []
        with self._lock:
            self._asked.setdefault(host, []).append(answers)
        return _RecordedConnection(self._inner.connect(host), answers)

    def playbook(self, path: str) -> PlaybookAnswer:
        answer = self._inner.playbook(path)
        with self._lock:
            self._playbooks.append(answer)
        return answer

    def close(self) -> None:
        self._inner.close()

    def bundle(self, record: RunRecord | None, scenario: str | None = None) -> Bundle:
        """What has been fetched so far, with the run that it was fetched for (None: a baseline). The scenario is that
        of the rules; None: that of the record.

        Hosts stand by name, so that it does not matter which of them answered first.
        """
        with self._lock:
            asked = {host: sum(map(tuple, lists), ()) for host, lists in self._asked.items()}
            playbooks = tuple(self._playbooks)
        names = sorted(asked, key=lambda host: (host is not None, host or ""))
        return Bundle(
            record=record,
            hosts=tuple(AskedHost(host, asked[host]) for host in names if asked[host]),
            playbooks=playbooks,
            scenario=scenario or (None if record is None else record.scenario),
            live=self._inner.live,
            version=version(),
        )


class _RecordedConnection:
    """A connection whose answers are kept. Used by one thread at a time, like every connection."""

    def __init__(self, inner: HostConnection, answers: list[HostAnswer]) -> None:
        self._inner = inner
        self._answers = answers

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        answer = self._inner.run(command, time_limit, stdin)
        if isinstance(time_limit, TimeLeft) and self._answers:
            self._answers[-1] = answer
        else:
            self._answers.append(answer)
        return answer

    def close(self) -> None:
        self._inner.close()
