"""The grammar's productions, each turned into its node of the syntax tree.

One method a production of `gate.lark`, named like it. Children are lark tokens, nodes made before, and None for
an optional part that was not written.
"""

from __future__ import annotations

from typing import Any

from lark import Token, Transformer

from . import syntax as s

Children = list[Any]

_STYLES = {"STRING": "string", "RAW": "raw", "RAW2": "raw2", "FENCED": "fenced"}


def _word(token: Token) -> s.Word:
    return s.Word(str(token), token.start_pos or 0, token.end_pos or 0)


def _number(token: Token) -> s.Number:
    return s.Number(str(token), token.start_pos or 0, token.end_pos or 0)


def _optional_number(token: Token | None) -> s.Number | None:
    return None if token is None else _number(token)


def _literal(token: Token) -> s.Literal:
    template = token.type.startswith("T_")
    style: Any = _STYLES[token.type.removeprefix("T_")]
    return s.Literal(style, template, str(token), token.start_pos or 0, token.end_pos or 0)


def _optional_literal(token: Token | None) -> s.Literal | None:
    return None if token is None else _literal(token)


def _item(token: Token) -> s.Item:
    return _literal(token) if token.type == "STRING" else _word(token)


def _optional_item(token: Token | None) -> s.Item | None:
    return None if token is None else _item(token)


def _reach(children: Children) -> tuple[int, int]:
    """Where the children that were written begin and end."""
    written = [child for child in children if child is not None]
    first, last = written[0], written[-1]
    start = (first.start_pos or 0) if isinstance(first, Token) else first.start
    end = (last.end_pos or 0) if isinstance(last, Token) else last.end
    return start, end


