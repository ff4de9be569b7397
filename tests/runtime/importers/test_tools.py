"""What a tool call did to the machine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.importers.build import call_text
from gatewright.runtime.importers.tools import action_of
from gatewright.runtime.importers.transcript import Action


@pytest.mark.parametrize(
    ("tool", "arguments", "commands"),
    [
        ("Bash", {"command": "ls", "description": "list"}, ("ls",)),
        ("bash_command", {"keystrokes": "mkdir a\n", "duration": 0.1}, ("mkdir a\n",)),
        ("bash_command", {"keystrokes": "", "duration": 10}, ()),
        ("execute_bash", {"command": "C-c", "is_input": "true"}, ()),
        ("execute_bash", {"command": "ls", "is_input": "false"}, ("ls",)),
        ("exec_command", {"cmd": " ls \n"}, (" ls \n",)),
        ("exec_command", '{"cmd": "ls"}', ("ls",)),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, ("ls | wc",)),
        ("shell", {"command": ["/bin/sh", "-c", ""]}, ()),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, ("git commit -m 'two words'",)),
        ("shell", {"command": []}, ()),
        ("shell", {"command": {"a": 1}}, ()),
        ("shell", {"workdir": "/tmp"}, ()),
        ("shell", "ls", ()),
        ("write_stdin", {"chars": "ls\n"}, ()),
        ("execute_ipython_cell", {"code": "import os; os.remove('a')"}, ()),
        ("mark_task_complete", {}, ()),
        ("mcp__ssh__bash", {"command": "ls"}, ()),
        ("think", {"command": "ls"}, ()),
    ],
)
def test_only_shell_tools_run_commands_and_these_stay_as_recorded(tool: str, arguments: Any, commands: tuple[str, ...]):
    action = action_of(tool, arguments)
    assert (action.commands, action.written, action.updated) == (commands, (), ())


@pytest.mark.parametrize(
    ("tool", "arguments", "written", "updated"),
    [
        ("Write", {"file_path": "/a", "content": "x"}, ("/a",), ()),
        ("write_file", {"path": "b.txt"}, ("b.txt",), ()),
        ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y"}, (), ("/a",)),
        ("MultiEdit", {"file_path": "/a", "edits": []}, (), ("/a",)),
        ("NotebookEdit", {"notebook_path": "/n.ipynb"}, (), ("/n.ipynb",)),
        ("replace", {"absolute_path": "/a"}, (), ("/a",)),
        ("str_replace_editor", {"command": "create", "path": "/a"}, ("/a",), ()),
        ("str_replace_editor", {"command": "view", "path": "/a"}, (), ()),
        ("str_replace_editor", {"command": "str_replace", "path": "/a"}, (), ("/a",)),
        ("str_replace_editor", {"command": "insert", "path": "/a"}, (), ("/a",)),
        ("str_replace_editor", {"command": "undo_edit", "path": "/a"}, (), ("/a",)),
        ("str_replace_editor", {"path": "/a"}, (), ()),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c\r\n"}, ("a",), ("b c",)),
        ("apply_patch", "*** Begin Patch\n*** Delete File: a\n", (), ("a",)),
        ("Read", {"file_path": "/a"}, (), ()),
        ("Write", {"content": "x"}, (), ()),
        ("Write", None, (), ()),
    ],
)
def test_files_are_written_or_updated(tool: str, arguments: Any, written: tuple[str, ...], updated: tuple[str, ...]):
    action = action_of(tool, arguments)
    assert (action.commands, action.written, action.updated) == ((), written, updated)


@pytest.mark.parametrize(("tool", "mcp"), [("mcp__db__query", True), ("use_mcp_tool", True), ("Mcpx", False)])
def test_tools_of_mcp_servers_are_told_by_their_name(tool: str, mcp: bool):
    assert action_of(tool, {}).mcp is mcp


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"command": "ls -l", "timeout": 1.5}, 'run {"command":"ls -l","timeout":1.5}'),
        ({"z": 1, "a": [True, None]}, 'run {"z":1,"a":[true,null]}'),
        ({"text": "Größe 😀"}, 'run {"text":"Größe 😀"}'),
        ('{ "z": 1,\n "a": "é" }', 'run {"z":1,"a":"é"}'),
        ("not json", 'run "not json"'),
        ("", "run {}"),
        ("  ", "run {}"),
        ("null", "run {}"),
        (None, "run {}"),
        ({}, "run {}"),
        ([1, 2], "run [1,2]"),
        ("[" * 10_000, 'run "' + "[" * 10_000 + '"'),
    ],
)
def test_a_call_is_its_tool_a_space_and_its_arguments_as_compact_json(arguments: Any, text: str):
    assert call_text(Action("run", arguments)) == text


@given(
    st.sampled_from(["bash", "write", "str_replace_editor", "apply_patch", "other"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["command", "path", "is_input", "input"]), inner, max_size=3)
        ),
    ),
)
def test_any_arguments_are_an_action(tool: str, arguments: Any):
    action = action_of(tool, arguments)
    assert all(isinstance(text, str) and text for text in action.commands + action.written + action.updated)
    assert call_text(action).startswith(f"{tool} ")
