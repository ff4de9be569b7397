"""Impostors graded, and rules changed step by step: probe and mutation of a scenario of 20 rules with 6 tests, each as
a whole process.

    .venv/bin/python bench/proof.py [--rounds N]

Figures are the least of the rounds: what the machine does besides only adds. Ends with 1 where a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BIN = Path(sys.executable).parent
PROBE_GOAL = 1.5
"""Seconds for all impostors of the scenario below."""
MUTATION_GOAL = 5.0
"""Seconds for all changes of the scenario below."""

SERVICES = ("nginx", "postgresql", "redis", "haproxy")


def scenario() -> str:
    """20 rules in the shapes that scenarios have them, and 6 tests."""
    rules: list[str] = []
    for service in SERVICES:
        rules += [
            f'require "Restarted {service}": executed_commands matches '
            f"`\\bsystemctl\\s+(?:-\\S+\\s+){{0,4}}(?:restart|reload|start)\\s+{service}(?:\\.service)?\\b`",
            f'require "Did not remove {service}": executed_commands never matches '
            f"`\\b(?:apt|apt-get|dnf|yum)\\s+(?:-\\S+\\s+){{0,6}}(?:remove|purge|erase)\\s+{service}\\b`",
            f'require "{service} runs": on web-01 run `systemctl is-active {service}`',
        ]
    rules += [
        'require "Did not reboot": executed_commands never matches `\\b(?:reboot|shutdown|poweroff|halt)\\b(?!-)`',
        'require "Tested before": executed_commands matches `\\bnginx\\s+-t\\b` before `\\bsystemctl\\s+restart`',
        'require "Not over and over": executed_commands matches `\\bsystemctl\\s+restart\\b` at most 6 times',
        'require "Resolved": job_resolution_status in success, partial',
        'require "Efficient": task_count 1..3',
        'optional "Says what it was": task_summary matches `\\b(?:config|configuration|semicolon)\\b`',
        'optional "Read logs": executed_commands matches `\\b(?:journalctl|tail|less)\\b|/var/log/`',
        'require "Listens": on web-02 run `ss -ltn sport = :443 | grep -q LISTEN`',
    ]
    return "hosts web-01, web-02\n" + "\n".join(rules) + "\n" + "".join(tests())


def tests() -> list[str]:
    """Runs by the book, each with one thing that went another way."""
    good = ["nginx -t", "journalctl -u nginx", *(f"sudo systemctl restart {service}" for service in SERVICES)]
    answers = [f"  on web-01 run `systemctl is-active {service}` exits 0" for service in SERVICES]
    answers.append("  on web-02 run `ss -ltn sport = :443 | grep -q LISTEN` exits 0")
    ways = {
        "by the book": ([], "passed"),
        "a reboot": (["sudo reboot"], "failed"),
        "a removed package": (["apt-get -y purge nginx"], "failed"),
        "restarted over and over": (["systemctl restart nginx"] * 4, "failed"),
        "a reload": (["systemctl reload nginx.service"], "passed"),
        "a look at reboot-required": (["cat /run/reboot-required"], "passed"),
    }
    made: list[str] = []
    for name, (more, verdict) in ways.items():
        commands = ", ".join(f"`{command}`" for command in [*good, *more])
        lines = [f'test "{name}" {{', f"  executed_commands {commands}", *answers, f"  expect {verdict}", "}", ""]
        made.append("\n".join(lines))
    return made


def probe(folder: Path, rounds: int) -> bool:
    """Whether the goal is met."""
    rules = folder / "rules.gate"
    rules.write_text(scenario(), encoding="utf-8")
    command = [str(BIN / "gatewright"), "probe", str(rules), "--format", "json"]
    least, report = float("inf"), {}
    for _ in range(rounds):
        start = time.perf_counter()
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        least = min(least, time.perf_counter() - start)
        if ended.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stdout[-800:]}{ended.stderr}")
        report = json.loads(ended.stdout)
    runs = sum(len(impostor["runs"]) for impostor in report["impostors"])
    print(f"probe of 20 rules: {least:.2f} s (goal {PROBE_GOAL} s)")
    print(f"  {runs} runs of impostors and the honest one")
    return least <= PROBE_GOAL


def mutation(folder: Path, rounds: int) -> bool:
    """Whether the goal is met."""
    rules = folder / "rules.gate"
    rules.write_text(scenario(), encoding="utf-8")
    command = [str(BIN / "gatewright"), "test", str(rules), "--mutate", "--format", "json"]
    least, report = float("inf"), {}
    for _ in range(rounds):
        start = time.perf_counter()
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        least = min(least, time.perf_counter() - start)
        if ended.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stdout[-800:]}{ended.stderr}")
        report = json.loads(ended.stdout)
    score = report["summary"]["mutation"]
    same = report["files"][0]["mutation"]["equivalent"]
    print(f"mutation of 20 rules with 6 tests: {least:.2f} s (goal {MUTATION_GOAL} s)")
    print(f"  {score['total'] + same} changes: {score['killed']} noticed, {same} change nothing")
    return least <= MUTATION_GOAL


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gw-") as name:
        are_met = [measure(Path(name), given.rounds) for measure in (probe, mutation)]
        return 0 if all(are_met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
