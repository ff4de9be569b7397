r"""GW211: `^` and `$` on a target whose values have several lines.

    job_resolution matches `^Root cause:`       only where nothing stands above that line

Both are the ends of the whole value, never of a line. Under classic semantics a value is all that a task has for the
target, joined with newlines, so `^systemctl` sees the first command of a task and no other.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.ecmascript import Anchor, AnchorKind, walk
from ....compiler.findings import GW211, Finding, Fix, Label, Witness
from ....compiler.vocabulary import Semantics
from ..edits import with_value
from ..samples import sample
from ..scene import PatternUse, Scene
from .reading import PROSE, is_readable

SINGLE = frozenset({"invocations"})
"""Read value by value under classic semantics too."""

_LINE = {"executed_commands": "uptime", "write_file": "/tmp/notes.txt", "update_file": "/tmp/notes.txt"}
_OTHER_LINE = "One more line."
_AS_LINES = {AnchorKind.START: r"(?:^|\n)", AnchorKind.END: r"(?:$|\n)"}


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        if "^" not in use.text and "$" not in use.text:
            continue
        scope = _scope(use, scene.rules.semantics)
        if scope is None or not is_readable(scene, GW211, use):
            continue
        if (finding := _finding(scene, use, scope)) is not None:
            yield finding


def _scope(use: PatternUse, semantics: Semantics) -> str | None:
    """What the ends of a value are the ends of; None where a value is one line."""
    is_joined = semantics == "classic" and use.check.extension is None and use.where not in SINGLE
    if is_joined and not use.where.startswith(("job_", "gateway_summary")):
        whose = "of the ticket" if use.where.startswith("gateway_") else "of a task"
        return f"all values {whose}, joined into one text, and not of each"
    return "the whole text, and not of a line" if use.where in PROSE else None


def _finding(scene: Scene, use: PatternUse, scope: str) -> Finding | None:
    value = sample(use.tree, gap=" ")
    if not value or value.isspace() or scene.matches(use.text, value) is not True:
        return None
    anchors = [node for node in walk(use.tree.body) if isinstance(node, Anchor) and node.kind in _AS_LINES]
    other = _LINE.get(use.where, _OTHER_LINE)
    kinds = {anchor.kind for anchor in anchors}
    above = AnchorKind.START in kinds and scene.matches(use.text, f"{other}\n{value}") is False
    below = AnchorKind.END in kinds and scene.matches(use.text, f"{value}\n{other}") is False
    if not above and not below:
        return None
    lines = f"{other}\n{value}" if above else f"{value}\n{other}"
    bound = {AnchorKind.START} if not below else {AnchorKind.END} if not above else set(_AS_LINES)
    told = [anchor for anchor in anchors if anchor.kind in bound]
    first, *rest = told
    sign, end = ("`^`", "beginning") if first.kind is AnchorKind.START else ("`$`", "end")
    spans = (use.inside(anchor.start, anchor.end) for anchor in rest[:3])
    return Finding(
        GW211,
        f"{sign} is the {end} of {scope}",
        use.inside(first.start, first.end),
        labels=tuple(Label(span, "as well") for span in spans if span is not None and span != use.span),
        help=r"for any line write `(?:^|\n)` and `(?:$|\n)`, or leave the sign out",
        rule=use.rule.label,
        witness=Witness("does not match", lines, misses=(use.text,)),
        fix=_fix(scene, use, told, lines),
    )


def _fix(scene: Scene, use: PatternUse, anchors: list[Anchor], lines: str) -> Fix | None:
    text = use.text
    for anchor in sorted(anchors, key=lambda each: each.start, reverse=True):
        text = text[: anchor.start] + _AS_LINES[anchor.kind] + text[anchor.end :]
    edit = with_value(use.span, text)
    if edit is None or scene.matches(text, lines) is not True:
        return None
    return Fix("look at every line", (edit,))
