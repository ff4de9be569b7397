"""The honest run: the shortest that does what the rules ask, or why there is none.

match honest_run(rules, matcher):
    case HonestRun(record=record): ...      # graded: it passes
    case Conflict(reasons=reasons): ...     # proved: no run passes these rules
    case NotFound(why=why): ...             # nothing is known either way
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...compiler.ir import Ansible, Rule, RuleSet, TaskCount
from ...compiler.load import Loaded
from ...grammar.text import Source
from ..evidence.record import RunRecord
from ..matching import Matcher, default_engine
from ..result import Result
from .build import Builder, Wish

MOST_OPTIONAL = 40
"""Optional rules that are tried one by one where not all can be had."""
_GOOD = frozenset({"pass", "skipped"})


@dataclass(frozen=True, slots=True)
class HonestRun:
    """A run that passes."""

    record: RunRecord
    result: Result
    unmet: tuple[Rule, ...] = ()
    """Optional rules that it does not satisfy."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """No run passes; each reason names the rules and says why, as a sentence without a final stop."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """No run was found that passes, and none is known to be impossible."""

    why: str
    record: RunRecord | None = None
    """The run that came nearest."""
    result: Result | None = None


Honest = HonestRun | Conflict | NotFound


def honest_run(rules: RuleSet, matcher: Matcher | None = None, *, id: str = "honest") -> Honest:  # noqa: A002
    """The honest run of a set of rules that has no errors. Optional rules are satisfied as far as they can be."""
    return honest_of(Builder(rules, matcher or Matcher(default_engine())), id)


def honest_of(builder: Builder, name: str = "honest") -> Honest:
    """The same, for a builder that is there."""
    everything = range(len(builder.rules.rules))
    whole = _run(builder, name, everything)
    if whole.is_good(everything) and whole.result.verdict == "passed":
        return HonestRun(whole.record, whole.result)
    kept = set(builder.deciding)
    best = _run(builder, name, kept)
    if not best.is_good(kept):
        return _why(builder, best if len(best.bad(kept)) <= len(whole.bad(kept)) else whole)
    for index in [index for index in everything if index not in kept][:MOST_OPTIONAL]:
        more = _run(builder, name, {*kept, index})
        if more.is_good({*kept, index}):
            kept.add(index)
            best = more
    if best.result.verdict != "passed":
        return _why(builder, best)
    unmet = tuple(builder.rules.rules[index] for index in best.bad(everything))
    return HonestRun(best.record, best.result, unmet)


@dataclass(frozen=True, slots=True)
class _Run:
    record: RunRecord
    result: Result

    def bad(self, indexes: Collection[int]) -> list[int]:
        return [index for index in sorted(indexes) if self.result.rules[index].status not in _GOOD]

    def is_good(self, indexes: Collection[int]) -> bool:
        return not self.bad(indexes)


def _run(builder: Builder, name: str, kept: Collection[int]) -> _Run:
    """The first run in which the kept rules pass; else the one in which most of them do."""
    best: _Run | None = None
    for record in builder.variants(Wish(id=name, kept=frozenset(kept))):
        run = _Run(record, builder.grade(record))
        if best is None or len(run.bad(kept)) < len(best.bad(kept)):
            best = run
        if run.is_good(kept):
            break
    assert best is not None
    return best


# ---- why there is none -----------------------------------------------------------------------------------------------


def _why(builder: Builder, run: _Run) -> Honest:
    if run.result.verdict == "error":
        broken = [rule for rule in run.result.rules if rule.status == "error"]
        return NotFound(f"“{broken[0].label}” cannot be evaluated: {broken[0].reason}", run.record, run.result)
    reasons = tuple(dict.fromkeys(_contradictions(builder.rules)))
    if reasons:
        return Conflict(reasons)
    bad = [run.result.rules[index] for index in run.bad(builder.deciding)]
    if bad:
        said = "; ".join(f"“{rule.label}”: {rule.reason}" for rule in bad[:3])
        return NotFound(f"no run was found that satisfies every required rule; nearest, {said}", run.record, run.result)
    score = run.result.compliance.score if run.result.compliance is not None else None
    said = "" if score is None else f": {score.passed} of {score.total} rules are under 80 %"
    return NotFound(f"no run was found that satisfies enough optional rules{said}", run.record, run.result)


def _contradictions(rules: RuleSet) -> Iterator[str]:
    """What is proved of the required rules: that one of them never passes, or that some exclude each other."""
    from ..lint.logic import contradiction
    from ..lint.logic.claims import claims_of
    from ..lint.logic.demands import demands_of, never_matches
    from ..lint.logic.numbers import NONE, least, task_numbers
    from ..lint.scene import Scene

    is_classic = rules.semantics == "classic"
    # Under classic semantics a run without a ticket skips all rules about it, so that these exclude nothing.
    required = tuple(
        rule
        for rule in rules.rules
        if (rule.required or isinstance(rule.check, Ansible)) and not (is_classic and rule.check.group == "gateway")
    )
    alone = rules.model_copy(update={"rules": required})
    scene = Scene(Loaded(Path("rules"), "gate", rules.is_scenario, alone, Source("rules", "")))
    for demand in demands_of(scene):
        if least(demand.numbers) > 0 and never_matches(demand) is True:
            yield f"“{demand.rule.label}”: there is no text that the pattern matches"
        elif (
            least(demand.numbers) > 0
            and is_classic
            and demand.check.where == "task_plan"
            and not (demand.joined and scene.matches(demand.use.text, "") is not False)
        ):
            yield f"“{demand.rule.label}”: task_plan is always empty under classic semantics"
    for claim in claims_of(scene):
        if claim.is_empty:
            yield f"“{claim.rule.label}”: it allows no status"
    for rule in required:
        if isinstance(rule.check, TaskCount) and task_numbers(rule.check, rule.negate) == NONE:
            yield f"“{rule.label}”: it allows no number of tasks"
    for finding in contradiction.check(scene):
        yield f"“{finding.rule}”: {finding.message}"
