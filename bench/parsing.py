"""How long rules take to read: the parse table, 2,000 rules as `.gate` and as JSON, beside lark and `json.loads`."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lark

from gatewright.compiler.json_text import parse_json
from gatewright.compiler.load import load
from gatewright.grammar import table
from gatewright.grammar.build_tree import TreeBuilder
from gatewright.grammar.parser import parse
from gatewright.grammar.text import Source

RULES = 2_000
GATE = "".join(
    f'require "Agent restarted nginx {number}":\n'
    f"  executed_commands matches `\\bsystemctl\\s+(restart|reload|start)\\s+nginx-{number}\\b`\n"
    for number in range(RULES)
)
FLAT = json.dumps(
    [
        {
            "label": f"Agent restarted nginx {number}",
            "validator": "pattern_match",
            "pattern": f"\\bsystemctl\\s+(restart|reload|start)\\s+nginx-{number}\\b",
            "where": "executed_commands",
        }
        for number in range(RULES)
    ],
    indent=2,
)


def milliseconds(work: Callable[[], object], times: int = 7) -> float:
    """The median of so many runs."""
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def main() -> None:
    grammar = table.GRAMMAR_FILE.read_text(encoding="utf-8")
    plain = lark.Lark(grammar, **table.OPTIONS)
    with tempfile.TemporaryDirectory() as folder:
        gate, flat, built = Path(folder, "a.gate"), Path(folder, "a.json"), Path(folder, "gate.table")
        gate.write_text(GATE)
        flat.write_text(FLAT)
        built.write_bytes(table.build(grammar))
        rows = [
            (
                "load the parse table",
                lambda: table.load(TreeBuilder(), built),
                lambda: lark.Lark(grammar, **table.OPTIONS),
            ),
            (f"parse {RULES} rules (.gate)", lambda: parse(Source("a", GATE)), lambda: plain.parse(GATE)),
            (f"parse {RULES} rules (JSON)", lambda: parse_json(Source("a", FLAT), print), lambda: json.loads(FLAT)),
            (f"load {RULES} rules (.gate)", lambda: load(gate, print), lambda: plain.parse(GATE)),
            (f"load {RULES} rules (JSON)", lambda: load(flat, print), lambda: json.loads(FLAT)),
        ]
        peers = ["lark, from the grammar", "lark, bare tree", "json.loads", "lark, bare tree", "json.loads"]
        print(f"{'':28} {'ms':>8} {'peer ms':>8} {'ratio':>6}  peer")
        for (name, ours, theirs), peer in zip(rows, peers, strict=True):
            mine, other = milliseconds(ours), milliseconds(theirs)
            print(f"{name:28} {mine:8.1f} {other:8.1f} {mine / other:6.2f}  {peer}")


if __name__ == "__main__":
    main()
