"""GW508: a command that no shell can parse.

run `grep -q 'ok /etc/motd`
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ....compiler.findings import GW508, Finding
from ....compiler.shell.faults import fault_in
from ..scene import Scene
from .commands import rule_commands, step_commands


def check(scene: Scene) -> Iterator[Finding]:
    for command in chain(rule_commands(scene), step_commands(scene)):
        fault = fault_in(command.text, command.script)
        if fault is None:
            continue
        message = f"no shell can parse the command: {fault.message}"
        yield Finding(GW508, message, command.place(fault.start, fault.end), rule=command.rule)
