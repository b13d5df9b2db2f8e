"""The data dictionary names every column once, with the type that SQL has."""

import re

import duckdb

from transforms.dictionary import data_dictionary, table_overview
from transforms.tables import TABLES


def columns_by_table() -> dict[str, list[tuple[str, str]]]:
    sections = re.split(r"^### `(\w+)`$", data_dictionary(), flags=re.MULTILINE)[1:]
    return {
        table: re.findall(r"^\| \**(\w+)\** \| ([^|,]+(?:,\d+\))?(?:\[\])*)", text, re.MULTILINE)[
            1:
        ]
        for table, text in zip(sections[::2], sections[1::2], strict=True)
    }


def test_every_column_is_there_with_the_type_that_duckdb_gives_it() -> None:
    documented = columns_by_table()
    with duckdb.connect() as connection:
        for table, row in TABLES.items():
            connection.register(table, row.empty())
            described = connection.sql(f"describe {table}").fetchall()
            types = {
                name: kind.lower().replace("timestamp with time zone", "timestamptz")
                for name, kind, *_ in described
            }
            assert {name: kind.strip() for name, kind in documented[table]} == types


def test_every_column_says_what_it_means() -> None:
    assert [line for line in data_dictionary().splitlines() if re.search(r"\|\s*\|$", line)] == []


def test_allowed_values_are_listed() -> None:
    assert "`answered`, `partial`, `not_found`" in data_dictionary()


def test_the_overview_has_a_line_for_each_table() -> None:
    lines = table_overview().splitlines()
    assert len(lines) == len(TABLES) + 2
    assert "| `page_df` | parse of a page | doc_id, page, page_version |" in lines
