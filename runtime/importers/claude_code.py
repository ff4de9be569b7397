"""Claude Code: session files (`~/.claude/projects/…/<session>.jsonl`) and `--output-format stream-json`.

    {"type": "user", "message": {"role": "user", "content": "…"}, "sessionId": "…", "timestamp": "…"}
    {"type": "assistant", "message": {"id": "m1", "content": [{"type": "text", "text": "…"}]}, …}
    {"type": "assistant", "message": {"id": "m1", "content": [{"type": "tool_use", "name": "Bash", …}]}, …}

A file is one run; so is the JSON list that `--output-format json --verbose` prints. The layout is not documented by
its maker; this reader follows what sessions of 2025 and 2026 look like. Records other than `assistant`, `user` and
`result` (summaries, queues, attachments, hooks, stream events) are no evidence and are left out.

- The blocks of one answer come as several records with the same `message.id`, and resumed or streamed sessions
  repeat them: a tool call counts once by its id, a text once within its message, and a text that grew replaces
  what it was.
- Each text block is a message. Thinking, records that Claude Code makes itself (model `<synthetic>`, API errors) and
  what subagents say are not.
- What subagents do (`isSidechain`, `parent_tool_use_id`) counts: it was done in this run. A file of nothing but
  sidechain records is a subagent's own, and read as a run.
- A call that the user or a permission rule refused (`permission_denials`, “User rejected tool use”) is a tool call
  that did nothing: no command, no path. Any other call counts, whatever its result says.
- Values are as recorded: commands keep their line breaks, nothing is trimmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from ...compiler.findings import Report
from ...compiler.times import parse_time
from ..evidence.json_values import as_list, as_object, as_text
from .tools import action_of
from .transcript import Action, Format, Transcript, TranscriptFile

_Object = dict[str, object]

_CONVERSATION = ("assistant", "user", "result")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_INTERRUPTED = "[Request interrupted by user"
_NO_PROMPTS = ("<command-", "<local-command-", "<bash-", _INTERRUPTED)
"""How texts begin that Claude Code writes in the user's name."""
_REJECTED = "User rejected tool use"


def detect(values: Sequence[object]) -> bool:
    """Lines (or a list) with an assistant or user record that wraps a message, or with the stream's first
    record.

    Cursor's stream looks the same but keeps its calls in `tool_call` records: that is another format.
    """
    records = list(_records(values))
    return not _is_cursor(records) and any(_is_conversation(record) or _is_start(record) for record in records)


def read(file: TranscriptFile, report: Report) -> Iterable[Transcript]:
    records = list(_records([entry.value for entry in file.entries]))
    if not detect(records):
        return
    told = [record for record in records if record.get("type") in _CONVERSATION]
    session = _Session(alone=all(_is_sidechain(record) for record in told if record.get("type") != "result"))
    for record in told:
        session.take(record)
    transcript = session.transcript()
    ids = (record.get(key) for record in records for key in ("sessionId", "session_id"))
    transcript.session = next((text for value in ids if (text := as_text(value))), None)
    yield transcript


