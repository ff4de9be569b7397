"""`gatewright explain`."""

from __future__ import annotations

from pathlib import Path

import click

from .common import Findings, color_option, output_option, plan_of, write_text


@click.command("explain")
@click.argument("rules")
@output_option
@color_option
def command(rules: str, output: str | None) -> None:
    """Say in words what a set of rules asks for: the evidence, every check, and how the verdict follows.

    \b
    Example:
      gatewright explain nginx.gate
    """
    from ...compiler.findings import CATALOGUE
    from ...compiler.plan_to_words import plan_to_words
    from ..reports.escape import safe_lines

    kind = CATALOGUE.get(rules.upper())
    if kind is not None and not Path(rules).exists():
        raise click.UsageError(
            f"{kind.code} is the finding “{kind.slug}” ({kind.severity}); explain says what a file of rules asks for"
        )
    findings = Findings()
    plan = plan_of(rules, findings)
    findings.tell()
    write_text("\n".join(safe_lines(plan_to_words(plan))), output)
