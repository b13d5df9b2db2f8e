"""Read question sets (CSV, JSONL, YAML, Parquet) and the vocabulary folder as plain rows."""

import csv
import io
import json
import reprlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import polars as pl
import yaml

from transforms.errors import InputError
from transforms.questions import Vocabulary

MAX_FILE_BYTES = 50_000_000
"""A question set is a list of questions; what is larger is some other file."""
MIN_ROW_BYTES = 20
"""What a question takes at least: a Parquet file of so many bytes may hold any number."""
MAX_CELL_CHARS = 1_000_000
REQUIRED_COLUMNS = ("question_id", "question")

Rows = list[dict[str, object]]


def read_question_file(path: str | Path) -> Rows:
    """Return the rows of a question set in order of the file; empty cells are null.

    Raises InputError that names the file and, where there is one, the line.
    """
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise InputError(
            f"{file.name!r}: {file.suffix or 'a file without an ending'} is not a question set",
            hint=f"use one of {', '.join(_READERS)}; from a spreadsheet, save it as CSV UTF-8",
        )
    rows = reader(_content(file), file.name)
    if not rows:
        raise InputError(
            f"{file.name!r} has no questions", hint="a row needs at least question_id and question"
        )
    _require_columns(rows, file.name)
    return rows


@cache
def load_vocabulary(folder: str | Path | None = None) -> Vocabulary:
    """Return the vocabulary of all CSV files of a folder; of the one that comes with Compline."""
    source = Path(folder) if folder else _vocabulary_folder()
    files = sorted(source.glob("*.csv"))
    if folder and not files:
        raise InputError(
            f"no vocabulary files in {str(folder)!r}", hint="it needs *.csv files; see README"
        )
    rows = [row for file in files for row in _csv_rows(_content(file), file.name)]
    return Vocabulary.from_rows([{k: str(v or "") for k, v in row.items()} for row in rows])


