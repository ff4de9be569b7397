"""GW310: words that change nothing: `required` on a classic playbook, defaults that are written out."""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW310, Edit, Finding, Fix
from ....compiler.ir import Ansible, HostState, Rule
from ....grammar.text import Span
from ..edits import without_member
from ..scene import Scene
from .places import is_own, once_a_place


def check(scene: Scene) -> Iterator[Finding]:
    yield from once_a_place(_findings(scene))


def _findings(scene: Scene) -> Iterator[Finding]:
    classic = scene.rules.semantics == "classic"
    for rule in scene.rules.rules:
        check_ = rule.check
        if isinstance(check_, Ansible) and classic and not rule.required:
            yield _optional_playbook(scene, rule)
        if "negate" in rule.spans and not rule.negate:
            place = rule.spans["negate"]
            yield _default(rule, place, "“negate” is false anyway", _without(scene, place))
        if isinstance(check_, HostState) and "exit_code" in check_.spans and check_.exit_code == 0:
            place = check_.spans["exit_code"]
            said = "exit status 0 is expected anyway"
            yield _default(rule, place, said, _without_exits(scene, check_, place))


def _default(rule: Rule, span: Span, message: str, edit: Edit | None) -> Finding:
    fix = None if edit is None else Fix("leave it out", (edit,), is_safe=True)
    return Finding(GW310, message, span, rule=rule.label, fix=fix)


def _optional_playbook(scene: Scene, rule: Rule) -> Finding:
    message = "a playbook decides the resolution gate, required or not"
    place = rule.spans.get("required")
    if place is not None:
        edit = _without(scene, place)
        fix = None if edit is None else Fix("leave “required” out", (edit,), is_safe=True)
        return Finding(GW310, message, place, rule=rule.label, fix=fix)
    keyword = _keyword(rule)
    fix = None
    if keyword is not None and is_own(scene, keyword):
        fix = Fix("say what it is", (Edit(keyword, "require"),), is_safe=True)
    return Finding(GW310, message, keyword or rule.span, rule=rule.label, fix=fix)


def _keyword(rule: Rule) -> Span | None:
    """The `optional` with which a rule of a `.gate` file begins."""
    if rule.span is None:
        return None
    span = Span(rule.span.source, rule.span.start, rule.span.start + len("optional"))
    return span if span.text == "optional" else None


def _without(scene: Scene, value: Span) -> Edit | None:
    """The JSON object without the member of this value; None where the text around it stands in the way."""
    document = scene.loaded.document
    return without_member(document, value) if document is not None and is_own(scene, value) else None


def _without_exits(scene: Scene, check: HostState, number: Span) -> Edit | None:
    """The rule without its exit status. In a `.gate` file ` exits 0` goes.

    It stays behind a fenced block, where what follows must stand on a later line than the fence, and behind a comment.
    """
    run = check.spans.get("run")
    if scene.loaded.document is not None or run is None or not is_own(scene, number):
        return _without(scene, number)
    gap = Span(run.source, run.end, number.start)
    if gap.text.split() != ["exits"] or run.text.endswith("```"):
        return None
    return Edit(Span(run.source, run.end, number.end), "")
