"""Kinds of values in the JSON forms: how each is read with its faults, written, and described by a JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..grammar.text import Span
from . import ir
from .findings import GW102, GW104, GW109, GW110, Code, Finding, Report, did_you_mean
from .form_checks import current_status
from .json_tree import (
    JsonArray,
    JsonLiteral,
    JsonNumber,
    JsonObject,
    JsonPath,
    JsonString,
    JsonValue,
    describe,
    path_text,
)
from .vocabulary import MAX_EXIT_CODE, MAX_INTEGER, OLD_STATUSES, RESOLUTION_STATUSES, TARGETS


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands: its path, the label of its rule, and where findings go.

    `spans` gathers the places of values for the IR node that is being read.
    """

    path: JsonPath
    report: Report
    rule: str | None = None
    spans: dict[str, Span] = field(default_factory=dict[str, Span])

    def __truediv__(self, step: str | int) -> Place:
        return replace(self, path=(*self.path, step))

    def bad(self, span: Span, message: str, help_: str | None = None, code: Code = GW104) -> None:
        """Report `PATH: message`."""
        self.report(Finding(code, f"{path_text(self.path)}: {message}", span, help=help_, rule=self.rule))

    def wrong_type(self, node: JsonValue, wanted: str) -> None:
        self.bad(node.span, f"{wanted} is wanted, not {describe(node)}")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value. `read` gives None, and reports, where a value is not of this kind.

    `write` turns the IR's value into JSON data; `schema` is its JSON Schema.
    """

    read: Callable[[JsonValue, Place, str], Any]
    schema: dict[str, Any]
    write: Callable[[Any], Any] = lambda value: value


# ---- texts --------------------------------------------------------------------------------------------------------


def read_text(node: JsonValue, place: Place, attribute: str = "") -> str | None:
    """A string with at least one character."""
    if not isinstance(node, JsonString):
        place.wrong_type(node, "a string")
        return None
    if not node.value:
        place.bad(node.span, "the string is empty")
        return None
    if attribute:
        place.spans[attribute] = node.span
    return None if _has_lone_surrogate(node.value) else node.value


def read_any_text(node: JsonValue, place: Place, attribute: str = "") -> str | None:
    """A string, also the empty one."""
    if not isinstance(node, JsonString):
        place.wrong_type(node, "a string")
        return None
    if attribute:
        place.spans[attribute] = node.span
    return None if _has_lone_surrogate(node.value) else node.value


def _read_target(node: JsonValue, place: Place, attribute: str) -> str | None:
    """Any word, since unknown targets are told for all forms alike; but not a target that JSON does not have."""
    text = read_text(node, place, attribute)
    if text is not None and text in TARGETS and not TARGETS[text].in_json:
        place.bad(node.span, f"the target {text} does not exist in JSON", ".gate files have it", GW109)
        return None
    return text


def _has_lone_surrogate(text: str) -> bool:
    """The JSON parser reports these; the IR takes none."""
    return any("\ud800" <= character <= "\udfff" for character in text)


# ---- numbers and flags --------------------------------------------------------------------------------------------


def read_flag(node: JsonValue, place: Place, attribute: str = "") -> bool | None:
    if isinstance(node, JsonLiteral) and node.value is not None:
        if attribute:
            place.spans[attribute] = node.span
        return node.value
    place.wrong_type(node, "true or false")
    return None


def _integer(least: int, most: int, code: Code = GW104) -> Callable[[JsonValue, Place, str], int | None]:
    def read(node: JsonValue, place: Place, attribute: str) -> int | None:
        if not isinstance(node, JsonNumber):
            place.wrong_type(node, "a whole number")
            return None
        if not node.is_finite:
            return None  # reported by the JSON parser
        value = node.integer()
        if value is None:
            place.bad(node.span, f"a whole number up to 2^53 is wanted, not {describe(node)}")
            return None
        if not least <= value <= most:
            bounds = f"from {least} to {most}" if most < MAX_INTEGER else f"{least} or more"
            place.bad(node.span, f"a whole number {bounds} is wanted, not {value}", code=code)
            return None
        if attribute:
            place.spans[attribute] = node.span
        return value

    return read


read_count = _integer(0, MAX_INTEGER, GW110)
read_at_least = _integer(1, MAX_INTEGER)


# ---- lists --------------------------------------------------------------------------------------------------------


def read_list(
    node: JsonValue, place: Place, item: Callable[[JsonValue, Place, str], Any], attribute: str, empty: Code | None
) -> tuple[Any, ...] | None:
    """An array whose items are all of one kind; `empty` is the finding for an array without items, None to allow it."""
    if not isinstance(node, JsonArray):
        place.wrong_type(node, "an array")
        return None
    if not node.items and empty is not None:
        place.bad(node.span, "the list is empty", code=empty)
        return None
    place.spans[attribute] = node.span
    read = [item(child, place / index, f"{attribute}.{index}") for index, child in enumerate(node.items)]
    return None if any(value is None for value in read) else tuple(read)


def _read_statuses(node: JsonValue, place: Place, attribute: str) -> tuple[str, ...] | None:
    return read_list(node, place, _read_status, attribute, GW104)


def _read_status(node: JsonValue, place: Place, attribute: str) -> str | None:
    text = read_text(node, place, attribute)
    return None if text is None else current_status(text, node.span, place.report, place.rule)


def _read_one_status(node: JsonValue, place: Place, attribute: str) -> tuple[str, ...] | None:
    status = _read_status(node, place, f"{attribute}.0")
    return None if status is None else (status,)


def _read_turns(node: JsonValue, place: Place, attribute: str) -> tuple[ir.Turn, ...] | None:
    return read_list(node, place, _read_turn, attribute, GW104)


def _read_turn(node: JsonValue, place: Place, attribute: str) -> ir.Turn | None:
    if not isinstance(node, JsonObject):
        place.wrong_type(node, "an object with hosts, at_least or both")
        return None
    inner = replace(place, spans={})
    good = known_keys(node, inner, TURN_KEYS)
    hosts_member, least_member = node.get("hosts"), node.get("at_least")
    hosts: tuple[str, ...] | None = ()
    at_least: int | None = None
    if hosts_member is not None:
        hosts = read_list(hosts_member.value, inner / "hosts", read_text, "hosts", None)
        good = good and hosts is not None
    if least_member is not None:
        at_least = read_at_least(least_member.value, inner / "at_least", "at_least")
        good = good and at_least is not None
    if good and not hosts and at_least is None:
        span = node.span if hosts_member is None else hosts_member.value.span
        place.bad(span, "a turn names hosts, or says at_least how many there are")
        return None
    if not good or hosts is None:
        return None
    return ir.Turn(hosts=hosts, at_least=at_least, span=node.span, spans=inner.spans)


def _write_turns(turns: Sequence[ir.Turn]) -> list[dict[str, Any]]:
    written: list[dict[str, Any]] = []
    for turn in turns:
        entry: dict[str, Any] = {}
        if turn.hosts:
            entry["hosts"] = list(turn.hosts)
        if turn.at_least is not None:
            entry["at_least"] = turn.at_least
        written.append(entry)
    return written


def known_keys(node: JsonObject, place: Place, known: Sequence[str]) -> bool:
    """Report keys that nobody knows (GW102); whether there are none."""
    good = True
    for member in node.members:
        key = member.key.value
        if key not in known and key != "$schema" and not key.startswith("x-"):
            help_ = did_you_mean(key, known) or "keys here: " + ", ".join(known)
            place.bad(member.key.span, f"the key “{key}” is unknown", help_, GW102)
            good = False
    return good


# ---- the kinds ----------------------------------------------------------------------------------------------------

TURN_KEYS = ("hosts", "at_least")

_TEXT_SCHEMA: dict[str, Any] = {"type": "string", "minLength": 1}
_STATUS_SCHEMA: dict[str, Any] = {"enum": [*RESOLUTION_STATUSES, *OLD_STATUSES]}
_TURN_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "hosts": {"type": "array", "items": _TEXT_SCHEMA, "uniqueItems": True},
        "at_least": {"type": "integer", "minimum": 1},
    },
    "patternProperties": {r"^(\$schema$|x-)": {}},
    "additionalProperties": False,
    "anyOf": [{"required": ["at_least"]}, {"required": ["hosts"], "properties": {"hosts": {"minItems": 1}}}],
}

PATTERN = Kind(read_text, {**_TEXT_SCHEMA, "format": "regex"})
TEXT = Kind(read_text, _TEXT_SCHEMA)
TARGET = Kind(_read_target, {"enum": [target.name for target in TARGETS.values() if target.in_json]})
FLAG = Kind(read_flag, {"type": "boolean"})
COUNT = Kind(read_count, {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER})
EXIT = Kind(_integer(0, MAX_EXIT_CODE), {"type": "integer", "minimum": 0, "maximum": MAX_EXIT_CODE})
STATUSES = Kind(
    _read_statuses, {"type": "array", "items": _STATUS_SCHEMA, "minItems": 1, "uniqueItems": True}, write=list
)
ONE_STATUS = Kind(_read_one_status, _STATUS_SCHEMA, write=lambda statuses: statuses[0])
TURNS = Kind(_read_turns, {"type": "array", "items": _TURN_SCHEMA, "minItems": 1}, write=_write_turns)
