"""GW304: two required rules that no run satisfies together.

require "Restarted": executed_commands matches `systemctl restart nginx`
require "No systemctl": executed_commands never matches `systemctl`
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ....compiler.findings import GW304, Finding, Label, Witness
from ....compiler.ir import PatternMatch, Rule, TaskCount, Turns
from ....compiler.languages import example
from ....compiler.vocabulary import TARGETS
from ....grammar.text import Span
from ..scene import Scene
from .claims import Claim, claims_of
from .demands import Comparisons, Demand, demands_of, is_idle
from .numbers import Numbers, least, most, overlap, task_numbers
from .places import once_a_place

_MOST_LABELS = 3


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    yield from _of_patterns(scene)
    yield from _of_claims(scene)
    yield from _of_task_numbers(scene)


# ---- patterns -----------------------------------------------------------------------------------------------------


def _of_patterns(scene: Scene) -> Iterator[Finding]:
    """What one rule asks for is more than another one allows."""
    required = [demand for demand in demands_of(scene) if demand.rule.required]
    asking = [demand for demand in required if least(demand.numbers) > 0]
    limiting = [demand for demand in required if most(demand.numbers) is not None]
    pairs = [(ask, limit) for ask in asking for limit in limiting if _is_more_than_allowed(ask, limit)]
    compare = Comparisons(scene, GW304)
    order = {id(rule): number for number, rule in enumerate(scene.rules.rules)}
    for ask, limit in pairs:
        if compare.covers(limit, ask) and not is_idle(ask) and not is_idle(limit):
            later = ask if order[id(ask.rule)] > order[id(limit.rule)] else limit
            yield _pattern_finding(scene, ask, limit, later)


def _is_more_than_allowed(ask: Demand, limit: Demand) -> bool:
    """Whether `limit` allows fewer matches, among texts that include all that `ask` reads."""
    highest = most(limit.numbers)
    return (
        highest is not None
        and least(ask.numbers) > highest
        and ask.reads_like(limit)
        and limit.check.on in (None, ask.check.on)
    )


def _pattern_finding(scene: Scene, ask: Demand, limit: Demand, later: Demand) -> Finding:
    earlier = limit if later is ask else ask
    wanted, allowed = least(ask.numbers), most(limit.numbers)
    if allowed == 0:
        what = f"all that “{ask.rule.label}” asks for is forbidden by “{limit.rule.label}”"
        says = "asked for and forbidden"
        help_ = "make the forbidding pattern narrower, or drop one of the rules"
    else:
        many = f"{wanted} matching {ask.what_is_read}s"
        what = f"“{ask.rule.label}” asks for {many}, and “{limit.rule.label}” allows {allowed}"
        says = "counted by both"
        help_ = "correct one of the numbers, or make the pattern of the limit narrower"
    text = example(ask.use.tree)
    patterns = tuple(dict.fromkeys((ask.use.text, limit.use.text)))
    return Finding(
        GW304,
        f"{_no_run(scene, ask.rule)} passes both rules: {what}",
        later.use.span,
        _labels(later.use.span, earlier.use.span, "required too"),
        help_,
        later.rule.label,
        witness=None if text is None else Witness(says, text, matches=patterns),
    )


def _no_run(scene: Scene, rule: Rule) -> str:
    """Classic rules about a ticket do not apply to a run without one."""
    of_ticket = scene.rules.semantics == "classic" and rule.check.group == "gateway"
    return "no run with a ticket" if of_ticket else "no run"


# ---- one thing that has one value ---------------------------------------------------------------------------------


def _of_claims(scene: Scene) -> Iterator[Finding]:
    """Rules about one status, one playbook or one answer of a host, of which each leaves the other no room."""
    claims = [claim for claim in claims_of(scene) if claim.decides and not claim.is_empty]
    for about in dict.fromkeys(claim.about for claim in claims):
        same = [claim for claim in claims if claim.about == about]
        left = same[0]
        for index, claim in enumerate(same[1:], 1):
            both = left.also(claim)
            if not both.is_empty:
                left = both
                continue
            alone = [other for other in same[:index] if other.also(claim).is_empty]
            yield _claim_finding(scene, claim, alone[:1] or same[:index])


def _claim_finding(scene: Scene, claim: Claim, others: list[Claim]) -> Finding:
    rules = ", ".join(f"“{other.rule.label}”" for other in others[:_MOST_LABELS])
    labels = [label for other in others for label in _labels(claim.span, other.span, "required too")]
    named = f"both this rule and {rules}" if len(others) == 1 else f"this rule and all of {rules}"
    return Finding(
        GW304,
        f"{_no_run(scene, claim.rule)} passes {named}: {claim.because}",
        claim.span,
        tuple(labels[:_MOST_LABELS]),
        claim.help,
        claim.rule.label,
    )


# ---- numbers of tasks ---------------------------------------------------------------------------------------------


def _of_task_numbers(scene: Scene) -> Iterator[Finding]:
    required = [rule for rule in scene.rules.rules if rule.required]
    counts = [(rule, rule.check) for rule in required if isinstance(rule.check, TaskCount)]
    possible = [(rule, check_, numbers) for rule, check_ in counts if (numbers := task_numbers(check_, rule.negate))]
    for (earlier, first, some), (later, second, others) in combinations(possible, 2):
        if not overlap(some, others):
            message = f"no run passes both this rule and “{earlier.label}”: no number of tasks is allowed by both"
            labels = _labels(second.span, first.span, "required too")
            yield Finding(GW304, message, second.span, labels, "correct one of the bounds", later.label)
    for rule, check_, numbers in possible:
        yield from _without_enough_tasks(rule, check_, numbers, required)


def _without_enough_tasks(rule: Rule, count: TaskCount, numbers: Numbers, required: list[Rule]) -> Iterator[Finding]:
    """Rules that need more tasks than `rule` allows, in one finding."""
    highest = most(numbers)
    if highest is None:
        return
    needing = [(other, needs) for other in required if (needs := _tasks_needed(other)) > highest]
    if not needing:
        return
    first, needs = needing[0]
    more = len(needing) - 1
    like_it = f", like {more} other rule{'' if more == 1 else 's'}" if more else ""
    what = f"needs {needs} task{'' if needs == 1 else 's'}"
    message = f"no run passes both this rule and “{first.label}”, which {what}{like_it}"
    places = [other.check.span for other, _ in needing[:_MOST_LABELS]]
    labels = [label for place in places for label in _labels(count.span, place, "fails with so few tasks")]
    help_ = "a rule about tasks fails where there is none" if highest == 0 else "allow more tasks, or ask for fewer"
    yield Finding(GW304, message, count.span, tuple(labels), help_, rule.label)


def _tasks_needed(rule: Rule) -> int:
    """With fewer tasks than this the rule fails, also a negated one."""
    match rule.check:
        case PatternMatch(where=where) if where in TARGETS and TARGETS[where].scope == "task":
            return 1
        case Turns(turns=turns):
            return sum(max(len(turn.hosts), turn.at_least or 0) for turn in turns)
        case _:
            return 0


def _labels(span: Span | None, other: Span | None, text: str) -> tuple[Label, ...]:
    return () if other is None or other == span else (Label(other, text),)
