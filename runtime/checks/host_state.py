"""`host_state`: a shell command on a host ends with the expected exit status (flat page, 0.19).

"If the host does not answer at all, the run ends in Error": an unreachable host says nothing about the agent.
A command that ran and gave no exit status (out of time, killed) fails.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Protocol

from ...compiler.ir import HostState
from ...compiler.plan import HostCommand
from ..evidence.record import HostAnswer
from ..hosts.connections import HostConnection, TimeLeft
from ..result import Outcome, could_not, no_evidence, passed_if
from .gathered import Gathered

INTERRUPTED = "interrupted"
"""The `problem` of an answer from a connection that was closed: no later try can do better."""


class Clock(Protocol):
    """The time, to wait by; tests bring their own."""

    def now(self) -> float:
        """Seconds since whenever; never goes back."""
        ...

    def sleep(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def ask(connection: HostConnection, command: HostCommand, *, live: bool, clock: Clock) -> HostAnswer:
    """Run the command; with `within`, where trying again can change the answer, each second until it holds.

    The last answer counts. The last try begins no later than `within` seconds after the first, and every try ends with
    that time; one second is the least that it is given.
    """
    begun = clock.now()
    if not live or command.within is None:
        return connection.run(command.run)
    answer = connection.run(command.run, command.within)
    while not _holds(answer, command.exit_code):
        if answer.problem == INTERRUPTED or clock.now() - begun + 1 > command.within:
            break
        clock.sleep(1)
        answer = connection.run(command.run, TimeLeft(max(1.0, begun + command.within - clock.now())))
    return answer


def evaluate(check: HostState, rule: int, gathered: Gathered) -> Outcome:
    host = check.on or next(iter(gathered.plan.hosts or ()), None)
    answer = gathered.host_answers[rule]
    ended = answer.exit_code is not None
    return replace(
        _outcome(answer, check),
        host=answer.host or host,
        exit_code=answer.exit_code,
        stdout=answer.stdout if ended else answer.stdout or None,
        stderr=answer.stderr if ended else answer.stderr or None,
    )


def _outcome(answer: HostAnswer, check: HostState) -> Outcome:
    if answer.unreachable or (answer.problem is None and answer.exit_code is None):
        return could_not(answer.problem or "no exit status")
    if answer.problem is not None:
        return no_evidence(answer.problem)
    if _holds(answer, check.exit_code):
        return passed_if(True, f"exit status {answer.exit_code}")
    within = f" within {check.within} s" if check.within is not None else ""
    return passed_if(False, f"exit status {answer.exit_code}, expected {check.exit_code}{within}")


def _holds(answer: HostAnswer, exit_code: int) -> bool:
    return answer.problem is None and answer.exit_code == exit_code
