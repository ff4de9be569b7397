r"""Words that no match of a pattern can do without: the cheapest way to see that a value is no match.

    needs(parse(r"systemctl\s+(re)?start\s+nginx"))     # ('systemctl', 'start', 'nginx'): in lower case

Only runs of ASCII characters that stand for themselves count, and only those that every way through the pattern takes.
Ignoring case, a character of ASCII matches none from outside it (ES2023 §22.2.2.7.3), so `lacks` looks at lower case.
"""

from __future__ import annotations

from functools import lru_cache

from ..ecmascript import Alternation, Anchor, Char, Disjunction, Group, Pattern, Quantifier, Term, parse

_MAX_DEPTH = 50


def lacks(pattern: Pattern, value: str) -> bool:
    """Whether `value` lacks a word that every match of `pattern` has; False says nothing."""
    lowered = value.lower()
    return any(word not in lowered for word in needs(pattern))


def needs(pattern: Pattern) -> tuple[str, ...]:
    """The words, in the order of the pattern."""
    return _needs(pattern.source)


@lru_cache(maxsize=1024)
def _needs(source: str) -> tuple[str, ...]:
    pattern = parse(source)
    if pattern.depth > _MAX_DEPTH:
        return ()
    found: list[str] = []
    run: list[str] = []
    _disjunction(pattern.body, found, run)
    _close(found, run)
    return tuple(dict.fromkeys(found))


def _disjunction(body: Disjunction, found: list[str], run: list[str]) -> None:
    """Goes on with the run that it is given, and leaves the one that may go on behind the piece."""
    if isinstance(body, Alternation):
        _close(found, run)
        return
    for item in body.items:
        _term(item, found, run)


def _term(node: Term, found: list[str], run: list[str]) -> None:
    match node:
        case Char(unit=unit) if unit < 0x80:
            run.append(chr(unit).lower())
        case Anchor():
            pass  # it takes no room
        case Group(body=body):
            _disjunction(body, found, run)
        case Quantifier(body=body, min=least) if least > 0:
            _close(found, run)
            _term(body, found, run)
            _close(found, run)
        case _:
            _close(found, run)


def _close(found: list[str], run: list[str]) -> None:
    if len(run) > 1:
        found.append("".join(run))
    run.clear()
