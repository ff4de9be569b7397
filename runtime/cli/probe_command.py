"""`gatewright probe`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import FAILED, PASSED, Findings, check_sizes, color_option, end, plan_of, write_files
from .report_options import check_places, keep_inputs, outputs_of, report_probe

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..evidence.bundle import Bundle
    from ..proof.probe import Probe


@click.command("probe")
@click.argument("rules")
@click.option("--baseline", metavar="FILE", help="Answer host rules as they were before the run, by this bundle.")
@click.option("--save", metavar="DIR", help="Write the runs there as run records.")
@click.option("--format", "formats", metavar="F[=FILE]", multiple=True, help="text (default) or json.")
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of standard output.")
@color_option
def command(rules: str, baseline: str | None, save: str | None, formats: tuple[str, ...], output: str | None) -> None:
    """Grade impostors: runs that must not pass, made from what the rules look for; and the run that must.

    \b
    idle     does nothing
    talker   says all that the rules look for, and executes nothing
    echoer   prints, greps or comments every command that is wanted
    vandal   does what is asked, and one forbidden thing
    honest   does what is asked

    RULES is a .gate file, rules JSON of any form, a plan, or a scenario's folder. No host is asked: host rules fail for
    impostors, unless a baseline says that they held before the run, and hold for the honest run.

    Ends with 0 when no impostor passes and the honest run does, 1 when not, 2 when the rules have errors.

    \b
    Examples:
      gatewright probe nginx.gate
      gatewright probe scenario/ --save runs && gatewright grade scenario/ --run runs
      gatewright probe nginx.gate --baseline before.json --format json
    """
    from ...compiler.ir_to_plan import rules_of_plan
    from ..matching import Matcher, default_engine
    from ..proof.probe import probe
    from ..reports import PROBE_FORMATS

    outputs = outputs_of(formats, output, PROBE_FORMATS)
    places = tuple(file for _, file in outputs)
    keep_inputs(places, (rules, baseline))
    check_places(places)
    if save is not None and Path(save).exists() and not Path(save).is_dir():
        raise click.UsageError(f"--save {save}: a folder is wanted")
    findings = Findings()
    plan = plan_of(rules, findings)
    matcher = Matcher(default_engine())
    check_sizes(plan, matcher, findings)
    known: Mapping[int, int] = {} if baseline is None else _known(plan, baseline, findings)
    findings.tell()
    probed = probe(rules_of_plan(plan), matcher, known)
    if save is not None:
        files = _files(probed, Path(save))
        _keep(files, (rules, baseline), places)
        write_files(files)
    report_probe(probed, outputs)
    end(PASSED if probed.is_sound else FAILED)


def _known(plan: Plan, baseline: str, findings: Findings) -> Mapping[int, int]:
    """The exit statuses of host rules before the run, by index of the rule."""
    from ..baseline import outcomes_before
    from .grade_evidence import bundle_of

    bundle: Bundle = bundle_of(baseline, findings)
    if bundle.has_run:
        raise click.UsageError("--baseline takes what `gatewright baseline` writes; this bundle holds a run")
    if plan.scenario and bundle.scenario and bundle.scenario != plan.scenario:
        raise click.UsageError(f"the baseline is of “{bundle.scenario}”, the rules are of “{plan.scenario}”")
    outcomes = outcomes_before(plan, bundle)
    return {index: outcome.exit_code for index, outcome in outcomes.items() if outcome.exit_code is not None}


def _keep(files: Mapping[Path, str], inputs: tuple[str | None, ...], places: tuple[str | None, ...]) -> None:
    """Runs never replace what they are made of, nor the report."""
    taken = {os.path.realpath(path) for path in (*inputs, *places) if path is not None}
    for file in files:
        if os.path.realpath(file) in taken:
            raise click.UsageError(f"--save would replace {file}; give the runs a folder of their own")


def _files(probed: Probe, folder: Path) -> dict[Path, str]:
    """Every run as a record; where no honest run was found, none."""
    from ..evidence.write_record import record_text
    from ..proof.honest import HonestRun

    records = [impostor.record for impostor in probed.impostors]
    records += [probed.honest.record] if isinstance(probed.honest, HonestRun) else []
    return {folder / f"{record.id}.json": record_text(record, indent=2) + "\n" for record in records}
