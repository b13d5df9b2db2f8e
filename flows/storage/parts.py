"""The one door to Parquet: read and write parts, the immutable files that tables are made of."""

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256

import polars as pl

from flows.storage.files import Store
from flows.storage.swaps import Swaps
from flows.storage.views import area
from transforms.errors import WarehouseError
from transforms.tables import TABLES

EMPTY_PART = "_empty"
"""The part that every table has from the start, so that each query works on an empty warehouse."""

ROWS_PER_GROUP = 65_536
"""Small enough that one document is read without its neighbours, large enough to compress."""


class Parts:
    """The parts of all tables in one store, by table and name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.swaps = Swaps(store)

    @property
    def root(self) -> str:
        """Return the absolute folder or the URL of the warehouse."""
        return self._store.root

    def names(self, table: str) -> list[str]:
        """Return the names of a table's parts, committed or not, sorted."""
        files = self._store.names(_folder(table))
        return [name.removesuffix(".parquet") for name in files if name.endswith(".parquet")]

    def exists(self, table: str, part: str) -> bool:
        """Return whether the part is there."""
        return self._store.exists(_path(table, part))

    def write(
        self,
        table: str,
        part: str,
        frame: pl.DataFrame,
        metadata: Mapping[str, str] | None = None,
    ) -> str:
        """Check a frame against its row class, write it, and return the sha256 of the file."""
        content = to_parquet(TABLES[table].checked(frame), metadata)
        self._store.write(_path(table, part), content)
        return sha256(content).hexdigest()

    def delete(self, table: str, part: str) -> None:
        """Delete the part; nothing happens when there is none."""
        self._store.delete(_path(table, part))

    def unfinished(self) -> list[str]:
        """Return the paths of files whose writing was interrupted, or goes on right now."""
        return [
            f"{_folder(table)}/{name}"
            for table in TABLES
            for name in self._store.names(_folder(table))
            if name.endswith(".tmp")
        ]

    def delete_unfinished(self) -> None:
        """Delete files whose writing was interrupted; nothing may be writing."""
        for path in self.unfinished():
            self._store.delete(path)

    def n_bytes(self, table: str, part: str) -> int:
        """Return the size of the part's file."""
        return self._store.n_bytes(_path(table, part))

    def metadata(self, table: str, part: str) -> dict[str, str]:
        """Return what was written beside the rows. Raises WarehouseError for a damaged part."""
        path = _path(table, part)
        with _reading(self._store.address(path)):
            if self._store.is_local:
                return pl.read_parquet_metadata(self._store.address(path))
            return pl.read_parquet_metadata(io.BytesIO(self._store.read(path)))

    def checksum(self, table: str, part: str) -> str:
        """Return the sha256 of the file as it is now."""
        return sha256(self._store.read(_path(table, part))).hexdigest()

    def scan(self, table: str, parts: Sequence[str]) -> pl.LazyFrame:
        """Return the rows of some parts with the column `part` beside them.

        A column that is younger than a part is null there.
        """
        schema = TABLES[table].polars_schema()
        if not parts:
            return pl.LazyFrame(schema={**schema, "part": pl.String()})
        if not self._store.is_local:
            return pl.concat(self._fetch(table, part) for part in parts).lazy()
        return pl.scan_parquet(
            [self._store.address(_path(table, part)) for part in parts],
            schema=schema,
            missing_columns="insert",
            extra_columns="ignore",
            include_file_paths="part",
        ).with_columns(pl.col("part").str.extract(r"([^/\\]+)\.parquet$"))

    def _fetch(self, table: str, part: str) -> pl.DataFrame:
        content = io.BytesIO(self._store.read(_path(table, part)))
        rows = pl.read_parquet(
            content, schema=TABLES[table].polars_schema(), missing_columns="insert"
        )
        return rows.with_columns(pl.lit(part).alias("part"))


def collected(table: str, row_lf: pl.LazyFrame) -> pl.DataFrame:
    """Return rows that were scanned. Raises WarehouseError when a part is damaged, or gone."""
    with _reading(table):
        return row_lf.collect()


@contextmanager
def _reading(what: str) -> Iterator[None]:
    try:
        yield
    except (pl.exceptions.PolarsError, OSError) as error:
        raise WarehouseError(f"{what} cannot be read: {error}") from error


def to_parquet(frame: pl.DataFrame, metadata: Mapping[str, str] | None = None) -> bytes:
    """Return a frame as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        row_group_size=ROWS_PER_GROUP,
        metadata=dict(metadata or {}),
    )
    return buffer.getvalue()


def _folder(table: str) -> str:
    return f"{area(table)}/{table}"


def _path(table: str, part: str) -> str:
    return f"{_folder(table)}/{part}.parquet"
