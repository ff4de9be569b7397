"""`gatewright compile`."""

from __future__ import annotations

import click

from .common import Findings, check_sizes, color_option, output_option, plan_of, write_text


@click.command("compile")
@click.argument("rules")
@output_option
@color_option
def command(rules: str, output: str | None) -> None:
    """Print the plan of a set of rules as JSON: what is fetched, matched, run, and how the verdict follows.

    A plan can be graded with in place of the rules.

    \b
    Examples:
      gatewright compile nginx.gate
      gatewright compile nginx.gate -o nginx.plan.json
      gatewright grade nginx.plan.json --run run.json
    """
    from ...compiler.plan import plan_to_json
    from ..matching import Matcher, default_engine

    findings = Findings()
    plan = plan_of(rules, findings)
    check_sizes(plan, Matcher(default_engine()), findings)
    findings.tell()
    write_text(plan_to_json(plan), output)
