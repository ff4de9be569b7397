"""What is kept of an output stream: up to a cap, decoded, with a visible note where something was cut.

Of a stream that is too long the first and the last half of the cap are kept, because the last lines usually
say what went wrong. Bytes are decoded when all are there, so a character that came in two chunks is one
character.
"""

from __future__ import annotations

import codecs

CAP = 1024 * 1024
"""Bytes kept of each stream."""


class CappedStream:
    """Bytes in any chunks on one side, a text of at most `cap` bytes (and the note) on the other."""

    def __init__(self, cap: int = CAP) -> None:
        self._half = cap // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def feed(self, chunk: bytes) -> None:
        self._total += len(chunk)
        missing = self._half - len(self._head)
        if missing > 0:
            self._head += chunk[:missing]
            chunk = chunk[missing:]
        self._tail += chunk
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def text(self) -> str:
        """UTF-8, with U+FFFD for what is not; at a cut no half characters are left."""
        tail = bytes(self._tail[-self._half :]) if self._half else b""
        cut = self._total - len(self._head) - len(tail)
        if cut == 0:
            return (bytes(self._head) + tail).decode("utf-8", "replace")
        before = codecs.getincrementaldecoder("utf-8")("replace").decode(bytes(self._head))
        after = tail[_continuation_bytes(tail) :].decode("utf-8", "replace")
        return f"{before}\n[… {cut} bytes cut …]\n{after}"


def _continuation_bytes(data: bytes) -> int:
    """How many bytes at the front belong to a character that began before (three at most)."""
    count = 0
    while count < min(3, len(data)) and data[count] & 0xC0 == 0x80:
        count += 1
    return count
