from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gatewright.runtime.hosts.streams import CappedStream


def fed(*chunks: bytes, cap: int = 8) -> str:
    stream = CappedStream(cap)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.text()


def test_what_fits_is_whole():
    assert fed(b"12345678") == "12345678"
    assert fed() == ""


def test_what_does_not_fit_keeps_both_ends():
    assert fed(b"abcde", b"fgh", b"ijklmnop") == "abcd\n[… 8 bytes cut …]\nmnop"


def test_a_cut_leaves_no_half_characters():
    assert fed("abcé".encode(), b"-----", "énop".encode()) == "abc\n[… 7 bytes cut …]\nnop"


@given(st.binary(max_size=200), st.lists(st.integers(1, 40)))
def test_chunks_do_not_matter(data: bytes, sizes: list[int]):
    chunks: list[bytes] = []
    rest = data
    for size in sizes:
        chunks.append(rest[:size])
        rest = rest[size:]
    assert fed(*chunks, rest, cap=64) == fed(data, cap=64)


@given(st.binary(max_size=64))
def test_up_to_the_cap_nothing_is_lost(data: bytes):
    assert fed(data, cap=64) == data.decode("utf-8", "replace")
