"""Ready by: the next such time of day, also when the clocks change, and who misses it."""

from datetime import UTC, datetime, timedelta

import pytest

from flows.ready_by import ReadyBy, expected_end, lateness, warning
from flows.settings import load_settings
from transforms.errors import InputError


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "began", "due"),
    [
        ("06:30 Europe/Berlin", "2026-01-10T01:00", "2026-01-10T05:30"),
        ("06:30 Europe/Berlin", "2026-01-10T05:30", "2026-01-11T05:30"),
        ("06:30 Europe/Berlin", "2026-07-10T01:00", "2026-07-10T04:30"),
        ("06:30 Europe/Berlin", "2026-03-28T23:00", "2026-03-29T04:30"),  # an hour is left out
        ("02:30 Europe/Berlin", "2026-03-29T00:00", "2026-03-29T01:30"),  # and this time with it
        ("02:30 Europe/Berlin", "2026-10-24T23:00", "2026-10-25T00:30"),  # comes twice: the first
        ("06:30 America/New_York", "2026-01-10T12:00", "2026-01-11T11:30"),
        ("06:30", "2026-01-10T07:00", "2026-01-11T06:30"),
    ],
)
def test_the_next_time_is_found(text: str, began: str, due: str) -> None:
    assert ReadyBy.parse(text).after(utc(began)) == utc(due)


def test_a_run_that_goes_on_too_long_is_warned_of() -> None:
    began = utc("2026-01-10T01:00")
    ends = expected_end(utc("2026-01-10T02:00"), 100, timedelta(minutes=3))
    said = warning("06:30 Europe/Berlin", began, ends)
    assert said is not None
    assert "ends about 08:00, 90 minutes late" in said
    assert warning("08:30 Europe/Berlin", began, ends) is None


def test_a_run_tells_afterwards_whether_it_was_late() -> None:
    run = {
        "settings": '{"ready_by": "03:00"}',
        "started_at": utc("2026-01-10T01:00"),
        "finished_at": utc("2026-01-10T03:10"),
    }
    assert "10 minutes late" in (lateness(run) or "")
    assert lateness({**run, "finished_at": utc("2026-01-10T02:59")}) is None
    assert lateness({**run, "settings": "{}"}) is None


@pytest.mark.parametrize("text", ["dawn", "25:00", "06:30 Europe/Atlantis", "06:30 ../etc"])
def test_what_is_no_time_of_day_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(InputError, match="ready_by") as caught:
        load_settings(ready_by=text)
    assert "06:30 Europe/Paris" in str(caught.value)
