"""Ansible inventories and variable files in YAML form: text → `Tree`, or variables.

    lab:
      hosts:
        web[01:03]: { ansible_user: bench }
      children:
        db: { hosts: { db-01: } }
      vars: { ansible_port: 2222 }

The text is composed into nodes, which know their places, and values are made from these as PyYAML's safe loader makes
them, with Ansible's two tags: `!vault` (→ `Encrypted`) and `!unsafe` (→ `Verbatim`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node, ScalarNode

from ....compiler.findings import GW704, Finding, Report, Severity
from ....grammar.text import Source, Span
from .patterns import PatternError, expand
from .tree import Encrypted, Tree, TreeError, Variable, Verbatim

MAX_GROUPS = 10_000
"""Groups that one file may spell out: aliases of aliases must not make a short file endless."""


class _Loader(yaml.SafeLoader):
    """Safe loading, with Ansible's tags."""

    def encrypted(self, _node: Node) -> Encrypted:
        return Encrypted()

    def verbatim(self, node: Node) -> object:
        return Verbatim(self.construct_scalar(node)) if isinstance(node, ScalarNode) else self._plainly(node)

    def _plainly(self, node: Node) -> object:
        """Lists and mappings under `!unsafe`: as if the tag were not there."""
        kind = "map" if isinstance(node, MappingNode) else "seq"
        node.tag = f"tag:yaml.org,2002:{kind}"
        return cast("Any", self).construct_object(node, deep=True)


_Loader.add_constructor("!vault", _Loader.encrypted)
_Loader.add_constructor("!vault-encrypted", _Loader.encrypted)
_Loader.add_constructor("!unsafe", _Loader.verbatim)


def read_yaml(source: Source, tree: Tree, report: Report) -> None:
    """Add what an inventory says to the tree; faults are reported as GW704 errors, and reading goes on."""
    file = _File(source, report)
    if file.root is None:
        return
    top = file.mapping(file.root)
    if top is None:
        file.bad("an inventory in YAML is a mapping of groups", file.root)
    elif any(key == "plugin" for key, _, _ in top):
        help_text = "write down what it finds: ansible-inventory -i FILE --list --yaml --output hosts.yml"
        file.bad("this file configures an inventory plugin, which Gatewright does not run", file.root, help_text)
    else:
        reader = _Groups(file, tree)
        for name, key, node in top:
            reader.group(name, key, node, ())


def read_variables(source: Source, report: Report) -> dict[str, Variable]:
    """The variables in a file of `host_vars` or `group_vars`; what cannot be read is reported and left out."""
    if source.text.startswith("$ANSIBLE_VAULT;"):
        message = f"{source.name} is encrypted; what it says is not known here"
        report(Finding(GW704, message, severity_override=Severity.WARNING))
        return {}
    file = _File(source, report)
    if file.root is None:
        return {}
    entries = file.mapping(file.root)
    if entries is None:
        if file.value(file.root) is not None:
            file.bad("a file of variables is a mapping", file.root)
        return {}
    return file.variables(entries)


Entry = tuple[object, Node, Node]
"""A key, its node, and the node of the value."""


class _File:
    """One YAML text: its nodes, and what they stand for. `root` None: empty, or not YAML (which was reported)."""

    def __init__(self, source: Source, report: Report) -> None:
        self.source = source
        self._report = report
        self._loader: Any = None
        self.root: Node | None = None
        try:
            self._loader = _Loader(source.text)
            self.root = cast("Node | None", self._loader.get_single_node())
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            self._not_yaml(error.problem or error.context or "it cannot be read", mark.index if mark else 0)
        except yaml.reader.ReaderError as error:
            self._not_yaml("a character that YAML does not allow", error.position)
        except (RecursionError, ValueError) as error:
            reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
            report(Finding(GW704, f"this is not YAML: {reason}"))

    def _not_yaml(self, problem: str, position: int) -> None:
        start = min(position, len(self.source.text))
        span = self.source.span(start, min(start + 1, len(self.source.text)))
        self._report(Finding(GW704, f"this is not YAML: {problem}", span))

    def span(self, node: Node) -> Span:
        start: int = node.start_mark.index
        end: int = node.end_mark.index
        text = self.source.text[start:end]
        # A block ends where the next thing begins; its span ends with its first line.
        return self.source.span(start, start + len(text.splitlines()[0].rstrip()) if text.strip() else end)

    def bad(self, message: str, node: Node, help_text: str | None = None) -> None:
        self._report(Finding(GW704, message, self.span(node), help=help_text))

    def warn(self, message: str, node: Node) -> None:
        self._report(Finding(GW704, message, self.span(node), severity_override=Severity.WARNING))

    def value(self, node: Node) -> object:
        """What a node stands for; None, and a finding, where it stands for nothing."""
        try:
            return self._loader.construct_object(node, deep=True)
        except ConstructorError as error:
            self.bad(error.problem or "a value that is not known", node)
        except RecursionError:
            self.bad("nested too deep", node)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
            self.bad("this is not what its tag, or its look, says that it is", node)  # 2026-13-45 is no date
        return None

    def mapping(self, node: Node) -> list[Entry] | None:
        """The entries of a mapping, merges (`<<`) spelled out, the last of equal keys; None: it is none."""
        if not isinstance(node, MappingNode):
            return None
        try:
            self._loader.flatten_mapping(node)
        except (ConstructorError, RecursionError) as error:
            self.bad(getattr(error, "problem", None) or "nested too deep", node)
            return []
        found: dict[object, Entry] = {}
        for key_node, value_node in cast("list[tuple[Node, Node]]", node.value):
            key = self.value(key_node)
            if isinstance(key, str | int | float | bool):
                found[key] = (key, key_node, value_node)
            elif key is not None:
                self.bad("a key must be a text", key_node)
        return list(found.values())

    def variables(self, entries: list[Entry]) -> dict[str, Variable]:
        return {key: Variable(self.value(node), self.span(node)) for key, _, node in entries if isinstance(key, str)}


