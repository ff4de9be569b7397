"""`gatewright explain`."""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Findings, color_option, output_option, plan_of, style_of, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...compiler.pages import Page
    from ..reports.style import Style


@click.command("explain")
@click.argument("what", metavar="RULES|CODE", required=False)
@click.option("--codes", is_flag=True, help="List all findings: code, name, severity, one sentence.")
@output_option
@color_option
def command(what: str | None, codes: bool, output: str | None) -> None:
    """Say in words what a set of rules asks for (the evidence, every check, and how the verdict follows), or what a
    finding means.

    A finding is named by its code or its name. A file of that name is taken for rules.

    \b
    Examples:
      gatewright explain nginx.gate
      gatewright explain GW203
      gatewright explain loose-word
      gatewright explain --codes
    """
    if codes == (what is not None):
        raise click.UsageError("give rules, the code of a finding, or --codes")
    if what is None:
        text = _list_of_codes()
    elif not Path(what).exists() and (page := _page_named(what)) is not None:
        text = _shown(page, None if output else style_of(sys.stdout))
    else:
        text = _rules_in_words(what)
    write_text(text, output)


def _rules_in_words(path: str) -> str:
    from ...compiler.plan_to_words import plan_to_words
    from ..reports.escape import safe_lines

    findings = Findings()
    plan = plan_of(path, findings)
    findings.tell()
    return "\n".join(safe_lines(plan_to_words(plan)))


def _page_named(word: str) -> Page | None:
    """The page of a code or a slug. Ends with 2 for a word that can only be meant as one; None for a path."""
    from ...compiler.findings import CATALOGUE
    from ...compiler.pages import page_of

    by_name = {kind.slug: kind.code for kind in CATALOGUE.values()}
    page = page_of(by_name.get(word.lower(), word.upper()))
    if page is not None:
        return page
    if number := re.fullmatch(r"(?:GW)?[-_ ]?(\d+)", word.upper()):
        hint = _nearest_code(f"GW{number[1]}", CATALOGUE)
    elif close := difflib.get_close_matches(word.lower(), by_name, n=1, cutoff=0.7):
        hint = f"did you mean “{close[0]}”? "
    else:
        return None
    raise click.UsageError(f"there is no finding “{word}”; {hint}gatewright explain --codes lists all")


def _nearest_code(code: str, known: Iterable[str]) -> str:
    """What to say of a code that is none: the one that is written otherwise, else where its family begins and ends."""
    family = sorted(other for other in known if other.startswith(code[:3]))
    if code in family:
        return f"did you mean “{code}”? "
    return f"those of its family are {family[0]} to {family[-1]}; " if family else ""


def _shown(page: Page, style: Style | None) -> str:
    """The page as it is; on a terminal its headings are strong."""
    from ...compiler.pages import with_headings

    if style is None:
        return page.text
    lines = (style.paint("strong", line) if is_heading else line for line, is_heading in with_headings(page.text))
    return "".join(f"{line}\n" for line in lines)


def _list_of_codes() -> str:
    from ...compiler.findings import CATALOGUE
    from ...compiler.pages import pages

    width = max(len(kind.slug) for kind in CATALOGUE.values())
    return "".join(
        f"{page.code}  {page.slug:{width}}  {CATALOGUE[page.code].severity:7}  {page.summary}\n" for page in pages()
    )
