"""Many patterns in the values of many runs: Gatewright beside `re`, its exact engine, V8 and RE2 alone.

    .venv/bin/python bench/matching.py [--quick] [--patterns DIR|FILE] [--json FILE]

Every engine is asked the same: for each run and pattern, the index of the first value that matches, or none. Those
that claim to be exact have to agree, or the script ends with 1; where the others do not, the table says how often.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import workload
from matching_engines import (
    AGAIN,
    BARE,
    BARE_AGAIN,
    BY_HAND,
    EXACT,
    FIRST,
    RE,
    V8,
    Measured,
    Run,
    Work,
    gatewright,
    peak_megabytes,
    peers,
    reset_peak,
)

from gatewright.compiler.ecmascript import PatternError
from gatewright.runtime.matching import ExactEngine

SIZES = (10, 50, 200, 1_000)

PATIENCE = 2.5
QUICK_PATIENCE = 0.75
"""Seconds for each half of what a slow peer is asked; a run that was begun is finished."""


# --- what came of it ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    archive: str
    patterns: int
    engine: str
    ms: float
    ns_per_pair: float
    ratio: float
    """Time a pattern, as a multiple of Gatewright's first pass."""
    reckoned: bool
    note: str

    def line(self) -> str:
        sign = "~" if self.reckoned else ""
        return (
            f"| {self.archive} | {self.patterns:,} | {self.engine} | {sign}{digits(self.ms)} |"
            f" {sign}{digits(self.ns_per_pair)} | {sign}{digits(self.ratio)} | {self.note} |"
        )


HEAD = """\
| archive | patterns | engine | ms | ns a (value, pattern) | × Gatewright | |
| --- | ---: | --- | ---: | ---: | ---: | --- |"""


def digits(number: float) -> str:
    if math.isnan(number):
        return "–"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def row(work: Work, measured: Measured, ours: Measured) -> Row:
    taken = len(work.patterns) - len(measured.refused)
    share = taken / len(work.patterns)
    notes = [measured.note] if measured.note else []
    if measured.refused:
        notes.append(f"patterns refused: {len(measured.refused)}")
    if not measured.exact and measured.firsts:
        notes.append(f"{differing(measured, ours):,} of {taken * len(measured.firsts):,} answers differ")
    return Row(
        work.archive,
        len(work.patterns),
        measured.engine,
        measured.seconds * 1000,
        measured.seconds * 1e9 / (work.pairs * share),
        measured.seconds / share / ours.seconds,
        measured.reckoned,
        "; ".join(notes),
    )


def differing(measured: Measured, ours: Measured) -> int:
    """Answers that are not Gatewright's, of the patterns that are taken; `re2.Set` only says which patterns match."""
    only_which = measured.engine == BY_HAND
    count = 0
    for run, firsts in measured.firsts.items():
        right = ours.firsts[run]
        for pattern in (firsts.keys() | right.keys()) - measured.refused:
            if only_which:
                count += (pattern in firsts) != (pattern in right)
            else:
                count += firsts.get(pattern) != right.get(pattern)
    return count


def disagreements(work: Work, measured: Measured, ours: Measured) -> Iterator[str]:
    if measured.refused:
        yield f"{measured.engine} refuses {[work.patterns[pattern] for pattern in sorted(measured.refused)]}"
    for run, firsts in measured.firsts.items():
        for pattern in firsts.keys() | ours.firsts[run].keys():
            theirs, right = firsts.get(pattern), ours.firsts[run].get(pattern)
            if theirs != right:
                yield (
                    f"{work.archive}, run {run}: `{work.patterns[pattern]}` matches first at {theirs} for"
                    f" {measured.engine}, at {right} for {ours.engine}"
                )


def measure(work: Work) -> tuple[list[Row], list[str], float]:
    """Rows of the table, disagreements of exact engines, and the peak of memory in Gatewright's passes."""
    reset_peak()
    ours, again = gatewright(work)
    peak = peak_megabytes()
    rows: list[Row] = []
    wrong: list[str] = []
    for measured in (ours, again, *peers(work)):
        rows.append(row(work, measured, ours))
        if measured.exact:
            wrong += disagreements(work, measured, ours)
    return rows, wrong, peak


