"""One file of rules under lint: read, checked, and cleared of what its comments allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ...compiler.findings import Finding
from ...compiler.json_kind import looks_like_rules
from ...compiler.json_text import parse_json
from ...compiler.load import Loaded, LoadedPlan, load_document, load_text, neighbour_of
from ...compiler.vocabulary import Form
from ...grammar.text import Source
from ..matching import Engine
from .edits import is_gate_text
from .families import findings_of
from .notes import LintOptions
from .scene import Scene
from .stored import FileReport


@dataclass(frozen=True, slots=True)
class Linted:
    """The report of a file, and the other files that it rests on: what they hold, or that they are not there."""

    report: FileReport
    reads: tuple[Path, ...] = ()


def lint_text(path: Path, source: Source, options: LintOptions, engine: Engine, *, is_named: bool = True) -> Linted:
    """Everything there is to say of a file; `holds_rules` is False for a plan, and for JSON without rules that was
    found and not named."""
    findings: list[Finding] = []
    if path.suffix == ".gate":
        loaded = load_text(path, source, findings.append, beside=neighbour_of(path))
    else:
        document = parse_json(source, findings.append)
        is_other = document is not None and not is_named and not looks_like_rules(document.root)
        loaded = None if document is None or is_other else load_document(path, document, findings.append)
        if is_other or isinstance(loaded, LoadedPlan):
            return Linted(FileReport(path, holds_rules=False))
    if not isinstance(loaded, Loaded):
        return Linted(FileReport(path, findings=_once(findings)))
    has_errors = any(finding.is_error for finding in findings)
    scene = Scene(loaded, _with_held(options, loaded), engine, is_whole=not has_errors)
    findings += findings_of(scene)
    report = FileReport(
        path,
        findings=_once(_without_allowed(findings, source, has_errors=has_errors)),
        undecided=tuple(scene.notes),
        includes=tuple(read for read in loaded.reads if read != neighbour_of(path)),
        is_fragment=_is_fragment(loaded.form, loaded),
    )
    return Linted(report, loaded.reads)


def _with_held(options: LintOptions, loaded: Loaded) -> LintOptions:
    """The options with the host rules of this file that held by the baseline, where it is one of this scenario."""
    bundle = options.baseline
    if bundle is None or bundle.scenario not in (None, loaded.rules.scenario):
        return options
    from ...compiler.ir_to_plan import ir_to_plan
    from ..baseline import held_before

    held = held_before(ir_to_plan(loaded.rules), bundle)
    labels = (loaded.rules.rules[index].label for index, did_hold in held.items() if did_hold)
    return replace(options, held_before=frozenset(labels))


def _is_fragment(form: Form, loaded: Loaded) -> bool:
    return form == "gate" and loaded.rules.scenario is None


def _once(findings: list[Finding]) -> tuple[Finding, ...]:
    """Each finding once: a statement in a loop is many rules in one place."""
    return tuple({(f.code, f.span, f.message): f for f in reversed(findings)}.values())[::-1]


def _without_allowed(findings: list[Finding], source: Source, *, has_errors: bool) -> list[Finding]:
    """The findings that no comment allows, of this file or of a `.gate` file that it includes.

    Files are read for their rules without their comments, so those that may allow something are read once more.
    """
    sources = {finding.span.source for finding in findings if finding.span is not None} | {source}
    gates = [each for each in sources if "allow" in each.text and is_gate_text(each)]
    if not gates:
        return findings
    from ...grammar.parser import parse
    from .suppressions import allow_comments, faults_of, without_allowed

    comments = {each: allow_comments(parse(each, trivia=True)) for each in gates}
    kept = list(without_allowed(findings, comments))
    return kept if has_errors else [*kept, *faults_of(comments.get(source, ()))]
