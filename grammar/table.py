"""The parse table: the grammar, compiled once.

Building the table from `gate.lark` takes several times as long as reading it, so a wheel carries it as `gate.table`,
written when the wheel is built. The file names the grammar and the lark version that it was made from; a table that fits
neither (a checkout with an edited grammar, another lark) is passed over and the grammar compiled in memory.

This module imports nothing of the package: the build imports it by itself.
"""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

GRAMMAR_FILE = Path(__file__).with_name("gate.lark")
TABLE_FILE = Path(__file__).with_name("gate.table")
OPTIONS: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": True}


def fingerprint(grammar: str) -> str:
    """What a table must have been made from to be used: the grammar's text and lark's version."""
    import lark

    return f"{lark.__version__} {hashlib.sha256(grammar.encode()).hexdigest()}"


def build(grammar: str) -> bytes:
    """The table file for a grammar. The same grammar gives an equal table."""
    import io

    import lark

    body = io.BytesIO()
    lark.Lark(grammar, **OPTIONS).save(body)
    return pickle.dumps((fingerprint(grammar), body.getvalue()))


def load(transformer: Any, table_file: Path = TABLE_FILE) -> Any:
    """A lark parser that hands every production to `transformer`: from the table where it fits, else from the grammar."""
    import io

    import lark

    grammar = GRAMMAR_FILE.read_text(encoding="utf-8")
    if table_file.exists():
        made_from, body = pickle.loads(table_file.read_bytes())
        if made_from == fingerprint(grammar):
            # What Lark.load does, with the one option that load cannot be given.
            return lark.Lark.__new__(lark.Lark)._load(io.BytesIO(body), transformer=transformer)
    return lark.Lark(grammar, transformer=transformer, **OPTIONS)
