"""A run put together so that the rules of a set pass, as far as such a run can be made up.

    builder = Builder(rules, matcher)
    record = builder.build(Wish())                      # what the rules ask for, really done
    builder.grade(record).verdict                       # what it comes to

A wish says which rules are looked at, whether commands are really run, only mentioned or left out, and how hosts
answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ...compiler.ir import RuleSet
from ...compiler.ir_to_plan import ir_to_plan
from ...compiler.plan import Plan
from ...compiler.vocabulary import TARGETS
from ..evidence.record import Job, RunRecord, Task, Ticket
from ..grade import GradeOptions, grade
from ..matching import Matcher
from ..result import Result
from .answers import Answers, host_answers, playbooks, resolution_status, ticket_status
from .asked import DEEDS, Ask, asks_of
from .layout import Slot, default_host, slots_for
from .mentions import mentioned
from .texts import Texts
from .values import Filler, done, nothing_special, one_text

Deeds = Literal["done", "mentioned", "none"]

_ONE_TEXT = frozenset({"task_description", "task_plan", "operational_rules", "job_resolution", "job_plan"})
"""Targets that are one text in real runs; several values only where one text cannot do."""
_OPTIONS = GradeOptions(rules_digest="sha256:", hosts_at_once=1)
"""Nobody asks for the hash of the rules here, which takes longer than to grade a run."""
_NO_SLOT = (Slot(None, None),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a run shall be like."""

    id: str = "run"
    kept: Collection[int] | None = None
    """Indexes of the rules that shall pass; None: all of them."""
    deeds: Deeds = "done"
    hosts_hold: bool = True
    """Whether rules about hosts pass; where not, all fail but for what is `known`."""
    known: Answers | None = None
    status: str | None = None
    """The resolution status; None: what the rules like best."""
    spread: bool = False
    """Whether the values go to several tasks, where there are several."""
    has_ticket: bool = True
    """Whether there is a ticket, where rules speak of one."""

    def keeps(self, index: int) -> bool:
        return self.kept is None or index in self.kept


class Builder:
    """Makes runs for one set of rules, and grades them."""

    def __init__(self, rules: RuleSet, matcher: Matcher) -> None:
        self.rules = rules
        self.matcher = matcher
        self.texts = Texts(matcher.engine)
        self.asks = asks_of(rules)
        self.host = default_host(rules)
        self.has_ticket = any(rule.check.group == "gateway" for rule in rules.rules)
        """Whether rules speak of a ticket."""

    @cached_property
    def plan(self) -> Plan:
        return ir_to_plan(self.rules)

    def grade(self, record: RunRecord) -> Result:
        return grade(self.plan, record, None, self.matcher, _OPTIONS)

    @cached_property
    def deciding(self) -> frozenset[int]:
        """Rules without which no run passes: those that are required, and under classic semantics every playbook."""
        gates = self.plan.gates
        return frozenset(gates.compliance) | frozenset(gates.resolution)

    def variants(self, wish: Wish) -> Iterator[RunRecord]:
        """The run that is wished for, made in several ways: all in one task first."""
        tickets = (True, False) if self.rules.semantics == "classic" and self.has_ticket else (True,)
        for has_ticket in tickets:
            for spread in (False, True):
                yield self.build(replace(wish, spread=spread, has_ticket=has_ticket))

    def build(self, wish: Wish) -> RunRecord:
        rules = [rule for index, rule in enumerate(self.rules.rules) if wish.keeps(index)]
        asks = [ask for ask in self.asks if wish.keeps(ask.index)]
        wanted = [ask for ask in asks if ask.is_wanted]
        slots = slots_for(self.rules, rules, wanted, len(wanted) if wish.spread else 1)
        values = _Values(self, asks, wish)
        channels = list(dict.fromkeys(ask.channel for ask in self.asks))
        of_tasks = {name: values.of_tasks(name, slots) for name in channels if TARGETS[name].scope == "task"}
        tasks = tuple(
            Task(
                host=slot.host or self.host,
                turn=slot.turn,
                started_at=slot.started_at,
                ended_at=slot.ended_at,
                values={name: tuple(made[number]) for name, made in of_tasks.items()},
            )
            for number, slot in enumerate(slots)
        )
        job = Job(
            status="completed",
            resolution_status=wish.status or resolution_status(rules),
            resolution=values.of_job("job_resolution"),
            plan=values.of_job("job_plan"),
            tasks=tasks,
        )
        ticket = Ticket(ticket_status(rules), values.messages()) if self.has_ticket and wish.has_ticket else None
        return self.answered(RunRecord(id=wish.id, scenario=self.rules.scenario, job=job, ticket=ticket), wish)

    def answered(self, record: RunRecord, wish: Wish) -> RunRecord:
        """The record with what hosts and playbooks answer."""

        def passes(_index: int) -> bool:
            return wish.hosts_hold

        return replace(
            record,
            host_answers=host_answers(self.rules, passes, wish.known),
            playbooks=playbooks(self.rules, passes, wish.known),
        )


class _Values:
    """The values of one run."""

    def __init__(self, builder: Builder, asks: Sequence[Ask], wish: Wish) -> None:
        self.builder = builder
        self.texts = builder.texts
        self.asks = asks
        self.wish = wish
        self.is_classic = builder.rules.semantics == "classic"

    def of(self, *wheres: str) -> list[Ask]:
        return [ask for ask in self.asks if ask.channel in wheres]

    def of_tasks(self, channel: str, slots: Sequence[Slot]) -> list[list[str]]:
        """The values of a task target, slot by slot."""
        asks = self.of(channel)
        make = done(self.texts)
        if channel in DEEDS:
            if self.wish.deeds == "none":
                return [[] for _ in slots]
            make = mentioned(self.texts) if self.wish.deeds == "mentioned" else make
        if slots and channel in _ONE_TEXT and all(ask.check.on is None for ask in asks):
            text = one_text(self.texts, asks)
            if text is not None:
                return [[text], *([] for _ in slots[1:])]
        return Filler(self.texts, asks, slots, make, self.wish.spread, self.is_classic).fill()

    def of_job(self, channel: str) -> tuple[str, ...] | None:
        """The values of a job target; None where no rule reads it."""
        if all(ask.channel != channel for ask in self.builder.asks):
            return None
        return self._texts_of(self.of(channel))

    def messages(self) -> tuple[str, ...]:
        """The messages of the ticket, the closing one last."""
        about_last = self.of("gateway_summary")
        about_all = self.of("gateway_messages")
        also = [ask for ask in about_all if ask.is_ban] if self.is_classic else []
        last = one_text(self.texts, [*about_last, *also])
        if last is None:
            last = nothing_special(self.texts, "gateway_summary", [ask for ask in (*about_last, *also) if ask.is_ban])
        return (*self._texts_of(about_all), *(() if last is None else (last,)))

    def _texts_of(self, asks: Sequence[Ask]) -> tuple[str, ...]:
        text = one_text(self.texts, asks)
        if text is not None:
            return (text,)
        return tuple(Filler(self.texts, asks, _NO_SLOT, done(self.texts), joins=self.is_classic).fill()[0])
