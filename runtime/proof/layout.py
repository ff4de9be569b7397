"""How many tasks a made-up run has, and on which hosts and in which turns they run.

turns [web-01, web-02] then [mon-01]        # three tasks in two turns
on db-01 executed_commands matches `…`      # one more, on db-01
task_count 5..                              # one more, on the first host
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ...compiler.ir import HostState, PatternMatch, Rule, RuleSet, TaskCount, Turn, Turns
from ...compiler.vocabulary import TARGETS
from ..lint.logic.numbers import task_numbers
from .asked import Ask

MOST_TASKS = 64
"""A run of more tasks is not made."""

_START = datetime(2026, 1, 1, 9, tzinfo=UTC)
_TURN = timedelta(minutes=10)
_LENGTH = timedelta(minutes=9)
_OTHER_HOST = "another-host"


@dataclass(frozen=True, slots=True)
class Slot:
    """One task to be filled; `turn` None where nothing asks for turns."""

    host: str | None
    turn: int | None

    @property
    def started_at(self) -> datetime | None:
        return None if self.turn is None else _START + (self.turn - 1) * _TURN

    @property
    def ended_at(self) -> datetime | None:
        return None if self.turn is None else _START + (self.turn - 1) * _TURN + _LENGTH


def default_host(rules: RuleSet) -> str | None:
    """The scenario's first host, else the first that a rule names."""
    return next(iter(_hosts(rules)), None)


def _hosts(rules: RuleSet) -> tuple[str, ...]:
    if rules.hosts:
        return rules.hosts
    named: list[str] = []
    for rule in rules.rules:
        match rule.check:
            case PatternMatch(on=str(host)) | HostState(on=str(host)):
                named.append(host)
            case Turns(turns=turns):
                named += [host for turn in turns for host in turn.hosts]
            case _:
                pass
    return tuple(dict.fromkeys(named))


def slots_for(rules: RuleSet, kept: Sequence[Rule], wanted: Sequence[Ask], wished: int = 1) -> tuple[Slot, ...]:
    """The tasks with which the rules that are `kept` can pass: as few as can be, or up to `wished` where allowed.

    `wanted`: patterns that have to match.
    """
    hosts = _hosts(rules)
    default = next(iter(hosts), None)
    listed = [rule.check.turns for rule in kept if isinstance(rule.check, Turns) and not rule.negate]
    forbidden = [rule.check.turns for rule in kept if isinstance(rule.check, Turns) and rule.negate]
    has_turns = any(isinstance(rule.check, Turns) for rule in rules.rules)
    turns = [_hosts_of(entries, hosts) for entries in _side_by_side(listed)]
    if forbidden and not turns:
        taken = {host for one in forbidden for host in one[0].hosts}
        turns = [[next((host for host in hosts if host not in taken), _OTHER_HOST)]]
    placed = [(host, number) for number, turn in enumerate(turns, 1) for host in turn]
    for ask in wanted:
        host = ask.check.on
        if host is not None and host not in (known for known, _ in placed):
            placed.append((host, len(placed) + 1 if not turns else placed[-1][1] + 1))
    count = _number(kept, len(placed), wished)
    last = placed[-1][1] if placed else 0
    extra = [(default, last + number) for number in range(1, count - len(placed) + 1)]
    return tuple(Slot(host, turn if has_turns else None) for host, turn in (*placed, *extra))


def _side_by_side(listed: Sequence[Sequence[Turn]]) -> list[list[Turn]]:
    """The first turns of all rules, the second ones, and so on."""
    longest = max(map(len, listed), default=0)
    return [[turns[number] for turns in listed if number < len(turns)] for number in range(longest)]


def _hosts_of(entries: Sequence[Turn], known: Sequence[str]) -> list[str]:
    """The hosts of one turn that suit all rules about it, if any do."""
    hosts = list(dict.fromkeys(host for entry in entries for host in entry.hosts))
    if all(entry.at_least is not None for entry in entries):
        least = min(max(entry.at_least or 0 for entry in entries), MOST_TASKS)
        others = [*(host for host in known if host not in hosts), *(f"host-{n}" for n in range(1, least + 1))]
        hosts += others[: max(0, least - len(hosts))]
    return hosts


def _number(kept: Sequence[Rule], least: int, wished: int) -> int:
    """A number of tasks that all kept rules about it allow: the wished one or less, else as few as can be."""
    counts = [
        numbers
        for rule in kept
        if isinstance(rule.check, TaskCount) and (numbers := task_numbers(rule.check, rule.negate)) is not None
    ]
    fewest = max(least, int(any(map(_reads_tasks, kept))))
    first = max(fewest, 1)
    for number in (*range(min(wished, MOST_TASKS), first, -1), *range(first, MOST_TASKS), fewest):
        if all(any(low <= number and (high is None or number <= high) for low, high in each) for each in counts):
            return number
    return first


def _reads_tasks(rule: Rule) -> bool:
    check = rule.check
    return isinstance(check, Turns) or (
        isinstance(check, PatternMatch) and check.where in TARGETS and TARGETS[check.where].scope == "task"
    )
