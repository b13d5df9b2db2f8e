"""A lens for SQL tests: every table as a frame, every view and macro of sql/ over them."""

from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import polars as pl
import pytest

from flows.database import create_views, statement
from flows.storage.views import view_statements
from transforms.tables import TABLES

Ask = Callable[..., list[dict[str, Any]]]
Lens = Callable[..., Ask]


@pytest.fixture
def lens() -> Iterator[Lens]:
    """Return a function from frames to a function that asks: `lens(answer_df=…)("reports/x")`."""
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'UTC'")

        def over(**frames: pl.DataFrame) -> Ask:
            for table, row in TABLES.items():
                connection.register(table, frames.get(table, row.empty()))
            views = [(name, text) for name, text in view_statements("") if name not in TABLES]
            create_views(connection, views)
            return ask

        def ask(name: str, **parameters: object) -> list[dict[str, Any]]:
            """Run a file of sql/, or the text of a select."""
            text = name if " " in name else statement(name)
            return connection.sql(text, params=parameters).pl().to_dicts()

        yield over
