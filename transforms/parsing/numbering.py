"""Page numbers as they are printed: 7, vii, A-7."""

import re

_NUMBERED = re.compile(r"(.*?)(\d+)")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def step(label: str, by: int) -> str | None:
    """Return the label that many pages further, in the same way of counting."""
    if match := _NUMBERED.fullmatch(label):
        return f"{match[1]}{int(match[2]) + by}"
    value = roman_value(label)
    return _roman(value + by, is_upper=label.isupper()) if value + by > 0 else None


def roman_value(label: str) -> int:
    """Return the value of a Roman number below 400."""
    values = [_ROMAN.get(char, 0) for char in label.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in pairs)


def _roman(value: int, *, is_upper: bool) -> str:
    text = ""
    for sign, worth in (
        ("c", 100), ("xc", 90), ("l", 50), ("xl", 40), ("x", 10),
        ("ix", 9), ("v", 5), ("iv", 4), ("i", 1),
    ):  # fmt: skip
        text += sign * (value // worth)
        value %= worth
    return text.upper() if is_upper else text


def has_earlier(label: str, steps: int) -> bool:
    """Return whether there is a number that many pages before this one."""
    match = _NUMBERED.fullmatch(label)
    return bool(match) and int(match[2]) - steps > 0 if match else roman_value(label) > steps
