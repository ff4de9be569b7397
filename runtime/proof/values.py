r"""Values for one target of a made-up run: what must match does, what must not does not, and in the order asked for.

    Filler(texts, asks, slots).fill()       # [['systemctl stop db', 'systemctl start db'], []]: one list a slot

Best effort: what cannot be had is left out, and the grader says what that comes to.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ...compiler.ecmascript import Pattern
from .asked import COMMANDS, INVOCATIONS, Ask
from .layout import Slot
from .texts import Shapes, Texts, as_it_is, proposals

_MOST_VALUES = 1_000
"""Of one rule that counts."""
_MOST_SLOTS = 4
"""Tasks in which a value is tried."""
_NOTHING_SPECIAL = {
    COMMANDS: ("uptime", "ls -l", "true", "hostname", "w"),
    "write_file": ("/tmp/notes.txt", "/tmp/x", "/opt/1"),
    "update_file": ("/tmp/notes.txt", "/tmp/x", "/opt/1"),
    "tool_calls": ('wait {"seconds":1}', "wait {}", "x {}"),
    "use_mcp_tool": ('search {"query":"x"}', "wait {}", "x {}"),
}
_NO_NEWS = ("Done.", "All is well.", "OK", "I have looked at it.", "-", "1")
"""Words that say nothing; which of them is used depends on what is forbidden."""

Make = Callable[[Ask, Callable[[str], bool], Sequence[Pattern]], str | None]
"""A value for an ask that will do; the patterns are those that most likely decide that."""


def as_command(text: str) -> Iterable[str]:
    """A command as it is written, then with its words in quotes where a shell would see something in them."""
    return (text, shlex.join(text.split(" "))) if text.strip() else (text,)


def done(texts: Texts) -> Make:
    """Makes what was really done or said."""

    def make(ask: Ask, will_do: Callable[[str], bool], avoid: Sequence[Pattern]) -> str | None:
        shapes: Shapes = as_command if ask.where == INVOCATIONS else as_it_is
        return texts.fitting(ask.tree, will_do, shapes, avoid=avoid)

    return make


@dataclass(slots=True)
class Filler:
    """Fills the slots of one channel."""

    texts: Texts
    asks: Sequence[Ask]
    slots: Sequence[Slot]
    make: Make
    spread: bool = False
    """Whether values go to as many slots as there are, and not to the first that suits."""
    joins: bool = False
    """Whether the values of a slot are read as one text."""
    filled: list[list[str]] = field(default_factory=list[list[str]])

    def fill(self) -> list[list[str]]:
        self.filled = [[] for _ in self.slots]
        for ask in self._narrow_first():
            for _ in range(min(ask.least, _MOST_VALUES) - self._count(ask)):
                if not self._put(ask):
                    break
        self._put_in_order()
        if self.joins:
            self._fill_empty()
        return self.filled

    # ---- counting ----------------------------------------------------------------------------------------------------

    def _hits(self, ask: Ask, value: str) -> int:
        return sum(self.texts.matches(ask.tree, seen) for seen in ask.seen_in(value))

    def _hits_later(self, ask: Ask, value: str) -> bool:
        return ask.later is not None and any(self.texts.matches(ask.later, seen) for seen in ask.seen_in(value))

    def _count(self, ask: Ask) -> int:
        here = (values for slot, values in zip(self.slots, self.filled, strict=True) if ask.speaks_of(slot.host))
        return sum(self._hits(ask, value) for values in here for value in values)

    def _narrow_first(self) -> list[Ask]:
        """What must match, in such an order that a value made for one ask is counted by wider ones."""
        wanted = [ask for ask in self.asks if ask.is_wanted]

        def counted_by(ask: Ask) -> int:
            shown = next(iter(proposals(ask.tree)), None)
            return 0 if shown is None else sum(self.texts.matches(other.tree, shown) for other in wanted)

        return wanted if len(wanted) < 2 else sorted(wanted, key=counted_by, reverse=True)

    # ---- values ------------------------------------------------------------------------------------------------------

    def _put(self, ask: Ask) -> bool:
        """One more value for an ask, where it can be had."""
        fitting = [number for number, slot in enumerate(self.slots) if ask.speaks_of(slot.host)]
        if self.spread:
            fitting.sort(key=lambda number: len(self.filled[number]))
        for strictly in (True, False):
            for number in fitting[:_MOST_SLOTS]:
                value = self._value(ask, number, strictly)
                if value is not None:
                    self.filled[number].append(value)
                    return True
        return False

    def _value(self, ask: Ask, number: int, strictly: bool) -> str | None:
        """A value for an ask in a slot. `strictly`: nothing of it can come too early for any order."""
        host = self.slots[number].host
        others = [other for other in self.asks if other is not ask and other.most is not None and other.speaks_of(host)]
        limits = [
            (other, (other.most or 0) - self._count(other)) for other in others if strictly or not other.is_of_order
        ]

        def will_do(value: str) -> bool:
            if not self._hits(ask, value) or (strictly and self._hits_later(ask, value)):
                return False
            return all(self._hits(other, value) <= left for other, left in limits)

        avoid = [other.tree for other, left in limits if left <= 0]
        if strictly and ask.later is not None:
            avoid.append(ask.later)
        return self.make(ask, will_do, avoid)

    def _fill_empty(self) -> None:
        """Something in slots that are empty, where the empty text is forbidden."""
        bans = [ask for ask in self.asks if ask.is_ban]
        if not any(self.texts.matches(ban.tree, "") for ban in bans):
            return
        for slot, values in zip(self.slots, self.filled, strict=True):
            here = [ban for ban in bans if ban.speaks_of(slot.host)]
            if not values and (plain := nothing_special(self.texts, self.asks[0].channel, here)) is not None:
                values.append(plain)

    # ---- order -------------------------------------------------------------------------------------------------------

    def _put_in_order(self) -> None:
        """Moves values within their slots so that what must come first does."""
        for ask in self.asks:
            if ask.is_of_order:
                self._order(ask)

    def _order(self, ask: Ask) -> None:
        for slot, values in zip(self.slots, self.filled, strict=True):
            if not ask.speaks_of(slot.host):
                continue
            firsts = [value for value in values if self._hits(ask, value) and not self._hits_later(ask, value)]
            laters = [value for value in values if self._hits_later(ask, value)]
            if not firsts or not laters:
                continue
            # Negated, the later one has to come first.
            moved, before = (firsts[0], laters) if ask.is_wanted else (laters[0], firsts)
            place = min(map(values.index, before))
            if values.index(moved) > place:
                values.remove(moved)
                values.insert(place, moved)


def nothing_special(texts: Texts, channel: str, bans: Iterable[Ask]) -> str | None:
    """A value about nothing in particular, which nothing forbids."""
    forbidden = list(bans)
    for value in _NOTHING_SPECIAL.get(channel, _NO_NEWS):
        if not any(texts.matches(ban.tree, seen) for ban in forbidden for seen in ban.seen_in(value)):
            return value
    return None


def one_text(texts: Texts, asks: Sequence[Ask]) -> str | None:
    """A single text that all of the asks that want something find, and that nothing forbids; None where none is
    known, or where one text cannot do."""
    wanted = [ask for ask in asks if ask.is_wanted]
    if not wanted or any(ask.least > 1 or ask.is_of_order for ask in wanted):
        return None
    bans = [ask for ask in asks if ask.most == 0]

    def will_do(text: str) -> bool:
        return all(texts.matches(ask.tree, text) for ask in wanted) and not any(
            texts.matches(ban.tree, text) for ban in bans
        )

    parts: list[str] = []
    for ask in wanted:
        if not any(texts.matches(ask.tree, part) for part in parts):
            part = texts.fitting(ask.tree, lambda text, ask=ask: texts.matches(ask.tree, text))
            parts += [] if part is None else [part]
    for joined in (". ".join(parts), "\n".join(parts), " ".join(parts)):
        if will_do(joined):
            return joined
    first, *rest = wanted
    return texts.fitting(first.tree, will_do, also=[ask.tree for ask in rest], avoid=[ban.tree for ban in bans])
