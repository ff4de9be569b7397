"""`gatewright baseline`: the host rules of a scenario, asked before the agent comes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import ERROR, PASSED, Findings, color_option, end, output_option, plan_in_folder, write_text
from .host_options import asked_now, check_plan, inventory_of, limit_options
from .report_options import keep_inputs

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..evidence.bundle import Bundle
    from ..hosts.inventory import Inventory


@click.command("baseline")
@click.argument("scenario")
@click.option("--inventory", metavar="FILE", help="The hosts, and how to reach them.")
@limit_options
@click.option("--redact", is_flag=True, help="Mask passwords, tokens and keys in what is written.")
@output_option
@color_option
def command(
    scenario: str,
    inventory: str | None,
    command_timeout: float | None,
    connect_timeout: float | None,
    redact: bool,
    output: str | None,
) -> None:
    """Ask the hosts what the host rules of a scenario ask, before the run, and write the answers as a bundle.

    SCENARIO is a .gate file, rules JSON of any form, a plan, or a scenario's folder. Each command and each playbook is
    run once. With the bundle, `grade --baseline` says which rules held before the agent came.

    Ends with 0 when every host answered, 3 when one could not be reached or a playbook could not be run (what is known
    is written all the same), 2 when nothing could be asked.

    \b
    Examples:
      gatewright baseline nginx.gate --inventory hosts.toml -o before.json
      gatewright baseline scenario/ --inventory hosts.toml -o before.json --command-timeout 60
    """
    from ..evidence.bundle import bundle_text
    from ..evidence.redact import redact_bundle, redact_text

    if inventory is None:
        raise click.UsageError("--inventory is missing: nothing is run on any machine without it")
    keep_inputs((output,), (scenario, inventory))
    findings = Findings()
    plan, folder = plan_in_folder(scenario, findings)
    hosts = inventory_of(inventory, command_timeout, connect_timeout, findings)
    findings.tell()
    assert hosts is not None
    check_plan(plan, hosts, folder)
    bundle = _taken(plan, hosts, folder)
    write_text(bundle_text(redact_bundle(bundle) if redact else bundle), output, private=True)
    end(_told(plan, bundle, redact_text if redact else str))


def _taken(plan: Plan, inventory: Inventory, folder: Path) -> Bundle:
    from ..baseline import take_baseline
    from ..grade import GradeOptions
    from .progress import progress_line

    with asked_now(inventory, folder) as hosts, progress_line(sys.stderr) as progress:
        return take_baseline(plan, hosts, GradeOptions(progress=progress))


def _told(plan: Plan, bundle: Bundle, shown: Callable[[str], str]) -> int:
    """Say on standard error what came out, and give the exit status."""
    from ..baseline import is_known, outcomes_before
    from ..reports.escape import safe_line

    outcomes = outcomes_before(plan, bundle)
    if not outcomes:
        click.echo("no rule looks at a host, so there was nothing to ask", err=True)
    for index, outcome in outcomes.items():
        label = safe_line(shown(plan.rules[index].label))
        if outcome.status == "pass":
            click.echo(f"holds before the run: {label}", err=True)
        elif not is_known(outcome):
            click.echo(f"not known before the run: {label} ({safe_line(shown(outcome.reason))})", err=True)
    return ERROR if any(outcome.status == "error" for outcome in outcomes.values()) else PASSED
