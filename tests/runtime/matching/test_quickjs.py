"""The second exact engine: the same answers as the first, limits of its own, and what comes of one that breaks."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from gatewright.compiler.ecmascript import PatternError, parse
from gatewright.runtime.matching import EngineFault, ExactEngine, Found, LimitReached, Subject, TooLarge
from gatewright.runtime.matching import quickjs as quickjs_module
from gatewright.runtime.matching.quickjs import QuickJsEngine

HANG = 20.0
"""Seconds. What these tests guard against takes minutes, so that even a very busy machine tells both apart."""

MISSING = EngineFault("quickjs-ng is not installed")

CASES = [
    # pattern, value, the UTF-16 code units that match (None: no match)
    # ignoring case is upper-casing single code units, and never leads from beyond ASCII into it
    ("s", "ſ", None),
    ("ſ", "S", None),
    ("[^s]", "ſ", (0, 1)),
    ("k", "\u212a", None),
    (r"\w", "\u212a", None),
    ("i", "İ", None),
    ("İ", "i", None),
    ("ı", "I", None),
    ("σ", "ς", (0, 1)),
    ("[ς]", "Σ", (0, 1)),
    (r"(σ)\1", "Σς", (0, 2)),
    ("ß", "ẞ", None),
    ("ǅ", "ǆ", (0, 1)),
    (r"\u0345", "\u0399", (0, 1)),
    ("^[Z-a]$", "z", (0, 1)),
    ("𐐨", "𐐀", None),
    # code units: halves of characters, lone surrogates
    ("^.$", "😀", None),
    ("^..$", "😀", (0, 2)),
    ("(?<=^.).", "😀", (1, 2)),
    (r"\ude00", "a😀", (2, 3)),
    (r"\ud83d", "a😀", (1, 2)),
    ("\ud83d", "😀", (0, 1)),
    ("^😀+$", "😀😀", None),
    ("^[^😀]$", "\ud83d", None),
    ("\ud800", "x\ud800", (1, 2)),
    ("\ud800", "\ufffd", None),
    ("\\\ud800+", "\ud800\ud800", (0, 2)),
    ("[^\udc00]", "\udc00a", (1, 2)),
    ("^.error", "\ud800error", (0, 6)),
    ('"\\\\\ud800\n', '"\\\ud800\n', (0, 4)),
    ("é\ud83d\ude00b", "é😀b", (0, 4)),
    ("\ude00b", "é\ud83d\ude00b", (2, 4)),
    ("^\ufeff$", "\ufeff", (0, 1)),
    # ends and line ends
    ("cat$", "cat\n", None),
    ("^b", "a\nb", None),
    ("a.b", "a\u2028b", None),
    ("a.b", "a\u0085b", (0, 3)),
    (r"^\s$", "\u0085", None),
    (r"^\s$", "\ufeff", (0, 1)),
    ("$", "😀", (2, 2)),
    ("", "", (0, 0)),
    ("", "x", (0, 0)),
    ("\0", "a\0", (1, 2)),
    ("[^\0]+", "\0a\0", (1, 2)),
    # classes
    ("[]", "a", None),
    ("[^]", "\n", (0, 1)),
    ("a[]|b", "ab", (1, 2)),
    (r"[\s-a-z]", "m", None),
    (r"[\s-a-z]+", "- za", (0, 4)),
    (r"[\w--a]", "/", None),
    (r"[^\d--\c1]", "-5\x11b", (3, 4)),
    (r"[a-\d-z]+", "m5-az", (1, 5)),
    (r"[\w-]+", "é-a", (1, 3)),
    (r"[\b]", "\b", (0, 1)),
    # groups and references
    (r"^(?:(a)|b)\1$", "b", (0, 1)),
    (r"\1(a)", "a", (0, 1)),
    (r"^(?:(a)|(b))*\1$", "aba", None),
    (r"^(?:(a)|(b))*\1$", "ab", (0, 2)),
    (r"(z)((a+)?(b+)?(c))*", "zaacbbbcac", (0, 10)),
    (r"(?=(a+))a*b\1", "baaabac", (3, 6)),
    (r"(?!(a))\1b", "b", (0, 1)),
    (r"(a?)*?$", "aa", (0, 2)),
    (r"(?:a*?)*b", "aab", (0, 3)),
    (r"(?:){2,}x", "x", (0, 1)),
    # look-behind
    (r"(?<=got.{5})sha", "got: xxxsha", (8, 11)),
    (r"(?<=sudo\s+)rm", "sudo   rm", (7, 9)),
    (r"(?<=(\d+)(\d+))$", "1053", (4, 4)),
    (r"(?<=\1(\d+))x", "1212x", (4, 5)),
    (r"(?<!abc)\w\w\w", "abcdef", (0, 3)),
    (r"(?<!^)b", "bb", (1, 2)),
    # names; without one, `\k` is a k
    (r"\k", "K", (0, 1)),
    (r"\k<a>", "xk<A>", (1, 5)),
    (r"^(?<y>\d{4})-\k<y>1?$", "2024-20241", (0, 10)),
    (r"(?<y>a)\k<y>{2}1", "aaa1", (0, 4)),
    (r"\k<b>(?<a>(?<b>x))", "x", (0, 1)),
    (r"(?<=\k<b>(?<a>(x))(?<b>y))$", "yxy", (3, 3)),
    (r"(?<\u0061é>x)\k<aé>", "xX", (0, 2)),
    ("(?<" + "n" * 200 + r">x)\k<" + "n" * 200 + ">", "xx", (0, 2)),
    (r"(\w)\10", "aa\b", (1, 3)),
    (r"(\w)\1\0", "aa\0", (0, 3)),
]


@pytest.fixture(scope="session")
def quickjs() -> type[QuickJsEngine]:
    if QuickJsEngine().compile("") == MISSING:
        pytest.skip("quickjs-ng is not installed (the extra `second-engine`): the second engine was not tried")
    return QuickJsEngine


@pytest.mark.parametrize(("pattern", "value", "place"), CASES)
def test_a_pattern_means_what_it_means_in_javascript(quickjs, pattern, value, place):
    compiled = quickjs().compile(pattern)
    for asked in (value, Subject.of(value)):
        assert compiled.search(asked) == (place and Found(*place))
        assert compiled.test(asked) is (place is not None)


def test_the_table_above_is_what_node_says(node):
    answers = node.ask([(pattern, [value]) for pattern, value, _ in CASES])
    assert answers == [[place] for _, _, place in CASES]


def test_both_engines_say_the_same_of_random_patterns(quickjs, generator):
    make = generator(5)
    first, second = ExactEngine(2.0), quickjs(2.0)
    wrong, compared = [], 0
    while compared < 6_000:
        try:
            tree = parse(make.pattern())
        except PatternError:
            continue
        ours, theirs = first.compile(tree), second.compile(tree)
        for value in [make.value() for _ in range(6)]:
            mine = ours.test(value), ours.search(value)
            other = theirs.test(value), theirs.search(value)
            compared += 1
            if mine != other and not any(isinstance(outcome, LimitReached) for outcome in mine + other):
                wrong.append((tree.source, value, mine, other))
    assert wrong == []


def test_real_patterns_on_real_values(quickjs, oracle):
    values = [
        Subject.of(entry["value"]) for entry in json.loads((oracle / "values_open.json").read_text(encoding="utf-8"))
    ]
    engine, wrong, compared = quickjs(), [], 0
    for line in (oracle / "patterns_open.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "es_i_error" not in entry:
            compiled = engine.compile(entry["pattern"])
            answers = [compiled.test(value) for value in values]
            wrong += [entry["pattern"]] * (answers != [index in entry["es_i"] for index in range(len(values))])
            compared += len(values)
    assert wrong == []
    assert compared > 100_000


@pytest.mark.parametrize("pattern", ["(?i)a", "(?i:a)", "(?P<n>a)", "(?<n>a)|(?<n>b)", "a++", "*", "[b-a]", "["])
def test_what_node_20_refuses_is_refused_every_time(quickjs, pattern):
    engine = quickjs()
    for _ in range(2):
        with pytest.raises(PatternError):
            engine.compile(pattern)


def test_each_distinct_pattern_is_compiled_once(quickjs):
    engine = quickjs()
    assert engine.compile("a+") is engine.compile(parse("a+"))
    assert engine.compile("a+") is not engine.compile("A+")
    assert engine.compile("(?<n>a)").source == "(?<n>a)"


# ---- limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_limit_is_a_positive_number_of_seconds(limit):
    with pytest.raises(ValueError, match="positive number of seconds"):
        QuickJsEngine(limit)


@pytest.mark.parametrize("limit", [1e-9, 1e300])
def test_every_positive_number_of_seconds_will_do(quickjs, limit):
    engine = quickjs(limit)
    for turn in range(12_000):  # the clock is looked at once in ten thousand calls
        assert engine.compile(f"b{turn}$").test(f"ab{turn}") in (True, LimitReached(limit))
    assert engine.compile("b$").test("é" * 10_000 + "b") in (True, LimitReached(limit))


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"(a+)+\1$", "a" * 40 + "!"),
        (r"^(?=(a+)+$)a", "a" * 100_000 + "!"),
        (r"(a+)+\1$", "😀" + "a" * 40 + "!"),
        (r"\s+$", "\ud800" + " " * 100_000 + "x"),
    ],
)
def test_a_limit_that_was_met_leaves_the_engine_usable(quickjs, pattern, value):
    start = time.perf_counter()
    engine = quickjs(0.1)
    compiled = engine.compile(pattern)
    assert compiled.test(value) == LimitReached(0.1)
    assert compiled.search(value) == LimitReached(0.1)
    assert compiled.test("zz") is False
    assert engine.compile("a+").search("baa") == Found(1, 3)
    assert time.perf_counter() - start < HANG


def test_a_pattern_that_escapes_the_engines_clock_is_given_up_on_in_time():
    # In a process of its own, as the call that is left behind would slow down the tests that follow; that it ends at
    # once, and cleanly, with such a call still running is part of what is shown.
    script = (
        "from gatewright.runtime.matching.quickjs import QuickJsEngine\n"
        "engine = QuickJsEngine(0.1)\n"
        "compiled, value = engine.compile('(?=\\xe9+)x'), '\\xe9' * 1_000_000\n"
        "print(compiled.test(value), compiled.test(value), compiled.search('\\xe9x'))\n"
        "print(all(engine.compile(f'(a|{n})*b').test(f'{n}b') for n in range(5_000)))"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert time.perf_counter() - start < HANG
    if str(MISSING) in done.stderr or "EngineFault" in done.stderr:
        pytest.skip("quickjs-ng is not installed: no call was left behind")
    outcome = LimitReached(0.1)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{outcome} {outcome} None\nTrue\n", "")


def test_memory_that_runs_out_is_a_limit_and_leaves_the_engine_usable(quickjs, monkeypatch):
    monkeypatch.setattr(quickjs_module, "MEMORY", 4 << 20)
    engine = quickjs(10.0)
    end = engine.compile("b$")
    for pattern, value in [
        ("(a|b)*", "ab" * 500_000),  # no room for the ways not tried
        ("b$", "a" * (4 << 20) + "b"),  # nor for the value
        ("b$", "\ud800" + "é" * (2 << 20) + "b"),  # nor for the value behind its JSON, which is lost then
    ]:
        compiled = engine.compile(pattern)
        for _ in range(2):
            assert compiled.test(value) == LimitReached(10.0)
            assert compiled.search(value) == LimitReached(10.0)
        assert end.search("a" * (3 << 20) + "b") == Found(3 << 20, (3 << 20) + 1)


@pytest.mark.parametrize(
    "value",
    ["a" * 10_000_000 + "b", "é" * 10_000_000 + "b", "😀" * 5_000_000 + "b", "\ud800" + "é" * 9_999_999 + "b"],
    ids=["ascii", "latin", "astral", "surrogate"],
)
def test_values_of_ten_million_units_are_searched(quickjs, value):
    assert quickjs(30.0).compile("b$").search(value) == Found(10_000_000, 10_000_001)


def test_a_million_choices_are_no_deep_recursion(quickjs):
    assert quickjs(30.0).compile("(a|b)*").search("ab" * 500_000) == Found(0, 1_000_000)


@pytest.mark.parametrize("opener", ["(?:", "(?=", "(?<=", "(?:a|"])
def test_a_pattern_may_nest_deep(quickjs, opener):
    assert quickjs().compile(opener * 1_000 + "b" + ")" * 1_000).test("ab") is True


@pytest.mark.parametrize(
    "pattern",
    ["(?:" * 5_000 + ")" * 5_000, "(a)" * 300, "(?:" * 300 + "a" + ")*" * 300, "a" * 70_000],
    ids=["nesting", "captures", "loops", "length"],
)
def test_a_pattern_beyond_the_engine_is_too_large_and_not_invalid(quickjs, pattern):
    engine = quickjs()
    assert isinstance(engine.compile(pattern), TooLarge)
    assert engine.compile("a").test("a") is True


@pytest.mark.parametrize(
    "pattern",
    [r"(?:a{1000}){1000}", "|".join("a" * 32_000), "[" + "\0-\uffff" * 20_000 + "]", "(?<=" + "a" * 65_000 + ")"],
    ids=["counts", "branches", "ranges", "behind"],
)
def test_compiling_takes_seconds_at_most(quickjs, pattern):
    start = time.perf_counter()
    assert not isinstance(quickjs().compile(pattern), TooLarge | EngineFault)
    assert time.perf_counter() - start < HANG


# ---- threads, faults, and an engine that is missing -------------------------------------------------------


def test_threads_may_share_an_engine(quickjs):
    engine, wrong = quickjs(0.05), []

    def work(number: int) -> None:
        for turn in range(200):
            pattern = f"(?<n>{turn % 50})a*\\k<n>"
            if engine.compile(pattern).search(f"é{turn % 50}aa{turn % 50}") is None:
                wrong.append((number, turn))
            if turn % 50 == number and engine.compile(r"(a+)+\1$").test("a" * 40 + "!") != LimitReached(0.05):
                wrong.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


class Panic(BaseException):
    """Like the exception in which a panic of native code arrives: no `Exception`."""


class FakeContext:
    """A runtime that compiles, and does what `fault` says once it is asked."""

    def __init__(self, fault: BaseException, breaks_on: str) -> None:
        self.fault = fault
        self.breaks_on = breaks_on

    def get(self, name: str):
        return self.break_down if name in (self.breaks_on, "search") else lambda *_: 0

    def break_down(self, *_) -> None:
        raise self.fault

    def accept(self, _given: object) -> None: ...

    eval = set_memory_limit = set_max_stack_size = set_time_limit = accept


class FastClock(FakeContext):
    """A runtime whose clock runs four times too fast, as it does with four threads at work."""

    def __init__(self) -> None:
        super().__init__(ValueError("InternalError: interrupted\n    at exec (native)"), "test")
        self.limits: list[float] = []
        self.now = 0.0

    def set_time_limit(self, seconds: float) -> None:
        self.limits.append(seconds)

    def break_down(self, *_) -> bool:
        self.now += self.limits[-1] / 4
        if self.limits[-1] < 8:
            raise self.fault
        return True


def test_the_time_that_other_threads_take_is_not_the_patterns(monkeypatch):
    context = FastClock()
    monkeypatch.setattr(quickjs_module, "_load", lambda: SimpleNamespace(Context=lambda: context))
    monkeypatch.setattr(quickjs_module, "time", SimpleNamespace(perf_counter=lambda: context.now))
    assert QuickJsEngine(2).compile("a").test("a") is True
    assert QuickJsEngine(1).compile("a").test("a") == LimitReached(1)
    assert context.limits == [-1, 2, 4, 8, 2, -1, 1, 2, 4, 1]


def broken(monkeypatch, fault: BaseException, breaks_on: str) -> QuickJsEngine:
    library = SimpleNamespace(Context=lambda: FakeContext(fault, breaks_on))
    monkeypatch.setattr(quickjs_module, "_load", lambda: library)
    return QuickJsEngine()


FAULTS = [Panic("index out of bounds"), ValueError("no"), MemoryError()]


@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_breaks_is_an_outcome_and_no_crash(monkeypatch, fault):
    compiled = broken(monkeypatch, fault, "test").compile("a")
    for outcome in (compiled.test("a"), compiled.search("a"), compiled.test("a" * 10_000)):
        assert isinstance(outcome, EngineFault)
        assert type(fault).__name__ in outcome.message


@pytest.mark.parametrize(
    "says", ["InternalError: out of memory in regexp execution", "RangeError: invalid string length"]
)
def test_a_value_that_there_is_no_room_for_meets_a_limit(monkeypatch, says):
    compiled = broken(monkeypatch, ValueError(f"{says}\n    at exec (native)"), "test").compile("a")
    assert compiled.test("a") == compiled.search("a") == LimitReached(1.0)


@pytest.mark.parametrize("fault", FAULTS)
def test_an_engine_that_breaks_while_it_compiles_is_an_outcome_and_no_crash(monkeypatch, fault):
    outcome = broken(monkeypatch, fault, "compile").compile("a")
    assert isinstance(outcome, EngineFault)
    assert type(fault).__name__ in outcome.message


@pytest.mark.parametrize("value", ["a", "a" * 10_000])
def test_an_interrupt_is_no_fault_of_the_engine(monkeypatch, value):
    compiled = broken(monkeypatch, KeyboardInterrupt(), "test").compile("a")
    with pytest.raises(KeyboardInterrupt):
        compiled.test(value)


def test_a_package_that_is_not_installed_is_a_fault_and_no_exception(monkeypatch):
    def files(name: str):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", files)
    assert QuickJsEngine().compile("a") == MISSING
    with pytest.raises(PatternError):
        QuickJsEngine().compile("(")


def test_a_module_that_is_not_there_is_a_fault_and_no_exception(monkeypatch):
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    assert QuickJsEngine().compile("a") == MISSING


def test_the_module_of_another_package_is_never_imported(monkeypatch, tmp_path):
    (tmp_path / "_quickjs.py").write_text("raise SystemExit('imported')")
    monkeypatch.delitem(sys.modules, "_quickjs", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    assert QuickJsEngine().compile("a") == MISSING


def test_compiling_imports_the_library_and_starts_no_thread():
    script = (
        "import sys, threading\n"
        "from gatewright.runtime.matching.quickjs import QuickJsEngine\n"
        "engine = QuickJsEngine()\n"
        "before = [name for name in sys.modules if 'quickjs' in name and not name.startswith('gatewright.')]\n"
        "engine.compile('a')\n"
        "print(before, 'quickjs' in sys.modules, threading.active_count())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[] False 1\n"), done.stderr
