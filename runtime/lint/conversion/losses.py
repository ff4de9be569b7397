"""GW601, GW603, GW604: what a conversion would refuse, say in other words, or leave behind.

Found by converting; nothing is written. GW109 comes with them, for targets that classic runners may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ....compiler.convert import convert
from ....compiler.findings import GW109, GW601, GW603, GW604, Finding
from ....compiler.form_checks import check_form
from ....compiler.ir import PatternMatch, Rule, RuleSet
from ....compiler.vocabulary import TARGETS
from ..scene import Scene

_TOLD = frozenset({GW109, GW601, GW603, GW604})


def check(scene: Scene) -> Iterator[Finding]:
    form, loaded = scene.options.target, scene.loaded
    if form is None or form == loaded.form:
        return
    rules = loaded.rules
    sound = tuple(rule for rule in rules.rules if _is_sound(rule, rules))
    if len(sound) < len(rules.rules):
        rules = rules.model_copy(update={"rules": sound})
    findings: list[Finding] = []
    convert(replace(loaded, rules=rules), form, findings.append)
    yield from (finding for finding in findings if finding.kind in _TOLD)


def is_known(rule: Rule) -> bool:
    """Whether a rule reads a target that there is; of others no form can be asked."""
    return not isinstance(rule.check, PatternMatch) or rule.check.where in TARGETS


def _is_sound(rule: Rule, rules: RuleSet) -> bool:
    """Whether a rule makes sense by itself; one that does not has its error, and no form may be able to write it."""
    findings: list[Finding] = []
    alone = {"rules": (rule,), "hosts": None, "prepare": None, "restore": None, "tests": ()}
    check_form(rules.model_copy(update=alone), findings.append)
    return not any(finding.is_error for finding in findings)
