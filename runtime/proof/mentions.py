"""Commands that only mention another one: they print it, search for it, or have it in a comment.

mentions_of("systemctl restart nginx")      # ('echo "systemctl restart nginx"', 'grep -r "…" /var/log', '# …')
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Sequence

from ...compiler.ecmascript import Pattern
from .asked import COMMANDS, INVOCATIONS, Ask
from .texts import Texts
from .values import Make

_INSIDE_QUOTES = frozenset('"$`\\\\!')
"""Characters that mean something between double quotes."""


def mentions_of(text: str) -> tuple[str, ...]:
    """Ways to mention a command without running it, the most usual first."""
    quoted = shlex.quote(text) if _INSIDE_QUOTES & set(text) else f'"{text}"'
    return (f"echo {quoted}", f"grep -r {quoted} /var/log", f"# {text}")


def _in_a_call(text: str) -> Iterable[str]:
    """The same as calls of a tool, for `tool_calls`."""
    for command in mentions_of(text):
        yield f"run_shell {json.dumps({'command': command}, ensure_ascii=False, separators=(',', ':'))}"


def mentioned(texts: Texts) -> Make:
    """Makes what mentions what an ask wants; of files that are written and the like there is no mention."""

    def make(ask: Ask, will_do: Callable[[str], bool], avoid: Sequence[Pattern]) -> str | None:
        if ask.where in (COMMANDS, INVOCATIONS):
            return texts.fitting(ask.tree, will_do, mentions_of, avoid=avoid)
        if ask.where == "tool_calls":
            return texts.fitting(ask.tree, will_do, _in_a_call, avoid=avoid)
        return None

    return make
