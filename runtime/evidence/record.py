"""Run records in memory: everything that is known of one execution of a scenario by an agent.

The distinction that all grading rests on is in the types: evidence is a tuple of values, `()` where there are none, and
`None` where the record does not say (unavailable evidence never passes a rule).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

RUN_SCHEMA = "gatewright/run/1"

Values = tuple[str, ...] | None
"""The values of a target: `()` is empty, None is unavailable."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task of the job."""

    id: str | None = None
    host: str | None = None
    turn: int | None = None
    started_at: datetime | None = None
    """With time zone; UTC where the record gives none."""
    ended_at: datetime | None = None
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Values by task target; a target that is not a key is unavailable."""


@dataclass(frozen=True, slots=True)
class Job:
    """The job's own record. Every None is *unavailable*."""

    status: str | None = None
    resolution_status: str | None = None
    resolution: Values = None
    plan: Values = None
    tasks: tuple[Task, ...] | None = None


@dataclass(frozen=True, slots=True)
class Ticket:
    """The ticket of a run that came through the gateway."""

    status: str | None = None
    messages: Values = None


@dataclass(frozen=True, slots=True)
class HostAnswer:
    """How one command on one host ended. `host` None: the only host there is."""

    host: str | None
    run: str
    exit_code: int | None = None
    stdout: str = ""
    stderr: str = ""
    problem: str | None = None
    """Why there is no exit status: `unreachable`, `timed out`, `killed by SIGKILL`, …; None when there is one."""
    unreachable: bool = False
    """The host did not answer: says nothing about the agent. Every other problem is a failure of the command."""


@dataclass(frozen=True, slots=True)
class PlaybookAnswer:
    """How one playbook ended. `problem`: why there is no exit status."""

    path: str
    exit_code: int | None = None
    problem: str | None = None
    output: str = ""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The evidence of one run. `ticket` None: the run had no ticket."""

    id: str
    scenario: str | None = None
    job: Job = field(default_factory=Job)
    ticket: Ticket | None = None
    host_answers: tuple[HostAnswer, ...] = ()
    playbooks: tuple[PlaybookAnswer, ...] = ()
    digest: str = ""
    """`sha256:…` of the bytes the record was read from, for the provenance of results."""
