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
        yield Finding(
            GW403,
            "an agent that only mentions the command passes this rule",
            demand.use.span,
            help=_help(scene),
            rule=demand.rule.label,
            severity_override=severity,
            witness=Witness("matched as well", mention, matches=(demand.use.text,)),
            fix=_fix(scene, demand),
        )


def _mention(scene: Scene, demand: Demand) -> str | None:
    """The first way to mention what the pattern looks for that the pattern takes for it."""
    for text in proposals(demand.use.tree)[:_MOST_EXAMPLES]:
        if text.strip() and scene.matches(demand.use.text, text):
            for mention in mentions_of(text):
                if scene.matches(demand.use.text, mention):
                    return mention
    return None


def _help(scene: Scene) -> str:
    if scene.loaded.form == "gate":
        return "look at `invocations`: what is printed, searched for or commented is not run"
    return "in a .gate file, `invocations` holds what was really run; in JSON only a host can tell the two apart"


def _fix(scene: Scene, demand: Demand) -> Fix | None:
    """Another target, where the commands that are meant are found in it and mentions are not."""
    place = demand.check.spans.get("where")
    if place is None or not is_gate_text(place.source) or place.text != COMMANDS:
        return None
    if demand.is_of_order:
        return None
    texts = examples(demand.use.tree, _MOST_EXAMPLES)
    if not texts or not all(_is_invoked(scene, demand, text) for text in texts):
        return None
    if any(_is_invoked(scene, demand, mention) for text in texts for mention in mentions_of(text)):
        return None
    return Fix("look at what was really run", (Edit(place, INVOCATIONS),))


def _is_invoked(scene: Scene, demand: Demand, text: str) -> bool:
    from ....compiler.shell import invocations

    return any(scene.matches(demand.use.text, invoked) for invoked in invocations(text))
