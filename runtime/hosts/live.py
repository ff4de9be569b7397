"""Host evidence from the machines of an inventory, asked now.

hosts = LiveEvidence(inventory, folder=Path("scenario"), tell=print)
hosts.connect("web-01").run("systemctl is-active nginx")
hosts.playbook("validate.yml")
hosts.close()
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ...compiler.findings import did_you_mean
from ..evidence.record import PlaybookAnswer
from .ansible.playbooks import Playbooks
from .connections import HostConnection, NoConnection
from .inventory import Host, Inventory

if TYPE_CHECKING:
    from .ssh import Links


class LiveEvidence:
    """Really runs commands, on the hosts of an inventory and nowhere else."""

    live: bool = True

    def __init__(
        self, inventory: Inventory, folder: Path | None = None, tell: Callable[[str], None] | None = None
    ) -> None:
        """`folder`: of the file of the rules, to which playbooks are relative (None: the working directory).

        `tell` gets a line for each thing that went wrong on the way to a host, with addresses and paths, which answers
        never hold; from any thread.
        """
        self._inventory = inventory
        self._tell = tell
        self._links: Links | None = None
        self._playbooks = Playbooks(folder or Path(), inventory)
        self._opened: list[HostConnection] = []
        self._lock = threading.Lock()
        self._closed = False

    def connect(self, host: str | None) -> HostConnection:
        found = self._find(host)
        connection = found if isinstance(found, NoConnection) else self._open(found)
        with self._lock:
            self._opened.append(connection)
            closed = self._closed
        if closed:
            connection.close()
        return connection

    def playbook(self, path: str) -> PlaybookAnswer:
        return self._playbooks.run(path)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            opened = tuple(self._opened)
        self._playbooks.close()
        for connection in opened:
            connection.close()

    def _find(self, name: str | None) -> Host | NoConnection:
        """The inventory's entry for a host of the scenario, or why there is none."""
        hosts, known = self._inventory.hosts, ", ".join(self._inventory.hosts)
        if name is None:
            if len(hosts) == 1:
                return next(iter(hosts.values()))
            return NoConnection(None, f"which host? {self._inventory.name} has {known}")
        if name in hosts:
            return hosts[name]
        hint = did_you_mean(name, hosts) or f"it has {known}"
        return NoConnection(name, f"host “{name}” is not in {self._inventory.name}: {hint}")

    def _open(self, host: Host) -> HostConnection:
        """The way to a host by its kind of connection; the modules load when used."""
        if host.unsupported:
            return NoConnection(host.name, host.unsupported)
        match host.connection:
            case "local":
                from .local import LocalConnection

                return LocalConnection(host.name, host.shell, host.command_timeout)
            case "ssh":
                from .ssh import Links, ssh_connection

                with self._lock:
                    if self._links is None:
                        self._links = Links(self._inventory.hosts, self._tell)
                return ssh_connection(host, self._links)
