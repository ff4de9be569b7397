"""GW602: rules whose words are the same in the other form and mean something else there.

    executed_commands matches `^systemctl restart nginx$`
    # fails as grouped and passes as flat: {"executed_commands": ["systemctl restart nginx", "true"]}

Grouped rules have classic semantics and flat ones flat semantics; a conversion between the two keeps the words. A run
is made for every way in which they may part and graded both ways; without a run that differs nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....compiler.findings import GW602, Finding, Label, Witness, ignore
from ....compiler.ir import Ansible, PatternMatch, Rule
from ....compiler.ir_to_json import rule_to_json
from ....compiler.json_forms import JsonForm
from ....compiler.languages import Undecided
from ....compiler.vocabulary import Semantics
from ...evidence.record import PlaybookAnswer, RunRecord
from ...matching import Matcher
from ..scene import PatternUse, Scene
from .line_wise import Apart, typical, values_apart, why_apart
from .losses import is_known
from .runs import BothForms, completed, run_text, run_with
from .whole_set import differences_of_the_set

SEMANTICS: dict[JsonForm, Semantics] = {"flat": "flat", "grouped": "classic"}

_OF_A_TASK = frozenset(
    {
        "executed_commands",
        "task_summary",
        "write_file",
        "update_file",
        "use_mcp_tool",
        "tool_calls",
        "agent_messages",
        "operational_rules",
    }
)
"""Targets that may have several values; of others it is one text or none."""
_OTHERS = {
    "executed_commands": ("true", "uptime", "ls -l"),
    "write_file": ("/tmp/notes.txt", "/tmp/x"),
    "update_file": ("/tmp/notes.txt", "/tmp/x"),
    "tool_calls": ('run_shell {"command":"true"}', "wait {}"),
    "use_mcp_tool": ('search {"query":"x"}', "wait {}"),
}
_OTHER_WORDS = ("Done.", "OK", "I look at it")
"""What may stand beside a value, for prose; above for all else."""

_TELLS = {"pass": "passes", "fail": "fails", "error": "is an error", "skipped": "is skipped"}
_NEITHER_ZERO_NOR_TWO = 4


@dataclass(frozen=True, slots=True)
class _Difference:
    """A run that may tell the forms apart, and what to say when it does."""

    record: RunRecord
    message: str
    help: str | None = None
    is_bridge: bool = False
    """Whether a match reaches from one value into the next: true of nearly every rule with `\\s`, and told once."""


def check(scene: Scene) -> Iterator[Finding]:
    form = scene.options.target
    if form is None or form == "gate" or not changes_meaning(scene, form):
        return
    matcher = Matcher(scene.engine)
    uses = {id(use.rule): use for use in scene.patterns}
    is_refused = False
    bridges: list[Finding] = []
    for rule in scene.rules.rules:
        if not is_known(rule) or rule_to_json(rule, form, ignore) is None:
            is_refused = True
            continue
        difference = _difference(rule, uses.get(id(rule)), scene)
        if difference is None or (finding := _finding(rule, difference, scene, matcher)) is None:
            continue
        if difference.is_bridge:
            bridges.append(finding)
        else:
            yield finding
    if bridges:
        yield _together(bridges)
    if not is_refused:  # else there is no other set yet that runs could be graded by
        yield from differences_of_the_set(scene, matcher)


def _together(findings: list[Finding]) -> Finding:
    """One finding for what is true of many rules: the first of them, with the places of the others."""
    first, *others = findings
    labels = tuple(Label(finding.span, "here too") for finding in others if finding.span is not None)
    return replace(first, labels=labels)


def changes_meaning(scene: Scene, form: JsonForm) -> bool:
    """Whether rules of the form mean what these rules do not."""
    return SEMANTICS[form] != scene.rules.semantics


def _finding(rule: Rule, difference: _Difference, scene: Scene, matcher: Matcher) -> Finding | None:
    alone = scene.rules.model_copy(update={"rules": (rule,)})
    grouped, flat = (result.rules[0].status for result in BothForms(alone, matcher).grade(difference.record))
    if grouped == flat:
        return None
    return Finding(
        GW602,
        difference.message,
        rule.check.at("pattern") or rule.span,
        help=difference.help,
        rule=rule.label,
        witness=Witness(
            f"the rule {_TELLS[grouped]} as grouped and {_TELLS[flat]} as flat",
            run_text(difference.record),
            is_run=True,
        ),
    )


def _difference(rule: Rule, use: PatternUse | None, scene: Scene) -> _Difference | None:
    match rule.check:
        case PatternMatch() if use is not None:
            return _of_pattern(use, scene)
        case Ansible(path=path):
            return _Difference(
                RunRecord(
                    id="", job=completed().job, playbooks=(PlaybookAnswer(path, exit_code=_NEITHER_ZERO_NOR_TWO),)
                ),
                "a playbook that ends with another exit status than 0 and 2 fails as grouped and is an error as flat",
            )
        case _:
            return None


def _of_pattern(use: PatternUse, scene: Scene) -> _Difference | None:
    def matches(text: str) -> bool | None:
        return scene.matches(use.text, text)

    where = use.where
    if where in ("task_plan", "gateway_messages"):
        text = typical(use.tree, matches)
        if text is None:
            scene.undecided(GW602, "no text is known that the pattern matches", use)
            return None
        if where == "gateway_messages":
            return _Difference(
                run_with(where, (text,)),
                "the last message of a ticket counts as grouped and not as flat",
                "flat rules find it in gateway_summary",
            )
        # Of a pattern that matches the empty text, only a task without a plan tells the forms apart.
        return _Difference(
            run_with(where, () if matches("") else (text,)),
            "`task_plan` is always empty as grouped and what was recorded as flat",
            "look at another target: `executed_commands`, `agent_messages`",
        )
    others = _OTHERS.get(where, _OTHER_WORDS)
    if where in _OF_A_TASK:
        values = values_apart(use.tree, matches, others)
    else:
        values = () if matches("") else None
    if isinstance(values, Undecided):
        scene.undecided(GW602, values.why, use)
        return None
    if values is None or (why := why_apart(values, matches)) is None:
        return None
    message, help_ = _SAID[why]
    return _Difference(run_with(where, values), message, help_, is_bridge=why is Apart.BRIDGE)


_SAID: dict[Apart, tuple[str, str]] = {
    Apart.ENDS: (
        "the ends of the text are those of all values of a task as grouped, and those of each value as flat",
        r"`(?:^|\n)` and `(?:$|\n)` mean the same in both forms",
    ),
    Apart.BRIDGE: (
        "a match may reach from one value into the next as grouped, and not as flat",
        r"keep it inside a value: `[ \t]+` for `\s+`, `[^;\n]` for `[^;]`",
    ),
    Apart.NOTHING: (
        "where there are no values, an empty text is looked at as grouped and nothing as flat",
        "let the pattern match at least one character",
    ),
}
