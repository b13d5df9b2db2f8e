"""Write a frame as a file for others: CSV, Parquet, Excel or JSON lines, by its suffix."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from flows.storage.parts import to_parquet
from transforms.errors import InputError

FORMULA_STARTS = r"^[=+\-@\t\r\n]"
"""A spreadsheet runs a cell that begins so, whatever the file is (OWASP, CSV injection)."""

PLAIN_NUMBER = r"^[+-]?[\d.,\s]*\d\s*%?$"
"""Signs begin these too, and nothing can be run."""

LIST_SEPARATOR = "; "


def export(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame to a file. Raises InputError for an unknown suffix or a place that fails."""
    write = WRITERS.get(path.suffix.lower())
    if write is None:
        raise InputError(
            f"cannot write {path.name!r}", hint=f"end the name in {', '.join(WRITERS)}"
        )
    write_file(write(frame), path)


def write_file(content: bytes, path: Path) -> None:
    """Write a file for others. Raises InputError for a place that fails."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be written: {error.strerror}", hint="name another place"
        ) from error


def to_csv(frame: pl.DataFrame) -> bytes:
    """Return a frame as CSV in UTF-8 that no spreadsheet runs; lists are joined by "; ".

    It begins with a byte order mark, without which Excel reads it as Latin-1.
    """
    return b"\xef\xbb\xbf" + _harmless(_flat(frame)).write_csv().encode()


def to_excel(frame: pl.DataFrame, choices: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """Return a frame as an Excel workbook; texts are texts there, never formulas or links.

    A column of `choices` offers its values in a list, and takes no other.
    """
    from xlsxwriter import Workbook  # noqa: PLC0415  (only who asks for Excel waits for it)

    buffer = io.BytesIO()
    options = {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}
    with Workbook(buffer, options) as workbook:
        sheet = workbook.add_worksheet()
        _flat(frame).write_excel(workbook, sheet, autofit=True, freeze_panes=(1, 0))
        for name, values in (choices or {}).items():
            column = frame.columns.index(name)
            offered = {"validate": "list", "source": list(values)}
            sheet.data_validation(1, column, max(frame.height, 1), column, offered)
    return buffer.getvalue()


def to_json_lines(frame: pl.DataFrame) -> bytes:
    """Return a frame as one JSON object a line."""
    return frame.write_ndjson().encode()


WRITERS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    ".csv": to_csv,
    ".parquet": to_parquet,
    ".xlsx": to_excel,
    ".jsonl": to_json_lines,
}


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame without lists, which sheets cannot hold, and without time zones."""
    return frame.with_columns(
        pl.col(name).list.eval(pl.element().cast(pl.String)).list.join(LIST_SEPARATOR).alias(name)
        if isinstance(dtype, pl.List)
        else pl.col(name).dt.replace_time_zone(None)
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.List | pl.Datetime)
    )


def _harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose texts, names of columns too, begin with nothing that is run."""
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    headed = pl.DataFrame({"name": frame.columns}).select(_quoted("name"))["name"]
    return frame.with_columns(_quoted(name) for name in texts).rename(
        dict(zip(frame.columns, headed, strict=True))
    )


def _quoted(name: str) -> pl.Expr:
    text = pl.col(name)
    is_formula = text.str.contains(FORMULA_STARTS) & ~text.str.contains(PLAIN_NUMBER)
    return pl.when(is_formula).then(pl.concat_str(pl.lit("'"), text)).otherwise(text).alias(name)
