"""`ansible`: a playbook ends with exit status 0 (classic page: "treats its exit code as pass/fail").

The flat page does not know this validator. Under flat semantics only status 2, a failed task, says something
about the machine; every other one (a host out of reach, a playbook that cannot be read) leaves the rule
unanswered.

A playbook that matched no host ends with 0 and passes, as Ansible has it; the reason says what it is worth.
"""

from __future__ import annotations

from dataclasses import replace

from ...compiler.ir import Ansible
from ..evidence.record import HostRecap, PlaybookAnswer, PlaybookFailure
from ..result import Outcome, could_not, passed_if
from .gathered import Gathered

TASK_FAILED = 2
"""The exit status of `ansible-playbook` when a task failed."""

_MEANINGS = {2: "a task failed", 4: "a host was unreachable, or the playbook cannot be read"}
"""What an exit status says by itself (ansible-core's `ExitCode`: 4 stands for both)."""


def evaluate(_check: Ansible, rule: int, gathered: Gathered) -> Outcome:
    answer = gathered.playbooks[rule]
    outcome = _outcome(answer, gathered.plan.semantics == "classic")
    return replace(
        outcome,
        exit_code=answer.exit_code,
        stdout=answer.output or None,
        stderr=answer.errors or None,
    )


def _outcome(answer: PlaybookAnswer, classic: bool) -> Outcome:
    code = answer.exit_code
    if answer.problem is not None or code is None:
        return could_not(answer.problem or f"{answer.path} ended without an exit status")
    said = f"{answer.path} ended with exit status {code}{_details(answer, code)}"
    return passed_if(code == 0, said) if classic or code in (0, TASK_FAILED) else could_not(said)


def _details(answer: PlaybookAnswer, code: int) -> str:
    """What is known beside the exit status, behind it in the sentence."""
    if answer.fault is not None:
        return f", and nothing of it was run: {answer.fault}"
    counts = f" ({_counts(answer.recap)})" if answer.recap else ""
    if answer.failures:
        return f": {_failures(answer.failures)}{counts}"
    if code == 0:
        return f", but {answer.warning}{counts}" if answer.warning is not None else counts
    return counts or (f" ({_MEANINGS[code]})" if code in _MEANINGS else "")


def _failures(failures: tuple[PlaybookFailure, ...]) -> str:
    """The first failure; of an unreachable host, and of a failed task, where there are both."""
    first: dict[bool, PlaybookFailure] = {}
    for failure in failures:
        first.setdefault(failure.unreachable, failure)
    more = len(failures) - len(first)
    return "; ".join(map(_failure, first.values())) + (f"; and {more} more" if more else "")


def _failure(failure: PlaybookFailure) -> str:
    what = f"{failure.host} was unreachable" if failure.unreachable else f"“{failure.task}” failed on {failure.host}"
    return f"{what}: {failure.message}" if failure.message else what


def _counts(recap: tuple[HostRecap, ...]) -> str:
    """`2 hosts: 5 tasks ok, 1 changed, 1 failed`: what there is none of is left out, but for ok."""
    sums = {name: sum(getattr(host, name) for host in recap) for name in HostRecap.__slots__ if name != "host"}
    ok = sums.pop("ok")
    said = [f"{ok} task{'' if ok == 1 else 's'} ok", *(f"{count} {name}" for name, count in sums.items() if count)]
    return f"{len(recap)} host{'' if len(recap) == 1 else 's'}: {', '.join(said)}"
