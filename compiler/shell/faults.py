"""Texts that no shell takes: a quote or parenthesis that nothing closes, an operator with nothing to run.

    fault_in("grep -q 'ok /etc/motd")      # Fault("the quote ' is never closed", 8, 9)

Only what is certain is told. A text with something in it that this scanner does not follow (here-documents, `[[ … ]]`,
most of `case` and functions) has no fault here, and neither has one that `read` has no problem with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .nodes import Script
from .word_reader import NO_SCRIPT


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and the characters that show it."""

    message: str
    start: int
    end: int


_TOKEN = re.compile(
    r"(?P<blank>[ \t]+|\\\n)|(?P<newline>\n)|(?P<operator>&&|\|\||\|&|;|\||&(?![>\d]))"
    r"|(?P<redirect>\d*(?:>>|>\||<<<|<>|[<>])|&>>?)"
)
_NOT_FOLLOWED = re.compile(
    r"<<(?!<)|[<>]\(|[<>]&|=~|\[\[|\(\(|\r|\{|\}|;;|;&|!\(|[?*+@!]\("
    r"|\w\[|(?<![\w.-])(?:case|esac|select|function|coproc|time)(?![\w.-])|\(\s*\)"
)
"""Forms in which signs mean something else than elsewhere."""
_LOSES = re.compile(r"<<(?<!<<<)(?!<)|\[\[")
"""Here-documents have quoting of their own, and of what goes wrong in `[[` bash does not always tell."""
_OPENERS = {"if": "fi", "while": "done", "until": "done", "for": "done"}
_CLOSERS = frozenset(_OPENERS.values())
_BEFORE_COMMANDS = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!"})


def fault_in(text: str, script: Script) -> Fault | None:
    """The fault of a text that was read as `script`; None where there is none that is certain."""
    if script.problem != NO_SCRIPT or "\0" in text:
        return None
    quoting = _Quoting(text)
    fault = quoting.fault()
    if fault is not None or quoting.is_lost:
        return fault
    plain = quoting.plain()
    return None if _NOT_FOLLOWED.search(plain) else _statement_fault(plain)


