"""From the IR to a `.gate` file, in the canonical layout.

    ir_to_gate(rules)       # 'require "Did not reboot":\\n  executed_commands never matches `…`\\n'

Statements are written one after the other; the layout is the formatter's, so that there is only one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ..grammar.layout import layout
from ..grammar.literals import write, write_item, write_string
from ..grammar.text import Source
from . import ir
from .findings import GW604, Finding, Report


def ir_to_gate(rules: ir.RuleSet, report: Report) -> str:
    """The text of a `.gate` file that gives an equal IR. Extra keys of JSON rules and steps stay behind (GW604)."""
    _mention_extras(rules, report)
    return layout(Source("", "\n".join(_statements(rules)) + "\n"))


def _statements(rules: ir.RuleSet) -> Iterable[str]:
    if rules.scenario is not None:
        yield f"scenario {write_string(rules.scenario)}"
    if rules.title is not None:
        yield f"title {write_string(rules.title)}"
    for keyword, names in (("tags", rules.tags), ("hosts", rules.hosts)):
        if names:
            yield f"{keyword} {_items(names)}"
    if rules.semantics == "classic":
        yield "semantics classic"
    for rule in rules.rules:
        yield _rule(rule)
    for keyword, steps in (("prepare", rules.prepare), ("restore", rules.restore)):
        if steps is not None:
            yield "\n".join((f"{keyword} {{", *map(_step, steps), "}"))
    for test in rules.tests:
        yield "\n".join(
            (f"test {write_string(test.name)} {{", *map(_fact, test.facts), *map(_expectation, test.expectations), "}")
        )


def _after(text: str, rest: str) -> str:
    """What follows a literal, on a later line where that is a fenced block."""
    return f"{text}\n{rest}" if text.endswith("```") else f"{text} {rest}"


def _literals(values: Iterable[str]) -> str:
    text = ""
    for value in values:
        text = write(value) if not text else _after(text, ", " + write(value))
    return text


def _items(names: Iterable[str]) -> str:
    return ", ".join(map(write_item, names))


def _on(host: str | None) -> str:
    return "" if host is None else f"on {write_item(host)} "


def _rule(rule: ir.Rule) -> str:
    keyword = "require" if rule.required else "optional"
    return f"{keyword} {write_string(rule.label)}: {_check(rule.check, rule.negate)}"


def _check(check: ir.AnyCheck, negate: bool) -> str:
    match check:
        case ir.PatternMatch():
            text = f"{_on(check.on)}{check.where} {'never ' if negate else ''}matches {write(check.pattern)}"
            if check.before is not None:
                return _after(text, f"before {write(check.before)}")
            if check.how_often is not None:
                times = check.how_often.times
                return _after(text, f"{check.how_often.bound} {times} {'time' if times == 1 else 'times'}")
            return text
        case ir.HostState():
            text = f"{_on(check.on)}run {write(check.run)}"
            if check.exit_code:
                text = _after(text, f"exits {check.exit_code}")
            return text if check.within is None else _after(text, f"within {check.within} s")
        case ir.Turns():
            return "turns " + " then ".join(map(_turn, check.turns))
        case ir.JobResolutionStatus():
            text = f"job_resolution_status in {_items(check.statuses)}"
        case ir.TicketStatus():
            text = f"ticket_status is {write_item(check.status)}"
        case ir.TaskCount():
            text = f"task_count {_bounds(check)}"
        case ir.Ansible():
            text = f"ansible {write_string(check.path)}"
        case _:
            assert_never(check)
    return f"not {text}" if negate else text


def _bounds(check: ir.TaskCount) -> str:
    if check.min is not None and check.min == check.max and check.min > 0:
        return str(check.min)
    return f"{'' if check.min is None else check.min}..{'' if check.max is None else check.max}"


def _turn(turn: ir.Turn) -> str:
    parts = [write_item(host) for host in turn.hosts]
    if turn.at_least is not None:
        parts.append(f"at least {turn.at_least}")
    return f"[{', '.join(parts)}]"


def _step(step: ir.AnyStep) -> str:
    name = "" if step.name is None else f"{write_string(step.name)}: "
    match step:
        case ir.RunStep():
            return f"{name}{_on(step.on)}run {write(step.run)}"
        case ir.WriteStep():
            sudo = "sudo " if step.sudo else ""
            content = write(step.content, content=True)
            return f"{name}{_on(step.on)}{sudo}write {write_string(step.write)} {content}"


def _fact(fact: ir.AnyFact) -> str:
    match fact:
        case ir.StatusFact():
            if fact.value == "unavailable":  # a status of that name, not the word for having none
                return f"{fact.field} {write_string(fact.value)}"
            return f"{fact.field} {'unavailable' if fact.value is None else write_item(fact.value)}"
        case ir.EvidenceFact():
            return _evidence(fact)
        case ir.HostAnswerFact():
            text = f"{_on(fact.on)}run {write(fact.run)}"
            if fact.problem is not None:
                return _after(text, "times out" if fact.problem == "timed_out" else "unreachable")
            return _after(text, f"exits {fact.exit_code}")
        case ir.PlaybookFact():
            return f"ansible {write_string(fact.path)} exits {fact.exit_code}"
        case ir.NoTasksFact():
            return "no tasks"
        case ir.TaskFact():
            head = f"task {_on(fact.on)}"
            if fact.turn is not None:
                head += f"turn {fact.turn} "
            if fact.started_at is not None and fact.ended_at is not None:
                head += f"from {write_string(fact.started_at)} to {write_string(fact.ended_at)} "
            return "\n".join((head + "{", *map(_evidence, fact.evidence), "}"))


def _evidence(fact: ir.EvidenceFact) -> str:
    if fact.values is None:
        return f"{fact.target} unavailable"
    return f"{fact.target} {_literals(fact.values) or 'empty'}"


def _expectation(expectation: ir.AnyExpectation) -> str:
    match expectation:
        case ir.ExpectRule():
            return f"expect {expectation.status} {write_string(expectation.label)}"
        case ir.ExpectVerdict():
            return f"expect {expectation.verdict}"


def _mention_extras(rules: ir.RuleSet, report: Report) -> None:
    for name, names in (("tags", rules.tags), ("hosts", rules.hosts)):
        if names == ():
            report(Finding(GW604, f"a .gate file cannot carry an empty list of {name}", rules.at(name)))
    steps = (*(rules.prepare or ()), *(rules.restore or ()))
    for node, label in (*((rule, rule.label) for rule in rules.rules), *((step, None) for step in steps)):
        if node.extras:
            keys = ", ".join(key for key, _ in node.extras)
            report(Finding(GW604, f"a .gate file cannot carry {keys}", node.span, rule=label))
