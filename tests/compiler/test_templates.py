"""Templates: what they see, what they give, where they point when they fail, and what they must not be able to do."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from gatewright.compiler import ir
from gatewright.compiler.findings import Finding
from gatewright.compiler.load import Loaded, load


def read(folder: Path, text: str) -> tuple[tuple[ir.Rule, ...], list[Finding]]:
    """The rules of a `.gate` text, and everything said of it."""
    path = folder / "t.gate"
    path.write_bytes(text.encode())
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert isinstance(loaded, Loaded)
    return loaded.rules.rules, findings


def rendered(folder: Path, template: str, head: str = "") -> str:
    """What a template means as the command of a host rule."""
    rules, findings = read(folder, f'{head}require "x": run {template}\n')
    assert [finding.message for finding in findings] == []
    check = rules[0].check
    assert isinstance(check, ir.HostState)
    return check.run


def fault(folder: Path, text: str) -> Finding:
    """The one error of a `.gate` text."""
    _, findings = read(folder, text)
    errors = [finding for finding in findings if finding.is_error]
    assert len(errors) == 1, errors
    assert errors[0].span is not None
    return errors[0]


# ---- what a template gives -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("t`systemctl restart {{ service }}`", "systemctl restart nginx"),
        ('t"{{ service }}\\n"', "nginx\n"),
        ("t``echo `{{ service }}` ``", "echo `nginx`"),
        ("t```\n  a\n    {{ service }}\n  b\n  ```", "a\n  nginx\nb"),
        ("t`{{ service | upper }}`", "NGINX"),
        ("t`{% if service == 'nginx' %}yes{% else %}no{% endif %}`", "yes"),
        ("t`{% for c in service %}{{ c }}.{% endfor %}`", "n.g.i.n.x."),
        ("t`{{ service }} <>&\"'`", "nginx <>&\"'"),
        ("t`{{ '<&>' }}`", "<&>"),
        ("t`{{ quoted }}`", "<&\"'>"),
    ],
)
def test_template_is_rendered_over_the_lets_before_it_and_escapes_nothing(
    tmp_path: Path, template: str, text: str
) -> None:
    head = 'let service = "nginx"\nlet quoted = "<&\\"\'>"\nrequire t"{{ service }}{{ quoted }}": task_count 1\n'
    rules, findings = read(tmp_path, f'{head}require "x": run {template}\n')
    assert [finding.message for finding in findings] == []
    check = rules[1].check
    assert isinstance(check, ir.HostState)
    assert check.run == text


@pytest.mark.parametrize(
    "literal",
    [
        "`docker inspect -f {{.State.Running}} x`",
        '"docker inspect -f {{.State.Running}} x"',
        "```\ndocker inspect -f {{.State.Running}} x\n```",
    ],
)
def test_without_t_braces_are_plain_text(tmp_path: Path, literal: str) -> None:
    assert rendered(tmp_path, literal) == "docker inspect -f {{.State.Running}} x"


def test_lets_are_templates_too_and_see_only_what_stands_before_them(tmp_path: Path) -> None:
    head = 'let a = "x"\nlet b = t"{{ a }}y"\n'
    assert rendered(tmp_path, "t`{{ b }}`", head) == "xy"
    finding = fault(tmp_path, 'let b = t"{{ a }}"\nlet a = "x"\nrequire t"{{ a }}": task_count 1\n')
    assert (finding.code, finding.span and (finding.span.line, finding.span.column)) == ("GW113", (1, 14))


def test_last_newline_of_written_content_is_kept(tmp_path: Path) -> None:
    text = 'let n = "v"\nprepare { "w": write "/f" t```\n  a = {{ n }}\n  ```\n}\n'
    path = tmp_path / "t.gate"
    path.write_text(text, "utf-8")
    loaded = load(path, lambda finding: pytest.fail(finding.message))
    assert isinstance(loaded, Loaded)
    assert loaded.rules.prepare is not None
    step = loaded.rules.prepare[0]
    assert isinstance(step, ir.WriteStep)
    assert step.content == "a = v\n"


def test_label_pattern_path_and_content_can_be_templates(tmp_path: Path) -> None:
    text = (
        'let n = "v"\n'
        'require t"label {{ n }}": tool_calls matches t`p {{ n }}`\n'
        'require "play": ansible t"{{ n }}.yml"\n'
        'prepare { t"name {{ n }}": write t"/etc/{{ n }}" t"{{ n }}" }\n'
    )
    path = tmp_path / "t.gate"
    path.write_text(text, "utf-8")
    findings: list[Finding] = []
    loaded = load(path, findings.append)
    assert findings == []
    assert isinstance(loaded, Loaded)
    assert loaded.rules.rules == (
        ir.Rule(label="label v", check=ir.PatternMatch(where="tool_calls", pattern="p v")),
        ir.Rule(label="play", check=ir.Ansible(path="v.yml")),
    )
    assert loaded.rules.prepare == (ir.WriteStep(name="name v", write="/etc/v", content="v"),)


def test_loop_name_is_a_host_where_a_host_stands_and_a_variable_in_templates(tmp_path: Path) -> None:
    text = 'hosts a, b\nfor h in a, b { require t"up {{ h }}": on h run t`ping {{ h }} h` }\n'
    rules, findings = read(tmp_path, text)
    assert findings == []
    assert rules == (
        ir.Rule(label="up a", check=ir.HostState(on="a", run="ping a h")),
        ir.Rule(label="up b", check=ir.HostState(on="b", run="ping b h")),
    )


def test_loop_name_is_not_defined_behind_its_loop(tmp_path: Path) -> None:
    finding = fault(tmp_path, 'for h in a { require "x": on h run `y` }\nrequire t"{{ h }}": task_count 1\n')
    assert (finding.code, finding.span and finding.span.line) == ("GW113", 2)


# ---- where a fault is shown ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "shown"),
    [
        ('require "x": run t`echo é🚀 {{ zz }}`', 1, 31, "zz"),
        ('require "x": run t"\\u00e9\\n {{ zz }}"', 1, 32, "zz"),
        ('require t"{{ zz }}": task_count 1', 1, 14, "zz"),
        ('require "x": run t``  `{{ zz }}` ``', 1, 27, "zz"),
        ('require "x": run t```\n  one\n    {{ zz }}\n  ```', 3, 8, "zz"),
        ('\r\n\r\nrequire "x": run t```\r\n  one\r\n    {{ zz }}\r\n  ```', 5, 8, "zz"),
        ('\trequire "x": run t`{{ 1 }}{{ zz }}`', 1, 31, "zz"),
        ('require "x": run t`{% if zz %}{% endif %}`', 1, 26, "zz"),
    ],
)
def test_undefined_name_is_shown_where_it_stands(tmp_path: Path, text: str, line: int, column: int, shown: str) -> None:
    finding = fault(tmp_path, text)
    assert finding.code == "GW113"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column, finding.span.text) == (line, column, shown)


def test_misspelt_name_is_told_with_the_name_that_was_meant(tmp_path: Path) -> None:
    finding = fault(tmp_path, 'let service = "x"\nrequire t"{{ service }}": run t`{{ servcie }}`\n')
    assert "servcie" in finding.message
    assert "service" in f"{finding.message} {finding.help}"


def test_every_broken_template_of_a_file_is_told_in_one_run(tmp_path: Path) -> None:
    _, findings = read(tmp_path, 'require t"{{ a }}": run t`{{ b }}`\nrequire "x": run t`{{ c }}`\n')
    told = [(finding.code, finding.span and finding.span.text) for finding in findings]
    assert told == [("GW113", "a"), ("GW113", "b"), ("GW113", "c")]


@pytest.mark.parametrize(
    "template",
    [
        "{{ ",
        "{% if %}",
        "{% for %}",
        "{{ 1/0 }}",
        "{{ 'a'.nope }}",
        "{{ 'a'|nope }}",
        "{{ ''|first }}",
        "{{ [][1] }}",
        "{{ 'a' + 1 }}",
        "{{ 1|truncate }}",
        "{% endfor %}",
        "{{ '{'.format(1) }}",
    ],
)
def test_template_that_jinja_refuses_is_an_error_of_the_file(tmp_path: Path, template: str) -> None:
    finding = fault(tmp_path, f'\nrequire "x": run t`{template}`\n')
    assert finding.code == "GW113"
    assert finding.span is not None
    assert finding.span.line == 2
    assert 19 < finding.span.column < 19 + len(template) + 1


def test_template_that_renders_to_nothing_is_an_empty_command(tmp_path: Path) -> None:
    finding = fault(tmp_path, 'let a = ""\nrequire "x": run t`{{ a }}`\n')
    assert finding.code == "GW104"
    assert "empty" in finding.message


# ---- lets ------------------------------------------------------------------------------------------------------------


def test_let_that_nothing_uses_is_a_warning_at_its_name(tmp_path: Path) -> None:
    _, findings = read(tmp_path, 'let used = "a"\nlet spare = "b"\nrequire t"{{ used }}": task_count 1\n')
    (finding,) = findings
    assert (finding.code, finding.is_error) == ("GW113", False)
    assert finding.span is not None
    assert (finding.span.line, finding.span.column, finding.span.text) == (2, 5, "spare")


def test_let_that_only_plain_braces_mention_is_unused(tmp_path: Path) -> None:
    _, findings = read(tmp_path, 'let a = "x"\nrequire "{{ a }}": task_count 1\n')
    assert [(finding.code, finding.is_error) for finding in findings] == [("GW113", False)]


@pytest.mark.parametrize(
    "text",
    [
        'let a = "1"\nlet a = "2"\nrequire t"{{ a }}": task_count 1\n',
        'let a-b = "1"\nrequire "x": task_count 1\n',
        'let a.b = "1"\nrequire "x": task_count 1\n',
        'let h = "1"\nrequire t"{{ h }}": task_count 1\nfor h in a { require "x": on h run `y` }\n',
    ],
)
def test_name_that_is_taken_or_no_name_is_an_error(tmp_path: Path, text: str) -> None:
    assert fault(tmp_path, text).code == "GW104"


# ---- the sandbox -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "template",
    [
        "{{ a.__class__ }}",
        "{{ a['__class__'] }}",
        "{{ a|attr('__class__') }}",
        "{{ a.__class__.__mro__[1].__subclasses__() }}",
        "{{ '{0.__class__}'.format(a) }}",
        "{{ self.__init__.__globals__ }}",
        "{{ a.format.__globals__ }}",
        "{{ range(3) }}",
        "{% for i in range(3) %}x{% endfor %}",
        "{{ lipsum() }}",
        "{{ cycler(1) }}",
        "{{ namespace() }}",
        "{{ dict() }}",
        "{{ joiner() }}",
        "{{ [1, 2]|random }}",
        "{{ 2 ** 3 }}",
        "{% include 'x' %}",
        "{% import 'x' as x %}",
        "{% from 'x' import y %}",
        "{% extends 'x' %}",
        "{% macro m() %}x{% endmacro %}",
        "{% for i in a %}{% for j in a %}x{% endfor %}{% endfor %}",
    ],
)
def test_template_reaches_nothing_but_its_names(tmp_path: Path, template: str) -> None:
    _, findings = read(tmp_path, f'let a = "x"\nrequire t"{{{{ a }}}}": run t`{template}`\n')
    assert [finding.code for finding in findings] == ["GW113"]
    assert findings[0].is_error


@pytest.mark.parametrize("name", ["self", "loop", "super", "caller", "varargs", "context", "environment"])
def test_no_name_of_the_engine_is_defined(tmp_path: Path, name: str) -> None:
    finding = fault(tmp_path, f'require "x": run t`{{{{ {name} }}}}`\n')
    assert finding.code == "GW113"


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'a' * 70000 }}",
        "{{ 70000 * 'a' }}",
        "{{ [1] * 70000 }}",
        "{{ ('a' * 60000) ~ ('a' * 60000) }}",
        "{{ 'a' * 60000 }}{{ 'a' * 60000 }}",
        "{{ 'a'.ljust(99999999) }}",
        "{{ '%99999999d' % 1 }}",
        "{{ 'a'|center(99999999) }}",
        "{{ '{:>99999999}'.format(1) }}",
        "{{ 'a'|replace('a', 'b' * 60000)|replace('b', 'c' * 2000) }}",
        "{{ ('a' * 2000)|list|join('b' * 60000) }}",
        "{% set a = 'a' * 60000 %}" + "{% set a = a ~ a %}" * 11 + "{{ a }}",
        "{% set a = 'a' * 60000 %}" + "{% set a = a + a %}" * 11 + "{{ a|length }}",
        "{% set a = [1] * 60000 %}" + "{% set a = a + a %}" * 9 + "{{ a|length }}",
        "{% set a = 9999999999 %}" + "{% set a = a * a %}" * 30 + "{{ a }}",
    ],
    ids=lambda template: template[:30],
)
def test_template_cannot_grow_beyond_its_limit_not_even_on_the_way(tmp_path: Path, template: str) -> None:
    """SPEC section 3: at most 64 KiB a literal. A file of a kilobyte must not cost a gigabyte before it is refused."""
    rendered(tmp_path, "t`{{ 1 }}`")  # the engine itself is loaded
    tracemalloc.start()
    try:
        finding = fault(tmp_path, f'require "x": run t`{template}`\n')
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert finding.code == "GW113"
    assert peak < 16 * 2**20


def test_template_may_have_and_become_64_kib_and_no_more(tmp_path: Path) -> None:
    assert len(rendered(tmp_path, "t`{{ 'a' * 65536 }}`")) == 65536
    assert fault(tmp_path, "require \"x\": run t`{{ 'a' * 65536 }}b`\n").code == "GW113"
    assert len(rendered(tmp_path, f"t`{'a' * 65536}`")) == 65536
    assert fault(tmp_path, f'require "x": run t`{"a" * 65537}`\n').code == "GW113"
    assert len(rendered(tmp_path, f"`{'a' * 65537}`")) == 65537
