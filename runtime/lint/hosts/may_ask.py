"""GW505: a command that may ask a question, with nobody there to answer.

run `sudo systemctl is-active nginx`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ....compiler.findings import GW505, Finding, Fix
from ....compiler.shell import Command, Use, read_options
from ..scene import Scene
from .commands import HostCommand, rule_commands, shown
from .subcommands import words

_PASSWORD = "a password"


@dataclass(frozen=True, slots=True)
class _Question:
    """What a command may ask for, and the option that forbids it to."""

    asks: Callable[[Command, Use], bool]
    what: str
    help: str
    option: str | None = None


def check(scene: Scene) -> Iterator[Finding]:
    for command in rule_commands(scene):
        told: set[int] = set()
        for use in command.uses:
            for one in (*use.through, use.command):
                question = _QUESTIONS.get(one.name)
                if question is None or one.start in told or not question.asks(one, use):
                    continue
                told.add(one.start)
                yield _finding(command, one, question)


def _finding(command: HostCommand, one: Command, question: _Question) -> Finding:
    name = one.words[0]
    fix: Fix | None = None
    if question.option is not None:
        edit = command.with_option(name, question.option)
        fix = None if edit is None else Fix("let it fail where it would ask", (edit,))
    message = f"“{shown(one)}” may ask for {question.what}, and nobody is there to answer"
    return Finding(GW505, message, command.place(name.start, name.end), help=question.help, rule=command.rule, fix=fix)


# ---- when they ask -------------------------------------------------------------------------------------------------


def _sudo(command: Command, _use: Use) -> bool:
    options = read_options(command.words[1:], "ugpCDhRTUrt", frozenset({"user", "group", "prompt", "host", "chdir"}))
    return not options.has("n", "non-interactive", "V", "version", "K", "k") and bool(command.arguments)


def _ssh(command: Command, _use: Use) -> bool:
    if any(_is_batch(word) for word in command.arguments):
        return False
    options = read_options(command.words[1:], "BbcDEeFIiJLlmOopQRSWw")
    return not options.has("V", "Q", "G", "O") and bool(options.operands)


def _scp(command: Command, _use: Use) -> bool:
    options = read_options(command.words[1:], "cDFiJloPSXsRb")
    return not options.has("B", "b") and not any(_is_batch(word) for word in command.arguments)


def _is_batch(word: str) -> bool:
    return word.lower().replace(" ", "=").endswith("batchmode=yes")


def _su(command: Command, use: Use) -> bool:
    """Root changes to anybody without being asked."""
    return not any(wrapper.name in {"sudo", "doas"} for wrapper in use.through)


def _passwd(command: Command, _use: Use) -> bool:
    return not any(word in {"-S", "--status", "-l", "-u", "-d", "-e", "--stdin", "-a"} for word in command.arguments)


def _read(_command: Command, use: Use) -> bool:
    is_inside = use.is_fed or use.in_loop or use.in_substitution
    return not is_inside and not any(part.operator.startswith("<") for part in _command.redirects)


_PACKAGE_VERBS = words("install remove purge upgrade dist-upgrade full-upgrade autoremove erase update")


def _packages(command: Command, _use: Use) -> bool:
    options = read_options(command.words[1:], "otc", frozenset({"option", "target-release"}), mixed=True)
    verbs = _PACKAGE_VERBS - ({"update"} if command.name.startswith("apt") else set[str]())
    is_answered = options.has("y", "yes", "assume-yes", "assumeyes", "assumeno", "s", "simulate", "dry-run", "q", "qq")
    return not is_answered and bool(options.operands) and options.operands[0].text in verbs


def _asks_first(command: Command, _use: Use) -> bool:
    return "-i" in command.arguments or "--interactive" in command.arguments


def _mysql(command: Command, _use: Use) -> bool:
    return any(word in {"-p", "--password"} for word in command.arguments)


def _psql(command: Command, _use: Use) -> bool:
    return any(word in {"-W", "--password"} for word in command.arguments)


_BATCH = "-o BatchMode=yes"
_WITH_BATCH = f"{_BATCH} makes it fail at once instead"
_WITH_YES = "-y answers beforehand"
_PASSWORD_FILE = "give the password in a file of options"

_QUESTIONS: dict[str, _Question] = {
    "sudo": _Question(_sudo, _PASSWORD, "-n makes it fail at once instead", "-n"),
    "ssh": _Question(_ssh, "a password or about a host key", _WITH_BATCH, _BATCH),
    "scp": _Question(_scp, "a password or about a host key", _WITH_BATCH, _BATCH),
    "sftp": _Question(_scp, "a password or about a host key", _WITH_BATCH, _BATCH),
    "su": _Question(_su, _PASSWORD, "sudo -n -u USER fails at once instead"),
    "passwd": _Question(_passwd, _PASSWORD, "passwd -S tells of a password without asking"),
    "read": _Question(_read, "a line of input", "leave it out, or give it its input"),
    **dict.fromkeys(("apt", "apt-get", "yum", "dnf"), _Question(_packages, "a yes before it goes on", _WITH_YES, None)),
    **dict.fromkeys(("rm", "mv", "cp"), _Question(_asks_first, "a yes before it goes on", "leave -i out")),
    **dict.fromkeys(("mysql", "mysqladmin", "mysqldump", "mariadb"), _Question(_mysql, _PASSWORD, _PASSWORD_FILE)),
    "psql": _Question(_psql, _PASSWORD, _PASSWORD_FILE),
}
