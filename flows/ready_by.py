"""When answers have to be there: a time of day in a time zone, and whether a run makes it."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from transforms.values import Value

FORM = "write hour:minute and a time zone, such as 06:30 Europe/Paris"


class ReadyBy(Value):
    """A time of day in a time zone."""

    time_of_day: time
    zone: str

    @classmethod
    def parse(cls, text: str) -> "ReadyBy":
        """Read "06:30 Europe/Paris"; without a zone it is UTC. Raises ValueError."""
        clock, _, zone = text.strip().partition(" ")
        zone = zone.strip() or "UTC"
        try:
            ZoneInfo(zone)
            return cls(time_of_day=time.fromisoformat(clock), zone=zone)
        except (ValueError, ZoneInfoNotFoundError, OSError) as error:
            raise ValueError(f"{text!r} is no time of day: {FORM}") from error

    def after(self, moment: datetime) -> datetime:
        """Return the first such time after a moment, in UTC.

        A time that the clocks leave out when they go forward is taken as if they had not; one
        that comes twice counts when it comes first.
        """
        zone = ZoneInfo(self.zone)
        today = moment.astimezone(zone).date()
        for day in (today, today + timedelta(days=1)):
            due_at = datetime.combine(day, self.time_of_day, zone).astimezone(UTC)
            if due_at > moment:
                return due_at
        return datetime.combine(today + timedelta(days=2), self.time_of_day, zone).astimezone(UTC)


def expected_end(now: datetime, n_left: int, per_pair: timedelta) -> datetime:
    """Return when a run ends that goes on at this pace."""
    return now + n_left * per_pair


def warning(text: str, started_at: datetime, ends_at: datetime) -> str | None:
    """Say that a run that began then and ends then misses its time; null when it does not."""
    due_at = ReadyBy.parse(text).after(started_at)
    if ends_at <= due_at:
        return None
    minutes = max(1, round((ends_at - due_at).total_seconds() / 60))
    zone = ZoneInfo(ReadyBy.parse(text).zone)
    return (
        f"not ready by {text}: the run ends about {ends_at.astimezone(zone):%H:%M}, {minutes}"
        f" minutes late"
    )


def lateness(run: Mapping[str, Any]) -> str | None:
    """Say of a row of run_df that it was not ready in time; null when it was, or need not be."""
    ready_by = json.loads(run["settings"]).get("ready_by")
    if not ready_by or run["finished_at"] is None:
        return None
    return warning(ready_by, run["started_at"], run["finished_at"])