class _Quoting:
    """Follows quotes, substitutions and comments through a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, int]] = []
        self._plain = list(text)
        self.is_lost = False

    def plain(self) -> str:
        """The text with every quoted or substituted character replaced by `x`, and comments by blanks."""
        return "".join(self._plain)

    def fault(self) -> Fault | None:
        text = self._text
        at = 0
        while at < len(text) and not self.is_lost:
            state = self._open[-1][0] if self._open else ""
            char = text[at]
            following = at + 1
            if char == "\\" and state != "'":
                following = at + 2
                if text[at + 1 : at + 2] != "\n" or state:
                    self._hide(at, following)
            elif state == "'":
                following = self._closed_by(char, "'", at)
            elif state == "`":
                following = self._closed_by(char, "`", at)
            elif state == '"':
                following = self._in_double(char, at)
            elif state == "${":
                following = self._in_braces(char, at)
            else:
                following, fault = self._in_commands(char, at, state)
                if fault is not None:
                    return fault
            at = following
        if not self._open or self.is_lost:
            return None
        sign, start = self._open[-1]
        kind = "quote" if sign in "'\"`" else "parenthesis" if sign == "(" else "brace"
        return Fault(f"the {kind} {sign} is never closed", start, start + len(sign))

    def _hide(self, start: int, end: int) -> None:
        for at in range(start, min(end, len(self._plain))):
            self._plain[at] = "x"

    def _closed_by(self, char: str, closing: str, at: int) -> int:
        self._hide(at, at + 1)
        if char == closing:
            self._open.pop()
        return at + 1

    def _opens(self, sign: str, at: int, width: int = 1) -> int:
        self._open.append((sign, at))
        self._hide(at, at + width)
        return at + width

    def _in_double(self, char: str, at: int) -> int:
        self._hide(at, at + 1)
        if char == '"':
            self._open.pop()
            return at + 1
        if char == "`":
            return self._opens("`", at)
        return self._dollar(at) if char == "$" else at + 1

    def _in_braces(self, char: str, at: int) -> int:
        self._hide(at, at + 1)
        if char == "}":
            self._open.pop()
            return at + 1
        if char in "'\"`(){<":  # means different things in different shells
            self.is_lost = True
        if self._text.startswith(("${", "$("), at):
            self.is_lost = True
        return self._dollar(at) if char == "$" else at + 1

    def _in_commands(self, char: str, at: int, state: str) -> tuple[int, Fault | None]:
        text = self._text
        following = at + 1
        if _LOSES.match(text, at):
            self.is_lost = True
        if state:  # within $( ): hidden, and its forms are not judged
            if text.startswith(("<<", "case", "[[", "((", "=~"), at):
                self.is_lost = True
            self._hide(at, at + 1)
        if char in "'\"`":
            following = self._opens(char, at)
        elif char == "$":
            following = self._dollar(at)
        elif char == "#" and (at == 0 or text[at - 1] in " \t\n;&|("):
            if any(sign == "`" for sign, _ in self._open):
                self.is_lost = True
            end = text.find("\n", at)
            following = len(text) if end < 0 else end
            for place in range(at, following):
                self._plain[place] = " "
        elif char == "(":
            if not self._is_simple_opening(at):
                self.is_lost = True
            self._open.append(("(", at))
        elif char == ")":
            if not self._open:
                return following, self._stray(at)
            self._open.pop()
        return following, None

    def _is_simple_opening(self, at: int) -> bool:
        """Whether `(` begins a subshell, and no pattern, array or function."""
        before = at - 1
        while before >= 0 and self._text[before] in " \t":
            before -= 1
        is_first = before < 0 or self._text[before] in "\n;|(!&"
        return is_first and not self._text.startswith("((", at)

    def _stray(self, at: int) -> Fault | None:
        if _NOT_FOLLOWED.search(self.plain()):
            self.is_lost = True
            return None
        return Fault("the parenthesis ) closes nothing", at, at + 1)

    def _dollar(self, at: int) -> int:
        text = self._text
        state = self._open[-1][0] if self._open else ""
        if text.startswith(("$((", "$["), at):
            self.is_lost = True
        if text.startswith("$(", at):
            self._hide(at, at + 2)
            self._open.append(("(", at + 1))
            return at + 2
        if text.startswith("${", at):
            return self._opens("${", at, 2)
        if text.startswith("$'", at) and state != '"':
            return self._ansi(at)
        self._hide(at, at + 1)
        # `$$`, `$#` and the like are one thing; quotes behind a dollar open as ever.
        if text[at + 1 : at + 2] and text[at + 1] in "$#?!@*-0123456789":
            self._hide(at, at + 2)
            return at + 2
        return at + 1

    def _ansi(self, at: int) -> int:
        found = re.compile(r"\$'(?:[^'\\]|\\.)*'", re.DOTALL).match(self._text, at)
        if found is None or "\\'" in found[0]:  # dash does not know this quoting
            self.is_lost = True
            return at + 2
        self._hide(at, found.end())
        return found.end()


def _statement_fault(plain: str) -> Fault | None:
    """A fault in the order of words and operators; `plain` has no quotes and no substitutions any more."""
    open_words: list[tuple[str, int, int]] = []
    before: tuple[str, int, int] | None = None  # the operator or redirection that still wants something
    at_command, at_start = True, True
    at = 0
    while at < len(plain):
        found = _TOKEN.match(plain, at)
        if found is None and plain[at] in "()":
            return None
        if found is None:
            end = at
            while end < len(plain) and plain[end] not in " \t\n;|&<>()":
                end += 2 if plain[end] == "\\" else 1
            word = plain[at:end]
            if at_command and (fault := _reserved(word, at, end, open_words)) is not None:
                return fault
            at_command = (at_command and word in _BEFORE_COMMANDS) or (at_command and word in _CLOSERS)
            before, at_start = None, False
            at = end
            continue
        kind, sign = found.lastgroup, found[0]
        if kind == "redirect":
            if before is not None and before[0][-1] in "<>":
                return _nothing_behind(before)
            before, at_command, at_start = (sign, at, found.end()), False, False
        elif kind == "operator":
            if before is not None or at_start:
                return Fault(f"there is nothing to run before {sign}", at, found.end())
            before = None if sign in ";&" else (sign, at, found.end())
            at_command, at_start = True, sign in ";&"
        elif kind == "newline":
            if before is not None and before[0][-1] in "<>":
                return _nothing_behind(before)
            at_command = True
            at_start = at_start or before is None
        at = found.end()
    if before is not None:
        return _nothing_behind(before)
    if open_words:
        word, start, end = open_words[-1]
        return Fault(f"the {word} is never ended by {_OPENERS[word]}", start, end)
    return None


def _reserved(word: str, start: int, end: int, open_words: list[tuple[str, int, int]]) -> Fault | None:
    if word in _OPENERS:
        open_words.append((word, start, end))
    elif word in _CLOSERS:
        if not open_words or _OPENERS[open_words[-1][0]] != word:
            return Fault(f"the {word} ends nothing", start, end)
        open_words.pop()
    return None


def _nothing_behind(sign: tuple[str, int, int]) -> Fault:
    text, start, end = sign
    return Fault(f"nothing stands behind {text}", start, end)
