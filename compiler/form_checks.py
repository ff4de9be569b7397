"""What every form must respect, checked on the IR: targets, statuses, bounds, hosts, turns, the classic subset.

The front ends make sure that a value has the right shape; whether it makes sense is decided here, once for all forms.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from pathlib import PurePosixPath

from ..grammar.text import Span
from .findings import (
    GW104,
    GW106,
    GW109,
    GW110,
    GW111,
    GW112,
    GW115,
    Edit,
    Finding,
    Fix,
    Report,
    Severity,
    did_you_mean,
)
from .ir import (
    Ansible,
    AnyCheck,
    HostAnswerFact,
    HostState,
    HowOften,
    JobResolutionStatus,
    PatternMatch,
    Rule,
    RuleSet,
    TaskCount,
    TaskFact,
    TicketStatus,
    Turn,
    Turns,
)
from .vocabulary import OLD_STATUSES, RESOLUTION_STATUSES, TARGETS


def current_status(status: str, span: Span, report: Report, rule: str | None = None) -> str:
    """The word that replaced an old status (with GW115), or the status itself."""
    current = OLD_STATUSES.get(status)
    if current is None:
        return status
    said, title = f"“{status}” is the old word for “{current}”", f"write {current}"
    fix = Fix(title, (Edit(span, span.text.replace(status, current)),), is_safe=True)
    report(Finding(GW115, said, span, help=title, rule=rule, fix=fix if status in span.text else None))
    return current


def check_form(rules: RuleSet, report: Report) -> None:
    """Report every rule, step or test that no run and no reader could make sense of."""
    check_hosts(rules, report)
    for rule in rules.rules:
        for finding in _rule_findings(rule, rules):
            report(finding)


def check_hosts(rules: RuleSet, report: Report) -> None:
    """Hosts are declared once each; where they are declared, nothing names another one (GW112)."""
    declared = rules.hosts or ()
    for index, host in enumerate(declared):
        if host in declared[:index]:
            report(Finding(GW104, f"host “{host}” is declared twice", rules.at(f"hosts.{index}")))
    if not declared:
        return
    for host, span, rule in _named_hosts(rules):
        if host not in declared:
            known = ", ".join(declared)
            help_ = did_you_mean(host, declared) or f"declared are {known}"
            report(Finding(GW112, f"host “{host}” is not among the scenario's hosts", span, help=help_, rule=rule))


def _named_hosts(rules: RuleSet) -> Iterable[tuple[str, Span | None, str | None]]:
    for rule in rules.rules:
        match rule.check:
            case PatternMatch(on=str() as host) | HostState(on=str() as host):
                yield host, rule.check.at("on"), rule.label
            case Turns(turns=turns):
                for turn in turns:
                    for index, host in enumerate(turn.hosts):
                        yield host, turn.at(f"hosts.{index}"), rule.label
            case _:
                pass
    for step in (*(rules.prepare or ()), *(rules.restore or ())):
        if step.on is not None:
            yield step.on, step.at("on"), None
    for test in rules.tests:
        for fact in test.facts:
            if isinstance(fact, HostAnswerFact | TaskFact) and fact.on is not None:
                yield fact.on, fact.at("on"), None


def _rule_findings(rule: Rule, rules: RuleSet) -> Iterable[Finding]:
    match rule.check:
        case PatternMatch() as check:
            yield from _target_findings(check, rule, rules)
        case TaskCount() as check:
            yield from _bounds_findings(check, rule)
        case JobResolutionStatus() as check:
            yield from _status_findings(check, rule)
        case Turns() as check:
            for turn in check.turns:
                yield from _turn_findings(turn, rule)
        case Ansible() as check:
            yield from _path_findings(check, rule)
        case HostState() | TicketStatus():
            pass
    if rules.semantics == "classic" and isinstance(rule.check, HostState | Turns):
        yield Finding(
            GW109,
            f"{rule.check.validator} does not exist under classic semantics",
            rule.check.span,
            help=_classic_way_out(rule.check),
            rule=rule.label,
        )


def _classic_way_out(check: AnyCheck) -> str:
    if isinstance(check, HostState):
        return "check the machine in a playbook: ansible “validate.yml”; or use flat semantics"
    return "use flat semantics"


def _target_findings(check: PatternMatch, rule: Rule, rules: RuleSet) -> Iterable[Finding]:
    target = TARGETS.get(check.where)
    span = check.at("where")
    if target is None:
        help_ = did_you_mean(check.where, TARGETS) or "targets: " + ", ".join(TARGETS)
        yield Finding(GW106, f"“{check.where}” is not a target", span, help=help_, rule=rule.label)
        # The model's group needs a known target, so nothing more can be said of this rule.
        return
    if check.how_often is not None and check.how_often == HowOften(bound="at least", times=0):
        help_ = "“at least 1 time” asks for a match, “exactly 0 times” for none"
        message = "“at least 0 times” holds of everything"
        yield Finding(GW110, message, check.how_often.span, help=help_, rule=rule.label)
    if check.on is not None and target.scope != "task":
        yield Finding(
            GW104,
            f"“on {check.on}” picks tasks, and {check.where} belongs to the {_owner(target.scope)}",
            check.at("on"),
            help="leave “on” out",
            rule=rule.label,
        )
    if rules.semantics == "classic" and not target.classic:
        yield unlisted_target(rule, check)


def unlisted_target(rule: Rule, check: PatternMatch) -> Finding:
    """GW109 (warning) for a target that the classic page does not list."""
    return Finding(
        GW109,
        f"the classic format does not list the target {check.where}",
        check.at("where"),
        help="it is read and written all the same; a classic runner may not know it",
        rule=rule.label,
        severity_override=Severity.WARNING,
    )


def _owner(scope: str) -> str:
    return "job" if scope == "job" else "ticket"


def _bounds_findings(check: TaskCount, rule: Rule) -> Iterable[Finding]:
    if check.min is None and check.max is None:
        yield Finding(
            GW110,
            "task_count needs at least one bound",
            check.span,
            help="give min, max or both; max 0 says that there are no tasks",
            rule=rule.label,
        )
    elif check.min is not None and check.max is not None and check.min > check.max:
        yield Finding(
            GW110,
            f"no number of tasks is at least {check.min} and at most {check.max}",
            check.at("min"),
            help="swap the bounds?",
            rule=rule.label,
        )


def _status_findings(check: JobResolutionStatus, rule: Rule) -> Iterable[Finding]:
    for index, status in enumerate(check.statuses):
        span = check.at(f"statuses.{index}")
        if status not in RESOLUTION_STATUSES:
            yield unknown_status(status, span, rule.label)
        elif status in check.statuses[:index]:
            yield Finding(GW111, f"status “{status}” stands here twice", span, rule=rule.label)


def unknown_status(status: str, span: Span | None, rule: str | None = None) -> Finding:
    """GW111 for a word that is no resolution status."""
    help_ = did_you_mean(status, RESOLUTION_STATUSES) or "statuses: " + ", ".join(RESOLUTION_STATUSES)
    return Finding(GW111, f"“{status}” is not a resolution status", span, help=help_, rule=rule)


def _path_findings(check: Ansible, rule: Rule) -> Iterable[Finding]:
    """A playbook lies in the folder of the scenario."""
    path = PurePosixPath(check.path)
    depths = accumulate(-1 if part == ".." else 1 for part in path.parts)
    if path.is_absolute() or any(depth < 0 for depth in depths):
        message = f"the playbook {check.path} lies outside the scenario's folder"
        help_ = "the path is relative to the file of the rules"
        yield Finding(GW104, message, check.at("path"), help=help_, rule=rule.label)


def _turn_findings(turn: Turn, rule: Rule) -> Iterable[Finding]:
    for index, host in enumerate(turn.hosts):
        if host in turn.hosts[:index]:
            yield Finding(
                GW104,
                f"host “{host}” stands in this turn twice",
                turn.at(f"hosts.{index}"),
                help="a turn has at most one task on a host",
                rule=rule.label,
            )
