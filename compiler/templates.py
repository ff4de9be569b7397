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
from typing import TYPE_CHECKING, Any

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
        tree = _environment().parse(template)
        _refuse_nested_loops(tree, template)
        for name in sorted(_free_names(tree)):
            if name not in names:
                raise _undefined(template, name, names)
            if used is not None:
                used(name)
        return _rendered(template, names)
    except jinja2.TemplateSyntaxError as error:
        index, length = _line(template, error.lineno)
        raise TemplateError(f"the template does not parse: {error.message}", index, length) from None
    except jinja2.TemplateError as error:
        raise TemplateError(f"the template cannot be rendered: {error.message}", *_first_expression(template)) from None
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError) as error:
        reason = str(error) or type(error).__name__
        raise TemplateError(f"the template cannot be rendered: {reason}", *_first_expression(template)) from None


def _rendered(template: str, names: Mapping[str, str]) -> str:
    parts: list[str] = []
    size = 0
    for part in _environment().from_string(template).generate(**names):
        size += len(part)
        if size > LIMIT:
            raise TemplateError(f"the template becomes more than {LIMIT} characters", *_first_expression(template))
        parts.append(part)
    return "".join(parts)


@cache
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import SandboxedEnvironment

    class Environment(SandboxedEnvironment):
        """The sandbox, with a size limit on what one operation or call can make."""

        intercepted_binops = frozenset({"*", "**", "%"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**":
                raise SecurityError("powers are not available in templates")
            if operator == "*":
                for text, times in ((left, right), (right, left)):
                    if isinstance(text, str | list | tuple) and isinstance(times, int):
                        _refuse_large(len(text) * times)  # pyright: ignore[reportUnknownArgumentType]
                    elif isinstance(text, int):
                        _refuse_large(abs(text))
            if operator == "%" and isinstance(left, str):
                raise SecurityError("% formatting is not available in templates")
            return super().call_binop(context, operator, left, right)

        def call(self, context: Any, obj: Any, *args: Any, **kwargs: Any) -> Any:  # pyright: ignore
            for value in (*args, *kwargs.values()):
                if isinstance(value, int):
                    _refuse_large(value)
            return super().call(context, obj, *args, **kwargs)

    def _refuse_large(size: int) -> None:
        if size > LIMIT:
            raise SecurityError(f"a template cannot make more than {LIMIT} characters")

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    environment.globals.clear()
    for name in ("random", "format", "pprint", "xmlattr"):
        environment.filters.pop(name, None)
    for name in ("center", "indent", "wordwrap", "slice", "batch"):
        environment.filters[name] = _with_small_numbers(environment.filters[name], _refuse_large)
    environment.filters["regex_escape"] = _regex_escape
    return environment


def _with_small_numbers(function: Callable[..., Any], refuse: Callable[[int], None]) -> Callable[..., Any]:
    """A filter that pads or repeats, kept from making more text than a template may."""

    @wraps(function)
    def limited(*arguments: Any, **named: Any) -> Any:
        for value in (*arguments, *named.values()):
            if isinstance(value, int):
                refuse(value)
        return function(*arguments, **named)

    return limited


def _regex_escape(text: str) -> str:
    """The pattern that matches just this text: syntax characters of ECMAScript patterns get a backslash."""
    return re.sub(r"[\\^$.*+?()\[\]{}|/]", r"\\\g<0>", text)


def _refuse_nested_loops(tree: nodes.Template, template: str) -> None:
    from jinja2 import nodes

    for kind in (nodes.Macro, nodes.CallBlock, nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends):
        for found in tree.find_all(kind):
            raise TemplateError(f"a template cannot use {kind.__name__.lower()}", *_line(template, found.lineno))
    for loop in tree.find_all(nodes.For):
        for inner in loop.find_all(nodes.For):
            raise TemplateError("loops of a template do not nest", *_line(template, inner.lineno))


def _free_names(tree: nodes.Template) -> set[str]:
    from jinja2 import meta

    return meta.find_undeclared_variables(tree)


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
