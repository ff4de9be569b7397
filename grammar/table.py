"""The parse table: the grammar, compiled once.

Building the table from `gate.lark` takes many times as long as reading it, so a wheel carries it as `gate.table`,
written when the wheel is built. Its first line names the grammar, the lark version and the table itself; a table that
does not fit (a checkout with an edited grammar, another lark, a file cut short) is passed over and the grammar
compiled in memory.

This module imports nothing of the package: the build runs it by itself, from its file.
"""

from __future__ import annotations

import ast
import hashlib
import io
import pickle
from pathlib import Path
from typing import Any

GRAMMAR_FILE = Path(__file__).with_name("gate.lark")
TABLE_FILE = Path(__file__).with_name("gate.table")
_SHIFT = 0  # as lark writes it; 1 is Reduce
OPTIONS: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": True}


def fingerprint(grammar: str, body: bytes) -> bytes:
    """The first line of a table file: lark's version, the hash of the grammar's text, the hash of the table."""
    import lark

    hashes = hashlib.sha256(grammar.encode()).hexdigest(), hashlib.sha256(body).hexdigest()
    return f"lark {lark.__version__} grammar {hashes[0]} table {hashes[1]}\n".encode()


def build(grammar: str) -> bytes:
    """The table file for a grammar: the same grammar and lark give the same bytes."""
    import lark

    saved = io.BytesIO()
    made: Any = lark.Lark(grammar, **OPTIONS)
    made.save(saved)
    table: Any = pickle.loads(saved.getvalue())
    table["data"]["parser"]["parser"] = _renumbered(table["data"]["parser"]["parser"])
    # repr and back: what pickle shares between equal parts must not hang on how lark came by them.
    body = pickle.dumps(ast.literal_eval(repr(table)), protocol=4)
    return fingerprint(grammar, body) + body


def _renumbered(automaton: dict[str, Any]) -> dict[str, Any]:
    """The automaton with its tokens and states numbered by name and reach, where lark goes by addresses in memory."""
    names: dict[int, str] = automaton["tokens"]
    token_numbers = {old: new for new, old in enumerate(sorted(names, key=names.__getitem__))}
    reached: list[int] = [*automaton["start_states"].values(), *automaton["end_states"].values()]
    actions: dict[int, dict[int, tuple[int, Any]]] = {}
    for state in reached:
        row = sorted(automaton["states"][state].items(), key=lambda action: token_numbers[action[0]])
        actions[state] = dict(row)
        for _, (kind, goal) in row:
            if kind == _SHIFT and goal not in reached:
                reached.append(goal)
    state_numbers = {old: new for new, old in enumerate(reached)}
    return {
        **automaton,
        "tokens": {token_numbers[token]: names[token] for token in token_numbers},
        "states": {
            state_numbers[state]: {
                token_numbers[token]: (kind, state_numbers[goal] if kind == _SHIFT else goal)
                for token, (kind, goal) in row.items()
            }
            for state, row in actions.items()
        },
        "start_states": {rule: state_numbers[state] for rule, state in automaton["start_states"].items()},
        "end_states": {rule: state_numbers[state] for rule, state in automaton["end_states"].items()},
    }


def load(transformer: Any, table_file: Path = TABLE_FILE) -> Any:
    """A lark parser that hands every production to `transformer`: from a table that fits, else from the grammar."""
    import lark

    grammar = GRAMMAR_FILE.read_text(encoding="utf-8")
    body = _fitting_body(grammar, table_file)
    if body is None:
        return lark.Lark(grammar, transformer=transformer, **OPTIONS)
    # What Lark.load does, with the one option that load cannot be given.
    blank: Any = lark.Lark.__new__(lark.Lark)
    return blank._load(io.BytesIO(body), transformer=transformer)


def _fitting_body(grammar: str, table_file: Path) -> bytes | None:
    try:
        first_line, _, body = table_file.read_bytes().partition(b"\n")
    except OSError:
        return None
    return body if first_line + b"\n" == fingerprint(grammar, body) else None