def _content(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        if size > MAX_FILE_BYTES:
            raise _too_large(file.name, f"{size:,} bytes")
        return file.read_bytes()
    except OSError as error:
        raise InputError(
            f"{str(file)!r} cannot be read: {error.strerror}", hint="check the path"
        ) from error


def _too_large(name: str, size: str) -> InputError:
    return InputError(
        f"{name!r} has {size}; a question set has at most {MAX_FILE_BYTES:,} bytes",
        hint="split the file, or check that it is the right one",
    )


def _text(content: bytes, name: str) -> str:
    """Return the text of UTF-8 bytes, with or without a byte order mark."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in content:
        raise InputError(
            f"{name!r} is UTF-16 or no text, not UTF-8", hint="save it as UTF-8 and run again"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name!r}, line {line}: not UTF-8 (byte 0x{content[error.start]:02x})",
            hint="save the file as UTF-8 (in Excel: CSV UTF-8) and run again",
        ) from error


def _csv_rows(content: bytes, name: str) -> Rows:
    text = _text(content, name)
    if not text.strip():
        return []
    csv.field_size_limit(MAX_CELL_CHARS)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        columns = [(column or "").strip() for column in reader.fieldnames or ()]
        _refuse_repeated(columns, name)
        reader.fieldnames = columns
        return [_csv_row(row, reader.line_num, name) for row in reader]
    except csv.Error as error:
        raise InputError(
            f"{name!r}, line {reader.line_num}: {error}",
            hint="quote cells that hold commas, quotes or line breaks, and double quotes in them",
        ) from error


def _csv_row(row: Mapping[str | None, object], line: int, name: str) -> dict[str, object]:
    if None in row:
        raise InputError(
            f"{name!r}, line {line}: more cells than columns",
            hint="put cells that hold commas in double quotes",
        )
    return {str(key): value or None for key, value in row.items() if key}


def _delimiter(text: str) -> str:
    """Return what separates the header: comma, or what spreadsheets write in its place."""
    header = text.lstrip().splitlines()[0]
    return max(",;\t", key=header.count)


def _json_rows(content: bytes, name: str) -> Rows:
    rows: Rows = []
    for number, line in enumerate(_text(content, name).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:  # also a number of 5,000 digits
            raise InputError(
                f"{name!r}, line {number}: not JSON ({error})", hint="one JSON object on each line"
            ) from error
        rows.append(_mapping(row, f"{name!r}, line {number}"))
    return rows


def _yaml_rows(content: bytes, name: str) -> Rows:
    try:
        loaded = yaml.load(_text(content, name), _PlainLoader)  # noqa: S506  (a safe loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # also the 30th of February
        hint = "check the indentation, and put dates and ids in quotes"
        raise InputError(f"{name!r}: not YAML ({error})", hint=hint) from error
    listed = loaded.get("questions") if isinstance(loaded, dict) else loaded
    if listed is None:
        return []
    if not isinstance(listed, list):
        raise InputError(
            f"{name!r} is not a list of questions",
            hint="begin each question with `- question_id:`",
        )
    return [_mapping(row, f"{name!r}, question {n}") for n, row in enumerate(listed, start=1)]


class _PlainLoader(yaml.SafeLoader):
    """Reads YAML without merge keys, by which a few lines can stand for billions."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        if any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value):
            raise yaml.YAMLError("`<<` is not read; write each question out")


def _parquet_rows(content: bytes, name: str) -> Rows:
    try:
        n_rows = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
        if n_rows > MAX_FILE_BYTES // MIN_ROW_BYTES:
            raise _too_large(name, f"{n_rows:,} rows")
        question_df = pl.read_parquet(io.BytesIO(content))
        n_bytes = question_df.select(pl.col(pl.String).str.len_bytes().sum()).sum_horizontal().sum()
        if n_bytes > MAX_FILE_BYTES:  # unpacked; a text that is repeated is stored once
            raise _too_large(name, f"{n_bytes:,} bytes of text")
        return question_df.to_dicts()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(
            f"{name!r} is not a Parquet file: {error}", hint="write it again, or use CSV"
        ) from error


def _mapping(row: object, place: str) -> dict[str, object]:
    """Return a question of JSON or YAML. What is nested deeper than a list may have no end."""
    if not isinstance(row, dict):
        raise InputError(
            f"{place}: {reprlib.repr(row)[:60]} is not a question",
            hint="each question is an object with question_id and question",
        )
    for key, value in row.items():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, list | dict | tuple | set):
                raise InputError(
                    f"{place}, {str(key)[:60]!r}: a list in a list, or an object, is no cell",
                    hint="a cell is a text, a number, or a list of texts",
                )
            if isinstance(part, str) and not _is_unicode(part):
                raise InputError(
                    f"{place}, {str(key)[:60]!r}: half a character (a lone surrogate)",
                    hint="write the file again as UTF-8, without \\ud800 to \\udfff alone",
                )
    return {str(key): value for key, value in row.items()}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_repeated(columns: list[str], name: str) -> None:
    repeated = sorted({column for column in columns if columns.count(column) > 1 and column})
    if repeated:
        raise InputError(
            f"{name!r}: column {repeated[0]!r} occurs more than once", hint="keep one of them"
        )


def _require_columns(rows: Rows, name: str) -> None:
    found = {column for row in rows for column in row}
    for column in REQUIRED_COLUMNS:
        if column not in found:
            raise InputError(
                f"{name!r} has no column {column!r} (found {', '.join(sorted(found)) or 'none'})",
                hint=f"a question set needs {' and '.join(REQUIRED_COLUMNS)}",
            )


def _vocabulary_folder() -> Path:
    """Return data/vocabulary: beside the code in an installed wheel, else in the checkout."""
    here = Path(__file__).parent
    packed = here / "data" / "vocabulary"
    return packed if packed.exists() else here.parent / "data" / "vocabulary"


_READERS: dict[str, Callable[[bytes, str], Rows]] = {
    ".csv": _csv_rows,
    ".jsonl": _json_rows,
    ".yaml": _yaml_rows,
    ".yml": _yaml_rows,
    ".parquet": _parquet_rows,
}
