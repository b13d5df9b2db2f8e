"""The one door to the clock."""

from datetime import UTC, datetime, timedelta
from time import monotonic


def now() -> datetime:
    """Return the time, UTC, to the microsecond."""
    return datetime.now(UTC)


def after(latest: datetime | None) -> datetime:
    """Return the time, or if the clock went back, the moment after `latest`, which is stored.

    What is stored is ordered by its times: a sighting or a run of now may not come before them.
    """
    moment = now()
    if latest is None or moment > latest:
        return moment
    return latest + timedelta(microseconds=1)


def elapsed_ms(since: float) -> int:
    """Return milliseconds since `since`, a value of `tick`."""
    return round((monotonic() - since) * 1000)


def tick() -> float:
    """Return a reading to measure from with `elapsed_ms`; it never goes backwards."""
    return monotonic()
