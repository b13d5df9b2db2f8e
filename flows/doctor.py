"""Examine a warehouse: is everything there, whole, and consistent; if not, what to do."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import polars as pl

from flows.database import holds_views
from flows.storage.parts import EMPTY_PART
from flows.storage.views import COMMITS, area
from flows.warehouse import Warehouse
from transforms.errors import ComplineError, WarehouseError
from transforms.tables import TABLES
from transforms.values import Value


class Finding(Value):
    """One thing that is not as it should be."""

    severity: Literal["error", "warning", "note"]
    """error: rows are lost or wrong; warning: nothing is lost, something is left to tidy up; note:
    all is in order, and something of the documents cannot be asked about."""
    check: str
    place: str
    finding: str
    what_to_do: str


class Reference(NamedTuple):
    """Rows of a table that must have a row of another."""

    table: str
    columns: tuple[str, ...]
    parent: str


# fmt: off
REFERENCES: tuple[Reference, ...] = (
    # Rows of toc_df, object_df, … are read through document_df: they cannot dangle.
    #         table            columns                                        parent
    Reference("page_df",       ("doc_id",),                                   "document_df"),
    Reference("line_df",       ("doc_id", "page", "page_version"),            "page_df"),
    Reference("term_df",       ("doc_id", "page", "page_version", "line"),    "line_df"),
    Reference("embedding_df",  ("doc_id", "page", "page_version"),            "page_df"),
    Reference("source_df",     ("doc_id",),                                   "document_df"),
    Reference("pair_df",       ("set_id", "question_id", "question_version"), "question_df"),
    Reference("pair_doc_df",   ("run_id", "pair_id"),                         "pair_df"),
    Reference("pair_doc_df",   ("doc_id",),                                   "document_df"),
    Reference("pair_df",       ("run_id", "pair_id"),                         "answer_df"),
    Reference("dispatch_df",   ("run_id", "pair_id"),                         "pair_df"),
    Reference("candidate_df",  ("run_id", "pair_id"),                         "pair_df"),
    Reference("iteration_df",  ("run_id", "pair_id"),                         "pair_df"),
    # A pair that was not begun has an answer row that says why, and no decisions.
    Reference("iteration_df",  ("run_id", "pair_id"),                         "dispatch_df"),
    Reference("answer_df",     ("run_id", "pair_id"),                         "pair_df"),
    Reference("evidence_df",   ("run_id", "pair_id", "sub_question"),         "answer_df"),
    Reference("evidence_df",   ("doc_id", "page", "page_version"),            "page_df"),
)
# fmt: on


def examine(warehouse: Warehouse) -> list[Finding]:
    """Return all that is not as it should be, the worst first; nothing is changed."""
    found = [
        *_missing_parts(warehouse),
        *_wrong_checksums(warehouse),
        *_orphans(warehouse),
        *_broken_tables(warehouse),
    ]
    if not any(finding.severity == "error" for finding in found):
        found += _dangling_keys(warehouse)
    found += _stale_views(warehouse)
    return sorted(found, key=lambda finding: (finding.severity, finding.check, finding.place))


def notes(warehouse: Warehouse, vision_model: str | None) -> list[Finding]:
    """Return what nobody has read of the documents that are there, and what to do about it."""
    left_df = warehouse.query(_UNREAD)
    ask = "set vision_model and ingest again"
    is_asked = vision_model is not None
    advice = {
        "page_df": "a better scan, or another vision_model, and ingest again" if is_asked else ask,
        "image_df": "ingest again" if is_asked else ask,
    }
    return [
        Finding(
            severity="note",
            check="unread",
            place=row["place"],
            finding=f"{row['n']} {row['what']} in {row['n_documents']} documents",
            what_to_do=advice[row["place"]],
        )
        for row in left_df.iter_rows(named=True)
    ]


_UNREAD = """
with there as (
    select distinct doc_id from source_df where status = 'current'
), page as (
    select doc_id, is_flagged from page_df semi join there using (doc_id)
    qualify row_number() over (partition by doc_id, page order by page_version desc) = 1
), unread as (
    select 'page_df' as place, 'pages that cannot be read' as what, doc_id
    from page where is_flagged
    union all
    select 'image_df', 'charts and diagrams without a description', doc_id
    from image_df semi join there using (doc_id)
    where kind in ('chart', 'diagram') and not is_described
)
select place, what, count(*) as n, count(distinct doc_id) as n_documents
from unread group by place, what order by place desc
"""


def tidy(warehouse: Warehouse) -> list[Finding]:
    """Delete what interrupted writes left and write stale views again; return what was found.

    Run it while nothing writes: a part that waits for its commit looks like an orphan.
    """
    found = [*_orphans(warehouse), *_stale_views(warehouse)]
    for table in TABLES:
        for part in _orphaned(warehouse, table):
            warehouse.parts.delete(table, part)
    warehouse.parts.delete_unfinished()
    warehouse.write_views()
    return found


def _missing_parts(warehouse: Warehouse) -> Iterator[Finding]:
    for table in TABLES:
        if not warehouse.parts.exists(table, EMPTY_PART):
            yield Finding(
                severity="error",
                check="missing part",
                place=table,
                finding="the empty part of the table is gone: queries fail while it has no other",
                what_to_do="run `compline doctor --fix`",
            )


def _wrong_checksums(warehouse: Warehouse) -> Iterator[Finding]:
    for place, commit in COMMITS.items():
        for part in warehouse.parts.names(commit):
            again = "ingest the documents again" if place == "corpus" else "run the set again"
            try:
                checksums = warehouse.commits.checksums(place, part)
            except WarehouseError as error:
                yield Finding(
                    severity="error",
                    check="checksum",
                    place=f"{commit}/{part}",
                    finding=str(error),
                    what_to_do=f"restore the file from a backup, or delete it and {again}",
                )
                continue
            for table, checksum in checksums.items():
                if not warehouse.parts.exists(table, part):
                    problem = "its part is gone"
                elif warehouse.parts.checksum(table, part) != checksum:
                    problem = "its part is not what was written"
                else:
                    continue
                yield Finding(
                    severity="error",
                    check="checksum",
                    place=f"{table}/{part}",
                    finding=problem,
                    what_to_do=f"restore the file from a backup, or delete {commit}/{part} "
                    f"and {again}",
                )


def _orphans(warehouse: Warehouse) -> Iterator[Finding]:
    for table in TABLES:
        for part in _orphaned(warehouse, table):
            yield Finding(
                severity="warning",
                check="orphan",
                place=f"{table}/{part}",
                finding="a part that was never committed; no reader sees it",
                what_to_do="when nothing is being written: `compline doctor --fix`",
            )
    for name in warehouse.parts.unfinished():
        yield Finding(
            severity="warning",
            check="unfinished file",
            place=name,
            finding="a write was interrupted; no reader sees it",
            what_to_do="when nothing is being written: `compline doctor --fix`",
        )


def _orphaned(warehouse: Warehouse, table: str) -> list[str]:
    swaps, place = warehouse.parts.swaps, area(table)
    replaced = {part for merged in swaps.merged(place) for part in swaps.replaced_by(place, merged)}
    unseen = set(warehouse.parts.names(table)) - set(warehouse.commits.names(table))
    return sorted(unseen - replaced)


def _broken_tables(warehouse: Warehouse) -> Iterator[Finding]:
    for table in TABLES:
        try:
            warehouse.read(table)
        except ComplineError as error:
            yield Finding(
                severity="error",
                check="rows",
                place=table,
                finding=str(error),
                what_to_do="restore the table's files from a backup, or ingest and run again",
            )


def _dangling_keys(warehouse: Warehouse) -> Iterator[Finding]:
    for table, columns, parent in REFERENCES:
        key = ", ".join(columns)
        found_df = warehouse.query(
            f"select count(*) as n from {table} anti join {parent} using ({key})"  # noqa: S608
        )
        if n_rows := found_df["n"].item():
            yield Finding(
                severity="error",
                check="dangling key",
                place=table,
                finding=f"{n_rows} rows whose ({key}) has no row in {parent}",
                what_to_do=f"restore {parent} from a backup, or ingest and run again",
            )


def _stale_views(warehouse: Warehouse) -> Iterator[Finding]:
    if not warehouse.has_current_views():
        yield Finding(
            severity="warning",
            check="views",
            place="compline.duckdb",
            finding="it is missing, or of another place or version",
            what_to_do="run `compline doctor --fix`, or any ingest or run",
        )
    elif warehouse.database_path.exists() and not holds_views(warehouse.database_path):
        yield Finding(
            severity="warning",
            check="views",
            place="compline.duckdb",
            finding="it is damaged: other DuckDB clients cannot read it",
            what_to_do="run `compline doctor --fix`",
        )


def findings_frame(found: list[Finding]) -> pl.DataFrame:
    """Return findings as a frame. One row per finding."""
    columns = list(Finding.model_fields)
    return pl.DataFrame(
        [finding.model_dump() for finding in found], schema=dict.fromkeys(columns, pl.String)
    )
