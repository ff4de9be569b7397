"""IR → plan: what must be fetched and run to know whether the rules hold, and how the verdict follows.

    plan = ir_to_plan(rules)
    plan.fetch.task_targets         # ('executed_commands',)
    plan.gates.formula              # ('score = …', 'compliance = …', 'remediation = …', 'verdict = …')

The other way in is a printed plan: `plan_from_json` reads it, and takes it only when everything in it follows
from its rules, so that a plan cannot say one thing in its rules and do another.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..grammar.text import Span
from .findings import (
    GW101,
    GW102,
    GW103,
    GW104,
    GW105,
    GW106,
    GW110,
    Finding,
    Report,
)
from .form_checks import check_form
from .ir import (
    Ansible,
    HostState,
    HowOften,
    JobResolutionStatus,
    PatternMatch,
    Rule,
    RuleSet,
    TaskCount,
    TicketStatus,
    Turns,
)
from .json_tree import JsonArray, JsonDocument, JsonNumber, JsonObject, JsonPath, JsonValue, path_text
from .pattern_checks import check_patterns
from .plan import (
    PLAN_SCHEMA,
    Fetch,
    Gates,
    HostCommand,
    HostCommands,
    PatternUse,
    Plan,
    Playbook,
    TargetPatterns,
)
from .vocabulary import INVOCATIONS_ARE_OF, TARGETS, Semantics

JOB_FIELDS = {"job_resolution": "resolution", "job_plan": "plan"}
"""The field of the job that a job target reads."""


# ---- rules → plan -------------------------------------------------------------------------------------------------
def ir_to_plan(rules: RuleSet) -> Plan:
    """The plan of a set of rules without errors. Pure."""
    numbered = list(enumerate(rules.rules))
    gates = _gates(rules.rules, rules.semantics)
    return Plan(
        scenario=rules.scenario,
        title=rules.title,
        semantics=rules.semantics,
        hosts=rules.hosts,
        rules=tuple(rule.model_copy(update={"extras": ()}) for rule in rules.rules),
        fetch=_fetch(rules.rules, rules.semantics, gates.job_completed),
        patterns=_patterns(numbered),
        host_commands=_host_commands(numbered, rules.hosts),
        playbooks=tuple(
            Playbook(rule=index, path=rule.check.path) for index, rule in numbered if isinstance(rule.check, Ansible)
        ),
        gates=gates,
    )


def rules_of_plan(plan: Plan) -> RuleSet:
    """The rules that a plan was made from, as far as the plan knows them: `ir_to_plan` makes the same plan of
    them."""
    return RuleSet(
        scenario=plan.scenario,
        title=plan.title,
        hosts=plan.hosts,
        semantics=plan.semantics,
        rules=plan.rules,
    )


def _fetch(rules: tuple[Rule, ...], semantics: Semantics, job_completed: bool) -> Fetch:
    targets: set[str] = set()
    job = {"status"} if job_completed else set[str]()
    ticket: set[str] = set()
    tasks = task_hosts = task_times = False
    for rule in rules:
        match rule.check:
            case PatternMatch() as check:
                scope = TARGETS[check.where].scope
                tasks |= scope == "task"
                task_hosts |= check.on is not None
                task_times |= scope == "task" and check.before is not None
                if scope == "gateway":
                    ticket.add("messages")
                elif scope == "job":
                    job.add(JOB_FIELDS[check.where])
                elif not (semantics == "classic" and check.where == "task_plan"):
                    targets.add(INVOCATIONS_ARE_OF if check.where == "invocations" else check.where)
            case TaskCount():
                tasks = True
            case Turns():
                tasks = task_hosts = task_times = True
            case JobResolutionStatus():
                job.add("resolution_status")
            case TicketStatus():
                ticket.add("status")
            case HostState() | Ansible():
                pass
    return Fetch(
        task_targets=tuple(name for name in TARGETS if name in targets),
        tasks=tasks,
        task_hosts=task_hosts,
        task_times=task_times,
        job=tuple(name for name in ("status", "resolution_status", "resolution", "plan") if name in job),
        ticket=tuple(name for name in ("status", "messages") if name in ticket),
    )


def _patterns(rules: list[tuple[int, Rule]]) -> tuple[TargetPatterns, ...]:
    by_target: dict[str, list[PatternUse]] = {}
    for index, rule in rules:
        if isinstance(rule.check, PatternMatch):
            uses = by_target.setdefault(rule.check.where, [])
            uses.append(PatternUse(rule=index, pattern=rule.check.pattern))
            if rule.check.before is not None:
                uses.append(PatternUse(rule=index, pattern=rule.check.before, role="before"))
    return tuple(TargetPatterns(target=target, patterns=tuple(uses)) for target, uses in by_target.items())


def _host_commands(rules: list[tuple[int, Rule]], hosts: tuple[str, ...] | None) -> tuple[HostCommands, ...]:
    default = hosts[0] if hosts else None
    by_host: dict[str | None, list[HostCommand]] = {}
    for index, rule in rules:
        match rule.check:
            case HostState(run=run, on=on, exit_code=exit_code, within=within):
                command = HostCommand(rule=index, run=run, exit_code=exit_code, within=within)
                by_host.setdefault(default if on is None else on, []).append(command)
            case _:
                pass
    return tuple(HostCommands(host=host, commands=tuple(commands)) for host, commands in by_host.items())


# ---- gates --------------------------------------------------------------------------------------------------------
def _gates(rules: tuple[Rule, ...], semantics: Semantics) -> Gates:
    """Classic page 0.16 and flat page 0.19, "scoring"; what they leave open is decided in the language's
    reference."""

    def chosen(condition: Callable[[Rule], bool]) -> tuple[int, ...]:
        return tuple(index for index, rule in enumerate(rules) if condition(rule))

    compliance = chosen(lambda rule: rule.required and not rule.is_ground_truth)
    if semantics == "classic":
        playbooks = chosen(lambda rule: isinstance(rule.check, Ansible))
        gates = Gates(
            score=chosen(lambda rule: not rule.is_ground_truth),
            compliance=compliance,
            resolution=playbooks,
            basis="playbook" if playbooks else "score",
            skipped_without_ticket=chosen(lambda rule: rule.check.group == "gateway"),
        )
    else:
        ground_truth = chosen(lambda rule: rule.required and rule.is_ground_truth)
        gates = Gates(
            score=chosen(lambda _: True),
            compliance=compliance,
            job_completed=not any(rule.accepts_agentic_failure for rule in rules),
            resolution=ground_truth,
            basis="ground_truth" if ground_truth else "compliance",
        )
    return gates.model_copy(update={"formula": _formula(rules, gates, semantics)})


def _formula(rules: tuple[Rule, ...], gates: Gates, semantics: Semantics) -> tuple[str, ...]:
    def names(indexes: tuple[int, ...]) -> str:
        return ", ".join(f"“{rules[index].label}”" for index in indexes)

    resolution = "resolution" if semantics == "classic" else "remediation"
    counted = f"{len(gates.score)} rule{'' if len(gates.score) == 1 else 's'}"
    of_what = "rules that look at no machine" if semantics == "classic" else "all rules"
    score = f"score = passed ÷ {counted} ({of_what}, required or not)" if gates.score else "score = 100 % (no rules)"
    parts = ["the job completed"] if gates.job_completed else []
    parts += [f"these pass: {names(gates.compliance)}"] if gates.compliance else []
    compliance = f"compliance = {' and '.join(parts) or 'always passes (nothing is required)'}"
    match gates.basis:
        case "playbook":
            decides = f"these pass, required or not: {names(gates.resolution)}"
        case "ground_truth":
            decides = f"these pass: {names(gates.resolution)}"
        case "score":
            decides = "compliance and 5 · passed ≥ 4 · all (a score of 80 % or more)"
        case "compliance":
            decides = "compliance (no required rule looks at a machine)"
    verdict = f"verdict = error if any rule is error, else passed if compliance and {resolution} pass, else failed"
    skipped = f"without a ticket these are skipped and count nowhere: {names(gates.skipped_without_ticket)}"
    lines = (score, compliance, f"{resolution} = {decides}", verdict)
    return (*lines, skipped) if gates.skipped_without_ticket else lines


# ---- JSON → plan --------------------------------------------------------------------------------------------------
def plan_from_json(document: JsonDocument, report: Report) -> Plan | None:
    """The plan that a JSON text holds, or None when something in it is an error (each is reported at its
    place).

    Refused are wrong types and unknown keys, rules that no rules file could hold, and parts that do not
    follow from the rules (but for `formula`, which is only for readers).
    """
    root = document.root
    if not isinstance(root, JsonObject):
        report(Finding(GW101, "a plan is a JSON object", root.span))
        return None
    try:
        plan = Plan.model_validate_json(json.dumps(_data(root)), strict=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            report(_finding(detail, root))
        return None
    refused = False

    def note(finding: Finding) -> None:
        nonlocal refused
        refused |= finding.is_error
        report(finding)

    _check_rules(plan, root, note)
    if not refused:
        _check_parts(plan, root, note)
    return None if refused else plan


def _data(node: JsonValue) -> object:
    """The tree as plain values; a number that is no integer stays a float, which no field of a plan takes."""
    match node:
        case JsonObject(members=members):
            return {member.key.value: _data(member.value) for member in members}
        case JsonArray(items=items):
            return [_data(item) for item in items]
        case JsonNumber():
            whole = node.integer()
            return 0.5 if whole is None else whole
        case _:
            return node.value


def _place(root: JsonValue, loc: tuple[str | int, ...]) -> tuple[JsonPath, Span]:
    """The path and span of what a validation error speaks of; steps that are no key (union tags) are passed
    over."""
    path: list[str | int] = []
    node, span = root, root.span
    for step in loc:
        match node:
            case JsonObject() if isinstance(step, str) and (member := node.get(step)) is not None:
                node, span = member.value, member.value.span
            case JsonArray(items=items) if isinstance(step, int) and step < len(items):
                node, span = items[step], items[step].span
            case _:
                continue
        path.append(step)
    return tuple(path), span


def _finding(detail: ErrorDetails, root: JsonObject) -> Finding:
    """What pydantic has against a plan, as a finding."""
    path, span = _place(root, detail["loc"])
    last = detail["loc"][-1] if detail["loc"] else ""
    match detail["type"]:
        case "missing":
            return Finding(GW103, f"{path_text(path)}: “{last}” is missing", span)
        case "extra_forbidden":
            parent = _place(root, detail["loc"][:-1])[0]
            return Finding(GW102, f"{path_text(parent)}: unknown key “{last}”", span)
        case "union_tag_invalid" | "union_tag_not_found":
            return Finding(GW105, f"{path_text(path)}: no known validator", span)
        case _ if path == ("schema",):
            return Finding(GW104, f"this version reads plans of {PLAN_SCHEMA} only", span)
        case kind:
            wanted = next((words for part, words in _WANTED.items() if part in kind), "another value")
            return Finding(GW104, f"{path_text(path)}: {wanted} is wanted", span)


_WANTED = {
    "too_short": "a text or list that is not empty",
    "greater_than_equal": "a greater number",
    "less_than_equal": "a smaller number",
    "bool": "true or false",
    "int": "a whole number",
    "string": "a string",
    "tuple": "an array",
    "model": "an object",
    "literal": "one of the known words",
}
"""What is wanted, by a part of the name that the validation library gives to the fault."""


def _check_rules(plan: Plan, root: JsonObject, report: Report) -> None:
    """What the front ends refuse in rules, for rules that come in a plan."""
    places = {rule.label: _place(root, ("rules", index, "check"))[1] for index, rule in enumerate(plan.rules)}

    def at_rule(finding: Finding) -> None:
        report(replace(finding, span=finding.span or places.get(finding.rule or "", root.span)))

    unknown = [rule for rule in plan.rules if isinstance(rule.check, PatternMatch) and rule.check.where not in TARGETS]
    rules = rules_of_plan(plan)
    for rule in unknown:
        at_rule(Finding(GW106, "the rule reads a target that does not exist", rule=rule.label))
    if unknown:
        return  # nothing else can be asked of them
    check_form(rules, at_rule)
    check_patterns(rules, at_rule)
    for rule in rules.rules:
        match rule.check:
            case PatternMatch() as check:
                if check.how_often == HowOften(bound="at least", times=0):
                    at_rule(Finding(GW110, "“at least 0 times” holds for every run", rule=rule.label))
            case Turns(turns=turns) if any(not turn.hosts and turn.at_least is None for turn in turns):
                at_rule(Finding(GW104, "a turn needs `hosts` or `at_least`", rule=rule.label))
            case _:
                pass


def _check_parts(plan: Plan, root: JsonObject, report: Report) -> None:
    """GW104 for every derived part that is not what the rules give."""
    expected = ir_to_plan(rules_of_plan(plan))
    for name in ("rules", "fetch", "patterns", "host_commands", "playbooks", "gates"):
        stated, derived = getattr(plan, name), getattr(expected, name)
        if name == "gates":
            stated = plan.gates.model_copy(update={"formula": derived.formula})
        if stated != derived:
            message = f"{name}: does not follow from the rules of the plan"
            report(Finding(GW104, message, _place(root, (name,))[1], help="compile the rules again"))
