"""The front door: a path to a set of rules, whatever form they are written in.

loaded = load(Path("nginx.gate"), findings.append)      # None when it cannot be read at all
loaded.rules, loaded.form                               # RuleSet(…), 'gate'
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..grammar.text import Source, Span
from .findings import GW101, GW113, GW116, Finding, Report, ignore
from .folders import Above
from .form_checks import check_form
from .ir import RuleSet
from .json_kind import kind_of
from .json_text import parse_json
from .json_to_ir import read_head, read_json
from .json_tree import JsonDocument, JsonObject
from .pattern_checks import check_patterns
from .settings import ROOT_MARKS
from .sources import is_file, is_folder, read_source
from .vocabulary import Form

if TYPE_CHECKING:
    from ..grammar import syntax
    from .gate_to_ir import GateReader, Included
    from .plan import Plan


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file of rules. `document` is its JSON tree, `file` its `.gate` tree: one of them is set."""

    path: Path
    """The file itself, also where a folder was asked for."""
    form: Form
    in_scenario: bool
    rules: RuleSet
    source: Source
    document: JsonDocument | None = None
    file: syntax.File | None = None
    reads: tuple[Path, ...] = ()
    """Other files that it was made of, or would have been had they been there; for a symbolic link also the link."""


@dataclass(frozen=True, slots=True)
class LoadedPlan:
    """A file that holds a plan."""

    path: Path
    plan: Plan
    source: Source


def load(path: Path, report: Report) -> Loaded | LoadedPlan | None:
    """Read rules from a `.gate` file, a JSON file of any form, or the folder of a scenario.

    Everything that is wrong is reported; None only where there is nothing to go on with.
    """
    if is_folder(path):
        return _load_folder(path, report)
    source = read_source(path, report)
    if source is None:
        return None
    return load_text(path, source, report)


def load_text(path: Path, source: Source, report: Report, *, beside: Path | None = None) -> Loaded | LoadedPlan | None:
    """Read rules from the text of the file `path`, as `load` does. `beside`: the `scenario.json` that completes it."""
    return _load_gate(path, source, report, beside) if path.suffix == ".gate" else _load_json(path, source, report)


def neighbour_of(path: Path) -> Path | None:
    """The `scenario.json` that completes a `.gate` file which is found in the folder of a scenario, there or not.

    It counts only where the file has a `scenario` statement.
    """
    return path.parent / "scenario.json" if path.suffix == ".gate" else None


# ---- one file -----------------------------------------------------------------------------------------------------


def _load_gate(path: Path, source: Source, report: Report, beside: Path | None = None) -> Loaded:
    """The rules of a `.gate` file; what it does not say of its scenario is taken from `beside`, where that is there."""
    includes = FileIncludes(path, root_of(path))
    loaded, _ = _read_gate(path, source, includes, report)
    reads = tuple(dict.fromkeys((*includes.links, *includes.read)))
    if beside is not None and loaded.rules.scenario is not None:
        reads = (*reads, beside)
        if beside.is_file():
            loaded = replace(loaded, rules=_completed(loaded.rules, beside, report))
    _check(loaded.rules, report)
    return replace(loaded, reads=reads)


def _read_gate(path: Path, source: Source, includes: FileIncludes, report: Report) -> tuple[Loaded, GateReader]:
    from ..grammar.parser import parse
    from .gate_to_ir import GateReader

    file = parse(source)
    reader = GateReader(file, includes, report)
    rules = reader.read()
    return Loaded(path, "gate", rules.is_scenario, rules, source, file=file), reader


def _load_json(path: Path, source: Source, report: Report) -> Loaded | LoadedPlan | None:
    document = parse_json(source, report)
    return None if document is None else load_document(path, document, report)


def load_document(path: Path, document: JsonDocument, report: Report) -> Loaded | LoadedPlan | None:
    """Read rules from a JSON tree, as `load` does from a text."""
    source = document.source
    if kind_of(document.root) == "plan":
        from .ir_to_plan import plan_from_json

        plan = plan_from_json(document, report)
        return None if plan is None else LoadedPlan(path, plan, source)
    read = read_json(document, report)
    if read is None:
        return None
    _check(read.rules, report)
    return Loaded(path, read.form, read.in_scenario, read.rules, source, document=document)


def _check(rules: RuleSet, report: Report) -> None:
    check_form(rules, report)
    check_patterns(rules, report)


# ---- the folder of a scenario -------------------------------------------------------------------------------------


def _load_folder(folder: Path, report: Report) -> Loaded | LoadedPlan | None:
    """A scenario folder: its one `.gate` file with a `scenario` statement, else its `scenario.json`.

    Key, title, tags and hosts come from a `scenario.json` beside the `.gate` file where that says nothing of them.
    """
    gates = [path for path in sorted(folder.glob("*.gate")) if _is_scenario_file(path)]
    beside = folder / "scenario.json"
    if len(gates) > 1:
        names = " and ".join(path.name for path in gates)
        _refuse(f"two files of {folder} have a scenario statement: {names}", report)
        return None
    if not gates:
        if beside.is_file():
            return load(beside, report)
        _refuse(f"{folder} holds no scenario: no .gate file with a scenario statement, no scenario.json", report)
        return None
    path = gates[0]
    source = read_source(path, report)
    return None if source is None else _load_gate(path, source, report, beside)


