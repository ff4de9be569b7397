r"""What commands only print, search for or write down: text in their words that is no command.

    invoked_words(command)      # of `echo reboot`: echo; of `grep -n 'reboot now' log`: grep, -n, log
    printed(command)            # of `printf 'reboot\n'`: the word “reboot”, which a shell in the same pipe runs

Only commands that do nothing else with the text are known here. What `sed`, `awk`, `python -c` and others are given is
theirs to interpret, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .nodes import Command, Word
from .words import joined


@dataclass(frozen=True, slots=True)
class _Search:
    """How a command that searches is told what for: by its first operand, or by options."""

    short: str
    """Option letters that take a value."""
    long: frozenset[str]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRINTERS = frozenset({"echo", "printf", "print", "logger", "wall", ":"})
_GREP = _Search(
    "ABCDdefm",
    _names(
        "regexp file include exclude exclude-dir exclude-from max-count context after-context before-context label "
        "directories devices binary-files color colour"
    ),
)
_RIPGREP = _Search(
    "ABCEMTdefgjmrt",
    _names(
        "regexp file glob iglob type type-not max-count context after-context before-context color colors encoding "
        "max-columns max-depth replace sort sortr threads"
    ),
)
_SEARCHES = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "zgrep", "zegrep", "zfgrep", "ag", "ack"), _GREP),
    "rg": _RIPGREP,
}
_WITH_MESSAGES = frozenset({"commit", "tag", "merge", "notes", "stash"})
"""What `git` does with a message."""

_ECHO_OPTION = re.compile(r"-[neE]+")
_ESCAPE = re.compile(r"\\(n|t|r|\\|\"|')")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_FORMAT = re.compile(r"%([sb])(?:\\n)?")


def invoked_words(command: Command) -> Sequence[str]:
    """The words of a command without text that it only prints, searches for or writes down."""
    name = command.name
    if name in _PRINTERS:
        return [command.words[0].text, *_echo_options(command)]
    if (search := _SEARCHES.get(name)) is not None:
        return [command.words[0].text, *_without_pattern(command.arguments, search)]
    if name == "git" and not _WITH_MESSAGES.isdisjoint(command.arguments):
        return [command.words[0].text, *_without_messages(command.arguments)]
    return [word.text for word in command.words]


def _echo_options(command: Command) -> Iterator[str]:
    if command.name != "echo":
        return
    for text in command.arguments:
        if not _ECHO_OPTION.fullmatch(text):
            return
        yield text


def _without_pattern(arguments: Sequence[str], search: _Search) -> list[str]:
    kept: list[str] = []
    operands: list[int] = []
    is_told = False
    at = 0
    while at < len(arguments):
        text = arguments[at]
        at += 1
        if text == "--":
            kept.append(text)
            operands += range(len(kept), len(kept) + len(arguments) - at)
            kept += arguments[at:]
            break
        if text.startswith("--"):
            name, sign, _ = text[2:].partition("=")
            is_pattern = name == "regexp"
            is_told |= name in {"regexp", "file", "files"}
            kept.append(f"--{name}=" if is_pattern and sign else text)
            takes_next = not sign and name in search.long
        elif text.startswith("-") and len(text) > 1:
            letter = next((index for index, letter in enumerate(text[1:], 1) if letter in search.short), None)
            is_pattern = letter is not None and text[letter] == "e"
            is_told |= letter is not None and text[letter] in "ef"
            kept.append(text[: letter + 1] if is_pattern and letter is not None else text)
            takes_next = letter == len(text) - 1
        else:
            operands.append(len(kept))
            kept.append(text)
            continue
        if takes_next and at < len(arguments):
            kept += [] if is_pattern else [arguments[at]]
            at += 1
    if operands and not is_told:
        del kept[operands[0]]
    return kept


def _without_messages(arguments: Sequence[str]) -> list[str]:
    kept: list[str] = []
    at = 0
    while at < len(arguments):
        text = arguments[at]
        at += 1
        is_letters = re.fullmatch(r"-[a-zA-Z]*m", text) is not None
        if text.startswith("--message="):
            kept.append("--message=")
        elif re.match(r"-[a-z]?m.", text) and not text.startswith("--"):
            kept.append(text[: text.index("m") + 1])
        else:
            kept.append(text)
            at += is_letters or text == "--message"
    return kept


# ---- what is printed -------------------------------------------------------------------------------------------------


def printed(command: Command) -> Word | None:
    """What `echo` or `printf` prints, as one word; None for other commands."""
    if command.name == "echo":
        options = list(_echo_options(command))
        word = joined(command.words[1 + len(options) :])
        return _unescaped(word) if word is not None and any("e" in option for option in options) else word
    if command.name != "printf" or len(command.words) < 2:
        return None
    form, *values = command.words[1:]
    if values and (kind := _FORMAT.fullmatch(form.text)) is not None:
        text = _placed("\n".join(word.text for word in values), values[0].start, values[-1].end)
        return _unescaped(text) if kind[1] == "b" else text
    return _unescaped(form)


def _unescaped(word: Word) -> Word:
    text = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), word.text)
    return word if text == word.text else _placed(text, word.start, word.end)


def _placed(text: str, start: int, end: int) -> Word:
    """A word whose characters stand about where they are said to: it is never longer than what was written."""
    return Word(text, start, end, ((0, start),))
