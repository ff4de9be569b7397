"""What a template can do: Jinja2's sandbox, bounded in every operation.

A template is as harmless as a file of rules must be: the same every day, and soon done. There are no global functions
and nothing random, no loaders, no macros, one level of loops of at most 1,024 rounds; every text on the way stays below
64 KiB and every list below 1,024 items; only texts and numbers can be printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from jinja2 import nodes
    from jinja2.sandbox import SandboxedEnvironment

LIMIT = 64 * 1024
"""Most characters that a template may have, and that it and every text on its way may become."""
MOST_ITEMS = 1024
"""Most items of a list, and rounds of a loop."""

_METHODS = frozenset(
    (
        *("capitalize", "count", "endswith", "find", "isalnum", "isalpha", "isdecimal", "isdigit", "islower"),
        *("isnumeric", "isspace", "isupper", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "rfind"),
        *("rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title", "upper"),
    )
)
"""Methods of texts that make no more text than they are given."""

_LOOP_FIELDS = frozenset(
    ["index", "index0", "first", "last", "length", "revindex", "revindex0", "previtem", "nextitem"]
)

_FILTERS = (
    *("abs", "capitalize", "count", "d", "default", "first", "int", "last", "length", "list", "lower", "reverse"),
    *("sort", "title", "trim", "unique", "upper"),
)
"""Filters of Jinja2 that make no more than they are given. `_own_filters` are added, with limits of their own."""

_LOOP_FILTER = "items of a loop"
"""The filter that every loop's items go through; no template can write this name."""


class RefusedError(Exception):
    """A template uses what no template can. `line`: of the template, from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@cache
def environment() -> SandboxedEnvironment:
    """The environment that all templates are rendered in."""
    from jinja2 import StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.runtime import LoopContext
    from jinja2.sandbox import SandboxedEnvironment

    class Environment(SandboxedEnvironment):
        intercepted_binops = frozenset({"+", "*", "**", "%"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**" or (operator == "%" and isinstance(left, str)):
                raise SecurityError(f"{operator} is not available in templates")
            _refuse_large(_made(operator, left, right))
            return super().call_binop(context, operator, left, right)

        def wrap_str_format(self, value: Any) -> Any:
            """`format` is a method like any other that is not available: its widths know no limit."""
            return None

        def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
            return attr in (_METHODS if isinstance(obj, str) else _LOOP_FIELDS if isinstance(obj, LoopContext) else ())

        def unsafe_undefined(self, obj: Any, attribute: str) -> Any:
            raise SecurityError(f"“{attribute}” is not available in templates")

    made = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False, finalize=_printable)
    made.globals.clear()
    filters: dict[str, Any] = {
        **{name: made.filters[name] for name in _FILTERS},
        **_own_filters(made.filters["indent"]),
    }
    made.filters = filters
    return made


def restricted(tree: nodes.Template) -> nodes.Template:
    """The tree with its loops bounded, and with `~` as the bounded filter `join`.

    Raises `RefusedError` for what a template cannot use.
    """
    from jinja2 import nodes

    refused = (nodes.Macro, nodes.CallBlock, nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block)
    for found in tree.find_all(refused):
        raise RefusedError(f"a template cannot use {type(found).__name__.lower()}", found.lineno)
    for loop in tree.find_all(nodes.For):
        for inner in loop.find_all(nodes.For):
            raise RefusedError("loops of a template do not nest", inner.lineno)
        loop.iter = _filtered(loop.iter, _LOOP_FILTER)
    for parent in reversed(list(tree.find_all(nodes.Node))):  # inner ones first
        for name, value in list(parent.iter_fields()):
            if isinstance(value, nodes.Concat):
                setattr(parent, name, _joined(value))
            elif isinstance(value, list):
                items = cast(list[Any], value)
                setattr(parent, name, [_joined(item) if isinstance(item, nodes.Concat) else item for item in items])
    return tree


def _joined(concat: nodes.Concat) -> nodes.Filter:
    from jinja2 import nodes

    return _filtered(nodes.List(concat.nodes, lineno=concat.lineno), "join")


def _filtered(value: nodes.Node, name: str) -> nodes.Filter:
    from jinja2 import nodes

    filtered = nodes.Filter(cast(nodes.Expr, value), name, [], [], None, None, lineno=value.lineno)
    filtered.set_environment(environment())
    return filtered


# ---- limits ----------------------------------------------------------------------------------------------------------


def _made(operator: str, left: Any, right: Any) -> int:
    """How much an operation makes, against `LIMIT`: characters, bits of a number; an item of a list counts for 64."""
    weights = [_weight(side) for side in (left, right)]
    if weights == [None, None]:
        return sum(side.bit_length() for side in (left, right) if isinstance(side, int))
    known = [weight for weight in weights if weight is not None]
    if operator == "*":
        return max(known) * abs(next((side for side in (left, right) if isinstance(side, int)), 1))
    return sum(known)


def _weight(value: Any) -> int | None:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | tuple):
        return len(cast(list[Any], value)) * (LIMIT // MOST_ITEMS)
    return None


def _refuse_large(size: int) -> None:
    from jinja2.exceptions import SecurityError

    if size > LIMIT:
        raise SecurityError(f"a template cannot make more than {LIMIT} characters or {MOST_ITEMS} items")


def _printable(value: Any) -> Any:
    """What is printed: texts and numbers. A list has no text of its own, and could be endless in few characters."""
    from jinja2.exceptions import SecurityError

    if value is None or isinstance(value, str | int | float):
        return value
    str(value)  # a name that is not defined says here that it is
    raise SecurityError("only texts and numbers can be printed; join a list")


# ---- filters ---------------------------------------------------------------------------------------------------------


def _own_filters(indent: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    return {
        "indent": _with_small_numbers(indent),
        "join": _join,
        "regex_escape": _regex_escape,
        "replace": _replace,
        "string": _string,
        _LOOP_FILTER: _loop_items,
    }


def _with_small_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that pads, kept from making more text than a template may."""

    @wraps(function)
    def limited(text: str, *arguments: Any, **named: Any) -> Any:
        lines = text.count("\n") + 1
        for value in (*arguments, *named.values()):
            _refuse_large(len(text) + lines * (len(value) if isinstance(value, str) else int(value)))
        return function(text, *arguments, **named)

    return limited


def _join(values: Any, between: str = "") -> str:
    """The texts of a list, with `between` between them."""
    texts = [_string(value) for value in values]
    _refuse_large(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def _replace(text: str, old: str, new: str) -> str:
    """The text with every `old` made `new`."""
    _refuse_large(len(text) + (text.count(old) if old else len(text) + 1) * len(new))
    return text.replace(old, new)


def _string(value: Any) -> str:
    return str(_printable(value))


def _regex_escape(text: str) -> str:
    """The pattern that matches just this text: syntax characters of ECMAScript patterns get a backslash."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _loop_items(values: Any) -> list[Any]:
    """What a loop goes over."""
    from jinja2.exceptions import SecurityError

    items = list(values)
    if len(items) > MOST_ITEMS:
        raise SecurityError(f"a loop has at most {MOST_ITEMS} rounds")
    return items
