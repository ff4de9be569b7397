"""Run records in memory: everything that is known of one execution of a scenario by an agent.

The distinction that all grading rests on is in the types: evidence is a tuple of values, `()` where there are none, and
`None` where the record does not say (unavailable evidence never passes a rule).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

RUN_SCHEMA = "gatewright/run/1"
BUNDLE_SCHEMA = "gatewright/bundle/1"

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
class PlaybookFailure:
    """A task that failed on a host, and was neither ignored nor rescued."""

    host: str
    task: str
    message: str
    """One line: what Ansible says of it."""
    unreachable: bool = False
    """The host could not be reached for the task."""


@dataclass(frozen=True, slots=True)
class HostRecap:
    """How many tasks of a playbook ended how on one host: a line of Ansible's recap."""

    host: str
    ok: int = 0
    """Those that changed something included."""
    changed: int = 0
    unreachable: int = 0
    failed: int = 0
    skipped: int = 0
    rescued: int = 0
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class PlaybookAnswer:
    """How one playbook ended: with an exit status, or with a problem. All else may be unknown: `""`, None, `()`."""

    path: str
    exit_code: int | None = None
    problem: str | None = None
    """Why there is no exit status: it was not run, or it was stopped; None when there is one."""
    output: str = ""
    """What `ansible-playbook` wrote to standard output."""
    errors: str = ""
    """What it wrote to standard error."""
    fault: str | None = None
    """Why nothing of the playbook was run, although there is an exit status: it cannot be read, say."""
    warning: str | None = None
    """What makes an exit status of 0 say less than it seems to: no host matched, no task ran."""
    failures: tuple[PlaybookFailure, ...] = ()
    """What failed, in order; of very many only the first."""
    recap: tuple[HostRecap, ...] = ()
    """One a host that a play reached out to, by name."""


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
