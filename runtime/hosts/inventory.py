"""The inventory: which machine a host of the scenario is, and how to reach it.

    [defaults]
    command_timeout = 60
    [hosts.web-01]
    address = "192.0.2.10"
    jump = "bastion"
    [hosts.bastion]

`HostSettings` is the one description of the keys (None: not said): reader, published JSON Schema and types come
from it. Everything that is wrong with a file is reported at once, as GW704, at the key or value in question.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from ...compiler.findings import GW704, Finding, Report, UserError, did_you_mean, ignore
from ...compiler.toml_places import Place, places, toml_fault
from ...grammar.text import Source, Span

Text = Annotated[str, Field(min_length=1)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class HostSettings(_Model):
    """The keys of a host, and of `[defaults]`."""

    connection: Literal["ssh", "local"] = "ssh"
    """`ssh`, or `local` for the machine that Gatewright runs on."""
    address: Text | None = None
    """Name or address to connect to; default: what `~/.ssh/config` says for the host's name, else that
    name."""
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """TCP port of the SSH server; default: what `~/.ssh/config` says, else 22."""
    user: Text | None = None
    """User to log in as; default: what `~/.ssh/config` says, else the user who runs Gatewright."""
    key: Text | None = None
    """File of the private key, `~` allowed, relative to the inventory; default: the agent and the usual
    files."""
    host_key: Literal["known", "accept-new", "ignore"] = "known"
    """`known`: only keys of `known_hosts`; `accept-new`: unknown ones too, changed ones not; `ignore`: any
    key."""
    known_hosts: Text | None = None
    """File of known host keys, `~` allowed, relative to the inventory; default: `~/.ssh/known_hosts`."""
    jump: Text | None = None
    """Another host of this file, through which the connection goes."""
    shell: Text | None = None
    """Shell that runs the commands, as `SHELL -c COMMAND`; default: the login shell."""
    command_timeout: Seconds = 300.0
    """Seconds after which a command is ended."""
    connect_timeout: Seconds = 10.0
    """Seconds in which a connection must be made."""


class Host(HostSettings):
    """One machine: its own settings over the defaults, with paths made absolute."""

    name: Text
    """What the scenario calls it."""
    proxy_jump: Text | None = None
    """Hosts that are not of this inventory, through which the connection goes, as `ssh -J` takes them:
    `USER@HOST:PORT,…`. Only Ansible inventories say it."""
    proxy_command: Text | None = None
    """Command whose standard streams are the connection, as `ProxyCommand` of ssh_config. Only Ansible
    inventories say it."""
    unsupported: Text | None = None
    """Why no connection can be made, whatever else is said; None: it can be tried."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """The hosts of one inventory, by name, in the order of the file."""

    name: str
    """The file as the user named it."""
    hosts: Mapping[str, Host]
    ansible_file: Path | None = None
    """The Ansible inventory that this was read from, for `ansible-playbook`; None: it was TOML."""

    def with_limits(self, command_timeout: float | None = None, connect_timeout: float | None = None) -> Inventory:
        """The same with these limits (seconds) for every host, for the options of the command line; None: as
        it is."""
        limits = {"command_timeout": command_timeout, "connect_timeout": connect_timeout}
        said = {name: value for name, value in limits.items() if value is not None}
        return replace(self, hosts={name: host.model_copy(update=said) for name, host in self.hosts.items()})


class _File(_Model):
    """Hosts of a scenario, and how to reach them."""

    defaults: HostSettings = HostSettings()
    """Settings of every host that does not say otherwise."""
    hosts: Annotated[dict[Text, HostSettings], Field(min_length=1)]
    """Settings of each host, by the name that the scenario uses."""


_WORDS = {
    "connection": "“ssh” or “local”",
    "port": "a whole number from 1 to 65535",
    "host_key": "“known”, “accept-new” or “ignore”",
    "command_timeout": "a number of seconds above 0",
    "connect_timeout": "a number of seconds above 0",
}
"""What a value must be; of keys that do not stand here: a text that is not empty."""

_CHOICES = {"connection": ("ssh", "local"), "host_key": ("known", "accept-new", "ignore")}


def read_inventory(path: Path, name: str | None = None, report: Report = ignore) -> Inventory:
    """Read an inventory file, in TOML or one of Ansible's (see the package `ansible`); `name` is what messages call it.

    Raises `UserError` with every fault found; where there is none, warnings are reported.
    """
    from .ansible.inventory_file import is_ansible_inventory, parse_ansible_inventory

    name = name or str(path)
    findings: list[Finding] = []
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserError(Finding(GW704, f"cannot read the inventory {name}: {error.strerror or error}")) from None
    except UnicodeDecodeError as error:
        message = f"cannot read the inventory {name}: byte {error.start + 1} is not UTF-8"
        raise UserError(Finding(GW704, message)) from None
    source = Source(name, text)
    if is_ansible_inventory(path, text):
        inventory = parse_ansible_inventory(source, path, findings.append)
    else:
        inventory = parse_inventory(source, path.absolute().parent, findings.append)
    if inventory is None:
        raise UserError(*findings)
    for finding in findings:
        report(finding)
    return inventory


def parse_inventory(source: Source, folder: Path, report: Report) -> Inventory | None:
    """The inventory that a text in TOML says; paths in it are relative to `folder`. None when a fault was
    reported."""
    # 1. TOML
    try:
        document = tomllib.loads(source.text)
    except RecursionError:
        report(Finding(GW704, "the inventory is nested too deep"))
        return None
    except ValueError as error:
        said, span = toml_fault(source, error)
        report(Finding(GW704, f"this is not TOML: {said}", span, help=_WHAT_IT_IS))
        return None

    # 2. keys and values
    where = places(source)
    try:
        file = _File.model_validate(document)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            report(_fault(fault, where))
        return None

    # 3. jump hosts
    faults = [*_unknown_jumps(file, where)]
    for finding in faults:
        report(finding)
    if faults:
        return None
    hosts = _merged(file, folder)
    faults = [*_wrong_jumps(hosts, where)]
    for finding in faults:
        report(finding)
    return None if faults else Inventory(source.name, hosts)


def inventory_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of an inventory file, read as data."""
    from ...compiler.model_schema import schema_of

    schema = schema_of(_File)
    schema["title"] = "Gatewright inventory"
    settings = schema["$defs"]["HostSettings"]["properties"]
    for name, key in settings.items():  # TOML has no null: what is not said is not there
        kinds = [kind for kind in key.pop("anyOf", ()) if kind != {"type": "null"}]
        settings[name] = {**kinds[0], **key} if kinds else key
        settings[name]["description"] = " ".join(key["description"].split())
        if key.get("default", "") is None:
            del settings[name]["default"]
    del schema["properties"]["defaults"]["default"]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


