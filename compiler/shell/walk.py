"""Every simple command of a script, in the order of the text, wrappers taken off.

    for use in commands("sudo systemctl stop nginx | tee log"): ...   # systemctl stop nginx, through sudo; tee log

A text that a shell is fed is a script too: `bash <<END`, `echo reboot | sudo sh`, `cat <<END | ssh host`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .mentions import printed
from .nodes import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    HereDocument,
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
from .wrappers import Inner, reads_commands, unwrapped

MOST_WRAPPERS = 12
"""Layers of wrappers taken off one command; scripts within scripts among them."""
MOST_CHARACTERS = 1 << 18
"""Characters of scripts within scripts that are read at most; wrappers beyond stand for what they run."""
_NEXT = 9


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
    fed: Word | None = None
    """The text that its standard input is known to hold."""
    is_background: bool = False
    in_condition: bool = False
    """Whether it is run to decide: between `if` and `then`, `while` and `do`, or before `&&` or `||`."""
    in_loop: bool = False
    in_substitution: bool = False

    @property
    def is_timed(self) -> bool:
        """Whether `timeout` ends it."""
        return any(wrapper.name == "timeout" for wrapper in self.through)


@dataclass(frozen=True, slots=True)
class Broken:
    """What could not be read of a script, or of one within it."""

    script: Word
    """All of it."""
    at: int
    """Where the problem shows, as an offset in the whole text."""


def commands(script: Script | str) -> tuple[Use, ...]:
    """The commands of a script. Those that a wrapper runs stand in its place; `find` stands before what it runs."""
    walker = Walker()
    return tuple(sorted(walker.uses(read(script) if isinstance(script, str) else script), key=start_of))


def start_of(use: Use) -> int:
    return use.command.start


_Pending = tuple[Statement | Sequence | HereDocument, Use]
"""What is still to be walked; the use carries what is known of its surroundings."""
_NOTHING = Use(Command((), (), (), 0, 0))


class Walker:
    """Goes through a script once; `broken` is complete when it has."""

    def __init__(self) -> None:
        self.broken: list[Broken] = []
        self._left = MOST_CHARACTERS
        self._texts: dict[int, Word] = {}
        """Here-documents by the places of their redirections."""
        self._run: set[int] = set()
        """Where the texts begin that a shell was fed."""

    def uses(self, script: Script) -> Iterator[Use]:
        pending: list[_Pending] = self._of_script(script, _NOTHING)
        while pending:
            statement, around = pending.pop()
            match statement:
                case Command():
                    fed = self._fed(statement.redirects, around)
                    use = replace(around, command=statement, fed=fed)
                    inner = self._inner(use)
                    if inner is None or (inner.is_beside and statement.words):
                        yield use
                    pending += reversed([*self._run_by(inner, use), *self._substituted(statement, inner, around)])
                case HereDocument(text=text):
                    pending += reversed(self._of_words(self._unread([text]), around))
                case _:
                    pending += reversed(self._parts(statement, around))

    def _of_script(self, script: Script, around: Use) -> list[_Pending]:
        self._texts.update((text.start, text.text) for text in script.texts)
        return [*((text, around) for text in reversed(script.texts)), (script.body, around)]

    # ---- wrappers ----------------------------------------------------------------------------------------------

    def _inner(self, use: Use) -> Inner | None:
        if len(use.through) >= MOST_WRAPPERS:
            return None
        inner = unwrapped(use.command)
        if inner is None and use.fed is not None and reads_commands(use.command):
            inner = Inner(script=use.fed)
        if inner is not None and inner.script is not None:
            self._left -= len(inner.script.text)
            if self._left < 0:
                return None
            if inner.script is use.fed:
                self._run.add(inner.script.start)
        return inner

    def _run_by(self, inner: Inner | None, use: Use) -> list[_Pending]:
        """What a wrapper runs."""
        if inner is None:
            return []
        around = replace(use, through=(*use.through, use.command))
        held: list[_Pending] = [(command, around) for command in inner.commands]
        if inner.script is None:
            return held
        places = [inner.script.offset(index) for index in range(len(inner.script.text) + 1)]
        script = read(inner.script.text, places.__getitem__)
        if script.broken_at is not None:
            self.broken.append(Broken(inner.script, script.broken_at))
        fed = replace(around, fed=None) if inner.script is use.fed else around
        held += reversed(self._of_script(script, fed))
        if use.command.redirects:
            start, end = use.command.start, use.command.end
            held.append((Command((), (), use.command.redirects, start, end), around))
        return held

    def _substituted(self, command: Command, inner: Inner | None, around: Use) -> list[_Pending]:
        """What the substitutions in a command run, those left out that are found with the commands it wraps."""
        words: list[Word] = list(command.assignments) if inner is None or not inner.commands else []
        held = () if inner is None else (*inner.commands, *((inner.script,) if inner.script is not None else ()))
        words += [word for word in command.words if not any(part.start <= word.start < part.end for part in held)]
        words += self._unread(_targets(command.redirects)) if inner is None else []
        return self._of_words(words, around)

    def _unread(self, texts: Iterable[Word]) -> list[Word]:
        """Texts but those that were read as scripts, with what is substituted in them."""
        return [text for text in texts if text.start not in self._run]

    def _of_words(self, words: Iterable[Word], around: Use) -> list[_Pending]:
        inside = replace(around, pipes_into=(), is_fed=False, fed=None, in_substitution=True)
        return [(script, inside) for word in words for script in word.scripts]

    # ---- standard input ----------------------------------------------------------------------------------------

    def _fed(self, redirects: tuple[Redirect, ...], around: Use) -> Word | None:
        """The text that redirections give to a command, or else what its surroundings do."""
        fed = around.fed
        for redirect in redirects:
            match redirect.operator:
                case "<<":
                    fed = self._texts.get(redirect.start)
                case "<<<":
                    fed = redirect.target
                case "<" | "<&" | "<>":
                    fed = None
                case _:
                    pass
        return fed

    def _printed(self, statement: Statement) -> Word | None:
        """The text that a part of a pipe is known to print."""
        if not isinstance(statement, Command):
            return None
        if statement.name == "cat" and all(text == "-" for text in statement.arguments):
            return self._fed(statement.redirects, _NOTHING)
        return printed(statement)

    # ---- statements --------------------------------------------------------------------------------------------

    def _parts(self, statement: Statement | Sequence, around: Use) -> list[_Pending]:
        match statement:
            case Sequence(items=items):
                return [
                    (item.statement, replace(around, is_background=True) if item.is_background else around)
                    for item in items
                ]
            case Pipeline(parts=parts):
                return [(part, self._in_pipe(parts, at, around)) for at, part in enumerate(parts)]
            case AndOr(first=first, rest=rest):
                operands = [first, *(operand for _, operand in rest)]
                deciding = replace(around, in_condition=True)
                return [*((operand, deciding) for operand in operands[:-1]), (operands[-1], around)]
            case Group():
                return self._of_group(statement, around)
            case If(branches=branches, otherwise=otherwise):
                deciding = replace(around, in_condition=True)
                held: list[_Pending] = []
                for condition, body in branches:
                    held += ((condition, deciding), (body, around))
                return held if otherwise is None else [*held, (otherwise, around)]
            case Loop(condition=condition, words=words, body=body):
                # What is fed to a loop goes to its `read`, and not to a shell in it.
                looping = replace(around, in_loop=True, fed=None)
                deciding = replace(looping, in_condition=True)
                return [*self._of_words(words, around), (condition, deciding), (body, looping)]
            case Case(word=word, patterns=patterns, bodies=bodies):
                chosen: list[_Pending] = [(body, around) for body in bodies]
                return [*self._of_words((word, *patterns), around), *chosen]
            case Function(body=body):
                return [(body, around)]
            case Command():
                return [(statement, around)]

    def _of_group(self, group: Group, around: Use) -> list[_Pending]:
        redirects = group.redirects
        is_fed = around.is_fed or any(part.operator.startswith("<") for part in redirects)
        held: list[_Pending] = [(group.body, replace(around, is_fed=is_fed, fed=self._fed(redirects, around)))]
        if redirects:
            start, end = redirects[0].start, redirects[-1].end
            held.append((Command((), (), redirects, start, end), around))
        return held

    def _in_pipe(self, parts: tuple[Statement, ...], at: int, around: Use) -> Use:
        following = parts[at + 1 : at + _NEXT] or around.pipes_into
        if at == 0:
            return replace(around, pipes_into=following)
        return replace(around, pipes_into=following, is_fed=True, fed=self._printed(parts[at - 1]))


def _targets(redirects: tuple[Redirect, ...]) -> list[Word]:
    return [redirect.target for redirect in redirects if redirect.target is not None]
