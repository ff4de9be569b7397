"""Where the reports of `grade` go: formats, files, and that no report takes the place of what it is made of."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import style_of, write_text

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ..proof.probe import Probe
    from ..reports.style import Style
    from ..result import Result
    from ..testing.outcome import TestsReport


_STANDARD_OUTPUT = (None, "-", "/dev/stdout", "/proc/self/fd/1")


def outputs_of(
    formats: tuple[str, ...], output: str | None, known: Mapping[str, object]
) -> list[tuple[str, str | None]]:
    """Formats, of those that are known, with the files they go to; at most one goes to standard output (or to `-o`)."""
    outputs: list[tuple[str, str | None]] = []
    for entry in formats or ("text",):
        name, separator, file = entry.partition("=")
        if name not in known:
            raise click.UsageError(f"there is no format “{name}”; formats: {', '.join(known)}")
        if separator and not file:
            raise click.UsageError(f"--format {entry}: the file is missing")
        outputs.append((name, file or output))
    files = [None if file in _STANDARD_OUTPUT else file for _, file in outputs]
    if len(set(files)) < len(files):
        raise click.UsageError("two formats would go to the same place; give one of them a file: --format json=FILE")
    return outputs


def keep_inputs(files: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """What is written never replaces what it is made of."""
    named = [file for file in files if file is not None]
    given = {os.path.realpath(path) for path in inputs if path is not None and path != "-"} if named else set[str]()
    for file in named:
        if os.path.realpath(file) in given:
            raise click.UsageError(f"{file} is an input; the report needs a file of its own")


def check_places(files: Iterable[str | None]) -> None:
    """Places that cannot be written to, or that two things would be written to, are told before any work is done."""
    taken: set[Path] = set()
    for file in files:
        if file is None or file == "-":
            continue
        path = Path(os.path.realpath(file))
        if path in taken:
            raise click.UsageError(f"two things would be written to {file}; give one of them a file of its own")
        taken.add(path)
        if path.is_dir():
            raise click.UsageError(f"cannot write {file}: it is a folder")
        above = next(parent for parent in path.parents if parent.exists())
        if not above.is_dir() or not os.access(path if path.exists() else above, os.W_OK):
            raise click.UsageError(f"cannot write {file}: there is no writing to {above}")


def report(results: list[Result], outputs: list[tuple[str, str | None]]) -> None:
    from ..reports import RESULT_FORMATS

    for name, file in outputs:
        write_text(RESULT_FORMATS[name](results, _style(file)), file)


def report_findings(findings: list[Finding], outputs: list[tuple[str, str | None]]) -> None:
    from ..reports import FINDING_FORMATS

    for name, file in outputs:
        write_text(FINDING_FORMATS[name](findings, _style(file)), file)


def report_tests(tested: TestsReport, outputs: list[tuple[str, str | None]], *, verbose: bool) -> None:
    from ..reports import TEST_FORMATS

    for name, file in outputs:
        write_text(TEST_FORMATS[name](tested, _style(file), verbose), file)


def report_probe(probed: Probe, outputs: list[tuple[str, str | None]]) -> None:
    from ..reports import PROBE_FORMATS

    for name, file in outputs:
        write_text(PROBE_FORMATS[name](probed, _style(file)), file)


def _style(file: str | None) -> Style:
    from ..reports.style import PLAIN

    return style_of(sys.stdout) if file is None else PLAIN
