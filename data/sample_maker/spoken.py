"""Values as people print them: money, dates, durations, percents, in three languages."""

import random
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

Language = Literal["en", "fr", "de"]
Unit = Literal["hour", "day", "month", "year"]

ENGLISH_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
FRENCH_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
    "octobre", "novembre", "décembre",
)  # fmt: skip
GERMAN_MONTHS = (
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
    "Oktober", "November", "Dezember",
)  # fmt: skip
SIGNS = {"USD": "$", "GBP": "£", "CAD": "CAD "}
UNITS = {
    "fr": {"hour": "heures", "day": "jours", "month": "mois", "year": "ans"},
    "de": {"hour": "Stunden", "day": "Tagen", "month": "Monaten", "year": "Jahren"},
}
SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@dataclass(frozen=True)
class Money:
    amount: Decimal
    currency: str


@dataclass(frozen=True)
class Duration:
    count: int
    unit: Unit


@dataclass(frozen=True)
class Percent:
    value: Decimal


Spoken = Money | Duration | Percent | date | int | str


class Voice:
    """How one document writes its values. Every call may choose another of its wordings."""

    def __init__(self, rng: random.Random, language: Language, country: str) -> None:
        self._rng = rng
        self._language = language
        self._country = country
        self._uses_signs = rng.random() < 0.5
        self._date_style = rng.choice(("words", "words", "words", "iso", "digits"))
        self._duration_style = rng.choice(("both", "both", "digits", "words"))

    def say(self, value: Spoken) -> str:
        """Return the value as printed."""
        if isinstance(value, Money):
            return self._money(value)
        if isinstance(value, Duration):
            return self._duration(value)
        if isinstance(value, Percent):
            return self._percent(value)
        if isinstance(value, date):
            return self._date(value)
        if isinstance(value, int):
            return str(value) if self._language != "en" else self._count(value)
        return value

    def _money(self, money: Money) -> str:
        if self._language == "fr":
            return f"{_grouped(money.amount, ' ', ',')} {money.currency}"
        if self._language == "de":
            return f"{money.currency} {_grouped(money.amount, '.', ',')}"
        millions = money.amount / 1_000_000
        sign = SIGNS.get(money.currency) if self._uses_signs else None
        lead = sign or f"{money.currency} "
        if millions >= 1 and millions == round(millions, 2) and self._rng.random() < 0.3:
            return f"{lead}{millions.normalize():f} million"
        return f"{lead}{_grouped(money.amount, ',', '.')}"

    def _date(self, day: date) -> str:
        if self._language == "fr":
            first = "1er" if day.day == 1 else str(day.day)
            return f"{first} {FRENCH_MONTHS[day.month - 1]} {day.year}"
        if self._language == "de":
            if self._date_style == "words":
                return f"{day.day}. {GERMAN_MONTHS[day.month - 1]} {day.year}"
            return f"{day:%d.%m.%Y}"
        month = ENGLISH_MONTHS[day.month - 1]
        if self._date_style == "iso":
            return day.isoformat()
        if self._date_style == "digits" and day.day > 12:
            return f"{day:%m/%d/%Y}" if self._country == "US" else f"{day:%d/%m/%Y}"
        if self._country == "US":
            return f"{month} {day.day}, {day.year}"
        return f"{day.day} {month} {day.year}"

    def _duration(self, duration: Duration) -> str:
        if self._language != "en":
            return f"{duration.count} {UNITS[self._language][duration.unit]}"
        unit = duration.unit + ("" if duration.count == 1 else "s")
        if self._duration_style == "digits":
            return f"{duration.count} {unit}"
        if self._duration_style == "words":
            return f"{in_words(duration.count)} {unit}"
        return f"{in_words(duration.count)} ({duration.count}) {unit}"

    def _percent(self, percent: Percent) -> str:
        text = f"{percent.value.normalize():f}"
        if self._language != "en":
            return f"{text.replace('.', ',')} %"
        if percent.value == int(percent.value) and self._rng.random() < 0.3:
            return f"{in_words(int(percent.value))} percent ({text}%)"
        return f"{text}%"

    def _count(self, count: int) -> str:
        if count < 20 and self._rng.random() < 0.6:
            return f"{in_words(count)} ({count})"
        return f"{count:,}"


def plain(value: Spoken) -> str:
    """Return the value as a gold file writes it."""
    if isinstance(value, Money):
        return f"{value.currency} {_grouped(value.amount, ',', '.')}"
    if isinstance(value, Duration):
        return f"{value.count} {value.unit}{'' if value.count == 1 else 's'}"
    if isinstance(value, Percent):
        return f"{value.value.normalize():f}%"
    return value.isoformat() if isinstance(value, date) else str(value)


def as_money(value: Spoken) -> Money:
    """Return a fact that must be an amount."""
    if not isinstance(value, Money):
        raise TypeError(f"not an amount: {value!r}")
    return value


def as_date(value: Spoken) -> date:
    """Return a fact that must be a date."""
    if not isinstance(value, date):
        raise TypeError(f"not a date: {value!r}")
    return value


def in_words(number: int) -> str:
    """Return a number below one thousand in English words."""
    if number < 20:
        return SMALL[number]
    if number < 100:
        ten, one = divmod(number, 10)
        return TENS[ten] + (f"-{SMALL[one]}" if one else "")
    hundred, rest = divmod(number, 100)
    return f"{SMALL[hundred]} hundred" + (f" {in_words(rest)}" if rest else "")


def _grouped(amount: Decimal, thousands: str, decimal_point: str) -> str:
    whole = f"{int(amount):,}".replace(",", thousands)
    cents = int((amount - int(amount)) * 100)
    return f"{whole}{decimal_point}{cents:02d}" if cents or decimal_point == "," else whole
