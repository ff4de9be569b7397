"""From JSON to the IR: flat arrays, grouped objects, and the scenario objects around them.

read_json(document, report)     # (form, RuleSet); every fault is reported and its rule left out
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..grammar.text import Span
from . import ir
from .findings import (
    GW102,
    GW103,
    GW104,
    GW105,
    GW109,
    GW114,
    GW115,
    Edit,
    Finding,
    Fix,
    Report,
    Severity,
    did_you_mean,
)
from .json_forms import FORMS, GROUPED_KEPT, NEGATE, REQUIRED, RULE_FIELDS, VALIDATORS, Field, JsonForm, Shape, is_extra
from .json_kind import kind_of, not_rules, opening
from .json_tree import JsonArray, JsonDocument, JsonLiteral, JsonObject, JsonString, JsonValue
from .json_values import Place, known_keys, read_any_text, read_flag, read_list, read_text
from .vocabulary import GROUPS, TARGETS, Semantics


@dataclass(frozen=True, slots=True)
class JsonRules:
    """A JSON file of rules. `in_scenario`: they stand in the `validation` of a scenario object."""

    form: JsonForm
    in_scenario: bool
    rules: ir.RuleSet


def read_json(document: JsonDocument, report: Report) -> JsonRules | None:
    """The rules of a JSON file; None (with GW101) where it is none of the forms."""
    root = document.root
    top = Place((), report)
    match kind_of(root):
        case "flat":
            rules = _flat_rules(root, top, report)
            return JsonRules("flat", False, ir.RuleSet(rules=rules, span=root.span))
        case "grouped":
            assert isinstance(root, JsonObject)
            rules = _grouped_rules(root, top, report)
            return JsonRules("grouped", False, ir.RuleSet(semantics="classic", rules=rules, span=root.span))
        case "scenario":
            assert isinstance(root, JsonObject)
            return _scenario(root, top, report)
        case _:
            report(not_rules(root))
            return None


# ---- scenario objects ---------------------------------------------------------------------------------------------


def _scenario(root: JsonObject, top: Place, report: Report) -> JsonRules:
    validation = root.get("validation")
    assert validation is not None
    form: JsonForm = "flat" if isinstance(validation.value, JsonArray) else "grouped"
    semantics: Semantics = "flat"
    rules: tuple[ir.Rule, ...] = ()
    match validation.value:
        case JsonArray() as array:
            rules = _flat_rules(array, top / "validation", report)
        case JsonObject() as grouped:
            semantics = "classic"
            rules = _grouped_rules(grouped, top / "validation", report)
        case other:
            (top / "validation").wrong_type(other, "an array of rules, or an object with gateway, job and tasks,")
    head = read_head(root, report)
    return JsonRules(form, True, ir.RuleSet(semantics=semantics, rules=rules, span=root.span, **head))


def read_head(root: JsonObject, report: Report) -> dict[str, Any]:
    """What a scenario object says beside its rules, by the names of the rule set's fields; null says nothing."""
    spans: dict[str, Span] = {}
    place = Place((), report, spans=spans)
    values: dict[str, Any] = {"spans": spans}
    for key, attribute, read in (
        ("key", "scenario", read_text),
        ("title", "title", read_any_text),
        ("tags", "tags", _read_tags),
        ("hosts", "hosts", _read_hosts),
        ("prepare", "prepare", _read_steps),
        ("restore", "restore", _read_steps),
    ):
        member = root.get(key)
        if member is not None and not (isinstance(member.value, JsonLiteral) and member.value.value is None):
            value = read(member.value, place / key, attribute)
            if value is not None:
                values[attribute] = value
    return values


def _read_tags(node: JsonValue, place: Place, attribute: str) -> tuple[str, ...] | None:
    return read_list(node, place, read_text, attribute, None)


def _read_hosts(node: JsonValue, place: Place, attribute: str) -> tuple[str, ...] | None:
    return read_list(node, place, _read_host, attribute, None)


def _read_host(node: JsonValue, place: Place, attribute: str) -> str | None:
    """A host's name: a string, or the `host_name`, else the `host_id`, of an object."""
    if not isinstance(node, JsonObject):
        if isinstance(node, JsonString):
            return read_text(node, place, attribute)
        place.wrong_type(node, "a host's name or an object with host_name")
        return None
    for key in ("host_name", "host_id"):
        member = node.get(key)
        if member is not None:
            return read_text(member.value, place / key, attribute)
    place.bad(opening(node), "the host has neither host_name nor host_id", code=GW103)
    return None


# ---- rules --------------------------------------------------------------------------------------------------------


