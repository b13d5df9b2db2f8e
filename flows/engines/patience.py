"""How often a call may fail, and how long it waits after each failure."""

import random

from flows.engines.client import Rejected

SHORTEST_PAUSE_S = 0.05
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
LONGEST_ASKED_S = 60.0
"""A longer wait that an endpoint asks for is cut here: then it is asked again."""
RATE_LIMITED_FACTOR = 5
"""Times more attempts for a call that is only told to wait than for one that fails."""


class Patience:
    """The patience of one call."""

    def __init__(self, max_attempts: int) -> None:
        self._failures_left = max_attempts
        self._limits_left = max_attempts * RATE_LIMITED_FACTOR
        self._n_failures = 0

    def pause_s(self, rejected: Rejected) -> float | None:
        """Return the wait before the next attempt, or null when there is to be none.

        It is a little longer than the endpoint asks for, or doubles from failure to failure.
        """
        if rejected.outcome == "rate_limited":
            self._limits_left -= 1
        else:
            self._failures_left -= 1
        if not rejected.is_retryable or self._failures_left <= 0 or self._limits_left <= 0:
            return None
        self._n_failures += 1
        spread = random.uniform(0.5, 1.0)  # noqa: S311  (keeps calls apart, no secret)
        if (asked_s := rejected.retry_after_s) is not None:
            return min(max(SHORTEST_PAUSE_S, asked_s), LONGEST_ASKED_S) * (1 + spread / 4)
        return min(FIRST_PAUSE_S * 2 ** (self._n_failures - 1), LONGEST_PAUSE_S) * spread
