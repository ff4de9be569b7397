"""The canonical layout of the rules inside a JSON file.

Only the layout changes: keys keep their order and their spelling, and what is not rules stays as it is.
"""

from __future__ import annotations

from ..grammar.text import Source
from .findings import GW107, Finding, Report, Severity
from .json_kind import kind_of, looks_like_rules, not_rules
from .json_layout import Inline, Printable
from .json_rewrite import Replace, rewrite
from .json_text import parse_json
from .json_tree import JsonArray, JsonDocument, JsonObject, JsonPath, JsonValue
from .vocabulary import GROUPS


def format_json(source: Source, report: Report, *, strip_comments: bool = False) -> str | None:
    """The layout of a JSON file of rules; None, and the reason reported, when it must be left alone.

    A file with comments is left alone unless `strip_comments`, since JSON that is written has none.
    """
    findings: list[Finding] = []
    document = parse_json(source, findings.append)
    wrong = [finding for finding in findings if finding.is_error]
    if document is None or wrong:
        for finding in wrong:
            report(finding)
        return None
    if document.comments and not strip_comments:
        report(has_comments(document))
        return None
    path: JsonPath = ()
    match kind_of(document.root):
        case "flat":
            rules = document.root
        case "grouped" if looks_like_rules(document.root):
            rules = document.root
        case "scenario":
            assert isinstance(document.root, JsonObject)
            validation = document.root.get("validation")
            assert validation is not None
            path, rules = ("validation",), validation.value
        case _:
            report(not_rules(document.root))
            return None
    return rewrite(document, [Replace(path, _rules(rules))])


def has_comments(document: JsonDocument) -> Finding:
    """Why a file with comments is left alone: a warning elsewhere, here the reason."""
    message = "the file has comments, which JSON that is written does not have"
    help_ = "--strip-comments drops them; a .gate file keeps them"
    return Finding(GW107, message, document.comments[0], help=help_, severity_override=Severity.ERROR)


def _rules(node: JsonValue) -> Printable:
    """The rules of either form, marked for the layout."""
    match node:
        case JsonArray():
            return [_rule(item) for item in node.items]
        case JsonObject():
            return {
                member.key.value: _rules(member.value) if member.key.value in GROUPS else member.value
                for member in node.members
            }
        case _:
            return node


def _rule(node: JsonValue) -> Printable:
    """A rule object, with each turn on one line."""
    if not isinstance(node, JsonObject):
        return node
    return {
        member.key.value: [Inline(item) if isinstance(item, JsonObject) else item for item in member.value.items]
        if member.key.value == "turns" and isinstance(member.value, JsonArray)
        else member.value
        for member in node.members
    }
