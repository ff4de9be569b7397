"""Two engines as one: which of them answers, and what is said when neither does."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field

import corvus_regex_ecma262 as corvus
import pytest

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.runtime.matching import DEFAULT_LIMIT, EngineFault, ExactEngine, Found, LimitReached, Subject, TooLarge
from gatewright.runtime.matching.fallback import FallbackEngine, default_engine
from gatewright.runtime.matching.quickjs import QuickJsEngine

MISSING = "quickjs-ng is not installed"
FAULT = EngineFault("broke")


@dataclass
class FakePattern:
    source: str
    engine: FakeEngine

    def test(self, value):
        self.engine.asked.append(("test", value))
        return self.engine.answer

    def search(self, value):
        self.engine.asked.append(("search", value))
        return self.engine.outcome


@dataclass
class FakeEngine:
    """Says the same of every pattern and value, and remembers what it was asked."""

    answer: object = True
    outcome: object = Found(0, 1)
    compiles_to: object = None
    asked: list[tuple[str, object]] = field(default_factory=list)

    def compile(self, pattern):
        self.asked.append(("compile", pattern))
        source = pattern if isinstance(pattern, str) else pattern.source
        return FakePattern(source, self) if self.compiles_to is None else self.compiles_to


@pytest.fixture
def needs_quickjs() -> None:
    if QuickJsEngine().compile("") == EngineFault(MISSING):
        pytest.skip("quickjs-ng is not installed (the extra `second-engine`): nothing could fall back")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [(True, Found(3, 4)), (True, Found(None, None)), (False, None), (LimitReached(1.0), LimitReached(1.0))],
)
def test_an_answer_of_the_first_stands_and_a_limit_is_one(answer, outcome):
    second = FakeEngine()
    compiled = FallbackEngine(FakeEngine(answer, outcome), second).compile("a")
    assert compiled.test("v") == answer
    assert compiled.search("v") == outcome
    assert second.asked == []


def test_a_pattern_too_large_for_the_first_is_not_tried_with_the_second():
    second = FakeEngine()
    assert FallbackEngine(FakeEngine(compiles_to=TooLarge("long")), second).compile("a") == TooLarge("long")
    assert second.asked == []


@pytest.mark.parametrize("pattern", ["a", parse("a")])
def test_a_pattern_that_the_first_breaks_on_is_compiled_by_the_second(pattern):
    second = FakeEngine(False, None)
    compiled = FallbackEngine(FakeEngine(compiles_to=FAULT), second).compile(pattern)
    assert compiled.source == "a"
    assert compiled.test("v") is False
    assert compiled.search("v") is None
    assert second.asked == [("compile", pattern), ("test", "v"), ("search", "v")]


@pytest.mark.parametrize("value", ["v", Subject.of("v")])
def test_a_value_that_the_first_breaks_on_is_asked_of_the_second(value):
    first, second = FakeEngine(FAULT, None), FakeEngine(False, None)
    compiled = FallbackEngine(first, second).compile("a")
    assert compiled.search(value) is None
    assert second.asked == []  # it compiles nothing before it has to
    assert compiled.test(value) is False
    first.answer, first.outcome = True, FAULT
    assert compiled.test(value) is True
    assert compiled.search(value) is None
    assert [what for what, _ in second.asked] == ["compile", "test", "compile", "search"]
    assert {given for what, given in second.asked if what != "compile"} == {value}


@pytest.mark.parametrize("outcome", [LimitReached(1.0), True])
def test_what_the_second_says_is_the_answer_even_if_it_is_a_limit(outcome):
    assert FallbackEngine(FakeEngine(FAULT), FakeEngine(outcome)).compile("a").test("v") == outcome


def test_where_both_break_both_are_heard():
    both = EngineFault("broke; too")
    first, second = FakeEngine(FAULT, FAULT), FakeEngine(EngineFault("too"), EngineFault("too"))
    compiled = FallbackEngine(first, second).compile("a")
    assert compiled.test("v") == compiled.search("v") == both
    for refusal in (EngineFault("too"), TooLarge("too")):
        second.compiles_to = refusal
        assert compiled.test("v") == compiled.search("v") == both
    first.compiles_to = FAULT
    second.compiles_to = EngineFault("too")
    assert FallbackEngine(first, second).compile("a") == both
    second.compiles_to = TooLarge("too")
    assert FallbackEngine(first, second).compile("a") == TooLarge("too")


# ---- the engines that there are ---------------------------------------------------------------------------


class Panic(BaseException):
    """Like the exception in which a panic of Rust code arrives: no `Exception`."""


class Broken:
    def test(self, _value):
        raise Panic("index out of bounds")

    search = test


def panic(*_arguments, **_named):
    raise Panic("index out of bounds")


LONG = "sudo " * 2_000 + "restart"


def assert_that_it_works(engine) -> None:
    compiled = engine.compile(r"(?<=o\s)re(?=start)")
    assert compiled.source == r"(?<=o\s)re(?=start)"
    assert (compiled.test("sudo RESTART"), compiled.search("sudo RESTART")) == (True, Found(5, 7))
    assert (compiled.test("restart"), compiled.search("restart")) == (False, None)
    assert compiled.search(Subject.of("😀o restart")) == Found(4, 6)
    assert compiled.search(LONG) == Found(10_000, 10_002)
    with pytest.raises(PatternError):
        engine.compile("(?i)a")


def test_the_default_engine_works():
    assert_that_it_works(default_engine())


def test_a_panic_on_a_value_falls_back(monkeypatch, needs_quickjs):
    monkeypatch.setattr(corvus, "compile", lambda *_arguments, **_named: Broken())
    assert_that_it_works(default_engine())


def test_a_panic_on_a_pattern_falls_back(monkeypatch, needs_quickjs):
    monkeypatch.setattr(corvus, "compile", panic)
    assert_that_it_works(default_engine())


def test_a_first_engine_that_is_missing_falls_back(monkeypatch, needs_quickjs):
    monkeypatch.setitem(sys.modules, "corvus_regex_ecma262", None)
    assert_that_it_works(default_engine())


def test_the_limit_holds_for_both(monkeypatch, needs_quickjs):
    engine = default_engine(0.1)
    catastrophic, value = r"(a+)+\1$", "a" * 40 + "!"
    assert engine.compile(catastrophic).test(value) == LimitReached(0.1)
    monkeypatch.setattr(corvus, "compile", panic)
    broken = default_engine(0.1)
    assert broken.compile(catastrophic).test(value) == LimitReached(0.1)
    assert broken.compile("a").test("a") is True


def test_a_second_engine_that_is_missing_is_not_missed(monkeypatch):
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    assert_that_it_works(default_engine())


@pytest.mark.parametrize("pattern", ["a", "(?:" * 900 + "a" + ")" * 900])
def test_where_both_are_missing_there_is_a_fault_and_no_exception(monkeypatch, pattern):
    monkeypatch.setitem(sys.modules, "corvus_regex_ecma262", None)
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    compiled = default_engine().compile(pattern)
    faults = (
        [compiled]
        if isinstance(compiled, EngineFault)
        else [ask(value) for ask in (compiled.test, compiled.search) for value in ("a", LONG, Subject.of("é"))]
    )
    for fault in faults:
        assert isinstance(fault, EngineFault)
        assert "corvus_regex_ecma262" in fault.message
        assert MISSING in fault.message


def test_the_default_limit_is_that_of_each_engine():
    engine = default_engine()
    assert isinstance(engine, FallbackEngine)
    assert isinstance(engine.first, ExactEngine)
    assert isinstance(engine.second, QuickJsEngine)
    assert engine.first.limit == engine.second.limit == DEFAULT_LIMIT
    with pytest.raises(ValueError, match="positive number of seconds"):
        default_engine(0)


def test_no_library_is_imported_before_it_is_needed():
    script = (
        "import sys\n"
        "from gatewright.runtime.matching.fallback import default_engine\n"
        "def loaded():\n"
        "    return sorted({'corvus_regex_ecma262', 'quickjs', '_quickjs', 're2'} & {*sys.modules})\n"
        "engine = default_engine()\n"
        "print(loaded())\n"
        "engine.compile('a').test('a')\n"
        "print(loaded())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n['corvus_regex_ecma262']\n"), done.stderr
