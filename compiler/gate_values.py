"""The values in a `.gate` file: literals unwrapped and rendered, names, numbers, and the places of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ..grammar import syntax
from ..grammar.literals import source_offset, unwrap
from ..grammar.text import Source, Span
from .findings import GW104, GW113, Finding, Report
from .templates import TemplateError, render
from .vocabulary import MAX_INTEGER


class Placed(Protocol):
    """Anything with a place in the text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(slots=True)
class Scope:
    """The names that a template can use, and the host that stands for the loop name."""

    names: dict[str, str]
    loop_name: str | None = None
    loop_value: str = ""


@dataclass(slots=True)
class GateValues:
    """Reads the values of one file. `used` gathers the names that templates mention."""

    source: Source
    report: Report
    used: set[str] = field(default_factory=set[str])

    # ---- values ----------------------------------------------------------------------------------------------------

    def text(
        self,
        literal: syntax.Literal,
        what: str,
        scope: Scope,
        *,
        content: bool = False,
        allow_empty: bool = False,
    ) -> str | None:
        """The meaning of a literal: unwrapped, then rendered. None, and reported, where it has none."""
        text = unwrap(literal, content=content)
        lone = next((i for i, character in enumerate(text) if "\ud800" <= character <= "\udfff"), None)
        if lone is not None:
            message = f"a lone surrogate \\u{ord(text[lone]):04x} is no character"
            self.report(Finding(GW104, message, self.inside(literal, lone, 1, content)))
            return None
        if literal.template:
            try:
                text = render(text, scope.names, self.used.add)
            except TemplateError as fault:
                where = self.inside(literal, fault.index, fault.length, content)
                self.report(Finding(GW113, fault.message, where))
                return None
        if not text and not allow_empty:
            self.bad(literal, f"the {what} is empty")
            return None
        return text

    def optional_text(self, literal: syntax.Literal | None, what: str, scope: Scope) -> str | None:
        return None if literal is None else self.text(literal, what, scope)

    def item(self, item: syntax.Item, what: str, scope: Scope, *, allow_empty: bool = False) -> str | None:
        """A name, or the text of a literal; the value of the loop where a host is named like the loop."""
        if isinstance(item, syntax.Literal):
            return self.text(item, what, scope, allow_empty=allow_empty)
        if scope.loop_name == item.text and what == "host":
            return scope.loop_value
        return item.text

    def optional_item(self, item: syntax.Item | None, what: str, scope: Scope) -> str | None:
        return None if item is None else self.item(item, what, scope)

    def integer(
        self, number: syntax.Number | None, what: str, default: int, least: int, most: int = MAX_INTEGER
    ) -> int | None:
        """The number, `default` where none is written, None (and reported) where it is out of bounds."""
        if number is None:
            return default
        digits = number.text.lstrip("0") or "0"
        # Longer numbers are out of every bound, and Python refuses to read very long ones.
        value = int(digits) if len(digits) <= len(str(MAX_INTEGER)) else MAX_INTEGER + 1
        if not least <= value <= most:
            shown = digits if len(digits) <= 20 else digits[:17] + "…"
            bounds = f"from {least} to {most}" if most < MAX_INTEGER else f"at least {least}"
            if value > MAX_INTEGER:
                bounds = f"at most {min(most, MAX_INTEGER)}"
            self.bad(number, f"{what} is {bounds}, not {shown}")
            return None
        return value

    def optional_integer(self, number: syntax.Number | None, what: str, least: int) -> int | None:
        return None if number is None else self.integer(number, what, 0, least)

    # ---- places ----------------------------------------------------------------------------------------------------

    def span(self, node: Placed) -> Span:
        return Span(self.source, node.start, node.end)

    def spans(self, **nodes: Placed | None) -> dict[str, Span]:
        return {name: self.span(node) for name, node in nodes.items() if node is not None}

    def inside(self, literal: syntax.Literal, index: int, length: int, content: bool) -> Span:
        start = source_offset(literal, index, content=content)
        end = source_offset(literal, index + length, content=content)
        return Span(self.source, start, max(end, start + 1))

    def bad(self, node: Placed, message: str, help_: str | None = None) -> None:
        self.report(Finding(GW104, message, self.span(node), help=help_))
