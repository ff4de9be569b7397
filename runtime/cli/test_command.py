"""`gatewright test`."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import FAILED, PASSED, USAGE, color_option, end, output_option
from .report_options import check_places, keep_inputs, outputs_of, report_tests

if TYPE_CHECKING:
    from ..testing.one_file import TestOptions
    from ..testing.outcome import TestsReport


@click.command("test")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-k", "words", metavar="WORD", multiple=True, help="Only tests with this in their name; may be repeated.")
@click.option(
    "--format",
    "formats",
    metavar="FORMAT[=FILE]",
    multiple=True,
    help="text, json or junit; may be repeated, each with a file of its own.",
)
@output_option
@click.option("--verbose", is_flag=True, help="A line for every test, not for failures only.")
@click.option("--coverage", is_flag=True, help="Say which rules no test sees pass, and which none sees fail.")
@click.option("--mutate", is_flag=True, help="Change the rules step by step, and say which changes no test notices.")
@click.option(
    "--min-score",
    type=click.FloatRange(0, 100),
    metavar="PERCENT",
    help="End with 1 when tests notice fewer changes than this; goes with --mutate.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; default: at most one a core.")
@color_option
def command(
    paths: tuple[str, ...],
    words: tuple[str, ...],
    formats: tuple[str, ...],
    output: str | None,
    verbose: bool,
    coverage: bool,
    mutate: bool,
    min_score: float | None,
    jobs: int | None,
) -> None:
    """Run the test blocks of .gate files.

    PATH is a .gate file, or a folder (its .gate files, recursively). A test describes a run in a few facts and says
    what the rules must make of it; nothing is run on any machine. JSON holds no tests: a .gate file of tests can
    include it. Ends with 1 when a test fails or rules have errors, with 2 when there is no test at all.

    \b
    Examples:
      gatewright test scenarios/
      gatewright test nginx.gate -k reload --verbose
      gatewright test nginx.gate --mutate --min-score 80
      gatewright test scenarios/ --format text --format junit=tests.xml
    """
    from ..reports import TEST_FORMATS
    from ..testing.one_file import TestOptions

    if min_score is not None and isnan(min_score):  # the range lets a NaN through
        raise click.UsageError("--min-score is a percentage from 0 to 100")
    if min_score is not None and not mutate:
        raise click.UsageError("--min-score is about the changes that --mutate makes: give both")
    outputs = outputs_of(formats, output, TEST_FORMATS)
    files = [file for _, file in outputs]
    keep_inputs(files, paths)
    check_places(files)
    tested = _tested(paths, TestOptions(words, mutate=mutate, coverage=coverage), jobs)
    keep_inputs(files, map(str, _inputs(tested)))
    report_tests(tested, outputs, verbose=verbose)
    if tested.unreadable:
        end(USAGE)
    end(PASSED if tested.passed and _reaches(tested, min_score) else FAILED)


def _tested(paths: tuple[str, ...], options: TestOptions, jobs: int | None) -> TestsReport:
    """Ends with 2 where there is nothing to run."""
    from ...compiler.discover import candidates
    from ..reports.escape import safe_line
    from ..testing.many_files import run_files

    for path in paths:
        if not _exists(path):
            raise click.UsageError(f"there is no {path or 'file without a name'}")
    report = run_files(candidates(list(map(Path, paths))), options, jobs)
    for path, reason in report.unreadable:
        click.echo(f"Error: cannot read {safe_line(str(path))}: {reason}", err=True)
    if not report.files:
        if report.unreadable:
            end(USAGE)
        named = f" with {' or '.join(f'“{word}”' for word in options.words)} in its name" if options.words else ""
        json = any(path.suffix != ".gate" for path in report.without_tests)
        help_ = "; JSON holds none: write a .gate file that includes it" if json else ""
        raise click.UsageError(f"no test{named} in {', '.join(paths)}{help_}")
    if not options.words:
        for path in report.without_tests:
            click.echo(f"no tests in {safe_line(str(path))}", err=True)
    return report


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _inputs(report: TestsReport) -> Iterator[Path]:
    """Everything that was read: no report may take its place."""
    for file in report.files:
        yield from (file.path, *file.inputs)


def _reaches(report: TestsReport, min_score: float | None) -> bool:
    """Whether tests notice as many changes as are asked for, by the exact fraction."""
    score = report.mutation
    return min_score is None or score is None or 100 * score.passed >= min_score * score.total
