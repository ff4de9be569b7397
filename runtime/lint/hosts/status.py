"""Which exit statuses a script can end with, as far as its text says.

    outcome_of(read("systemctl is-active nginx || true"))     # OK: nothing but 0

Commands that nothing is known of may succeed or fail. What could end a script early (`set -e`, `trap`, functions)
makes the answer wider, never narrower: an answer of `OK` is certain.
"""

from __future__ import annotations

import re

from ....compiler.shell import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Loop,
    Options,
    Pipeline,
    Redirect,
    Script,
    Sequence,
    Statement,
    Word,
    commands,
    read,
    read_options,
    unwrapped,
)

OK, BAD, EXIT_OK, EXIT_BAD = 1, 2, 4, 8
"""Goes on with status 0 or another; ends the script with 0 or another."""
_EITHER = OK | BAD
_ANYTHING = OK | BAD | EXIT_OK | EXIT_BAD
_MOST_SCRIPTS = 4

_ALWAYS = frozenset({"true", ":", "echo", "unset", "umask"})
_ASSIGNING = frozenset({"export", "declare", "typeset", "readonly"})
_ENDING = frozenset({"exit", "return"})
_OPAQUE = frozenset({"source", ".", "trap", "eval", "exec", "set", "shopt", "break", "continue"})
_HARMLESS_TARGETS = re.compile(r"/dev/(?:null|stdout|stderr)|&?-?\d*-?")
_CERTAIN_FORMAT = re.compile(r"(?:[^%\\-]|\\.|%[sbq%])(?:[^%\\]|\\.|%[sbq%])*", re.DOTALL)
_SECONDS = re.compile(r"\d+(?:\.\d+)?[smh]?")
_TRANSPARENT = frozenset({"env", "nohup", "nice", "ionice", "time", "stdbuf", "command", "builtin"})


def outcome_of(script: Script) -> int:
    """The statuses a script can end with, as `OK`, `BAD` or both."""
    if script.problem is not None or _is_opaque(script):
        return _EITHER
    return _ended(_sequence(script.body, 0))


def _is_opaque(script: Script) -> bool:
    """Whether it may end where its statements do not say so."""
    return any(use.command.name in _OPAQUE for use in commands(script) if not use.in_substitution)


def _ended(outcome: int) -> int:
    """What is seen from outside of a script or subshell."""
    return (OK if outcome & (OK | EXIT_OK) else 0) | (BAD if outcome & (BAD | EXIT_BAD) else 0)


def _sequence(sequence: Sequence, depth: int) -> int:
    exits, current = 0, OK
    for item in sequence.items:
        outcome = OK if item.is_background else _statement(item.statement, depth)
        exits |= outcome & (EXIT_OK | EXIT_BAD)
        current = outcome & _EITHER
        if not current:
            break
    return exits | current


def _statement(statement: Statement, depth: int) -> int:
    match statement:
        case Command():
            return _command(statement, depth)
        case Pipeline(parts=parts, is_negated=is_negated):
            outcome = _statement(parts[-1], depth) if parts else _EITHER
            outcome = _ended(outcome) if len(parts) > 1 else outcome
            return _swapped(outcome) if is_negated else outcome
        case AndOr():
            return _and_or(statement, depth)
        case Group(body=body, is_subshell=is_subshell, redirects=redirects):
            outcome = _sequence(body, depth)
            outcome = _ended(outcome) if is_subshell else outcome
            return outcome if _are_harmless(redirects) else outcome | BAD
        case If():
            return _if(statement, depth)
        case Loop(kind=kind, condition=condition, words=words, body=body):
            is_certain = kind == "for" and bool(words) and all(word.is_literal for word in words)
            inner = _sequence(body, depth) | (_sequence(condition, depth) & (EXIT_OK | EXIT_BAD))
            return inner if is_certain else inner | OK
        case Case(bodies=bodies):
            outcome = OK
            for body in bodies:
                outcome |= _sequence(body, depth)
            return outcome
        case Function():
            return _ANYTHING


def _swapped(outcome: int) -> int:
    exits = outcome & (EXIT_OK | EXIT_BAD)
    return exits | (BAD if outcome & OK else 0) | (OK if outcome & BAD else 0)


def _and_or(statement: AndOr, depth: int) -> int:
    current = _statement(statement.first, depth)
    for operator, operand in statement.rest:
        goes_on = OK if operator == "&&" else BAD
        if current & goes_on:
            current = (current & ~goes_on) | _statement(operand, depth)
    return current


def _if(statement: If, depth: int) -> int:
    outcome = 0
    for condition, body in statement.branches:
        decided = _sequence(condition, depth)
        outcome |= decided & (EXIT_OK | EXIT_BAD)
        if decided & OK:
            outcome |= _sequence(body, depth)
        if not decided & BAD:
            return outcome
    return outcome | (OK if statement.otherwise is None else _sequence(statement.otherwise, depth))


def _command(command: Command, depth: int) -> int:
    if not _are_harmless(command.redirects):
        return _EITHER
    if not command.words:
        return _EITHER if any(word.scripts for word in command.assignments) else OK
    if not command.words[0].is_literal:
        return _EITHER
    name, arguments = command.words[0].text, command.words[1:]
    if name in _ENDING:
        return _ending(arguments)
    if name in _ALWAYS or (name in _ASSIGNING and any("=" in word.text for word in arguments)):
        return OK
    if name == "false":
        return BAD
    if name == "printf":
        return OK if arguments and _CERTAIN_FORMAT.fullmatch(arguments[0].text) else _EITHER
    if name == "sleep":
        return OK if len(arguments) == 1 and _SECONDS.fullmatch(arguments[0].text) else _EITHER
    return _wrapped(command, depth)


def _ending(arguments: tuple[Word, ...]) -> int:
    if not arguments or not arguments[0].text.isdecimal():
        return EXIT_OK | EXIT_BAD
    return EXIT_OK if int(arguments[0].text[-9:]) % 256 == 0 else EXIT_BAD


def _wrapped(command: Command, depth: int) -> int:
    """`bash -c '…'` and wrappers that hand on the status of what they run."""
    inner = unwrapped(command)
    if inner is None or depth >= _MOST_SCRIPTS:
        return _EITHER
    if inner.command is not None and command.name in _TRANSPARENT:
        return _command(inner.command, depth + 1)
    if inner.script is None or not inner.script.is_literal or not command.name.endswith("sh") or command.name == "ssh":
        return _EITHER
    options = shell_options(command)
    script = read(inner.script.text)
    if script.problem is not None or options.has("e") or _is_opaque(script):
        return _EITHER
    return _ended(_sequence(script.body, depth + 1))


def shell_options(command: Command) -> Options:
    """The options of `bash -eo pipefail -c '…'`."""
    return read_options(command.words[1:], "oO")


def _are_harmless(redirects: tuple[Redirect, ...]) -> bool:
    for redirect in redirects:
        is_text = redirect.operator in {"<<", "<<-", "<<<"}
        if not is_text and (redirect.target is None or not _HARMLESS_TARGETS.fullmatch(redirect.target.text)):
            return False
    return True
