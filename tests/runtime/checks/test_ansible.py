from __future__ import annotations

import pytest

from gatewright.compiler.ir import Ansible, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.runtime.checks.ansible import evaluate
from gatewright.runtime.checks.gathered import Gathered
from gatewright.runtime.evidence.record import HostRecap, PlaybookAnswer, PlaybookFailure, RunRecord
from gatewright.runtime.result import Outcome

CHECK = Ansible(path="v.yml")


def outcome(semantics: str = "classic", **answer: object) -> Outcome:
    rules = RuleSet(rules=(Rule(label="Validate", check=CHECK),), semantics=semantics)  # type: ignore[arg-type]
    answers = {0: PlaybookAnswer("v.yml", **answer)}  # type: ignore[arg-type]
    gathered = Gathered(plan=ir_to_plan(rules), record=RunRecord("r"), host_answers={}, playbooks=answers, patterns={})
    return evaluate(CHECK, 0, gathered)


@pytest.mark.parametrize(
    ("code", "classic", "flat"), [(0, "pass", "pass"), (1, "fail", "error"), (2, "fail", "fail"), (4, "fail", "error")]
)
def test_the_exit_status_decides(code: int, classic: str, flat: str):
    assert outcome("classic", exit_code=code).status == classic
    assert outcome("flat", exit_code=code).status == flat
    assert outcome("classic", exit_code=code, fault="it cannot be read").status == classic


@pytest.mark.parametrize("semantics", ["classic", "flat"])
def test_without_an_exit_status_nothing_is_known(semantics: str):
    said = outcome(semantics, problem="v.yml timed out after 300 s")
    assert (said.status, said.reason, said.decided) == ("error", "v.yml timed out after 300 s", False)
    assert outcome(semantics).reason == "v.yml ended without an exit status"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"exit_code": 0}, "0"),
        ({"exit_code": 0, "recap": (HostRecap("a", ok=1),)}, "0 (1 host: 1 task ok)"),
        ({"exit_code": 0, "recap": (HostRecap("a", ok=2), HostRecap("b", ok=3, changed=1, skipped=2))},
         "0 (2 hosts: 5 tasks ok, 1 changed, 2 skipped)"),
        ({"exit_code": 0, "warning": "no host matched, so nothing was checked"},
         "0, but no host matched, so nothing was checked"),
        ({"exit_code": 2}, "2 (a task failed)"),
        ({"exit_code": 4}, "4 (a host was unreachable, or the playbook cannot be read)"),
        ({"exit_code": 250}, "250"),
        ({"exit_code": 4, "fault": "no such module (v.yml, line 3, column 5)"},
         "4, and nothing of it was run: no such module (v.yml, line 3, column 5)"),
        ({"exit_code": 2, "failures": (PlaybookFailure("a", "Serves", "no answer"),)},
         "2: “Serves” failed on a: no answer"),
        ({"exit_code": 2, "failures": (PlaybookFailure("a", "Serves", ""),)}, "2: “Serves” failed on a"),
        ({"exit_code": 4,
          "failures": (PlaybookFailure("a", "T", "refused", True), PlaybookFailure("b", "T", "refused", True),
                       PlaybookFailure("c", "U", "no"), PlaybookFailure("d", "U", "no")),
          "recap": (HostRecap("a", unreachable=1), HostRecap("c", ok=1, failed=1))},
         "4: a was unreachable: refused; “U” failed on c: no; and 2 more"
         " (2 hosts: 1 task ok, 1 unreachable, 1 failed)"),
    ],
)  # fmt: skip
def test_the_reason_says_what_is_known(answer: dict[str, object], reason: str):
    said = outcome(**answer)
    assert said.reason == f"v.yml ended with exit status {reason}"
    assert said.exit_code == answer["exit_code"]


def test_output_is_kept():
    said = outcome(exit_code=2, output="PLAY RECAP", errors="[WARNING]")
    assert (said.stdout, said.stderr) == ("PLAY RECAP", "[WARNING]")
    assert (outcome(exit_code=0).stdout, outcome(exit_code=0).stderr) == (None, None)
