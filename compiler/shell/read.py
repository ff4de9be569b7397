"""A text → the tree of the script it is, as a shell would parse it.

    script = read("systemctl is-active nginx | tee log")
    script.body.items[0].statement          # Pipeline(…)

Every text has an answer, in time that grows with its length alone: what is no script is passed over sign by sign, and
`problem` says that there is something. Little is read twice, and that within bounds: `((`, which is arithmetic only
where `))` closes it, here-documents and backticks. What is nested deeper than `DEEPEST` is read as if it were not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from .nodes import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    If,
    Item,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Sequence,
    Statement,
    Word,
)
from .word_reader import WordReader

LONGEST = 1 << 20
"""Characters of a text at most."""
TOO_LONG = f"it has more than {LONGEST} characters"

_AFTER = r"(?=[ \t\r\n;&|()<>]|\Z)"
_RESERVED = re.compile(
    r"(?:if|then|elif|else|fi|while|until|for|select|do|done|case|esac|function|\{|\}|!|\[\[|time|coproc)" + _AFTER
)
_CLOSERS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})
_COMPOUND_AHEAD = re.compile(r"(?:[ \t]+-p)?[ \t]*(?:\(|(?:if|while|until|for|case|\{|\[\[|!)" + _AFTER + ")")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]\n]{0,99}\])?\+?=")
_REDIRECT = re.compile(r"(?:\d+|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|<&|>>|>&|>\||&>>|&>|<|>)")
_FUNCTION_SIGN = re.compile(r"[ \t]*\([ \t]*\)")
_NAME = re.compile(r"[^ \t\r\n;&|()<>$`'\"]+")

NO_UNTIL: frozenset[str] = frozenset()
_UNTIL_PARENTHESIS = frozenset({")"})
_UNTIL_BRACE = frozenset({"}"})
_UNTIL_THEN = frozenset({"then"})
_UNTIL_FI = frozenset({"elif", "else", "fi"})
_UNTIL_DO = frozenset({"do"})
_UNTIL_DONE = frozenset({"done"})
_UNTIL_ESAC = frozenset({";;", "esac"})


def read(text: str, place: Callable[[int], int] | None = None) -> Script:
    """Read a text as a shell does. `place` maps offsets in it to those that the tree shall carry."""
    if len(text) > LONGEST:
        return Script(Sequence(), problem=TOO_LONG, broken_at=0)
    reader = _Reader(text, place)
    body = reader.sequence(NO_UNTIL)
    return Script(body, tuple(reader.texts), reader.problem, reader.broken_at)


class _Reader(WordReader):
    """Statements; words are read by the class below it."""

    # ---- sequences -------------------------------------------------------------------------------------------------

    def sequence(self, until: frozenset[str]) -> Sequence:
        """Statements up to what closes them, which is left to the caller, or to the end."""
        items: list[Item] = []
        while True:
            self.skip_lines()
            sign = self.text[self.at : self.at + 1]
            if not sign or self._closes(until):
                return Sequence(tuple(items))
            if sign in ";&|)" and not self.text.startswith("&>", self.at):
                self.fault()  # an operator with nothing to run
                self.at += 1
                continue
            if (word := self._reserved()) in _CLOSERS:
                self.fault()
                self.at += len(word)
                continue
            before = self.at
            statement = self._and_or()
            self.skip_blanks()
            is_background = self._sign("&")
            if not is_background and not self._sign(";") and not self._ends_statement():
                self.fault()
            items.append(Item(statement, is_background))
            if self.at == before:
                self.fault()
                self.at += 1

    def _ends_statement(self) -> bool:
        return self.text[self.at : self.at + 1] in ("", "\n", ")", ";", "#") or self._reserved() == "}"

    def _sign(self, sign: str) -> bool:
        """Take `;` or `&` where it stands alone."""
        following = self.text[self.at + 1 : self.at + 2]
        if not self.text.startswith(sign, self.at) or following == sign or (sign == ";" and following == "&"):
            return False
        if sign == "&" and following == ">":
            return False
        self.at += 1
        return True

    def _closes(self, until: frozenset[str]) -> bool:
        if not until:
            return False
        if ")" in until and self.text.startswith(")", self.at):
            return True
        if ";;" in until and self.text.startswith((";;", ";&"), self.at):
            return True
        return self._reserved() in until

    def _reserved(self) -> str:
        found = _RESERVED.match(self.text, self.at)
        return found[0] if found is not None else ""

    def _expect(self, sign: str) -> None:
        """Take what must stand here."""
        self.skip_lines()
        is_word = sign.isalpha() or sign == "}"
        if (self._reserved() == sign) if is_word else self.text.startswith(sign, self.at):
            self.at += len(sign)
        else:
            self.fault()

    # ---- lists and pipes -------------------------------------------------------------------------------------------

    def _and_or(self) -> Statement:
        first = self._pipeline()
        rest: list[tuple[Literal["&&", "||"], Statement]] = []
        while True:
            self.skip_blanks()
            operator: Literal["&&", "||"]
            if self.text.startswith("&&", self.at):
                operator = "&&"
            elif self.text.startswith("||", self.at):
                operator = "||"
            else:
                return AndOr(first, tuple(rest)) if rest else first
            self.at += 2
            self.skip_lines()
            rest.append((operator, self._pipeline()))

    def _pipeline(self) -> Statement:
        start = self.at
        is_negated = False
        while True:
            self.skip_blanks()
            word = self._reserved()
            if word == "!":
                is_negated = not is_negated
                self.at += 1
            elif word in {"time", "coproc"} and _COMPOUND_AHEAD.match(self.text, self.at + len(word)):
                self.at += len(word)
                if found := _TIME_OPTION.match(self.text, self.at):
                    self.at = found.end()
            else:
                break
        parts = [self._command()]
        while True:
            self.skip_blanks()
            if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
                break
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            self.skip_lines()
            parts.append(self._negated_part())
        if len(parts) == 1 and not is_negated:
            return parts[0]
        return Pipeline(tuple(parts), is_negated, self.placed(start), self.placed_end(self.at))

    def _negated_part(self) -> Statement:
        """`a | ! b`, which bash takes."""
        if self._reserved() != "!":
            return self._command()
        start = self.at
        self.at += 1
        self.skip_blanks()
        return Pipeline((self._command(),), True, self.placed(start), self.placed_end(self.at))

    # ---- compound statements ---------------------------------------------------------------------------------------

    def _command(self) -> Statement:
        self.skip_blanks()
        word = self._reserved()
        is_opening = self.text.startswith("(", self.at) or word in _COMPOUNDS
        if not is_opening:
            return self._simple()
        if not self.deeper():
            self.at += len(word) or 1  # what stands within comes out side by side
            return self._simple()
        if self.text.startswith("((", self.at) and self.is_arithmetic(self.at + 2):
            statement: Statement = self._arithmetic()
        elif not word:
            self.at += 1
            body = self.sequence(_UNTIL_PARENTHESIS)
            self._expect(")")
            statement = Group(body, is_subshell=True)
        else:
            statement = self._compound(word)
        self.shallower()
        return self._with_redirects(statement)

    def _compound(self, word: str) -> Statement:
        if word == "[[":
            return self._test()
        self.at += len(word)
        match word:
            case "{":
                body = self.sequence(_UNTIL_BRACE)
                self._expect("}")
                return Group(body)
            case "if":
                return self._if()
            case "while" | "until":
                condition = self.sequence(_UNTIL_DO)
                return Loop("while" if word == "while" else "until", condition, (), self._do())
            case "for" | "select":
                return self._for()
            case "case":
                return self._case()
            case _:
                return self._function()

    def _if(self) -> If:
        branches: list[tuple[Sequence, Sequence]] = []
        otherwise: Sequence | None = None
        while True:
            condition = self.sequence(_UNTIL_THEN)
            self._expect("then")
            branches.append((condition, self.sequence(_UNTIL_FI)))
            if self._reserved() != "elif":
                break
            self.at += 4
        if self._reserved() == "else":
            self.at += 4
            otherwise = self.sequence(_UNTIL_FI)
        self._expect("fi")
        return If(tuple(branches), otherwise)

    def _do(self) -> Sequence:
        self._expect("do")
        body = self.sequence(_UNTIL_DONE)
        self._expect("done")
        return body

    def _for(self) -> Loop:
        self.skip_blanks()
        words: tuple[Word, ...] = ()
        if self.text.startswith("((", self.at):
            words = (self.arithmetic_word(2),)
        else:
            self._name()
            self.skip_lines()
            if _IN.match(self.text, self.at):
                self.at += 2
                words = self._words_of_line()
        self.skip_blanks()
        self._sign(";")
        self.skip_lines()
        if self._reserved() == "{":
            self.at += 1
            body = self.sequence(_UNTIL_BRACE)
            self._expect("}")
        else:
            body = self._do()
        return Loop("for", Sequence(), words, body)

    def _words_of_line(self) -> tuple[Word, ...]:
        words: list[Word] = []
        while True:
            self.skip_blanks()
            word = self.word()
            if word is None:
                return tuple(words)
            words.append(word)

    def _name(self) -> str:
        found = _NAME.match(self.text, self.at)
        if found is None:
            self.fault()
            return ""
        self.at = found.end()
        return found[0]

    def _case(self) -> Case:
        self.skip_blanks()
        word = self.word()
        if word is None:
            self.fault()
            word = Word("", self.placed(self.at), self.placed(self.at))
        self.skip_lines()
        if _IN.match(self.text, self.at):
            self.at += 2
        else:
            self.fault()
        patterns: list[Word] = []
        bodies: list[Sequence] = []
        while True:
            self.skip_lines()
            if self.at >= len(self.text) or self._reserved() == "esac":
                break
            before = self.at
            patterns += self._patterns()
            bodies.append(self.sequence(_UNTIL_ESAC))
            if found := _CASE_END.match(self.text, self.at):
                self.at = found.end()
            if self.at == before:
                break
        self._expect("esac")
        return Case(word, tuple(patterns), tuple(bodies))

    def _patterns(self) -> list[Word]:
        patterns: list[Word] = []
        self.skip_blanks()
        if self.text.startswith("(", self.at):
            self.at += 1
        while True:
            self.skip_blanks()
            word = self.word()
            if word is None:
                self.fault()
            else:
                patterns.append(word)
            self.skip_blanks()
            if not self.text.startswith("|", self.at):
                break
            self.at += 1
        if self.text.startswith(")", self.at):
            self.at += 1
        else:
            self.fault()
        return patterns

    def _function(self) -> Statement:
        self.skip_blanks()
        name = self._name()
        if found := _FUNCTION_SIGN.match(self.text, self.at):
            self.at = found.end()
        return self._function_body(name)

    def _function_body(self, name: str) -> Statement:
        self.skip_lines()
        if not self.text.startswith("(", self.at) and self._reserved() not in _COMPOUNDS:
            self.fault()
            return Function(name, Sequence())
        return Function(name, Sequence((Item(self._command()),)))

    def _test(self) -> Command:
        """`[[ … ]]`, in words that are not told apart any further."""
        start = self.at
        self.at += 2
        words = [Word("[[", self.placed(start), self.placed(start) + 2, ((0, self.placed(start)),))]
        while True:
            self.skip_lines()
            if self.at >= len(self.text):
                self.fault()
                break
            if self.text.startswith("]]", self.at):
                words.append(self.sign_word(2))
                break
            word = self.word()
            if word is None:
                word = self.sign_word(2 if self.text.startswith(("&&", "||"), self.at) else 1)
            words.append(word)
        return Command(tuple(words), (), (), self.placed(start), self.placed_end(self.at))

    def _arithmetic(self) -> Command:
        start = self.at
        word = self.arithmetic_word(2)
        return Command((word,), (), (), self.placed(start), self.placed_end(self.at))

    def _with_redirects(self, statement: Statement) -> Statement:
        redirects: list[Redirect] = []
        while True:
            self.skip_blanks()
            redirect = self._redirect()
            if redirect is None:
                break
            redirects.append(redirect)
        if not redirects:
            return statement
        if isinstance(statement, Group):
            return Group(statement.body, statement.is_subshell, tuple(redirects))
        return Group(Sequence((Item(statement),)), redirects=tuple(redirects))

    # ---- simple commands -------------------------------------------------------------------------------------------

    def _simple(self) -> Statement:
        start = end = self.at
        words: list[Word] = []
        assignments: list[Word] = []
        redirects: list[Redirect] = []
        is_closer = self._reserved() in _CLOSERS
        while not is_closer:
            self.skip_blanks()
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                end = self.at
                continue
            at = self.at
            is_assignment = not words and _ASSIGNMENT.match(self.text, at) is not None
            word = self.word()
            if word is None:
                break
            end = self.at
            if is_assignment:
                assignments.append(word)
            else:
                words.append(word)
            if len(words) == 1 and not assignments and not redirects:
                found = _FUNCTION_SIGN.match(self.text, self.at)
                if found is not None:
                    self.at = found.end()
                    return self._function_body(words[0].text)
        if not words and not assignments and not redirects:
            self.fault()
        if self.text.startswith("(", self.at):
            self.fault(end)
            self.at += 1
        return Command(tuple(words), tuple(assignments), tuple(redirects), self.placed(start), self.placed_end(end))

    def _redirect(self) -> Redirect | None:
        found = _REDIRECT.match(self.text, self.at)
        if found is None or (found[1] in "<>" and self.text.startswith("(", found.end())):
            return None
        start = self.at
        operator = found[1]
        self.at = found.end()
        self.skip_blanks()
        if operator in {"<<", "<<-"}:
            self.expect_text(start, is_indented=operator == "<<-")
            return Redirect("<<", None, self.placed(start), self.placed_end(self.at))
        target = self.word()
        if target is None:
            self.fault()
        return Redirect(operator, target, self.placed(start), self.placed_end(self.at))


_COMPOUNDS = frozenset({"{", "if", "while", "until", "for", "select", "case", "function", "[["})
_TIME_OPTION = re.compile(r"[ \t]+-p")
_IN = re.compile(r"in(?=[ \t\r\n;]|\Z)")
_CASE_END = re.compile(r";;&?|;&")
