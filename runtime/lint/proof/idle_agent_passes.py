"""GW301: a run in which the agent did nothing passes.

require "Did not reboot": executed_commands never matches `\\breboot\\b`
require "Job resolved": job_resolution_status in success, partial
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....compiler.findings import GW301, Finding, Witness
from ..logic.places import place_of_the_whole
from ..scene import Scene
from .caught import builder_of, is_caught, says_enough

if TYPE_CHECKING:
    from ...proof.build import Builder
    from ...proof.impostors import Impostor


def check(scene: Scene) -> Iterator[Finding]:
    if not says_enough(scene) or is_caught(scene, talks=False):
        return
    from .shown import run_text

    idle = passing_idle_run(builder_of(scene))
    if idle is not None:
        yield Finding(
            GW301,
            "an agent that does nothing passes",
            place_of_the_whole(scene),
            help="require what only a good run has: a command that was run, an answer of a host",
            witness=Witness("this run passes", run_text(idle.record), is_run=True),
        )


def passing_idle_run(builder: Builder) -> Impostor | None:
    """The first run without a deed that passes."""
    from ...proof.impostors import idle_runs

    return next((idle for idle in idle_runs(builder) if idle.passes), None)
