r"""A second exact engine: QuickJS, by the package `quickjs-ng`. It answers where the first is missing or breaks.

    engine = QuickJsEngine()
    engine.compile(r"systemctl\s+restart").search("sudo SYSTEMCTL restart nginx")       # Found(5, 22)

It backtracks, so it meets the limit on patterns that the first engine answers. Its ways, known only here:

- It accepts ECMAScript 2025, so patterns go through our own parser first.
- It reads `[\s-a-z]` as if the second `-` made a range; it takes a `\k<name>` in front of its group for one of another
  group at times; and it refuses long names. So such classes are written anew from the syntax tree, and names become
  numbers.
- A string of Python with a lone surrogate cannot be handed over. Such a one goes as JSON.
- Its limit is one of `clock()`: processor time of the whole process, set anew at each call. Other threads use it up as
  well, so a call that ends too early is made again.
- It looks at the clock every 10,000 steps, and `é+` is one step however long it is: with a limit of a quarter second
  `(?=é+)x` takes twelve on 100,000 times `é`. So calls on long values are watched from outside. While it compiles it
  never looks; what that can take is bounded by `MAX_LENGTH`.
- It lets go of Python's lock, and two calls in one runtime at once crash the process. So there is a lock of our own,
  and a runtime in which a call was left behind is not used again.
- A runtime that was refused memory can have lost some for good. It is not used again either.
- The package `quickjs` has the same module names, and crashes. It counts as missing, as it would be found first.
- Its module `quickjs` starts a thread when it is imported. All that is needed is in `_quickjs`.

It is imported when first a pattern is compiled.
"""

from __future__ import annotations

import json
import math
import re
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeVar, cast

from ...compiler.ecmascript import BackReference, CharClass, ClassEscape, ClassRange, Group, Pattern, parse, walk
from .engine import CompiledPattern
from .exact import DEFAULT_LIMIT
from .outcome import NOT_THE_ENGINES, Answer, EngineFault, Found, LimitReached, Outcome, TooLarge, as_fault
from .subject import Subject
from .watch import OverrunError, Watch

T = TypeVar("T")

MAX_LENGTH = 65_536
"""Characters of a pattern. Compiling can take a time that grows with their square: two seconds for the worst."""

MEMORY = 512 << 20
"""Bytes for patterns, the value, and the ways not tried yet: `(a|b)*` reads three million code units with it."""

STACK = 512 << 10
"""Bytes that compiling may take of the caller's stack: 1,700 levels of nesting."""

_WATCHED = 4096 * 32
"""Code units of a value times those of its pattern, these counted as 32 at least, from which on a call is watched."""

_GRACE = 3
"""How many times its limit a watched call may take by the clock on the wall."""

_LONGEST = 1e9
"""Seconds. A longer limit would not fit into `clock_t`."""

_SCRIPT = r"""
(() => {
  "use strict";
  const regexes = [];
  const read = (text, isJson) => isJson ? JSON.parse(text) : text;
  globalThis.compile = (text, isJson) => regexes.push(new RegExp(read(text, isJson), "i")) - 1;
  globalThis.test = (number, text, isJson) => regexes[number].test(read(text, isJson));
  globalThis.search = (number, text, isJson) => {
    const found = regexes[number].exec(read(text, isJson));
    return found && `${found.index} ${found.index + found[0].length}`;
  };
})();
"""
"""Regular expressions stay inside, each under a number: were they Python's to let go of, it might do so, and free them,
while another thread is at work in the runtime."""


