"""Options of the commands that run something on hosts, and what they say about hosts."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ...compiler.plan import Plan
    from ..hosts.inventory import Inventory
    from ..hosts.live import LiveEvidence
    from .common import Findings

F = TypeVar("F", bound=Callable[..., Any])


class Seconds(click.ParamType[float]):
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


SECONDS = Seconds()


def limit_options(function: F) -> F:
    """`--command-timeout` and `--connect-timeout`."""
    options = (
        click.option("--command-timeout", type=SECONDS, metavar="SECONDS", help="Longest time of a host's command."),
        click.option(
            "--connect-timeout", type=SECONDS, metavar="SECONDS", help="Longest time of connecting to a host."
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def inventory_of(
    path: str | None, command_timeout: float | None, connect_timeout: float | None, findings: Findings
) -> Inventory | None:
    """The inventory with the limits of the command line; None where none is given."""
    if path is None:
        return None
    from ..hosts.inventory import read_inventory

    return read_inventory(Path(path), path, findings).with_limits(command_timeout, connect_timeout)


@contextmanager
def asked_now(inventory: Inventory, folder: Path) -> Generator[LiveEvidence]:
    """The hosts of an inventory for the length of a block; `folder` is that of the rules. What went wrong on the way to
    one is told at the end, with its address and each thing once, on standard error alone."""
    from ..hosts.live import LiveEvidence

    told: list[str] = []
    hosts = LiveEvidence(inventory, folder, told.append)
    try:
        yield hosts
    finally:
        hosts.close()
        for line in dict.fromkeys(told):
            click.echo(line, err=True)


def check_plan(plan: Plan, inventory: Inventory, folder: Path) -> None:
    """What will keep a host or a playbook of the plan from being asked is told before anything is run anywhere."""
    from ...compiler.findings import GW704, Finding, UserError
    from ..hosts.ansible.playbooks import check_playbook

    check_hosts((group.host for group in plan.host_commands), inventory)
    if plan.playbooks:
        check_playbook_keys(inventory)
    problems = [(playbook, check_playbook(folder, playbook.path)) for playbook in plan.playbooks]
    if any(problem for _, problem in problems):
        raise UserError(
            *(
                Finding(GW704, f"cannot run a playbook: {problem}", rule=plan.rules[playbook.rule].label)
                for playbook, problem in problems
                if problem
            )
        )


def check_playbook_keys(inventory: Inventory) -> None:
    """Keys that `ansible-playbook` could not open are told before anything is run anywhere (GW704): it asks nobody for
    a passphrase, and is given none. What an Ansible inventory says is the user's own affair with Ansible."""
    from ...compiler.findings import GW704, Finding, UserError
    from ..hosts.ssh import locked_keys
    from ..hosts.ssh.keys import PASSPHRASE

    if inventory.ansible_file is not None:
        return
    locked: dict[Path, str] = {}
    for host in inventory.hosts.values():
        if host.connection == "ssh":
            for key in locked_keys(host, inventory.hosts):
                locked.setdefault(key, host.name)
    if locked:
        raise UserError(
            *(
                Finding(
                    GW704,
                    f"host “{name}”: a playbook cannot use the key file {key}, which needs a passphrase",
                    help=f"ssh-add {shlex.quote(str(key))} has the agent hold it; {PASSPHRASE} is for commands only",
                )
                for key, name in locked.items()
            )
        )


def check_hosts(hosts: Iterable[str | None], inventory: Inventory, *, all_needed: bool = False) -> None:
    """Hosts that the inventory lacks, and keys that cannot be used, are told before anything is run anywhere (GW704).
    None: the only host of the inventory.

    A host that the inventory has and Gatewright cannot follow (its warning says so) fails by itself; `all_needed`: it
    is refused, too."""
    from ...compiler.findings import GW704, Finding, UserError, did_you_mean
    from ..hosts.ssh import check_host

    known = inventory.hosts
    all_of_them = f"it has {', '.join(known)}"
    findings: list[Finding] = []
    for host in dict.fromkeys(hosts):
        entry = next(iter(known.values())) if host is None and len(known) == 1 else known.get(host or "")
        if entry is not None and entry.unsupported is not None:
            if all_needed:
                findings.append(Finding(GW704, f"host “{entry.name}”: {entry.unsupported}"))
        elif entry is not None and entry.connection == "ssh":
            if problem := check_host(entry, known):
                findings.append(Finding(GW704, f"host “{entry.name}”: {problem}"))
        elif host is None and len(known) > 1:
            message = f"which host? the inventory {inventory.name} has {', '.join(known)}"
            findings.append(Finding(GW704, message, help="say it with on, or name the scenario's hosts"))
        elif host is not None and host not in known:
            help_ = all_of_them if len(known) < 8 else did_you_mean(host, known) or all_of_them
            findings.append(Finding(GW704, f"host “{host}” is not in the inventory {inventory.name}", help=help_))
    if findings:
        raise UserError(*findings)


def way_to(host: str | None, inventory: Inventory | None) -> str:
    """How a host would be reached, for dry runs."""
    if inventory is None:
        return "no --inventory is given, so nothing would be run"
    if host is None and len(inventory.hosts) > 1:
        return f"which host? {inventory.name} has {', '.join(inventory.hosts)}"
    entry = inventory.hosts.get(host) if host is not None else next(iter(inventory.hosts.values()))
    return f"not in {inventory.name}" if entry is None else f"{entry.connection} connection"
