"""`gatewright grade`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from .common import ERROR, FAILED, PASSED, USAGE, Findings, check_sizes, color_option, end, plan_in_folder
from .grade_evidence import Evidence, bundle_of, check_choice, grade_all
from .host_options import SECONDS, check_plan, inventory_of, limit_options, way_to
from .report_options import check_places, keep_inputs, outputs_of, report
from .run_options import run_options

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..evidence.bundle import Bundle
    from ..hosts.inventory import Inventory


class _SeveralRuns(click.Command):
    """Takes all the paths that follow one `--run`, as people write them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        after_run = False
        for argument in args:
            if argument == "--run":
                after_run = True
                continue
            if argument.startswith("-") and argument != "-":
                after_run = False
            spread.extend(("--run", argument) if after_run else (argument,))
        if args and args[-1] == "--run":
            spread.append("--run")
        try:
            return super().parse_args(ctx, spread)
        except click.MissingParameter:
            if "--run" in args:
                message = "RULES is missing; it stands before --run, which takes every path that follows it"
                raise click.UsageError(message, ctx) from None
            raise


@click.command("grade", cls=_SeveralRuns)
@click.argument("rules")
@click.option("--run", "runs", metavar="RUN...", multiple=True, help="Run records or transcripts.")
@click.option("--inventory", metavar="FILE", help="Ask the hosts of this inventory, now (takes exactly one run).")
@limit_options
@click.option(
    "--forks",
    type=click.IntRange(min=1),
    default=16,
    metavar="N",
    show_default=True,
    help="How many hosts are asked side by side.",
)
@click.option("--baseline", metavar="FILE", help="Say which host rules held before the run, by this bundle.")
@click.option("--record", metavar="FILE", help="Write all that was fetched there, to grade it again (one run).")
@click.option("--from-bundle", metavar="FILE", help="Grade what --record wrote, in place of --run; runs nothing.")
@click.option("--redact", is_flag=True, help="Mask passwords, tokens and keys in reports and in what --record writes.")
@click.option("--format", "formats", metavar="F[=FILE]", multiple=True, help="text (default), json or jsonl.")
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of standard output.")
@click.option("--only", metavar="LABEL", multiple=True, help="Grade by this rule alone (may be repeated).")
@click.option("--any-scenario", is_flag=True, help="Grade records of other scenarios too.")
@click.option("--dry-run", is_flag=True, help="Run nothing; say what would be run where.")
@click.option("--timing", is_flag=True, help="Say when and how long; the same input then gives other bytes.")
@click.option(
    "--match-timeout",
    type=SECONDS,
    default=1.0,
    metavar="SECONDS",
    show_default=True,
    help="Longest time that one pattern may take on one value.",
)
@run_options
@color_option
def command(
    rules: str,
    runs: tuple[str, ...],
    inventory: str | None,
    command_timeout: float | None,
    connect_timeout: float | None,
    formats: tuple[str, ...],
    output: str | None,
    only: tuple[str, ...],
    any_scenario: bool,
    dry_run: bool,
    timing: bool,
    forks: int,
    baseline: str | None,
    record: str | None,
    from_bundle: str | None,
    redact: bool,
    match_timeout: float,
    **given: str | None,
) -> None:
    """Grade runs by a set of rules.

    RULES is a .gate file, rules JSON of any form, a plan, or a scenario's folder. RUN is a run record, an agent's
    transcript, a folder of them, or - for standard input. Host rules are answered from the record; with --inventory
    the hosts themselves are asked. Nothing is ever run without it.

    Ends with 0 when all runs passed, 1 when some failed, 3 when some could not be evaluated, 2 when none could be
    graded.

    \b
    Examples:
      gatewright grade nginx.gate --run run.json
      gatewright grade scenario/ --run runs/ --format json -o results.json
      gatewright grade nginx.gate --run run.json --inventory hosts.toml --record bundle.json
      gatewright grade nginx.gate --from-bundle bundle.json
      gatewright grade nginx.gate --run session.jsonl --resolution-status success
    """
    from ..grade import GradeOptions, plan_digest
    from ..matching import Matcher, default_engine
    from ..reports import RESULT_FORMATS

    if dry_run and (formats or output):
        raise click.UsageError("--dry-run makes no report, so --format and -o have no use beside it")
    check_choice(runs, inventory, record, from_bundle, dry_run=dry_run)
    outputs = outputs_of(formats, output, RESULT_FORMATS)
    places = (*(file for _, file in outputs), record)
    keep_inputs(places, (rules, *runs, inventory, from_bundle, baseline))
    check_places(places)
    findings = Findings()
    plan, folder = plan_in_folder(rules, findings)
    plan = _only(plan, only) if only else plan
    matcher = Matcher(default_engine(match_timeout))
    check_sizes(plan, matcher, findings)
    hosts = inventory_of(inventory, command_timeout, connect_timeout, findings)
    bundle = None if from_bundle is None else bundle_of(from_bundle, findings)
    before = None if baseline is None else bundle_of(baseline, findings)
    findings.tell()
    if dry_run:
        _say_what_would_run(plan, hosts)
        return
    if hosts is not None:
        check_plan(plan, hosts, folder)
    options = GradeOptions(
        any_scenario=any_scenario,
        timing=timing,
        rules_digest=plan_digest(plan),
        hosts_at_once=forks,
        held_before={} if before is None else _held_before(plan, before, any_scenario),
    )
    evidence = Evidence(
        runs=runs, given=given, bundle=bundle, inventory=hosts, folder=folder, record=record, redact=redact
    )
    results, readable = grade_all(plan, evidence, matcher, options)
    report(results, outputs)
    verdicts = {result.verdict for result in results}
    if not readable:
        end(USAGE)
    end(ERROR if "error" in verdicts else FAILED if "failed" in verdicts else PASSED)


def _held_before(plan: Plan, bundle: Bundle, any_scenario: bool) -> Mapping[int, bool]:
    from ..baseline import held_before

    if bundle.has_run:
        raise click.UsageError("--baseline takes what `gatewright baseline` writes; this bundle holds a run")
    if not any_scenario and plan.scenario and bundle.scenario and bundle.scenario != plan.scenario:
        raise click.UsageError(f"the baseline is of “{bundle.scenario}”, the rules are of “{plan.scenario}”")
    return held_before(plan, bundle)


def _only(plan: Plan, labels: tuple[str, ...]) -> Plan:
    """The plan of the rules with these labels alone: gates and score are then theirs."""
    from ...compiler.findings import did_you_mean
    from ...compiler.ir_to_plan import ir_to_plan, rules_of_plan

    known = [rule.label for rule in plan.rules]
    for label in labels:
        if label not in known:
            hint = did_you_mean(label, known) or "rules: " + "; ".join(known)
            raise click.UsageError(f"no rule is labelled “{label}”; {hint}")
    rules = tuple(rule for rule in plan.rules if rule.label in labels)
    return ir_to_plan(rules_of_plan(plan).model_copy(update={"rules": rules}))


def _say_what_would_run(plan: Plan, inventory: Inventory | None) -> None:
    from ..reports.escape import safe_line

    if not plan.host_commands and not plan.playbooks:
        click.echo("nothing would be run: no rule looks at a host")
    for group in plan.host_commands:
        click.echo(f"{safe_line(group.host or 'the only host there is')} ({way_to(group.host, inventory)})")
        for command in group.commands:
            click.echo(f"  {safe_line(command.run)}")
    for playbook in plan.playbooks:
        click.echo(f"playbook {safe_line(playbook.path)}")
