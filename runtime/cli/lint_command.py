"""`gatewright lint`."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from .common import (
    FAILED,
    PASSED,
    USAGE,
    Findings,
    color_option,
    end,
    output_option,
    show_diff,
    standard_input,
    write_files,
)
from .report_options import check_places, keep_inputs, outputs_of, report_findings

if TYPE_CHECKING:
    from ...compiler.findings import Finding
    from ...compiler.settings import Settings
    from ...grammar.text import Source
    from ..lint.many_files import LintReport
    from ..lint.notes import LintOptions
    from ..lint.selection import Choice, Told
    from ..lint.stored import FileReport

Target = Literal["flat", "grouped", "gate"]


@click.command("lint")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--format",
    "formats",
    metavar="FORMAT[=FILE]",
    multiple=True,
    help="text, json, sarif, github or junit; may be repeated, each with a file of its own.",
)
@output_option
@click.option("--select", metavar="CODES", multiple=True, help="Tell only these: codes, GW2, slugs, ALL.")
@click.option("--ignore", metavar="CODES", multiple=True, help="Do not tell these.")
@click.option(
    "--fail-level",
    type=click.Choice(["error", "warning", "info"]),
    help="End with 1 from this severity on; default: warning.",
)
@click.option("--fix", is_flag=True, help="Make the safe fixes: no verdict changes.")
@click.option("--unsafe-fixes", is_flag=True, help="Make all fixes: read them before you keep them.")
@click.option("--diff", is_flag=True, help="Change nothing; show what the fixes would change.")
@click.option(
    "--target", type=click.Choice(["flat", "grouped", "gate"]), help="Say what a conversion to this form would lose."
)
@click.option("--baseline", metavar="FILE", help="Say which host rules held before the run, by this bundle.")
@click.option("--verbose", is_flag=True, help="Say what could not be decided.")
@click.option("--no-cache", is_flag=True, help="Read nothing from the cache, and keep nothing.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; default: one a core.")
@color_option
def command(
    paths: tuple[str, ...],
    formats: tuple[str, ...],
    output: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_level: str | None,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    target: Target | None,
    baseline: str | None,
    verbose: bool,
    no_cache: bool,
    jobs: int | None,
) -> None:
    """Find what is wrong with rules that compile.

    PATH is a file, a folder (its .gate files and JSON files of rules, recursively), or - for a .gate file or rules JSON
    on standard input. `gatewright explain CODE` says what a finding means. Settings are those of the nearest
    gatewright.toml above each file. Ends with 1 when a finding reaches --fail-level, with 2 when nothing was found to
    lint.

    \b
    Examples:
      gatewright lint scenarios/
      gatewright lint nginx.gate --fix
      gatewright lint scenarios/ --format github --format sarif=lint.sarif
    """
    from ..reports import FINDING_FORMATS

    outputs = outputs_of(formats, output, FINDING_FORMATS)
    files = [file for _, file in outputs]
    keep_inputs(files, (*paths, baseline))
    check_places(files)
    choice = _choice(select, ignore)
    options = _options(target, baseline)
    changes = fix or unsafe_fixes or diff
    if changes and "-" in paths:
        raise click.UsageError("standard input cannot be fixed: give a file")
    linted = _linted(paths, options, no_cache, jobs)
    keep_inputs(files, map(str, linted.inputs))
    if changes:
        fixes = _fixed(linted, options, choice, unsafe=unsafe_fixes)
        if diff:
            for path, fixed in fixes.items():
                show_diff(path, fixed.before, fixed.after, "fixed")
            end(USAGE if linted.report.unreadable else FAILED if fixes else PASSED)
        write_files({path: fixed.after for path, fixed in fixes.items()})
        if fixes:
            count = sum(fixed.count for fixed in fixes.values())
            click.echo(f"{_counted(count, 'fix', 'fixes')} made in {_counted(len(fixes), 'file')}", err=True)
            linted = _linted(paths, options, no_cache, jobs)
    shown = linted.told(choice)
    findings = [each.finding for each in shown]
    report_findings(findings, outputs)
    if verbose:
        _tell_undecided(linted)
    _tell_summary(findings, linted)
    if linted.report.unreadable:
        end(USAGE)
    end(FAILED if any(_reaches(each, fail_level) for each in shown) else PASSED)


@dataclass(frozen=True, slots=True)
class _Linted:
    """What was found in the files of a call, and the settings that count for each."""

    report: LintReport
    settings: Mapping[Path, Settings]

    @property
    def inputs(self) -> Iterator[Path]:
        """Everything that was read: no report may take its place."""
        for file in self.report.files:
            yield from (file.path, *file.includes)
        yield from (each.path for each in self.settings.values() if each.path is not None)

    def told(self, choice: Choice, files: Sequence[FileReport] | None = None) -> list[Told]:
        """What is shown of all files, or of some."""
        from ..lint.selection import included_by, told

        included = included_by(self.report.files)
        return told(files or self.report.files, self.settings, choice, datetime.date.today(), included)


def _linted(paths: tuple[str, ...], options: LintOptions, no_cache: bool, jobs: int | None) -> _Linted:
    """Ends with 2 where there is nothing to lint, or settings are wrong."""
    if paths == ("-",):
        report = _standard_input(options)
    else:
        report = _files(paths, options, no_cache, jobs)
    return _Linted(report, _settings(report))


def _files(paths: tuple[str, ...], options: LintOptions, no_cache: bool, jobs: int | None) -> LintReport:
    from ...compiler.discover import candidates
    from ..lint.cache import Cache
    from ..lint.many_files import lint_files
    from ..reports.escape import safe_line

    if "-" in paths:
        raise click.UsageError("standard input is linted alone")
    for path in paths:
        if not _exists(path):
            raise click.UsageError(f"there is no {path or 'file without a name'}")
    report = lint_files(candidates(list(map(Path, paths))), options, None if no_cache else Cache(options), jobs)
    if report.plans:
        raise click.UsageError(f"{report.plans[0]} is a plan; lint the rules it was made from")
    for path, reason in report.unreadable:
        click.echo(f"Error: cannot read {safe_line(str(path))}: {reason}", err=True)
    if not report.files and not report.unreadable:
        raise click.UsageError(f"no files of rules in {', '.join(paths)}")
    return report


def _exists(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _standard_input(options: LintOptions) -> LintReport:
    """One text: JSON where it begins as JSON does. Includes are relative to the working folder."""
    from ...compiler.sources import decode
    from ..lint.many_files import LintReport
    from ..lint.one_file import lint_text
    from ..lint.stored import FileReport
    from ..matching import default_engine

    data = standard_input()
    is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{")
    path = Path("stdin.json" if is_json else "stdin.gate")
    findings: list[Finding] = []
    source = decode(data, "<stdin>", findings.append)
    if source is None:
        return LintReport([FileReport(path, findings=tuple(findings))])
    report = lint_text(path, source, options, default_engine()).report
    if not report.holds_rules:
        raise click.UsageError("this is a plan; lint the rules it was made from")
    return LintReport([report])


def _settings(report: LintReport) -> dict[Path, Settings]:
    """The settings that count for each file. Ends with 2 where something is wrong with them."""
    from ...compiler.folders import RealFolders
    from ...compiler.settings import SettingsReader

    findings = Findings()
    reader, real = SettingsReader(findings), RealFolders()
    found = {file.path: reader.of(real.of(str(file.path.parent))) for file in report.files}
    if findings.has_errors:
        findings.refuse()
    return found


# ---- options ---------------------------------------------------------------------------------------------------------


def _choice(select: tuple[str, ...], ignore: tuple[str, ...]) -> Choice:
    from ..lint.selection import Choice

    return Choice(_codes("--select", select) if select else None, _codes("--ignore", ignore))


def _codes(option: str, given: tuple[str, ...]) -> tuple[str, ...]:
    from ...compiler.settings import code_hint, known_code

    found: list[str] = []
    for word in (word.strip() for entry in given for word in entry.split(",")):
        code = known_code(word)
        if code is None:
            raise click.UsageError(f"{option}: “{word}” is no finding; {code_hint(word)}")
        found.append(code)
    return tuple(found)


def _options(target: Target | None, baseline: str | None) -> LintOptions:
    from ..lint.notes import LintOptions

    if baseline is None:
        return LintOptions(target)
    from hashlib import blake2b

    from .grade_evidence import bundle_of

    findings = Findings()
    bundle = bundle_of(baseline, findings)
    findings.tell()
    return LintOptions(target, bundle, blake2b(Path(baseline).read_bytes()).hexdigest())


def _reaches(told: Told, fail_level: str | None) -> bool:
    from ...compiler.findings import Severity

    level = Severity(fail_level) if fail_level else told.settings.fail_level or Severity.WARNING
    order = list(Severity)
    return order.index(told.finding.severity) <= order.index(level)


# ---- fixes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _FixedFile:
    before: str
    after: str
    count: int


def _fixed(linted: _Linted, options: LintOptions, choice: Choice, *, unsafe: bool) -> dict[Path, _FixedFile]:
    """The files that fixes change; one that has two names, by a symbolic link, under the first."""
    fixed: dict[Path, _FixedFile] = {}
    taken: set[str] = set()
    for file in linted.report.files:
        fixable = [each.finding for each in linted.told(choice, [file]) if each.finding.fix is not None]
        if not any(unsafe or (finding.fix is not None and finding.fix.is_safe) for finding in fixable):
            continue
        if (place := os.path.realpath(file.path)) in taken:
            continue
        change = _fixed_file(file, linted, options, choice, unsafe=unsafe)
        if change is not None:
            fixed[file.path] = change
            taken.add(place)
    return fixed


def _fixed_file(
    file: FileReport, linted: _Linted, options: LintOptions, choice: Choice, *, unsafe: bool
) -> _FixedFile | None:
    from ...compiler.findings import ignore
    from ...compiler.sources import read_source
    from ..lint.fixing import fix
    from ..lint.one_file import lint_text
    from ..matching import default_engine

    source = read_source(file.path, ignore)
    if source is None:
        return None
    engine = default_engine()

    def lint(text: Source) -> list[Finding]:
        report = lint_text(file.path, text, options, engine).report
        told = [each.finding for each in linted.told(choice, [report])]
        # Errors that nobody asked about count as well: a fix must not bring one about.
        others = (finding for finding in report.findings if finding.is_error and finding not in told)
        return [*told, *(replace(finding, fix=None) for finding in others)]

    made = fix(source, lint(source), lint, unsafe=unsafe)
    mark = "\ufeff" if file.path.read_bytes().startswith(b"\xef\xbb\xbf") else ""
    return _FixedFile(mark + source.text, mark + made.text, made.count) if made.count else None


# ---- what is told beside the findings --------------------------------------------------------------------------------


def _tell_undecided(linted: _Linted) -> None:
    from ..reports.escape import safe_line

    for file in linted.report.files:
        for note in file.undecided:
            place = f"{note.span.file}:{note.span.line}:{note.span.column}" if note.span else str(file.path)
            click.echo(safe_line(f"not decided: {place}: {note.code}: {note.why}"), err=True)


def _tell_summary(findings: list[Finding], linted: _Linted) -> None:
    from ..reports.findings_text import findings_summary

    said = f"{findings_summary(findings)} in {_counted(len(linted.report.files), 'file')}"
    safe = sum(finding.fix is not None and finding.fix.is_safe for finding in findings)
    unsafe = sum(finding.fix is not None and not finding.fix.is_safe for finding in findings)
    hints = [f"{safe} can be fixed with --fix"] if safe else []
    hints += [f"{unsafe}{' more' if safe else ''} with --unsafe-fixes"] if unsafe else []
    click.echo("; ".join([said, *hints]), err=True)


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"1 {one}" if count == 1 else f"{count} {many or one + 's'}"
