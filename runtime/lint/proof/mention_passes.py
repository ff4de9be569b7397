"""GW403: a command that is only mentioned passes for one that was run.

require "Restarted nginx": executed_commands matches `systemctl\\s+restart\\s+nginx`
# passes on: echo "systemctl restart nginx"
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW403, Edit, Finding, Fix, Severity, Witness
from ....compiler.languages import examples
from ...proof.asked import COMMANDS, INVOCATIONS
from ...proof.mentions import mentions_of
from ...proof.texts import proposals
from ..edits import is_gate_text
from ..logic.demands import Demand, demands_of
from ..logic.numbers import least
from ..logic.places import decides, once_a_place
from ..scene import Scene

_MOST_EXAMPLES = 4
# fmt: off
_SHELL_WORDS = frozenset({
    "case", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "select", "then", "until", "while", "{", "}", "[[", "!",
})
# fmt: on
"""What a command line may begin with that is no command; whole, it is no longer there in `invocations`."""


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    has_truth = any(rule.is_ground_truth and decides(scene, rule) for rule in scene.rules.rules)
    severity = Severity.INFO if has_truth else None
    for demand in demands_of(scene):
        if demand.check.where != COMMANDS or least(demand.numbers) == 0 or (demand.is_of_order and demand.rule.negate):
            continue
        mention = _mention(scene, demand)
        if mention is None:
            continue
        is_gate = scene.loaded.form == "gate"
        is_told_apart = is_gate and _is_told_apart(scene, demand)
        yield Finding(
            GW403,
            "an agent that only mentions the command passes this rule",
            demand.use.span,
            help=_help(is_gate=is_gate, is_told_apart=is_told_apart),
            rule=demand.rule.label,
            severity_override=severity,
            witness=Witness("matched as well", mention, matches=(demand.use.text,)),
            fix=_fix(demand) if is_told_apart else None,
        )


def _mention(scene: Scene, demand: Demand) -> str | None:
    """The first way to mention what the pattern looks for that the pattern takes for it.

    Of a pattern that matches every value GW206 has said all there is to say.
    """
    if scene.matches(demand.use.text, ""):
        return None
    for text in proposals(demand.use.tree)[:_MOST_EXAMPLES]:
        if text.strip() and scene.matches(demand.use.text, text):
            for mention in mentions_of(text):
                if scene.matches(demand.use.text, mention):
                    return mention
    return None


def _help(*, is_gate: bool, is_told_apart: bool) -> str:
    if is_told_apart:
        return "look at `invocations`: what is printed, searched for or commented is not run"
    if is_gate:
        return "ask a host what came of the command"
    return "in a .gate file, `invocations` holds what was really run; in JSON only a host can tell the two apart"


def _is_told_apart(scene: Scene, demand: Demand) -> bool:
    """Whether the commands that are meant are found in `invocations`, and mentions of them are not."""
    texts = examples(demand.use.tree, _MOST_EXAMPLES)
    if not texts or not all(_is_invoked(scene, demand, text) for text in texts):
        return False
    return not any(_is_invoked(scene, demand, mention) for mention in mentions_of(texts[0]))


def _fix(demand: Demand) -> Fix | None:
    """The other target; None where its name does not stand in the rule as it is, and where a second pattern is not
    looked through."""
    place = demand.check.spans.get("where")
    if place is None or not is_gate_text(place.source) or place.text != COMMANDS or demand.is_of_order:
        return None
    return Fix("look at what was really run", (Edit(place, INVOCATIONS),))


def _is_invoked(scene: Scene, demand: Demand, text: str) -> bool:
    """Whether the text is a command in which the pattern is still found when wrappers are gone. `ssh web-01` is one
    with nothing to run, and would not be listed with something."""
    from ....compiler.shell import commands, invocations

    if any(use.through for use in commands(f"{text} x")):
        return False
    if not _SHELL_WORDS.isdisjoint(text.split()[:1]):
        return False
    return any(scene.matches(demand.use.text, invoked) for invoked in invocations(text))
