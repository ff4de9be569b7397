"""The JSON Schemas that Gatewright publishes, by the names that `gatewright schema` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _flat() -> dict[str, Any]:
    from ..compiler.json_schemas import rules_schema

    return rules_schema("flat")


def _grouped() -> dict[str, Any]:
    from ..compiler.json_schemas import rules_schema

    return rules_schema("grouped")


def _scenario() -> dict[str, Any]:
    from ..compiler.json_schemas import scenario_schema

    return scenario_schema()


def _plan() -> dict[str, Any]:
    from ..compiler.json_schemas import plan_schema

    return plan_schema()


def _run() -> dict[str, Any]:
    from .evidence.schema import run_schema

    return run_schema()


def _bundle() -> dict[str, Any]:
    from .evidence.bundle_schema import bundle_schema

    return bundle_schema()


def _result() -> dict[str, Any]:
    from .result_json import result_schema

    return result_schema()


def _results() -> dict[str, Any]:
    from .result_json import results_schema

    return results_schema()


def _inventory() -> dict[str, Any]:
    from .hosts.inventory import inventory_schema

    return inventory_schema()


def _findings() -> dict[str, Any]:
    from ..compiler.json_schemas import findings_schema

    return findings_schema()


def _tests() -> dict[str, Any]:
    from .reports.tests_json import tests_schema

    return tests_schema()


def _probe() -> dict[str, Any]:
    from .reports.probe_json import probe_schema

    return probe_schema()


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "flat": _flat,
    "grouped": _grouped,
    "scenario": _scenario,
    "run": _run,
    "bundle": _bundle,
    "result": _result,
    "results": _results,
    "findings": _findings,
    "probe": _probe,
    "tests": _tests,
    "plan": _plan,
    "inventory": _inventory,
}
"""Each is made when it is asked for: most need pydantic, and none is needed for anything else."""
