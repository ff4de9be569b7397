"""What could stand at a place, in words; terminal names never reach a reader."""

from __future__ import annotations

from collections.abc import Iterable

from .literals import RESERVED

LITERALS = frozenset({"STRING", "RAW", "RAW2", "FENCED", "T_STRING", "T_RAW", "T_RAW2", "T_FENCED"})
STATEMENTS = frozenset(word.upper() for word in RESERVED) - {"EXPECT"}

_SIGNS = {
    "EQ": "=",
    "COLON": ":",
    "COMMA": ",",
    "LBRACE": "{",
    "RBRACE": "}",
    "LSQB": "[",
    "RSQB": "]",
    "DOTS": "..",
}
_WORDS = {"SECONDS": "s", "AT_LEAST": "at least", "AT_MOST": "at most", "OUT": "out", "NEVER": "never matches"}

# What must come after a token, where the grammar leaves no choice that is not of this kind.
_AFTER = {
    "SCENARIO": ['the key as a string "…"'],
    "TITLE": ['the title as a string "…"'],
    "REQUIRE": ['a label as a string "…"'],
    "OPTIONAL": ['a label as a string "…"'],
    "TEST": ['a name as a string "…"'],
    "INCLUDE": ['a path as a string "…"'],
    "FROM": ['a time as a string "…"'],
    "TO": ['a time as a string "…"'],
    "PASS": ['the label of a rule as a string "…"'],
    "FAIL": ['the label of a rule as a string "…"'],
    "SKIPPED": ['the label of a rule as a string "…"'],
    "TAGS": ["a tag"],
    "HOSTS": ["a host"],
    "ON": ["a host"],
    "LSQB": ["a host", "“at least”"],
    "LET": ["a name"],
    "FOR": ["a name"],
    "IS": ["a status"],
    "JOB_STATUS": ["a status", "“unavailable”"],
    "SEMANTICS": ["“flat”", "“classic”"],
    "MATCHES": ["a pattern `…`"],
    "BEFORE": ["a pattern `…`"],
    "RUN": ["a command `…`"],
    "WRITE": ["a path `…`"],
    "ANSIBLE": ["the path of a playbook `…`"],
    "EQ": ["a literal `…`"],
    "EXITS": ["an exit status"],
    "WITHIN": ["a number of seconds"],
    "AT_LEAST": ["a number"],
    "AT_MOST": ["a number"],
    "EXACTLY": ["a number"],
    "TURN": ["a number"],
    "TASK_COUNT": ["a number", "a range such as 1..3"],
    "EXPECT": ["“pass”", "“fail”", "“error”", "“skipped”", "“passed”", "“failed”"],
}


def choices(accepted: set[str], previous: str | None) -> list[str]:
    """What the terminals that are accepted mean to an author, the likeliest first."""
    if previous in _AFTER:
        return _AFTER[previous]
    if "TURNS" in accepted:
        return ["a check"]
    if {"RUN", "WRITE", "RBRACE"} <= accepted:
        return ["a step", "“}”", *(["“:”"] if "COLON" in accepted else [])]
    if "EXPECT" in accepted and "NAME" in accepted:
        also = [_quoted(kind) for kind in sorted(accepted & {"COMMA", "EXITS", "TIMES", "UNREACHABLE"})]
        return [*also, "a fact", "“expect”", "“}”"]
    listed: list[str] = []
    if "NAME" in accepted:
        listed.append("a name" if "ADDR" in accepted and not {"RUN", "RBRACE"} & accepted else "a target")
    if "RAW" in accepted:
        listed.append("a literal `…`")
    elif "STRING" in accepted:
        listed.append('a string "…"')
    if "INT" in accepted:
        listed.append("a number")
    passed_over = LITERALS | STATEMENTS | {"NAME", "ADDR", "INT", "$END"}
    listed += [_quoted(kind) for kind in sorted(accepted - passed_over, key=lambda kind: (kind not in _SIGNS, kind))]
    if accepted >= STATEMENTS:
        listed.append("a statement")
    else:
        listed += [_quoted(kind) for kind in sorted(STATEMENTS & accepted, reverse=True)]
    return listed


def listing(words: Iterable[str]) -> str:
    words = list(words)
    if not words:
        return "nothing more"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def found(kind: str, text: str) -> str:
    """The token that was found, as a message names it."""
    if kind == "$END":
        return "the end of the file"
    if kind in STATEMENTS or kind == "EXPECT":
        return f"“{text}”, which begins a statement,"
    if kind == "INT":
        return f"the number {short(text)}"
    if kind in LITERALS:
        return f"the {'string' if kind.endswith('STRING') else 'literal'} {short(text)}"
    return f"“{short(text)}”"


def word(kind: str) -> str:
    """A keyword or sign as it is written."""
    return _SIGNS.get(kind) or _WORDS.get(kind) or kind.lower()


def _quoted(kind: str) -> str:
    return f"“{word(kind)}”"


def short(text: str) -> str:
    """At most 40 characters of the first line."""
    first = text.split("\n", 1)[0].rstrip("\r")
    return first if len(first) == len(text) and len(text) <= 40 else first[:39] + "…"


def character(one: str) -> str:
    """A character as a message shows it: itself where it can be seen, else its number."""
    return f"“{one}”" if one.isprintable() and one != " " else f"U+{ord(one):04X}"
