"""One form of rules to another, as text.

JSON to JSON rewrites only the rules: everything else of a scenario object stays byte for byte. What the other form
cannot say is GW601 (and the text must then not be written), what is said in other words GW603, what has no place GW604.
"""

from __future__ import annotations

from ..grammar.text import Span
from . import ir
from .findings import GW101, GW603, GW604, Finding, Report
from .form_checks import check_hosts, unlisted_target
from .ir_to_gate import ir_to_gate
from .ir_to_json import mention_tests, rules_to_json, scenario_to_json, steps_to_json
from .json_forms import GROUPED_KEPT, SCENARIO_KEYS, JsonForm, is_extra
from .json_kind import kind_of, opening
from .json_layout import Printable, layout
from .json_rewrite import Edit, Insert, Replace, rewrite
from .json_to_ir import read_head
from .json_tree import JsonArray, JsonDocument, JsonObject, JsonString, JsonValue
from .load import Loaded
from .vocabulary import GROUPS, TARGETS, Form


def convert(loaded: Loaded, form: Form, report: Report) -> str:
    """The text of the same rules in another form (or the same)."""
    if form == "grouped":
        _mention_unlisted_targets(loaded.rules, report)
    if form == "gate":
        _mention_foreign(loaded, report)
        return ir_to_gate(loaded.rules, report)
    document = loaded.document
    if document is None:
        return layout(scenario_to_json(loaded.rules, form, report)) + "\n"
    if loaded.in_scenario:
        return _with_rules(document, loaded.rules, form, report, steps=False)
    new = rules_to_json(loaded.rules.rules, form, report)
    return rewrite(document, [Replace((), _around(document.root, new, document.root.span, report))])


def convert_into(loaded: Loaded, document: JsonDocument, form: JsonForm, report: Report) -> str | None:
    """The text of a scenario object with the rules and steps of `loaded`, the rest of it as it was.

    Steps that `loaded` says nothing of stay, and so do the hosts, the title and all other keys.
    """
    if not isinstance(document.root, JsonObject) or kind_of(document.root) in ("grouped", "plan"):
        report(Finding(GW101, "rules can be put only into a scenario object", opening(document.root)))
        return None
    mention_tests(loaded.rules, report)
    if form == "grouped":
        _mention_unlisted_targets(loaded.rules, report)
    hosts = read_head(document.root, report).get("hosts")
    rules = _with_named_hosts(loaded.rules, hosts, report)
    check_hosts(rules.model_copy(update={"hosts": hosts}), report)
    return _with_rules(document, rules, form, report, steps=True)


def _with_named_hosts(rules: ir.RuleSet, hosts: tuple[str, ...] | None, report: Report) -> ir.RuleSet:
    """The rules with their default host written out where the scenario they go into has another one (GW603)."""
    if not rules.hosts or rules.hosts[0] == (hosts or (None,))[0]:
        return rules
    default = rules.hosts[0]
    named: list[ir.Rule] = []
    for rule in rules.rules:
        check = rule.check
        if isinstance(check, ir.HostState) and check.on is None:
            report(Finding(GW603, f"the default host is written out: on {default}", check.span, rule=rule.label))
            check = check.model_copy(update={"on": default})
        named.append(rule.model_copy(update={"check": check}))
    steps = {
        key: None if written is None else tuple(step.model_copy(update={"on": step.on or default}) for step in written)
        for key, written in (("prepare", rules.prepare), ("restore", rules.restore))
    }
    return rules.model_copy(update={"rules": tuple(named), **steps})


def form_of(document: JsonDocument) -> JsonForm | None:
    """The form of the rules that stand in a scenario object."""
    validation = document.root.get("validation") if isinstance(document.root, JsonObject) else None
    match validation.value if validation else None:
        case JsonArray():
            return "flat"
        case JsonObject():
            return "grouped"
        case _:
            return None


def _with_rules(document: JsonDocument, rules: ir.RuleSet, form: JsonForm, report: Report, *, steps: bool) -> str:
    assert isinstance(document.root, JsonObject)
    stands = document.root.get("validation")
    keep = stands.value if stands is not None and steps else None
    new = rules_to_json(rules.rules, form, report, keep)
    if stands is not None:
        new = _around(stands.value, new, stands.key.span, report)
    edits: list[Edit] = [_put(document.root, "validation", new)]
    if steps:
        for key, written in (("prepare", rules.prepare), ("restore", rules.restore)):
            if written is not None:
                edits.append(_put(document.root, key, steps_to_json(written)))
    return rewrite(document, edits)


def _put(root: JsonObject, key: str, value: Printable) -> Edit:
    if root.get(key) is not None:
        return Replace((key,), value)
    place = SCENARIO_KEYS.index(key)
    return Insert((), key, value, after=SCENARIO_KEYS[:place], before=SCENARIO_KEYS[place + 1 :])


def _around(stands: JsonValue, new: Printable, span: Span, report: Report) -> Printable:
    """The new rules with the foreign keys of the grouped object that they replace; GW604 where these have no place."""
    if not isinstance(stands, JsonObject):
        return new
    foreign = [member for member in stands.members if member.key.value not in GROUPS]
    if isinstance(new, dict):
        merged: dict[str, Printable] = {}
        for member in stands.members:
            key = member.key.value
            merged[key] = new[key] if key in GROUPS else member.value
        return {**merged, **{group: new[group] for group in GROUPS if group not in merged}}
    if foreign:
        keys = ", ".join(member.key.value for member in foreign)
        report(Finding(GW604, f"the flat form has no place for {keys}", span))
    return new


def _mention_unlisted_targets(rules: ir.RuleSet, report: Report) -> None:
    """GW109 (warning) for targets that classic runners may not know; of classic rules it was said on reading."""
    if rules.semantics == "flat":
        for rule in rules.rules:
            if isinstance(rule.check, ir.PatternMatch) and not TARGETS[rule.check.where].classic:
                report(unlisted_target(rule, rule.check))


# ---- what a .gate file cannot carry -------------------------------------------------------------------------------


def _mention_foreign(loaded: Loaded, report: Report) -> None:
    root = loaded.document.root if loaded.document is not None else None
    if not isinstance(root, JsonObject):
        return
    if not loaded.in_scenario:
        _mention_group_keys(root, report)
        return
    foreign = [member.key for member in root.members if member.key.value not in SCENARIO_KEYS]
    if foreign:
        keys = ", ".join(key.value for key in foreign)
        help_ = "keep the scenario.json beside the .gate file; convert --into puts rules back into it"
        report(Finding(GW604, f"a .gate file cannot carry {keys}", foreign[0].span, help=help_))
    validation = root.get("validation")
    if validation is not None and isinstance(validation.value, JsonObject):
        _mention_group_keys(validation.value, report)
    hosts = root.get("hosts")
    for node in hosts.value.items if hosts is not None and isinstance(hosts.value, JsonArray) else ():
        if not isinstance(node, JsonObject):
            continue
        named = "host_name" if node.get("host_name") is not None else "host_id"
        rest = [member.key.value for member in node.members if member.key.value != named]
        name = node.get(named)
        if rest and name is not None and isinstance(name.value, JsonString):
            what = f"a .gate file carries only the name of host “{name.value.value}”, not its {', '.join(rest)}"
            report(Finding(GW604, what, opening(node)))


def _mention_group_keys(grouped: JsonObject, report: Report) -> None:
    foreign = [m.key for m in grouped.members if m.key.value in GROUPED_KEPT or is_extra(m.key.value)]
    if foreign:
        keys = ", ".join(key.value for key in foreign)
        report(Finding(GW604, f"a .gate file cannot carry {keys}", foreign[0].span))
