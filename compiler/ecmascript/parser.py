r"""The parser: text of a pattern -> `Pattern`, or `PatternError`.

It takes and refuses exactly what `new RegExp(pattern, "i")` of Node 20 does: ECMAScript 2023 with Annex B,
neither flag u nor v. Two things of that grammar are no syntax of their own but fall out of the order in which
things are tried:

- `{` begins a quantifier only where all of `{2}`, `{2,}` or `{2,3}` stands; `{`, `{,3}` and `{x}` are plain
  characters.
- `\1` is a reference only where the pattern has that many groups, and `\k` only where it has a named one, if
  need be further on; else they are an octal escape and the letter k.

Groups are kept on a stack of their own, so nesting is limited by memory only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Literal

from .classes import class_escape, read_class
from .errors import PatternError
from .escapes import CLASS_LETTERS, read_character
from .groups import refused_group
from .names import Survey, read_name, survey
from .tree import (
    MAX_REPEAT,
    Alternation,
    Anchor,
    AnchorKind,
    Atom,
    BackReference,
    Char,
    Disjunction,
    Dot,
    Group,
    Look,
    Pattern,
    Quantifier,
    Sequence,
    Term,
)
from .units import DIGITS, Units, run_end

MAX_CAPTURES = 32_767
"""V8 refuses a pattern with more capturing groups as a matter of syntax."""

_LOOKS = {"(?=": (False, False), "(?!": (False, True), "(?<=": (True, False), "(?<!": (True, True)}
"""How a look-around opens: (behind, negated)."""


@lru_cache(maxsize=4096)
def parse(pattern: str) -> Pattern:
    """The tree of `pattern`.

    Raises `PatternError` where `new RegExp(pattern, "i")` of Node 20 throws a SyntaxError. A lone surrogate
    in `pattern` is a code unit like any other; two that make a pair are read as JavaScript reads them, two
    units. The trees of recent patterns are kept.
    """
    return _Parser(Units.of(pattern)).parse(pattern)


@dataclass(slots=True)
class _Open:
    """A group whose `)` is still to come (or the pattern itself), and what of it has been read."""

    start: int
    """Where its `(` stands."""
    body_start: int
    kind: Literal["pattern", "group", "look"] = "group"
    index: int | None = None
    name: str | None = None
    behind: bool = False
    negated: bool = False
    branch_start: int = 0
    branches: list[Sequence] = field(default_factory=list[Sequence])
    items: list[Term] = field(default_factory=list[Term])

    def __post_init__(self) -> None:
        self.branch_start = self.body_start


class _Parser:
    def __init__(self, units: Units) -> None:
        self.units = units
        self.text = units.text
        self.at = 0
        self.captures = 0
        self.names: dict[str, int] = {}
        self.open = [_Open(0, 0, "pattern")]
        self.depth = 0
        self.looks = self.references = False

    @cached_property
    def survey(self) -> Survey:
        return survey(self.units)

    def has_names(self) -> bool:
        return self.survey.has_names

    def parse(self, pattern: str) -> Pattern:
        while self.at < len(self.text):
            match self.text[self.at]:
                case "|":
                    self._end_branch()
                    self.at += 1
                    self.open[-1].branch_start = self.at
                case "(":
                    self._open_group()
                case ")":
                    self._quantified(self._close_group())
                case "^":
                    self._anchor(AnchorKind.START)
                case "$":
                    self._anchor(AnchorKind.END)
                case "\\" if self.text.startswith(("b", "B"), self.at + 1):
                    self._anchor(AnchorKind("\\" + self.text[self.at + 1]))
                case _:
                    self._quantified(self._atom())
        innermost = self.open[-1]
        if innermost.kind != "pattern":
            end = innermost.start + 1
            hint = r"close it with `)`, or write `\(` for the character itself"
            raise self.units.error("unterminated group", innermost.start, end, hint)
        return Pattern(
            pattern,
            self._end_body(),
            self.captures,
            MappingProxyType(self.names),
            self.depth,
            self.looks,
            self.references,
        )

    # ---- branches and groups -------------------------------------------------------------------------------

    def _end_branch(self) -> None:
        group = self.open[-1]
        place = self.units.place(group.branch_start, self.at)
        group.branches.append(Sequence(*place, tuple(group.items)))
        group.items = []

    def _end_body(self) -> Disjunction:
        self._end_branch()
        group = self.open[-1]
        if len(group.branches) == 1:
            return group.branches[0]
        return Alternation(*self.units.place(group.body_start, self.at), tuple(group.branches))

    def _open_group(self) -> None:
        text, start = self.text, self.at
        look = next((opener for opener in _LOOKS if text.startswith(opener, start)), None)
        if look is not None:
            behind, negated = _LOOKS[look]
            opened = _Open(start, start + len(look), "look", behind=behind, negated=negated)
        elif text.startswith("(?:", start):
            opened = _Open(start, start + 3)
        elif text.startswith("(?<", start):
            index = self._count_capture(start)
            name, body_start = read_name(self.units, start + 3)
            self._take_name(name, index, start + 3, body_start - 1)
            opened = _Open(start, body_start, index=index, name=name)
        elif text.startswith("(?", start):
            raise refused_group(self.units, start)
        else:
            opened = _Open(start, start + 1, index=self._count_capture(start))
        self.depth = max(self.depth, len(self.open))
        self.looks = self.looks or look is not None
        self.open.append(opened)
        self.at = opened.body_start

    def _count_capture(self, start: int) -> int:
        if self.captures == MAX_CAPTURES:
            hint = f"at most {MAX_CAPTURES} groups capture; write `(?:...)` for the others"
            raise self.units.error("too many capturing groups", start, start + 1, hint)
        self.captures += 1
        return self.captures

    def _take_name(self, name: str, index: int, start: int, end: int) -> None:
        if name in self.names:
            hint = f"give each group a name of its own, or write one group: `(?<{name}>...|...)`"
            raise self.units.error(f"two groups are named “{name}”", start, end, hint)
        self.names[name] = index

    def _close_group(self) -> Group | Look:
        group = self.open[-1]
        if group.kind == "pattern":
            hint = r"write `\)` for the character itself"
            raise self.units.error("unmatched “)”", self.at, self.at + 1, hint)
        body = self._end_body()
        self.at += 1
        self.open.pop()
        place = self.units.place(group.start, self.at)
        if group.kind == "look":
            return Look(*place, body, group.behind, group.negated)
        return Group(*place, body, group.index, group.name)

    # ---- terms ---------------------------------------------------------------------------------------------

    def _anchor(self, kind: AnchorKind) -> None:
        end = self.at + len(kind)
        self.open[-1].items.append(Anchor(*self.units.place(self.at, end), kind))
        self.at = end

    def _atom(self) -> Atom:
        """One atom that is not a group; what cannot begin one is a quantifier with nothing before it."""
        start = self.at
        character = self.text[start]
        if character == "\\":
            return self._escape()
        if character == "[":
            atom, self.at = read_class(self.units, start, self.has_names)
            return atom
        if character in "*+?" or (character == "{" and self._read_interval(start) is not None):
            raise self._nothing_to_repeat()
        self.at += 1
        place = self.units.place(start, self.at)
        return Dot(*place) if character == "." else Char(*place, ord(character))

    def _escape(self) -> Atom:
        text, start = self.text, self.at
        letter = text[start + 1 : start + 2]
        if letter in CLASS_LETTERS:
            self.at += 2
            return class_escape(self.units, start)
        if letter in DIGITS and letter != "0":
            end = run_end(text, start + 1, DIGITS)
            # Digits beyond the count of groups are cut: there is no saying how many a pattern may hold.
            group = int(text[start + 1 : min(end, start + 7)])
            if group <= self.survey.captures:
                self.at = end
                self.references = True
                return BackReference(*self.units.place(start, end), group, None)
        elif letter == "k" and self.has_names():
            return self._named_reference()
        unit, self.at = read_character(self.units, start, in_class=False)
        return Char(*self.units.place(start, self.at), unit)

    def _named_reference(self) -> BackReference:
        start = self.at
        if not self.text.startswith("<", start + 2):
            hint = r"write `\k<name>`, or `k` for the letter"
            raise self.units.error(r"`\k` lacks the name of a group", start, start + 2, hint)
        name, self.at = read_name(self.units, start + 3)
        group = self.survey.names.get(name)
        if group is None:
            known = ", ".join(self.survey.names)
            hint = f"groups with a name: {known}" if known else None
            raise self.units.error(f"no group is named “{name}”", start + 3, self.at - 1, hint)
        self.references = True
        return BackReference(*self.units.place(start, self.at), group, name)

    # ---- quantifiers ---------------------------------------------------------------------------------------

    def _quantified(self, atom: Atom) -> None:
        """Take `atom` into the open branch, with the quantifier that stands behind it, if any."""
        quantifier = self._read_quantifier(self.at)
        if quantifier is None:
            self.open[-1].items.append(atom)
            return
        start, (least, most, end) = self.at, quantifier
        if isinstance(atom, Look) and atom.behind:
            hint = "it matches a position, and no character; leave the quantifier out"
            raise self.units.error("a lookbehind cannot be repeated", start, end, hint)
        if most is not None and most < least:
            hint = f"write `{{{most},{least}}}`"
            raise self.units.error("the numbers of the quantifier are out of order", start, end, hint)
        greedy = not self.text.startswith("?", end)
        self.at = end if greedy else end + 1
        place = (atom.start, self.units.place(start, self.at)[1])
        self.open[-1].items.append(Quantifier(*place, atom, least, most, greedy))

    def _read_quantifier(self, at: int) -> tuple[int, int | None, int] | None:
        """Least, most and the offset behind the quantifier at `at`, if any (less its lazy `?`)."""
        match self.text[at : at + 1]:
            case "*":
                return 0, None, at + 1
            case "+":
                return 1, None, at + 1
            case "?":
                return 0, 1, at + 1
            case "{":
                return self._read_interval(at)
            case _:
                return None

    def _read_interval(self, at: int) -> tuple[int, int | None, int] | None:
        text = self.text
        end = run_end(text, at + 1, DIGITS)
        if end == at + 1:
            return None
        least = _number(text[at + 1 : end])
        most: int | None = least
        if text.startswith(",", end):
            start_of_most = end + 1
            end = run_end(text, start_of_most, DIGITS)
            most = _number(text[start_of_most:end]) if end > start_of_most else None
        return (least, most, end + 1) if text.startswith("}", end) else None

    def _nothing_to_repeat(self) -> PatternError:
        """The error for the quantifier at hand, which has nothing before it that it could repeat."""
        start = self.at
        quantifier = self._read_quantifier(start)
        end = quantifier[2] if quantifier else start + 1
        written = self.text[start:end]
        items = self.open[-1].items
        before = items[-1] if items else None
        escaped = f"write `\\{written}` for {'the character itself' if len(written) == 1 else 'these characters'}"
        if isinstance(before, Anchor):
            hint = f"`{before.kind}` matches a position, and no character; {escaped}"
        elif isinstance(before, Quantifier):
            hint = f"{escaped}; possessive and double quantifiers are not ECMAScript"
        elif self.text.startswith("(*", start - 1) and self.text[start + 1 : start + 2].isupper():
            hint = f"verbs are not ECMAScript; {escaped}"
        elif written == "*":
            hint = f"this is a regular expression, not a glob: write `.*` for any characters; {escaped}"
        elif written == "?":
            hint = f"this is a regular expression, not a glob: write `.` for any character; {escaped}"
        else:
            hint = escaped
        return self.units.error("nothing to repeat", start, end, hint)


def _number(digits: str) -> int:
    """The number, cut at `MAX_REPEAT`; Python would refuse to read thousands of digits."""
    significant = digits.lstrip("0")
    return min(int(significant or "0"), MAX_REPEAT) if len(significant) <= 10 else MAX_REPEAT
