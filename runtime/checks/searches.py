"""The three ways of a `pattern_match` to look at texts: does one match, how many match, which pattern matches
first.

A search is fed the texts of a target that may match, one by one, in order, until it has had enough, and then says
what it came to. It stops at the text that decides it, so a text that no engine can answer for matters only when it
comes earlier; then the rule is `error`, whatever the rest would say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from ...compiler.ir import HowOften
from ..matching import CompiledPattern, EngineFault, Found, LimitReached, Subject
from ..result import Match, Outcome, could_not, no_evidence, passed_if
from .excerpts import excerpt, in_one_line, matched_line
from .target_values import TargetValues, Text


@dataclass(frozen=True, slots=True)
class Hit:
    """A text and the leftmost match in it."""

    text: Text
    found: Found

    def match(self) -> Match:
        """Where the engine knows that the text matches but found no place in time, the excerpt is its beginning."""
        cut = excerpt(self.text.text, self.found.start or 0, self.found.end or 0)
        return Match(
            task=self.text.task,
            value=self.text.value,
            excerpt=cut,
            start=self.found.start,
            end=self.found.end,
        )

    def said(self) -> str:
        """`task t1, value 3 matched: systemctl restart nginx`."""
        place = f"{self.text.place} " if self.text.place else ""
        shown = matched_line(self.text.text, self.found.start or 0, self.found.end or 0)
        return f"{place}matched: {shown}"


class Search(Protocol):
    """One rule at work on the texts of its target that may match."""

    @property
    def probes(self) -> tuple[Probe, ...]:
        """Its patterns."""
        ...

    def feed(self, text: Text, subject: Subject) -> bool:
        """Looks at the next text that may match one of its patterns; True when no later one can change the outcome."""
        ...

    def outcome(self, evidence: TargetValues) -> Outcome:
        """What it came to, once it has had enough or there are no more texts."""
        ...


@dataclass(slots=True)
class Probe:
    """A compiled pattern that remembers where its engine had no answer."""

    pattern: CompiledPattern
    label: str
    """Label of the rule, for the reason."""
    fault: str | None = None

    def find(self, text: Text, subject: Subject) -> Found | None:
        match self.pattern.search(subject):
            case LimitReached(seconds=seconds):
                self.fault = f"gave no answer within {seconds:g} s"
            case EngineFault(message=message):
                self.fault = f"broke the engine ({message})"
            case found:
                return found
        self.fault = self._told(self.fault, text)
        return None

    def no_place(self, text: Text) -> str:
        """The fault of a search that must know where a match is, and was not told in time."""
        return self._told("matches, but its place was not found in time", text)

    def _told(self, fault: str, text: Text) -> str:
        return f"the pattern of “{self.label}” {fault} on {text.place or 'the text'}: {in_one_line(text.text)}"


def _start(found: Found) -> int:
    return 0 if found.start is None else found.start


@dataclass(slots=True)
class AnyMatch:
    """`TARGET matches P`: at least one text matches."""

    probe: Probe
    joined: bool
    """Whether the texts are joined values, which the reason then does not call values."""
    texts: int
    """How many there are in all."""
    hit: Hit | None = None

    @property
    def probes(self) -> tuple[Probe, ...]:
        return (self.probe,)

    def feed(self, text: Text, subject: Subject) -> bool:
        found = self.probe.find(text, subject)
        self.hit = Hit(text, found) if found else None
        return self.hit is not None or self.probe.fault is not None

    def outcome(self, evidence: TargetValues) -> Outcome:
        """Unavailable evidence leaves a match elsewhere a match; without one, nothing is decided."""
        if self.probe.fault is not None:
            return could_not(self.probe.fault)
        if self.hit is not None:
            return replace(passed_if(True, self.hit.said()), match=self.hit.match())
        if evidence.unavailable is not None:
            return no_evidence(evidence.unavailable)
        return passed_if(False, f"no {'text' if self.joined else 'value'} matched ({self.texts} checked)")


_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "at least": lambda count, times: count >= times,
    "at most": lambda count, times: count <= times,
    "exactly": lambda count, times: count == times,
}


@dataclass(slots=True)
class Count:
    """`TARGET matches P at least N times`: how many values match."""

    probe: Probe
    how_often: HowOften
    first: Hit | None = None
    count: int = 0

    @property
    def probes(self) -> tuple[Probe, ...]:
        return (self.probe,)

    def feed(self, text: Text, subject: Subject) -> bool:
        found = self.probe.find(text, subject)
        if found is not None:
            self.count += 1
            self.first = self.first or Hit(text, found)
        return self.probe.fault is not None

    def outcome(self, evidence: TargetValues) -> Outcome:
        """A value without an answer matters only while the count is not decided without it; unavailable
        evidence leaves `at least` reached once it is reached, and decides nothing else."""
        bound, times = self.how_often.bound, self.how_often.times
        reached = self.count >= times if bound == "at least" else self.count > times
        if self.probe.fault is not None and not reached:
            return could_not(self.probe.fault)
        if evidence.unavailable is not None and not (reached and bound == "at least"):
            return no_evidence(evidence.unavailable)
        counted = f"{self.count} value{'' if self.count == 1 else 's'} matched of {evidence.count}"
        outcome = passed_if(_HOLDS[bound](self.count, times), f"{counted} (the rule names {bound} {times})")
        return replace(outcome, match=self.first.match() if self.first else None)


@dataclass(slots=True)
class Before:
    """`TARGET matches A before B`: A matches, and its first match comes before the first one of B, if there
    is any."""

    first: Probe
    second: Probe
    hit: Hit | None = None
    too_early: Hit | None = None
    faults: list[str] = field(default_factory=list[str])

    @property
    def probes(self) -> tuple[Probe, ...]:
        return (self.first, self.second)

    def feed(self, text: Text, subject: Subject) -> bool:
        found = self.first.find(text, subject)
        other = self.second.find(text, subject)
        self.faults += [probe.fault for probe in (self.first, self.second) if probe.fault is not None]
        if found is not None and other is not None and (found.start is None or other.start is None):
            self.faults.append(self.first.no_place(text))
        elif other is not None and (found is None or _start(other) <= _start(found)):
            self.too_early = Hit(text, other)
        if found is not None:
            self.hit = Hit(text, found)
        return bool(self.faults) or self.hit is not None or self.too_early is not None

    def outcome(self, evidence: TargetValues) -> Outcome:
        """Any unavailable evidence could hold the earlier match, so it leaves the order undecided."""
        if self.faults:
            return could_not(self.faults[0])
        if evidence.unavailable is not None:
            return no_evidence(evidence.unavailable)
        if self.too_early is not None:
            said = f"the pattern that must come later came first: {self.too_early.said()}"
            return replace(passed_if(False, said), match=self.too_early.match())
        if self.hit is not None:
            return replace(passed_if(True, self.hit.said()), match=self.hit.match())
        return passed_if(False, f"no value matched ({evidence.count} checked)")
