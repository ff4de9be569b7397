"""GW502: a pipe whose last part is no test, so that its exit status says nothing.

run `systemctl is-active nginx | tee /tmp/log`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ....compiler.findings import GW502, Finding, Label
from ....compiler.shell import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Item,
    Loop,
    Pipeline,
    Sequence,
    Statement,
    read,
    unwrapped,
)
from ..scene import Scene
from .commands import HostCommand, rule_commands, shown
from .status import OK, outcome_of
from .subcommands import words

_HELP = "end the pipe in a test, such as grep -q, or leave the last part out"
_ENDS_ON_PURPOSE = re.compile(r"\bexit\b|\berror\b|halt_error|\b[qQ]\s*[0-9]")
"""What gives a filter's program a say in the exit status."""


def _always(_words: tuple[str, ...]) -> bool:
    return True


def _without(*options: str) -> Callable[[tuple[str, ...]], bool]:
    """A filter as long as none of these options is given; letters may stand together."""
    letters = "".join(option[1:] for option in options if not option.startswith("--"))

    def is_filter(words: tuple[str, ...]) -> bool:
        for word in words:
            if word.startswith("--"):
                if word.partition("=")[0] in options:
                    return False
            elif word.startswith("-") and any(letter in word for letter in letters):
                return False
        return True

    return is_filter


def _unless_it_ends(*options: str) -> Callable[[tuple[str, ...]], bool]:
    """A filter with a program, as long as the program does not end it with a status of its own."""
    is_plain = _without(*options)

    def is_filter(words: tuple[str, ...]) -> bool:
        if any(word in {"-f", "--file", "--from-file"} for word in words):
            return False
        return is_plain(words) and not any(_ENDS_ON_PURPOSE.search(word) for word in words)

    return is_filter


_FILTERS: dict[str, Callable[[tuple[str, ...]], bool]] = {
    **dict.fromkeys(
        words(
            "bc cat column cut echo expand fmt fold head hexdump less logger more nl od paste printf rev "
            "strings tac tail tee tr ts unexpand uniq wc xxd"
        ),
        _always,
    ),
    "sort": _without("-c", "-C", "--check"),
    "base64": _without("-d", "-D", "--decode"),
    **dict.fromkeys(("md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum"), _without("-c", "--check")),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk", "sed"), _unless_it_ends()),
    "jq": _unless_it_ends("-e", "--exit-status"),
    "yq": _unless_it_ends("-e", "--exit-status"),
}
"""Commands that end with 0 whatever they read, with what of their arguments may make them a test."""


def check(scene: Scene) -> Iterator[Finding]:
    for command in rule_commands(scene):
        if "|" not in command.text or "pipefail" in command.text or "PIPESTATUS" in command.text:
            continue
        if command.script.problem is not None or outcome_of(command.script) == OK:
            continue
        for pipe in _deciding(command.script.body):
            finding = _of_pipe(command, pipe)
            if finding is not None:
                yield finding


def _of_pipe(command: HostCommand, pipe: Pipeline) -> Finding | None:
    *before, last = pipe.parts
    if not before or not isinstance(last, Command) or not _is_filter(last):
        return None
    first = before[0]
    masked = f"“{shown(first)}”" if isinstance(first, Command) and len(before) == 1 else "the rest"
    message = f"the exit status of the pipe is that of “{shown(last)}”, whatever {masked} finds"
    labels: tuple[Label, ...] = ()
    if isinstance(first, Command) and len(before) == 1 and (place := command.place_of(first)) is not None:
        labels = (Label(place, "this exit status is lost"),)
    return Finding(GW502, message, command.place_of(last), labels, help=_HELP, rule=command.rule)


def _is_filter(command: Command) -> bool:
    """Whether a command ends with 0 whatever it reads, also behind `sudo` or `xargs`."""
    for _ in range(4):
        inner = unwrapped(command)
        if inner is None or inner.command is None:
            break
        command = inner.command
    if not command.words or not command.words[0].is_literal:
        return False
    is_filter = _FILTERS.get(command.name)
    return is_filter is not None and is_filter(command.arguments)


def _deciding(body: Sequence) -> Iterator[Pipeline]:
    """The pipes that have a say in the exit status of a script, in the order of the text."""
    pending: list[Statement | Sequence] = [body]
    while pending:
        match pending.pop():
            case Pipeline() as pipe:
                if len(pipe.parts) > 1:
                    yield pipe
                if pipe.parts:
                    pending.append(pipe.parts[-1])
            case Sequence(items=items):
                pending += [item.statement for item in items[-1:] if _is_awaited(item)]
            case AndOr(first=first, rest=rest):
                pending += reversed([first, *(operand for _, operand in rest)])
            case Group(body=inner):
                pending.append(inner)
            case If(branches=branches, otherwise=otherwise):
                parts = [part for branch in branches for part in branch]
                pending += reversed(parts if otherwise is None else [*parts, otherwise])
            case Loop(condition=condition, body=inner):
                pending += [inner, condition]
            case Case(bodies=bodies):
                pending += reversed(bodies)
            case Command() as command:
                pending += _run_by(command)
            case Function():
                pass


def _run_by(command: Command) -> list[Statement | Sequence]:
    """What a wrapper runs: `bash -c 'a | b'` ends as its script does."""
    inner = unwrapped(command)
    if inner is None or inner.is_beside or command.name == "xargs":
        return []
    if inner.script is not None:
        return [read(inner.script.text, inner.script.offset).body]
    return [] if inner.command is None else [inner.command]


def _is_awaited(item: Item) -> bool:
    return not item.is_background
