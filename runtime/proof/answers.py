"""What statuses a made-up run ends with, and what hosts and playbooks answer: whatever suits most rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ...compiler.ir import Ansible, HostState, JobResolutionStatus, Rule, RuleSet, TicketStatus
from ...compiler.vocabulary import RESOLUTION_STATUSES
from ..evidence.record import HostAnswer, PlaybookAnswer

Known = TypeVar("Known", int, str)
Wish = Callable[[int], bool]
"""Whether the rule of this index shall pass."""
Answers = Mapping[int, int]
"""Exit statuses that are known and not made up, by index of the rule."""

_TASK_FAILED = 2
"""The exit status of a playbook that says something about the machine, and nothing good."""
OPEN = "open"


def resolution_status(rules: Sequence[Rule]) -> str:
    """The status that suits the rules best: `success` unless they want another."""
    tests = [
        (rule, partial(_is_listed, rule.check.statuses, rule.negate))
        for rule in rules
        if isinstance(rule.check, JobResolutionStatus)
    ]
    return _best(RESOLUTION_STATUSES, tests)


def _is_listed(statuses: tuple[str, ...], negate: bool, status: str) -> bool:
    return (status in statuses) != negate


def ticket_status(rules: Sequence[Rule]) -> str:
    """The status that suits the rules best; `open` where they do not ask for one."""
    asking = [(rule, rule.check.status) for rule in rules if isinstance(rule.check, TicketStatus)]
    tests = [(rule, partial(_is_named, named, rule.negate)) for rule, named in asking]
    return _best((*(named for _, named in asking), OPEN, "closed", "pending"), tests)


def _is_named(named: str, negate: bool, status: str) -> bool:
    return (status.casefold() == named.casefold()) != negate


def host_answers(rules: RuleSet, passes: Wish, known: Answers | None = None) -> tuple[HostAnswer, ...]:
    """One answer for every command on every host."""
    named = {rule.check.on for rule in rules.rules if isinstance(rule.check, HostState) and rule.check.on}
    default = next(iter(rules.hosts or ()), next(iter(named)) if len(named) == 1 else None)
    groups: dict[tuple[str | None, str], list[int]] = {}
    for index, rule in enumerate(rules.rules):
        if isinstance(rule.check, HostState):
            groups.setdefault((rule.check.on or default, rule.check.run), []).append(index)
    return tuple(
        HostAnswer(host, run, exit_code=_exit_status(rules, group, passes, known or {}))
        for (host, run), group in groups.items()
    )


def playbooks(rules: RuleSet, passes: Wish, known: Answers | None = None) -> tuple[PlaybookAnswer, ...]:
    """One result for every playbook."""
    groups: dict[str, list[int]] = {}
    for index, rule in enumerate(rules.rules):
        if isinstance(rule.check, Ansible):
            groups.setdefault(rule.check.path, []).append(index)
    return tuple(
        PlaybookAnswer(path, exit_code=_exit_status(rules, group, passes, known or {}))
        for path, group in groups.items()
    )


def _exit_status(rules: RuleSet, group: Sequence[int], passes: Wish, known: Answers) -> int:
    """The status with which the rules of a group, which ask one thing, pass or fail as wished."""
    given = next((known[index] for index in group if index in known), None)
    if given is not None:
        return given
    tests: list[tuple[Rule, Callable[[int], bool]]] = []
    candidates: list[int] = []
    for index in group:
        rule = rules.rules[index]
        expected = rule.check.exit_code if isinstance(rule.check, HostState) else 0
        candidates.append(expected)
        tests.append((rule, partial(_ends, expected, passes(index) != rule.negate)))
    is_playbook = isinstance(rules.rules[group[0]].check, Ansible)
    others = (0, _TASK_FAILED) if is_playbook else (0, 1, 2, 3, *range(4, 256))
    return _best((*candidates, *others), tests)


def _ends(expected: int, so: bool, status: int) -> bool:
    return (status == expected) == so


def _best(candidates: Sequence[Known], tests: Sequence[tuple[Rule, Callable[[Known], bool]]]) -> Known:
    """The first candidate that suits most rules, required ones first."""
    if not tests:
        return candidates[0]
    best, most = candidates[0], (-1, -1)
    for candidate in candidates:
        kept = [rule for rule, holds in tests if holds(candidate)]
        worth = sum(rule.required for rule in kept), len(kept)
        if worth > most:
            best, most = candidate, worth
        if len(kept) == len(tests):
            break
    return best
