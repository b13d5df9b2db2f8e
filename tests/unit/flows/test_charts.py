"""Charts as geometry: heights in proportion, ticks that are round, nothing drawn for nothing."""

import pytest

from flows.reporting.charts import BOTTOM, HEIGHT, TOP, bar_chart

FLOOR = HEIGHT - BOTTOM


def test_stacked_bars_stand_on_each_other() -> None:
    chart = bar_chart("Spend", "USD", {"1 May": (1, 3)}, series=("a", "b"), is_stacked=True)
    low, high = chart.bars
    assert low.y + low.height == pytest.approx(FLOOR)
    assert high.y + high.height == pytest.approx(low.y)
    assert high.height == pytest.approx(3 * low.height)
    assert high.label == "1 May, b: 3 USD"


def test_bars_side_by_side_all_begin_at_the_bottom() -> None:
    chart = bar_chart("Tokens", "tokens", {"x": (2, 4)}, series=("a", "b"), is_stacked=False)
    assert [bar.y + bar.height for bar in chart.bars] == pytest.approx([FLOOR, FLOOR])
    assert chart.bars[0].x + chart.bars[0].width == pytest.approx(chart.bars[1].x)


@pytest.mark.parametrize(
    ("highest", "ticks"),
    [
        (4, ["0", "1", "2", "3", "4"]),
        (926907, ["0", "500k", "1M"]),
        (0.0007, ["0", "0.0002", "0.0004", "0.0006", "0.0008"]),
        (0, ["0", "0.5", "1"]),
    ],
)
def test_ticks_are_round_and_reach_the_highest_bar(highest: float, ticks: list[str]) -> None:
    chart = bar_chart("Spend", "USD", {"x": (highest,)}, series=("a",), is_stacked=True)
    assert [tick.text for tick in chart.ticks] == ticks
    assert chart.ticks[-1].at == pytest.approx(TOP)


def test_what_is_nothing_is_not_drawn_and_many_columns_share_few_labels() -> None:
    columns = {f"day {n}": (float(n % 2),) for n in range(30)}
    chart = bar_chart("Spend", "USD", columns, series=("a",), is_stacked=True)
    assert (len(chart.bars), len(chart.labels), len(chart.rows)) == (15, 6, 30)


def test_a_chart_is_told_in_a_sentence() -> None:
    chart = bar_chart(
        "Spend", "USD", {"x": (1, 2), "y": (3, 0)}, series=("a", "b"), is_stacked=True
    )
    assert chart.summary() == "Spend, USD, 2 columns; in all a 4, b 2."
