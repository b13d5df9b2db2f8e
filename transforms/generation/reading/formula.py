"""A value that stands where the set phrases of contracts put it."""

from collections.abc import Iterable
from typing import NamedTuple

from transforms.generation.reading.units import Unit
from transforms.generation.typed_values import TypedValue


class Formula(NamedTuple):
    """A value with the unit and place where a set phrase puts it, and how surely."""

    text: str
    unit: Unit
    start: int
    end: int
    strength: float
    value: TypedValue | None = None


def surest_first(found: Iterable[Formula]) -> list[Formula]:
    """Return formulas by strength; equal ones keep the order of the text."""
    return sorted(found, key=lambda formula: (-formula.strength, formula.unit.order))


def formulas(
    found: Iterable[tuple[Unit, TypedValue, float]], *, least: float = 0.0
) -> list[Formula]:
    """Return the values whose strength is above `least`, surest first."""
    return surest_first(
        Formula(value.text, unit, value.start, value.end, strength, value)
        for unit, value, strength in found
        if strength > least
    )
