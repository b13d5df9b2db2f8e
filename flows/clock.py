"""The one door to the clock."""

from datetime import UTC, datetime
from time import monotonic


def now() -> datetime:
    """Return the time, UTC, to the microsecond."""
    return datetime.now(UTC)


def elapsed_ms(since: float) -> int:
    """Return milliseconds since `since`, a value of `tick`."""
    return round((monotonic() - since) * 1000)


def tick() -> float:
    """Return a reading to measure from with `elapsed_ms`; it never goes backwards."""
    return monotonic()
