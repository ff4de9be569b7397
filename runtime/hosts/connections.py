"""The one interface behind which host evidence comes from: a recorded answer, this machine, a machine over
SSH.

A connection knows a command and a host, not a rule. Whatever goes wrong on the way is an answer with a
`problem`, never an exception: a host that does not answer must not keep other hosts from being asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..evidence.record import HostAnswer, PlaybookAnswer


class TimeLeft(float):
    """The time limit (seconds) of a further try of a command: what is left of its `within`.

    A first try is given a plain number or none, so that whoever records a connection can tell the two apart: of all
    tries only the last one counts.
    """


class HostConnection(Protocol):
    """An open way to one host; kept for all its commands, closed at the end."""

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        """Run one command as `ssh HOST CMD` would, and say how it ended.

        `time_limit` (seconds) for this command, where it is less than the connection's own. `stdin`: what its standard
        input holds; None: closed from the start.
        """
        ...

    def close(self) -> None:
        """End the command that still runs, if any. May be called from another thread, and more than once;
        every later command is answered with the reason “interrupted”."""
        ...


class HostEvidence(Protocol):
    """Where host evidence comes from."""

    live: bool
    """Whether commands are really run, so that trying again can change the answer."""

    def connect(self, host: str | None) -> HostConnection:
        """A connection to a host of the scenario; None: the only host there is. Never raises for want of a
        host: such a connection answers every command with the reason."""
        ...

    def playbook(self, path: str) -> PlaybookAnswer:
        """How the playbook ended, or why it did not run."""
        ...

    def close(self) -> None:
        """Close every connection that `connect` gave out: called at the end, and from the main thread when
        the user interrupts, so that no worker thread goes on waiting for its command."""
        ...


def unanswered(host: str | None, command: str, reason: str) -> HostAnswer:
    """The answer of a host that could not be asked. It says nothing about the agent, so its rule is
    `error`."""
    return HostAnswer(host, command, problem=reason, unreachable=True)


@dataclass(frozen=True, slots=True)
class NoConnection:
    """A connection that could not be made: answers every command with the reason."""

    host: str | None
    reason: str

    def run(self, command: str, time_limit: float | None = None, stdin: bytes | None = None) -> HostAnswer:
        return unanswered(self.host, command, self.reason)

    def close(self) -> None:
        pass
