"""Options that say what a transcript cannot know; `grade` and `import` have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..evidence.sources import Reading, ReadRun

F = TypeVar("F", bound=Callable[..., Any])


def run_options(function: F) -> F:
    """`--run-format`, `--resolution-status`, `--job-status`, `--host` and `--scenario`, in this order in the help."""
    options = (
        click.option(
            "--run-format", metavar="NAME", help="record, atif or claude-code; by default what a file holds decides."
        ),
        click.option("--resolution-status", metavar="STATUS", help="How the job of a transcript resolved."),
        click.option("--job-status", metavar="STATUS", help="How the job of a transcript ended: completed, failed, …"),
        click.option("--host", metavar="HOST", help="The host that the task of a transcript ran on."),
        click.option("--scenario", metavar="KEY", help="The scenario that a transcript is a run of."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def reading_of(given: Mapping[str, str | None]) -> Reading:
    from ..evidence.sources import Reading
    from ..importers.build import Given

    return Reading(
        given["run_format"],
        Given(
            scenario=given["scenario"],
            host=given["host"],
            job_status=given["job_status"],
            resolution_status=given["resolution_status"],
        ),
    )


def tell_unused(run: ReadRun, given: Mapping[str, str | None]) -> None:
    """Say which options a run record, which speaks for itself, was read without."""
    from ..evidence.sources import RECORD
    from ..reports.escape import safe_line

    unused = [f"--{name.replace('_', '-')}" for name, value in given.items() if value and name != "run_format"]
    if run.format == RECORD and unused:
        click.echo(f"{safe_line(run.name)} is a run record; {', '.join(unused)} is only for transcripts", err=True)
