"""The version of Gatewright that runs."""

from __future__ import annotations

from functools import cache


@cache
def version() -> str:
    """The installed distribution's version; `unknown` where the folders are used without having been installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    try:
        return version_of("gatewright")
    except PackageNotFoundError:
        return "unknown"
