"""The simple commands that a text of commands invokes: the values of the target `invocations`.

    invocations("sudo -u www systemctl stop nginx; echo reboot")        # ("systemctl stop nginx", "echo")

Every text has an answer. What cannot be read as commands, and the whole of a text that is too long, stands for itself
as one invocation: a pattern still finds in it what it finds in the executed command.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from .mentions import invoked_words
from .nodes import Command, Word
from .read import read
from .walk import Broken, Use, Walker

LONGEST_COMMAND = 1 << 17
"""Characters of a text that is read. Linux takes no longer one as the script of `bash -c` either."""
_LONGEST_KEPT = 1 << 12
_MOST_KEPT = 1024


@dataclass(frozen=True, slots=True)
class _Listed:
    """A command, or what stands for a part that could not be read; places are offsets in the text."""

    start: int
    end: int
    text: str | None
    """None: it invokes nothing, as `A=b` and `[[ … ]]`."""


def invocations(text: str) -> tuple[str, ...]:
    """What a text of commands invokes, in its order, each with its words joined by one space."""
    return _of_short(text) if len(text) <= _LONGEST_KEPT else _of(text)


@lru_cache(maxsize=_MOST_KEPT)
def _of_short(text: str) -> tuple[str, ...]:
    return _of(text)


def _of(text: str) -> tuple[str, ...]:
    if len(text) > LONGEST_COMMAND:
        return (text.strip(),)
    script = read(text)
    walker = Walker()
    listed = [_listed(use) for use in walker.uses(script) if use.command.words or use.command.assignments]
    broken = walker.broken
    if script.broken_at is not None:
        broken = [Broken(Word(text, 0, len(text), ((0, 0),)), script.broken_at), *broken]
    for part in reversed(broken):  # the inner ones come later
        listed = _cut(listed, part)
    return tuple(one.text for one in sorted(listed, key=_start) if one.text is not None)


def _start(one: _Listed) -> int:
    return one.start


def _listed(use: Use) -> _Listed:
    command = use.command
    return _Listed(command.start, command.end, " ".join(invoked_words(command)) if _invokes(command) else None)


def _invokes(command: Command) -> bool:
    if not command.words:
        return False
    first = command.words[0]
    is_unquoted = first.end - first.start == len(first.text)
    return not (is_unquoted and (first.text == "[[" or first.text.startswith("((")))


def _cut(listed: list[_Listed], broken: Broken) -> list[_Listed]:
    """Replace what is not sure to be read aright in a script by the text of it."""
    script = broken.script
    at = min((one.start for one in listed if _is_in(one, script) and one.end >= broken.at), default=broken.at)
    at = min(at, broken.at)
    kept = [one for one in listed if not (_is_in(one, script) and one.start >= at)]
    offsets = [script.offset(index) for index in range(len(script.text))]
    rest = script.text[bisect_left(offsets, at) :].strip()
    if not rest and not any(_is_in(one, script) for one in kept):
        rest = script.text.strip()
    return [*kept, _Listed(at, script.end, rest)] if rest else kept


def _is_in(one: _Listed, script: Word) -> bool:
    return script.start <= one.start <= script.end