class TreeBuilder(Transformer[Token, tuple[s.Statement, ...]]):
    def start(self, children: Children) -> tuple[s.Statement, ...]:
        return tuple(children)

    # ---- statements ----
    def setting(self, children: Children) -> s.Setting:
        keyword, value = children
        values: tuple[s.Item, ...]
        match value:
            case Token():
                values = (_literal(value),)
            case s.Word():
                values = (value,)
            case _:
                values = value
        return s.Setting(str(keyword), values, _reach([keyword])[0], values[-1].end)

    def semantics(self, children: Children) -> s.Word:
        return _word(children[0])

    def let(self, children: Children) -> s.Let:
        _let, name, _eq, value = children
        return s.Let(_word(name), _literal(value), *_reach(children))

    def include(self, children: Children) -> s.Include:
        return s.Include(_literal(children[1]), *_reach(children))

    def for_block(self, children: Children) -> s.ForBlock:
        _for, name, _in, items, _open, *rules, _close = children
        return s.ForBlock(_word(name), items, tuple(rules), *_reach(children))

    def steps(self, children: Children) -> s.StepsBlock:
        keyword, _open, *steps, _close = children
        block: Any = str(keyword)
        return s.StepsBlock(block, tuple(steps), *_reach(children))

    def items(self, children: Children) -> tuple[s.Item, ...]:
        return tuple(_item(child) for child in children if child.type != "COMMA")

    def literals(self, children: Children) -> tuple[s.Literal, ...]:
        return tuple(_literal(child) for child in children if child.type != "COMMA")

    # ---- rules ----
    def rule(self, children: Children) -> s.RuleNode:
        keyword, label, _colon, check = children
        return s.RuleNode(keyword.type == "REQUIRE", _literal(label), check, *_reach(children))

    def pattern(self, children: Children) -> s.PatternCheck:
        _on, host, target, never, _matches, pattern = children
        return s.PatternCheck(
            target=_word(target),
            pattern=_literal(pattern),
            never=never is not None,
            before=None,
            how_often=None,
            on=_optional_item(host),
            start=_reach(children)[0],
            end=_reach(children)[1],
        )

    def pattern_before(self, children: Children) -> s.PatternCheck:
        _on, host, target, _matches, first, _before, second = children
        return s.PatternCheck(
            target=_word(target),
            pattern=_literal(first),
            never=False,
            before=_literal(second),
            how_often=None,
            on=_optional_item(host),
            start=_reach(children)[0],
            end=_reach(children)[1],
        )

    def pattern_how_often(self, children: Children) -> s.PatternCheck:
        _on, host, target, _matches, pattern, how_often = children
        return s.PatternCheck(
            target=_word(target),
            pattern=_literal(pattern),
            never=False,
            before=None,
            how_often=how_often,
            on=_optional_item(host),
            start=_reach(children)[0],
            end=_reach(children)[1],
        )

    def how_often(self, children: Children) -> s.HowOften:
        bound, times, _times = children
        words: Any = bound.type.lower().replace("_", " ")
        return s.HowOften(words, _number(times), *_reach(children))

    def command(self, children: Children) -> s.CommandCheck:
        _on, host, _run, command, _exits, status, _within, seconds, _unit = children
        return s.CommandCheck(
            _optional_item(host),
            _literal(command),
            _optional_number(status),
            _optional_number(seconds),
            *_reach(children),
        )

    def turns(self, children: Children) -> s.TurnsCheck:
        turns = tuple(child for child in children if isinstance(child, s.TurnNode))
        return s.TurnsCheck(turns, *_reach(children))

    def turn(self, children: Children) -> s.TurnNode:
        parts = [child for child in children[1:-1] if not (isinstance(child, Token) and child.type == "COMMA")]
        hosts = tuple(_item(part) for part in parts if isinstance(part, Token))
        counts = tuple(part for part in parts if isinstance(part, s.Number))
        return s.TurnNode(hosts, counts, *_reach(children))

    def at_least(self, children: Children) -> s.Number:
        return _number(children[1])

    def not_check(self, children: Children) -> s.NotCheck:
        return s.NotCheck(children[1], *_reach(children))

    def job_resolution_status(self, children: Children) -> s.StatusCheck:
        keyword, _in, items = children
        return s.StatusCheck("job_resolution_status", items, _reach([keyword])[0], items[-1].end)

    def ticket_status(self, children: Children) -> s.StatusCheck:
        return s.StatusCheck("ticket_status", (_item(children[2]),), *_reach(children))

    def task_count(self, children: Children) -> s.CountCheck:
        bounds = children[1]
        return s.CountCheck(bounds.low, bounds.high, bounds.exact, *_reach(children))

    def ansible(self, children: Children) -> s.AnsibleCheck:
        return s.AnsibleCheck(_literal(children[1]), *_reach(children))

    def bounds_both(self, children: Children) -> s.CountCheck:
        return s.CountCheck(_number(children[0]), _number(children[2]), None, *_reach(children))

    def bounds_from(self, children: Children) -> s.CountCheck:
        return s.CountCheck(_number(children[0]), None, None, *_reach(children))

    def bounds_to(self, children: Children) -> s.CountCheck:
        return s.CountCheck(None, _number(children[1]), None, *_reach(children))

    def bounds_exact(self, children: Children) -> s.CountCheck:
        return s.CountCheck(None, None, _number(children[0]), *_reach(children))

    # ---- steps ----
    def step_run(self, children: Children) -> s.StepNode:
        name, _colon, _on, host, _run, command = children
        return s.StepNode(
            name=_optional_literal(name),
            on=_optional_item(host),
            run=_literal(command),
            write=None,
            content=None,
            sudo=False,
            start=_reach(children)[0],
            end=_reach(children)[1],
        )

    def step_write(self, children: Children) -> s.StepNode:
        name, _colon, _on, host, sudo, _write, path, content = children
        return s.StepNode(
            name=_optional_literal(name),
            on=_optional_item(host),
            run=None,
            write=_literal(path),
            content=_literal(content),
            sudo=sudo is not None,
            start=_reach(children)[0],
            end=_reach(children)[1],
        )

    # ---- tests ----
    def test(self, children: Children) -> s.TestNode:
        _test, name, _open, *items, _close = children
        return s.TestNode(_literal(name), tuple(items), *_reach(children))

    def evidence(self, children: Children) -> s.EvidenceNode:
        target, values = children
        return s.EvidenceNode(_word(target), values, _reach([target])[0], values[-1].end)

    def evidence_none(self, children: Children) -> s.EvidenceNode:
        target, word = children
        values = () if word.type == "EMPTY" else None
        return s.EvidenceNode(_word(target), values, *_reach(children))

    def status_fact(self, children: Children) -> s.StatusNode:
        field, value = children
        name: Any = str(field)
        status = None if value.type == "UNAVAILABLE" else _item(value)
        return s.StatusNode(name, status, *_reach(children))

    def host_exits(self, children: Children) -> s.HostAnswerNode:
        _on, host, _run, command, _exits, status = children
        return s.HostAnswerNode(
            _optional_item(host), _literal(command), _optional_number(status), None, *_reach(children)
        )

    def host_times_out(self, children: Children) -> s.HostAnswerNode:
        _on, host, _run, command, _times, _out = children
        return s.HostAnswerNode(_optional_item(host), _literal(command), None, "timed_out", *_reach(children))

    def host_unreachable(self, children: Children) -> s.HostAnswerNode:
        _on, host, _run, command, _unreachable = children
        return s.HostAnswerNode(_optional_item(host), _literal(command), None, "unreachable", *_reach(children))

    def playbook(self, children: Children) -> s.PlaybookNode:
        _ansible, path, _exits, status = children
        return s.PlaybookNode(_literal(path), _number(status), *_reach(children))

    def no_tasks(self, children: Children) -> s.NoTasksNode:
        return s.NoTasksNode(*_reach(children))

    def task(self, children: Children) -> s.TaskNode:
        _task, _on, host, _turn, turn, _from, started, _to, ended, _open, *evidence, _close = children
        return s.TaskNode(
            _optional_item(host),
            _optional_number(turn),
            _optional_literal(started),
            _optional_literal(ended),
            tuple(evidence),
            *_reach(children),
        )

    def expect_rule(self, children: Children) -> s.ExpectNode:
        _expect, outcome, label = children
        return s.ExpectNode(_word(outcome), _literal(label), *_reach(children))

    def expect_verdict(self, children: Children) -> s.ExpectNode:
        return s.ExpectNode(_word(children[1]), None, *_reach(children))
