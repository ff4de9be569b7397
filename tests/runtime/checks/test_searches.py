"""Searching when an engine has no answer: the rule is an error, negated or not, unless an earlier value decided it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from gatewright.compiler.ecmascript import PatternError
from gatewright.compiler.ir import HowOften, PatternMatch, Rule, RuleSet
from gatewright.compiler.ir_to_plan import ir_to_plan
from gatewright.runtime.evidence.record import Job, RunRecord, Task
from gatewright.runtime.grade import grade
from gatewright.runtime.matching import EngineFault, Found, LimitReached, Matcher, Subject, TooLarge
from gatewright.runtime.result import RuleResult


@dataclass
class FakePattern:
    source: str
    searched: list[str]

    def search(self, value: str | Subject) -> Found | LimitReached | EngineFault | None:
        """A value that is `slow` or `broken` has no answer; any other matches where it holds the pattern."""
        assert isinstance(value, Subject)
        text = bytes(value.units).decode()
        self.searched.append(text)
        if text == "slow":
            return LimitReached(1.0)
        if text == "broken":
            return EngineFault("panic")
        at = text.find(self.source)
        return Found(at, at + len(self.source)) if at >= 0 else None


@dataclass
class FakeEngine:
    searched: list[str] = field(default_factory=list[str])

    def compile(self, pattern: object) -> FakePattern | TooLarge | EngineFault:
        match pattern:
            case "huge":
                return TooLarge("over 1 MB")
            case "odd":
                return EngineFault("panic")
            case "(":
                raise PatternError("unclosed group", 0, 1)
            case _:
                return FakePattern(str(pattern), self.searched)


def check(*values: str, negate: bool = False, label: str = "My rule", **more: object) -> RuleResult:
    more = {"pattern": "x", **more}
    rule = Rule(label=label, check=PatternMatch(where="executed_commands", **more), negate=negate)  # type: ignore[arg-type]
    record = RunRecord("r", job=Job(status="completed", tasks=(Task(id="t1", values={"executed_commands": values}),)))
    result = grade(ir_to_plan(RuleSet(rules=(rule,))), record, None, Matcher(FakeEngine()))
    assert (result.verdict == "error") is (result.rules[0].status == "error")
    return result.rules[0]


@pytest.mark.parametrize("negate", [False, True])
def test_limit_makes_the_rule_an_error_and_names_rule_and_value(negate: bool) -> None:
    result = check("a", "slow", "b", negate=negate)
    assert result.status == "error"
    assert result.reason == "the pattern of “My rule” gave no answer within 1 s on task t1, value 1: slow"
    assert result.match is None
    assert result.values_tested == 3


@pytest.mark.parametrize(("negate", "status"), [(False, "pass"), (True, "fail")])
def test_match_before_the_limit_decides(negate: bool, status: str) -> None:
    assert check("x", "slow", negate=negate).status == status


@pytest.mark.parametrize("negate", [False, True])
def test_match_behind_the_limit_does_not_decide(negate: bool) -> None:
    assert check("slow", "x", negate=negate).status == "error"


def test_broken_engine_makes_the_rule_an_error() -> None:
    result = check("broken")
    assert (result.status, "broke the engine (panic)" in result.reason) == ("error", True)


@pytest.mark.parametrize(
    ("pattern", "words"), [("huge", "too large: over 1 MB"), ("odd", "broke the engine"), ("(", "unclosed group")]
)
def test_pattern_that_does_not_compile_makes_the_rule_an_error(pattern: str, words: str) -> None:
    for negate in (False, True):
        result = check("a", pattern=pattern, negate=negate)
        assert result.status == "error"
        assert words in result.reason
        assert "“My rule”" in result.reason


@pytest.mark.parametrize(
    ("bound", "times", "values", "status"),
    [
        ("at least", 1, ("x", "slow"), "pass"),
        ("at least", 2, ("x", "slow", "x"), "error"),
        ("at most", 1, ("x", "x", "slow"), "fail"),
        ("at most", 1, ("x", "slow"), "error"),
        ("exactly", 1, ("x", "x", "slow"), "fail"),
        ("exactly", 1, ("x", "slow"), "error"),
    ],
)
def test_limit_matters_to_a_count_that_it_leaves_open(
    bound: str, times: int, values: tuple[str, ...], status: str
) -> None:
    assert check(*values, how_often=HowOften(bound=bound, times=times)).status == status  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "status"),
    [(("x", "slow"), "pass"), (("slow", "x"), "error"), (("y", "slow"), "fail"), (("a", "slow"), "error")],
)
def test_limit_matters_to_an_order_that_it_leaves_open(values: tuple[str, ...], status: str) -> None:
    assert check(*values, before="y").status == status


def test_pass_stops_when_every_search_has_had_enough() -> None:
    engine = FakeEngine()
    rules = tuple(
        Rule(label=pattern, check=PatternMatch(where="executed_commands", pattern=pattern)) for pattern in "ac"
    )
    values = ("a", "b", "c", "d", "e")
    record = RunRecord("r", job=Job(tasks=(Task(values={"executed_commands": values}),)))
    grade(ir_to_plan(RuleSet(rules=rules)), record, None, Matcher(engine))
    assert engine.searched == ["a", "a", "b", "c"]
