from __future__ import annotations

import io

import pytest

from gatewright.runtime.reports.style import DEFAULT_WIDTH, PLAIN, ColorChoice, Style, style_for, wants_color


@pytest.mark.parametrize(
    ("choice", "terminal", "environ", "expected"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", False, {"FORCE_COLOR": ""}, False),
        ("auto", True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {"FORCE_COLOR": "1"}, False),
    ],
)
def test_the_option_then_the_environment_then_the_terminal(
    choice: ColorChoice, terminal: bool, environ: dict[str, str], expected: bool
):
    assert wants_color(choice, terminal, environ) is expected


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gives_its_width_and_everything_else_the_same_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "72")
    assert style_for(Terminal(), environ={}) == Style(color=True, width=72)
    assert style_for(io.StringIO(), environ={}) == Style(color=False, width=DEFAULT_WIDTH)
    monkeypatch.setenv("COLUMNS", "3")
    assert style_for(Terminal(), environ={}).width == 40


def test_paint_is_a_pair_of_sequences_or_nothing():
    assert Style(color=True).paint("error", "x") == "\x1b[1;31mx\x1b[0m"
    assert Style(color=True).paint("error", "  ") == "  "
    assert PLAIN.paint("error", "x") == "x"
