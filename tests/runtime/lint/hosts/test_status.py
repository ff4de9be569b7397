"""What is known of a script's exit status is what a real shell says of it."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.shell import read
from gatewright.runtime.lint.hosts.status import BAD, OK, outcome_of

SCRIPTS = st.recursive(
    st.sampled_from(["true", "false", ":", "echo a", "exit 0", "exit 3", "[ a = a ]", "[ a = b ]", "printf '%s' a"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" && ", " || ", "; ", " | ", "\n"]), inner).map("".join),
        inner.map("( {} )".format),
        inner.map("{{ {}; }}".format),
        inner.map("! {}".format),
        inner.map("bash -c '{}'".format).filter(lambda text: text.count("'") == 2),
        st.tuples(inner, inner).map(lambda pair: f"if {pair[0]}; then {pair[1]}; fi"),
        st.tuples(inner, inner, inner).map(lambda three: f"if {three[0]}; then {three[1]}; else {three[2]}; fi"),
        st.tuples(inner, inner).map(lambda pair: f"case a in {pair[0][:1]}) {pair[0]};; *) {pair[1]};; esac"),
        inner.map("for x in 1 2; do {}; done".format),
    ),
    max_leaves=6,
)


@settings(max_examples=200)
@given(SCRIPTS)
def test_a_known_status_is_the_one_that_bash_ends_with(script: str) -> None:
    known = outcome_of(read(script))
    if known in (OK, BAD):
        called = subprocess.run(["bash", "-c", script], capture_output=True, timeout=20, check=False)
        assert (called.returncode == 0) == (known == OK)


@pytest.mark.parametrize(
    "script", ["a || exit 1", "set -e; a; true", "trap 'exit 1' EXIT; true", "f() { exit 1; }; f; true"]
)
def test_what_may_end_early_is_not_known(script: str) -> None:
    assert outcome_of(read(script)) == OK | BAD
