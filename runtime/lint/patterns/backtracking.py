r"""GW209 backtracking: patterns that stop an engine that backtracks, as those of JavaScript and Python do.

    rules.gate:3:37: GW209 warning: a backtracking engine needs exponentially many steps for values like “aaaa…!”
      = witness: does not match, which only trying all ways tells: “aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!”

What is slow is measured, not guessed (`compiler.languages.ambiguity`). The grader of this product takes such patterns
without harm; the finding is for those that use them elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.ecmascript import Quantifier
from ....compiler.findings import GW209, Finding, Label, Witness
from ....compiler.languages.ambiguity import Hazard, Unknown, hazard_of
from ..scene import PatternUse, Scene

_SHOWN = 30
"""About the length of a witness: long enough to be slow elsewhere, where the steps are exponential."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SAFE = "Gatewright's own grader is safe from it, other engines are not"
_HELP = {
    "exponential": "let no repetition stand in another that can share out the same characters in several ways; "
    "write it once, or begin each round with something that the inner one cannot take",
    "polynomial": "let the repetitions take less, such as `[^;]*` for `.*`, so that they have no characters in common",
}


def check(scene: Scene) -> Iterator[Finding]:
    for use in scene.patterns:
        match hazard_of(use.tree):
            case Hazard() as hazard:
                yield _finding(scene, use, hazard)
            case Unknown(why=why):
                scene.undecided(GW209, why, use)
            case None:
                pass


def _finding(scene: Scene, use: PatternUse, hazard: Hazard) -> Finding:
    return Finding(
        GW209,
        _message(hazard),
        use.inside(hazard.loop.start, hazard.loop.end),
        labels=tuple(_labels(use, hazard.loop, hazard.rival)),
        help=f"{_HELP[hazard.kind]}; {_SAFE}",
        rule=use.rule.label,
        witness=_witness(scene, use, hazard),
    )


def _message(hazard: Hazard) -> str:
    values = f"for values like “{hazard.sketch}”"
    if hazard.degree is not None:
        power = str(hazard.degree).translate(_SUPERSCRIPTS)
        return f"a backtracking engine needs n{power} steps or more {values} of n characters"
    if hazard.needs_more:
        return f"with anything behind it that can fail, a backtracking engine needs exponentially many steps {values}"
    return f"a backtracking engine needs exponentially many steps {values}"


def _labels(use: PatternUse, loop: Quantifier, rival: Quantifier | None) -> Iterator[Label]:
    if rival is None:
        return
    span = use.inside(rival.start, rival.end)
    if span is not None and span != use.inside(loop.start, loop.end):
        is_inside = loop.start <= rival.start and rival.end <= loop.end
        yield Label(span, "repeats inside of it" if is_inside else "takes the same characters")


def _witness(scene: Scene, use: PatternUse, hazard: Hazard) -> Witness | None:
    """A value of the slow kind, with what the grader says of it."""
    value = hazard.value(_SHOWN)
    pattern = f"(?:{use.text})$" if hazard.needs_more else use.text
    behind = ", with `$` behind the pattern," if hazard.needs_more else ","
    match scene.matches(pattern, value):
        case True:
            return Witness(f"matches{behind} but only after all earlier ways are tried", value, matches=(pattern,))
        case False:
            return Witness(f"does not match{behind} which only trying all ways tells", value, misses=(pattern,))
        case None:
            return None
