"""Answers as they are typed, each read by a function of its own that says what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...compiler.shell import commands, invocations, read
from ...compiler.vocabulary import Semantics
from .wanted import Act, Words, act_of, without_folder

LONGEST_KEY = 100
LONGEST_LINE = 1000

_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?")
_UNIT = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_@:.-]*[A-Za-z0-9_])?")
_POWER = frozenset({"reboot", "poweroff", "halt"})
"""Commands that `systemctl` does as well."""
_SAYS_ONLY = frozenset({"echo", "printf", "cat", "true", "false", ":"})


class AnswerError(ValueError):
    """What is wrong with an answer, for who gave it: a sentence without full stop."""


@dataclass(frozen=True)
class Answers:
    """What a starter is made of; every field comes out of its `read_…` function."""

    key: str
    title: str
    hosts: tuple[str, ...]
    """At least one; the first is the one that is broken."""
    repair: Act
    check: str
    """A shell command that ends with 0 on the first host once it is repaired."""
    bans: tuple[Act, ...] = ()
    semantics: Semantics = "flat"


def read_key(text: str) -> str:
    """The scenario's key, which names its folder and its file."""
    key = _line(text, "a name")
    if "/" in key or "\\" in key:
        raise AnswerError("a name holds no slash")
    if key[0] in ".-" or key[-1] == ".":
        raise AnswerError("a name begins with no dot or dash and ends with no dot")
    if len(key.encode()) > LONGEST_KEY:
        raise AnswerError(f"a name has at most {LONGEST_KEY} bytes")
    return key


def title_of_key(key: str) -> str:
    """`nginx-broken-config` → `Nginx broken config`."""
    words = " ".join(re.sub(r"[-_]+", " ", key).split()) or key
    return words[0].upper() + words[1:]


def read_title(text: str) -> str:
    return _line(text, "a title")


def read_hosts(text: str) -> tuple[str, ...]:
    """`web-01, web-02`, with commas or blanks between them."""
    hosts = tuple(re.split(r"[\s,]+", _line(text.replace("\t", " "), "a host").strip(", ")))
    for host in hosts:
        if not _HOST.fullmatch(host) or len(host) > LONGEST_KEY:
            raise AnswerError(f"“{host}” is no name of a host: letters, digits, “.”, “-” and “_” are")
    if len(set(hosts)) < len(hosts):
        raise AnswerError("a host is named twice")
    return hosts


def read_service(text: str) -> Act:
    """A service is repaired by whatever starts it anew."""
    name = _line(text, "a service").removesuffix(".service")
    if not _UNIT.fullmatch(name) or len(name) > LONGEST_KEY:
        raise AnswerError(f"“{name}” is no name of a service: letters, digits, “.”, “-”, “_”, “@” and “:” are")
    verbs = ("restart", "reload", "start")
    ways = (*(("systemctl", verb, name) for verb in verbs), *(("service", name, verb) for verb in verbs))
    unit = name.replace(".", r"\.")
    one_verb = f"(?:{'|'.join(verbs)})"
    by_systemctl = rf"systemctl\s+{one_verb}\s+{unit}(?:\.service)?"
    pattern = rf"^(?:\S*/)?(?:{by_systemctl}|service\s+{unit}\s+{one_verb})(?:\s|$)"
    example = f"sudo systemctl restart {name}"
    return Act(name, f"Restarted {name}", example, ways, pattern, f"systemctl is-active --quiet {name}")


def read_command(text: str) -> Act:
    """One command, as an agent would type it; what begins with the same words is the same."""
    line = _line(text, "a command")
    words = _words(line)
    if (act := act_of(words, line)).ways[0][0] in _SAYS_ONLY:
        raise AnswerError(f"“{words[0]}” repairs nothing")
    return act


def read_ban(text: str) -> Act:
    """What must not be done; `systemctl reboot` with `reboot`."""
    line = _line(text, "a command")
    words = _words(line)
    *before, last = (without_folder(words[0]), *words[1:])
    if last in _POWER and before in ([], ["systemctl"]):
        return act_of((last,), line, ("systemctl", last))
    return act_of(words, line)


def read_bans(texts: Iterable[str], repair: Act) -> tuple[Act, ...]:
    """What must not be done: none of it is the repair, or forbidden twice."""
    bans = tuple(map(read_ban, texts))
    for index, ban in enumerate(bans):
        if repair.does(ban):
            raise AnswerError(f"“{ban.said}” cannot be forbidden: it is what repairs the machine")
        for other in bans[:index] + bans[index + 1 :]:
            if ban.does(other):
                raise AnswerError(f"“{ban.said}” is named twice, or forbidden with “{other.said}”")
    return bans


def read_check(text: str) -> str:
    check = _line(text, "a check")
    if (problem := read(check).problem) is not None:
        raise AnswerError(f"no shell can read the check: {problem}")
    if not commands(check):
        raise AnswerError("the check runs nothing")
    return check


def _words(line: str) -> Words:
    """The words of the one simple command of a line, without what wraps it, and without quoting: `a b` is two words."""
    if (problem := read(line).problem) is not None:
        raise AnswerError(f"no shell can read “{line}”: {problem}")
    uses = [use for use in commands(line) if use.command.words]
    if len(uses) != 1:
        what = "runs nothing" if not uses else f"is {len(uses)} commands"
        raise AnswerError(f"“{line}” {what}: name one")
    words = " ".join(word.text for word in uses[0].command.words)
    if invocations(line) != (words,) or not words.strip():
        raise AnswerError(f"“{line}” is no plain command that can be looked for by its words")
    return tuple(words.split())


def _line(text: str, what: str) -> str:
    """The text without blanks around it; one line of characters that can be shown."""
    line = text.strip(" ")
    if not line:
        raise AnswerError(f"{what} is not empty")
    for character in line:
        if not character.isprintable():
            raise AnswerError(f"{what} is one line without control characters; this has U+{ord(character):04X}")
    if len(line) > LONGEST_LINE:
        raise AnswerError(f"{what} has at most {LONGEST_LINE} characters")
    return line
