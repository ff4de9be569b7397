"""Rules changed by one small step each: what a slip of the hand, or an edit that nobody thought through, would do.

    for mutant in mutants_of(rules):
        mutant.rule, mutant.what        # Rule(…), 'making the rule optional'

The kinds are functions in a table: each takes a rule and gives the rules that it may become. To add one, write it and
give it its line. What comes out is the same in every call, in the order of the rules and of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...compiler import ir
from ...compiler.pattern_checks import inside_literal
from ...compiler.vocabulary import RESOLUTION_STATUSES
from ...grammar.text import Span
from .pattern_changes import pattern_changes


@dataclass(frozen=True, slots=True)
class Change:
    """What one rule becomes (None: nothing), what was done to it in words, and where."""

    rule: ir.Rule | None
    what: str
    span: Span | None
    kind: str | None = None
    """Where a function of the table gives several kinds."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A set of rules in which the rule at `index` is another one, or is gone."""

    index: int
    kind: str
    rule: ir.Rule | None
    what: str
    span: Span | None

    def rules(self, original: ir.RuleSet) -> ir.RuleSet:
        changed = () if self.rule is None else (self.rule,)
        rules = (*original.rules[: self.index], *changed, *original.rules[self.index + 1 :])
        return original.model_copy(update={"rules": rules})


def mutants_of(rules: ir.RuleSet) -> Iterator[Mutant]:
    """Every change of every rule; two that come to the same are one."""
    for index, rule in enumerate(rules.rules):
        seen: list[ir.Rule | None] = [rule]
        for name, kind in KINDS.items():
            for change in kind(rule):
                if change.rule not in seen:
                    seen.append(change.rule)
                    yield Mutant(index, change.kind or name, change.rule, change.what, change.span or rule.span)


# ---- every rule ------------------------------------------------------------------------------------------------------


def _drop(rule: ir.Rule) -> Iterator[Change]:
    yield Change(None, "dropping the rule", rule.span)


def _flip_required(rule: ir.Rule) -> Iterator[Change]:
    become = "optional" if rule.required else "required"
    yield Change(_with(rule, required=not rule.required), f"making the rule {become}", rule.span)


def _flip_negate(rule: ir.Rule) -> Iterator[Change]:
    """Where the language has a way to say the opposite."""
    match rule.check:
        case ir.PatternMatch(before=None, how_often=None):
            what = "making “never matches” “matches”" if rule.negate else "making “matches” “never matches”"
        case ir.TaskCount() | ir.JobResolutionStatus() | ir.TicketStatus() | ir.Ansible():
            what = "dropping “not”" if rule.negate else "putting “not” in front of the check"
        case _ if rule.negate:
            what = "dropping the negation"
        case _:
            return
    yield Change(_with(rule, negate=not rule.negate), what, rule.check.span)


# ---- patterns --------------------------------------------------------------------------------------------------------


def _pattern(rule: ir.Rule) -> Iterator[Change]:
    if not isinstance(rule.check, ir.PatternMatch):
        return
    for field, text in (("pattern", rule.check.pattern), ("before", rule.check.before)):
        if text is None:
            continue
        place = rule.check.at(field)
        for step in pattern_changes(text):
            if step.text:
                changed = _with_check(rule, **{field: step.text})
                yield Change(changed, step.what, inside_literal(place, step.start, step.end), step.kind)


def _order(rule: ir.Rule) -> Iterator[Change]:
    check = rule.check
    if isinstance(check, ir.PatternMatch) and check.before is not None:
        place = check.at("before")
        yield Change(_with_check(rule, before=None), "dropping “before”", place)
        swapped = _with_check(rule, pattern=check.before, before=check.pattern)
        yield Change(swapped, "asking for the other order", place)


def _how_often(rule: ir.Rule) -> Iterator[Change]:
    if not isinstance(rule.check, ir.PatternMatch) or (asked := rule.check.how_often) is None:
        return
    for times in (asked.times - 1, asked.times + 1):
        if times >= (1 if asked.bound == "at least" else 0):
            made = asked.model_copy(update={"times": times})
            yield Change(_with_check(rule, how_often=made), f"making {asked.times} times {times}", asked.span)
    others = ("at least", "at most") if asked.bound == "exactly" else ("exactly",)
    for bound in others:
        if bound == "at least" and asked.times == 0:
            continue
        made = asked.model_copy(update={"bound": bound})
        yield Change(_with_check(rule, how_often=made), f"making “{asked.bound}” “{bound}”", asked.span)


# ---- counts, statuses ------------------------------------------------------------------------------------------------


def _task_count(rule: ir.Rule) -> Iterator[Change]:
    check = rule.check
    if not isinstance(check, ir.TaskCount):
        return
    for field, word, other in (("min", "least", check.max), ("max", "most", check.min)):
        bound: int | None = getattr(check, field)
        if bound is None:
            continue
        for moved in (bound - 1, bound + 1):
            made = check.model_copy(update={field: moved})
            is_no_bound = field == "min" and moved == 0 and other is not None
            if moved >= 0 and not is_no_bound and (made.min or 0) <= (moved if made.max is None else made.max):
                what = f"asking for at {word} {moved} task{'' if moved == 1 else 's'} instead of {bound}"
                yield Change(_with(rule, check=made), what, check.at(field))
        if other is not None:
            yield Change(_with_check(rule, **{field: None}), f"dropping the bound “at {word} {bound}”", check.at(field))


