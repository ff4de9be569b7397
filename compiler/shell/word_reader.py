"""Words as a shell reads them: quoting, expansions, here-documents."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable

from .nodes import HereDocument, Sequence, Word
from .words import WordBuilder, moved, read_ansi

DEEPEST = 40
"""Statements and expansions within each other at most; deeper ones are read as if they were not nested."""

NO_SCRIPT = "not all of it can be read as shell commands"
TOO_DEEP = f"it is nested more than {DEEPEST} deep"

_BLANKS = re.compile(r"(?:[ \t\r]|\\\r?\n)*")
_PLAIN = re.compile(r"[^ \t\r\n\\'\"`$;&|<>()]+")
_PLAIN_IN_TEXT = re.compile(r"[^\\`$]+")
_PLAIN_IN_DOUBLE = re.compile(r"[^\\\"`$]+")
_VARIABLE = re.compile(r"\$(?:[A-Za-z_]\w*|[0-9*@#?$!-])")
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\n]{0,99}\])?\+?=\(")
_ENDS_WORD = frozenset(" \t\r\n;&|<>()")
_KEPT_IN_DOUBLE = '$`"\\'
_PATTERN_SIGNS = frozenset("?*+@!")
_UNTIL_PARENTHESIS = frozenset({")"})
_SECOND_LOOKS = 6
"""How often every character may be read again, on the average."""
_LONGEST_ARITHMETIC = 4096
"""Characters that are searched for the end of `((`."""
_LINE = re.compile(r"[^\n]*\n?")


class Spare:
    """How many characters may still be read a second time; it keeps the work in proportion to the text."""

    def __init__(self, characters: int) -> None:
        self._left = characters

    def take(self, characters: int) -> bool:
        self._left -= characters
        return self._left >= 0


class WordReader:
    """Reads words from `text` at `at`, which goes on with them."""

    def __init__(
        self, text: str, place: Callable[[int], int] | None, depth: int = 0, spare: Spare | None = None
    ) -> None:
        self.text = text
        self.at = 0
        self.problem: str | None = None
        self.broken_at: int | None = None
        """Where the first problem showed."""
        self.texts: list[HereDocument] = []
        self._place = place
        self._depth = depth
        self._spare = spare or Spare(_SECOND_LOOKS * len(text) + _LONGEST_ARITHMETIC)
        self._expected: list[tuple[int, str, bool, bool]] = []
        """Here-documents that begin with the next line: where each is redirected, the line that ends it, whether this
        is quoted, and whether it is indented."""

    @abstractmethod
    def sequence(self, until: frozenset[str]) -> Sequence: ...

    # ---- places and faults -----------------------------------------------------------------------------------------

    def placed(self, at: int) -> int:
        return at if self._place is None else self._place(at)

    def placed_end(self, at: int) -> int:
        return at if self._place is None else self._place(max(at - 1, 0)) + 1

    def fault(self, at: int | None = None) -> None:
        """What stands here, or `at`, is no script."""
        self._trouble(self.problem or NO_SCRIPT, at)

    def _trouble(self, problem: str, at: int | None = None) -> None:
        self.problem = problem
        if self.broken_at is None:
            at = self.at if at is None else at
            self.broken_at = self.placed_end(at) if at else self.placed(0)

    def _takes_over(self, reader: WordReader) -> None:
        """What a reader of a part of the text has found besides statements."""
        self.texts += reader.texts
        self.problem = self.problem or reader.problem
        self.broken_at = reader.broken_at if self.broken_at is None else self.broken_at

    def deeper(self) -> bool:
        """Whether another level may be entered; if so, it is."""
        if self._depth >= DEEPEST:
            self._trouble(TOO_DEEP)
            return False
        self._depth += 1
        return True

    def _may_read_again(self, characters: int) -> bool:
        if self._spare.take(characters):
            return True
        self._trouble(TOO_DEEP)
        return False

    def shallower(self) -> None:
        self._depth -= 1

    # ---- between words ---------------------------------------------------------------------------------------------

    def skip_blanks(self) -> None:
        found = _BLANKS.match(self.text, self.at)
        self.at = self.at if found is None else found.end()
        if self.text.startswith("#", self.at) and (self.at == 0 or self.text[self.at - 1] in _ENDS_WORD):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def skip_lines(self) -> None:
        """Skip blanks, comments and line breaks, and read the here-documents that begin there."""
        self.skip_blanks()
        while self.text.startswith("\n", self.at):
            self.at += 1
            while self._expected:
                self._read_text(*self._expected.pop(0))
            self.skip_blanks()

    def expect_text(self, redirected: int, *, is_indented: bool) -> None:
        """Read the word that will end a here-document whose redirection begins at `redirected`."""
        start = self.at
        word = self.word()
        if word is None:
            self.fault()
            return
        is_quoted = any(sign in self.text[start : self.at] for sign in "'\"\\")
        self._expected.append((self.placed(redirected), word.text, is_quoted, is_indented))

    def _read_text(self, redirected: int, closing: str, is_quoted: bool, is_indented: bool) -> None:
        start = end = self.at
        while self.at < len(self.text):
            end = self.at
            found = _LINE.match(self.text, self.at)
            line = "" if found is None else found[0]
            self.at += len(line)
            bare = line.rstrip("\r\n")
            if (bare.lstrip("\t") if is_indented else bare) == closing:
                break
            end = self.at
        out = WordBuilder()
        if not is_quoted and self._may_read_again(end - start) and self.deeper():
            # A reader of its own, so that nothing in the text can reach beyond it.
            reader = type(self)(self.text[start:end], lambda at: self.placed(start + at), self._depth, self._spare)
            reader.expand(out, start)
            self._takes_over(reader)
            self.shallower()
        else:
            out.add(self.text[start:end], start)
        self.texts.append(HereDocument(redirected, self._moved(out.word(start, end))))

    def expand(self, out: WordBuilder, offset: int) -> None:
        """Add the text, which begins at `offset`, to `out` as one without quoting of its own: a backslash takes away
        the meaning of `$`, backticks, itself and a line end."""
        inside = WordBuilder()
        while self.at < len(self.text):
            start = self.at
            if found := _PLAIN_IN_TEXT.match(self.text, start):
                self.at = found.end()
            elif self.text[start] != "\\":
                self._expansion(inside, in_double=True)
            elif (following := self.text[start + 1 : start + 2]) and following in "$`\\\n":
                self.at += 2
                out.add(following.strip("\n"), offset + start + 1)
                continue
            else:
                self.at += 1
            out.add(self.text[start : self.at], offset + start)
        out.scripts += inside.scripts
        out.is_literal = out.is_literal and inside.is_literal

    # ---- words -----------------------------------------------------------------------------------------------------

    def sign_word(self, width: int) -> Word:
        """The next characters as a word of their own."""
        out = WordBuilder()
        start = self.at
        self.at = min(start + width, len(self.text))
        out.add(self.text[start : self.at], start)
        return self._moved(out.word(start, self.at))

    def word(self) -> Word | None:
        """The word that begins here; None where none does."""
        start = self.at
        text = self.text
        out = WordBuilder()
        if _ARRAY.match(text, start):
            self._array(out)
        while self.at < len(text):
            char = text[self.at]
            if found := _PLAIN.match(text, self.at):
                out.add(found[0], self.at)
                self.at = found.end()
            elif char == "\\":
                self._escape(out)
            elif char == "'":
                self._single(out)
            elif char == '"':
                self.at += 1
                self._double(out)
            elif char == "$" and text.startswith("$'", self.at):
                self.at = read_ansi(text, self.at + 2, out)
                self._close("'")
            elif char == "$" and text.startswith('$"', self.at):
                self.at += 2
                self._double(out)
            elif char in "$`":
                self._expansion(out, in_double=False)
            elif char in "<>" and text.startswith("(", self.at + 1):
                self._nested(out, 2)
            elif char == "(" and self.at > start and text[self.at - 1] in _PATTERN_SIGNS:
                self._pattern(out)
            else:
                break
        return self._moved(out.word(start, self.at)) if self.at > start else None

    def _moved(self, word: Word) -> Word:
        return word if self._place is None else moved(word, self._place)

    def _close(self, sign: str) -> None:
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
        else:
            self.fault()

    def _escape(self, out: WordBuilder) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if following and following != "\n":
            out.add(following, self.at + 1)
        elif not following:
            out.add("\\", self.at)
        self.at = min(self.at + 2, len(self.text))

    def _single(self, out: WordBuilder) -> None:
        end = self.text.find("'", self.at + 1)
        stop = len(self.text) if end < 0 else end
        out.add(self.text[self.at + 1 : stop], self.at + 1)
        self.at = stop
        self._close("'")

    def _double(self, out: WordBuilder) -> None:
        """Read up to the closing quote and past it."""
        text = self.text
        while self.at < len(text) and text[self.at] != '"':
            char = text[self.at]
            if found := _PLAIN_IN_DOUBLE.match(text, self.at):
                out.add(found[0], self.at)
                self.at = found.end()
            elif char == "\\":
                following = text[self.at + 1 : self.at + 2]
                if following == "\n" or (following and following in _KEPT_IN_DOUBLE):
                    self._escape(out)
                else:
                    out.add(char, self.at)
                    self.at += 1
            else:
                self._expansion(out, in_double=True)
        self._close('"')

    def _array(self, out: WordBuilder) -> None:
        """`name=(a b)`, kept as it is written."""
        start = self.at
        self.at = self.text.index("(", start) + 1
        if self.deeper():
            while True:
                self._skip_array_lines()
                word = self.word()
                if word is None:
                    break
                out.scripts += word.scripts
            self._close(")")
            self.shallower()
        out.is_literal = False
        out.add(self.text[start : self.at], start)

    def _skip_array_lines(self) -> None:
        self.skip_blanks()
        while self.text.startswith("\n", self.at):
            self.at += 1
            self.skip_blanks()

    def _pattern(self, out: WordBuilder) -> None:
        """`@(a|b)`, kept as it is written."""
        start = self.at
        depth = 0
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 2 if char == "\\" else 1
            depth += (char == "(") - (char == ")")
            if depth == 0 or char == "\n":
                break
        self.at = min(self.at, len(self.text))
        if depth:
            self.fault()
        out.add(self.text[start : self.at], start)

    # ---- expansions ------------------------------------------------------------------------------------------------

    def _expansion(self, out: WordBuilder, *, in_double: bool) -> None:
        """`$x`, `${x}`, `$(x)`, `$((x))` or backticks, kept as they are written."""
        text, start = self.text, self.at
        if text.startswith("`", start):
            self._backticks(out, in_double=in_double)
        elif text.startswith("$(", start):
            if text.startswith("$((", start) and self._depth < DEEPEST and self.is_arithmetic(start + 3):
                word = self.arithmetic_word(3)
                out.scripts += word.scripts
                out.is_literal = False
                out.add(text[start : self.at], start)
            else:
                self._nested(out, 2)
        elif text.startswith("${", start):
            self._braces(out, in_double=in_double)
        elif found := _VARIABLE.match(text, start):
            self.at = found.end()
            out.is_literal = False
            out.add(found[0], start)
        else:
            self.at += 1
            out.add("$", start)

    def _nested(self, out: WordBuilder, width: int) -> None:
        """`$( … )` or `<( … )`."""
        start = self.at
        self.at += width
        out.is_literal = False
        if self.deeper():
            out.scripts.append(self.sequence(_UNTIL_PARENTHESIS))
            self._close(")")
            self.shallower()
        out.add(self.text[start : self.at], start)

    def _braces(self, out: WordBuilder, *, in_double: bool) -> None:
        start = self.at
        self.at += 2
        out.is_literal = False
        unused = WordBuilder()
        if self.deeper():
            while self.at < len(self.text) and self.text[self.at] != "}":
                char = self.text[self.at]
                if char == "\\":
                    self.at = min(self.at + 2, len(self.text))
                elif char == "'" and not in_double:
                    self._single(unused)
                elif char == '"':
                    self.at += 1
                    self._double(unused)
                elif char in "$`":
                    self._expansion(unused, in_double=in_double)
                else:
                    self.at += 1
            self._close("}")
            self.shallower()
        out.scripts += unused.scripts
        out.add(self.text[start : self.at], start)

    def _backticks(self, out: WordBuilder, *, in_double: bool) -> None:
        start = self.at
        at = start + 1
        inner: list[str] = []
        offsets: list[int] = []
        escaped = '`\\$"' if in_double else "`\\$"
        while at < len(self.text) and self.text[at] != "`":
            if self.text[at] == "\\" and at + 1 < len(self.text) and self.text[at + 1] in escaped:
                at += 1
            inner.append(self.text[at])
            offsets.append(at)
            at += 1
        offsets.append(min(at, len(self.text)))
        self.at = at
        self._close("`")
        out.is_literal = False
        out.add(self.text[start : self.at], start)
        if not self._may_read_again(len(inner)) or not self.deeper():
            return
        place = self._place
        reader = type(self)("".join(inner), lambda index: _at(offsets, index, place), self._depth, self._spare)
        out.scripts.append(reader.sequence(frozenset()))
        self._takes_over(reader)
        self.shallower()

    # ---- arithmetic ------------------------------------------------------------------------------------------------

    def is_arithmetic(self, at: int) -> bool:
        """Whether `))` closes the two parentheses before `at`."""
        open_ones = 2
        text = self.text
        end = at + _LONGEST_ARITHMETIC
        while at < end:
            found = _PARENTHESIS.search(text, at, end)
            if found is None or not self._spare.take(found.end() - at):
                return False
            at = found.end()
            if found[0] == "(":
                open_ones += 1
            elif found[0] == ")":
                open_ones -= 1
                if open_ones == 1:
                    return text.startswith(")", at)
        return False

    def arithmetic_word(self, width: int) -> Word:
        """`((…))`, of which `width` characters open it, as one word."""
        start = self.at
        out = WordBuilder()
        unused = WordBuilder()
        self.at += width
        open_ones = 2
        if self.deeper():
            while self.at < len(self.text) and open_ones:
                char = self.text[self.at]
                if char in "$`":
                    self._expansion(unused, in_double=True)
                    continue
                self.at += 2 if char == "\\" else 1
                open_ones += (char == "(") - (char == ")")
            self.shallower()
        self.at = min(self.at, len(self.text))
        if open_ones:
            self.fault()
        out.scripts += unused.scripts
        out.is_literal = unused.is_literal
        out.add(self.text[start : self.at], start)
        return self._moved(out.word(start, self.at))


_PARENTHESIS = re.compile(r"\\.|[()]", re.DOTALL)


def _at(offsets: list[int], index: int, place: Callable[[int], int] | None) -> int:
    offset = offsets[min(index, len(offsets) - 1)]
    return offset if place is None else place(offset)
