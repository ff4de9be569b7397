r"""GW402: a pattern for command lines on a target that holds what the agent says.

agent_messages never matches `git\s+push\s+-f`      “I will not run git push -f” fails it
task_summary matches `systemctl restart nginx`      “Somebody should run …” passes it
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW402, Finding, Witness
from ..scene import PatternUse, Scene
from .command_shape import Command, command_in
from .targets import with_commands

TARGETS = frozenset({"agent_messages", "task_summary", "job_resolution"})


def check(scene: Scene) -> Iterator[Finding]:
    told: set[int] = set()
    for use in scene.patterns:
        if use.where not in TARGETS or id(use.rule) in told:
            continue
        if (command := command_in(use.tree)) is None:
            continue
        value = f"I will not run {command.line} here."
        if scene.matches(use.text, value):
            told.add(id(use.rule))
            yield _finding(scene, use, command, value)


def _finding(scene: Scene, use: PatternUse, command: Command, value: str) -> Finding:
    outcome = "a refusal that quotes it fails this rule" if use.rule.negate else "a mere mention of it passes this rule"
    return Finding(
        GW402,
        f"“{command.words}” is a command, and `{use.where}` is what the agent says: {outcome}",
        use.check.at("where"),
        help="commands that were run are in `executed_commands`",
        rule=use.rule.label,
        witness=Witness("matches as well", value, matches=(use.text,)),
        fix=with_commands(scene, use),
    )
