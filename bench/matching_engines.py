"""The engines of `matching.py`: what each takes for the same question, and what it answers."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import math
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from gatewright.compiler.ecmascript import parse
from gatewright.runtime.matching import ExactEngine, Subject
from gatewright.runtime.matching.matcher import Matcher
from gatewright.runtime.matching.projection import Blob
from gatewright.runtime.matching.re2_sets import Re2Sets
from gatewright.runtime.matching.superset import supersets

T = TypeVar("T")

Run = list[str]
Firsts = dict[int, int]
"""Of a run: pattern -> first value that matches, both as indexes."""

FIRST = "Gatewright, first pass"
AGAIN = "Gatewright, again"
LITERALS = "Gatewright, literals only"
EXACT = "exact engine in a loop"
RE = "Python re in a loop"
V8 = "V8 in a loop (Node)"
BARE = "RE2 sets, bare scan"
BARE_AGAIN = "RE2 sets, bare scan again"
BY_HAND = "re2.Set by hand"

REPEATS = 3

WARMING = 4.0
"""Times the patience with what compiles, or builds automata, as it goes."""

NODE = Path(__file__).with_name("matching.js")

MARK = b"\n\xff"
"""What `Re2Sets` puts behind every text."""

RE2_MEMORY = 256 << 20


@dataclass(frozen=True, slots=True)
class Work:
    """Patterns to look for in an archive."""

    archive: str
    patterns: tuple[str, ...]
    runs: list[Run]
    patience: float
    """Seconds after which a peer has been asked about enough runs, and a measurement is not repeated."""

    @property
    def pairs(self) -> int:
        return len(self.patterns) * sum(map(len, self.runs))

    def parts(self) -> tuple[list[int], list[int]]:
        """Indexes of the runs in the order in which peers are asked about them, in two parts."""
        order = list(range(len(self.runs)))
        random.Random(1).shuffle(order)
        half = (len(order) + 1) // 2
        return order[:half], order[half:]


@dataclass(frozen=True, slots=True)
class Measured:
    """What an engine took for all of the work."""

    engine: str
    seconds: float
    firsts: dict[int, Firsts]
    """By index of the runs that it was asked about."""
    exact: bool = True
    reckoned: bool = False
    """Asked about some runs only, `seconds` are for all."""
    refused: frozenset[int] = frozenset()
    """Indexes of patterns that it does not take."""
    note: str = ""


def not_measured(engine: str, why: str) -> Measured:
    return Measured(engine, math.nan, {}, exact=False, note=why)


def peers(work: Work) -> Iterator[Measured]:
    yield literals_only(work)
    yield exact_loop(work)
    yield re_loop(work)
    yield v8_loop(work)
    if find_spec("re2") is None:
        yield from (not_measured(engine, "no `google-re2` here") for engine in (BARE, BARE_AGAIN, BY_HAND))
    else:
        yield from bare_scan(work)
        yield by_hand(work)


# --- Gatewright ---------------------------------------------------------------------------------------------------


def forget() -> None:
    """Empties every cache of the product, tables of Unicode included, as they are when a process starts."""
    for name, module in list(sys.modules.items()):
        if name.startswith("gatewright."):
            for thing in list(vars(module).values()):
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def first_matches(matcher: Matcher, patterns: tuple[str, ...], values: Run) -> Firsts:
    firsts: Firsts = {}
    scan = matcher.scan(patterns, values)
    for pattern in scan.possible:
        compiled = None
        for value in scan.candidates(pattern):
            compiled = compiled or matcher.compile(patterns[pattern])
            if compiled.test(scan.subject(value)) is True:
                firsts[pattern] = value
                break
    return firsts


def gatewright(work: Work) -> list[Measured]:
    def one_pass(matcher: Matcher) -> dict[int, Firsts]:
        return {run: first_matches(matcher, work.patterns, values) for run, values in enumerate(work.runs)}

    def cold_and_warm() -> tuple[Measured, Measured]:
        forget()
        matcher = Matcher(ExactEngine())
        first = timed(lambda: one_pass(matcher))
        again = timed(lambda: one_pass(matcher))
        return Measured(FIRST, *first), Measured(AGAIN, *again)

    passes = repeated(work, cold_and_warm)
    return [median([first for first, _ in passes]), median([again for _, again in passes])]


def literals_only(work: Work) -> Measured:
    def cold() -> Measured:
        forget()
        matcher = Matcher(ExactEngine(), "literals")
        seconds, firsts, reckoned = reckon(
            work, lambda run: first_matches(matcher, work.patterns, work.runs[run]), WARMING
        )
        return Measured(LITERALS, seconds, firsts, reckoned=reckoned)

    return median(repeated(work, cold))


# --- loops over patterns and values -------------------------------------------------------------------------------


def exact_loop(work: Work) -> Measured:
    """The exact engine, asked about everything."""
    subjects = [[Subject.of(value) for value in values] for values in work.runs]

    def loop() -> Measured:
        forget()
        engine = ExactEngine()
        compiling, tests = timed(lambda: [engine.compile(pattern).test for pattern in work.patterns])
        seconds, firsts, reckoned = reckon(work, lambda run: first_true(tests, subjects[run]))
        return Measured(EXACT, compiling + seconds, firsts, reckoned=reckoned, note="compile included")

    return median(repeated(work, loop))


def first_true(tests: Sequence[Callable[[Subject], object]], subjects: Sequence[Subject]) -> Firsts:
    firsts: Firsts = {}
    for pattern, test in enumerate(tests):
        for value, subject in enumerate(subjects):
            if test(subject) is True:
                firsts[pattern] = value
                break
    return firsts


def re_loop(work: Work) -> Measured:
    """`re` with what it takes of the patterns."""
    searches: dict[int, Callable[[str], object]] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for index, pattern in enumerate(work.patterns):
            with contextlib.suppress(re.error):
                searches[index] = re.compile(pattern, re.IGNORECASE).search
    refused = frozenset(range(len(work.patterns))) - searches.keys()

    def loop() -> Measured:
        seconds, firsts, reckoned = reckon(work, lambda run: first_found(searches, work.runs[run]))
        return Measured(RE, seconds, firsts, False, reckoned, refused, "compiled before")

    return median(repeated(work, loop))


def first_found(searches: dict[int, Callable[[str], object]], values: Run) -> Firsts:
    firsts: Firsts = {}
    for pattern, search in searches.items():
        for value, text in enumerate(values):
            if search(text) is not None:
                firsts[pattern] = value
                break
    return firsts


def v8_loop(work: Work) -> Measured:
    """`new RegExp(pattern, "i").test(value)` in Node; the time is taken there, reading and writing left out."""
    node = shutil.which("node")
    if node is None:
        return not_measured(V8, "no `node` on this machine")
    with tempfile.TemporaryDirectory() as folder:
        question, answer = Path(folder, "question.json"), Path(folder, "answer.json")
        asked = {"patterns": work.patterns, "runs": work.runs, "parts": work.parts(), "patience": work.patience}
        question.write_text(json.dumps(asked))

        def loop() -> Measured:
            subprocess.run([node, str(NODE), str(question), str(answer)], check=True)
            found = json.loads(answer.read_text())
            return Measured(
                V8,
                found["compile"] + whole(work, found["parts"]),
                {run: dict(firsts) for run, firsts in found["firsts"]},
                reckoned=len(found["firsts"]) < len(work.runs),
                refused=frozenset(found["refused"]),
                note="compile included",
            )

        return median(repeated(work, loop))


# --- RE2 alone ----------------------------------------------------------------------------------------------------


def bare_scan(work: Work) -> list[Measured]:
    """The least that a pass of Gatewright with its sets can take: the scan itself, everything else ready."""
    texts = [Blob.of(values).text + MARK for values in work.runs]

    def cold_and_warm() -> tuple[Measured, Measured]:
        compiling, made = timed(lambda: Re2Sets.of([supersets(parse(pattern)) for pattern in work.patterns]))
        sets = [chunk.set for chunk in made.chunks]

        def scan(run: int) -> Firsts:
            for each in sets:
                each.Match(texts[run])
            return {}

        first, _, reckoned = reckon(work, scan, WARMING)
        again, _, also_reckoned = reckon(work, scan, WARMING)
        note = f"{len(sets)} set{'s' * (len(sets) > 1)}, compiled before in {compiling * 1000:.0f} ms"
        return (
            Measured(BARE, first, {}, exact=False, reckoned=reckoned, note=note),
            Measured(BARE_AGAIN, again, {}, exact=False, reckoned=also_reckoned),
        )

    passes = repeated(work, cold_and_warm)
    return [median([first for first, _ in passes]), median([again for _, again in passes])]


def by_hand(work: Work) -> Measured:
    """One `re2.Set` of the patterns as they are, over the values of a run as lines of UTF-8: compile, join and scan."""
    import re2

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = RE2_MEMORY

    def hand() -> Measured:
        together = re2.Set.SearchSet(options)
        taken: list[int] = []

        def compiled() -> None:
            for index, pattern in enumerate(work.patterns):
                with contextlib.suppress(re2.error):
                    together.Add(pattern)
                    taken.append(index)
            together.Compile()

        def scan(run: int) -> Firsts:
            text = "\n".join(work.runs[run]).encode("utf-8", "surrogatepass")
            return {taken[index]: 0 for index in together.Match(text) or ()}

        compiling, _ = timed(compiled)
        seconds, firsts, reckoned = reckon(work, scan, WARMING)
        refused = frozenset(range(len(work.patterns))) - frozenset(taken)
        note = "compile included; says which patterns match, not where"
        return Measured(BY_HAND, compiling + seconds, firsts, False, reckoned, refused, note)

    return median(repeated(work, hand))


# --- time and memory ----------------------------------------------------------------------------------------------


def timed(work: Callable[[], T]) -> tuple[float, T]:
    gc.collect()
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def repeated(work: Work, measurement: Callable[[], T]) -> list[T]:
    """`REPEATS` times, or fewer of what takes long."""
    until = time.perf_counter() + work.patience
    results = [measurement()]
    while len(results) < REPEATS and time.perf_counter() < until:
        results.append(measurement())
    return results


def median(measured: Sequence[Measured]) -> Measured:
    return replace(measured[0], seconds=statistics.median(each.seconds for each in measured))


def reckon(work: Work, answer: Callable[[int], Firsts], patience: float = 1.0) -> tuple[float, dict[int, Firsts], bool]:
    """Seconds that all runs take, answers for those that were asked about, and whether these are less than all.

    What is slow to become warm wants more than the usual `patience`.
    """
    firsts: dict[int, Firsts] = {}
    parts: list[tuple[int, float]] = []
    for part in work.parts():
        gc.collect()
        count, taken = 0, 0.0
        start = time.perf_counter()
        while count < len(part) and taken < patience * work.patience:
            run = part[count]
            firsts[run] = answer(run)
            count += 1
            taken = time.perf_counter() - start
        parts.append((count, taken))
    return whole(work, parts), firsts, len(firsts) < len(work.runs)


def whole(work: Work, parts: Sequence[tuple[int, float]]) -> float:
    """Seconds for all runs from (runs, seconds) of two parts: the rest is like the second, when everything was warm."""
    (begun, first), (count, second) = parts
    return first + second * (len(work.runs) - begun) / count


def reset_peak() -> None:
    """Gives back what earlier work left behind, and begins to watch anew; only Linux with glibc can."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")


def peak_megabytes() -> float:
    """Of resident memory, since `reset_peak`."""
    with contextlib.suppress(OSError, TypeError):
        found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
        return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
