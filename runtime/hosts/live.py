"""Host evidence from the machines of an inventory, asked now."""

from __future__ import annotations

import threading

from ...compiler.findings import did_you_mean
from ..evidence.record import PlaybookAnswer
from .connections import HostConnection, NoConnection
from .inventory import Host, Inventory


class LiveEvidence:
    """Really runs commands, on the hosts of an inventory and nowhere else."""

    live: bool = True

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._opened: list[HostConnection] = []
        self._lock = threading.Lock()
        self._closed = False

    def connect(self, host: str | None) -> HostConnection:
        found = self._find(host)
        connection = found if isinstance(found, NoConnection) else _open(found)
        with self._lock:
            self._opened.append(connection)
            closed = self._closed
        if closed:
            connection.close()
        return connection

    def playbook(self, path: str) -> PlaybookAnswer:
        return PlaybookAnswer(path, problem=f"cannot run {path}: this version cannot run playbooks yet")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            opened = tuple(self._opened)
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


def _open(host: Host) -> HostConnection:
    """The way to a host by its kind of connection; the modules load when used."""
    match host.connection:
        case "local":
            from .local import LocalConnection

            return LocalConnection(host.name, host.shell, host.command_timeout)
        case "ssh":
            from .ssh import ssh_connection

            return ssh_connection(host)
