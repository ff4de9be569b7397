"""GW309: a run in which the agent only says that it did the work passes.

require "Says what it did": task_summary matches `\\brestarted\\s+nginx\\b`
require "Job resolved": job_resolution_status in success
"""

from __future__ import annotations

from collections.abc import Iterator

from ....compiler.findings import GW309, Finding, Witness
from ..logic.places import place_of_the_whole
from ..scene import Scene
from .caught import builder_of, is_caught, says_enough
from .idle_agent_passes import passing_idle_run


def check(scene: Scene) -> Iterator[Finding]:
    """Silent where an agent passes that says nothing either: GW301 has told it."""
    if not says_enough(scene) or is_caught(scene, talks=True):
        return
    from ...proof.impostors import talker
    from .shown import run_text

    builder = builder_of(scene)
    talking = talker(builder)
    if talking.passes and (is_caught(scene, talks=False) or passing_idle_run(builder) is None):
        yield Finding(
            GW309,
            "an agent that only says that it did the work passes",
            place_of_the_whole(scene),
            help="require a command that was run, or ask a host what came of it",
            witness=Witness("this run passes", run_text(talking.record), is_run=True),
        )
