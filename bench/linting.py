"""Lint of 1,000 scenario files of 10 rules each, cold and warm, beside ruff and check-jsonschema; then one file.

    .venv/bin/python bench/linting.py [--install] [--files N] [--rounds N]

Every figure is a whole process. Ruff reads as many lines of Python as the scenarios have lines of JSON,
check-jsonschema the same files under the published schema of scenarios. One file is compared with importing what it
cannot do without. Figures are the least of the rounds: what the machine does besides only adds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from workload import WORDS, patterns

BIN = Path(sys.executable).parent
RULES = 10


def scenarios(count: int) -> Iterator[dict[str, object]]:
    """Scenarios in the shapes that benchmarks have them, from a fixed seed."""
    rng = random.Random(5)
    known = patterns(max(40, count * 2))
    for number in range(count):
        service, package = rng.choice(WORDS["service"]), rng.choice(WORDS["package"])
        chosen = rng.sample(known, 5)
        rules: list[dict[str, object]] = [
            {"label": f"Command {at}", "validator": "pattern_match", "where": "executed_commands", "pattern": pattern}
            for at, pattern in enumerate(chosen[:3])
        ]
        rules += [
            {
                "label": f"Ban {at}",
                "validator": "pattern_match",
                "where": "executed_commands",
                "pattern": pattern,
                "negate": True,
            }
            for at, pattern in enumerate(chosen[3:])
        ]
        rules += [
            {"label": "Resolved", "validator": "job_resolution_status", "statuses": ["success", "partial"]},
            {"label": "Efficient", "validator": "task_count", "min": 1, "max": rng.randint(2, 6)},
            {
                "label": "Asked for the service",
                "validator": "pattern_match",
                "where": "executed_commands",
                "pattern": rf"\bsystemctl\s+(status|restart)\s+{service}\b",
                "required": False,
            },
            {"label": "Runs", "validator": "host_state", "run": f"systemctl is-active {service}", "on": "web-01"},
            {"label": "Installed", "validator": "host_state", "run": f"command -v {package}", "on": "web-01"},
        ]
        yield {"key": f"scenario-{number}", "title": f"{service} is down", "hosts": ["web-01"], "validation": rules}


def python_lines(count: int) -> str:
    """Python with nothing to complain of, in functions of six lines."""
    text: list[str] = []
    for number in range(-(-count // 6)):
        text += [
            f"def function_{number}(first: int, second: str) -> dict[str, object]:",
            '    """Give both back."""',
            f"    if first > {number}:",
            "        return {second: first}",
            "    return {second: None}",
            "",
        ]
    return "\n".join(text[:count]) + "\n"


def seconds(command: list[str], rounds: int, *, cache: Path | None = None, prepare: object = None) -> float:
    """The least time of a process. `cache` is emptied before every round but where `prepare` is `warm`."""
    environment = {**os.environ, "GATEWRIGHT_CACHE": str(cache)} if cache else dict(os.environ)
    least = float("inf")
    for _ in range(rounds):
        if cache is not None and prepare != "warm":
            shutil.rmtree(cache, ignore_errors=True)
        start = time.perf_counter()
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        least = min(least, time.perf_counter() - start)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)[:200]} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--install", action="store_true", help="install check-jsonschema in a temporary folder")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gw-") as name:
        folder = Path(name)
        files, cache = folder / "scenarios", folder / "cache"
        lines = 0
        for scenario in scenarios(given.files):
            place = files / str(scenario["key"])
            place.mkdir(parents=True)
            text = json.dumps(scenario, indent=2) + "\n"
            lines += text.count("\n")
            (place / "scenario.json").write_text(text, encoding="utf-8")
        print(f"{given.files} files, {given.files * RULES} rules, {lines} lines, {os.cpu_count()} processors\n")
        print(f"{'':54} seconds   ratio")
        lint = [str(BIN / "gatewright"), "lint", "--fail-level", "error"]
        cold = seconds([*lint, str(files)], 1, cache=cache)
        row("gatewright lint, cold", cold)
        warm = seconds([*lint, str(files)], given.rounds, cache=cache, prepare="warm")
        row("gatewright lint, warm", warm)
        peers(folder, files, lines, given.install, given.rounds, (cold, warm))

        one = files / "scenario-0" / "scenario.json"
        gate = folder / "one.gate"
        subprocess.run([str(BIN / "gatewright"), "convert", str(one), "--to", "gate", "-o", str(gate)], check=True)
        imports = seconds([sys.executable, "-c", "import lark, pydantic"], 3 * given.rounds)
        row("import lark, pydantic", imports)
        for title, file in (("one cold .gate file", gate), ("one cold JSON file", one)):
            row(title, seconds([*lint, str(file)], given.rounds, cache=cache), imports)
        click = seconds([sys.executable, "-c", "import click"], 3 * given.rounds)
        row("import click", click)
        row("one warm JSON file", seconds([*lint, str(one)], 3 * given.rounds, cache=cache, prepare="warm"), click)
    return 0


def peers(folder: Path, files: Path, lines: int, install: bool, rounds: int, ours: tuple[float, float]) -> None:
    """Ruff and check-jsonschema, cold and warm; ratios are ours over theirs."""
    cold, warm = ours
    code = folder / "python"
    code.mkdir()
    for number in range(100):
        (code / f"module_{number}.py").write_text(python_lines(lines // 100), encoding="utf-8")
    ruff = [str(BIN / "ruff"), "check", "--isolated", str(code)]
    row("ruff check, as many lines, cold", seconds([*ruff, "--no-cache"], rounds), ours=cold)
    row("ruff check, as many lines, warm", seconds([*ruff, "--cache-dir", str(folder / "ruff")], rounds), ours=warm)
    if install:
        target = folder / "packages"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), "check-jsonschema"]
        subprocess.run(command, check=True)
        os.environ["PYTHONPATH"] = str(target)
    schema = folder / "scenario-schema.json"
    printed = subprocess.run([str(BIN / "gatewright"), "schema", "scenario"], capture_output=True, check=True)
    schema.write_bytes(printed.stdout)
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema)]
    if subprocess.run([*check, "--version"], capture_output=True, check=False).returncode:
        print("check-jsonschema is not here and left out; --install has pip put it in a temporary folder")
        return
    row("check-jsonschema, the same files", seconds([*check, *map(str, files.rglob("*.json"))], 1), ours=cold)


def row(title: str, taken: float, peer: float | None = None, ours: float | None = None) -> None:
    ratio = f"{taken / peer:7.2f}" if peer else f"{ours / taken:7.2f} (ours to it)" if ours else ""
    print(f"{title:54} {taken:7.3f} {ratio}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
