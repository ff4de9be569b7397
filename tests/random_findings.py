"""Findings of every make, for properties of the formats that show them."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from gatewright.compiler.findings import CATALOGUE, Edit, Finding, Fix, Label, Severity, Witness
from gatewright.grammar.text import Source, Span

TEXTS = st.text(
    st.one_of(
        st.sampled_from(
            "ab{0}[](),:%;\"'&<>]\\/ \t\n\r\x00\x07\x1b\x7f\x85\x9b\u202e\u2028\ud800\udcff\ufffe\uffff日🚀\u0301"
        ),
        st.characters(exclude_categories=()),
    ),
    max_size=40,
)
"""Texts with all that a terminal, JSON, XML, a URI or a workflow command may take for more than text."""

NAMES = st.one_of(
    st.sampled_from(["rules.gate", "./a b/ü.json", "/tmp/x%y.gate", "<stdin>", "", "../up.gate", "a:b.gate"]), TEXTS
)
SOURCES = st.builds(Source, NAMES, st.one_of(TEXTS, TEXTS.map(lambda text: "\ufeff" + text)))
RECORDS = st.one_of(TEXTS, st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=3).map(json.dumps))


@st.composite
def spans(draw: st.DrawFn) -> Span:
    source = draw(SOURCES)
    start = draw(st.integers(0, len(source.text)))
    return source.span(start, draw(st.integers(start, len(source.text))))


def some(strategy: st.SearchStrategy[Span]) -> st.SearchStrategy[Span | None]:
    return st.none() | strategy


FIXES = st.builds(
    Fix, TEXTS, st.lists(st.builds(Edit, spans(), TEXTS), min_size=1, max_size=3).map(tuple), st.booleans()
)
WITNESSES = st.builds(Witness, TEXTS, RECORDS, is_run=st.booleans())
FINDINGS = st.builds(
    Finding,
    st.sampled_from(list(CATALOGUE.values())),
    TEXTS,
    some(spans()),
    st.lists(st.builds(Label, spans(), TEXTS), max_size=3).map(tuple),
    st.none() | TEXTS,
    st.none() | TEXTS,
    st.none() | st.sampled_from(list(Severity)),
    st.none() | WITNESSES,
    st.none() | FIXES,
)
LISTS = st.lists(FINDINGS, max_size=4)


def unsafe(output: str) -> list[str]:
    """The characters of an output that a terminal would obey or that no encoding takes."""
    return [c for c in output if c != "\n" and (c < " " or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff")]
