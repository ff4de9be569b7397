"""Steps as text."""

from __future__ import annotations

from gatewright.compiler.ir import RunStep, WriteStep
from gatewright.runtime.reports.steps_text import host_width, intention, step_text
from gatewright.runtime.reports.style import Style
from gatewright.runtime.steps import Action, ActionResult, Playbook

STOPPING = Action("Stopping nginx", RunStep(name="Stopping nginx", run="systemctl stop nginx"), "web-01")
WRITING = Action("Breaking it", WriteStep(name="Breaking it", write="/etc/x", content="päss\n", sudo=True), "db-1")
PLAYBOOK = Action("prepare.yml", Playbook("prepare.yml"))


def test_a_step_is_a_line_and_a_failed_one_says_why() -> None:
    actions = (STOPPING, WRITING, PLAYBOOK)
    results = (
        ActionResult(STOPPING, "ok", seconds=0.26),
        ActionResult(WRITING, "failed", "exit status 1", "\none\n\x1b[2Jtwo\n\n", 61.04),
        ActionResult(PLAYBOOK, "failed", "exit status 2", "fatal: [web-01]\n", 3),
        ActionResult(STOPPING, "not run", "web-01 could not be reached before"),
        ActionResult(WRITING, "not run"),
    )
    assert "".join(step_text(result, host_width(actions)) for result in results) == (
        "ok       web-01    Stopping nginx (0.3 s)\n"
        "failed   db-1      Breaking it (61.0 s): exit status 1\n"
        "                   stderr │ one\n"
        "                   stderr │ \\x1b[2Jtwo\n"
        "failed   playbook  prepare.yml (3.0 s): exit status 2\n"
        "                   ansible │ fatal: [web-01]\n"
        "not run  web-01    Stopping nginx: web-01 could not be reached before\n"
        "not run  db-1      Breaking it\n"
    )


def test_of_long_errors_the_last_lines_are_shown() -> None:
    errors = "".join(f"line {number}\n" for number in range(50)) + "x" * 5000
    lines = step_text(ActionResult(STOPPING, "failed", "exit status 1", errors), 6).splitlines()
    assert [line.split("│ ")[1] for line in lines[1:-1]] == [f"line {number}" for number in range(41, 50)]
    assert lines[-1].endswith("x…")
    assert len(lines[-1]) < 500


def test_a_long_command_in_place_of_a_name_is_cut_and_kept_on_its_line() -> None:
    command = "printf 'a\n\x1b]0;title\x07'" + " && true" * 100
    text = step_text(ActionResult(Action(command, RunStep(run=command), "web-01"), "ok"), 6)
    assert text.count("\n") == 1
    assert text.startswith("ok       web-01  printf 'a\\n\\x1b]0;title\\x07' && true")
    assert text.endswith("… (0.0 s)\n")


def test_only_the_status_is_coloured() -> None:
    style = Style(color=True)
    assert step_text(ActionResult(STOPPING, "ok"), 6, style).startswith("\x1b[1;32mok     \x1b[0m  web-01  Stopping")
    assert step_text(ActionResult(STOPPING, "not run"), 6, style).startswith("\x1b[2mnot run\x1b[0m")


def test_what_would_be_run_is_shown_without_contents() -> None:
    assert intention(STOPPING) == "  Stopping nginx\n    systemctl stop nginx\n"
    assert intention(WRITING) == "  Breaking it\n    sudo write /etc/x (6 bytes)\n"
    assert intention(Action("a\nb", RunStep(run="a\nb"))) == "  a\\nb\n"
    assert intention(PLAYBOOK) == "playbook prepare.yml\n"
