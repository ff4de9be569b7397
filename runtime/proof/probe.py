"""The probe: all impostors and the honest run, graded by the rules that are on trial.

found = probe(rules, matcher)
found.is_sound                  # no impostor passes, and the honest run does
found.passing                   # the impostors' runs that pass
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ...compiler.ir import RuleSet
from ...compiler.plan import Gates
from ...compiler.vocabulary import Semantics
from ..matching import Matcher, default_engine
from ..result import Result, Verdict
from .build import Builder
from .honest import Honest, HonestRun, honest_of
from .impostors import Impostor, Name, echoer, idle_runs, is_beyond, talker, vandals

NAMES: tuple[Name, ...] = ("idle", "talker", "echoer", "vandal")


@dataclass(frozen=True)
class Probe:
    """What a set of rules comes to on all runs."""

    scenario: str | None
    semantics: Semantics
    gates: Gates
    impostors: tuple[Impostor, ...]
    not_made: Mapping[Name, str]
    """Why an impostor has no run, or fewer than it should."""
    honest: Honest

    @property
    def is_sound(self) -> bool:
        return not self.passing and isinstance(self.honest, HonestRun)

    @cached_property
    def passing(self) -> tuple[Impostor, ...]:
        return tuple(impostor for impostor in self.impostors if impostor.passes)

    def runs_of(self, name: Name) -> tuple[Impostor, ...]:
        return tuple(impostor for impostor in self.impostors if impostor.name == name)

    def verdict_of(self, name: Name) -> Verdict | None:
        """`passed` where one of the runs passes, `error` where none does and one could not be graded; None: no run."""
        verdicts = {impostor.result.verdict for impostor in self.runs_of(name)}
        order: tuple[Verdict, ...] = ("passed", "error", "failed")
        return next((verdict for verdict in order if verdict in verdicts), None)

    def caught_by(self, impostor: Impostor) -> tuple[str, ...]:
        """What kept a run from passing: labels of rules that decide, of implicit checks, else the score."""
        return caught_by(self.gates, impostor.result)


def caught_by(gates: Gates, result: Result) -> tuple[str, ...]:
    """Labels, in the order of the rules; empty for a run that passed."""
    if result.verdict == "passed":
        return ()
    if result.verdict == "error":
        return tuple(rule.label for rule in result.rules if rule.status == "error")
    deciding = {*gates.compliance, *gates.resolution}
    failed = [rule.label for index, rule in enumerate(result.rules) if index in deciding and rule.status == "fail"]
    failed += [check.label for check in result.implicit if check.status == "fail"]
    if not failed and result.compliance is not None:
        failed = [f"a score of {result.compliance.score.percent:g} %"]
    return tuple(dict.fromkeys(failed))


def probe(rules: RuleSet, matcher: Matcher | None = None, known: Mapping[int, int] | None = None) -> Probe:
    """Put a set of rules without errors to the test. `known`: how host rules were answered before the run, as exit
    statuses by index of the rule; all others have changed nothing, so they fail where nobody did the work."""
    builder = Builder(rules, matcher or Matcher(default_engine()))
    honest = honest_of(builder)
    impostors: list[Impostor] = [*idle_runs(builder, known), talker(builder, known)]
    not_made: dict[Name, str] = {}
    echoing = echoer(builder, known)
    if echoing is None:
        not_made["echoer"] = "no rule looks for anything that an agent does"
    else:
        impostors.append(echoing)
    if isinstance(honest, HonestRun):
        unknown: list[str] = []
        beyond: list[str] = []
        for made in vandals(builder, honest.record):
            if isinstance(made, Impostor):
                impostors.append(made)
            else:
                (beyond if is_beyond(made) else unknown).append(f"“{made.rule.label}”")
        why = [f"no text is known that is forbidden by {', '.join(unknown)}"] if unknown else []
        why += [f"too many values would be needed to break {', '.join(beyond)}"] if beyond else []
        if why:
            not_made["vandal"] = "; ".join(why)
        elif not any(made.name == "vandal" for made in impostors):
            not_made["vandal"] = "no required rule forbids anything"
    else:
        not_made["vandal"] = "it needs the honest run"
    return Probe(rules.scenario, rules.semantics, builder.plan.gates, tuple(impostors), not_made, honest)
