"""A real JavaScript engine to compare with, and random patterns to compare on."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from gatewright.compiler.ecmascript import Pattern, PatternError, parse, tree
from gatewright.compiler.ecmascript.charsets import units_of
from gatewright.runtime.matching import EngineFault, ExactEngine, TooLarge

SERVER = r"""
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', line => process.stdout.write(JSON.stringify(JSON.parse(line).map(([pattern, values]) => {
  let regex;
  try { regex = new RegExp(pattern, 'i'); } catch (error) { return null; }
  return values.map(value => {
    const found = regex.exec(value);
    return found && [found.index, found.index + found[0].length];
  });
})) + '\n'));
"""

Answer = list[tuple[int, int] | None] | None
"""What Node says of one pattern: None if refused, else the first match in every value."""


@dataclass
class Node:
    process: subprocess.Popen[str]

    def ask(self, cases: Sequence[tuple[str, Sequence[str]]]) -> list[Answer]:
        assert self.process.stdin
        assert self.process.stdout
        # One line a batch, and its answer read before the next: neither side ever waits for a full pipe.
        self.process.stdin.write(json.dumps(cases) + "\n")
        self.process.stdin.flush()
        answers = json.loads(self.process.stdout.readline())
        return [
            None if answer is None else [None if place is None else (place[0], place[1]) for place in answer]
            for answer in answers
        ]


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    executable = shutil.which("node")
    if executable is None:
        pytest.skip("node is not on PATH: nothing was compared with a real JavaScript engine")
    version = subprocess.run([executable, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("v20."):
        pytest.skip(f"node is {version.strip()}, and Node 20 is what patterns are defined by: nothing was compared")
    with subprocess.Popen(
        [executable, "-e", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        yield Node(process)
        assert process.stdin
        process.stdin.close()


# ---- random patterns and values ---------------------------------------------------------------------------


def words(text: str) -> list[str]:
    return text.split()


LITERALS = [
    *"abckKsSiI019_ -/:,=&%\"'<>@!",
    *"éÉſßσςΣµμİıåÅ",
    "\u212a",
    "\u2126",
    "\u01c5",
    "\u1e9e",
    "😀",
    "𐐨",
]
LITERALS += ["\ud83d", "\ude00", "\u0345", "\u03b9"]
SUBJECTS = [
    *LITERALS,
    *"abkKsS1_ ..\n\r\t-",
    "\u2028",
    "\ufeff",
    "\u00a0",
    "\u0085",
    "\x00",
    "\x01",
    "𐐀",
    "Ā",
    "\\",
]
ESCAPES = words(r"""
    \d \D \w \W \s \S \n \t \r \v \f \0 \00 \08 \x61 \x4 \u0061 \u017f \u{61} \u00 \ud83d \ude00 \cA \cj \c1 \c \c_
    \. \/ \- \Z \A \z \h \e \a \G \K \_ \101 \012 \8 \9 \400 \377 \p{L} \P \k \k<a> \k<n \] \} \{ \q \1 \2 \10
    \😀 \^
""")
CLASS_PIECES = words(r"""
    a-c A-Z 0-9 Z-a \u0100-\u017f k-s α-ω \x00-\x7f !-~ \d-x a-\w +-- --a \d \w \s \D \W \S \b \B \n \- \] \cA
    \c1 \c_ \c \1 \8 \08 \x41 \u0131 \u{61} \ud83d \k \^ \00 [ : && -- - . $ ( | * { ^ 😀 a-😀 😀-a
    \ud800-\udfff é-ÿ
""")
QUANTIFIERS = words("""
    * + ? {2} {1,2} {0,1} {0} {1,} {,2} *? +? ?? {2}? {1,2}? { {a} {2,1} {3} {02,3} ** ++ ?+ {1}{2} {1
""")
TOKENS = words(r"""
    ( ) [ ] { } | ^ $ . * + ? \ - : = ! < > , 0 1 2 3 k c a b x u P i s (?: (?= (?! (?<= (?<! (?<a> (?<b> (?P<a>
    (?i) (?i: (?<a!> (?<a=> < \k<a> \k<b> \k \1 \2 \8 \c \x4 \u00 {1,2} {2} [^ \b \B \] 😀
""")


class Generator:
    """Patterns that are mostly valid (`pattern`), and patterns that mostly are not (`soup`)."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def soup(self) -> str:
        return "".join(self.random.choices(TOKENS, k=self.random.randint(1, 9)))

    def pattern(self, depth: int = 0) -> str:
        branches = 1 if self.random.random() < 0.7 else self.random.randint(2, 3)
        return "|".join(
            "".join(self.term(depth) for _ in range(self.random.randint(self.random.random() > 0.1, 4)))
            for _ in range(branches)
        )

    def term(self, depth: int) -> str:
        roll, choice = self.random.random(), self.random.choice
        if roll < 0.40 or depth > 3:
            piece = choice([*LITERALS, *"......]}"])
        elif roll < 0.55:
            piece = choice(ESCAPES)
        elif roll < 0.68:
            pieces = self.random.choices(CLASS_PIECES + LITERALS, k=self.random.randint(0, 4))
            piece = "[" + choice(["", "", "^"]) + "".join(pieces) + "]"
        elif roll < 0.75:
            piece = choice(["^", "$", r"\b", r"\B"])
        else:
            openers = [
                "(",
                "(",
                "(?:",
                "(?:",
                "(?=",
                "(?!",
                "(?<=",
                "(?<!",
                f"(?<n{self.random.randint(1, 99)}>",
                "(?<a>",
            ]
            piece = choice(openers) + self.pattern(depth + 1) + ")"
        return piece + (choice(QUANTIFIERS) if self.random.random() < 0.3 else "")

    def value(self) -> str:
        return "".join(self.random.choices(SUBJECTS, k=self.random.randint(0, 8)))


NESTED_QUANTIFIERS = words(
    "* + ? {0} {1} {2} {3,} {0,2} {1,6} {6} {7,9} {5} {5,6} {1000} {0,999} *? +? {4,}? {2147483648,}"
)
PLAIN = [
    *"aabbkK_ ?.-\néÉſ\0😀",
    *words(r"ab ab bk get re start -rf \. \n \r \s \w \W \D . [] [^] [^a] [a-c] [?é] [^\w] [^\n] [^\0]"),
]


class Nester:
    """Patterns of few letters and much structure: what may be empty, repeated, anchored and looked at in odd places."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pattern(self, depth: int = 0) -> str:
        branches = self.random.choice((1, 1, 1, 2, 2, 3))
        return "|".join(
            "".join(self.term(depth) for _ in range(self.random.choice((0, 1, 2, 2, 3, 4)))) for _ in range(branches)
        )

    def term(self, depth: int) -> str:
        roll, choice = self.random.random(), self.random.choice
        if roll < 0.45 or depth > 4:
            piece = choice(PLAIN)
        elif roll < 0.55:
            return choice(["^", "$", r"\b", r"\B"])
        elif roll < 0.60:
            piece = choice([r"\1", r"\2"])
        else:
            opener = choice(["(", "(?:", "(?:", "(?:", "(?=", "(?=", "(?!", "(?<=", "(?<!"])
            piece = opener + self.pattern(depth + 1) + ")"
            if opener in ("(?<=", "(?<!"):
                return piece
        return piece + (choice(NESTED_QUANTIFIERS) if self.random.random() < 0.4 else "")

    def value(self) -> str:
        return "".join(self.random.choices([*"aabbkKs_ ?.-\n\r\x00éÉſ", "😀"], k=self.random.randint(0, 8)))


class Sampler:
    """Values that a pattern is likely to match, made by following its tree: an engine says which of them it does."""

    MAX_LENGTH = 100

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.captured: dict[int, list[int]] = {}

    def value(self, pattern: Pattern) -> str:
        self.captured = {}
        units = self._units(pattern.body)
        before, behind = (self.random.choice(("", "", "x", " ", "\n", "a", "é ", "-\0")) for _ in range(2))
        return before + array("H", units).tobytes().decode("utf-16", "surrogatepass") + behind

    def _units(self, node: tree.Node) -> list[int]:
        match node:
            case tree.Char() | tree.Dot() | tree.ClassEscape() | tree.CharClass():
                return self._one_of(units_of(node))
            case tree.Sequence(items=items):
                return [unit for item in items for unit in self._units(item)]
            case tree.Alternation(branches=branches):
                return self._units(self.random.choice(branches))
            case tree.Group(body=body, index=index):
                units = self._units(body)
                if index is not None:
                    self.captured[index] = units
                return units
            case tree.BackReference(group=group):
                return self.captured.get(group, [])
            case tree.Look(body=body, negated=negated):
                return self._units(body) if not negated and self.random.random() < 0.5 else []
            case tree.Quantifier(body=body, min=least, max=most):
                return self._repeated(body, least, least + 3 if most is None else most)
            case tree.Anchor():
                return []
            case _:
                raise AssertionError(node)

    def _repeated(self, body: tree.Node, least: int, most: int) -> list[int]:
        units: list[int] = []
        for _ in range(self.random.choice((least, least, min(most, least + 1), min(most, least + 2)))):
            more = self._units(body)
            units += more
            if not more or len(units) > self.MAX_LENGTH:
                break
        return units

    def _one_of(self, units: Sequence[tuple[int, int]]) -> list[int]:
        if not units:
            return []
        first, last = self.random.choice(units)
        if first < 0x7F and self.random.random() < 0.8:  # of ASCII, mostly
            last = min(last, 0x7E)
        return [self.random.randint(first, last)]


@pytest.fixture
def generator() -> Callable[[int], Generator]:
    return Generator


@dataclass
class Case:
    pattern: Pattern
    values: list[str]
    matching: list[bool]
    """By value: whether the exact engine says that it matches; False where the engine has no answer."""

    @property
    def matches(self) -> list[str]:
        return [value for value, matches in zip(self.values, self.matching, strict=True) if matches]


def random_cases(seed: int, count: int) -> Iterator[Case]:
    """Random patterns with values that the exact engine was asked about: about half of them match."""
    generator, nester, sampler = Generator(seed), Nester(seed), Sampler(seed)
    engine = ExactEngine(limit=0.03)
    while count:
        try:
            pattern = parse(generator.pattern() if count % 3 == 0 else nester.pattern())
        except PatternError:
            continue
        count -= 1
        values = [generator.value(), nester.value(), nester.value(), *(sampler.value(pattern) for _ in range(6))]
        compiled = engine.compile(pattern)
        if not isinstance(compiled, TooLarge | EngineFault):
            yield Case(pattern, values, [compiled.test(value) is True for value in values])


@pytest.fixture(scope="session")
def cases() -> list[Case]:
    return [*random_cases(1, 2_000)]


@pytest.fixture(scope="session")
def oracle() -> Path:
    """Real patterns and values with Node's answers; they stand beside the repository."""
    folder = Path(__file__).parents[4] / "shared" / "cases" / "oracle"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: the real patterns were not tried")
    return folder


@pytest.fixture(scope="session")
def real_cases(oracle: Path) -> list[Case]:
    """The real patterns that are valid, with the values and what Node says of each."""
    values = [entry["value"] for entry in json.loads((oracle / "values_open.json").read_text("utf-8"))]
    lines = (oracle / "patterns_open.jsonl").read_text("utf-8").splitlines()
    found: list[Case] = []
    for entry in map(json.loads, lines):
        if "es_i_error" not in entry:
            matching = {*entry["es_i"]}
            found.append(Case(parse(entry["pattern"]), values, [index in matching for index in range(len(values))]))
    return found