def _statuses(rule: ir.Rule) -> Iterator[Change]:
    """A status less, one more (of those that are missing the one that is nearest to success), or one in place of the
    only one."""
    check = rule.check
    if not isinstance(check, ir.JobResolutionStatus):
        return
    for index, status in enumerate(check.statuses):
        kept = (*check.statuses[:index], *check.statuses[index + 1 :])
        if kept:
            yield Change(
                _with_check(rule, statuses=kept), f"dropping the status {status}", check.at(f"statuses.{index}")
            )
    missing = next((status for status in RESOLUTION_STATUSES if status not in check.statuses), None)
    if missing is None:
        return
    yield Change(_with_check(rule, statuses=(*check.statuses, missing)), f"adding the status {missing}", check.span)
    if len(check.statuses) == 1:
        what = f"asking for {missing} instead of {check.statuses[0]}"
        yield Change(_with_check(rule, statuses=(missing,)), what, check.at("statuses.0"))


def _ticket_status(rule: ir.Rule) -> Iterator[Change]:
    if isinstance(rule.check, ir.TicketStatus):
        other = "open" if rule.check.status.casefold() != "open" else "resolved"
        what = f"asking for {other} instead of {rule.check.status}"
        yield Change(_with_check(rule, status=other), what, rule.check.at("status"))


# ---- hosts -----------------------------------------------------------------------------------------------------------


def _exit_code(rule: ir.Rule) -> Iterator[Change]:
    check = rule.check
    if isinstance(check, ir.HostState):
        other = 1 if check.exit_code == 0 else 0
        what = f"expecting exit status {other} instead of {check.exit_code}"
        yield Change(_with_check(rule, exit_code=other), what, check.at("exit_code"))


def _on(rule: ir.Rule) -> Iterator[Change]:
    if isinstance(rule.check, ir.PatternMatch | ir.HostState) and rule.check.on is not None:
        yield Change(_with_check(rule, on=None), f"dropping “on {rule.check.on}”", rule.check.at("on"))


def _turns(rule: ir.Rule) -> Iterator[Change]:
    """A host less in a turn, a host more or less in the least number, a turn less."""
    if not isinstance(rule.check, ir.Turns):
        return
    turns = rule.check.turns
    for number, turn in enumerate(turns):
        for index, host in enumerate(turn.hosts):
            kept = (*turn.hosts[:index], *turn.hosts[index + 1 :])
            if kept or turn.at_least is not None:
                made = turn.model_copy(update={"hosts": kept})
                yield _turn(rule, number, made, f"dropping {host} from turn {number + 1}", turn.at(f"hosts.{index}"))
        if turn.at_least is not None:
            for moved in (turn.at_least - 1, turn.at_least + 1):
                if moved >= 1:
                    made = turn.model_copy(update={"at_least": moved})
                    what = f"asking for at least {moved} in turn {number + 1} instead of {turn.at_least}"
                    yield _turn(rule, number, made, what, turn.span)
            if turn.hosts:
                made = turn.model_copy(update={"at_least": None})
                yield _turn(
                    rule, number, made, f"dropping “at least {turn.at_least}” from turn {number + 1}", turn.span
                )
        if len(turns) > 1:
            kept_turns = (*turns[:number], *turns[number + 1 :])
            yield Change(_with_check(rule, turns=kept_turns), f"dropping turn {number + 1}", turn.span)


def _turn(rule: ir.Rule, number: int, made: ir.Turn, what: str, span: Span | None) -> Change:
    assert isinstance(rule.check, ir.Turns)
    turns = (*rule.check.turns[:number], made, *rule.check.turns[number + 1 :])
    return Change(_with_check(rule, turns=turns), what, span)


# ---- the table -------------------------------------------------------------------------------------------------------


def _with(rule: ir.Rule, **fields: object) -> ir.Rule:
    return rule.model_copy(update=fields)


def _with_check(rule: ir.Rule, **fields: object) -> ir.Rule:
    return rule.model_copy(update={"check": rule.check.model_copy(update=fields)})


KINDS: dict[str, Callable[[ir.Rule], Iterator[Change]]] = {
    "drop-rule": _drop,
    "flip-negate": _flip_negate,
    "flip-required": _flip_required,
    "pattern": _pattern,
    "order": _order,
    "how-often": _how_often,
    "task-count": _task_count,
    "statuses": _statuses,
    "ticket-status": _ticket_status,
    "exit-status": _exit_code,
    "on": _on,
    "turns": _turns,
}
"""The kinds of changes by name; patterns give three: `loosen-pattern`, `tighten-pattern`, `drop-alternative`."""