def summary(rows: list[Row], peaks: dict[tuple[str, int], float]) -> Iterator[str]:
    figures = {(each.archive, each.patterns, each.engine): each for each in rows}
    for (archive, size), peak in peaks.items():
        ratio = {engine: figures[archive, size, engine].ratio for engine in (FIRST, AGAIN, EXACT, RE, V8)}
        ms = {engine: figures[archive, size, engine].ms for engine in (FIRST, AGAIN, BARE, BARE_AGAIN)}
        yield (
            f"- {archive}, {size:,} patterns: as fast as re {digits(ratio[RE])} ×, V8 {digits(ratio[V8])} ×, the exact"
            f" engine in a loop {digits(ratio[EXACT])} ×; the time of a bare scan {digits(ms[FIRST] / ms[BARE])} ×,"
            f" again {digits(ms[AGAIN] / ms[BARE_AGAIN])} ×; peak RSS {peak:,.0f} MB"
        )
    for archive in dict.fromkeys(archive for archive, _ in peaks):
        sizes = sorted(size for each, size in peaks if each == archive)[-2:]
        if len(sizes) < 2:
            continue
        growth = {e: [figures[archive, size, e].ms for size in sizes] for e in (FIRST, AGAIN)}
        yield (
            f"- {archive}, {sizes[0]:,} → {sizes[-1]:,} patterns: the time"
            f" {digits(growth[FIRST][-1] / growth[FIRST][0])} ×, again {digits(growth[AGAIN][-1] / growth[AGAIN][0])} ×"
        )


# --- patterns and archives ----------------------------------------------------------------------------------------


def patterns_in(place: Path) -> Iterator[str]:
    """Of a file, or of every file in a folder: `pattern` of objects in JSON, lines of plain text."""
    files = [place] if place.is_file() else sorted(each for each in place.rglob("*") if each.is_file())
    for file in files:
        if file.suffix not in (".json", ".jsonl", ".txt"):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        lines = [line for line in text.splitlines() if line.strip()]
        if file.suffix == ".txt":
            yield from lines
            continue
        try:
            data = json.loads(text) if file.suffix == ".json" else [json.loads(line) for line in lines]
        except (ValueError, RecursionError) as error:
            print(f"{file}: left out, {error}", file=sys.stderr)
        else:
            yield from patterns_of(data)


def patterns_of(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "pattern" and isinstance(value, str):
                yield value
            else:
                yield from patterns_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from patterns_of(value)


def valid(found: Sequence[str]) -> list[str]:
    engine = ExactEngine()
    taken: list[str] = []
    for pattern in found:
        with contextlib.suppress(PatternError):
            if hasattr(engine.compile(pattern), "test"):
                taken.append(pattern)
    return taken


def runs_of(values: list[str], size: int) -> list[Run]:
    return [values[at : at + size] for at in range(0, len(values), size)]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--patterns", type=Path, metavar="DIR|FILE", help="these instead of generated ones")
    options.add_argument("--quick", action="store_true", help="a tenth of the archive")
    options.add_argument("--json", type=Path, metavar="FILE", help="the figures, for a machine")
    given = options.parse_args()

    patterns = workload.patterns(max(SIZES))
    if given.patterns:
        found = list(dict.fromkeys(patterns_in(given.patterns)))
        patterns = valid(found)
        random.Random(1).shuffle(patterns)
        print(f"{given.patterns}: {len(patterns):,} patterns taken, {len(found) - len(patterns):,} refused\n")
        if not patterns:
            return 2
    sizes = sorted({min(size, len(patterns)) for size in SIZES})
    part, patience = (10, QUICK_PATIENCE) if given.quick else (1, PATIENCE)
    archives = {
        "commands": runs_of(workload.commands(100_000 // part), 50),
        "messages": runs_of(workload.messages(2_000 // part), 10),
    }

    rows: list[Row] = []
    wrong: list[str] = []
    peaks: dict[tuple[str, int], float] = {}
    print(HEAD)
    for archive, runs in archives.items():
        for size in sizes:
            work = Work(archive, tuple(patterns[:size]), runs, patience)
            measured, differences, peaks[archive, size] = measure(work)
            print("\n".join(each.line() for each in measured), flush=True)
            rows += measured
            wrong += differences
    lines = list(summary(rows, peaks))
    print("\n~: asked about some runs only, and reckoned for all.\n", *lines, sep="\n")
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(f"- {machine}; Python {platform.python_version()}")
    if given.json:
        peak = [{"archive": archive, "patterns": size, "peak_mb": mb} for (archive, size), mb in peaks.items()]
        given.json.write_text(json.dumps({"rows": [asdict(each) for each in rows], "peaks": peak, "wrong": wrong}))
    for each in wrong[:20]:
        print(each, file=sys.stderr)
    print(f"- exact engines differ in {len(wrong)} answers" if wrong else "- exact engines agree in every answer")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
