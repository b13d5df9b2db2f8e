"""Bar charts as geometry: the template draws them as SVG, with their figures in a table below."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

from transforms.values import Value

WIDTH, HEIGHT = 360, 200
"""Units of the drawing: about the pixels of a phone, so that text is never scaled down."""

LEFT, RIGHT, TOP, BOTTOM = 48, 6, 8, 24
"""Margins for the scale, and for the labels below."""

BAR_SHARE = 0.68
"""Part of a column's width that its bars take."""

N_TICKS = 4
MAX_LABELS = 6


class Bar(Value):
    """One rectangle."""

    x: float
    y: float
    width: float
    height: float
    series: int
    label: str


class Mark(Value):
    """A text at a place: a tick of the scale, or the label of a column."""

    at: float
    text: str


class Chart(Value):
    """A chart that is ready to be drawn."""

    title: str
    unit: str
    series: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    """Label and values of each column: what the table below says."""
    bars: tuple[Bar, ...]
    ticks: tuple[Mark, ...]
    labels: tuple[Mark, ...]

    def summary(self) -> str:
        """Return the chart in one sentence, for those who do not see it."""
        totals = [sum(values[n] for _, values in self.rows) for n in range(len(self.series))]
        told = ", ".join(f"{name} {_short(v)}" for name, v in zip(self.series, totals, strict=True))
        return f"{self.title}, {self.unit}, {len(self.rows)} columns; in all {told}."


def bar_chart(
    title: str,
    unit: str,
    columns: Mapping[str, Sequence[float]],
    *,
    series: Sequence[str],
    is_stacked: bool,
) -> Chart:
    """Lay out one column per label; its values stand on each other, or side by side."""
    heights = [sum(values) if is_stacked else max(values) for values in columns.values()]
    step = _step(max(heights, default=0) or 1)
    top = step * ceil((max(heights, default=0) or 1) / step)
    scale = (HEIGHT - TOP - BOTTOM) / top
    pitch = (WIDTH - LEFT - RIGHT) / max(len(columns), 1)
    bars: list[Bar] = []
    for number, (label, values) in enumerate(columns.items()):
        start = LEFT + pitch * (number + (1 - BAR_SHARE) / 2)
        width = pitch * BAR_SHARE / (1 if is_stacked else len(values))
        below = 0.0
        for index, value in enumerate(values):
            if value <= 0:
                continue
            floor_value = below if is_stacked else 0.0
            x = start if is_stacked else start + width * index
            y = HEIGHT - BOTTOM - (floor_value + value) * scale
            told = f"{label}, {series[index]}: {_short(value)} {unit}"
            bars.append(Bar(x=x, y=y, width=width, height=value * scale, series=index, label=told))
            below += value
    every = ceil(len(columns) / MAX_LABELS)
    return Chart(
        title=title,
        unit=unit,
        series=tuple(series),
        rows=tuple((label, tuple(values)) for label, values in columns.items()),
        bars=tuple(bars),
        ticks=tuple(
            Mark(at=HEIGHT - BOTTOM - step * n * scale, text=_short(step * n))
            for n in range(round(top / step) + 1)
        ),
        labels=tuple(
            Mark(at=LEFT + pitch * (number + 0.5), text=label)
            for number, label in enumerate(columns)
            if number % every == 0
        ),
    )


def _step(highest: float) -> float:
    """Return the distance of ticks: 1, 2 or 5 times a power of ten."""
    rough = highest / N_TICKS
    power = 10 ** floor(log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough)


def _short(value: float) -> str:
    """Return a number in few characters: 1.2k, 3.4M."""
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{sign}"
    return f"{value:.3g}"
