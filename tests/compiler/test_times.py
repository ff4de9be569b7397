"""Times of run records."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewright.compiler.times import parse_time, time_text

TEN = datetime(2026, 5, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-01T10:00:00Z", TEN),
        ("2026-05-01T10:00:00", TEN),
        ("2026-05-01t10:00:00z", TEN),
        ("2026-05-01 10:00:00+00:00", TEN),
        ("2026-05-01T12:00:00+02:00", TEN),
        ("2026-05-01T10:00:00-00:00", TEN),
        ("2026-05-01T10:00:00.25", TEN + timedelta(milliseconds=250)),
        ("2026-05-01T10:00:00.123456789Z", TEN + timedelta(microseconds=123456)),
        ("2026-05-01T09:59:60Z", TEN),
    ],
)
def test_these_are_times(text: str, moment: datetime):
    assert parse_time(text) == moment


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-05-01",
        "10:00:00",
        "2026-05-01T10:00Z",
        "20260501T100000Z",
        "2026-W18-5T10:00:00Z",
        "2026-05-01T24:00:00Z",
        "2026-05-01T10:00:61Z",
        "2026-02-30T10:00:00Z",
        "2026-13-01T10:00:00Z",
        "0000-01-01T10:00:00Z",
        "9999-12-31T23:59:60Z",
        "2026-05-01T10:00:00+0200",
        "2026-05-01T10:00:00+24:00",
        "2026-05-01T10:00:00Z\n",
        " 2026-05-01T10:00:00Z",
        "2026-05-01T10:00:00 Z",
        "２026-05-01T10:00:00Z",
        "2026-05-01T10:00:00.Z",
    ],
)
def test_these_are_none(text: str):
    assert parse_time(text) is None


@given(st.datetimes(timezones=st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))))
def test_a_time_that_is_written_is_read_back(moment: datetime):
    assert parse_time(time_text(moment)) == moment


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this machine cannot be changed")
def test_the_zone_of_this_machine_is_no_matter(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        assert parse_time("2026-05-01T10:00:00") == TEN
    time.tzset()


def test_utc_is_written_as_z():
    assert time_text(TEN) == "2026-05-01T10:00:00Z"


@given(st.text(alphabet="0123456789-:TtZz+. ", max_size=30))
def test_any_text_is_a_time_or_none(text: str):
    moment = parse_time(text)
    assert moment is None or moment.tzinfo is not None
