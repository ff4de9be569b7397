"""Every simple command of a script, in the order of the text, wrappers taken off.

for use in commands("sudo systemctl stop nginx | tee log"): ...     # systemctl stop nginx, through sudo; tee log
invocations("sudo systemctl stop nginx; echo reboot")               # ("systemctl stop nginx", "echo reboot")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from .nodes import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Sequence,
    Statement,
    Word,
)
from .read import read
from .wrappers import Inner, unwrapped

MOST_WRAPPERS = 12
"""Layers of wrappers taken off one command; scripts within scripts among them."""


@dataclass(frozen=True, slots=True)
class Use:
    """A command that a script runs, and how."""

    command: Command
    through: tuple[Command, ...] = ()
    """What runs it, outermost first: `sudo`, `timeout`, `bash -c`."""
    pipes_into: tuple[Statement, ...] = ()
    """What follows in its pipe, a few parts of it."""
    is_fed: bool = False
    """Whether its standard input is a pipe or a file."""
    is_background: bool = False
    in_condition: bool = False
    """Whether it is run to decide: between `if` and `then`, `while` and `do`, or before `&&` or `||`."""
    in_loop: bool = False
    in_substitution: bool = False

    @property
    def is_timed(self) -> bool:
        """Whether `timeout` ends it."""
        return any(wrapper.name == "timeout" for wrapper in self.through)


def commands(script: Script | str) -> tuple[Use, ...]:
    """The commands of a script. Those that a wrapper runs stand in its place; `find` stands before what it runs."""
    whole = read(script) if isinstance(script, str) else script
    return tuple(sorted(_uses(whole), key=_start))


def _start(use: Use) -> int:
    return use.command.start


@lru_cache(maxsize=1024)
def invocations(text: str) -> tuple[str, ...]:
    """What a text of commands invokes, each with its words joined by one space."""
    uses = commands(text)
    return tuple(
        " ".join(word.text for word in use.command.words)
        for use in uses
        if use.command.words and not use.command.words[0].text.startswith(("[[", "(("))
    )


MOST_CHARACTERS = 1 << 18
"""Characters of scripts within scripts that are read at most; wrappers beyond stand for what they run."""
_NEXT = 9
_Pending = tuple[Statement | Sequence, Use]
"""What is still to be walked; the use carries what is known of its surroundings."""
_NOTHING = Use(Command((), (), (), 0, 0))


def _uses(script: Script) -> Iterator[Use]:
    pending: list[_Pending] = _of_script(script, _NOTHING)
    left = MOST_CHARACTERS
    while pending:
        statement, around = pending.pop()
        if isinstance(statement, Command):
            use = replace(around, command=statement)
            inner = unwrapped(statement) if len(use.through) < MOST_WRAPPERS else None
            if inner is not None and inner.script is not None:
                left -= len(inner.script.text)
                inner = inner if left >= 0 else None
            if inner is None or (inner.is_beside and statement.words):
                yield use
            pending += reversed([*_run_by(inner, use), *_substituted(statement, inner, around)])
        else:
            pending += reversed(_parts(statement, around))


def _of_script(script: Script, around: Use) -> list[_Pending]:
    return [(script.body, around), *_of_words(script.texts, around)]


def _run_by(inner: Inner | None, use: Use) -> list[_Pending]:
    """What a wrapper runs."""
    if inner is None:
        return []
    around = replace(use, through=(*use.through, use.command))
    if inner.script is None:
        return [] if inner.command is None else [(inner.command, around)]
    places = [inner.script.offset(index) for index in range(len(inner.script.text) + 1)]
    script = read(inner.script.text, places.__getitem__)
    held = _of_script(script, around)
    if use.command.redirects:
        start, end = use.command.start, use.command.end
        held.append((Command((), (), use.command.redirects, start, end), around))
    return held


def _substituted(command: Command, inner: Inner | None, around: Use) -> list[_Pending]:
    """What the substitutions in a command run, those left out that are found with the command it wraps."""
    words: list[Word] = list(command.assignments) if inner is None or inner.command is None else []
    first, last = command.end, command.end
    if inner is not None and (held := inner.command or inner.script) is not None:
        first, last = held.start, held.end
    words += [word for word in command.words if not first <= word.start < last]
    words += _targets(command.redirects) if inner is None else []
    return _of_words(tuple(words), around)


def _targets(redirects: tuple[Redirect, ...]) -> list[Word]:
    return [redirect.target for redirect in redirects if redirect.target is not None]


def _parts(statement: Statement | Sequence, around: Use) -> list[_Pending]:
    match statement:
        case Sequence(items=items):
            return [
                (item.statement, replace(around, is_background=True) if item.is_background else around)
                for item in items
            ]
        case Pipeline(parts=parts):
            return [(part, _in_pipe(parts, at, around)) for at, part in enumerate(parts)]
        case AndOr(first=first, rest=rest):
            operands = [first, *(operand for _, operand in rest)]
            deciding = replace(around, in_condition=True)
            return [*((operand, deciding) for operand in operands[:-1]), (operands[-1], around)]
        case Group(body=body, redirects=redirects):
            fed = replace(around, is_fed=around.is_fed or any(part.operator.startswith("<") for part in redirects))
            held: list[_Pending] = [(body, fed)]
            if redirects:
                start, end = redirects[0].start, redirects[-1].end
                held.append((Command((), (), redirects, start, end), around))
            return held
        case If(branches=branches, otherwise=otherwise):
            deciding = replace(around, in_condition=True)
            held = [part for condition, body in branches for part in ((condition, deciding), (body, around))]
            return held if otherwise is None else [*held, (otherwise, around)]
        case Loop(condition=condition, words=words, body=body):
            looping = replace(around, in_loop=True)
            return [*_of_words(words, around), (condition, replace(looping, in_condition=True)), (body, looping)]
        case Case(word=word, patterns=patterns, bodies=bodies):
            return [*_of_words((word, *patterns), around), *((body, around) for body in bodies)]
        case Function(body=body):
            return [(body, around)]
        case Command():
            return [(statement, around)]


def _in_pipe(parts: tuple[Statement, ...], at: int, around: Use) -> Use:
    following = parts[at + 1 : at + _NEXT] or around.pipes_into
    return replace(around, pipes_into=following, is_fed=around.is_fed or at > 0)


def _of_words(words: tuple[Word, ...], around: Use) -> list[_Pending]:
    inside = replace(around, pipes_into=(), is_fed=False, in_substitution=True)
    return [(script, inside) for word in words for script in word.scripts]
