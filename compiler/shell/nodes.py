"""The tree of a shell script: what is run, in which order, and what becomes of its exit status.

    timeout 5 curl -sf "$url" | grep -q ok && ! pgrep old

is an `AndOr` of a `Pipeline` of two commands and a negated `Pipeline` of one. Places are offsets of code points in the
text that was read, also in a script within a script (`bash -c '…'`).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Word:
    """One word with its quoting removed; variables, substitutions and globs are kept as they are written."""

    text: str
    start: int
    end: int
    pieces: tuple[tuple[int, int], ...] = ()
    """Where runs of its text stand: (index in `text`, offset in the source), in order."""
    scripts: tuple[Sequence, ...] = ()
    """What `$( )`, backticks and `<( )` in it run."""
    is_literal: bool = True
    """Whether the shell takes it as it is: no variable, no substitution."""

    def offset(self, index: int) -> int:
        """The offset in the source of the character `index` of its text; of its end, where that is asked for."""
        if index >= len(self.text) or not self.pieces:
            return self.end
        at = max(bisect_right(self.pieces, index, key=_index) - 1, 0)
        first, offset = self.pieces[at]
        return offset + index - first


def _index(piece: tuple[int, int]) -> int:
    return piece[0]


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2> file`: `operator` without the descriptor. A here-document has no target: its text is one of the script's,
    which knows it by its `start`."""

    operator: str
    target: Word | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command; without words it only assigns or redirects. `[[ … ]]` and `(( … ))` are read as ones too."""

    words: tuple[Word, ...]
    assignments: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int

    @property
    def name(self) -> str:
        """The last part of the path that it is called by: `grep` for `/bin/grep`; empty where there is none."""
        return self.words[0].text.rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words[1:])


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`! a | b`."""

    parts: tuple[Statement, ...]
    is_negated: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AndOr:
    """`a && b || c`: the operators bind equally and to the left."""

    first: Statement
    rest: tuple[tuple[Literal["&&", "||"], Statement], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One statement of a sequence; with `&` nobody waits for it."""

    statement: Statement
    is_background: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Statements one after the other."""

    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """`{ … }` or `( … )`, or a compound statement with redirections."""

    body: Sequence
    is_subshell: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple[Sequence, Sequence], ...]
    """Conditions with what is run where they hold."""
    otherwise: Sequence | None


@dataclass(frozen=True, slots=True)
class Loop:
    kind: Literal["while", "until", "for"]
    condition: Sequence
    """Empty for `for`."""
    words: tuple[Word, ...]
    """What a `for` goes through."""
    body: Sequence


@dataclass(frozen=True, slots=True)
class Case:
    word: Word
    patterns: tuple[Word, ...]
    bodies: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    body: Sequence


Statement = Command | Pipeline | AndOr | Group | If | Loop | Case | Function


@dataclass(frozen=True, slots=True)
class HereDocument:
    """The text behind `<<END`, as the command that reads it gets it; substitutions in it are run as well."""

    start: int
    """Where its redirection begins."""
    text: Word


@dataclass(frozen=True, slots=True)
class Script:
    """A text as a shell reads it."""

    body: Sequence
    texts: tuple[HereDocument, ...] = ()
    problem: str | None = None
    """Why `body` may not be what a shell would run: the text is no script, or it is too large. None: all is well."""
    broken_at: int | None = None
    """Where the problem shows; what was read before it is sure."""
