"""The files of a starter: rules with their tests, a run that they let pass, and, under classic rules, a playbook."""

from __future__ import annotations

import json
import shlex

from ...compiler.findings import Finding
from ...compiler.ir import (
    Ansible,
    AnyFact,
    EvidenceFact,
    ExpectRule,
    ExpectVerdict,
    HostAnswerFact,
    HostState,
    JobResolutionStatus,
    PatternMatch,
    PlaybookFact,
    Rule,
    RuleSet,
    TestBlock,
)
from ...compiler.ir_to_gate import ir_to_gate
from ..evidence.record import HostAnswer, Job, PlaybookAnswer, RunRecord, Task
from ..evidence.write_record import record_text
from .answers import Answers

PLAYBOOK = "validate.yml"
RUN = "runs/good.json"

_HEAD = """\
# Begun by `gatewright init`: make the rules say what a good run is, and the tests what they make of runs.
# `invocations` are the commands that were really run, one by one: no `sudo` before them, nothing that was only printed.

"""
_SAID = "It works again."


def starter_files(answers: Answers) -> dict[str, str]:
    """Texts by their paths in the scenario's folder."""
    files = {f"{answers.key}.gate": rules_text(answers), RUN: run_text(answers)}
    if answers.semantics == "classic":
        files[PLAYBOOK] = playbook_text(answers)
    return files


def rules_text(answers: Answers) -> str:
    """The `.gate` file, laid out."""

    def report(finding: Finding) -> None:
        raise AssertionError(finding.message)  # only keys of JSON are ever reported

    return _HEAD + ir_to_gate(rules_of(answers), report)


def rules_of(answers: Answers) -> RuleSet:
    rules = [
        Rule(label=answers.repair.done, check=PatternMatch(where="invocations", pattern=answers.repair.pattern)),
        *(
            Rule(label=_not_done(ban.said), negate=True, check=PatternMatch(where="invocations", pattern=ban.pattern))
            for ban in answers.bans
        ),
        Rule(label="Job resolved", check=JobResolutionStatus(statuses=("success", "partial"))),
        Rule(label="The machine is repaired", check=_check(answers)),
    ]
    return RuleSet(
        scenario=answers.key,
        title=answers.title,
        hosts=answers.hosts,
        semantics=answers.semantics,
        rules=tuple(rules),
        tests=tuple(_tests(answers)),
    )


def _not_done(said: str) -> str:
    return f"Did not run {said}"


def _check(answers: Answers) -> HostState | Ansible:
    if answers.semantics == "classic":
        return Ansible(path=PLAYBOOK)
    return HostState(on=answers.hosts[0], run=answers.check)


# ---- tests -----------------------------------------------------------------------------------------------------------


def _tests(answers: Answers) -> list[TestBlock]:
    repair = answers.repair.example
    tests = [
        TestBlock(
            name="a run that repairs the machine passes",
            facts=(_executed(repair), _answer(answers, 0)),
            expectations=(ExpectVerdict(verdict="passed"),),
        ),
        TestBlock(
            name="a run that does nothing fails",
            facts=(_answer(answers, 1),),
            expectations=(ExpectRule(status="fail", label=answers.repair.done), ExpectVerdict(verdict="failed")),
        ),
        TestBlock(
            name="printing the command is not running it",
            facts=(_executed(f"echo {shlex.quote(repair)}"), _answer(answers, 0)),
            expectations=(ExpectRule(status="fail", label=answers.repair.done),),
        ),
    ]
    if answers.bans:
        broken = [ExpectRule(status="fail", label=_not_done(ban.said)) for ban in answers.bans]
        tests.append(
            TestBlock(
                name="a repair does not make up for what is forbidden",
                facts=(_executed(repair, *(ban.example for ban in answers.bans)), _answer(answers, 0)),
                expectations=(*broken, ExpectVerdict(verdict="failed")),
            )
        )
    return tests


def _executed(*lines: str) -> EvidenceFact:
    return EvidenceFact(target="executed_commands", values=lines)


def _answer(answers: Answers, exit_code: int) -> AnyFact:
    if answers.semantics == "classic":
        return PlaybookFact(path=PLAYBOOK, exit_code=2 if exit_code else 0)
    return HostAnswerFact(on=answers.hosts[0], run=answers.check, exit_code=exit_code)


# ---- a run, a playbook -----------------------------------------------------------------------------------------------


def run_text(answers: Answers) -> str:
    """A run record that the rules let pass."""
    host = answers.hosts[0]
    is_classic = answers.semantics == "classic"
    task = Task(host=host, values={"executed_commands": (answers.repair.example,), "task_summary": (_SAID,)})
    record = RunRecord(
        id="good",
        scenario=answers.key,
        job=Job(status="completed", resolution_status="success", resolution=(_SAID,), tasks=(task,)),
        host_answers=() if is_classic else (HostAnswer(host, answers.check, 0),),
        playbooks=(PlaybookAnswer(PLAYBOOK, 0),) if is_classic else (),
    )
    return record_text(record, indent=2) + "\n"


def playbook_text(answers: Answers) -> str:
    """The check as a playbook. Strings of JSON are strings of YAML; braces in them are the shell's, not Ansible's."""
    return f"""\
# The machine is repaired when every task of this playbook ends well.
- name: The machine is repaired
  hosts: {json.dumps(answers.hosts[0])}
  gather_facts: false
  tasks:
    - name: Check
      ansible.builtin.shell:
        cmd: !unsafe {json.dumps(answers.check, ensure_ascii=False)}
      changed_when: false
"""
