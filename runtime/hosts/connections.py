"""The one interface behind which host evidence comes from: a recorded answer, this machine, a machine over SSH.

A connection knows a command and a host, not a rule. Whatever goes wrong on the way is an answer with a `problem`, never
an exception: a host that does not answer must not keep other hosts from being asked.
"""

from __future__ import annotations

from typing import Protocol

from ..evidence.record import HostAnswer, PlaybookAnswer


class HostConnection(Protocol):
    """An open way to one host; kept for all its commands, closed at the end."""

    def run(self, command: str) -> HostAnswer:
        """Run one command as `ssh HOST CMD` would, and say how it ended."""
        ...

    def close(self) -> None: ...


class HostEvidence(Protocol):
    """Where host evidence comes from."""

    live: bool
    """Whether commands are really run, so that trying again can change the answer."""

    def connect(self, host: str | None) -> HostConnection:
        """A connection to a host of the scenario; None: the only host there is. Never raises for want of a host:
        such a connection answers every command with the reason."""
        ...

    def playbook(self, path: str) -> PlaybookAnswer:
        """How the playbook ended, or why it did not run."""
        ...