class QuickJsEngine:
    """Compiles each distinct pattern once, and keeps what came of it for as long as the engine lives.

    Threads may share it; they are served one after the other.
    """

    def __init__(self, limit: float = DEFAULT_LIMIT) -> None:
        """`limit` is in seconds of processor time, for one search of one value."""
        if not (limit > 0 and math.isfinite(limit)):
            raise ValueError(f"the limit of a match must be a positive number of seconds, not {limit}")
        self.limit = limit
        self._compiled: dict[str, CompiledPattern | TooLarge | EngineFault] = {}
        self._lock = threading.Lock()
        self._library: _Library | None = None
        self._machine: _Machine | None = None

    def compile(self, pattern: str | Pattern) -> CompiledPattern | TooLarge | EngineFault:
        source = pattern if isinstance(pattern, str) else pattern.source
        known = self._compiled.get(source)
        if known is None:
            tree = parse(pattern) if isinstance(pattern, str) else pattern
            with self._lock:
                known = self._compiled[source] = self._compile(tree)
        return known

    def _compile(self, pattern: Pattern) -> CompiledPattern | TooLarge | EngineFault:
        try:
            self._library = self._library or _load()
            if self._library is None:
                return EngineFault("quickjs-ng is not installed")
            compiled = _QuickJsPattern(pattern.source, _as_quickjs_reads_it(pattern), self)
            if len(compiled.text) > MAX_LENGTH:
                return TooLarge(f"the pattern is longer than {MAX_LENGTH} characters")
            self._running_machine().number(compiled.text)
        except NOT_THE_ENGINES:
            raise
        except BaseException as fault:
            return _refusal(fault)
        return compiled

    def ask(
        self, pattern: _QuickJsPattern, value: str | Subject, question: Callable[[_Machine, int, str, bool], T]
    ) -> T | LimitReached | EngineFault:
        """What `question` says of one of this engine's patterns and a value."""
        with self._lock:
            try:
                text, is_json = _argument(value if isinstance(value, str) else _text(value))
                machine = self._running_machine()
                number = machine.number(pattern.text)
                if len(text) * max(len(pattern.text), 32) < _WATCHED:
                    return question(machine, number, text, is_json)
                seconds = _GRACE * min(self.limit, _LONGEST)
                return pattern.watch.call(lambda: question(machine, number, text, is_json), seconds)
            except _LimitError:
                return LimitReached(self.limit)
            except BaseException as fault:
                self._machine = None
                if isinstance(fault, NOT_THE_ENGINES):
                    raise
                return LimitReached(self.limit) if _is_beyond_limits(fault) else as_fault(fault)

    def _running_machine(self) -> _Machine:
        if self._machine is None:
            library = self._library
            assert library is not None  # there is no pattern to ask about without
            self._machine = _Machine(library.Context(), min(self.limit, _LONGEST))
        return self._machine


@dataclass(slots=True)
class _QuickJsPattern:
    source: str
    text: str
    """What QuickJS is given for it."""
    engine: QuickJsEngine
    watch: Watch = field(default_factory=Watch)

    def test(self, value: str | Subject) -> Answer:
        return self.engine.ask(self, value, _Machine.test)

    def search(self, value: str | Subject) -> Outcome:
        place = self.engine.ask(self, value, _Machine.search)
        return Found(*place) if isinstance(place, tuple) else place


# ---- the runtime ------------------------------------------------------------------------------------------


class _Context(Protocol):
    """As much of `_quickjs.Context` as is used, which has no types of its own."""

    def eval(self, code: str, /) -> object: ...

    def get(self, name: str, /) -> Callable[..., object]: ...

    def set_memory_limit(self, size: int, /) -> None: ...

    def set_max_stack_size(self, size: int, /) -> None: ...

    def set_time_limit(self, seconds: float, /) -> None: ...


class _Library(Protocol):
    def Context(self) -> _Context: ...  # noqa: N802


class _LimitError(Exception):
    """A call took its limit of time; the runtime is in order."""


