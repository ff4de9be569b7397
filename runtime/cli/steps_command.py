"""`gatewright prepare` and `gatewright restore`: the steps of a scenario, run on its hosts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .common import ERROR, FAILED, PASSED, Findings, color_option, end, rules_of, style_of
from .host_options import asked_now, check_hosts, check_playbook_keys, inventory_of, limit_options, way_to

if TYPE_CHECKING:
    from ...compiler.load import Loaded
    from ..hosts.inventory import Inventory
    from ..steps import Action, ActionResult, Phase

F = TypeVar("F", bound=Callable[..., Any])


def _options(function: F) -> F:
    options = (
        click.argument("scenario"),
        click.option("--inventory", metavar="FILE", help="The hosts, and how to reach them."),
        limit_options,
        click.option("--dry-run", is_flag=True, help="Run nothing; say what would be run where."),
        color_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("prepare")
@_options
def prepare(scenario: str, **options: Any) -> None:
    """Break the machines as a scenario says, before the agent comes.

    SCENARIO is a .gate file, a scenario in JSON, or a scenario's folder. Its steps run one after the other, in the
    order of the file, then the playbook prepare.yml where one lies beside the file. The first that fails ends it.

    Ends with 0 when all went well, 1 when a step failed, 3 when a host could not be reached, 2 when nothing could be
    run.

    \b
    Examples:
      gatewright prepare nginx.gate --inventory hosts.toml
      gatewright prepare scenario/ --inventory hosts.toml --dry-run
    """
    _run("prepare", scenario, **options)


@click.command("restore")
@_options
def restore(scenario: str, **options: Any) -> None:
    """Repair the machines as a scenario says, after the run.

    SCENARIO is a .gate file, a scenario in JSON, or a scenario's folder. Its steps run one after the other, in the
    order of the file, then the playbook restore.yml where one lies beside the file. A step that fails does not keep
    the others from being run; on a host that cannot be reached no more is tried.

    Ends with 0 when all went well, 1 when a step failed, 3 when a host could not be reached, 2 when nothing could be
    run.

    \b
    Examples:
      gatewright restore nginx.gate --inventory hosts.toml
      gatewright restore scenario/ --inventory hosts.toml --command-timeout 60
    """
    _run("restore", scenario, **options)


def _run(
    phase: Phase,
    scenario: str,
    *,
    inventory: str | None,
    command_timeout: float | None,
    connect_timeout: float | None,
    dry_run: bool,
) -> None:
    from ..steps import Playbook, actions_of, faults_of

    findings = Findings()
    loaded = rules_of(scenario, findings)
    actions = actions_of(loaded.rules, phase, _playbook(scenario, loaded, phase))
    for finding in faults_of(actions):
        findings(finding)
    if findings.has_errors:
        findings.refuse()
    hosts = inventory_of(inventory, command_timeout, connect_timeout, findings)
    findings.tell()
    if not actions:
        click.echo(f"nothing to {phase}")
    elif dry_run:
        _say_what_would_run(actions, hosts)
    elif hosts is None:
        raise click.UsageError("--inventory is missing: nothing is run on any machine without it (see --dry-run)")
    else:
        steps = [action for action in actions if not isinstance(action.does, Playbook)]
        check_hosts((action.host for action in steps), hosts, all_needed=True)
        if len(steps) < len(actions):
            check_playbook_keys(hosts)
        end(_run_and_tell(phase, _on_named_hosts(actions, hosts), hosts, loaded.path.parent))


def _playbook(scenario: str, loaded: Loaded, phase: Phase) -> str | None:
    """The playbook that belongs to a scenario (not to a mere file of rules) because it lies beside its file."""
    name = f"{phase}.yml"
    is_scenario = loaded.in_scenario or Path(scenario).is_dir()
    return name if is_scenario and (loaded.path.parent / name).is_file() else None


def _on_named_hosts(actions: tuple[Action, ...], inventory: Inventory) -> tuple[Action, ...]:
    """Actions on “the only host” on that host by its name."""
    from ..steps import Playbook

    only = next(iter(inventory.hosts))
    return tuple(
        replace(action, host=only) if action.host is None and not isinstance(action.does, Playbook) else action
        for action in actions
    )


def _run_and_tell(phase: Phase, actions: tuple[Action, ...], inventory: Inventory, folder: Path) -> int:
    """Run everything, a line for each step as it ends; gives the exit status."""
    from ..reports.steps_text import host_width, shown_name, step_text
    from ..steps import run_actions

    style, width = style_of(sys.stdout), host_width(actions)
    results: list[ActionResult] = []
    try:
        with asked_now(inventory, folder) as hosts:
            for result in run_actions(actions, hosts, go_on=phase == "restore"):
                results.append(result)
                click.echo(step_text(result, width, style), nl=False, color=True)
                if phase == "restore" and result.status == "failed" and len(results) < len(actions):
                    click.echo(f"warning: “{shown_name(result.action)}” failed; going on with what is left", err=True)
    except (KeyboardInterrupt, SystemExit):
        after = [f"after “{shown_name(result.action)}”" for result in results[-1:]]
        inside = [f"in the middle of “{shown_name(action)}”" for action in actions[len(results) :][:1]]
        click.echo(f"stopped {', '.join(after + inside)}", err=True)
        raise
    if any(result.unreachable for result in results):
        return ERROR
    return FAILED if any(result.status == "failed" for result in results) else PASSED


def _say_what_would_run(actions: tuple[Action, ...], inventory: Inventory | None) -> None:
    from ..reports.escape import safe_line
    from ..reports.steps_text import intention
    from ..steps import Playbook

    for where, group in groupby(actions, lambda action: "" if isinstance(action.does, Playbook) else action.host):
        if where != "":
            click.echo(f"{safe_line(where or 'the only host there is')} ({way_to(where, inventory)})")
        for action in group:
            click.echo(intention(action), nl=False)
