"""`gatewright grade`."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common import (
    ERROR,
    FAILED,
    PASSED,
    USAGE,
    Findings,
    check_sizes,
    color_option,
    end,
    plan_of,
    style_of,
    write_text,
)
from .run_options import reading_of, run_options, tell_unused

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..evidence.sources import Run
    from ..grade import GradeOptions
    from ..hosts.inventory import Inventory
    from ..hosts.live import LiveEvidence
    from ..matching import Matcher
    from ..result import Result


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


class _Seconds(click.ParamType[float]):
    """A positive number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not (seconds > 0 and math.isfinite(seconds)):
            self.fail(f"“{value}” is no number of seconds above 0", param, ctx)
        return seconds


_SECONDS = _Seconds()


@click.command("grade", cls=_SeveralRuns)
@click.argument("rules")
@click.option("--run", "runs", metavar="RUN...", multiple=True, help="Run records or transcripts.")
@click.option("--inventory", metavar="FILE", help="Ask the hosts of this inventory, now (takes exactly one run).")
@click.option("--command-timeout", type=_SECONDS, metavar="SECONDS", help="Longest time of a host's command.")
@click.option("--connect-timeout", type=_SECONDS, metavar="SECONDS", help="Longest time of connecting to a host.")
@click.option("--format", "formats", metavar="F[=FILE]", multiple=True, help="text (default), json or jsonl.")
@click.option("-o", "--output", metavar="FILE", help="Write the report there instead of standard output.")
@click.option("--only", metavar="LABEL", multiple=True, help="Grade by this rule alone (may be repeated).")
@click.option("--any-scenario", is_flag=True, help="Grade records of other scenarios too.")
@click.option("--dry-run", is_flag=True, help="Run nothing; say what would be run where.")
@click.option("--timing", is_flag=True, help="Say when and how long; the same input then gives other bytes.")
@click.option(
    "--match-timeout",
    type=_SECONDS,
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
      gatewright grade nginx.gate --run run.json --inventory hosts.toml
      gatewright grade nginx.gate --run session.jsonl --resolution-status success
    """
    from ..grade import GradeOptions, plan_digest
    from ..matching import ExactEngine, Matcher

    if dry_run and (formats or output):
        raise click.UsageError("--dry-run makes no report, so --format and -o have no use beside it")
    if not runs and not dry_run:
        raise click.UsageError("--run is missing: a run record, a transcript, a folder of them, or -")
    outputs = _outputs(formats, output)
    _keep_inputs(outputs, (rules, *runs))
    findings = Findings()
    plan = plan_of(rules, findings)
    plan = _only(plan, only) if only else plan
    matcher = Matcher(ExactEngine(match_timeout))
    check_sizes(plan, matcher, findings)
    hosts = _inventory(inventory)
    if hosts is not None:
        hosts = hosts.with_limits(command_timeout, connect_timeout)
    findings.tell()
    if dry_run:
        _say_what_would_run(plan, hosts)
        return
    if hosts is not None:
        _check_hosts(plan, hosts)
    read = _read(runs, given)
    if hosts is not None:
        read = _exactly_one(read)
    options = GradeOptions(any_scenario=any_scenario, timing=timing, rules_digest=plan_digest(plan))
    results, readable = _grade(plan, read, given, hosts, matcher, options)
    _report(results, outputs)
    verdicts = {result.verdict for result in results}
    if not readable:
        end(USAGE)
    end(ERROR if "error" in verdicts else FAILED if "failed" in verdicts else PASSED)


# ---- runs ------------------------------------------------------------------------------------------------------------


def _read(runs: tuple[str, ...], given: dict[str, str | None]) -> Iterator[Run]:
    from ..evidence.sources import read_runs

    return read_runs(runs, reading_of(given))


def _exactly_one(runs: Iterator[Run]) -> Iterator[Run]:
    """The one run of a call with an inventory: the hosts are as one run left them, not as several did."""
    first = next(runs, None)
    if first is None or next(runs, None) is not None:
        raise click.UsageError("--inventory takes exactly one run; several are graded on their recorded answers")
    return iter((first,))


def _grade(
    plan: Plan,
    runs: Iterator[Run],
    given: dict[str, str | None],
    inventory: Inventory | None,
    matcher: Matcher,
    options: GradeOptions,
) -> tuple[list[Result], bool]:
    """The results of all runs, and whether at least one run could be read."""
    from ..evidence.sources import ReadRun
    from ..grade import grade, ungraded

    results: list[Result] = []
    readable = False
    for run in runs:
        findings = Findings()
        for finding in run.findings:
            findings(finding)
        if isinstance(run, ReadRun):
            readable = True
            tell_unused(run, given)
            live = _live(inventory)
            try:
                results.append(grade(plan, run.record, live, matcher, options, report=findings))
            finally:
                if live is not None:
                    live.close()
        else:
            problem = "; ".join(finding.message for finding in run.findings if finding.is_error)
            # Named like the runs that can be read: by the file, not by the way to it.
            results.append(ungraded(plan, Path(run.name).name, problem, options, run.digest))
        findings.tell()
    return results, readable


def _live(inventory: Inventory | None) -> LiveEvidence | None:
    if inventory is None:
        return None
    from ..hosts.live import LiveEvidence

    return LiveEvidence(inventory)


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


# ---- hosts -----------------------------------------------------------------------------------------------------------


def _inventory(path: str | None) -> Inventory | None:
    from ..hosts.inventory import read_inventory

    return None if path is None else read_inventory(Path(path))


def _check_hosts(plan: Plan, inventory: Inventory) -> None:
    """Hosts that the inventory lacks are told before anything is run anywhere (GW704)."""
    from ...compiler.findings import GW704, Finding, UserError, did_you_mean

    known = inventory.hosts
    missing = [group.host for group in plan.host_commands if group.host is not None and group.host not in known]
    if missing:
        all_of_them = f"it has {', '.join(known)}"
        raise UserError(
            *(
                Finding(
                    GW704,
                    f"host “{host}” is not in the inventory {inventory.name}",
                    help=all_of_them if len(known) < 8 else did_you_mean(host, known) or all_of_them,
                )
                for host in missing
            )
        )


def _say_what_would_run(plan: Plan, inventory: Inventory | None) -> None:
    from ..reports.escape import safe_line

    if not plan.host_commands and not plan.playbooks:
        click.echo("nothing would be run: no rule looks at a host")
    for group in plan.host_commands:
        click.echo(f"{safe_line(group.host or 'the only host there is')} ({_way_to(group.host, inventory)})")
        for command in group.commands:
            click.echo(f"  {safe_line(command.run)}")
    for playbook in plan.playbooks:
        click.echo(f"playbook {safe_line(playbook.path)}")


def _way_to(host: str | None, inventory: Inventory | None) -> str:
    if inventory is None:
        return "no --inventory is given, so nothing would be run"
    if host is None and len(inventory.hosts) > 1:
        return f"which host? {inventory.name} has {', '.join(inventory.hosts)}"
    entry = inventory.hosts.get(host) if host is not None else next(iter(inventory.hosts.values()))
    return f"not in {inventory.name}" if entry is None else f"{entry.connection} connection"


# ---- reports ---------------------------------------------------------------------------------------------------------


def _outputs(formats: tuple[str, ...], output: str | None) -> list[tuple[str, str | None]]:
    """Formats with the files they go to; at most one goes to standard output (or to `-o`)."""
    from ..reports import RESULT_FORMATS

    outputs: list[tuple[str, str | None]] = []
    for entry in formats or ("text",):
        name, separator, file = entry.partition("=")
        if name not in RESULT_FORMATS:
            raise click.UsageError(f"there is no format “{name}”; formats: {', '.join(RESULT_FORMATS)}")
        if separator and not file:
            raise click.UsageError(f"--format {entry}: the file is missing")
        outputs.append((name, file or output))
    files = [file for _, file in outputs]
    if len(set(files)) < len(files):
        raise click.UsageError("two formats would go to the same place; give one of them a file: --format json=FILE")
    return outputs


def _keep_inputs(outputs: list[tuple[str, str | None]], inputs: tuple[str, ...]) -> None:
    """A report never replaces the rules or a run that it is made of."""
    for _, file in outputs:
        if file is not None and any(Path(file).resolve() == Path(path).resolve() for path in inputs if path != "-"):
            raise click.UsageError(f"{file} is an input; the report needs a file of its own")


def _report(results: list[Result], outputs: list[tuple[str, str | None]]) -> None:
    from ..reports import RESULT_FORMATS
    from ..reports.style import PLAIN

    for name, file in outputs:
        write_text(RESULT_FORMATS[name](results, style_of(sys.stdout) if file is None else PLAIN), file)
