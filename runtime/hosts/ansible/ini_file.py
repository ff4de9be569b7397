"""Ansible inventories in INI form: text → `Tree`.

    jump-01 ansible_host=192.0.2.1            # hosts before the first section are in no group
    [web]
    web[01:03]:2222 ansible_user=bench        # as many key=value as there are, quoted as in a shell
    [lab:children]
    web
    [lab:vars]
    ansible_port = 22                         # the value goes to the end of the line

A value is what a Python literal is, and otherwise text (the `ini` plugin of ansible-core 2.19). Unlike Ansible, which
stops at the first fault, this reader reports every one.
"""

from __future__ import annotations

import ast
import re
import shlex
import warnings
from collections.abc import Iterator, Mapping
from typing import cast

from ....compiler.findings import GW704, Finding, Report, did_you_mean
from ....grammar.text import Source, Span
from .patterns import PatternError, expand
from .tree import ALL, UNGROUPED, Tree, TreeError, Variable

_SECTION = re.compile(r"\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?")
_GROUP = re.compile(r"([^:\]\s]+)\s*(?:#.*)?")
_KINDS = ("hosts", "children", "vars")


def read_ini(source: Source, tree: Tree, report: Report) -> None:
    """Add what the text says to the tree; faults are reported as GW704 errors, and reading goes on."""
    _Reader(source, tree, report).read()


class _Reader:
    def __init__(self, source: Source, tree: Tree, report: Report) -> None:
        self._source = source
        self._tree = tree
        self._report = report
        self._declared = {ALL, UNGROUPED}
        self._named: dict[str, tuple[Span, str]] = {}
        """Groups that something is said of: where for the first time, and what is wrong if no section declares them."""

    def read(self) -> None:
        group, kind = UNGROUPED, "hosts"
        for line in _lines(self._source):
            text = line.text
            if section := _SECTION.fullmatch(text):
                group, kind = section[1], section[2] or "hosts"
                self._section(group, kind, line)
            elif text.startswith("[") and text.endswith("]"):
                self._bad(f"“{text}” is no section: [NAME], [NAME:children] or [NAME:vars]", line)
                kind = ""  # what follows belongs to nothing that is known
            elif kind == "hosts":
                self._hosts(group, line)
            elif kind == "children":
                self._child(group, line)
            elif kind == "vars":
                self._variable(group, line)
        for name, (span, message) in self._named.items():
            if name not in self._declared:
                self._bad(message, span, did_you_mean(name, self._declared - {ALL, UNGROUPED}))

    def _section(self, group: str, kind: str, line: Span) -> None:
        if kind not in _KINDS:
            self._bad(f"“:{kind}” is no kind of section", line, did_you_mean(kind, _KINDS) or "kinds: children, vars")
        elif kind == "vars":
            self._named.setdefault(group, (line, f"[{group}:vars] is of a group that the file does not have"))
        else:
            self._declared.add(group)
        self._tree.add_group(group)

    def _hosts(self, group: str, line: Span) -> None:
        """One line of hosts: `web[01:03]:2222 key=value …`."""
        try:
            pattern, *assignments = shlex.split(line.text, comments=True)
            names, number = expand(pattern)
        except PatternError as error:
            self._bad(str(error), line)
            return
        except ValueError as error:  # shlex: a quote that is not closed; or nothing but an empty comment
            self._bad(f"this line cannot be taken apart: {str(error)[:1].lower()}{str(error)[1:]}", line)
            return
        place = _find(line, pattern, line.start)
        variables = self._assignments(assignments, line, place.end)
        port = None if number is None else Variable(number, place)
        try:
            for name in names:
                self._tree.add_host(name, group, port)
                for key, variable in variables.items():
                    self._tree.set_variable(name, key, variable)
        except TreeError as error:
            self._bad(str(error), place)

    def _assignments(self, tokens: list[str], line: Span, position: int) -> dict[str, Variable]:
        variables: dict[str, Variable] = {}
        for token in tokens:
            key, equals, written = token.partition("=")
            place = _find(line, token if not equals else f"{key}=", position)
            position = place.end
            if not equals:
                self._bad(f"“{token}” must be KEY=VALUE", place)
                continue
            end = len(line.text) + line.start
            value = _find(Span(self._source, place.end, end), written, place.end) if written else place
            variables[key] = Variable(_value(written), place.to(value) if value.start >= place.end else place)
        return variables

    def _child(self, group: str, line: Span) -> None:
        if not (found := _GROUP.fullmatch(line.text)):
            self._bad(f"“{line.text}” must be the name of a group", line)
            return
        child = found[1]
        place = Span(self._source, line.start, line.start + len(child))
        self._named.setdefault(child, (place, f"the group “{child}” is not in the file"))
        self._tree.add_group(child)
        try:
            self._tree.add_child(group, child)
        except TreeError as error:
            self._bad(str(error), place)

    def _variable(self, group: str, line: Span) -> None:
        key, equals, written = (part.strip() for part in line.text.partition("="))
        if not equals:
            self._bad(f"“{line.text}” must be KEY=VALUE", line)
            return
        try:
            self._tree.set_variable(group, key, Variable(_value(written), line))
        except TreeError as error:
            self._bad(str(error), line)

    def _bad(self, message: str, place: Span, help_text: str | None = None) -> None:
        self._report(Finding(GW704, message, place, help=help_text))


def _lines(source: Source) -> Iterator[Span]:
    """Every line that says something, without blanks at its ends."""
    position = 0
    for line in source.text.splitlines(keepends=True):
        text = line.strip()
        if text and text[0] not in ";#":
            start = position + line.index(text[0])
            yield source.span(start, start + len(text))
        position += len(line)


def _find(line: Span, text: str, position: int) -> Span:
    """Where a text stands in the line, from a position on; the whole line where quotes hide it."""
    start = line.source.text.find(text, position, line.end) if text else -1
    return line if start < 0 else Span(line.source, start, start + len(text))


def _value(written: str) -> object:
    """A Python literal, and otherwise the text; what JSON has no word for becomes a list or a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return _plain(ast.literal_eval(written))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return written


def _plain(value: object) -> object:
    match value:
        case bytes():
            return value.decode("utf-8", "surrogateescape")
        case complex():
            return str(value)
        case list() | tuple() | set():
            return [_plain(item) for item in cast("list[object]", value)]
        case dict():
            return {key: _plain(item) for key, item in cast("Mapping[object, object]", value).items()}
        case _:
            return "..." if value is ... else value
