"""What to say of `(?` where no group of ECMAScript begins: most of it is another dialect's.

(?i)…       leave it out: matching ignores case anyway
(?P<n>…)    write `(?<n>...)`
"""

from __future__ import annotations

from .errors import PatternError
from .units import DIGITS, Units, run_end

_FLAG_LETTERS = frozenset("aiLmsuxnUJX^-")

_FLAG_HINTS = {
    "i": "matching ignores case anyway",
    "s": r"write `[\s\S]` in place of `.` where it is to match line breaks too",
    "m": r"write `(?<=^|\n)` for the start of a line and `(?=$|\n)` for its end",
    "x": "write the pattern without spaces and remarks",
}

_NO_RECURSION = "a pattern cannot call itself or another group here: write the group out again"

_FOREIGN = (
    # what stands behind the `(?`, what it is, how to say it here
    (">", "atomic groups are not ECMAScript", r"write `(?:...)`; where backtracking matters, `(?=(...))\1`"),
    ("#", "comments are not ECMAScript", r"leave the comment out, or write `\(` for a parenthesis"),
    ("|", "branch resets are not ECMAScript", "write `(?:...|...)`"),
    ("(", "conditions are not ECMAScript", "write both cases out: `(?:...|...)`"),
    ("R", "recursion is not ECMAScript", _NO_RECURSION),
    ("&", "recursion is not ECMAScript", _NO_RECURSION),
    ("P>", "recursion is not ECMAScript", _NO_RECURSION),
)


def refused_group(units: Units, at: int) -> PatternError:
    """The error for the `(?` at `at`; the caller has seen that no group begins there."""
    text = units.text
    behind = at + 2
    name_opener = next((opener for opener in ("P<", "'") if text.startswith(opener, behind)), None)
    if name_opener is not None:
        return _foreign_name(units, at, name_opener)
    if text.startswith("P=", behind):
        hint = rf"write `\k<{_name(units, behind + 2, ')')}>` to match again what the group captured"
        return units.error("`(?P=` is not ECMAScript’s way to refer to a group", at + 1, at + 3, hint)
    for opener, message, hint in _FOREIGN:
        if text.startswith(opener, behind):
            return units.error(message, at + 1, behind + 1, hint)
    end_of_flags = run_end(text, behind, _FLAG_LETTERS)
    if end_of_flags > behind and text[end_of_flags : end_of_flags + 1] in (")", ":"):
        return _foreign_flags(units, at, end_of_flags)
    end_of_call = run_end(text, behind, DIGITS | {"+", "-"})
    if end_of_call > behind:
        return units.error("recursion is not ECMAScript", at + 1, end_of_call, _NO_RECURSION)
    hint = r"groups begin `(`, `(?:`, `(?<name>`, `(?=`, `(?!`, `(?<=` or `(?<!`; a parenthesis itself is `\(`"
    return units.error("invalid group", at + 1, min(behind + 1, len(text)), hint)


def _foreign_name(units: Units, at: int, opener: str) -> PatternError:
    name = _name(units, at + 2 + len(opener), ">" if opener == "P<" else "'")
    written = "(?P<" if opener == "P<" else "(?'"
    return units.error(
        f"`{written}` is not ECMAScript’s way to name a group", at + 1, at + 3, f"write `(?<{name}>...)`"
    )


def _name(units: Units, start: int, closing: str) -> str:
    """The name that `closing` ends, for a hint; just “name” where none can be made out."""
    end = units.text.find(closing, start)
    return units.shown(start, end) if 0 < end - start <= 60 else "name"


def _foreign_flags(units: Units, at: int, end: int) -> PatternError:
    text = units.text
    flags = text[at + 2 : end]
    switched_on, _, switched_off = flags.partition("-")
    scoped = text[end] == ":"
    written = units.shown(at, end) + (":...)" if scoped else ")")
    hints = [f"write `(?:...)` in place of `{written}`" if scoped else f"leave out `{written}`"]
    hints += [_FLAG_HINTS[flag] for flag in "ismx" if flag in switched_on]
    if "i" in switched_off or "^" in flags:
        hints.append("matching always ignores case")
    end_of_fault = end if scoped else end + 1
    start_of_fault = at + 1 if scoped else at
    return units.error(
        f"the inline flags `{written}` are not ECMAScript", start_of_fault, end_of_fault, _sentence(hints)
    )


def _sentence(hints: list[str]) -> str:
    """`leave out `(?is)`: matching ignores case anyway; write …`"""
    return hints[0] + (": " + "; ".join(hints[1:]) if len(hints) > 1 else "")
