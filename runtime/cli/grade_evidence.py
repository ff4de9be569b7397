"""The evidence of a call of `grade`: runs, hosts that are asked, bundles that are read and written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Findings, write_text
from .host_options import asked_now
from .progress import progress_line
from .run_options import reading_of, tell_unused

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..evidence.bundle import Bundle
    from ..evidence.record import RunRecord
    from ..evidence.sources import Run
    from ..grade import GradeOptions
    from ..hosts.inventory import Inventory
    from ..matching import Matcher
    from ..result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What to grade, and what to do with what is fetched for it."""

    runs: tuple[str, ...]
    given: dict[str, str | None]
    """What the command line says of runs."""
    bundle: Bundle | None
    """In place of runs and hosts."""
    inventory: Inventory | None
    folder: Path
    """Of the file of the rules."""
    record: str | None
    """The file of the bundle that is to be written."""
    redact: bool


def check_choice(
    runs: tuple[str, ...], inventory: str | None, record: str | None, from_bundle: str | None, *, dry_run: bool
) -> None:
    """Options that cannot stand together."""
    if from_bundle is not None:
        for option, said in (("--run", bool(runs)), ("--inventory", inventory), ("--record", record)):
            if said:
                raise click.UsageError(f"--from-bundle holds the run and its hosts' answers; {option} says others")
    elif not runs and not dry_run:
        raise click.UsageError("--run is missing: a run record, a transcript, a folder of them, or -")
    if dry_run and record is not None:
        raise click.UsageError("--dry-run fetches nothing, so --record has no use beside it")


def bundle_of(path: str, findings: Findings) -> Bundle:
    """The bundle that stands in place of a run. Ends with 2 where it cannot be used."""
    from ..evidence.read_bundle import read_bundle

    bundle = read_bundle(Path(path), findings)
    if bundle is None:
        findings.refuse()
    return bundle


def grade_all(plan: Plan, evidence: Evidence, matcher: Matcher, options: GradeOptions) -> tuple[list[Result], bool]:
    """The results of all runs, and whether at least one run could be read."""
    if evidence.bundle is not None:
        return [_from_bundle(plan, evidence.bundle, evidence, matcher, options)], True
    runs = _runs(evidence)
    results: list[Result] = []
    readable = False
    for run in runs:
        result, was_read = _graded(plan, run, evidence, matcher, options)
        results.append(result)
        readable = readable or was_read
    return results, readable


def _runs(evidence: Evidence) -> Iterator[Run]:
    """With an inventory exactly one: the hosts are as one run left them. A bundle holds one run too."""
    from ..evidence.sources import read_runs

    runs = read_runs(evidence.runs, reading_of(evidence.given))
    if evidence.inventory is None and evidence.record is None:
        return runs
    option = "--record" if evidence.inventory is None else "--inventory"
    first = next(runs, None)
    if first is None or next(runs, None) is not None:
        raise click.UsageError(f"{option} takes exactly one run; several are graded on their recorded answers")
    return iter((first,))


def _from_bundle(plan: Plan, bundle: Bundle, evidence: Evidence, matcher: Matcher, options: GradeOptions) -> Result:
    from ..evidence.redact import redact_result
    from ..grade import grade
    from ..hosts.bundled import BundleEvidence

    if bundle.record is None:
        raise click.UsageError("this bundle is a baseline: it has no run to grade (see --baseline)")
    if bundle.redacted:
        click.echo("the bundle is redacted: rules that look for what was masked may come out otherwise", err=True)
    findings = Findings()
    hosts = BundleEvidence(bundle, plan.hosts)
    result = grade(plan, bundle.record, hosts, matcher, options, report=findings)
    findings.tell()
    return redact_result(result, bundle) if evidence.redact else result


def _graded(plan: Plan, run: Run, evidence: Evidence, matcher: Matcher, options: GradeOptions) -> tuple[Result, bool]:
    from ..evidence.redact import redact_result
    from ..evidence.sources import ReadRun
    from ..grade import ungraded

    findings = Findings()
    for finding in run.findings:
        findings(finding)
    if isinstance(run, ReadRun):
        tell_unused(run, evidence.given)
        result = _fetched(plan, run.record, evidence, matcher, options, findings)
        result = redact_result(result, run.record) if evidence.redact else result
    else:
        problem = "; ".join(finding.message for finding in run.findings if finding.is_error)
        # Named like the runs that can be read: by the file, not by the way to it.
        result = ungraded(plan, Path(run.name).name, problem, options, run.digest)
    findings.tell()
    return result, isinstance(run, ReadRun)


def _fetched(
    plan: Plan, record: RunRecord, evidence: Evidence, matcher: Matcher, options: GradeOptions, findings: Findings
) -> Result:
    """Grade one run, and write the bundle where one is wanted."""
    from ..evidence.bundle import bundle_text
    from ..evidence.redact import redact_bundle
    from ..grade import grade
    from ..hosts.recorded import RecordedEvidence
    from ..hosts.recording import RecordingEvidence

    if evidence.inventory is None and evidence.record is None:
        return grade(plan, record, None, matcher, options, report=findings)
    source = (
        nullcontext(RecordedEvidence(record, plan.hosts))
        if evidence.inventory is None
        else asked_now(evidence.inventory, evidence.folder)
    )
    with source as hosts, progress_line(sys.stderr) as progress:
        recording = RecordingEvidence(hosts)
        options = replace(options, progress=progress)
        result = grade(plan, record, recording, matcher, options, report=findings)
    if evidence.record is not None:
        bundle = recording.bundle(record, plan.scenario)
        write_text(bundle_text(redact_bundle(bundle) if evidence.redact else bundle), evidence.record, private=True)
    return result
