"""`gatewright convert`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Findings, color_option, end, rules_of, write_files, write_text

if TYPE_CHECKING:
    from ...compiler.json_forms import JsonForm
    from ...compiler.load import Loaded

USAGE_ERROR = "--into puts rules into JSON: --to flat or --to grouped"


@click.command("convert")
@click.argument("source", metavar="IN")
@click.option("--to", "form", type=click.Choice(["flat", "grouped", "gate"]), help="The form to write.")
@click.option("-o", "--output", metavar="OUT", help="A file; for a folder, the folder that mirrors it.")
@click.option("--into", metavar="SCENARIO", help="Put rules and steps into this scenario JSON, the rest as it is.")
@click.option("--strip-comments", is_flag=True, help="With --into: drop the comments of the scenario.")
@color_option
def command(source: str, form: str | None, output: str | None, into: str | None, strip_comments: bool) -> None:
    """Write rules in another form.

    IN is a file of any form, the folder of a scenario, or (with -o) a folder whose files of rules are all converted.
    What the other form cannot say is refused with GW601 and nothing is written; what is said in other words, stays
    behind, or would judge a run otherwise is told.

    \b
    Examples:
      gatewright convert rules.json --to gate
      gatewright convert classic.json --to flat -o flat.json
      gatewright convert nginx.gate --to flat --into scenario.json
      gatewright convert scenarios/ --to gate -o converted/
    """
    if into is not None:
        if output is not None:
            raise click.UsageError("--into writes the scenario itself; -o has no use beside it")
        if form == "gate":
            raise click.UsageError(USAGE_ERROR)
        _into(source, into, form, strip_comments)
        return
    if form is None:
        raise click.UsageError("--to is missing: flat, grouped or gate")
    if Path(source).is_dir() and not (output is None and _is_scenario_folder(Path(source))):
        _tree(Path(source), form, output)
        return
    findings = Findings()
    text = _converted(source, form, findings)
    if text is None:
        findings.refuse(infos=True)
    findings.tell(infos=True)
    write_text(text, output)


def _is_scenario_folder(folder: Path) -> bool:
    """Whether a folder can be read as one scenario, which then goes to standard output like a file."""
    from ...compiler.load import Loaded, load

    return isinstance(load(folder, Findings()), Loaded)


def _converted(source: str, form: str, findings: Findings) -> str | None:
    """The text in the other form, or None when there is an error among the findings."""
    from ...compiler.convert import convert
    from ...compiler.load import Loaded, load

    loaded = load(Path(source), findings)
    if not isinstance(loaded, Loaded):
        if loaded is not None:
            raise click.UsageError(f"{source} is a plan; convert the rules it was made from")
        return None
    if findings.has_errors:
        return None
    text = convert(loaded, form, findings)  # pyright: ignore[reportArgumentType]
    if findings.has_errors:
        return None
    _tell_differences(loaded, form, findings)
    return text


def _tell_differences(loaded: Loaded, form: str, findings: Findings) -> None:
    """GW602 where rules mean something else in their new form; rules that keep their semantics are not looked at."""
    kept: dict[str, str] = {"gate": loaded.rules.semantics, "flat": "flat", "grouped": "classic"}
    if kept[form] == loaded.rules.semantics:
        return
    from ..lint.conversion.may_differ import check
    from ..lint.notes import LintOptions
    from ..lint.scene import Scene

    options = LintOptions(target=form)  # pyright: ignore[reportArgumentType]
    for finding in check(Scene(loaded, options)):
        findings(finding)


def _tree(folder: Path, form: str, output: str | None) -> None:
    from ...compiler.discover import rule_files

    if output is None:
        raise click.UsageError("a folder is converted into another one: -o DIR is missing")
    if Path(output).resolve().is_relative_to(folder.resolve()):
        raise click.UsageError(f"{output} lies in {folder}; the files that are written need a folder of their own")
    findings = Findings()
    texts: dict[Path, str] = {}
    origins: dict[Path, Path] = {}
    for path in rule_files([folder]):
        target = Path(output, path.relative_to(folder)).with_suffix(".gate" if form == "gate" else ".json")
        if target in origins:
            raise click.UsageError(f"{origins[target]} and {path} would both become {target}")
        origins[target] = path
        of_this = Findings()
        text = _converted(str(path), form, of_this)
        findings.all.extend(of_this.all)
        if text is not None:
            texts[target] = text
    if not origins:
        raise click.UsageError(f"no files of rules below {folder}")
    if len(texts) < len(origins):
        findings.refuse(infos=True)
    findings.tell(infos=True)
    write_files(texts)
    click.echo(f"{'1 file' if len(texts) == 1 else f'{len(texts)} files'} written below {output}", err=True)


def _into(source: str, into: str, form: str | None, strip_comments: bool) -> None:
    from ...compiler.convert import convert_into, form_of
    from ...compiler.format_json import has_comments
    from ...compiler.json_text import parse_json
    from ...compiler.sources import read_source

    findings = Findings()
    loaded = rules_of(source, findings)
    target = read_source(Path(into), findings)
    document = None if target is None else parse_json(target, findings)
    if document is None or findings.has_errors:
        findings.refuse()
    if document.comments and not strip_comments:
        findings(has_comments(document))
        findings.refuse()
    natural: JsonForm = "grouped" if loaded.rules.semantics == "classic" else "flat"
    stands = form_of(document)
    if form is None and stands is not None and stands != natural:
        raise click.UsageError(
            f"{into} holds rules of the {stands} form, and {source} means what {natural} rules mean; "
            f"say which form is wanted: --to {stands} or --to {natural}"
        )
    chosen: JsonForm = form or natural  # pyright: ignore[reportAssignmentType]
    text = convert_into(loaded, document, chosen, findings)
    if text is None or findings.has_errors:
        findings.refuse(infos=True)
    _tell_differences(loaded, chosen, findings)
    findings.tell(infos=True)
    write_text(text, into)
    end(0)