class _Machine:
    """A runtime of JavaScript and the patterns in it. It must never be used by two threads at once."""

    __slots__ = ("_compile", "_context", "_limit", "_numbers", "_search", "_test")

    def __init__(self, context: _Context, limit: float) -> None:
        context.set_memory_limit(MEMORY)
        context.set_max_stack_size(STACK)
        context.eval(_SCRIPT)
        self._context = context
        self._limit = limit
        self._numbers: dict[str, int] = {}
        self._compile = context.get("compile")
        self._test = context.get("test")
        self._search = context.get("search")

    def number(self, text: str) -> int:
        """Of a pattern, compiled if it is new here; raises what the library raises."""
        number = self._numbers.get(text)
        if number is None:
            self._context.set_time_limit(-1)  # none: it would end the compiling of a pattern at random
            number = self._numbers[text] = cast(int, self._compile(*_argument(text)))
            self._context.set_time_limit(self._limit)
        return number

    def test(self, number: int, text: str, is_json: bool) -> bool:
        return cast(bool, self._timed(self._test, number, text, is_json))

    def search(self, number: int, text: str, is_json: bool) -> tuple[int, int] | None:
        place = cast(str | None, self._timed(self._search, number, text, is_json))
        if place is None:
            return None
        start, end = place.split(" ")
        return int(start), int(end)

    def _timed(self, function: Callable[..., object], number: int, text: str, is_json: bool) -> object:
        """Raises `_LimitError` once the call has had its time to itself, however busy other threads are."""
        allowed = self._limit
        try:
            while True:
                begun = time.perf_counter()
                try:
                    return function(number, text, is_json)
                except Exception as fault:
                    if not str(fault).startswith("InternalError: interrupted"):
                        raise
                if time.perf_counter() - begun >= 0.95 * self._limit:
                    raise _LimitError
                allowed *= 2
                self._context.set_time_limit(allowed)
        finally:
            if allowed != self._limit:
                self._context.set_time_limit(self._limit)


def _load() -> _Library | None:
    """None unless the module that would be imported is one of `quickjs-ng`."""
    from importlib.metadata import PackageNotFoundError, files

    try:
        ours = {file.name for file in files("quickjs-ng") or ()}
        spec = find_spec("_quickjs")
        if spec is None or spec.origin is None or Path(spec.origin).name not in ours:
            return None
        return cast(_Library, import_module("_quickjs"))
    except (PackageNotFoundError, ImportError, ValueError):
        return None


def _refusal(fault: BaseException) -> TooLarge | EngineFault:
    """What a fault while a pattern is compiled comes to."""
    message = str(fault).partition("\n")[0]
    if any(word in message for word in ("too many", "stack", "out of memory")):
        return TooLarge(message)
    return as_fault(fault)


def _is_beyond_limits(fault: BaseException) -> bool:
    """Whether a match overran its time, or needed more than `MEMORY` or than a string of JavaScript can hold."""
    message = str(fault).partition("\n")[0]
    return isinstance(fault, OverrunError) or "out of memory" in message or "invalid string length" in message


# ---- strings and patterns as it reads them ----------------------------------------------------------------

_SURROGATE = re.compile("[\ud800-\udfff]")
_JSON = json.JSONEncoder(ensure_ascii=False)


def _text(subject: Subject) -> str:
    units = subject.units
    if isinstance(units, bytes):
        return units.decode("ascii")
    return units.tobytes().decode(f"utf-16-{sys.byteorder[0]}e", "surrogatepass")


def _argument(text: str) -> tuple[str, bool]:
    """The text to hand over, and whether it is JSON."""
    if text.isascii() or not _SURROGATE.search(text):
        return text, False
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", _JSON.encode(text)), True


def _as_quickjs_reads_it(pattern: Pattern) -> str:
    """The pattern without names, and without classes in which a `-` stands beside a `\\w` and its like."""
    source = pattern.source
    pieces: list[str] = []
    at = 0
    for node in walk(pattern.body):
        match node:
            case CharClass() if "-" in source[node.start : node.end] and _has_escape(node):
                text, end = _class(node), node.end
            case Group(name=str()):
                text, end = "(", source.index(">", node.start) + 1
            case BackReference(name=str()):
                text, end = f"(?:\\{node.group})", node.end
            case _:
                continue
        pieces += source[at : node.start], text
        at = end
    return "".join(pieces) + source[at:]


def _has_escape(node: CharClass) -> bool:
    return any(isinstance(item, ClassEscape) for item in node.items)


def _class(node: CharClass) -> str:
    return "[" + "^" * node.negated + "".join(map(_class_item, node.items)) + "]"


def _class_item(item: ClassRange | ClassEscape) -> str:
    if isinstance(item, ClassEscape):
        return "\\" + item.letter
    return f"\\u{item.first:04x}-\\u{item.last:04x}"
