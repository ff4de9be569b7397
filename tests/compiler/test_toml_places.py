from __future__ import annotations

import tomllib

import pytest

from gatewright.compiler.toml_places import places
from gatewright.grammar.text import Source

TEXT = '''# [not.a.table]
top = 'it is = "this"' # comment = 1
[ defaults ]
port=22
words = """a
[hosts.fake]
key = 1 \\""" ""
end"""""
raw = \'\'\'
[hosts.fake2]
it's\'\'\'
list = [ "]", { a = "}" }, # ] comment
  [1, 2] ]
[hosts."web 01"] # header
address = "192.0.2.1"
when = 1979-05-27 07:32:00
a.b . "c d" = true
inline = { x = 1, y = { "z" = [1, 2] }, w = "," }
[hosts]
db = { port = 1.5 }
[[many]]
x = 1
[[many]]
x = 2
'''


DOTTED = {("web 01", "a"), ("a", "b")}
"""Parts of a dotted key; their place is that of the whole value."""


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n")], ids=["LF", "CRLF"])
def test_every_key_is_found_and_its_place_holds_its_value(text: str):
    found = places(Source("h.toml", text))
    document = tomllib.loads(text)
    for path, place in found.items():
        value = document
        for name in path:
            value = value[0][name] if isinstance(value, list) else value[name]
        assert tomllib.loads(f"{place.key.text} = 1") == {path[-1]: 1}
        if not place.value.text.startswith(("[hosts", "[ defaults", "[[")) and path[-2:] not in DOTTED:
            assert tomllib.loads(f"v = {place.value.text}")["v"] == value
    assert set(found) >= {
        ("top",),
        ("defaults",),
        ("defaults", "words"),
        ("hosts", "web 01", "a", "b", "c d"),
        ("hosts", "web 01", "inline", "y", "z"),
        ("hosts", "db", "port"),
        ("many", "x"),
    }
    assert not any("fake" in name for path in found for name in path)


def test_a_header_is_the_place_of_its_table():
    found = places(Source("h.toml", '\n[hosts."web 01"]\nport = 1\n'))
    assert found["hosts", "web 01"].value.text == '[hosts."web 01"]'
    assert found["hosts", "web 01"].key.text == '"web 01"'
    place = found["hosts", "web 01", "port"]
    assert (place.key.line, place.key.column, place.value.column) == (3, 1, 8)
