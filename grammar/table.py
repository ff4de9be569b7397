"""The parse table: the grammar, compiled once.

Building the table from `gate.lark` takes many times as long as reading it, so a wheel carries it as `gate.table`,
written when the wheel is built. Its first line names the grammar, the lark version and the table itself; a table that
does not fit (a checkout with an edited grammar, another lark, a file cut short) is passed over and the grammar
compiled in memory.

This module imports nothing of the package: the build runs it by itself, as `python table.py FILE`.
"""

from __future__ import annotations

import hashlib
import io
import sys
from pathlib import Path
from typing import Any

GRAMMAR_FILE = Path(__file__).with_name("gate.lark")
TABLE_FILE = Path(__file__).with_name("gate.table")
OPTIONS: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": True}


def fingerprint(grammar: str, body: bytes) -> bytes:
    """The first line of a table file: lark's version, the hash of the grammar's text, the hash of the table."""
    import lark

    hashes = hashlib.sha256(grammar.encode()).hexdigest(), hashlib.sha256(body).hexdigest()
    return f"lark {lark.__version__} grammar {hashes[0]} table {hashes[1]}\n".encode()


def build(grammar: str) -> bytes:
    """The table file for a grammar. The order of sets is in it: equal bytes need an equal PYTHONHASHSEED."""
    import lark

    body = io.BytesIO()
    made: Any = lark.Lark(grammar, **OPTIONS)
    made.save(body)
    return fingerprint(grammar, body.getvalue()) + body.getvalue()


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


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(build(GRAMMAR_FILE.read_text(encoding="utf-8")))
