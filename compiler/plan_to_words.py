"""Plan → plain English: what is fetched, what is run where, how each rule is checked, how the verdict follows.

    Scenario nginx-broken-config, flat semantics

    Read from the run record
      - executed_commands of every task
      - status of the job
    Run on web-01, in this order
      - `curl -sf -m 5 -o /dev/null http://localhost`
    Check
      1. “Agent restarted nginx” (required): some value of executed_commands matches `systemctl restart`
      …

The words are made from the plan alone, so what is explained is what is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .ir import (
    Ansible,
    HostState,
    JobResolutionStatus,
    PatternMatch,
    Rule,
    TaskCount,
    TicketStatus,
    Turn,
    Turns,
)
from .plan import Fetch, HostCommand, Plan
from .vocabulary import TARGETS, Semantics


def plan_to_words(plan: Plan) -> str:
    """The whole plan, a section each; ends with a newline."""
    sections = [
        [_title(plan)],
        _section("Read from the run record", _fetched(plan.fetch), "nothing"),
        *(
            _section(f"Run on {group.host or 'the only host there is'}, in this order", map(_command, group.commands))
            for group in plan.host_commands
        ),
        _section("Run playbooks", (_literal(playbook.path) for playbook in plan.playbooks)),
        _section("Check", _rules(plan), "nothing: there are no rules", numbered=True),
        _section("Decide", map(_seen, plan.gates.formula)),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def check_in_words(rule: Rule, semantics: Semantics, default_host: str | None = None) -> str:
    """What makes a rule pass, as half a sentence: `some value of executed_commands matches …`."""
    match rule.check:
        case PatternMatch() as check:
            return _pattern(check, rule.negate, semantics)
        case TaskCount(min=low, max=high):
            words = f"the job has {_bounds(low, high)}"
        case JobResolutionStatus(statuses=statuses):
            words = f"the job resolved as {_any_of(statuses)}"
        case TicketStatus(status=status):
            words = f"the ticket is {status}, in capitals or not"
        case HostState(run=run, on=on, exit_code=exit_code, within=within):
            host = on or default_host or "the only host there is"
            patience = f", tried again each second for {within} s" if within is not None else ""
            words = f"on {host} {_literal(run)} ends with exit status {exit_code}{patience}"
        case Turns(turns=turns):
            words = f"the job began with {' then '.join(map(_turn, turns))}"
        case Ansible(path=path):
            words = f"the playbook {_literal(path)} ends with exit status 0"
    return f"it is not so that {words}" if rule.negate else words


# ---- sections -----------------------------------------------------------------------------------------------------
def _title(plan: Plan) -> str:
    parts = [f"Scenario {_seen(plan.scenario)}" if plan.scenario is not None else "Rules"]
    parts += [f"“{_seen(plan.title)}”"] if plan.title is not None else []
    return ", ".join([*parts, f"{plan.semantics} semantics"])


def _section(title: str, items: Iterable[str], otherwise: str | None = None, *, numbered: bool = False) -> list[str]:
    lines = [f"  {f'{number}.' if numbered else '-'} {item}" for number, item in enumerate(items, 1)]
    if lines:
        return [title, *lines]
    return [title, f"  {otherwise}"] if otherwise is not None else []


def _fetched(fetch: Fetch) -> Iterator[str]:
    for target in fetch.task_targets:
        yield f"{target} of every task"
    if fetch.tasks and not fetch.task_targets:
        yield "the list of tasks"
    if fetch.task_hosts:
        yield "the host of every task"
    if fetch.task_times:
        yield "turn, start and end of every task"
    for field in fetch.job:
        yield f"{field.replace('_', ' ')} of the job"
    for field in fetch.ticket:
        yield f"{field} of the ticket"


def _command(command: HostCommand) -> str:
    patience = f", again each second for {command.within} s" if command.within is not None else ""
    return f"{_literal(command.run)}{patience}"


def _rules(plan: Plan) -> Iterator[str]:
    default = plan.hosts[0] if plan.hosts else None
    for rule in plan.rules:
        weight = "required" if rule.required else "optional"
        yield f"“{_seen(rule.label)}” ({weight}): {check_in_words(rule, plan.semantics, default)}"


# ---- checks -------------------------------------------------------------------------------------------------------
def _pattern(check: PatternMatch, negate: bool, semantics: Semantics) -> str:
    where = check.where if check.on is None else f"{check.where} of tasks on {check.on}"
    pattern = _literal(check.pattern)
    joined = semantics == "classic" and check.extension is None
    if check.before is not None:
        words = f"in {where} {pattern} matches, and first so before {_literal(check.before)} does"
    elif check.how_often is not None:
        words = f"{pattern} matches {check.how_often.bound} {check.how_often.times} values of {where}"
    else:
        unit = "value of" if not joined else "task's" if TARGETS[check.where].scope == "task" else ""
        what = f"{unit} {where}".strip()
        many = ", its values joined with newlines," if joined else ""
        if joined and not unit:
            return f"{where}{many} {'does not match' if negate else 'matches'} {pattern}"
        return f"{'no' if negate else 'some'} {what}{many} matches {pattern}"
    return f"it is not so that {words}" if negate else words


def _bounds(low: int | None, high: int | None) -> str:
    if low == high and low is not None:
        return f"exactly {_tasks(low)}"
    if low is None:
        return f"at most {_tasks(high or 0)}"
    return f"at least {_tasks(low)}" if high is None else f"{low} to {_tasks(high)}"


def _tasks(count: int) -> str:
    return f"{count} task{'' if count == 1 else 's'}"


def _any_of(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _turn(turn: Turn) -> str:
    hosts = ", ".join(turn.hosts)
    least = f"at least {turn.at_least} host{'' if turn.at_least == 1 else 's'}"
    if turn.at_least is None:
        return f"one turn on {hosts} and no other host"
    return f"one turn on {least}, {hosts} among them" if hosts else f"one turn on {least}"


def _literal(text: str) -> str:
    """As the language writes it: in backticks, in two where it has one itself."""
    shown = _seen(text)
    if "`" not in shown:
        return f"`{shown}`"
    before, behind = (" " if shown[end] == "`" else "" for end in (0, -1))
    return f"``{before}{shown}{behind}``"


def _seen(text: str) -> str:
    """What cannot be seen as escapes, so that the words of a rule cannot act on a terminal."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )
