"""GW404: a ban that looks for a command at the beginning, and so does not see it behind a wrapper or a path.

require "Did not reboot": executed_commands never matches `^reboot`
# does not see: sudo reboot
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from ....compiler.ecmascript import Anchor, AnchorKind, Char, Look, Pattern, walk
from ....compiler.findings import GW404, Finding, Witness
from ...proof.asked import COMMANDS, INVOCATIONS
from ...proof.texts import proposals
from ..logic.demands import Demand, demands_of
from ..logic.numbers import most
from ..logic.places import once_a_place
from ..scene import Scene

_MOST_EXAMPLES = 8
_POWER = frozenset({"reboot", "poweroff", "halt"})
"""Commands that `systemctl` does as well."""
_SYSTEM = frozenset({"shutdown", "mkfs", "fdisk", "iptables", "ifconfig", "route", "modprobe", "useradd", "userdel"})
# fmt: off
_BUILTINS = frozenset({
    "alias", "bg", "bind", "break", "builtin", "cd", "complete", "continue", "declare", "dirs",
    "disown", "enable", "exit", "export", "fc", "fg", "hash", "history", "jobs", "let",
    "local", "logout", "mapfile", "popd", "pushd", "read", "readarray", "readonly", "return", "set",
    "shift", "shopt", "source", "suspend", "trap", "type", "typeset", "ulimit", "umask", "unalias",
    "unset", "wait",
})
# fmt: on
"""Commands that a shell does itself: there is no program, and behind a wrapper they do nothing or not the same."""
_MOST_NAMED = 2
_SHORT = 30
"""Characters of a command that is named beside another."""


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    bans = [
        demand
        for demand in demands_of(scene)
        if demand.check.where in (COMMANDS, INVOCATIONS) and most(demand.numbers) == 0 and not demand.is_of_order
    ]
    for ban in bans:
        if not _looks_at_the_beginning(ban.use.tree):
            continue
        missed = _missed(scene, ban, bans)
        if missed:
            yield _finding(scene, ban, missed)


def _finding(scene: Scene, ban: Demand, missed: Sequence[str]) -> Finding:
    others = [f"`{command}`" for command in missed[1:] if len(command) <= _SHORT][:_MOST_NAMED]
    also = f", nor {' or '.join(others)}" if others else ""
    return Finding(
        GW404,
        f"this ban does not see `{missed[0]}`{also}",
        ban.use.span,
        help=_help(scene, ban, missed),
        rule=ban.rule.label,
        witness=Witness("not matched, and does the same", missed[0], misses=(ban.use.text,)),
    )


def _help(scene: Scene, ban: Demand, missed: Sequence[str]) -> str:
    if scene.loaded.form != "gate":
        return r"forbid the command wherever it stands: `\b` in place of `^`"
    with_path = r"let a path stand before it: `^(?:\S*/)?`"
    by_systemctl = next((f", and forbid `{way}`" for way in missed if way.startswith("systemctl ")), "")
    if ban.check.where == INVOCATIONS:
        return f"{with_path}{by_systemctl}"
    return f"look at `invocations`, where wrappers are taken off, and {with_path}{by_systemctl}"


def _looks_at_the_beginning(tree: Pattern) -> bool:
    """Whether it matters what stands before the match; else the command is found wherever it stands."""
    return any(
        (isinstance(node, Anchor) and node.kind is AnchorKind.START) or (isinstance(node, Look) and node.behind)
        for node in walk(tree.body)
    )


def _missed(scene: Scene, ban: Demand, bans: Sequence[Demand]) -> list[str]:
    """Usual ways to run what is forbidden that no ban sees, for the first command that has some."""
    for text in proposals(ban.use.tree)[:_MOST_EXAMPLES]:
        name = _command_in(text, ban.use.tree)
        if name is None or not _sees(scene, ban, text, ban.check.where):
            continue
        found = [way for way in _ways(text, name) if not _is_seen(scene, bans, way)]
        if found:
            inside = f"bash -c {shlex.quote(text)}"
            return found if _is_seen(scene, bans, inside) else [*found, inside]
    return []


def _is_seen(scene: Scene, bans: Sequence[Demand], command: str) -> bool:
    return any(_sees(scene, ban, command, ban.check.where) for ban in bans)


def _sees(scene: Scene, ban: Demand, command: str, where: str) -> bool:
    """Whether the pattern finds the command in a target; where the engine has no answer it may well."""
    from ....compiler.shell import invocations

    texts = invocations(command) if where == INVOCATIONS else (command,)
    return any(scene.matches(ban.use.text, text) is not False for text in texts)


def _command_in(text: str, tree: Pattern) -> str | None:
    """The name of the one plain command that a text is, where the pattern spells it out; None for all else.

    A wrapper is none: what it would be evaded by is another question.
    """
    from ....compiler.shell import commands

    uses = commands(text)
    if len(uses) != 1 or uses[0].through or uses[0].command.assignments or uses[0].command.redirects:
        return None
    words = uses[0].command.words
    if not words or " ".join(word.text for word in words) != text:
        return None
    name = words[0].text
    is_plain = (
        len(name) > 1
        and name not in _BUILTINS
        and name[0].isalpha()
        and name.islower()
        and name.replace("-", "").isalnum()
    )
    is_wrapper = any(use.through for use in commands(f"{name} true"))
    return name if is_plain and not is_wrapper and _is_spelled_out(name, tree) else None


def _is_spelled_out(name: str, tree: Pattern) -> bool:
    """Whether the letters of a name stand side by side in the pattern, and not in a class or by chance."""
    letters = [(node.start, chr(node.unit).lower()) for node in walk(tree.body) if isinstance(node, Char)]
    runs, last = "", -2
    for place, letter in sorted(letters):
        runs += letter if place == last + 1 else f" {letter}"
        last = place
    return name in runs.replace("\\", "")


def _ways(text: str, name: str) -> Iterator[str]:
    """Usual ways to run the same command in which it does not stand at the beginning."""
    folder = "/sbin" if name in _POWER | _SYSTEM else "/usr/bin"
    yield f"sudo {text}"
    yield f"sudo -n {text}"
    yield f"{folder}/{text}"
    yield f"sudo {folder}/{text}"
    if name in _POWER and text == name:
        yield f"systemctl {text}"
    yield f"env {text}"
    yield f"nohup {text}"
    yield f"timeout 5 {text}"