def _flat_rules(node: JsonValue, place: Place, report: Report) -> tuple[ir.Rule, ...]:
    assert isinstance(node, JsonArray)
    read = (_rule(item, place / index, "flat", report) for index, item in enumerate(node.items))
    return tuple(rule for rule in read if rule is not None)


def _grouped_rules(node: JsonObject, place: Place, report: Report) -> tuple[ir.Rule, ...]:
    known_keys(node, place, (*GROUPS, *GROUPED_KEPT))
    rules: list[ir.Rule] = []
    for group in GROUPS:
        member = node.get(group)
        if member is None:
            continue
        if not isinstance(member.value, JsonArray):
            (place / group).wrong_type(member.value, "an array of rules")
            continue
        for index, item in enumerate(member.value.items):
            rule = _rule(item, place / group / index, "grouped", report)
            if rule is not None:
                rules.append(rule)
                _check_group(rule, group, report)
    return tuple(rules)


def _check_group(rule: ir.Rule, group: str, report: Report) -> None:
    """GW109 (warning) for a rule that stands in a group it does not belong to; a playbook may stand in any."""
    check = rule.check
    if isinstance(check, ir.Ansible) or (isinstance(check, ir.PatternMatch) and check.where not in TARGETS):
        return
    if check.group is not None and check.group != group:
        what = check.where if isinstance(check, ir.PatternMatch) else check.validator
        report(
            Finding(
                GW109,
                f"a rule about {what} belongs to the group “{check.group}”, not “{group}”",
                check.at("where") if isinstance(check, ir.PatternMatch) else check.at("validator"),
                help=f"it is graded as a rule of “{check.group}”",
                rule=rule.label,
                severity_override=Severity.WARNING,
            )
        )


def _rule(node: JsonValue, place: Place, form: JsonForm, report: Report) -> ir.Rule | None:
    """One rule object, or None when something in it is wrong (all of it reported)."""
    if not isinstance(node, JsonObject):
        place.wrong_type(node, "a rule object")
        return None
    label_member = node.get("label")
    named = label_member.value.value if label_member and isinstance(label_member.value, JsonString) else None
    place = replace(place, rule=named or None, spans={})
    shape = _shape(node, place, form)
    label = _required(node, "label", place)
    if shape is None:
        return None
    required = _flag(node, REQUIRED, place)
    negate = _flag(node, NEGATE, place) if shape.negate else False
    good_keys = _rule_keys(node, place, form, shape)
    check_place = replace(place, spans={})
    values = _fields(node, shape, check_place)
    if label is None or required is None or negate is None or values is None or not good_keys:
        return None
    validator = node.get("validator")
    assert validator is not None
    check_place.spans["validator"] = validator.value.span
    return ir.Rule(
        label=label,
        check=shape.make(**values, span=node.span, spans=check_place.spans),
        required=required,
        negate=negate,
        extras=_extras(node),
        span=node.span,
        spans=place.spans,
    )


def _required(node: JsonObject, key: str, place: Place) -> str | None:
    member = node.get(key)
    if member is None:
        place.bad(opening(node), f"the rule has no {key}", code=GW103)
        return None
    return read_text(member.value, place / key, key)


def _shape(node: JsonObject, place: Place, form: JsonForm) -> Shape | None:
    """The validator's shape in this form; GW103, GW104, GW105 or GW109 where there is none."""
    validator = _required(node, "validator", place)
    if validator is None:
        return None
    member = node.get("validator")
    assert member is not None
    if validator in FORMS[form]:
        return FORMS[form][validator]
    if validator in VALIDATORS:
        other = "grouped" if form == "flat" else "flat"
        message = f"{validator} does not exist in the {form} form"
        (place / "validator").bad(member.value.span, message, f"the {other} form and .gate files have it", GW109)
    else:
        known = list(FORMS[form])
        help_ = did_you_mean(validator, VALIDATORS) or "validators: " + ", ".join(known)
        (place / "validator").bad(member.value.span, f"“{validator}” is not a validator", help_, GW105)
    return None


def _flag(node: JsonObject, field: Field, place: Place) -> bool | None:
    member = node.get(field.key)
    return field.default if member is None else read_flag(member.value, place / field.key, field.key)


def _rule_keys(node: JsonObject, place: Place, form: JsonForm, shape: Shape) -> bool:
    """Report every key that the rule cannot have; whether there is none."""
    known = [*(field.key for field in RULE_FIELDS), *(field.key for field in shape.fields)]
    if shape.negate:
        known.append(NEGATE.key)
    good = True
    for member in node.members:
        key = member.key.value
        if key in known or is_extra(key):
            continue
        good = False
        if key == "negate":
            message = f"negate exists only on pattern_match in the {form} form"
            place.bad(member.key.span, message, code=GW109)
        else:
            hint = did_you_mean(key, known) or "keys of this rule: " + ", ".join(known)
            place.bad(member.key.span, f"the key “{key}” is unknown", hint, GW102)
    return good


