"""GW503: a check that changes the host it looks at.

run `systemctl restart nginx && systemctl is-active nginx`
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW503, Finding, Label
from ....compiler.shell import Command, Redirect
from ....grammar.text import Span
from ..scene import Scene
from .changes import FILES, is_quiet_target, what_changes
from .commands import HostCommand, rule_commands, shown

_HELP = "look only: what must happen first belongs into a prepare block"
_WRITING = frozenset({">", ">>", ">|", "&>", "&>>", ">&"})


def check(scene: Scene) -> Iterator[Finding]:
    for command in rule_commands(scene):
        changes = list(_changes(command))
        if not changes:
            continue
        (message, span), *others = changes
        labels = tuple(Label(place, "changes the host as well") for _, place in others[:3] if place is not None)
        yield Finding(GW503, f"the check changes the host: {message}", span, labels, help=_HELP, rule=command.rule)


def _changes(command: HostCommand) -> Iterator[tuple[str, Span | None]]:
    has_scratch = any(use.command.name == "mktemp" for use in command.uses)
    for use in command.uses:
        one = use.command
        what = what_changes(one)
        if what is not None and not (has_scratch and what == FILES and _is_scratch(one)):
            yield f"“{shown(one)}” {what}", command.place_of(one)
        for redirect in one.redirects:
            target = _written(redirect)
            if target is not None and not (has_scratch and target.startswith("$")):
                yield f"it writes to “{target}”", command.place(redirect.start, redirect.end)


def _is_scratch(command: Command) -> bool:
    """Whether all files that it names stand in variables, as those of `mktemp` do."""
    operands = [word for word in command.arguments if not word.startswith("-")]
    return all(word.startswith("$") for word in operands)


def _written(redirect: Redirect) -> str | None:
    """The file that a redirection writes; None for descriptors and devices."""
    target = redirect.target
    if redirect.operator not in _WRITING or target is None or is_quiet_target(target.text):
        return None
    return target.text
