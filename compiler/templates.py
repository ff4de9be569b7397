"""Templates: the `t` literals of the language, rendered at compile time.

Jinja2 in its sandbox, without anything that could make a compilation depend on the day or grow without bound: no global
functions, no `random`, no loaders, one level of loops, and at most 64 KiB in and out of a literal. Undefined names are
errors, the last newline is kept, nothing is escaped.

    render("systemctl restart {{ service }}", {"service": "nginx"})     # 'systemctl restart nginx'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from jinja2 import nodes
    from jinja2.sandbox import SandboxedEnvironment

LIMIT = 64 * 1024
"""Most characters that a template may have, and that it may become."""


class TemplateError(Exception):
    """A template that cannot be rendered. `index`: character of the template that is at fault."""

    def __init__(self, message: str, index: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.length = length


def render(template: str, names: Mapping[str, str], used: Callable[[str], None] | None = None) -> str:
    """Render a template over names; `used` is told every defined name that the template mentions.

    Raises `TemplateError` for a template that Jinja2 refuses, an undefined name, or too much text.
    """
    import jinja2

    if len(template) > LIMIT:
        raise TemplateError(f"a template may have at most {LIMIT} characters; this one has {len(template)}")
    try:
        tree = _restricted(_environment().parse(template), template)
        for name in sorted(_free_names(tree)):
            if name not in names:
                raise _undefined(template, name, names)
            if used is not None:
                used(name)
        return _rendered(tree, template, names)
    except jinja2.TemplateSyntaxError as error:
        index, length = _line(template, error.lineno)
        raise TemplateError(f"the template does not parse: {error.message}", index, length) from None
    except jinja2.TemplateError as error:
        raise TemplateError(f"the template cannot be rendered: {error.message}", *_first_expression(template)) from None
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or type(error).__name__
        raise TemplateError(f"the template cannot be rendered: {reason}", *_first_expression(template)) from None


def _rendered(tree: nodes.Template, template: str, names: Mapping[str, str]) -> str:
    parts: list[str] = []
    size = 0
    for part in _environment().from_string(tree).generate(**names):
        size += len(part)
        if size > LIMIT:
            raise TemplateError(f"the template becomes more than {LIMIT} characters", *_first_expression(template))
        parts.append(part)
    return "".join(parts)


@cache
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.runtime import LoopContext
    from jinja2.sandbox import SandboxedEnvironment

    class Environment(SandboxedEnvironment):
        """The sandbox, with a size limit on what every operation makes."""

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

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    environment.globals.clear()
    known = environment.filters
    environment.filters = {name: known[name] for name in _FILTERS}
    own: dict[str, Callable[..., Any]] = {
        "indent": _with_small_numbers(known["indent"]),
        "join": _join,
        "regex_escape": _regex_escape,
        "replace": _replace,
    }
    environment.filters.update(own)
    return environment


_METHODS = frozenset(
    {
        "capitalize",
        "count",
        "endswith",
        "find",
        "isalnum",
        "isalpha",
        "isdecimal",
        "isdigit",
        "islower",
        "isnumeric",
        "isspace",
        "isupper",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "rfind",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
    }
)
"""Methods of texts that make no more text than they are given."""

_FILTERS = (
    "abs",
    "capitalize",
    "count",
    "d",
    "default",
    "first",
    "int",
    "last",
    "length",
    "list",
    "lower",
    "reverse",
    "sort",
    "string",
    "title",
    "trim",
    "unique",
    "upper",
)
"""Filters of Jinja2 that make no more than they are given; `indent`, `join`, `replace` and `regex_escape` are added
with limits of their own."""


_LOOP_FIELDS = frozenset(
    {"index", "index0", "first", "last", "length", "revindex", "revindex0", "previtem", "nextitem"}
)


def _made(operator: str, left: Any, right: Any) -> int:
    """How much an operation makes: characters of a text, items of a list, bits of a number."""
    sizes = [len(side) if isinstance(side, str | list | tuple) else None for side in (left, right)]  # pyright: ignore
    if sizes == [None, None]:
        return sum(side.bit_length() for side in (left, right) if isinstance(side, int))
    if operator == "*":
        times = next((side for side in (left, right) if isinstance(side, int)), 1)
        return abs(times) * max(size for size in sizes if size is not None)
    return sum(size for size in sizes if size is not None)


def _refuse_large(size: int) -> None:
    from jinja2.exceptions import SecurityError

    if size > LIMIT:
        raise SecurityError(f"a template cannot make more than {LIMIT} characters")


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
    texts = [str(value) for value in values]
    _refuse_large(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def _replace(text: str, old: str, new: str) -> str:
    """The text with every `old` made `new`."""
    _refuse_large(len(text) + text.count(old) * len(new))
    return text.replace(old, new)


def _regex_escape(text: str) -> str:
    """The pattern that matches just this text: syntax characters of ECMAScript patterns get a backslash."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _restricted(tree: nodes.Template, template: str) -> nodes.Template:
    """The tree without what a template cannot use, and with `~` as the filter `join`, which is limited."""
    from jinja2 import nodes

    refused = (nodes.Macro, nodes.CallBlock, nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block)
    for found in tree.find_all(refused):
        raise TemplateError(f"a template cannot use {type(found).__name__.lower()}", *_line(template, found.lineno))
    for loop in tree.find_all(nodes.For):
        for inner in loop.find_all(nodes.For):
            raise TemplateError("loops of a template do not nest", *_line(template, inner.lineno))
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

    texts = nodes.List(concat.nodes, lineno=concat.lineno)
    joined = nodes.Filter(texts, "join", [], [], None, None, lineno=concat.lineno)
    joined.set_environment(_environment())
    return joined


def _free_names(tree: nodes.Template) -> set[str]:
    from jinja2 import meta, nodes

    # Jinja2 knows `self` everywhere; here it is a name like any other.
    of_engine = {name.name for name in tree.find_all(nodes.Name) if name.name == "self"}
    return meta.find_undeclared_variables(tree) | of_engine


def _undefined(template: str, name: str, names: Mapping[str, str]) -> TemplateError:
    from .findings import did_you_mean

    inside = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
    index, length = 0, len(name)
    for expression in inside.finditer(template):
        found = word.search(template, expression.start(), expression.end())
        if found:
            index = found.start()
            break
    known = ", ".join(sorted(names)) or "none"
    hint = did_you_mean(name, names)
    return TemplateError(
        f"“{name}” is not defined; defined here: {known}" + (f"; {hint}" if hint else ""), index, length
    )


def _line(template: str, line: int) -> tuple[int, int]:
    """Where the first tag of a line (from 1) begins, and how long it is."""
    start = 0
    for _ in range(line - 1):
        start = template.find("\n", start) + 1
    end = template.find("\n", start)
    end = len(template) if end < 0 else end
    tag = re.compile(r"\{[{%#]").search(template, start, end)
    begin = tag.start() if tag else start
    return begin, max(1, end - begin)


def _first_expression(template: str) -> tuple[int, int]:
    found = re.search(r"\{[{%].*?[}%]\}", template, re.DOTALL)
    return (found.start(), len(found[0])) if found else (0, 1)
