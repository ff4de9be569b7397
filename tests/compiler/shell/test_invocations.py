r"""What commands invoke, in the shapes that agents write them.

`invocations/*.txt` holds cases, a line of four dashes between them: a command of one or more lines, then what it
invokes, each behind `=> `. They were reviewed by hand in two steps: what is expected was written down from the manuals
of the shell and of the commands before the reader was asked, and where the two differed the manual, or a real bash,
decided which was wrong. Where bash refuses a text (`broken.txt`), the rule of the language's reference decides.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.shell import invocations, read
from gatewright.compiler.shell.listing import LONGEST_COMMAND

HERE = Path(__file__).parent / "invocations"
ARROW = "=> "


def cases() -> list[tuple[str, str, list[str]]]:
    found: list[tuple[str, str, list[str]]] = []
    for path in sorted(HERE.glob("*.txt")):
        for number, case in enumerate(path.read_text("utf-8").rstrip("\n").split("\n----\n"), 1):
            lines = case.split("\n")
            expected = [line.removeprefix(ARROW) for line in lines if line.startswith(ARROW)]
            command = "\n".join(line for line in lines if not line.startswith(ARROW))
            assert lines == [*command.split("\n"), *(ARROW + line for line in expected)], (path.name, number)
            found.append((f"{path.stem}-{number}", command, expected))
    return found


CASES = cases()


@pytest.mark.parametrize(("command", "expected"), [pytest.param(*rest, id=name) for name, *rest in CASES])
def test_a_command_invokes_what_its_case_says(command: str, expected: list[str]) -> None:
    assert list(invocations(command)) == expected


def test_the_cases_show_many_shapes() -> None:
    assert len(CASES) >= 200
    assert len({command for _, command, _ in CASES}) == len(CASES)


@pytest.mark.parametrize("command", [command for name, command, _ in CASES if not name.startswith("broken")])
def test_line_ends_of_windows_and_a_last_line_end_change_nothing(command: str) -> None:
    assert read(command).problem is None
    assert invocations(command + "\n") == invocations(command)
    if "<<" not in command and "\\\n" not in command:
        assert invocations(command.replace("\n", "\r\n")) == invocations(command)


# ---- what is only said -----------------------------------------------------------------------------------------------

MENTIONS = [
    "echo {0}",
    "echo -e '{0}' >> notes.txt",
    'printf "%s\\n" "{0}"',
    "grep -n '{0}' /var/log/syslog",
    "grep -rne '{0}' /etc",
    "rg '{0}'",
    "cat notes.txt | grep '{0}' | wc -l",
    "ls # {0}",
    "# {0}",
    "ls\n# a\n  # {0}\nls",
    "cat > plan.md <<'EOF'\n{0}\nEOF",
    "cat > plan.md <<EOF\n{0}\nEOF",
    "tee plan.md <<-EOF\n\t{0}\n\tEOF",
    "cat <<< '{0}'",
    "git commit -m '{0}'",
    "git commit -qam '{0}' && git push",
    "logger '{0}'",
    ": '{0}'",
    "python3 - <<EOF\n{0}\nEOF",
    "if [ -f x ]; then echo '{0}'; fi",
    "A='{0}'",
    "ls > '{0}'",
    "echo '$({0})'",
]
DOINGS = [
    "{0}",
    "sudo {0}",
    "sudo -u ops -n {0}",
    "env A=b {0}",
    "timeout 5 {0}",
    "nohup {0} &",
    "bash -c '{0}'",
    "sudo sh -lc '{0}'",
    "ssh web-01 '{0}'",
    "ssh web-01 {0}",
    "ls; {0}",
    "ls && {0} || true",
    "ls\n{0}\n",
    "(cd / && {0})",
    "x=$({0})",
    'echo "$({0})"',
    "echo `{0}`",
    "if true; then {0}; fi",
    "for x in 1 2; do {0}; done",
    "f() {{ {0}; }}; f",
    "case x in x) {0};; esac",
    "bash <<EOF\n{0}\nEOF",
    "cat <<EOF | sudo bash\n{0}\nEOF",
    "cat > f <<EOF\n$({0})\nEOF",
    "echo '{0}' | sh",
    "bash <<< '{0}'",
    "find . -exec {0} \\;",
    "kubectl exec p -- {0}",
    "kubectl exec p -- sh -c '{0}'",
    "docker exec web {0}",
    "su -c '{0}'",
    "watch -n1 '{0}'",
    "doas {0}",
    "eval '{0}'",
    "xargs {0}",
    "\\\n  {0}",
    "echo '{0}' > /dev/null; {0}",
]
ACTS = [
    ("systemctl restart nginx", r"\bsystemctl\s+restart\s+nginx\b"),
    ("reboot", r"\breboot\b"),
    ("rm -rf /srv", "rm -rf"),
]


@pytest.mark.parametrize(("act", "pattern"), ACTS)
@pytest.mark.parametrize("shape", MENTIONS)
def test_what_is_only_said_is_nowhere(shape: str, act: str, pattern: str) -> None:
    assert not any(re.search(pattern, value) for value in invocations(shape.format(act)))


@pytest.mark.parametrize(("act", "pattern"), ACTS)
@pytest.mark.parametrize("shape", DOINGS)
def test_what_is_done_is_there_as_it_is(shape: str, act: str, pattern: str) -> None:
    assert act in invocations(shape.format(act))
    assert re.search(pattern, act)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("grep", "grep"),
        ("grep reboot", "grep"),
        ("grep -e", "grep -e"),
        ("grep -f patterns.txt log", "grep -f patterns.txt log"),
        ("grep --regexp=reboot log", "grep --regexp= log"),
        ("grep --regexp reboot log", "grep --regexp log"),
        ("grep -ireboot x", "grep -ire x"),
        ("grep -- -x file", "grep -- file"),
        ("grep -A 3 reboot log", "grep -A 3 log"),
        ("grep reboot log -n", "grep log -n"),
        ("echo -n -x", "echo -n"),
        ("echo", "echo"),
        ("/bin/echo reboot", "/bin/echo"),
        ("git tag v1 -m reboot", "git tag v1 -m"),
        ("git commit -mreboot", "git commit -m"),
        ("git commit --amend -F x", "git commit --amend -F x"),
        ("git log -m --stat", "git log -m --stat"),
    ],
)
def test_options_and_files_of_what_searches_and_writes_stay(command: str, expected: str) -> None:
    assert invocations(command) == (expected,)


# ---- texts that cannot be read ---------------------------------------------------------------------------------------


def test_a_text_that_is_too_long_is_one_invocation() -> None:
    longest = "reboot;" + " " * (LONGEST_COMMAND - 7)
    assert invocations(longest) == ("reboot",)
    text = "sudo reboot; echo '" + "a" * LONGEST_COMMAND + "'\n"
    assert invocations(text) == (text.strip(),)


@pytest.mark.parametrize("mark", ["\x85", "\xa0", "\u2028", "\x0b", "\x0c"])
def test_only_what_the_shell_takes_for_blanks_parts_words(mark: str) -> None:
    assert invocations(f"systemctl{mark}stop nginx") == (f"systemctl{mark}stop nginx",)


@given(st.text())
def test_any_text_has_an_answer(text: str) -> None:
    found = invocations(text)
    assert read(text).problem is None or found or not text.strip()
    assert sum(map(len, found)) <= 20 * len(text) + 20


SIGNS = st.sampled_from(
    [*"abc$(){}'\"`;|&<>\\\n #!=*[]-", "if ", "do ", "done", "bash -c ", "sudo ", "ssh h ", "eval ", "<<E\n", "\nE\n",
     "$(", "echo ", "| sh", "<<<", "find -exec ", "case ", " in ", "esac", "kubectl exec ", "é", "\0", "\ud800"]
)  # fmt: skip


@given(st.lists(SIGNS))
def test_any_text_of_signs_has_an_answer(parts: list[str]) -> None:
    text = "".join(parts)
    found = invocations(text)
    assert read(text).problem is None or found or not text.strip()


WORD = st.text("abcdefghij0123456789-_./=:,@%+é", min_size=1, max_size=8).filter(lambda text: "=" not in text[1:2])


@given(st.sampled_from(["systemctl", "rm", "kubectl get", "/usr/bin/make"]), st.lists(WORD, max_size=5))
def test_a_plain_command_invokes_itself(name: str, words: list[str]) -> None:
    text = " ".join([name, *words])
    assert invocations(text) == (text,)
    assert invocations(invocations(text)[0]) == (text,)


@pytest.mark.parametrize(
    "part",
    [
        "(",
        "$(",
        "`",
        '"$(',
        "x=(",
        "((",
        "$((",
        "a;",
        "bash -c 'a'; ",
        "<<E\n$(\nE\n",
        "f() ",
        "eval a ",
        "a && ",
        "'",
        "bash<<E\na\nE\n",
        "if ",
    ],
)
def test_the_work_grows_with_the_length_alone(part: str) -> None:
    """Four times the text takes about four times the calls, and not sixteen times as many."""

    def calls(length: int) -> int:
        text = part * (length // len(part))
        count = 0

        def counted(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(counted)
        try:
            invocations(text)
        finally:
            sys.setprofile(None)
        return count

    assert calls(20_000) <= 6 * calls(5_000) + 1000
