"""`gatewright schema`."""

from __future__ import annotations

import json

import click

from .common import output_option, write_text


@click.command("schema")
@click.argument("name", metavar="NAME")
@output_option
def command(name: str, output: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of a file that Gatewright reads or writes.

    \b
    NAME is one of:
      flat      rules, an array                     run        a run record
      grouped   rules, an object of groups          result     the result of one run
      scenario  a scenario object                   results    results of several runs
      plan      what compile prints                 inventory  hosts.toml, as JSON data
      findings  findings of lint --format json      bundle     what grade --record writes
      probe     what probe --format json prints     tests      what test --format json prints

    \b
    Example:
      gatewright schema run -o run.schema.json
    """
    from ..schemas import SCHEMAS

    if name not in SCHEMAS:
        raise click.UsageError(f"there is no schema “{name}”; schemas: {', '.join(SCHEMAS)}")
    write_text(json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False) + "\n", output)
