"""What a JSON file is: rules of one of the forms, a scenario around rules, a plan, or nothing of these."""

from __future__ import annotations

from typing import Literal

from ..grammar.text import Span
from .findings import GW101, Finding
from .json_tree import JsonArray, JsonObject, JsonString, JsonValue, describe
from .vocabulary import GROUPS


def kind_of(root: JsonValue) -> Literal["flat", "grouped", "scenario", "plan"] | None:
    """What a JSON file is: `flat`, `grouped`, `scenario`, `plan`; None for anything else."""
    match root:
        case JsonArray():
            return "flat"
        case JsonObject():
            schema = _schema_of(root)
            if schema.startswith("gatewright/plan/"):
                return "plan"
            if root.get("validation") is not None:
                return "scenario"
            if schema.startswith("gatewright/"):
                return None  # a run record, a result, …
            return "grouped" if any(root.get(group) is not None for group in GROUPS) else None
        case _:
            return None


def _schema_of(root: JsonObject) -> str:
    member = root.get("schema")
    return member.value.value if member is not None and isinstance(member.value, JsonString) else ""


def looks_like_rules(root: JsonValue) -> bool:
    """Stricter than a file that is named needs to be: an array of rule objects, groups of them, or a `validation`."""
    match root:
        case JsonArray(items=items):
            return any(isinstance(item, JsonObject) and item.get("validator") is not None for item in items)
        case JsonObject():
            if root.get("validation") is not None:
                return True
            groups = [member.value for group in GROUPS if (member := root.get(group)) is not None]
            return bool(groups) and all(isinstance(group, JsonArray) for group in groups)
        case _:
            return False


def not_rules(root: JsonValue) -> Finding:
    """GW101 for a JSON value that is none of the forms."""
    help_ = "rules are an array (flat), an object with gateway, job or tasks (grouped), or a scenario with validation"
    if isinstance(root, JsonObject) and _schema_of(root).startswith("gatewright/"):
        help_ = f"its schema says that it is {_schema_of(root)}"
    if isinstance(root, JsonObject) and not root.members:
        help_ = "an empty set of rules is an empty array: []"
    return Finding(GW101, f"this file holds {describe(root)}, which is no set of rules", opening(root), help=help_)


def opening(node: JsonValue) -> Span:
    """The first character of an object or array, so that a caret does not run over the whole file."""
    return Span(node.span.source, node.span.start, node.span.start + 1)
