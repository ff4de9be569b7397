"""`gatewright import`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .common import USAGE, Findings, color_option, end, output_option, write_text
from .run_options import run_options, tell_unused

if TYPE_CHECKING:
    from ..evidence.record import RunRecord


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@run_options
@output_option
@color_option
def command(files: tuple[str, ...], output: str | None, **given: str | None) -> None:
    """Turn agent transcripts into run records: one as JSON, several one a line.

    FILE is a transcript of a known format, a folder of them, or - for standard input. What a transcript cannot know can
    be given: how the job resolved, which host it ran on, which scenario it was.

    \b
    Examples:
      gatewright import session.jsonl -o run.json
      gatewright import trajectory.json --resolution-status success --host web-01
    """
    from ..evidence.sources import ReadRun, read_runs
    from ..evidence.write_record import record_text
    from .run_options import reading_of

    findings = Findings()
    records: list[RunRecord] = []
    unread = False
    for run in read_runs(files, reading_of(given)):
        for finding in run.findings:
            findings(finding)
        if isinstance(run, ReadRun):
            tell_unused(run, given)
            records.append(run.record)
        else:
            unread = True
    findings.tell()
    if not records:
        click.echo("no run record came out", err=True)
        end(USAGE)
    if len(records) == 1 and not unread:
        text = record_text(records[0], indent=2) + "\n"
    else:
        text = "".join(record_text(record) + "\n" for record in records)
    write_text(text, output)
