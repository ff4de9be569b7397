"""The options of a command, as getopt reads them.

    read_options(words, "um", frozenset({"user"}))      # of `sudo -nu www ls -l`: flags n and u=www, operands ls -l

Which options take a value has to be known; unknown ones take none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .nodes import Word


@dataclass(frozen=True, slots=True)
class Options:
    """What stands behind the name of a command."""

    flags: dict[str, str | None]
    """Option letters and names without their dashes, each with its value; the last one said."""
    operands: tuple[Word, ...]

    def has(self, *names: str) -> bool:
        return any(name in self.flags for name in names)


def read_options(
    words: Sequence[Word], short: str = "", long: frozenset[str] = frozenset(), *, mixed: bool = False
) -> Options:
    """Read options up to the first operand, or among the operands where they may be `mixed`.

    `short` and `long` are those that take a value. `--name=value` and `-n5` are read as such.
    """
    flags: dict[str, str | None] = {}
    operands: list[Word] = []
    at = 0
    while at < len(words):
        text = words[at].text
        at += 1
        if text == "--":
            operands += words[at:]
            break
        if text.startswith("--"):
            name, sign, value = text[2:].partition("=")
            if not sign and name in long and at < len(words):
                flags[name] = words[at].text
                at += 1
            else:
                flags[name] = value if sign else None
        elif text.startswith("-") and len(text) > 1:
            at += _letters(text[1:], short, words[at:], flags)
        else:
            operands.append(words[at - 1])
            if not mixed:
                operands += words[at:]
                break
    return Options(flags, tuple(operands))


def _letters(letters: str, short: str, behind: Sequence[Word], flags: dict[str, str | None]) -> int:
    """Read `-sSfm5`; returns how many of the words behind it are its value."""
    for index, letter in enumerate(letters):
        if letter in short:
            attached = letters[index + 1 :]
            if attached:
                flags[letter] = attached
                return 0
            flags[letter] = behind[0].text if behind else None
            return 1 if behind else 0
        flags[letter] = None
    return 0
