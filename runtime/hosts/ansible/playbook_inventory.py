"""An inventory for `ansible-playbook`, made of one of Gatewright's own: the same hosts, reached in the same way.

    all:
      hosts:
        "web-01":
          "ansible_connection": !unsafe "ssh"
          "ansible_host": !unsafe "192.0.2.10"
          "ansible_ssh_common_args": !unsafe "-o StrictHostKeyChecking=yes"

`!unsafe`: a value is what it says, and no template. What the inventory leaves open is left open here, so that ssh finds
it in `~/.ssh/config`, as Gatewright's own connections do. `shell` is not passed on: Ansible's modules have their own.

The Python that runs the modules: on this machine the one that runs Ansible, which is there and works; elsewhere what
Ansible finds, but `/usr/bin/python3` before all others. Ansible by itself tries `python3.13`, `python3.12`, … first,
and these may be a version manager's stubs that no module can run with.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Mapping

from ..inventory import Host, Inventory

_PYTHONS = ("/usr/bin/python3", "python3", *(f"python3.{minor}" for minor in range(14, 7, -1)))

_CHECKING = {"known": "yes", "accept-new": "accept-new", "ignore": "no"}
"""`host_key` → `StrictHostKeyChecking`."""

_READ_OTHERWISE = re.compile(r"[\[\]]|:[0-9]*$|^/|[\0\n]|^(?:all|ungrouped)$")
"""Names that Ansible would take for a range, a host with a port, a folder or a group. IPv6 addresses are not meant."""


def unusable_names(inventory: Inventory) -> list[str]:
    """Names of hosts that no Ansible inventory can have."""
    return [name for name in inventory.hosts if _READ_OTHERWISE.search(name) and name.count(":") < 2]


def inventory_text(inventory: Inventory) -> str:
    """The text of the inventory, in YAML. No host may have an unusable name."""
    lines = ["all:", "  hosts:"]
    for host in inventory.hosts.values():
        lines.append(f"    {_quoted(host.name)}:")
        lines += [f"      {_quoted(key)}: {value}" for key, value in _variables(host, inventory.hosts).items()]
    return "\n".join(lines) + "\n"


def _variables(host: Host, hosts: Mapping[str, Host]) -> dict[str, str]:
    """The variables of a host, the values as they are written."""
    if host.connection == "local":
        own = json.dumps("{{ ansible_playbook_python }}")
        return {"ansible_connection": _literal("local"), "ansible_python_interpreter": own}
    said = {
        "ansible_connection": "ssh",
        "ansible_host": host.address,
        "ansible_port": None if host.port is None else str(host.port),
        "ansible_user": host.user,
        "ansible_ssh_private_key_file": host.key,
        "ansible_ssh_timeout": str(math.ceil(host.connect_timeout)),
        "ansible_ssh_common_args": shlex.join(_options(host, hosts)),
        "ansible_python_interpreter": "auto_silent",
    }
    variables = {key: _literal(value) for key, value in said.items() if value is not None}
    variables["ansible_host_key_checking"] = "true"  # the options say how; a configuration file cannot undo it
    variables["ansible_interpreter_python_fallback"] = json.dumps(_PYTHONS)
    return variables


def _options(host: Host, hosts: Mapping[str, Host]) -> list[str]:
    """Options of ssh for what Ansible has no variables for: host keys, and the way there."""
    options = [f"StrictHostKeyChecking={_CHECKING[host.host_key]}"]
    if host.host_key == "ignore":  # any key, and none that is remembered
        options += ["UserKnownHostsFile=/dev/null", "GlobalKnownHostsFile=/dev/null"]
    elif host.known_hosts is not None:
        options += [f"UserKnownHostsFile={_path(host.known_hosts)}", "GlobalKnownHostsFile=/dev/null"]
    if host.jump is not None:
        options.append(f"ProxyCommand={_through(hosts[host.jump], hosts)}")
    elif host.proxy_command is not None:
        options.append(f"ProxyCommand={host.proxy_command}")
    elif host.proxy_jump is not None:
        options.append(f"ProxyJump={host.proxy_jump}")
    return [word for option in options for word in ("-o", option)]


def _through(jump: Host, hosts: Mapping[str, Host]) -> str:
    """The command that is a connection through a jump host, with the jump host's own key, port and host keys, which
    `ProxyJump` could not say. `%` is doubled in all but the place to connect to, for ssh fills it in."""
    options = ["BatchMode=yes", f"ConnectTimeout={math.ceil(jump.connect_timeout)}"]
    options += [] if jump.port is None else [f"Port={jump.port}"]
    options += [] if jump.user is None else [f"User={_word(jump.user)}"]
    options += [] if jump.key is None else [f"IdentityFile={_path(jump.key)}"]
    words = [word for option in options for word in ("-o", option)] + _options(jump, hosts)
    command = shlex.join(["ssh", *words]).replace("%", "%%")
    return f"{command} -W '[%h]:%p' {shlex.quote(jump.address or jump.name).replace('%', '%%')}"


def _path(path: str) -> str:
    """A path as the value of an option: `%` means itself there when it is doubled."""
    return _word(path.replace("%", "%%"))


def _word(text: str) -> str:
    """One word of ssh_config(5), quoted where it has to be."""
    if not re.search(r"[\s\"'\\#]", text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _literal(text: str) -> str:
    return f"!unsafe {_quoted(text)}"


def _quoted(text: str) -> str:
    """A double-quoted text of YAML; what is no plain letter is escaped."""
    kept = (letter if " " <= letter <= "~" and letter not in '"\\' else f"\\U{ord(letter):08x}" for letter in text)
    return f'"{"".join(kept)}"'
