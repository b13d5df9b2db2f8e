"""What a typed value is: the meaning of a stretch of text."""

import datetime
from typing import Literal

from transforms.values import AnswerType, Value


class TypedValue(Value):
    """A value as printed, where it stands in the text it was found in, and what it means.

    Percents are 12.5 for "12.5 %". Amounts are in whole units of the currency, scale applied. A
    date of precision "month" or "year" holds the first day. Durations carry their unit: day, week,
    month, year, hour or minute.
    """

    answer_type: AnswerType
    text: str
    start: int = 0
    end: int = 0
    number: float | None = None
    date: datetime.date | None = None
    precision: Literal["day", "month", "year"] | None = None
    boolean: bool | None = None
    unit: str | None = None
    currency: str | None = None
    has_scale: bool = False
    """The scale stands beside the number: no "in millions" elsewhere applies to it."""
