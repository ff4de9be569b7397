"""GW501: a check that exits with 0 whatever it finds.

run `systemctl is-active nginx || true`
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW501, Finding, Fix
from ....compiler.ir import HostState, Rule
from ....compiler.shell import AndOr, Command, Group, Pipeline, Sequence, Statement
from ..scene import Scene
from .commands import HostCommand, rule_commands, shown
from .status import OK, outcome_of

_NO_TEST = frozenset({"true", ":"})


def check(scene: Scene) -> Iterator[Finding]:
    rules = {rule.label: rule for rule in scene.rules.rules}
    for command in rule_commands(scene):
        if command.check is None or command.rule is None or outcome_of(command.script) != OK:
            continue
        last = _last(command.script.body)
        span = command.span if last is None else command.place_of(last)
        message = f"{_why(command, last)}, so {_consequence(command.check, rules[command.rule])}"
        help_ = "end it with the command whose exit status tells"
        yield Finding(GW501, message, span, help=help_, rule=command.rule, fix=_fix(command, last))


def _why(command: HostCommand, last: Command | None) -> str:
    if last is None:
        return "the command exits with 0 on every way through it"
    is_all = not command.text[: last.start].strip() and not command.text[last.end :].strip()
    return f"“{shown(last)}” exits with 0" + (" on every host" if is_all else " whatever came before it")


def _consequence(check: HostState, rule: Rule) -> str:
    holds = (check.exit_code == 0) != rule.negate
    return "the rule passes on every host" if holds else "the rule can never pass"


def _last(statement: Statement | Sequence) -> Command | None:
    """The command whose status is that of the whole; None where it depends on the way through."""
    while True:
        match statement:
            case Command():
                return statement if statement.words else None
            case Sequence(items=items) if items and not items[-1].is_background:
                statement = items[-1].statement
            case AndOr(rest=rest):
                statement = rest[-1][1]
            case Pipeline(parts=parts, is_negated=False):
                statement = parts[-1]
            case Group(body=body):
                statement = body
            case _:
                return None


def _fix(command: HostCommand, last: Command | None) -> Fix | None:
    """`|| true` and `; true` taken off the end; what is left decides."""
    if last is None or last.name not in _NO_TEST or command.text[last.end :].strip():
        return None
    before = command.text[: last.start].rstrip()
    kept = before.removesuffix("||").removesuffix(";").rstrip()
    if kept == before or not kept or kept.endswith((";", "&", "|")):
        return None
    edit = command.removal(len(kept), last.end)
    return None if edit is None else Fix(f"drop “{command.text[len(kept) : last.end].strip()}”", (edit,))
