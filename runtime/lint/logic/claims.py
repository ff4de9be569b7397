"""Rules about a thing that has one value in a run, as the set of values that they let pass.

job_resolution_status in success, partial   # {success, partial}
not job_resolution_status in success        # the four others
not ticket_status is open                   # everything but {open}
on web-01 run `systemctl is-active nginx`   # {0}
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from ....compiler.ir import Ansible, HostState, JobResolutionStatus, Rule, TicketStatus
from ....compiler.vocabulary import RESOLUTION_STATUSES
from ....grammar.text import Span
from ..scene import Scene
from .places import decides


@dataclass(frozen=True, slots=True)
class Claim:
    """The values that a rule lets pass: `values`, or all but these where `others`."""

    rule: Rule
    decides: bool
    """Whether a run fails when the rule does."""
    about: Hashable
    """Claims about equal things can be compared."""
    because: str
    """Why there is one value only, as a clause."""
    help: str
    span: Span | None
    values: frozenset[str | int]
    others: bool

    @property
    def is_empty(self) -> bool:
        """Whether it lets nothing pass."""
        return not self.others and not self.values

    def also(self, other: Claim) -> Claim:
        """What both let pass."""
        match self.others, other.others:
            case True, True:
                return replace(self, values=self.values | other.values)
            case True, False:
                return replace(other, values=other.values - self.values)
            case False, True:
                return replace(self, values=self.values - other.values)
            case _:
                return replace(self, values=self.values & other.values)

    def implies(self, other: Claim) -> bool:
        """Whether it lets nothing pass that the other does not."""
        both = self.also(other)
        return (both.values, both.others) == (self.values, self.others)


def claims_of(scene: Scene) -> Iterator[Claim]:
    """One for each rule about a status, an answer of a host or a playbook, in order."""
    for rule in scene.rules.rules:
        claim = _claim(scene, rule)
        if claim is not None:
            yield claim


def _claim(scene: Scene, rule: Rule) -> Claim | None:
    check = rule.check
    about: Hashable
    others = rule.negate
    span = check.span
    values: frozenset[str | int]
    match check:
        case JobResolutionStatus(statuses=statuses):
            about, because = "job", "a job has one resolution status"
            help_ = "name in both a status that the job may end with"
            known = frozenset(RESOLUTION_STATUSES)
            values, others = (known - {*statuses} if rule.negate else known & {*statuses}), False
            span = check.spans.get("statuses", span)
        case TicketStatus(status=status):
            about, because = "ticket", "a ticket has one status"
            help_ = "name the status that the ticket shall end with"
            values = frozenset({status.casefold()})
        case HostState(run=run, on=on, exit_code=exit_code, within=None):
            about, because = (
                ("host", on or next(iter(scene.rules.hosts or ()), None), run),
                "a command has one exit status",
            )
            help_ = "both can hold only if the answer changes between the two"
            values = frozenset({exit_code})
        case Ansible(path=path):
            about, because = ("playbook", path), "a playbook ends one way"
            help_ = "drop one of them"
            values = frozenset({0})
        case _:
            return None
    return Claim(rule, decides(scene, rule), about, because, help_, span, values, others)
