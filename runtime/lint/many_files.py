"""Many files under lint: what is known from before is read, the rest is worked out on all cores.

    lint_files(candidates([Path("scenarios")]), LintOptions(), Cache(LintOptions()))

Where everything is in the cache neither the parser of `.gate` files nor the models of rules are loaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache as cache_once
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...compiler.discover import may_hold_rules
from ...compiler.folders import Above, RealFolders
from ...compiler.settings import ROOT_MARKS
from ...compiler.sources import decode, reason_of
from ..processes import cores, shared_out
from .notes import LintOptions
from .stored import FileReport

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ..matching import Engine
    from .cache import Cache

_CHUNK = 16
"""Files that a process takes at a time."""

_ALONE = 24
"""Files that are done sooner in one process than it takes to start others."""


@dataclass(slots=True)
class LintReport:
    """What was found in all files."""

    files: list[FileReport] = field(default_factory=list[FileReport])
    unreadable: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])
    """Files that cannot be read, and why."""
    plans: list[Path] = field(default_factory=list[Path])
    """Files that were named and hold no rules but a plan."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A file that is not in the cache."""

    path: Path
    is_named: bool
    data: bytes
    key: str | None


def lint_files(
    files: Iterable[tuple[Path, bool]], options: LintOptions, cache: Cache | None, jobs: int | None = None
) -> LintReport:
    """Lint files, each with whether it was named (or found below a folder). `jobs`: processes; None: one a core."""
    report = LintReport()
    order: list[Path] = []
    found: dict[Path, FileReport] = {}
    missing: list[_Job] = []
    places = _Places()
    for path, is_named in files:
        try:
            data = path.read_bytes()
        except (OSError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            report.unreadable.append((path, reason))
            continue
        if not is_named and path.suffix != ".gate" and not may_hold_rules(data):
            continue
        order.append(path)
        key = None if cache is None else cache.key(path, f"{is_named} {places.of(path)}", data)
        known = None if cache is None or key is None else cache.get(key, path, data)
        if known is None:
            missing.append(_Job(path, is_named, data, key))
        else:
            found[path] = known
    for file in _worked_out(missing, options, cache, _processes(len(missing), jobs)):
        found[file.path] = file
    named = {job.path for job in missing if job.is_named}
    for path in order:
        file = found[path]
        if file.holds_rules:
            report.files.append(file)
        elif path in named:
            report.plans.append(path)
    return report


def _worked_out(
    missing: Sequence[_Job], options: LintOptions, cache: Cache | None, processes: int
) -> Iterator[FileReport]:
    if not missing:
        return
    if processes == 1:
        yield from _lint(missing, options, cache)
    else:
        yield from shared_out(partial(_lint, options=options, cache=cache), missing, processes, _CHUNK)
    if cache is not None:
        cache.prune()


def _lint(jobs: Sequence[_Job], options: LintOptions, cache: Cache | None) -> list[FileReport]:
    """One process's share."""
    return [_lint_file(job, options, cache, _engine()) for job in jobs]


@cache_once
def _engine() -> Engine:
    """One a process, which keeps the patterns that it compiled."""
    from ..matching import default_engine

    return default_engine()


def _lint_file(job: _Job, options: LintOptions, cache: Cache | None, engine: Engine) -> FileReport:
    from .one_file import lint_text

    findings: list[Finding] = []
    source = decode(job.data, str(job.path), findings.append)
    if source is None:
        return FileReport(job.path, findings=tuple(findings))
    linted = lint_text(job.path, source, options, engine, is_named=job.is_named)
    if cache is not None and job.key is not None:
        cache.put(job.key, linted.report, linted.reads, source)
    return linted.report


def _processes(files: int, jobs: int | None) -> int:
    if jobs is not None:
        return max(1, min(jobs, files))
    return 1 if files <= _ALONE else min(files, cores())


class _Places:
    """Where files really are, and the folders that their includes stay in."""

    def __init__(self) -> None:
        self._roots = Above(*ROOT_MARKS)
        self._real = RealFolders()

    def of(self, path: Path) -> str:
        real = self._real.of(str(path.parent))
        name = os.path.realpath(path) if path.is_symlink() else path.name
        return f"{real}\0{name}\0{self._roots.of(real)}"