class _Groups:
    """The groups of a file on their way into a tree."""

    def __init__(self, file: _File, tree: Tree) -> None:
        self._file = file
        self._tree = tree
        self._count = 0

    def group(self, name: object, key: Node, node: Node, above: tuple[Node, ...]) -> str | None:
        """Add a group with all that is in it; gives its name, or None where it has none that could be used."""
        self._count += 1
        if self._count > MAX_GROUPS:
            if self._count == MAX_GROUPS + 1:
                self._file.bad(f"an inventory may have {MAX_GROUPS} groups, not more", key)
            return None
        if not isinstance(name, str) or not name:
            self._file.bad("a group's name must be a text: put it in quotes", key)
            return None
        if node in above:
            self._file.bad(f"the group “{name}” is in itself", key)
            return None
        entries = self._section(node)
        if entries is None:
            self._file.warn(f"“{name}” is left out: a group is a mapping with hosts, children and vars", key)
            return name if name in self._tree.groups else None
        self._tree.add_group(name)
        for word, word_key, value in entries:
            match word:
                case "vars":
                    self._set(name, self._file.variables(list(self._items(word, value))), word_key)
                case "children":
                    for child, child_key, child_node in self._items(word, value):
                        added = self.group(child, child_key, child_node, (*above, node))
                        if added is not None:
                            self._add_child(name, added, child_key)
                case "hosts":
                    for pattern, host_key, host_node in self._items(word, value):
                        self._hosts(name, pattern, host_key, host_node)
                case _:
                    self._file.warn(f"“{word}” is left out: a group has hosts, children and vars", word_key)
        return name

    def _section(self, node: Node) -> list[Entry] | None:
        """The entries of a mapping; none of null; None of anything else."""
        if isinstance(node, ScalarNode) and self._file.value(node) is None:
            return []
        return self._file.mapping(node)

    def _items(self, word: object, node: Node) -> Iterator[Entry]:
        """The entries of `hosts`, `children` or `vars`; a text stands for a mapping with this one key."""
        if isinstance(node, ScalarNode) and isinstance(text := self._file.value(node), str):
            yield text, node, ScalarNode("tag:yaml.org,2002:null", "", node.start_mark, node.end_mark)
        elif (entries := self._section(node)) is not None:
            yield from entries
        else:
            self._file.bad(f"“{word}” must be a mapping", node)

    def _hosts(self, group: str, pattern: object, key: Node, node: Node) -> None:
        if not isinstance(pattern, str):
            self._file.bad("a host's name must be a text: put it in quotes", key)
            return
        entries = self._section(node)
        if entries is None:
            self._file.bad(f"the variables of “{pattern}” must be a mapping", node)
            return
        variables = self._file.variables(entries)
        try:
            names, number = expand(pattern)
            port = None if number is None else Variable(number, self._file.span(key))
            for name in names:
                self._tree.add_host(name, group, port)
                self._set(name, variables, key)
        except (PatternError, TreeError) as error:
            self._file.bad(str(error), key)

    def _set(self, name: str, variables: dict[str, Variable], key: Node) -> None:
        try:
            for word, variable in variables.items():
                self._tree.set_variable(name, word, variable)
        except TreeError as error:
            self._file.bad(str(error), key)

    def _add_child(self, parent: str, child: str, key: Node) -> None:
        try:
            self._tree.add_child(parent, child)
        except TreeError as error:
            self._file.bad(str(error), key)