@dataclass(slots=True)
class _Message:
    """One answer of the model: its texts, and the ids of its calls."""

    texts: list[str] = field(default_factory=list[str])
    calls: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class _Session:
    """What the records so far have shown."""

    alone: bool
    prompt: str | None = None
    messages: dict[str, _Message] = field(default_factory=dict[str, _Message])
    actions: dict[str, Action] = field(default_factory=dict[str, Action])
    refused: set[str] = field(default_factory=set[str])
    times: list[datetime] = field(default_factory=list[datetime])
    outcome: Literal["completed", "failed"] | None = None

    def take(self, record: _Object) -> None:
        stamp = record.get("timestamp")
        if isinstance(stamp, str) and (moment := parse_time(stamp)) is not None:
            self.times.append(moment)
        main = self.alone or not _is_sidechain(record)
        match record.get("type"):
            case "assistant":
                self._assistant(record, main)
            case "user":
                self._user(record, main)
            case _:
                self._result(record)

    def transcript(self) -> Transcript:
        actions = [
            replace(action, commands=(), written=(), updated=()) if key in self.refused else action
            for key, action in self.actions.items()
        ]
        return Transcript(
            prompt=self.prompt,
            messages=[text for message in self.messages.values() for text in message.texts],
            actions=actions,
            started_at=min(self.times, default=None),
            ended_at=max(self.times, default=None),
            outcome=self.outcome,
        )

    # ---- records -----------------------------------------------------------------------------------------
    def _assistant(self, record: _Object, main: bool) -> None:
        answer = as_object(record.get("message")) or {}
        if _is_synthetic(record, answer):
            if main and _is_api_error(record):
                self.outcome = "failed"
            return
        name = as_text(answer.get("id")) or as_text(record.get("uuid")) or f"#{len(self.messages)}"
        message = self.messages.setdefault(name, _Message()) if main else _Message()
        for block in _blocks(answer.get("content")):
            kind = block.get("type")
            if kind in _CALLS:
                self._call(block, name, message)
            elif kind == "text" and (text := as_text(block.get("text"))):
                _add_text(message.texts, text)
        if main:
            self.outcome = "completed" if _ends(answer, message) else None

    def _call(self, block: _Object, name: str, message: _Message) -> None:
        tool = as_text(block.get("name")) or "unknown"
        key = as_text(block.get("id")) or f"{name}/{len(message.calls)}/{len(self.actions)}"
        message.calls.add(key)
        given = block.get("input")
        if key not in self.actions or given:
            self.actions[key] = action_of(tool, given)

    def _user(self, record: _Object, main: bool) -> None:
        blocks = list(_blocks((as_object(record.get("message")) or {}).get("content")))
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if _REJECTED in (record.get("toolUseResult"), record.get("tool_use_result")):
            self.refused.update(text for block in results if (text := as_text(block.get("tool_use_id"))))
        if not main or record.get("isMeta") is True or record.get("isCompactSummary") is True:
            return
        text = "\n".join(text for block in blocks if (text := as_text(block.get("text"))))
        self.outcome = "failed" if text.startswith(_INTERRUPTED) else None
        if self.prompt is None and text and not results and not text.startswith(_NO_PROMPTS):
            self.prompt = text

    def _result(self, record: _Object) -> None:
        """The last record of the stream."""
        for denial in as_list(record.get("permission_denials")) or []:
            if name := as_text((as_object(denial) or {}).get("tool_use_id")):
                self.refused.add(name)
        good = record.get("subtype") in ("success", None) and record.get("is_error") is not True
        self.outcome = "completed" if good else "failed"


# ---- records and blocks --------------------------------------------------------------------------------
def _records(values: Sequence[object]) -> Iterator[_Object]:
    for value in values:
        for item in as_list(value) or [value]:
            if (record := as_object(item)) is not None:
                yield record


def _is_conversation(record: _Object) -> bool:
    message = as_object(record.get("message"))
    return record.get("type") in ("assistant", "user") and message is not None and "content" in message


def _is_cursor(records: list[_Object]) -> bool:
    return any(record.get("type") == "tool_call" for record in records)


def _is_start(record: _Object) -> bool:
    return record.get("type") == "system" and record.get("subtype") == "init" and "session_id" in record


def _is_sidechain(record: _Object) -> bool:
    return record.get("isSidechain") is True or as_text(record.get("parent_tool_use_id")) is not None


def _is_api_error(record: _Object) -> bool:
    return record.get("isApiErrorMessage") is True or record.get("is_api_error_message") is True


def _is_synthetic(record: _Object, answer: _Object) -> bool:
    return answer.get("model") == "<synthetic>" or _is_api_error(record)


def _blocks(content: object) -> Iterator[_Object]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
        return
    for item in as_list(content) or []:
        if (block := as_object(item)) is not None:
            yield block


def _add_text(texts: list[str], text: str) -> None:
    if text in texts:
        return
    if texts and text.startswith(texts[-1]):
        texts[-1] = text
    else:
        texts.append(text)


def _ends(answer: _Object, message: _Message) -> bool:
    """Whether the run ends here if no record follows: an answer with text and no call. `stop_reason` is
    null in the stream, `tool_use` on every fragment of an answer whose call stands in a later one."""
    if message.calls or answer.get("stop_reason") in ("tool_use", "pause_turn"):
        return False
    return bool(message.texts)


FORMAT = Format("claude-code", "Claude Code session or stream-json (JSON lines)", lines=True, detect=detect, read=read)
