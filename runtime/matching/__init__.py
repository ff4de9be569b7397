"""Matching values against patterns, exactly as `new RegExp(pattern, "i")` of Node 20 does, and safely."""

from __future__ import annotations

from .engine import CompiledPattern, Engine
from .exact import DEFAULT_LIMIT, ExactEngine
from .fallback import FallbackEngine, default_engine
from .matcher import Matcher, Scan
from .outcome import Answer, EngineFault, Found, LimitReached, Outcome, TooLarge
from .subject import Subject

__all__ = [
    "DEFAULT_LIMIT",
    "Answer",
    "CompiledPattern",
    "Engine",
    "EngineFault",
    "ExactEngine",
    "FallbackEngine",
    "Found",
    "LimitReached",
    "Matcher",
    "Outcome",
    "Scan",
    "Subject",
    "TooLarge",
    "default_engine",
]
