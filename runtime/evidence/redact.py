"""Secrets masked: in texts, in evidence, in results.

    redact_text("mysql -phunter2 shop")         # 'mysql -p[redacted] shop'
    redact_bundle(bundle)                       # every text of it; `redacted` says so
    redact_result(result, record)               # every text of it; also what excerpts have cut out of secrets

Rules are evaluated first and results masked afterwards, so that a mask decides nothing. A bundle that was masked is
other evidence, though: graded again it may give another result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from ..result import Result, RuleResult
from .bundle import Bundle
from .record import RunRecord
from .secret_spans import MASK, secret_spans

Value = TypeVar("Value")

_PASSES = 4
"""How often a text is gone over, at most: a mask can lay bare a word that stood in the middle of another."""

_CUT = "…"
"""What results put where they have cut a value."""

_LEAST = 8
"""Characters of a secret by which it is known again out of its place."""

_LEAST_CUT = 4
"""Characters of a secret by which it is known at the edge of an excerpt."""


def redact_text(text: str) -> str:
    """The text with `[redacted]` in place of every secret that is found in it; else as it is. A text that is masked
    does not change any more."""
    for _ in range(_PASSES):
        masked = _masked(text)
        if masked == text:
            break
        text = masked
    return text


def _masked(text: str) -> str:
    parts: list[str] = []
    end = 0
    for start, stop in secret_spans(text):
        parts += [text[end:start], MASK]
        end = stop
    return "".join([*parts, text[end:]]) if parts else text


def redact_bundle(bundle: Bundle) -> Bundle:
    """The bundle with the secrets masked in all texts of its record, commands, outputs and messages."""
    return replace(_redacted(bundle), redacted=True)


def redact_result(result: Result, evidence: RunRecord | Bundle | None = None) -> Result:
    """The result with the secrets masked in all its texts.

    Excerpts and reasons quote parts of values: a secret may have lost what it is known by. Those of the `evidence` that
    the result was made of are found in them all the same.
    """
    known = tuple(dict.fromkeys(_known(evidence)))
    rules = tuple(_without_known(rule, known) for rule in result.rules) if known else result.rules
    redacted = _redacted(replace(result, rules=rules))
    return replace(redacted, rules=tuple(map(_fitting, redacted.rules)))


def _redacted(value: Value) -> Value:
    """A value with every string in it redacted: in data classes, tuples and mappings (their keys stay)."""
    return cast("Value", _redacted_part(value))


def _redacted_part(value: object) -> object:
    match value:
        case str():
            return redact_text(value)
        case tuple():
            return tuple(map(_redacted_part, cast("tuple[object, ...]", value)))
        case Mapping():
            return {key: _redacted_part(item) for key, item in cast("Mapping[object, object]", value).items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{name: _redacted_part(part) for name, part in _parts(value)})
        case _:
            return value


def _parts(value: object) -> Iterator[tuple[str, object]]:
    assert is_dataclass(value)
    for field in fields(value):
        yield field.name, getattr(value, field.name)


# ---- parts of secrets ------------------------------------------------------------------------------------------------
def _known(value: object) -> Iterator[str]:
    """The secrets in all texts of the evidence, as they are and as a reason quotes them, on one line."""
    match value:
        case str():
            for start, end in secret_spans(value):
                secret = value[start:end]
                if len(secret) >= _LEAST and secret != MASK:
                    yield secret
                    yield " ".join(secret.split())
        case tuple():
            for item in cast("tuple[object, ...]", value):
                yield from _known(item)
        case Mapping():
            for item in cast("Mapping[object, object]", value).values():
                yield from _known(item)
        case _ if is_dataclass(value) and not isinstance(value, type):
            for _, part in _parts(value):
                yield from _known(part)
        case _:
            pass


def _without_known(rule: RuleResult, secrets: tuple[str, ...]) -> RuleResult:
    reason = _uncut(rule.reason, secrets)
    if rule.match is None:
        return replace(rule, reason=reason)
    return replace(rule, reason=reason, match=replace(rule.match, excerpt=_uncut(rule.match.excerpt, secrets)))


def _uncut(text: str, secrets: tuple[str, ...]) -> str:
    """A text in which `…` stands for what was cut, with the secrets masked and what the cuts have left of them."""
    parts = text.split(_CUT)
    for index in range(len(parts)):
        cut_before, cut_behind = index > 0, index < len(parts) - 1
        for secret in secrets:
            parts[index] = _without_secret(parts[index], secret, cut_before, cut_behind)
    return _CUT.join(parts)


def _without_secret(part: str, secret: str, cut_before: bool, cut_behind: bool) -> str:
    if cut_before and cut_behind and len(part) >= _LEAST_CUT and part in secret:
        return MASK
    part = part.replace(secret, MASK)
    sizes = range(min(len(part), len(secret) - 1), _LEAST_CUT - 1, -1)
    if cut_before and part[:_LEAST_CUT] in secret:
        size = next((size for size in sizes if part.startswith(secret[-size:])), 0)
        part = MASK + part[size:] if size else part
    if cut_behind and part[-_LEAST_CUT:] in secret:
        size = next((size for size in sizes if part.endswith(secret[:size])), 0)
        part = part[: len(part) - size] + MASK if size else part
    return part


def _fitting(rule: RuleResult) -> RuleResult:
    """The rule with an excerpt that is not longer than excerpts are, for masks may be longer than secrets."""
    from ..checks.excerpts import MAX_EXCERPT

    if rule.match is None or len(rule.match.excerpt) <= MAX_EXCERPT:
        return rule
    cut = rule.match.excerpt[: MAX_EXCERPT - 1] + _CUT
    return replace(rule, match=replace(rule.match, excerpt=cut))
