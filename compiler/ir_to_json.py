"""From the IR to JSON data: rules of the flat and the grouped form, steps, scenario objects.

What a form cannot say is GW601, and then nothing should be written; what is said in other words is GW603. Defaults are
not written, except those that `kept` names: a rewrite in place keeps what stood there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..grammar.text import Source
from . import ir
from .findings import GW601, GW603, GW604, Finding, Report, ignore
from .json_forms import FORMS, NEGATE, REQUIRED, JsonForm, Shape, is_extra
from .json_layout import Inline, Printable
from .json_text import parse_json
from .json_to_ir import rule_objects
from .json_tree import JsonObject, JsonValue
from .vocabulary import GROUPS, MAX_INTEGER, RESOLUTION_STATUSES

RuleObject = dict[str, Printable]


def rules_to_json(rules: Sequence[ir.Rule], form: JsonForm, report: Report, keep: JsonValue | None = None) -> Printable:
    """The `validation` of a form: an array, or an object of groups.

    `keep`: the `validation` that stands where this one will; a rule of the same label keeps the defaults and the
    foreign keys that were written there.
    """
    before = _Kept(keep)
    written = [(rule, rule_to_json(rule, form, report, before.of(rule.label))) for rule in rules]
    objects = [(rule, entry) for rule, entry in written if entry is not None]
    if form == "flat":
        return [entry for _, entry in objects]
    groups: dict[str, list[Printable]] = {group: [] for group in GROUPS}
    for rule, entry in objects:
        group = rule.check.group
        assert group is not None  # a check without a group was refused
        groups[group].append(entry)
    return groups


def rule_to_json(rule: ir.Rule, form: JsonForm, report: Report, keep: JsonObject | None = None) -> RuleObject | None:
    """One rule object; None, and GW601, where the form cannot say the rule."""
    rule = _in_words_of(rule, form, report)
    shape = FORMS[form].get(rule.check.validator)
    reason = _cannot_say(rule, shape, form)
    if reason is not None:
        message, ways_out = reason
        report(Finding(GW601, message, rule.check.span or rule.span, help=ways_out, rule=rule.label))
        return None
    assert shape is not None  # or there would be a reason
    entry: RuleObject = {"label": rule.label, "validator": rule.check.validator}
    unwritten = set(shape.one_of[1:])
    for field in shape.fields:
        if field.key in unwritten:
            continue
        value = getattr(rule.check, field.fills)
        is_default = value is None or (field.default is not None and value == field.default)
        if not is_default or (value is not None and _stood(keep, field.key)):
            entry[field.key] = _printable(field.kind.write(value))
    for key, value, default in ((REQUIRED.key, rule.required, True), (NEGATE.key, rule.negate, False)):
        if value != default or (_stood(keep, key) and (key != NEGATE.key or shape.negate)):
            entry[key] = value
    for key, text in (*rule.extras, *_foreign(keep)):
        entry.setdefault(key, _parsed(text))
    return entry


def steps_to_json(steps: Iterable[ir.AnyStep]) -> Printable:
    """The array of `prepare` or `restore`."""
    written: list[Printable] = []
    for step in steps:
        entry: dict[str, Printable] = {}
        if step.name is not None:
            entry["name"] = step.name
        if step.on is not None:
            entry["on"] = step.on
        if isinstance(step, ir.RunStep):
            entry["run"] = step.run
        else:
            entry["write"] = step.write
            entry["content"] = step.content
            if step.sudo:
                entry["sudo"] = True
        for key, text in step.extras:
            entry.setdefault(key, _parsed(text))
        written.append(entry)
    return written


def scenario_to_json(rules: ir.RuleSet, form: JsonForm, report: Report) -> Printable:
    """A whole file: a scenario object where the rules say more than rules, else a bare array or grouped object."""
    validation = rules_to_json(rules.rules, form, report)
    mention_tests(rules, report)
    if not rules.is_scenario:
        return validation
    parts: dict[str, Printable] = {
        "key": rules.scenario,
        "title": rules.title,
        "tags": None if rules.tags is None else list(rules.tags),
        "hosts": None if rules.hosts is None else list(rules.hosts),
        "prepare": None if rules.prepare is None else steps_to_json(rules.prepare),
        "validation": validation,
        "restore": None if rules.restore is None else steps_to_json(rules.restore),
    }
    return {key: value for key, value in parts.items() if value is not None}


def mention_tests(rules: ir.RuleSet, report: Report) -> None:
    """GW604 for test blocks, which no JSON form has."""
    if rules.tests:
        names = ", ".join(f"“{test.name}”" for test in rules.tests)
        message = f"JSON has no test blocks; these stay behind: {names}"
        report(
            Finding(
                GW604, message, rules.tests[0].span, help="keep the .gate file, or include the JSON from a test file"
            )
        )


# ---- what a form cannot say ---------------------------------------------------------------------------------------


def _cannot_say(rule: ir.Rule, shape: Shape | None, form: JsonForm) -> tuple[str, str] | None:
    """Why a form cannot say a rule, and the ways out; None when it can."""
    check = rule.check
    if check.extension is not None:
        return f"the {form} form cannot say “{check.extension}”", "keep the rule in a .gate file, or write it without"
    if shape is None:
        return f"the {form} form has no {check.validator}", _ways_out(check, form)
    if rule.negate and not shape.negate:
        return f"the {form} form cannot negate {check.validator}", _negated_way_out(check)
    return None


def _ways_out(check: ir.AnyCheck, form: JsonForm) -> str:
    match check:
        case ir.Ansible():
            return "check the machine with host_state commands, or keep the grouped form"
        case ir.TicketStatus():
            return "look for the status in gateway_summary, or keep the grouped form"
        case ir.HostState():
            return "check the machine in a playbook (ansible), or keep the flat form"
        case _:
            return f"keep the rule in the {'grouped' if form == 'flat' else 'flat'} form or a .gate file"


def _negated_way_out(check: ir.AnyCheck) -> str:
    if isinstance(check, ir.TaskCount) and check.min is not None and check.max is not None:
        return "“fewer or more than” is no range: say which of both is wanted"
    return "no run can satisfy the rule: drop it"


def _in_words_of(rule: ir.Rule, form: JsonForm, report: Report) -> ir.Rule:
    """The rule in words that the form has, where other words mean the same (GW603); else the rule itself."""
    check = rule.check
    said: str | None = None
    if isinstance(check, ir.JobResolutionStatus):
        if form == "flat" and rule.negate:
            others = tuple(status for status in RESOLUTION_STATUSES if status not in check.statuses)
            if others:
                said = (
                    f"not in {', '.join(check.statuses)} is written as one of {', '.join(others)}; "
                    "only a status that the format does not know would be judged otherwise"
                )
                rule = _with_check(rule, check.model_copy(update={"statuses": others}))
        elif "pattern" in check.spans:
            said = "“pattern” is written as “statuses”"
    elif isinstance(check, ir.TaskCount) and form == "flat" and rule.negate:
        if check.min == 0 and check.max is not None:
            check = check.model_copy(update={"min": None})  # no job has fewer tasks than none
        if check.max is None and check.min:
            said = f"not {check.min} or more is written as at most {check.min - 1}"
            rule = _with_check(rule, check.model_copy(update={"min": None, "max": check.min - 1}))
        elif check.min is None and check.max is not None and check.max < MAX_INTEGER:
            said = f"not {check.max} or fewer is written as at least {check.max + 1}"
            rule = _with_check(rule, check.model_copy(update={"min": check.max + 1, "max": None}))
    if said is not None:
        report(Finding(GW603, said, check.span, rule=rule.label))
    return rule


def _with_check(rule: ir.Rule, check: ir.AnyCheck) -> ir.Rule:
    return rule.model_copy(update={"check": check, "negate": False})


# ---- what stood there ---------------------------------------------------------------------------------------------


class _Kept:
    """The rule objects of a `validation` that is being replaced, by label; each is used once."""

    def __init__(self, validation: JsonValue | None) -> None:
        self._objects: dict[str, list[JsonObject]] = {}
        for label, node in rule_objects(validation) if validation is not None else ():
            self._objects.setdefault(label, []).append(node)

    def of(self, label: str) -> JsonObject | None:
        nodes = self._objects.get(label)
        return nodes.pop(0) if nodes else None


def _stood(keep: JsonObject | None, key: str) -> bool:
    return keep is not None and keep.get(key) is not None


def _foreign(keep: JsonObject | None) -> Iterable[tuple[str, str]]:
    if keep is not None:
        for member in keep.members:
            if is_extra(member.key.value):
                yield member.key.value, member.value.span.text


def _parsed(text: str) -> Printable:
    document = parse_json(Source("", text), ignore)
    assert document is not None  # it was cut out of a document that parsed
    return document.root


def _printable(value: Any) -> Printable:
    """Turns stand on one line each."""
    if isinstance(value, list):
        return [Inline(item) if isinstance(item, dict) else item for item in value]  # pyright: ignore
    return value