def _is_scenario_file(path: Path) -> bool:
    from ..grammar import syntax
    from ..grammar.parser import parse

    source = read_source(path, ignore)
    if source is None or "scenario" not in source.text:
        return False
    statements = parse(source).statements
    return any(isinstance(node, syntax.Setting) and node.keyword == "scenario" for node in statements)


def _completed(rules: RuleSet, beside: Path, report: Report) -> RuleSet:
    source = read_source(beside, report)
    document = None if source is None else parse_json(source, report)
    if document is None or not isinstance(document.root, JsonObject):
        return rules
    other = read_head(document.root, report)
    given = {name: value for name, value in other.items() if name in _FROM_BESIDE and getattr(rules, name) is None}
    return rules.model_copy(update=given) if given else rules


_FROM_BESIDE = ("scenario", "title", "tags", "hosts")


def _refuse(message: str, report: Report) -> None:
    report(Finding(GW101, message))


# ---- includes -----------------------------------------------------------------------------------------------------


def root_of(path: Path) -> Path:
    """The folder that includes stay in: the nearest one above with `gatewright.toml` or `.git`, else the file's."""
    folder = _real(path).parent
    return Path(Above(*ROOT_MARKS).of(str(folder)) or folder)


class FileIncludes:
    """Includes on a file system: relative to the including file, inside the root, each file once."""

    def __init__(
        self,
        path: Path,
        root: Path,
        chain: Mapping[Path, str] | None = None,
        read: dict[Path, Included | None] | None = None,
        links: dict[Path, None] | None = None,
    ) -> None:
        self.path = path
        self.root = root
        self.chain: dict[Path, str] = {**(chain or {}), _real(path): str(path)}
        self.read: dict[Path, Included | None] = {} if read is None else read
        self.links: dict[Path, None] = {} if links is None else links
        """Names that led elsewhere, in order: they may lead to another file one day."""

    def include(self, path: str, span: Span, report: Report) -> Included | None:
        if "\0" in path:
            report(Finding(GW116, "no file has U+0000 in its name", span))
            return None
        shown = Path(os.path.normpath(self.path.parent / path))
        target = _real(shown)
        if target != (named := Path(os.path.abspath(shown))):  # noqa: PTH100
            self.links[named] = None
        if not target.is_relative_to(self.root):
            report(Finding(GW116, f"“{path}” lies outside {_shown_root(self.root)}", span, help=_ROOT_HELP))
            return None
        if target in self.chain:
            links = list(self.chain)
            names = [self.chain[link] for link in links[links.index(target) :]]
            report(Finding(GW116, f"the includes go round in a circle: {' → '.join([*names, names[0]])}", span))
            return None
        if len(self.chain) > MAX_INCLUDES:
            report(Finding(GW116, f"includes nest deeper than {MAX_INCLUDES} files", span))
            return None
        if target in self.read:
            before = self.read[target]
            return None if before is None else replace(before, rules=before.rules.model_copy(update={"rules": ()}))
        self.read[target] = None
        if not is_file(target):
            report(Finding(GW116, f"there is no file {shown}", span, help="the path is relative to this file"))
            return None
        source = read_source(target, report, str(shown))
        if source is not None:
            is_gate = target.suffix == ".gate"
            included = self._gate(shown, source, report) if is_gate else self._json(source, span, report)
            self.read[target] = included
        return self.read[target]

    def _gate(self, path: Path, source: Source, report: Report) -> Included:
        from .gate_to_ir import Included

        inner = FileIncludes(path, self.root, self.chain, self.read, self.links)
        # Names that only other files use are what an included file is for, so unused ones are not reported there.
        loaded, reader = _read_gate(path, source, inner, _without_unused_lets(report))
        return Included(loaded.rules, reader.lets, reader.says_semantics)

    def _json(self, source: Source, span: Span, report: Report) -> Included | None:
        document = parse_json(source, report)
        if document is None:
            return None
        if kind_of(document.root) == "plan":
            report(Finding(GW116, "a plan cannot be included", span, help="include the rules it was made from"))
            return None
        from .gate_to_ir import Included

        read = read_json(document, report)
        return None if read is None else Included(read.rules, {}, True)


def _real(path: Path) -> Path:
    """Without symbolic links; unlike `Path.resolve` it takes those that go round in a circle for a file's name."""
    return Path(os.path.realpath(path))


MAX_INCLUDES = 50
"""How many files may include one another in a row: a bound that no recursion limit is met before."""

_ROOT_HELP = "includes stay inside the nearest folder above with gatewright.toml or .git, else the file's own folder"


def _shown_root(root: Path) -> str:
    return f"the folder {root.name or root}"


def _without_unused_lets(report: Report) -> Report:
    def pass_on(finding: Finding) -> None:
        if finding.kind is GW113 and not finding.is_error:
            return
        report(finding)

    return pass_on
