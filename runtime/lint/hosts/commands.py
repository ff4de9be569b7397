"""The commands that rules and steps run on hosts, read once for all checks of this family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ....compiler.findings import Edit
from ....compiler.ir import HostState, RunStep
from ....compiler.pattern_checks import inside_literal
from ....compiler.shell import Command, Script, Use, Word, commands, read
from ....grammar.text import Span
from ..scene import Scene

_SHOWN = 48
"""Characters of a command that a message repeats."""


@dataclass(frozen=True, slots=True)
class HostCommand:
    """A command that a rule or a step runs."""

    text: str
    span: Span | None
    """The literal."""
    rule: str | None
    """The label of the rule; None for a step."""
    step: str | None
    check: HostState | None
    script: Script
    uses: tuple[Use, ...]
    """The simple commands in it; none where it could not be read with certainty, so that checks stay silent."""

    def place(self, start: int, end: int) -> Span | None:
        """The place in the file of the characters `start` to `end` of the command."""
        return inside_literal(self.span, start, end)

    def place_of(self, command: Command) -> Span | None:
        return self.place(command.start, command.end)

    def with_option(self, name: Word, option: str) -> Edit | None:
        """An edit that writes an option behind the name of a command; None where the name is written as no name is."""
        place = self._edited(name.start, name.end)
        return Edit(place, f"{name.text} {option}") if place is not None and place.text == name.text else None

    def removal(self, start: int, end: int) -> Edit | None:
        """An edit that takes characters out."""
        place = self._edited(start, end)
        return None if place is None else Edit(place, "")

    def _edited(self, start: int, end: int) -> Span | None:
        """A place that an edit may change: not in a template, whose value is not what stands there."""
        if self.span is None or self.span.text[:1] not in {'"', "`"}:
            return None
        return self.place(start, end)

    @property
    def part(self) -> str:
        """What it is called in a message."""
        return "check" if self.rule is not None else "step"


def rule_commands(scene: Scene) -> Iterator[HostCommand]:
    """The commands of host rules; what a loop repeats word for word is given once."""
    seen: set[tuple[Span | None, str]] = set()
    for rule in scene.rules.rules:
        check = rule.check
        if not isinstance(check, HostState):
            continue
        span = check.at("run")
        if span is not None and (span, check.run) in seen:
            continue
        seen.add((span, check.run))
        script, uses = _read(check.run)
        yield HostCommand(check.run, span, rule.label, None, check, script, uses)


def step_commands(scene: Scene) -> Iterator[HostCommand]:
    """The commands of `prepare` and `restore`."""
    for step in (*(scene.rules.prepare or ()), *(scene.rules.restore or ())):
        if isinstance(step, RunStep):
            script, uses = _read(step.run)
            yield HostCommand(step.run, step.at("run"), None, step.name, None, script, uses)


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[Script, tuple[Use, ...]]:
    script = read(text)
    return script, () if script.problem is not None else commands(script)


def shown(command: Command) -> str:
    """A command as a message repeats it: its words, cut where they are many."""
    text = " ".join(word.text for word in command.words) or "a redirection"
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"
