r"""GW407: a pattern for command lines on `write_file` or `update_file`, whose values are paths.

update_file matches `sed\s+-i`      a value is “/etc/nginx/nginx.conf”
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW407, Finding, Witness
from ..scene import PatternUse, Scene
from .command_shape import Command, command_in
from .targets import with_commands

TARGETS = frozenset({"write_file", "update_file"})

_A_PATH = "/etc/nginx/nginx.conf"


def check(scene: Scene) -> Iterator[Finding]:
    told: set[int] = set()
    for use in scene.patterns:
        if use.where in TARGETS and id(use.rule) not in told and (command := command_in(use.tree)) is not None:
            told.add(id(use.rule))
            yield _finding(scene, use, command)


def _finding(scene: Scene, use: PatternUse, command: Command) -> Finding:
    outcome = "no path breaks this rule" if use.rule.negate else "no path passes this rule"
    return Finding(
        GW407,
        f"“{command.words}” is a command, and a value of `{use.where}` is the path of a file: {outcome}",
        use.check.at("where"),
        help="commands that were run are in `executed_commands`; for a file, ask for its path alone",
        rule=use.rule.label,
        witness=Witness("does not match", _path(command), misses=(use.text,)),
        fix=with_commands(scene, use),
    )


def _path(command: Command) -> str:
    """The path that the pattern itself names, else one of everyday life."""
    return next((word for word in command.line.split() if word.startswith("/") and len(word) > 2), _A_PATH)
