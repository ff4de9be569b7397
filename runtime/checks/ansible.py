"""`ansible`: a playbook ends with exit status 0 (classic page: "treats its exit code as pass/fail").

The flat page does not know this validator. Under flat semantics only status 2, a failed task, says something
about the machine; every other one (a host out of reach, a playbook that cannot be read) leaves the rule
unanswered.
"""

from __future__ import annotations

from dataclasses import replace

from ...compiler.ir import Ansible
from ..evidence.record import PlaybookAnswer
from ..result import Outcome, could_not, passed_if
from .gathered import Gathered

TASK_FAILED = 2
"""The exit status of `ansible-playbook` when a task failed."""


def evaluate(_check: Ansible, rule: int, gathered: Gathered) -> Outcome:
    answer = gathered.playbooks[rule]
    outcome = _outcome(answer, gathered.plan.semantics == "classic")
    return replace(outcome, exit_code=answer.exit_code, stdout=answer.output or None)


def _outcome(answer: PlaybookAnswer, classic: bool) -> Outcome:
    code = answer.exit_code
    if answer.problem is not None or code is None:
        return could_not(answer.problem or f"{answer.path} ended without an exit status")
    said = f"{answer.path} ended with exit status {code}"
    return passed_if(code == 0, said) if classic or code in (0, TASK_FAILED) else could_not(said)
