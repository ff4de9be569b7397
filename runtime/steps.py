"""`prepare` and `restore`: what breaks the machines before a run, and what repairs them afterwards.

    actions = actions_of(rules, "prepare", playbook=None)
    for result in run_actions(actions, LiveEvidence(inventory), go_on=False): …

Everything happens strictly in the order of the file, one thing after the other, also on several hosts: a step may rest
on what another host did before it. The playbook of a scenario folder comes after the steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..compiler.findings import GW104, Finding
from ..compiler.ir import AnyStep, RuleSet, RunStep, WriteStep
from .evidence.record import HostAnswer, PlaybookAnswer
from .hosts.connections import HostConnection, HostEvidence
from .hosts.write_file import write_file

Phase = Literal["prepare", "restore"]


@dataclass(frozen=True, slots=True)
class Playbook:
    """An Ansible playbook; the path is relative to the scenario file."""

    path: str


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do: a step on a host, or a playbook."""

    name: str
    """What reports call it: the step's name, else its command or path."""
    does: AnyStep | Playbook
    host: str | None = None
    """None: the only host that there is; of a playbook, which finds its hosts itself, always None."""


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What came of one action."""

    action: Action
    status: Literal["ok", "failed", "not run"]
    reason: str = ""
    """Why it failed or was not run, in a few words; of a playbook that ended well, what makes that say little."""
    errors: str = ""
    """Of a failed step what it wrote on standard error, of a failed playbook its tasks that failed, else its output."""
    seconds: float = 0.0
    unreachable: bool = False
    """It failed because the host could not be reached."""


def actions_of(rules: RuleSet, phase: Phase, playbook: str | None) -> tuple[Action, ...]:
    """The steps of one phase in the order of the file, on the scenario's first host where they name none; then the
    playbook, where the scenario's folder has one."""
    default = next(iter(rules.hosts or ()), None)
    steps = rules.prepare if phase == "prepare" else rules.restore
    actions = [Action(_name(step), step, step.on or default) for step in steps or ()]
    if playbook is not None:
        actions.append(Action(playbook, Playbook(playbook)))
    return tuple(actions)


def _name(step: AnyStep) -> str:
    return step.name or (step.run if isinstance(step, RunStep) else step.write)


def faults_of(actions: Iterable[Action]) -> Iterator[Finding]:
    """What can be seen to fail before anything is run (GW104): half a preparation is worse than none.

    Lone surrogates need no look: the IR cannot hold them.
    """
    for action in actions:
        match action.does:
            case RunStep(run=run) as step:
                if "\0" in run:
                    yield Finding(GW104, "the command holds U+0000, which no shell can be given", step.at("run"))
            case WriteStep(write=path) as step:
                if "\0" in path:
                    yield Finding(GW104, "no file has U+0000 in its name", step.at("write"))
                elif not path.startswith(("/", "~/")):
                    help_ = "it begins with “/”, or with “~/” for the home of the user who logs in"
                    yield Finding(GW104, f"the path “{path}” is not absolute", step.at("write"), help=help_)
                elif path.endswith("/"):
                    yield Finding(GW104, f"the path “{path}” is one of a folder", step.at("write"))
            case Playbook():
                pass


# ---- running them ----------------------------------------------------------------------------------------------------


def run_actions(
    actions: Sequence[Action],
    hosts: HostEvidence,
    *,
    go_on: bool,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ActionResult]:
    """Run the actions one by one; each result comes when its action has ended.

    `go_on` False: after the first failure the rest is not run. True: everything is run, but for the steps of a host
    that could not be reached. `hosts` stays open. `clock` counts seconds.
    """
    connections: dict[str | None, HostConnection] = {}
    out_of_reach: set[str | None] = set()
    stopped = False
    for action in actions:
        if stopped:
            yield ActionResult(action, "not run")
            continue
        if isinstance(action.does, Playbook):
            begun = clock()
            result = _of_playbook(action, hosts.playbook(action.does.path), clock() - begun)
        elif action.host in out_of_reach:
            yield ActionResult(action, "not run", f"{action.host or 'the host'} could not be reached before")
            continue
        else:
            if action.host not in connections:
                connections[action.host] = hosts.connect(action.host)
            begun = clock()
            result = _of_step(action, _do(action.does, connections[action.host]), clock() - begun)
            if result.unreachable:
                out_of_reach.add(action.host)
        stopped = result.status != "ok" and not go_on
        yield result


def _do(step: AnyStep, connection: HostConnection) -> HostAnswer:
    if isinstance(step, RunStep):
        return connection.run(step.run)
    return write_file(connection, step.write, step.content, sudo=step.sudo)


def _of_step(action: Action, answer: HostAnswer, seconds: float) -> ActionResult:
    if answer.problem is None and answer.exit_code == 0:
        return ActionResult(action, "ok", seconds=seconds)
    reason = answer.problem or _status(answer.exit_code)
    return ActionResult(action, "failed", reason, answer.stderr, seconds, answer.unreachable)


def _of_playbook(action: Action, answer: PlaybookAnswer, seconds: float) -> ActionResult:
    if answer.problem is None and answer.exit_code == 0:
        return ActionResult(action, "ok", answer.warning or "", seconds=seconds)
    reason = answer.problem or answer.fault or _status(answer.exit_code)
    failures = "\n".join(f"{failure.host}: {failure.task}: {failure.message}" for failure in answer.failures)
    unreachable = any(failure.unreachable for failure in answer.failures)
    return ActionResult(action, "failed", reason, failures or answer.errors or answer.output, seconds, unreachable)


def _status(code: int | None) -> str:
    return "no exit status" if code is None else f"exit status {code}"
