"""What no shell can parse: every fault that is told is one for real shells too."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewright.compiler.shell import read
from gatewright.compiler.shell.faults import Fault, fault_in

SHELLS = [shell for shell in ("bash", "dash") if shutil.which(shell)]
FRAGMENTS = [
    *"abc '\"`(){}[];&|<>$#!\\\n=*?~",
    *("if ", "then ", "else ", "elif ", "fi", "while ", "until ", "for x in a; ", "do ", "done", "case x in ", "esac"),
    *("echo ", "test -f x ", " ", " ", "; ", " && ", " || ", " | ", " & ", "\n", "$(", "${", "$((", "))", "$'", '$"'),
    *(
        "<<E\n",
        "\nE\n",
        "<<<",
        "2>&1",
        "> f",
        "&> f",
        "[[ ",
        " ]]",
        "=~ ",
        "((",
        "f() ",
        "function g ",
        "x=(",
        "@(",
        ">|",
    ),
    *("'a b'", '"c d"', "`e`", "$(g)", "(h)", "{ i; }", "# j", "${k:-l}", "\\'", '\\"', "é", "|&", ";;", "time ", "!"),
]


def fault_of(text: str) -> Fault | None:
    return fault_in(text, read(text))


def is_refused(shell: str, text: str) -> bool:
    """Whether a real shell refuses to parse a text. It runs nothing."""
    called = subprocess.run([shell, "-n", "-c", text], capture_output=True, timeout=20, check=False)
    return called.returncode != 0


@pytest.mark.parametrize(
    ("text", "message", "shown"),
    [
        ("grep -q 'ok /etc/motd", "the quote ' is never closed", "'"),
        ('echo "a', 'the quote " is never closed', '"'),
        ("echo `a", "the quote ` is never closed", "`"),
        ("test $(pgrep a", "the parenthesis ( is never closed", "("),
        ("(a; b", "the parenthesis ( is never closed", "("),
        ("a)", "the parenthesis ) closes nothing", ")"),
        ("echo ${a", "the brace ${ is never closed", "${"),
        ("a &&", "nothing stands behind &&", "&&"),
        ("a | # b", "nothing stands behind |", "|"),
        ("a >", "nothing stands behind >", ">"),
        ("| a", "there is nothing to run before |", "|"),
        ("a & ; b", "there is nothing to run before ;", ";"),
        ("if a; then b", "the if is never ended by fi", "if"),
        ("while a; do b", "the while is never ended by done", "while"),
        ("for x in a b; do c; fi", "the fi ends nothing", "fi"),
    ],
)
def test_a_fault_is_told_with_its_place(text: str, message: str, shown: str) -> None:
    fault = fault_of(text)
    assert fault is not None
    assert fault.message == message
    assert text[fault.start : fault.end] == shown
    assert all(is_refused(shell, text) for shell in SHELLS)


@pytest.mark.parametrize(
    "text",
    [
        "awk '{print $1' f'}'",
        'echo "it\'s"',
        "# it's",
        "a # it's",
        "case x in a) b;; esac",
        "cat <<E\n'\nE",
        "[[ a =~ \\( ]]",
        "a;",
        "a &",
        "a |\n b",
        "f() { a; }",
        "echo $'it\\'s'",
        "x=(a b)",
        "echo $((1 + 2))",
        "if a; then if b; then c; fi fi",
        "echo if; echo fi",
        "echo ')' \\( \\'",
        "(a) && (b || (c))",
        "! (a)",
        "2>&1 a >&2",
        "",
        "\n",
        "é 'é'",
    ],
)
def test_a_script_has_no_fault(text: str) -> None:
    assert fault_of(text) is None


@settings(max_examples=300)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=9).map("".join))
def test_what_is_told_is_refused_by_real_shells(text: str) -> None:
    if fault_of(text) is not None:
        assert all(is_refused(shell, text) for shell in SHELLS)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["a", "'b c'", '"d $e"', "$(f)", "(g)", "if h; then i; fi", "`j`"]), min_size=1))
def test_a_script_that_is_cut_off_is_told_only_where_shells_refuse_it(parts: list[str]) -> None:
    whole = " && ".join(parts)
    for end in range(0, len(whole), 3):
        text = whole[:end]
        if fault_of(text) is not None:
            assert all(is_refused(shell, text) for shell in SHELLS)
