"""The tests of many files, on all cores where that is sooner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as cache_once
from functools import partial
from pathlib import Path

from ...compiler.findings import Finding
from ...compiler.sources import decode, reason_of
from ..matching import Matcher, default_engine
from ..processes import cores, shared_out
from .one_file import TestOptions, run_text
from .outcome import FileTests, TestsReport

_CHUNK = 4
"""Files that a process takes at a time."""

_ALONE = 24
"""Files that are done sooner in one process than it takes to start others, where rules are not changed."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What became of one file: its tests (None: it has none that are asked for), or why it cannot be read."""

    path: Path
    tests: FileTests | None = None
    unreadable: str | None = None


def run_files(files: Iterable[tuple[Path, bool]], options: TestOptions, jobs: int | None = None) -> TestsReport:
    """Run the tests of files, each with whether it was named (or found below a folder). `jobs`: processes; None: one a
    core. JSON holds no tests, and is passed over."""
    # A folder that cannot be entered comes as a file, so that its reading fails and is told.
    given = [(path, named) for path, named in files if named or path.suffix != ".json" or path.is_dir()]
    named = {path for path, is_named in given if is_named}
    done = list(_done([path for path, _ in given], options, _processes(len(given), options, jobs)))
    return TestsReport(
        files=tuple(each.tests for each in done if each.tests is not None),
        unreadable=tuple((each.path, each.unreadable) for each in done if each.unreadable is not None),
        without_tests=tuple(
            each.path for each in done if each.tests is None and each.unreadable is None and each.path in named
        ),
    )


def _done(paths: Sequence[Path], options: TestOptions, processes: int) -> Iterator[_Done]:
    """In the order of the paths."""
    if processes <= 1:
        yield from _share(paths, options)
        return
    yield from shared_out(partial(_share, options=options), paths, processes, _CHUNK)


def _share(paths: Sequence[Path], options: TestOptions) -> list[_Done]:
    """One process's share."""
    return [_file(path, options) for path in paths]


def _file(path: Path, options: TestOptions) -> _Done:
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        return _Done(path, unreadable=reason_of(error) if isinstance(error, OSError) else str(error))
    if path.suffix != ".gate":
        return _Done(path)
    findings: list[Finding] = []
    source = decode(data, str(path), findings.append)
    if source is None:
        return _Done(path, FileTests(path=path, findings=tuple(findings)))
    return _Done(path, run_text(path, source, options, _matcher()))


@cache_once
def _matcher() -> Matcher:
    """One a process, which keeps the patterns that it compiled. Values are few: a look at literals would not pay."""
    return Matcher(default_engine(), "none")


def _processes(files: int, options: TestOptions, jobs: int | None) -> int:
    if jobs is not None:
        return max(1, min(jobs, files))
    alone = 1 if options.mutate else _ALONE
    return 1 if files <= alone else min(-(-files // _CHUNK), cores())
