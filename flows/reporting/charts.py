"""Bar charts as geometry: the template draws them as SVG, with their figures in a table below."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10

import polars as pl

from flows.report import read_report
from flows.warehouse import Warehouse
from transforms.values import Value

WIDTH, HEIGHT = 360, 200
"""Units of the drawing: about the pixels of a phone, so that text is never scaled down."""

LEFT, RIGHT, TOP, BOTTOM = 48, 6, 8, 24
"""Margins for the scale, and for the labels below."""

BAR_SHARE = 0.68
"""Part of a column's width that its bars take."""

N_TICKS = 4
MAX_LABELS = 6

MAX_DAYS = 30
"""Days of the charts, up to the last one with calls."""


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


class Scale(Value):
    """How values become heights."""

    step: float
    """Distance of ticks."""
    top: float

    @classmethod
    def up_to(cls, highest: float) -> "Scale":
        """Return a scale with round ticks that reaches the highest value."""
        step = _step(highest or 1)
        return cls(step=step, top=step * ceil((highest or 1) / step))

    def height(self, value: float) -> float:
        """Return the height of a bar."""
        return value / self.top * (HEIGHT - TOP - BOTTOM)

    def ticks(self) -> tuple[Mark, ...]:
        """Return the ticks, from 0."""
        values = [self.step * number for number in range(round(self.top / self.step) + 1)]
        return tuple(
            Mark(at=HEIGHT - BOTTOM - self.height(value), text=_short(value)) for value in values
        )


def bar_chart(
    title: str,
    unit: str,
    columns: Mapping[str, Sequence[float]],
    *,
    series: Sequence[str],
    is_stacked: bool,
) -> Chart:
    """Lay out one column per label; its values stand on each other, or side by side."""
    highest = max((sum(v) if is_stacked else max(v) for v in columns.values()), default=0)
    scale = Scale.up_to(highest)
    pitch = (WIDTH - LEFT - RIGHT) / max(len(columns), 1)
    every = ceil(len(columns) / MAX_LABELS)
    return Chart(
        title=title,
        unit=unit,
        series=tuple(series),
        rows=tuple((label, tuple(values)) for label, values in columns.items()),
        bars=tuple(
            bar.model_copy(update={"label": f"{label}, {series[bar.series]}: {bar.label} {unit}"})
            for number, (label, values) in enumerate(columns.items())
            for bar in _bars(LEFT + pitch * number, pitch, values, scale, is_stacked=is_stacked)
        ),
        ticks=scale.ticks(),
        labels=tuple(
            Mark(at=LEFT + pitch * (number + 0.5), text=label)
            for number, label in enumerate(columns)
            if number % every == 0
        ),
    )


def _bars(
    left: float, pitch: float, values: Sequence[float], scale: Scale, *, is_stacked: bool
) -> Iterator[Bar]:
    """Yield the bars of one column that can be seen, labelled with their value."""
    width = pitch * BAR_SHARE / (1 if is_stacked else len(values))
    start, bottom = left + pitch * (1 - BAR_SHARE) / 2, float(HEIGHT - BOTTOM)
    for index, value in enumerate(values):
        height = scale.height(value)
        x = start if is_stacked else start + width * index
        if value > 0:
            yield Bar(
                x=x,
                y=bottom - height,
                width=width,
                height=height,
                series=index,
                label=_short(value),
            )
            bottom -= height if is_stacked else 0


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


def run_charts(warehouse: Warehouse, run_id: str) -> list[Chart]:
    """Return the charts that have something to show: spend and tokens by day, saving by route."""
    daily_df = read_report(warehouse, "cost_by_day_and_route").rows.with_columns(
        label=pl.col("day").dt.strftime("%d %b"),
        fresh_tokens=pl.col("prompt_tokens") - pl.col("cached_tokens"),
    )
    days = daily_df["day"].unique().sort().tail(MAX_DAYS)
    daily_df = daily_df.filter(pl.col("day").is_in(days.implode()))
    saving_df = read_report(warehouse, "saving", run_id).rows.filter(pl.col("baseline_tokens") > 0)
    charts = (_spend_chart(daily_df), _token_chart(daily_df), _saving_chart(saving_df))
    return [chart for chart in charts if chart.bars]


def _spend_chart(daily_df: pl.DataFrame) -> Chart:
    found = set(daily_df["route"])
    routes = [route for route in ("sequential", "batch", "none") if route in found]
    costs = {route: pl.col("cost_usd").filter(pl.col("route") == route) for route in routes}
    return bar_chart(
        "Spend by day and route", "USD", _columns(daily_df, costs), series=routes, is_stacked=True
    )


def _token_chart(daily_df: pl.DataFrame) -> Chart:
    kinds = {
        "prompt": pl.col("fresh_tokens"),
        "prompt, cached": pl.col("cached_tokens"),
        "completion": pl.col("completion_tokens"),
    }
    return bar_chart(
        "Tokens by day", "tokens", _columns(daily_df, kinds), series=list(kinds), is_stacked=True
    )


def _saving_chart(saving_df: pl.DataFrame) -> Chart:
    rows = saving_df.select("route", "baseline_tokens", "tokens").iter_rows()
    return bar_chart(
        "Tokens of this run by route",
        "tokens",
        {route: (baseline, tokens) for route, baseline, tokens in rows},
        series=["all windows at once", "as it was done"],
        is_stacked=False,
    )


def _columns(daily_df: pl.DataFrame, kinds: Mapping[str, pl.Expr]) -> dict[str, list[float]]:
    """Return the sums of some kinds by day; a cost without a price counts as nothing here."""
    summed_df = (
        daily_df.group_by("day", "label")
        .agg(expr.fill_null(0).sum().cast(pl.Float64).alias(kind) for kind, expr in kinds.items())
        .sort("day")
    )
    return {row["label"]: [row[kind] for kind in kinds] for row in summed_df.iter_rows(named=True)}
