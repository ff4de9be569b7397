"""The hosts, groups and variables of an Ansible inventory, and which variables a host ends up with.

The readers of both forms (`ansible_ini`, `ansible_yaml`) fill a `Tree`; `variables_of` merges, the later over the
earlier (“Variable precedence”, ansible-core 2.19, entries 3, 4, 6, 8 and 9):

1. variables of the group `all` in the file,
2. of the host's other groups in the file: parents before children, among equals by `ansible_group_priority`, then name,
3. `group_vars/all`, 4. `group_vars` of the other groups, in the same order,
5. variables of the host in the file, 6. `host_vars`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ....grammar.text import Span
from .patterns import MAX_HOSTS

ALL = "all"
UNGROUPED = "ungrouped"


class Encrypted:
    """A value that ansible-vault has encrypted, and that nobody here can read."""


class Verbatim(str):
    """A text that is no template, whatever braces it has."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A value, and where it stands."""

    value: object
    span: Span | None


Variables = Mapping[str, Variable]


class TreeError(Exception):
    """What was to be added does not fit; the message says why."""


@dataclass(slots=True, eq=False)
class Group:
    """One group; `parents` and `hosts` are sets in the order of adding."""

    name: str
    parents: dict[str, None] = field(default_factory=dict[str, None])
    hosts: dict[str, None] = field(default_factory=dict[str, None])
    variables: dict[str, Variable] = field(default_factory=dict[str, Variable])
    priority: int = 1


class Tree:
    """An inventory while it is read, and when it has been. `all` and `ungrouped` are always there."""

    def __init__(self) -> None:
        self.groups = {ALL: Group(ALL), UNGROUPED: Group(UNGROUPED, {ALL: None})}
        self.hosts: dict[str, dict[str, Variable]] = {}

    def add_group(self, name: str) -> Group:
        return self.groups.setdefault(name, Group(name))

    def add_child(self, parent: str, child: str) -> None:
        """Put a group into another. Raises `TreeError` for a circle."""
        if child in (parent, ALL) or child in self._ancestors([parent]):
            raise TreeError(f"the group “{child}” cannot be in “{parent}”, which is in it")
        self.groups[child].parents[parent] = None

    def add_host(self, name: str, group: str, port: Variable | None) -> None:
        """Put a host into a group; the port counts where the host is named for the first time, as in Ansible.
        Raises `TreeError` when there are too many."""
        if name not in self.hosts:
            if len(self.hosts) >= MAX_HOSTS:
                raise TreeError(f"an inventory may have {MAX_HOSTS} hosts, not more")
            self.hosts[name] = {} if port is None else {"ansible_port": port}
        self.groups[group].hosts[name] = None

    def set_variable(self, name: str, key: str, variable: Variable) -> None:
        """Set a variable of a group, or else of a host, of this name. Raises `TreeError`."""
        if name not in self.groups:
            self.hosts[name][key] = variable
        elif key != "ansible_group_priority":
            self.groups[name].variables[key] = variable
        else:
            try:
                self.groups[name].priority = int(str(variable.value))
            except ValueError:
                raise TreeError("ansible_group_priority must be a whole number") from None

    def variables_of(self, host: str, files: Callable[[str, str], Variables]) -> dict[str, Variable]:
        """All variables of a host, merged. `files("group_vars", NAME)` gives those that files beside the
        inventory hold for a group, `files("host_vars", NAME)` for a host."""
        groups = self._groups_of(host)
        merged = dict(self.groups[ALL].variables)
        for group in groups:
            merged.update(group.variables)
        for group in (self.groups[ALL], *groups):
            merged.update(files("group_vars", group.name))
        merged.update(self.hosts[host])
        merged.update(files("host_vars", host))
        return merged

    # ---- groups ------------------------------------------------------------------------------------------
    def _groups_of(self, host: str) -> list[Group]:
        """The groups of a host without `all`, in the order in which their variables count."""
        direct = [name for name, group in self.groups.items() if host in group.hosts]
        names = set(direct).union(self._ancestors(direct)) - {ALL, UNGROUPED}
        found = [self.groups[name] for name in names or {UNGROUPED}]
        depths: dict[str, int] = {}
        return sorted(found, key=lambda group: (self._depth(group.name, depths), group.priority, group.name))

    def _ancestors(self, names: list[str]) -> set[str]:
        """All groups that these groups are in, but for `all`, which every group is in."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            for parent in self.groups[waiting.pop()].parents:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return found

    def _depth(self, name: str, known: dict[str, int]) -> int:
        """How many groups, `all` included, the longest way down to a group leads through."""
        waiting = [name]
        while waiting:
            parents = self.groups[waiting[-1]].parents
            missing = [parent for parent in parents if parent not in known]
            waiting += missing
            if not missing:
                depths = [known[parent] for parent in parents if parent != ALL]
                known[waiting.pop()] = max(depths, default=0) + 1
        return known[name]
