"""`pattern_match`: a pattern is searched in the values of a target (classic page 0.16, flat page 0.19).

All patterns over one target run in one pass: the evidence of the target is read once, the matcher says for all
patterns together which texts they may match, and each rule's search is fed those until it has had enough.

- Flat: "tested against each value separately"; any value must match, negated: none may. A job without tasks
fails
  task rules, negated ones included.
- Classic: the values of a task are joined and tested once; any task must match.
- `before`, counts and `on HOST` exist in the language only and look at single values under both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ...compiler.ecmascript import PatternError
from ...compiler.ir import PatternMatch
from ...compiler.plan import PatternUse, Plan, TargetPatterns
from ..evidence.record import RunRecord
from ..matching import CompiledPattern, EngineFault, Matcher, TooLarge
from ..result import Outcome, could_not, no_evidence
from .gathered import Gathered
from .searches import AnyMatch, Before, Count, Probe, Search
from .target_values import TargetValues, Text, by_start, joined_values, read_target, single_values


def evaluate(_check: PatternMatch, rule: int, gathered: Gathered) -> Outcome:
    """What the pass over the target came to for this rule."""
    return gathered.patterns[rule]


def search_targets(plan: Plan, record: RunRecord, matcher: Matcher) -> Mapping[int, Outcome]:
    """Run every pattern of the plan, target by target; outcomes by index of the rule, before `negate`."""
    outcomes: dict[int, Outcome] = {}
    for group in plan.patterns:
        outcomes.update(_search_target(group, plan, record, matcher))
    return outcomes


@dataclass(frozen=True, slots=True)
class _Job:
    """A rule whose patterns compiled, ready to be fed."""

    rule: int
    search: Search
    evidence: TargetValues
    view: tuple[str, str | None]
    """Which texts it is fed: values `joined`, `single` or by `start`, of which host. Equal views share a
    pass."""


def _search_target(group: TargetPatterns, plan: Plan, record: RunRecord, matcher: Matcher) -> Mapping[int, Outcome]:
    evidence = read_target(group.target, record, plan.semantics)
    uses: dict[int, list[PatternUse]] = {}
    for use in group.patterns:
        uses.setdefault(use.rule, []).append(use)
    outcomes: dict[int, Outcome] = {}
    jobs: list[_Job] = []
    for rule, patterns in uses.items():
        prepared = _prepare(rule, patterns, plan, evidence, matcher)
        if isinstance(prepared, Outcome):
            outcomes[rule] = prepared
        elif evidence.absent is not None:
            outcomes[rule] = replace(no_evidence(evidence.absent), values_tested=0)
        else:
            jobs.append(prepared)
    for view in dict.fromkeys(job.view for job in jobs):
        together = [job for job in jobs if job.view == view]
        _one_pass(list(_texts(view[0], together[0].evidence)), [job.search for job in together], matcher)
    for job in jobs:
        outcomes[job.rule] = replace(job.search.outcome(job.evidence), values_tested=job.evidence.count)
    return outcomes


def _one_pass(texts: list[Text], searches: list[Search], matcher: Matcher) -> None:
    """Feeds every search the texts that one of its patterns may match, until it has had enough."""
    patterns = tuple(probe.pattern.source for search in searches for probe in search.probes)
    scan = matcher.scan(patterns, [text.text for text in texts])
    number = 0
    for search in searches:
        numbers = range(number, number + len(search.probes))
        number = numbers.stop
        for index in scan.candidates_of(numbers):
            if search.feed(texts[index], scan.subject(index)):
                break


def _texts(order: str, evidence: TargetValues) -> Iterable[Text]:
    if order == "joined":
        return joined_values(evidence.parts)
    return single_values(by_start(evidence.parts) if order == "start" else evidence.parts)


def _prepare(rule: int, uses: list[PatternUse], plan: Plan, evidence: TargetValues, matcher: Matcher) -> _Job | Outcome:
    """The search of one rule, or `error` when a pattern of it does not compile."""
    label, check = plan.rules[rule].label, plan.rules[rule].check
    if not isinstance(check, PatternMatch):
        raise TypeError(f"patterns of rule {rule}, which is a {check.validator}")
    probes: dict[str, Probe] = {}
    for use in uses:
        compiled = _compile(use.pattern, matcher)
        if isinstance(compiled, str):
            return could_not(f"the pattern of “{label}” {compiled}")
        probes[use.role] = Probe(compiled, label)
    mine = evidence if check.on is None else evidence.on(check.on)
    single = ("single", check.on)
    if check.before is not None:
        return _Job(rule, Before(probes["search"], probes["before"]), mine, ("start", check.on))
    if check.how_often is not None:
        return _Job(rule, Count(probes["search"], check.how_often), mine, single)
    joined = plan.semantics == "classic" and check.extension is None
    view = ("joined", None) if joined else single
    texts = len([part for part in mine.parts if part.values is not None]) if joined else mine.count
    return _Job(rule, AnyMatch(probes["search"], joined, texts), mine, view)


def _compile(pattern: str, matcher: Matcher) -> CompiledPattern | str:
    """The compiled pattern, or what is wrong with it. Rules that were checked come here with good patterns
    only."""
    try:
        compiled = matcher.compile(pattern)
    except PatternError as error:
        return f"is no regular expression: {error.message}"
    match compiled:
        case TooLarge(message=message):
            return f"is too large: {message}"
        case EngineFault(message=message):
            return f"broke the engine ({message})"
        case _:
            return compiled
