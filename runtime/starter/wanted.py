r"""Commands that a rule looks for, and the pattern that finds them among `invocations`.

    pattern_of([("nginx", "-s", "reload")])     # ^(?:\S*/)?nginx\s+-s\s+reload(?:\s|$)

An invocation is one simple command without its wrappers, so that a pattern can say where it begins. It asks for whole
words: what restarts `nginx-exporter` does not restart `nginx`. More words may follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Words = tuple[str, ...]

_SYNTAX = frozenset("\\^$.*+?()[]{}|")
_PATH_MAY_STAND_BEFORE = r"(?:\S*/)?"
_UPPER_CASE_OPTION = re.compile(r"-[A-Z]")


@dataclass(frozen=True)
class Act:
    """Something that an agent does to a machine, in one of several ways."""

    said: str
    """Its words, or the service that it starts anew."""
    done: str
    """The label of a rule that asks for it."""
    example: str
    """A line that does it."""
    ways: tuple[Words, ...]
    """The words that an invocation begins with, one tuple for each way."""
    pattern: str
    """Finds all ways, and nothing else, among invocations."""
    check: str | None = None
    """A command that shows on the machine that it was done, where one is known."""

    def does(self, other: Act) -> bool:
        """Whether the example does what the other is about."""
        return any(_begins(self.ways[0], way) for way in other.ways)

    def is_of(self, word: str) -> bool:
        """Whether the example has this word: `systemctl reboot` is of `reboot`."""
        return word in map(str.lower, self.ways[0])


def act_of(words: Words, example: str, *others: Words) -> Act:
    """Running a command, or one of others that do the same."""
    ways = tuple((without_folder(way[0]), *way[1:]) for way in (words, *others))
    said = " ".join(words)
    return Act(said, f"Ran {said}", example, ways, pattern_of(ways))


def pattern_of(ways: Sequence[Words]) -> str:
    """A pattern for invocations that begin with the words of one of the ways."""
    alternatives = [r"\s+".join((*map(_word, way[:-1]), _word(_without_slash(way[-1])))) for way in ways]
    inside = alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"
    end = r"(?:[/\s]|$)" if all(_is_folder(way[-1]) for way in ways) else r"(?:\s|$)"
    return f"^{_PATH_MAY_STAND_BEFORE}{inside}{end}"


def _word(word: str) -> str:
    if _UPPER_CASE_OPTION.fullmatch(word):  # no pattern tells the two apart, and it is fair to say so
        return f"-[{word[1].lower()}{word[1]}]"
    return "".join(f"\\{character}" if character in _SYNTAX else character for character in word)


def without_folder(program: str) -> str:
    return program.rpartition("/")[2] or program


def _without_slash(word: str) -> str:
    return word.rstrip("/") or word


def _is_folder(word: str) -> bool:
    """Whether a last word may be a folder: what lies in it is meant as well."""
    return "/" in word and word.strip("/") != ""


def _begins(words: Words, beginning: Words) -> bool:
    *first, last = (word.lower() for word in beginning)
    length = len(first)
    if len(words) <= length or [word.lower() for word in words[:length]] != first:
        return False
    word, whole = words[length].lower(), _without_slash(last)
    return word == whole or (_is_folder(last) and word.startswith(f"{whole}/"))
