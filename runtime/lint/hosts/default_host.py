"""GW506: several hosts, and a check that does not say on which it runs.

hosts web-01, web-02
require "Nginx runs": run `systemctl is-active nginx`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....compiler.findings import GW506, Edit, Finding, Fix
from ....compiler.ir import HostState
from ....grammar.literals import write_item
from ....grammar.text import Span
from ..scene import Scene

_KEYWORD = re.compile(r"(?<![\w.-])run[ \t\r\n]*t?\Z", re.ASCII)
_MOST_NAMED = 6


def check(scene: Scene) -> Iterator[Finding]:
    hosts = scene.rules.hosts or ()
    if len(hosts) < 2:
        return
    seen: set[Span] = set()
    for rule in scene.rules.rules:
        if not isinstance(rule.check, HostState) or rule.check.on is not None:
            continue
        span = rule.check.at("run")
        if span is not None and span in seen:
            continue
        if span is not None:
            seen.add(span)
        message = f"the check does not say on which host it runs, so it is “{hosts[0]}”, the first of {len(hosts)}"
        named = ", ".join(hosts[:_MOST_NAMED]) + (", …" if len(hosts) > _MOST_NAMED else "")
        help_ = f"name one with on; hosts: {named}"
        yield Finding(GW506, message, span, help=help_, rule=rule.label, fix=_fix(scene, span, hosts[0]))


def _fix(scene: Scene, span: Span | None, host: str) -> Fix | None:
    """The default written out. An included file may have other hosts elsewhere, so it is left alone."""
    if span is None or not span.file.endswith(".gate") or span.source is not scene.loaded.source:
        return None
    found = _KEYWORD.search(span.source.text, max(0, span.start - 200), span.start)
    if found is None:
        return None
    edit = Edit(Span(span.source, found.start(), found.start()), f"on {write_item(host)} ")
    return Fix("say the host that it runs on", (edit,), is_safe=True)
