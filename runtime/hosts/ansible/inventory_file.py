"""Ansible inventories as inventories of Gatewright: files → `Inventory`.

    [web]
    web-01 ansible_host=192.0.2.10 ansible_user=bench ansible_ssh_common_args='-J bench@192.0.2.1'

Hosts, groups and variables are read as `ansible-inventory` reads them (`ansible_ini`, `ansible_yaml`, `ansible_tree`),
`host_vars` and `group_vars` beside the file included. Of the variables only those that say how a host is reached are
used; of these, what Gatewright cannot follow is a warning (GW704), and a host that cannot be reached without it says so
when it is asked. Inventory scripts, plugins and folders are not read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from ....compiler.findings import GW704, Finding, Report, Severity
from ....grammar.text import Source, Span
from ..inventory import Host, Inventory
from .ssh_args import ssh_settings
from .tree import Encrypted, Tree, Variable, Variables, Verbatim

_YAML = (".yml", ".yaml", ".json")
_YAML_START = re.compile(r"---(?:\s|$)|\{|[^\s\[;#][^=]*:(?:\s|$)")
_TOML_TABLE = re.compile(r"^[ \t]*\[(?:hosts[ \t]*\.|defaults[ \t]*\])", re.MULTILINE)
_TEMPLATE = ("{{", "{%", "{#")

_SSH = ("ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh", "ansible.builtin.paramiko_ssh")
_LOCAL = ("local", "ansible.builtin.local")

_NAMES = {
    "shell": ("ansible_shell_executable",),
    "port": ("ansible_port", "ansible_ssh_port"),
    "key": ("ansible_private_key_file", "ansible_ssh_private_key_file"),
    "user": ("ansible_user", "ansible_ssh_user"),
    "connect_timeout": ("ansible_ssh_timeout",),
}
"""Settings of a host, and the variables that say them; the last that is there counts (ansible-core's ssh plugin)."""

_ADDRESS = ("ansible_host", "ansible_ssh_host")

_HOST_KEY_CHECKING = ("ansible_host_key_checking", "ansible_ssh_host_key_checking")
_PASSWORDS = ("ansible_password", "ansible_ssh_pass", "ansible_ssh_password")


def is_ansible_inventory(path: Path, text: str) -> bool:
    """Whether a file is an Ansible inventory and not one in TOML: by its extension, else by what it says."""
    extension = path.suffix.lower()
    if extension in (".toml", ".ini", *_YAML):
        return extension != ".toml"
    if not text.strip() or _TOML_TABLE.search(text):
        return False
    try:
        return not isinstance(tomllib.loads(text).get("hosts"), dict)
    except (ValueError, RecursionError):
        return True


def parse_ansible_inventory(source: Source, path: Path, report: Report) -> Inventory | None:
    """The inventory in the text of a file at `path`, beside which `host_vars` and `group_vars` lie. None when an error
    was reported; warnings are reported, too.

    Paths of keys and of known hosts that are relative are relative to the working directory, as for Ansible.
    """
    errors: list[Finding] = []

    def tell(finding: Finding) -> None:
        errors.extend([finding] if finding.is_error else [])
        report(finding)

    variables = host_variables(source, path, tell)
    if not variables and not errors:
        tell(Finding(GW704, "the inventory has no hosts"))
    settings = _Settings(tell)
    hosts = {name: settings.host(name, found) for name, found in variables.items()}
    return None if errors else Inventory(source.name, hosts, path.absolute())


def host_variables(source: Source, path: Path, report: Report) -> dict[str, dict[str, Variable]]:
    """All hosts of an inventory in the order of the file, each with all its variables, merged."""
    if source.text.startswith("#!"):
        help_text = "write down what it finds: ansible-inventory -i FILE --list --yaml --output hosts.yml"
        report(Finding(GW704, "inventory scripts are not run", source.span(0, 2), help=help_text))
        return {}
    tree = Tree()
    if path.suffix.lower() in _YAML or (not path.suffix and _looks_like_yaml(source.text)):
        from .yaml_file import read_yaml

        read_yaml(source, tree, report)
    else:
        from .ini_file import read_ini

        read_ini(source, tree, report)
    for name in sorted(tree.hosts.keys() & tree.groups.keys()):
        message = f"“{name}” is a host and a group: variables of the host in this file count for the group"
        report(Finding(GW704, message, severity_override=Severity.WARNING))
    files = _VariableFiles(path.absolute().parent, Path(source.name).parent, report)
    return {name: tree.variables_of(name, files.of) for name in tree.hosts}


def _looks_like_yaml(text: str) -> bool:
    """Whether the first line that says something is one of YAML: `all:`, `---`, `{`."""
    lines = (line for line in text.splitlines() if line.strip() and line.lstrip()[0] not in "#;")
    return _YAML_START.match(next(lines, "")) is not None


class _VariableFiles:
    """The files in `host_vars` and `group_vars` of a folder, each read once. `shown`: what messages call the folder."""

    def __init__(self, folder: Path, shown: Path, report: Report) -> None:
        self._folder = folder
        self._shown = shown
        self._report = report
        self._read: dict[tuple[str, str], Variables] = {}

    def of(self, kind: str, name: str) -> Variables:
        """The variables of a host or group, from NAME or NAME.yml (.yaml, .json), or from all files of a folder
        NAME, the later over the earlier."""
        if (kind, name) not in self._read:
            found: dict[str, Variable] = {}
            for path in self._files(self._folder / kind, name):
                found.update(self._variables(path))
            self._read[kind, name] = found
        return self._read[kind, name]

    def _files(self, folder: Path, name: str) -> Iterator[Path]:
        if "/" in name or "\0" in name:  # such a host has no file
            return
        for extension in ("", *_YAML):
            path = folder / f"{name}{extension}"
            if path.is_dir():
                yield from _all_files(path)
                return
            if path.exists():
                yield path
                return

    def _variables(self, path: Path) -> Variables:
        from .yaml_file import read_variables

        name = str(self._shown / path.relative_to(self._folder))
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except OSError as error:
            self._report(Finding(GW704, f"cannot read {name}: {error.strerror or error}"))
        except UnicodeDecodeError as error:
            self._report(Finding(GW704, f"cannot read {name}: byte {error.start + 1} is not UTF-8"))
        else:
            return read_variables(Source(name, text), self._report)
        return {}


def _all_files(folder: Path) -> Iterator[Path]:
    """The files of variables in a folder, as Ansible looks for them: by name, hidden files and backups left out."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith(".") or path.name.endswith("~"):
            continue
        extension = path.suffix
        if path.is_dir():
            if not extension:
                yield from _all_files(path)
        elif not extension or extension in _YAML:
            yield path


class _Settings:
    """How hosts are reached, from their variables. What is said once, for many hosts, is told once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told: set[tuple[str, int, str]] = set()

    def host(self, name: str, variables: Variables) -> Host:
        reader = _HostReader(name, variables, self._tell)
        settings = reader.settings()
        return Host.model_validate({**settings, "name": name, "unsupported": reader.unsupported})

    def _tell(self, message: str, span: Span | None, severity: Severity | None) -> None:
        place = (span.file, span.start, message) if span is not None else ("", 0, message)
        if place not in self._told:
            self._told.add(place)
            self._report(Finding(GW704, message, span, severity_override=severity))


class _HostReader:
    """The settings of one host. `unsupported`: why it cannot be asked, once `settings` has found a reason."""

    def __init__(
        self, name: str, variables: Variables, tell: Callable[[str, Span | None, Severity | None], None]
    ) -> None:
        self._name = name
        self._variables = variables
        self._tell = tell
        self.unsupported: str | None = None

    def settings(self) -> dict[str, object]:
        """The settings that the variables say, checked, by the names of `Host`."""
        connection = self._connection()
        self._unused(connection)
        if connection == "local":
            shell = self._text("ansible_shell_executable")
            return {"connection": "local", **({} if shell is None else {"shell": shell})}
        said: dict[str, tuple[str, Span | None]] = {}

        # In the order in which Ansible puts them on ssh's command line, where the first of equal options counts.
        self._arguments("ansible_ssh_args", said)
        for key in _HOST_KEY_CHECKING:
            if (checked := self._text(key)) is not None and _is_no(checked):
                said.setdefault("host_key", ("ignore", self._variables[key].span))
        for setting, keys in _NAMES.items():
            self._last_of(keys, setting, said)
        self._arguments("ansible_ssh_common_args", said)
        self._arguments("ansible_ssh_extra_args", said)
        self._last_of(_ADDRESS, "address", said)  # where no option says another one
        return {name: value for name, text in said.items() if (value := self._checked(name, *text)) is not None}

    # ---- values ------------------------------------------------------------------------------------------
    def _last_of(self, keys: tuple[str, ...], setting: str, said: dict[str, tuple[str, Span | None]]) -> None:
        for key in reversed(keys):
            if (text := self._text(key)) is not None:
                said.setdefault(setting, (text, self._variables[key].span))

    def _text(self, key: str) -> str | None:
        """The value of a variable as a text; None: not said, or nothing that can be used (which is told)."""
        variable = self._variables.get(key)
        if variable is None or variable.value is None:
            return None
        value = variable.value
        if isinstance(value, bool | int | float):
            return str(value)
        if not isinstance(value, str):
            self._cannot(f"{key} is {'encrypted' if isinstance(value, Encrypted) else 'no text'}", key)
            return None
        if not isinstance(value, Verbatim) and any(mark in value for mark in _TEMPLATE):
            self._cannot(f"{key} is a template, which only Ansible can fill in", key)
            return None
        if not value and key in _ADDRESS:
            self._tell(f"{key} must not be empty", variable.span, None)
        return str(value) or None

    def _checked(self, name: str, text: str, span: Span | None) -> object:
        """The value of a setting as `Host` has it; None, and an error, where it is not one."""
        match name:
            case "port":
                if re.fullmatch(r"[0-9]{1,5}", text) and 1 <= int(text) <= 65535:
                    return int(text)
                self._tell(f"the port must be a whole number from 1 to 65535, not “{text}”", span, None)
            case "connect_timeout":
                if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text) and float(text) > 0:
                    return float(text)
                self._tell(f"the time limit must be a number of seconds above 0, not “{text}”", span, None)
            case "key" | "known_hosts":
                return _absolute(text)
            case "proxy_jump" | "proxy_command" if text.lower() == "none":
                return None
            case _ if text:
                return text
            case _:
                self._tell(f"the {name.replace('_', ' ')} must not be empty", span, None)
        return None

    def _connection(self) -> str:
        kind = self._text("ansible_connection") or "ssh"
        if kind in _LOCAL:
            return "local"
        if kind not in _SSH:
            self._cannot(f"ansible_connection={kind} is not supported; ssh and local are", "ansible_connection")
        return "ssh"

    def _arguments(self, key: str, said: dict[str, tuple[str, Span | None]]) -> None:
        """What the arguments for ssh in a variable say, where nothing has said it before."""
        if (text := self._text(key)) is None:
            return
        span = self._variables[key].span
        try:
            found = ssh_settings(text)
        except ValueError:
            self._tell(f"{key} cannot be taken apart: a quote is not closed", span, None)
            return
        for remark in found.remarks:
            self._tell(f"{key}: {remark}", span, Severity.WARNING)
        proxies = {"proxy_jump", "proxy_command"}
        for name, value in found.settings.items():
            if name not in proxies or not proxies & said.keys():
                said.setdefault(name, (value, span))

    # ---- what is not used --------------------------------------------------------------------------------
    def _unused(self, connection: str) -> None:
        for key in _PASSWORDS if connection == "ssh" else ():
            if key in self._variables:
                message = f"{key} is not used: Gatewright logs in with a key or the agent"
                self._tell(message, self._variables[key].span, Severity.WARNING)
        become = self._variables.get("ansible_become")
        if become is not None and become.value is not None and not _is_no(str(become.value)):
            message = "ansible_become counts for playbooks only: commands of rules run as the user who logs in"
            self._tell(message, become.span, Severity.WARNING)

    def _cannot(self, reason: str, key: str) -> None:
        self._tell(f"{reason}: hosts with it cannot be asked", self._variables[key].span, Severity.WARNING)
        self.unsupported = self.unsupported or f"cannot reach {self._name}: {reason}"


def _is_no(text: str) -> bool:
    """Whether a text says no, as Ansible reads truth values."""
    return text.lower() in ("no", "off", "false", "f", "n", "0", "0.0", "")


def _absolute(path: str) -> str:
    try:
        return str(Path.cwd() / Path(path).expanduser())
    except (RuntimeError, OSError):  # `~somebody` who is not known here; no working directory
        return path
