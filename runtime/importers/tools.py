"""What a call of a well-known tool does to the machine: the tables that all formats share.

    action_of("Bash", {"command": "ls"}).commands                                # ("ls",)
    action_of("str_replace_editor", {"command": "create", "path": "/a"}).written  # ("/a",)
    action_of("mcp__db__query", {"sql": "…"}).mcp                                # True

Names are compared without case. Values are as recorded, nothing is trimmed: the keystrokes `mkdir test_dir` and a
newline of a terminal agent keep their newline, and `^mkdir test_dir$` does not match them. What is not a command is
not made one: keystrokes into a running program (`is_input`), an empty command (which agents send to wait for more
output), code for a Python interpreter, and above all no tool's result.

A tool that is in no table is a tool call and nothing else.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace

from ..evidence.json_values import as_list, as_object, as_text, too_deep
from .transcript import Action

SHELL_TOOLS = frozenset(
    (
        "bash",
        "bash_command",
        "bash_tool",
        "container.exec",
        "developer__shell",
        "exec",
        "exec_command",
        "execute",
        "execute_bash",
        "execute_command",
        "local_shell",
        "powershell",
        "pwsh",
        "run_command",
        "run_in_terminal",
        "run_script",
        "run_shell",
        "run_shell_command",
        "run_terminal_cmd",
        "shell",
        "shell_command",
        "shell_tool",
        "terminal",
    )
)
COMMAND_KEYS = ("command", "cmd", "keystrokes", "script", "CommandLine")
"""Arguments that hold a shell tool's command; the first that is there counts."""

WRITERS = frozenset(["write", "write_file", "writefile", "create_file", "create", "write_to_file", "save_file"])
UPDATERS = frozenset(
    (
        "apply_diff",
        "edit",
        "edit_file",
        "insert_edit_into_file",
        "multi_edit",
        "multi_replace_string_in_file",
        "multiedit",
        "notebookedit",
        "replace",
        "replace_in_file",
        "replace_string_in_file",
        "search_replace",
        "str_replace",
    )
)
EDITORS = frozenset(
    ["str_replace_editor", "str_replace_based_edit_tool", "file_editor", "text_editor", "developer__text_editor"]
)
"""Tools whose argument `command` says what they do."""
EDITOR_READS = frozenset(("view", "read"))
EDITOR_WRITES = frozenset(("create", "write"))
PATH_KEYS = (
    "file_path",
    "path",
    "filePath",
    "notebook_path",
    "filename",
    "target_file",
    "absolute_path",
    "file",
    "TargetFile",
)

PATCHERS = frozenset(("apply_patch",))
_PATCH_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\r?$", re.MULTILINE)

MCP_PREFIX = "mcp__"
MCP_TOOLS = frozenset(("use_mcp_tool", "call_tool_mcp"))

STOP_TOOLS = frozenset(
    (
        "attempt_completion",
        "complete_task",
        "finish",
        "mark_task_complete",
        "submit",
        "task_complete",
    )
)
"""Tools by which agents say that they are done."""

_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ash", "ksh"))
_COMMAND_FLAG = re.compile(r"-[a-z]*c")


def action_of(tool: str, arguments: object) -> Action:
    """The call of `tool`, with what it did where the tool is known. `arguments` as recorded; a string that
    holds JSON is read first."""
    name = tool.lower()
    action = Action(tool, arguments, mcp=name.startswith(MCP_PREFIX) or name in MCP_TOOLS)
    read = parsed(arguments)
    if name in PATCHERS:
        return _patch(action, read)
    given = as_object(read)
    if given is None or action.mcp:
        return action
    if name in SHELL_TOOLS:
        return replace(action, commands=_commands(given))
    path = next((text for key in PATH_KEYS if (text := as_text(given.get(key)))), None)
    if path is None:
        return action
    if name in EDITORS:
        verb = as_text(given.get("command"))
        if verb is None or verb in EDITOR_READS:
            return action
        return replace(action, **{"written" if verb in EDITOR_WRITES else "updated": (path,)})
    if name in WRITERS:
        return replace(action, written=(path,))
    if name in UPDATERS:
        return replace(action, updated=(path,))
    return action


def parsed(arguments: object) -> object:
    """Arguments as JSON values: a string that holds JSON is read, other strings stay, None and "" are
    `{}`."""
    if isinstance(arguments, str):
        if too_deep(arguments) is not None:
            return arguments
        try:
            arguments = json.loads(arguments) if arguments.strip() else None
        except ValueError:
            return arguments
    return {} if arguments is None else arguments


def command_text(command: object) -> str | None:
    """The command line of a recorded command, or None.

    A list is an argument vector: of `["bash", "-lc", "ls | wc"]` it is the script, of any other the words,
    quoted as a shell needs them.
    """
    if isinstance(command, str):
        return command or None
    words = [word for word in as_list(command) or [] if isinstance(word, str)]
    if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and _COMMAND_FLAG.fullmatch(words[1]):
        return words[2] or None
    return shlex.join(words) or None


def _commands(given: dict[str, object]) -> tuple[str, ...]:
    if str(given.get("is_input", "")).lower() == "true":
        return ()
    command = next((given[key] for key in COMMAND_KEYS if key in given), None)
    text = command_text(command)
    return () if text is None else (text,)


def _patch(action: Action, given: object) -> Action:
    """The files of an `apply_patch` call, whose argument is the patch itself or holds it."""
    members = as_object(given)
    texts = [given] if members is None else list(members.values())
    files = [match for text in texts if isinstance(text, str) for match in _PATCH_FILE.findall(text)]
    written = tuple(path for verb, path in files if verb == "Add")
    return replace(action, written=written, updated=tuple(path for verb, path in files if verb != "Add"))
