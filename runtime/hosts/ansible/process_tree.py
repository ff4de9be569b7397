"""Ending a program with everything it started, in whatever session that is by now.

Ansible puts each of its workers in a session of its own, so the group of the main process is not all there is to kill.
On Linux everything is found that descends from the process, or that has a mark in its environment, which children
inherit and which no parent's death takes away. Elsewhere only the group is killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_ROUNDS = 20
"""How often the processes are listed again, at most: each round ends what the last one missed."""


def kill_tree(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process that leads its group, and all that came of it. `mark`: an entry of its environment, `NAME=VALUE`,
    that nobody else has. Processes of other users survive where this user cannot kill them."""
    roots: set[int] = set()
    if process.poll() is None:  # else its number may be somebody else's by now
        roots.add(process.pid)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    for _ in range(_ROUNDS):
        found = _offspring(roots, f"{mark}\0".encode("utf-8", "surrogateescape"))
        killed = [number for number in found if _kill(number)]
        if not killed:
            break
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)


def _kill(number: int) -> bool:
    try:
        os.kill(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _offspring(roots: set[int], mark: bytes) -> set[int]:
    """Living processes that have the mark, or descend from a root or from one that has it."""
    parents: dict[int, int] = {}
    found = {*roots}
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        if not entry.name.isdecimal():
            continue
        number = int(entry.name)
        try:
            # `pid (name) state ppid …`; the name may hold blanks and parentheses
            state, parent = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:2]
            if state in (b"Z", b"X"):
                continue
            parents[number] = int(parent)
            if mark in (entry / "environ").read_bytes() + b"\0":
                found.add(number)
        except (OSError, ValueError):  # gone by now, or somebody else's
            continue
    size = 0
    while size < len(found):
        size = len(found)
        found |= {number for number, parent in parents.items() if parent in found}
    return (found & parents.keys()) - {os.getpid()}
