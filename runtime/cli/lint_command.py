"""`gatewright lint`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .common import FAILED, PASSED, Findings, color_option, end, style_of, write_text


@click.command("lint")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@color_option
def command(paths: tuple[str, ...]) -> None:
    """Find what is wrong with rules that compile.

    \b
    Example:
      gatewright lint nginx.gate
    """
    from ...compiler.discover import rule_files
    from ...compiler.load import Loaded, load
    from ..lint import Scene, findings_of
    from ..reports import FINDING_FORMATS

    findings = Findings()
    for path in rule_files([Path(path) for path in paths]):
        loaded = load(path, findings)
        if isinstance(loaded, Loaded):
            findings.all.extend(findings_of(Scene(loaded)))
    write_text(FINDING_FORMATS["text"](findings.all, style_of(sys.stdout)), None)
    end(FAILED if any(finding.severity != "info" for finding in findings.all) else PASSED)
