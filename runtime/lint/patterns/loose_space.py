r"""GW210: white space of a command that is too loose, or too strict.

    docker\s*rm         matches “dockerrm”; meant is `docker\s+rm`
    never rm -rf        “rm  -rf” with two blanks is not seen

A literal space is told in bans only: there a second blank lets a run through. A demand with it is a habit of many, and
fails at most a run that types oddly.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.ecmascript import Anchor, Group, Quantifier, Sequence, Term, walk
from ....compiler.findings import GW210, Finding, Witness
from ..scene import PatternUse, Scene
from .reading import (
    COMMANDS,
    branches,
    flat,
    forbids,
    harm,
    is_blank,
    is_gap,
    is_optional_blank,
    is_readable,
    is_word_letter,
    letter,
    sample_through,
    unsafe_fix,
)
from .usual_words import JOINED_ON_PURPOSE

_QUOTES = "\"'`"


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if use.where not in COMMANDS:
            continue
        if "*" in use.text and is_readable(scene, GW210, use) and (joints := list(_joints(use))):
            yield _joined(use, joints)
        # The words of an invocation are joined by one space, whatever was typed.
        if use.where != "executed_commands" or not forbids(use) or " " not in use.text:
            continue
        if is_readable(scene, GW210, use) and (spaces := list(_spaces(use))):
            yield _strict(use, spaces)


# ---- words that join -----------------------------------------------------------------------------------------------


def _joints(use: PatternUse) -> Iterator[Quantifier]:
    r"""Every `\s*` with a word of two letters or more on both sides."""
    for node in walk(use.tree.body):
        if not isinstance(node, Sequence):
            continue
        terms = flat(node)
        for at, term in enumerate(terms):
            if not isinstance(term, Quantifier) or term.max is not None or not is_optional_blank(term):
                continue
            left, right = _word(terms[:at], -1), _word(terms[at + 1 :], 1)
            is_word = len(left) >= 2 and len(right) >= 2 and left.isalpha() and right.isalpha()
            if is_word and (left + right).lower() not in JOINED_ON_PURPOSE:
                yield term


def _word(terms: tuple[Term, ...], step: int) -> str:
    """The word that ends or begins here; of a group's words the shortest."""
    if not terms:
        return ""
    edge = terms[::step][0]
    if isinstance(edge, Group):
        return min((_word(flat(branch), step) for branch in branches(edge.body)), key=len)
    found: list[str] = []
    for term in terms[::step]:
        if not is_word_letter(term):
            break
        found.append(letter(term) or "")
    return "".join(found[::step])


def _joined(use: PatternUse, joints: list[Quantifier]) -> Finding:
    first = joints[0]
    fixed = use.text
    for start, end in sorted({(joint.start, joint.end) for joint in joints}, reverse=True):
        fixed = f"{fixed[:start]}\\s+{fixed[end:]}"
    value = sample_through(use.tree, first.start - 1) or ""
    written = use.text[first.start : first.end]
    return Finding(
        GW210,
        f"`{written}` lets the words beside it join, which {harm(use)}",
        use.inside(first.start, first.end),
        help=r"`\s+` asks for white space of any length",
        rule=use.rule.label,
        witness=Witness("matches as well", value, matches=(use.text,), misses=(fixed,)),
        fix=unsafe_fix(use, r"write `\s+`", fixed),
    )


# ---- spaces of a ban -----------------------------------------------------------------------------------------------


def _spaces(use: PatternUse) -> Iterator[Term]:
    """Every literal space between words of a command, up to where something else than a command may follow."""
    pending = list(branches(use.tree.body))
    while pending:
        terms = flat(pending.pop())
        start = next((at for at, term in enumerate(terms) if not isinstance(term, Anchor)), len(terms))
        terms = terms[start:]
        if terms and isinstance(terms[0], Group):
            pending.extend(branches(terms[0].body))
        if not _begins_with_command(terms):
            continue
        for at, term in enumerate(terms):
            if is_gap(term) or (letter(term) or " ") in _QUOTES:
                break
            if (
                letter(term) == " "
                and 0 < at < len(terms) - 1
                and not any(map(_is_lenient, terms[at - 1 : at + 2 : 2]))
            ):
                yield term


def _is_lenient(term: Term) -> bool:
    """Whether a second blank may go in here, or the text of a string begins."""
    return is_blank(term) or is_optional_blank(term) or is_gap(term) or (letter(term) or " ") in _QUOTES


def _begins_with_command(terms: tuple[Term, ...]) -> bool:
    name = _word(terms, 1)
    return len(name) >= 2 and name[0].isalpha() and name.islower()


def _strict(use: PatternUse, spaces: list[Term]) -> Finding:
    spaces = sorted(spaces, key=lambda space: space.start)
    first = spaces[0]
    fixed = use.text
    for space in reversed(spaces):
        fixed = f"{fixed[: space.start]}\\s+{fixed[space.end :]}"
    value = sample_through(use.tree, first.start, {first.start: "  "}) or ""
    return Finding(
        GW210,
        "one space is asked for, so a command with two of them goes unseen",
        use.inside(first.start, first.end),
        help=r"`\s+` asks for white space of any length",
        rule=use.rule.label,
        witness=Witness("does not match", value, matches=(fixed,), misses=(use.text,)),
        fix=unsafe_fix(use, r"write `\s+`", fixed),
    )
