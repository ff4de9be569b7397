r"""Texts that patterns match, made up as a person would type them, and put to the engine that grades.

    Texts(engine).fitting(parse(r"systemctl\s+restart"), lambda text: True)       # 'systemctl restart'

Whoever asks says which text will do; proposals come from the tree of the pattern, then from its automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from ...compiler.ecmascript import Look, Pattern, PatternError, parse, walk
from ...compiler.languages import examples, find
from ..lint.samples import sample, sample_of
from ..matching import Engine, EngineFault, TooLarge

STEPS = 20_000
"""How much of two languages is looked at to find a text in one and not in the other."""

_MOST_EXAMPLES = 8
_AROUND = ("sudo {}", "{} -v", "{};", "{} && true", "{} now", "then {}")
"""What may stand around a text where the text alone will not do."""
_PLAIN = parse(r"[^\w ./:=@%+,-]|^ | $|  ")
"""Found in texts that a shell, or a reader, would not take as they are."""


Shapes = Callable[[str], Iterable[str]]


def as_it_is(text: str) -> Iterable[str]:
    """A text and nothing else."""
    return (text,)


class Texts:
    """Makes texts; remembers what the engine said."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: dict[tuple[str, str], bool] = {}

    def matches(self, pattern: Pattern | str, text: str) -> bool:
        """Whether the engine finds the pattern; False where it has no answer."""
        source = pattern if isinstance(pattern, str) else pattern.source
        known = self._known.get((source, text))
        if known is None:
            known = self._known[source, text] = self._asked(source, text)
        return known

    def _asked(self, source: str, text: str) -> bool:
        try:
            compiled = self.engine.compile(source)
        except PatternError:
            return False
        return not isinstance(compiled, TooLarge | EngineFault) and compiled.test(text) is True

    def fitting(
        self,
        pattern: Pattern,
        will_do: Callable[[str], bool],
        shapes: Shapes = as_it_is,
        *,
        also: Sequence[Pattern] = (),
        avoid: Sequence[Pattern] = (),
    ) -> str | None:
        """A text made for the pattern that will do; None where none is known.

        `shapes` makes of a proposal what is looked at. `also` and `avoid` are what most likely decides whether a text
        will do.
        """

        def first(proposed: Iterable[str]) -> str | None:
            return next((shaped for text in proposed for shaped in shapes(text) if will_do(shaped)), None)

        proposed = [text for text in proposals(pattern) if self.matches(pattern, text)]
        found = first(proposed)
        if found is not None:
            return found
        wanted = [pattern, *also]
        if not any(each.looks or each.references for each in wanted):
            unwanted = [each for each in avoid if not each.looks and not each.references]
            for more in ([_PLAIN], []) if shapes is as_it_is else ([_PLAIN],):
                text = find(wanted, [*unwanted, *more], STEPS)
                if isinstance(text, str) and (found := first([text])) is not None:
                    return found
        return first(around.format(text) for text in proposed[:2] for around in _AROUND)


@lru_cache(maxsize=256)
def _proposals(source: str) -> tuple[str, ...]:
    pattern = parse(source)
    known = examples(pattern, _MOST_EXAMPLES)
    if not known or pattern.looks or pattern.references:
        known = [*known, *_guesses(pattern)]
    return tuple(dict.fromkeys(known))


def proposals(pattern: Pattern) -> tuple[str, ...]:
    """Texts that the pattern may match, the most readable first."""
    return _proposals(pattern.source)


def _guesses(pattern: Pattern) -> Iterable[str]:
    """Where the languages say nothing: what the tree says, and what is looked ahead for, one behind the other."""
    ahead = [
        sample_of(pattern, node.body, gap="")
        for node in walk(pattern.body)
        if isinstance(node, Look) and not node.negated
    ]
    looked_for = " ".join(text.strip() for text in ahead if text)
    for gap in ("", " "):
        text = sample(pattern, gap=gap)
        if text is None:
            continue
        yield text
        if looked_for:
            yield f"{text} {looked_for}".strip()
            yield f"{looked_for} {text}".strip()
