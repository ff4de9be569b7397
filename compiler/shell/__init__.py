"""Shell commands as text: the tree of a script, and the simple commands it runs.

    read("systemctl is-active nginx | tee log")        # Script(…)
    invocations("sudo -u www reboot && echo done")     # ("reboot", "echo")

Every text has an answer; `Script.problem` says where it is not the whole one. Nothing is ever run.
"""

from __future__ import annotations

from .listing import invocations
from .nodes import (
    AndOr,
    Case,
    Command,
    Function,
    Group,
    HereDocument,
    If,
    Item,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Sequence,
    Statement,
    Word,
)
from .options import Options, read_options
from .read import read
from .walk import Use, commands
from .wrappers import Inner, unwrapped

__all__ = [
    "AndOr",
    "Case",
    "Command",
    "Function",
    "Group",
    "HereDocument",
    "If",
    "Inner",
    "Item",
    "Loop",
    "Options",
    "Pipeline",
    "Redirect",
    "Script",
    "Sequence",
    "Statement",
    "Use",
    "Word",
    "commands",
    "invocations",
    "read",
    "read_options",
    "unwrapped",
]