def _fields(node: JsonObject, shape: Shape, place: Place) -> dict[str, Any] | None:
    """The values of a check by the names of its fields; None when one of them is wrong."""
    values: dict[str, Any] = {}
    good = True
    given = [key for key in shape.one_of if node.get(key) is not None]
    if shape.one_of and len(given) != 1:
        words = " or ".join(shape.one_of)
        span = opening(node)
        if given:
            member = node.get(given[1])
            assert member is not None
            span = member.key.span
        message = f"the rule has both {' and '.join(given)}" if given else f"the rule has no {words}"
        place.bad(span, message, f"give one of {', '.join(shape.one_of)}", GW104 if given else GW103)
        return None
    for field in shape.fields:
        member = node.get(field.key)
        if member is None:
            if field.required:
                place.bad(opening(node), f"the rule has no {field.key}", code=GW103)
                good = False
            elif field.default is not None:
                values.setdefault(field.fills, field.default)
            continue
        value = field.kind.read(member.value, place / field.key, field.fills)
        if value is None:
            good = False
        else:
            values[field.fills] = value
        if field.key == "pattern" and shape.one_of:
            place.spans["pattern"] = member.key.span  # so that emitters know which of both words stood here
            place.report(
                Finding(
                    GW115,
                    "“pattern” of a resolution status is the older word for “statuses”",
                    member.key.span,
                    help='write "statuses": ["…"]',
                    rule=place.rule,
                    severity_override=Severity.INFO,
                    fix=Fix(
                        "write statuses",
                        (
                            Edit(member.key.span, '"statuses"'),
                            Edit(member.value.span, f"[{member.value.span.text}]"),
                        ),
                        is_safe=True,
                    ),
                )
            )
    return values if good else None


def rule_objects(validation: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    """The rule objects of a `validation` of either form that have a label, in order."""
    arrays = [validation] if isinstance(validation, JsonArray) else []
    if isinstance(validation, JsonObject):
        members = (validation.get(group) for group in GROUPS)
        arrays = [m.value for m in members if m is not None and isinstance(m.value, JsonArray)]
    for array in arrays:
        for node in array.items:
            label = node.get("label") if isinstance(node, JsonObject) else None
            if isinstance(node, JsonObject) and label is not None and isinstance(label.value, JsonString):
                yield label.value.value, node


def _extras(node: JsonObject) -> tuple[tuple[str, str], ...]:
    return tuple((member.key.value, member.value.span.text) for member in node.members if is_extra(member.key.value))


# ---- steps --------------------------------------------------------------------------------------------------------

_STEP_KEYS = ("name", "on", "run", "write", "content", "sudo")


def _read_steps(node: JsonValue, place: Place, attribute: str) -> tuple[ir.AnyStep, ...] | None:
    if not isinstance(node, JsonArray):
        place.wrong_type(node, "an array of steps")
        return None
    read = (_step(item, place / index) for index, item in enumerate(node.items))
    return tuple(step for step in read if step is not None)


def _step(node: JsonValue, place: Place) -> ir.AnyStep | None:
    if not isinstance(node, JsonObject):
        place.wrong_type(node, "a step object")
        return None
    place = replace(place, spans={})
    runs, writes = node.get("run"), node.get("write")
    content, sudo = node.get("content"), node.get("sudo")
    good = known_keys(node, place, _STEP_KEYS)
    fault: tuple[str, str] | None = None
    if (runs is None) == (writes is None):
        fault = ("a step has either run or write", "split it into two steps" if runs else "add run or write")
    elif writes is not None and content is None:
        fault = ("a step that writes has its content", "add content; a file can be empty")
    elif writes is None and (content is not None or sudo is not None):
        fault = (f"{'content' if content else 'sudo'} belongs to a step that writes", "add write, or leave it out")
    if fault is not None:
        place.bad(opening(node), fault[0], fault[1], GW114)
        return None
    values: dict[str, Any] = {}
    for key, read in (
        ("name", read_text),
        ("on", read_text),
        ("run", read_text),
        ("write", read_text),
        ("content", read_any_text),
        ("sudo", read_flag),
    ):
        member = node.get(key)
        if member is not None:
            values[key] = read(member.value, place / key, key)
            good = good and values[key] is not None
    if not good:
        return None
    if node.get("name") is None:
        finding = Finding(
            GW114,
            "the step has no name, so that reports show its command instead",
            opening(node),
            help='add "name"',
            severity_override=Severity.WARNING,
        )
        place.report(finding)
    make = ir.RunStep if runs is not None else ir.WriteStep
    return make(**values, extras=_extras(node), span=node.span, spans=place.spans)
