"""GW312: more than one playbook, or one that is not called `validate.yml`.

The format's documentation (0.16) knows one playbook, `validate.yml`. Gatewright runs every one that a rule names; which
of them another grader runs is not stated.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW312, Finding, Label
from ....compiler.ir import Ansible, Rule
from ..scene import Scene
from .places import once_a_place

_USUAL = "validate.yml"


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    playbooks = [(rule, rule.check) for rule in scene.rules.rules if isinstance(rule.check, Ansible)]
    for number, (rule, playbook) in enumerate(playbooks):
        if number > 0:
            yield _several(scene, rule, playbook, playbooks[0][1], len(playbooks))
        elif playbook.path.removeprefix("./") != _USUAL:
            yield _other_name(scene, rule, playbook)


def _several(scene: Scene, rule: Rule, playbook: Ansible, first: Ansible, count: int) -> Finding:
    place, first_place = playbook.at("path"), first.at("path")
    labels = () if first_place is None or first_place == place else (Label(first_place, "the first one"),)
    message = f"{count} rules run a playbook; {_gate(scene)}"
    help_ = f"do all checks in one playbook, {_USUAL}: other graders run that one"
    return Finding(GW312, message, place, labels, help_, rule.label)


def _other_name(scene: Scene, rule: Rule, playbook: Ansible) -> Finding:
    message = f"the playbook is not called {_USUAL}; {_gate(scene)}"
    help_ = f"call it {_USUAL}: other graders look for that name"
    return Finding(GW312, message, playbook.at("path"), help=help_, rule=rule.label)


def _gate(scene: Scene) -> str:
    """Which gate playbooks decide here, as a clause."""
    if scene.rules.semantics == "classic":
        return "here every playbook decides the resolution gate, required or not"
    return "here every required playbook decides the remediation gate"
