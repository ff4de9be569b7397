r"""GW203: a bare word or number that other words contain.

    success         “unsuccessful” has it as well
    0 errors        so has “10 errors”
    su              so has “sudo systemctl status nginx”

Only words are looked at for which a usual longer one is known that says something else; `nginx` is never taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....compiler.ecmascript import Dot, Term
from ....compiler.findings import GW203, Finding, Witness
from ..scene import PatternUse, Scene
from .reading import (
    COMMANDS,
    PROSE,
    Word,
    forbids,
    inserted,
    is_blank,
    is_gap,
    is_readable,
    is_separator,
    letter,
    sample_through,
    unsafe_fix,
)
from .reading import words as words_of
from .usual_words import COMMANDS_THAT_CONTAIN, COMMANDS_THAT_END_IN, CONTAINED, LONGER_VERBS

MAX_SHOWN = 40
MAX_SHORT = 3
"""Longer words are limited only on the side where the other word goes on: `\\bsuccess` still takes “successful”."""
STATUS_CODES = frozenset({200, 201, 204, 301, 302, 304, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504})
"""Of HTTP: they have three digits, always."""
MAX_PORT = 65_535
MAX_OCTET = 255


@dataclass(frozen=True, slots=True)
class _Loose:
    """A word, a value that has it inside another word, and on which sides a limit helps."""

    word: Word
    value: str
    inside: str
    """The longer word or command line, for the message."""
    before: bool
    after: bool

    @property
    def limits(self) -> Iterator[tuple[int, str]]:
        if self.before:
            yield self.word.start, r"\b"
        if self.after:
            yield self.word.end, r"\b"


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if not is_readable(scene, GW203, use):
            continue
        loose = [found for word in words_of(use.tree.body) if (found := _loose(scene, use, word)) is not None]
        if loose:
            yield _finding(use, loose)


def _finding(use: PatternUse, loose: list[_Loose]) -> Finding:
    first = loose[0]
    fixed = inserted(use.text, {limit for each in loose for limit in each.limits})
    harm = "breaks this rule" if forbids(use) else "satisfies this rule"
    what = "the number" if first.word.text.isdigit() else "the word"
    several = "the numbers" if all(each.word.text.isdigit() for each in loose) else "the words"
    return Finding(
        GW203,
        f"{what} “{first.word.text}” has no limit, so that “{first.inside}” {harm} as well",
        use.inside(first.word.start, first.word.end),
        help=r"`\b` is the edge of a word",
        rule=use.rule.label,
        witness=Witness("matches as well", first.value, matches=(use.text,), misses=(fixed,)),
        fix=unsafe_fix(use, rf"limit {what if len(loose) == 1 else several} with `\b`", fixed),
    )


def _loose(scene: Scene, use: PatternUse, word: Word) -> _Loose | None:
    if "open" not in (word.before, word.after):
        return None
    if word.text.isdigit():
        found = _number(use, word)
    elif use.where in PROSE:
        found = _status(use, word, "{}")
    elif use.where in COMMANDS:
        found = _command(scene, use, word)
        if found is None and _is_alone(word):
            found = _status(use, word, "grep {} app.log")
    else:
        return None
    return found if found is not None and scene.matches(use.text, found.value) else None


def _inside(use: PatternUse, word: Word, before: str, after: str) -> str | None:
    """A value that has something more in front of the word and behind it. Its dots are shown as dots."""
    first, last = word.terms[word.first], word.terms[word.last - 1]
    instead = {term.start: "." for term in word.terms if isinstance(term, Dot)}
    instead |= {first.start: before + word.text[0], last.start: word.text[-1] + after}
    if first is last:
        instead[first.start] = before + word.text + after
    return sample_through(use.tree, word.start, instead)


# ---- words of a status ---------------------------------------------------------------------------------------------


def _status(use: PatternUse, word: Word, around: str) -> _Loose | None:
    for other in CONTAINED.get(word.text.lower(), ()):
        before, _, after = other.partition(word.text.lower())
        if (before and word.before != "open") or (after and not _goes_on(word, before)):
            continue
        if (value := _inside(use, word, before, after)) is None:
            continue
        is_short = len(word.text) <= MAX_SHORT
        return _Loose(
            word,
            around.format(value),
            other,
            word.before == "open" and (is_short or bool(before)),
            word.after == "open" and (is_short or not before),
        )
    return None


def _goes_on(word: Word, before: str) -> bool:
    """Whether more letters may follow the word; behind a prefix, pieces that may be such letters do as well."""
    return word.after == "open" or (before != "" and word.after == "unknown")


# ---- commands ------------------------------------------------------------------------------------------------------


def _command(scene: Scene, use: PatternUse, word: Word) -> _Loose | None:
    text = word.text.lower()
    if word.before == "open" and text in COMMANDS_THAT_CONTAIN:
        if _is_alone(word):
            lines = COMMANDS_THAT_CONTAIN[text]
            line = next((each for each in lines if scene.matches(use.text, each)), None)
            return None if line is None else _Loose(word, line, line, True, word.after == "open")
        other = COMMANDS_THAT_END_IN.get(text)
        if other is not None and _takes_an_option(word):
            value = _inside(use, word, other.removesuffix(text), "")
            return None if value is None else _Loose(word, value, value, True, False)
    if word.after == "open" and (other := LONGER_VERBS.get((_word_before(word), text))) is not None:
        value = _inside(use, word, "", other.removeprefix(text))
        return None if value is None else _Loose(word, value, value, False, True)
    return None


def _is_alone(word: Word) -> bool:
    """Whether the branch is the word and nothing else but blanks behind it."""
    return word.first == 0 and all(is_blank(term) for term in word.terms[word.last :])


def _takes_an_option(word: Word) -> bool:
    rest = word.terms[word.last : word.last + 2]
    return word.first == 0 and len(rest) == 2 and is_blank(rest[0]) and letter(rest[1]) == "-"


def _word_before(word: Word) -> str:
    """The word before this one, with a blank between them."""
    at = word.first - 1
    if at < 0 or not is_blank(word.terms[at]):
        return ""
    end = at
    while at > 0 and (letter(word.terms[at - 1]) or " ").isalnum():
        at -= 1
    return "".join(letter(each) or "" for each in word.terms[at:end]).lower()


# ---- numbers -------------------------------------------------------------------------------------------------------


def _number(use: PatternUse, word: Word) -> _Loose | None:
    if "unknown" in (word.before, word.after):
        return None
    octets = _address_around(word)
    if octets is not None:
        return _octet(use, word, octets)
    if _is_dot(_term(word, word.first - 1)) or _is_dot(_term(word, word.last)):
        return None
    before = _more_before(word) if word.before == "open" else ""
    after = _more_after(word) if word.after == "open" else ""
    if not before and not after:
        return None
    # One side is enough to show it: the front, where the sense changes most.
    value = _inside(use, word, before, "" if before else after)
    if value is None:
        return None
    shown = before + word.text if before else word.text + after
    return _Loose(word, value, value if len(value) <= MAX_SHOWN else shown, bool(before), bool(after))


def _more_before(word: Word) -> str:
    """`0 errors` in “10 errors”, `0%` in “100%”; numbers of three digits and more are taken for what they are."""
    if len(word.text) > 2:
        return ""
    follows = next((term for term in word.terms[word.last :] if not is_blank(term)), None)
    return "10" if word.text == "0" and follows is not None and letter(follows) == "%" else "1"


def _more_after(word: Word) -> str:
    """`port 80` in “port 8080”; what cannot go on, such as a large port, a year or a status code, is left alone."""
    previous = _term(word, word.first - 1)
    is_separate = previous is None or is_gap(previous) or is_separator(previous)
    if not is_separate or word.text.startswith("0"):
        return ""  # nobody writes “00” for 0
    if int(word.text) * 10 > MAX_PORT or int(word.text) in STATUS_CODES:
        return ""
    is_year = len(word.text) == 4 and word.text[:2] in ("19", "20")
    if is_year or _word_before(word) == "chmod":
        return ""
    return "80" if word.text == "80" else "0"


def _octet(use: PatternUse, word: Word, octets: list[str]) -> _Loose | None:
    """`10\\.0\\.0\\.1` in “10.0.0.15” and “110.0.0.1”."""
    number = int(word.text)
    is_last = not _is_dot(_term(word, word.last))
    is_first = not _is_dot(_term(word, word.first - 1))
    if is_last and word.after == "open" and number > 0 and number * 10 + 5 <= MAX_OCTET:
        before, after = "", "5"
    elif is_first and word.before == "open" and len(word.text) <= 2 and int("1" + word.text) <= MAX_OCTET:
        before, after = "1", ""
    else:
        return None
    value = _inside(use, word, before, after)
    octets = [before + octets[0], *octets[1:-1], octets[-1] + after]
    return None if value is None else _Loose(word, value, ".".join(octets), bool(before), bool(after))


def _address_around(word: Word) -> list[str] | None:
    """The four numbers of the address that a number is part of."""
    start, end = word.first, word.last
    while start > 0 and _is_of_address(word.terms[start - 1]):
        start -= 1
    while end < len(word.terms) and _is_of_address(word.terms[end]):
        end += 1
    text = "".join("." if isinstance(term, Dot) else letter(term) or "" for term in word.terms[start:end])
    octets = text.split(".")
    is_address = len(octets) == 4 and all(each.isdigit() and int(each) <= MAX_OCTET for each in octets)
    return octets if is_address else None


def _is_of_address(term: Term) -> bool:
    return _is_dot(term) or (letter(term) or "").isdigit()


def _is_dot(term: Term | None) -> bool:
    return isinstance(term, Dot) or (term is not None and letter(term) == ".")


def _term(word: Word, index: int) -> Term | None:
    return word.terms[index] if 0 <= index < len(word.terms) else None
