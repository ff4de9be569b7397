"""What happens in a playbook, as Ansible tells it: a callback plugin that writes one JSON object a line.

This file is never imported by Gatewright. `playbooks` puts a copy of it where `ansible-playbook` looks for callbacks,
and names the file to write in the environment (`GATEWRIGHT_EVENTS`); `playbook_answer` reads what was written.
Everything is written as it happens, so that of a playbook that was killed it is known how far it came. Works with
ansible-core 2.16 and later.

    {"event": "start"}
    {"event": "play", "name": "Validate", "matched": true}
    {"event": "task", "name": "Nginx answers"}
    {"event": "failed", "host": "web-01", "task": "Nginx answers", "result": {"msg": "non-zero return code", "rc": 7}}
    {"event": "unreachable", "host": "web-02", "task": "Gathering Facts", "result": {"msg": "Failed to connect …"}}
    {"event": "end", "hosts": {"web-01": {"ok": 1, "changed": 0, "unreachable": 0, "failed": 1, …}}}
"""
# pyright: basic
# (Ansible has no types; what a plugin may count on is its documentation, “Developing callback plugins”.)

from __future__ import annotations

import json
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: gatewright_events
type: aggregate
short_description: writes what happens as lines of JSON
description: Used by Gatewright, which runs playbooks as checks.
"""

_FACTS = ("msg", "rc", "stderr", "stdout", "module_stderr", "module_stdout", "assertion", "censored")
"""What is kept of a task's result: what says why it failed."""

_LONGEST = 2000
"""Characters kept of a text: from its end, because the last lines usually say what went wrong."""

_MOST_ITEMS = 5
"""Failed items kept of a loop."""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "gatewright_events"

    def v2_playbook_on_start(self, playbook):
        _write(event="start")

    def v2_playbook_on_play_start(self, play):
        _write(event="play", name=str(play.get_name()), matched=True)

    def v2_playbook_on_no_hosts_matched(self):
        _write(event="play", name=None, matched=False)

    def v2_playbook_on_task_start(self, task, is_conditional):
        _write(event="task", name=str(task.get_name()))

    def v2_playbook_on_handler_task_start(self, task):
        _write(event="task", name=str(task.get_name()))

    def v2_runner_on_failed(self, result, ignore_errors=False):
        if not ignore_errors:
            self._ended_badly("failed", result)

    def v2_runner_on_unreachable(self, result):
        self._ended_badly("unreachable", result)

    def v2_playbook_on_stats(self, stats):
        counts = {
            "ok": stats.ok,
            "changed": stats.changed,
            "unreachable": stats.dark,
            "failed": stats.failures,
            "skipped": stats.skipped,
            "rescued": stats.rescued,
            "ignored": stats.ignored,
        }
        names = sorted(stats.processed)
        hosts = {str(name): {key: of.get(name, 0) for key, of in counts.items()} for name in names}
        _write(event="end", hosts=hosts)

    def _ended_badly(self, event, result):
        host, task = _part(result, "host"), _part(result, "task")
        name = getattr(result, "task_name", None) or task.get_name()
        _write(event=event, host=str(host.get_name()), task=str(name), result=_facts(_part(result, "result")))


def _part(result, name):
    """A part of a result; before ansible-core 2.19 its name began with an underscore."""
    return getattr(result, name) if hasattr(result, name) else getattr(result, f"_{name}")


def _facts(result) -> dict:
    """The facts of a result; of a loop also those of the items that failed."""
    facts: dict = {key: _short(result[key]) for key in _FACTS if result.get(key) not in (None, "")}
    items = [item for item in result.get("results") or () if isinstance(item, dict) and item.get("failed")]
    if items and "censored" not in facts:
        facts["items"] = [{**_facts(item), "item": _short(item.get("item", ""))} for item in items[:_MOST_ITEMS]]
    return facts


def _short(value):
    return value if isinstance(value, int) else str(value)[-_LONGEST:]


def _write(**event):
    line = json.dumps(event, default=str) + "\n"
    with open(os.environ["GATEWRIGHT_EVENTS"], "a", encoding="utf-8") as file:  # noqa: PTH123 (a plugin is small)
        file.write(line)