_WHAT_IT_IS = "an inventory is a TOML file with a table [hosts.NAME] for each host, or one of Ansible's"


# ---- faults ------------------------------------------------------------------------------------------------


def _fault(fault: ErrorDetails, where: Mapping[tuple[str, ...], Place]) -> Finding:
    """The finding for one error of the model, at the key or value in question."""
    path = tuple(str(part) for part in fault["loc"] if part != "[key]")
    key = path[-1]
    kind = fault["type"]
    if kind == "missing" or (path == ("hosts",) and kind == "too_short"):
        return Finding(GW704, "the inventory has no hosts", _value_span(where, path), help="add a table [hosts.NAME]")
    if kind == "extra_forbidden":
        known = list(_File.model_fields) if len(path) == 1 else list(HostSettings.model_fields)
        hint = did_you_mean(key, known) or f"known keys: {', '.join(known)}"
        return Finding(GW704, f"unknown key “{key}”", _key_span(where, path), help=hint)
    if path == ("hosts",) or kind in ("model_type", "model_attributes_type"):
        title = "hosts.NAME" if path[0] == "hosts" else "defaults"
        return Finding(GW704, f"“{'.'.join(path)}” must be a table: [{title}]", _value_span(where, path))
    if "[key]" in fault["loc"]:
        return Finding(GW704, "a host's name must not be empty", _key_span(where, path))
    words = _WORDS.get(key, "a text that is not empty")
    message = f"{key} must be {words}, not {_shown(fault['input'])}"
    hint = did_you_mean(str(fault["input"]), _CHOICES[key]) if key in _CHOICES else None
    return Finding(GW704, message, _value_span(where, path), help=hint)


def _shown(value: object) -> str:
    """A value in a message, in TOML's words where these differ from Python's."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return f"“{value}”"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(value)


def _unknown_jumps(file: _File, where: Mapping[tuple[str, ...], Place]) -> list[Finding]:
    tables = {("defaults",): file.defaults, **{("hosts", name): host for name, host in file.hosts.items()}}
    return [
        Finding(
            GW704,
            f"jump names the host “{settings.jump}”, which is not in this file",
            _value_span(where, (*path, "jump")),
            help=did_you_mean(settings.jump, file.hosts) or f"hosts: {', '.join(file.hosts)}",
        )
        for path, settings in tables.items()
        if settings.jump is not None and settings.jump not in file.hosts
    ]


def _wrong_jumps(hosts: Mapping[str, Host], where: Mapping[tuple[str, ...], Place]) -> list[Finding]:
    """Jump hosts that are no SSH hosts, and circles of jump hosts, each reported once."""
    findings: list[Finding] = []
    in_circles: set[str] = set()
    for host in hosts.values():
        span = _value_span(where, ("hosts", host.name, "jump")) or _value_span(where, ("defaults", "jump"))
        chain = [host.name]
        while (jump := hosts[chain[-1]].jump) is not None and jump not in chain:
            chain.append(jump)
        if jump == host.name and not in_circles.intersection(chain):
            in_circles.update(chain)
            findings.append(Finding(GW704, f"jump hosts form a circle: {' → '.join([*chain, host.name])}", span))
        if host.connection == "ssh" and host.jump is not None and hosts[host.jump].connection != "ssh":
            findings.append(Finding(GW704, f"the jump host “{host.jump}” has no SSH connection", span))
    return findings


def _merged(file: _File, folder: Path) -> dict[str, Host]:
    """Every host with the defaults it takes. The default `jump` is not for the hosts it leads through."""
    on_the_way: list[str] = []
    jump = file.defaults.jump
    while jump is not None and jump not in on_the_way:
        on_the_way.append(jump)
        jump = file.hosts[jump].jump
    defaults = file.defaults.model_dump(exclude_unset=True)
    hosts: dict[str, Host] = {}
    for name, table in file.hosts.items():
        settings = {**defaults, **table.model_dump(exclude_unset=True), "name": name}
        if name in on_the_way:
            settings["jump"] = table.jump
        for key in ("key", "known_hosts"):
            if key in settings:
                settings[key] = _absolute(settings[key], folder)
        hosts[name] = Host.model_validate(settings)
    return hosts


def _absolute(path: str, folder: Path) -> str:
    try:
        return str(folder / Path(path).expanduser())
    except RuntimeError:  # `~somebody` who is not known here: the connection will say that there is no such file
        return str(folder / path)


def _key_span(where: Mapping[tuple[str, ...], Place], path: tuple[str, ...]) -> Span | None:
    return where[path].key if path in where else None


def _value_span(where: Mapping[tuple[str, ...], Place], path: tuple[str, ...]) -> Span | None:
    return where[path].value if path in where else None
