"""The warehouse: immutable parts, committed whole, read only when committed.

    corpus/<table>/<batch>.parquet       the document_df part is written last: it commits the batch
    runs/<table>/<run_id>.parquet        the run_df part is written last: it commits the run
    calls/llm_call_df/<chunk>.parquet    commits itself
    ledger.sqlite                        see flows/ledger
    compline.duckdb                      views only; any DuckDB client opens it read-only
    reports/<set_id>.html                the report of the last night, for people

Every frame is checked here, on its way in and on its way out, and trusted everywhere else.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import polars as pl

from flows.database import Select, select_from_file, select_from_views, write_views
from flows.storage.commits import Commits
from flows.storage.files import Store
from flows.storage.parts import EMPTY_PART, Parts, collected
from flows.storage.views import (
    PINNED,
    SCHEMA_VERSION,
    VERSIONED,
    area,
    snapshot_variable,
    view_statements,
    views_hash,
)
from transforms.errors import ContractError, WarehouseError
from transforms.tables import TABLES
from transforms.values import CorpusFrames

SCHEMA = "compline_schema_version"
VIEWS = "compline_views"
"""Keys of what is written beside the rows of the empty run_df part."""

FORGOTTEN = "forgotten"
"""Error code of a document that was erased: see flows/forget."""

REPORTS = "reports"
"""Folder of files for people; no reader of tables looks into it."""

PAGE_KEY = ["doc_id", "page", "page_version"]


class Warehouse:
    """All tables under one root. Made by `Warehouse.open`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.parts = Parts(store)
        self.commits = Commits(self.parts)

    @classmethod
    def open(cls, root: str | Path, *, create: bool = False) -> "Warehouse":
        """Open the warehouse at a folder or fsspec URL; with `create`, make what is missing.

        One that an earlier Compline made gets the columns that it lacks. Raises WarehouseError when
        they cannot be written, when there is no warehouse, or when a newer Compline made it.
        """
        warehouse = cls(Store(str(root)))
        if not warehouse.parts.exists("run_df", EMPTY_PART):
            if not create:
                raise WarehouseError(
                    f"there is no warehouse at {str(root)!r}",
                    hint="run `compline ingest` first, or name another one with --warehouse",
                )
            warehouse.write_views()
        version = int(warehouse._read_seal()[SCHEMA])
        if version > SCHEMA_VERSION:
            raise WarehouseError(
                f"a newer Compline made the warehouse at {str(root)!r}",
                hint="upgrade Compline, or name another warehouse with --warehouse",
            )
        if version < SCHEMA_VERSION:
            warehouse._bring_up_to_date()
        elif create and not warehouse.has_current_views():
            warehouse.write_views()
        return warehouse

    @property
    def root(self) -> str:
        """Return the absolute folder or the URL."""
        return self._store.root

    @property
    def ledger_path(self) -> Path:
        """Return where the SQLite ledger is: beside the tables, or on this machine for a URL."""
        return self._local_folder() / "ledger.sqlite"

    @property
    def database_path(self) -> Path:
        """Return the DuckDB file that carries the views; there is none for a URL."""
        return self._local_folder() / "compline.duckdb"

    def has_current_views(self) -> bool:
        """Return whether the DuckDB file is there, of this Compline and of this place."""
        is_there = not self._store.is_local or self.database_path.exists()
        return is_there and self._read_seal()[VIEWS] == views_hash(self.root)

    def write_views(self) -> None:
        """Write an empty part for each table and the DuckDB file; the run_df part seals them."""
        for table, row in TABLES.items():
            if table != "run_df":
                self.parts.write(table, EMPTY_PART, row.empty())
        self._seal("unfinished")
        if self._store.is_local:
            write_views(self.database_path, view_statements(self.root))
        self._seal(views_hash(self.root))

    def _bring_up_to_date(self) -> None:
        """Give every table its new columns, by its empty part."""
        try:
            self.write_views()
        except WarehouseError as error:
            raise WarehouseError(
                f"an earlier Compline made the warehouse at {self.root!r}, and what it lacks cannot"
                f" be added: {error}",
                hint="let a user who may write there run `compline doctor` on it once",
            ) from error

    def _read_seal(self) -> dict[str, str]:
        try:
            return self.parts.metadata("run_df", EMPTY_PART)
        except WarehouseError as error:
            raise WarehouseError(
                str(error), hint="delete this file: it holds no rows, `compline ingest` writes it"
            ) from error

    def _seal(self, views: str) -> None:
        seal = {SCHEMA: str(SCHEMA_VERSION), VIEWS: views}
        self.parts.write("run_df", EMPTY_PART, TABLES["run_df"].empty(), seal)

    # -- write

    def write_batch(self, frames: Mapping[str, pl.DataFrame], batch_id: str) -> None:
        """Commit corpus frames as one batch; without a document_df its commit part is empty.

        A batch that is committed already is left as it is, so that a task may be repeated. Page
        versions that are there already are left out: two pairs may re-parse the same page.
        """
        self.commits.commit("corpus", batch_id, self._without_known_pages(frames))

    def write_run(self, run_id: str, frames: Mapping[str, pl.DataFrame]) -> None:
        """Commit all frames of one run, run_df among them. As with a batch, once."""
        if "run_df" not in frames:
            raise ContractError(f"run {run_id!r} has no run_df to commit it")
        self.commits.commit("runs", run_id, frames)

    def write_calls(self, chunk_id: str, llm_call_df: pl.DataFrame) -> None:
        """Append rows of llm_call_df; those that are there already are left out."""
        call_lf = self.parts.scan("llm_call_df", self.parts.names("llm_call_df"))
        known_df = collected("llm_call_df", call_lf.select("call_id", "attempt"))
        new_call_df = llm_call_df.join(known_df, on=["call_id", "attempt"], how="anti")
        if new_call_df.height:
            self.parts.write("llm_call_df", chunk_id, new_call_df)

    def write_verdicts(self, import_id: str, verdict_df: pl.DataFrame) -> None:
        """Append the verdicts of one import."""
        self.parts.write("verdict_df", import_id, verdict_df)

    def write_report(self, name: str, content: bytes) -> str:
        """Write a report for people over the last one of that name; return where it is."""
        path = f"{REPORTS}/{name}"
        self._store.write(path, content)
        return self._store.address(path)

    def delete_reports(self) -> None:
        """Delete all reports for people: they quote documents."""
        for name in self._store.names(REPORTS):
            self._store.delete(f"{REPORTS}/{name}")

    def _without_known_pages(self, frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
        if "page_df" not in frames:
            return dict(frames)
        doc_ids = frames["page_df"]["doc_id"].unique().to_list()
        known_lf = self.commits.rows("page_df", doc_ids).select(PAGE_KEY)
        known_df = collected("page_df", known_lf)
        if not known_df.height:
            return dict(frames)
        return {
            table: frame.join(known_df, on=PAGE_KEY, how="anti") if table in VERSIONED else frame
            for table, frame in frames.items()
        }

    # -- read

    def read(
        self,
        table: str,
        *,
        doc_ids: Collection[str] | None = None,
        run_ids: Collection[str] | None = None,
    ) -> pl.DataFrame:
        """Return the committed rows of a table, as the view of its name has them."""
        row_lf = self.commits.rows(table, doc_ids, run_ids)
        row = TABLES[table]
        if table == "source_df":
            row_lf = row_lf.with_columns(_source_status())
        elif table == "document_df":
            row_lf = _latest(row_lf, ["doc_id"], ["parsed_at", "part"])
        elif table == "question_df":
            row_lf = _latest(row_lf, list(row.key), ["part"])
        elif table == "table_cell_df":
            page_lf = _latest(self.commits.rows("page_df", doc_ids), PAGE_KEY[:2], ["page_version"])
            row_lf = self._beside(table, page_lf, ["doc_id", "page", "part"])
        elif area(table) == "corpus" and table not in VERSIONED:
            document_lf = _latest(
                self.commits.rows("document_df", doc_ids), ["doc_id"], ["parsed_at", "part"]
            )
            row_lf = self._beside(table, document_lf, ["doc_id", "part"])
        return _checked(table, row_lf)

    def documents(self, *, include_failed: bool = False) -> pl.DataFrame:
        """Return document_df of the documents that are current, latest parse of each.

        A document is not current when every file that held it has changed or vanished, or when it
        was forgotten.
        """
        seen_df = self.read("source_df")
        gone_df = seen_df.join(seen_df.filter(status="current"), on="doc_id", how="anti")
        document_df = (
            self.read("document_df")
            .join(gone_df, on="doc_id", how="anti")
            .filter(pl.col("error_code").ne_missing(FORGOTTEN))
        )
        if include_failed:
            return document_df
        return document_df.filter(pl.col("parse_status") != "failed")

    def corpus(self, doc_ids: Collection[str], *, as_of: datetime | None = None) -> CorpusFrames:
        """Return the corpus tables of some documents, each page in one version.

        The version is the latest, or with `as_of` the latest that was made by then.
        """
        document_df, page_df = self._pinned(doc_ids, as_of)
        by_parse, by_page = document_df.lazy(), page_df.lazy()

        def rows(table: str, kept: pl.LazyFrame, on: list[str]) -> pl.DataFrame:
            return _checked(table, self._beside(table, kept, on))

        return CorpusFrames(
            document_df=_checked("document_df", document_df.lazy()),
            page_df=_checked("page_df", page_df.lazy()),
            line_df=rows("line_df", by_page, PAGE_KEY),
            toc_df=rows("toc_df", by_parse, ["doc_id", "part"]),
            object_df=rows("object_df", by_parse, ["doc_id", "part"]),
            cross_ref_df=rows("cross_ref_df", by_parse, ["doc_id", "part"]),
            image_df=rows("image_df", by_parse, ["doc_id", "part"]),
            table_cell_df=rows("table_cell_df", by_page, ["doc_id", "page", "part"]),
        )

    def terms(self, doc_ids: Collection[str], *, as_of: datetime | None = None) -> pl.DataFrame:
        """Return term_df of some documents, for the page versions that `corpus` returns."""
        _, page_df = self._pinned(doc_ids, as_of)
        return _checked("term_df", self._beside("term_df", page_df.lazy(), PAGE_KEY))

    def query(self, sql: str, parameters: Mapping[str, object] | None = None) -> pl.DataFrame:
        """Run one select over all views, as of now; what is committed meanwhile is not seen.

        Raises InputError when it is wrong or not a select.
        """
        now = {
            snapshot_variable(place): self.commits.names(table) for place, table in PINNED.items()
        }
        areas = {area(table) for table in TABLES}
        folders = [f"{root}/{name}/" for root in self._store.spellings for name in areas]
        asked = Select(sql, parameters or {}, now, folders)
        if self._store.is_local and self.has_current_views():
            answer_df = select_from_file(self.database_path, asked)
            if answer_df is not None:
                return answer_df
        files = None if self._store.is_local else self._store.files
        return select_from_views(view_statements(self.root), asked, files)

    def _beside(self, table: str, kept_lf: pl.LazyFrame, on: list[str]) -> pl.LazyFrame:
        """Return the rows of a table that stand in the same parts as some of another."""
        kept_df = collected(table, kept_lf.select({*on, "part"}))
        doc_ids, parts = kept_df["doc_id"].unique().to_list(), kept_df["part"].unique().to_list()
        row_lf = self.commits.rows(table, doc_ids, parts=parts)
        return row_lf.join(kept_df.lazy(), on=on, how="semi")

    def _pinned(
        self, doc_ids: Collection[str], as_of: datetime | None
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return document_df and page_df with their parts, one row per document and per page."""
        document_lf, page_lf = (
            self.commits.rows("document_df", doc_ids),
            self.commits.rows("page_df", doc_ids),
        )
        if as_of is not None:
            document_lf = document_lf.filter(pl.col("parsed_at") <= as_of)
            page_lf = page_lf.filter(pl.col("parsed_at") <= as_of)
        return (
            collected("document_df", _latest(document_lf, ["doc_id"], ["parsed_at", "part"])),
            collected("page_df", _latest(page_lf, ["doc_id", "page"], ["page_version", "part"])),
        )

    def _local_folder(self) -> Path:
        if self._store.is_local:
            return Path(self.root)
        name = sha256(self.root.encode()).hexdigest()[:16]
        return Path.home() / ".local" / "state" / "compline" / name


def _latest(row_lf: pl.LazyFrame, key: list[str], order: list[str]) -> pl.LazyFrame:
    return row_lf.sort(order).unique(key, keep="last", maintain_order=True)


def _source_status() -> pl.Expr:
    """Return the state of a file: the later sighting supersedes the earlier."""
    is_last = pl.col("seen_at") == pl.col("seen_at").max().over("uri")
    return pl.when(is_last).then("status").otherwise(pl.lit("superseded")).alias("status")


def _checked(table: str, row_lf: pl.LazyFrame) -> pl.DataFrame:
    return TABLES[table].checked(collected(table, row_lf.drop("part")))
