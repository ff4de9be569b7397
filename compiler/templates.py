"""Templates: the `t` literals of the language, rendered at compile time by Jinja2 in a narrow sandbox.

Undefined names are errors, the last newline is kept, nothing is escaped. A fault knows its place in the template.

    render("systemctl restart {{ service }}", {"service": "nginx"})     # 'systemctl restart nginx'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .template_sandbox import LIMIT, RefusedError, environment, restricted

if TYPE_CHECKING:
    from jinja2 import nodes


class TemplateError(Exception):
    """A template that cannot be rendered. `index`: character of the template that is at fault."""

    def __init__(self, message: str, index: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.index = index
        self.length = length


def render(template: str, names: Mapping[str, str], used: Callable[[str], None] | None = None) -> str:
    """Render a template over names; `used` is told every defined name that the template mentions.

    Raises `TemplateError` for a template that Jinja2 or its sandbox refuses, an undefined name, or too much text.
    """
    import jinja2

    if len(template) > LIMIT:
        raise TemplateError(f"a template may have at most {LIMIT} characters; this one has {len(template)}")
    try:
        tree = restricted(environment().parse(template))
        for name in sorted(_free_names(tree)):
            if name not in names:
                raise _undefined(template, name, names)
            if used is not None:
                used(name)
        return _rendered(tree, template, names)
    except RefusedError as error:
        raise TemplateError(error.message, *_line(template, error.line)) from None
    except jinja2.TemplateSyntaxError as error:
        message = f"the template does not parse: {error.message}"
        raise TemplateError(message, *_line(template, error.lineno)) from None
    except jinja2.UndefinedError:
        raise _unrendered("a value has no such part", template) from None
    except jinja2.TemplateError as error:
        raise _unrendered(error.message or "it is refused", template) from None
    except RecursionError:
        raise _unrendered("it is nested too deep", template) from None
    except ZeroDivisionError:
        raise _unrendered("division by zero", template) from None
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise _unrendered("a value does not fit what is done with it", template) from None


def _unrendered(reason: str, template: str) -> TemplateError:
    return TemplateError(f"the template cannot be rendered: {reason}", *_first_expression(template))


def _rendered(tree: nodes.Template, template: str, names: Mapping[str, str]) -> str:
    parts: list[str] = []
    size = 0
    for part in environment().from_string(tree).generate(**names):
        size += len(part)
        if size > LIMIT:
            raise TemplateError(f"the template becomes more than {LIMIT} characters", *_first_expression(template))
        parts.append(part)
    return "".join(parts)


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
