r"""GW205: `.*` between two words of a command, which joins unrelated commands.

    systemctl.*restart.*nginx       matches “systemctl --help; echo restart; echo nginx”

One executed command may be a whole line of a shell: `.*` runs over its `;`, `&&` and `|`. Silent where only options,
paths and the like follow, since these are hardly met with another command.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ....compiler.ecmascript import Anchor, Quantifier, Sequence, Term
from ....compiler.findings import GW205, Finding, Witness
from ..scene import PatternUse, Scene
from .reading import branches, flat, harm, is_gap, is_readable, sample_of_terms, unsafe_fix

BOUNDED = r"[^;&|\n]"
"""Any character of one command."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands before a gap or behind it, and the gap before it."""

    gap: Quantifier | None
    text: str


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        # Invocations are single commands, and the other targets none at all.
        if use.where != "executed_commands" or not ("." in use.text or "[" in use.text):
            continue
        if is_readable(scene, GW205, use):
            found = (_bridge(use, branch) for branch in branches(use.tree.body))
            yield from [finding for finding in found if finding is not None][:1]


def _bridge(use: PatternUse, branch: Sequence) -> Finding | None:
    parts = _parts(use, flat(branch))
    if parts is None or len(parts) < 2 or not _begins_with_tool(parts[0].text):
        return None
    bridge = next((part for part in parts[1:] if _is_word(part.text)), None)
    if bridge is None or bridge.gap is None or any(_leaves_command(part.text) for part in parts):
        return None
    gaps = [part.gap for part in parts if part.gap is not None]
    fixed = use.text
    for gap in reversed(gaps):
        fixed = fixed[: gap.body.start] + BOUNDED + fixed[gap.body.end :]
    first, *others = (part.text.strip() for part in parts)
    value = "; echo ".join((f"{first} --help", *others))
    written = use.text[bridge.gap.start : bridge.gap.end]
    shown = fixed[gaps[0].start : gaps[0].start + len(BOUNDED) + gaps[0].end - gaps[0].body.end]
    return Finding(
        GW205,
        f"`{written}` runs on into other commands of the same line, which {harm(use)}",
        use.inside(bridge.gap.start, bridge.gap.end),
        help=f"`{shown}` stays within one command, and so do patterns over `invocations`",
        rule=use.rule.label,
        witness=Witness("matches as well", value, matches=(use.text,), misses=(fixed,)),
        fix=unsafe_fix(use, "stay within one command", fixed),
    )


def _parts(use: PatternUse, terms: tuple[Term, ...]) -> list[_Part] | None:
    """The texts between the gaps of a branch, and of those at its ends none; None where a text cannot be told."""
    while terms and (is_gap(terms[0]) or isinstance(terms[0], Anchor)):
        terms = terms[1:]
    while terms and (is_gap(terms[-1]) or isinstance(terms[-1], Anchor)):
        terms = terms[:-1]
    parts: list[_Part] = []
    gap: Quantifier | None = None
    start = 0
    for at in (*(at for at, term in enumerate(terms) if is_gap(term)), len(terms)):
        text = sample_of_terms(use.tree, terms[start:at])
        if text is None:
            return None
        if text.strip() or gap is None:
            parts.append(_Part(gap, text))
        if at < len(terms):
            ahead = terms[at]
            gap = ahead if isinstance(ahead, Quantifier) else None
        start = at + 1
    return parts


def _begins_with_tool(text: str) -> bool:
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return len(first) >= 2 and first[0].islower() and first.replace("-", "").replace("_", "").isalnum()


def _is_word(text: str) -> bool:
    """Whether a part begins with a verb or an object: plain small letters."""
    first = text.split(maxsplit=1)[0]
    return len(first) >= 2 and first.isascii() and first.isalpha() and first.islower()


def _leaves_command(text: str) -> bool:
    """Whether the pattern itself speaks of more than one command, or a gap lies between quotes."""
    return any(each in text for each in ";&|\n") or any(text.count(quote) % 2 for quote in "\"'`")
