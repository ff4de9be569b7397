"""`gatewright fmt`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import (
    FAILED,
    PASSED,
    USAGE,
    Findings,
    color_option,
    end,
    show_diff,
    standard_input,
    write_files,
    write_text,
)

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ...grammar.text import Source


@click.command("fmt")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; end with 1 when a file is not laid out.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change (ends with 1 when anything would).")
@click.option("--strip-comments", is_flag=True, help="Drop the comments of JSON files, which JSON does not have.")
@color_option
def command(paths: tuple[str, ...], check: bool, diff: bool, strip_comments: bool) -> None:
    """Lay out .gate files and the rules inside JSON files, in place.

    PATH is a file, a folder (its .gate files and JSON files of rules, recursively), or - for a .gate file on standard
    input, laid out to standard output. Comments of .gate files and their order survive; of a JSON file everything but
    the rules stays as it is. Files are written with LF line ends and without a byte order mark.

    \b
    Examples:
      gatewright fmt nginx.gate
      gatewright fmt --check scenarios/
      gatewright fmt --diff scenario.json
    """
    if paths == ("-",):
        _standard_input(check, diff)
        return
    from ...compiler.discover import rule_files
    from ...compiler.sources import read_source

    findings = Findings()
    missing = [path for path in paths if not Path(path).exists()]
    if missing:
        raise click.UsageError(f"there is no {missing[0]}")
    changed: dict[Path, str] = {}
    seen = 0
    broken: list[Path] = []
    refused = False
    for path in rule_files([Path(path) for path in paths]):
        seen += 1
        before = len(findings.all)
        source = read_source(path, findings)
        text = None if source is None else _formatted(path, source, findings, strip_comments)
        if source is None or text is None:
            refused = refused or source is None or _comments_only(findings.all[before:])
            broken.append(path)
        elif text.encode() != path.read_bytes():
            changed[path] = text
            if diff:
                show_diff(path, source.text, text, "laid out")
    if not seen:
        raise click.UsageError(f"no files of rules in {', '.join(paths)}")
    findings.tell()
    if check or diff:
        _tell_check(changed, seen)
        end(USAGE if refused else FAILED if changed or broken else PASSED)
    write_files(changed)
    kept = seen - len(changed) - len(broken)
    click.echo(
        f"{_files(len(changed))} laid out, {_files(kept)} left as {'it was' if kept == 1 else 'they were'}", err=True
    )
    end(USAGE if broken else PASSED)


def _formatted(path: Path, source: Source, findings: Findings, strip_comments: bool) -> str | None:
    if path.suffix == ".gate":
        from ...compiler.format_gate import format_gate

        return format_gate(source, findings)
    from ...compiler.format_json import format_json

    return format_json(source, findings, strip_comments=strip_comments)


def _comments_only(findings: list[Finding]) -> bool:
    """Whether a file was left alone for its comments: then it is the call that must change, not the file."""
    from ...compiler.findings import GW107

    return any(finding.kind is GW107 for finding in findings)


def _standard_input(check: bool, diff: bool) -> None:
    from ...compiler.format_gate import format_gate
    from ...compiler.sources import decode

    findings = Findings()
    data = standard_input()
    source = decode(data, "<stdin>", findings)
    text = None if source is None else format_gate(source, findings)
    if source is None or text is None:
        findings.refuse()
    changes = text.encode() != data
    if diff and changes:
        show_diff(Path("<stdin>"), source.text, text, "laid out")
    if check or diff:
        end(FAILED if changes else PASSED)
    write_text(text, None)


def _tell_check(changed: dict[Path, str], seen: int) -> None:
    from ..reports.escape import safe_line

    for path in changed:
        click.echo(f"not laid out: {safe_line(str(path))}", err=True)
    click.echo(f"{_files(len(changed))} to lay out, {_files(seen)} seen", err=True)


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
