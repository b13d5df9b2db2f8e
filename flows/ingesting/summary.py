"""What an ingest did: counts, and each file that was not wholly parsed."""

from collections.abc import Iterator, Sequence
from typing import Literal

import polars as pl

from flows.ingesting.looking import Stop
from flows.ingesting.plan import IngestPlan, ToLook, ToParse
from flows.ingesting.sources import FoundSources, SourceFile
from flows.warehouse import Warehouse
from transforms.errors import ComplineError
from transforms.values import Value


class FileReport(Value):
    """How the ingest of one file ended."""

    uri: str
    file_name: str
    doc_id: str | None
    """Null when the file could not be read at all."""
    status: Literal["parsed", "partial", "failed"]
    n_pages: int = 0
    is_new: bool = True
    """False for a document that was parsed before and only looked at now."""
    error_code: str | None = None
    error_message: str | None = None
    """What happened and what to do."""


class ChunkReport(Value):
    """How the documents of one chunk ended: those without trouble are only counted, so that what
    is kept does not grow with the corpus."""

    n_new: int = 0
    """Documents that were to be parsed, and were tried."""
    n_parsed: int = 0
    n_pages: int = 0
    troubled: tuple[FileReport, ...] = ()

    @classmethod
    def of(cls, reports: Sequence[FileReport]) -> "ChunkReport":
        """Return what these reports come to."""
        new = [report for report in reports if report.is_new]
        return cls(
            n_new=len(new),
            n_parsed=sum(report.status != "failed" for report in new),
            n_pages=sum(report.n_pages for report in new),
            troubled=tuple(report for report in reports if report.status != "parsed"),
        )


class Escalated(Value):
    """What was read by other means than native text, and what still cannot be read."""

    n_ocr: int = 0
    n_table: int = 0
    n_vision: int = 0
    n_unread: int = 0
    """Pages that are flagged in their last version."""
    n_described: int = 0
    n_undescribed: int = 0
    """Charts and diagrams, each place counted."""


class IngestSummary(Value):
    """What an ingest did."""

    n_files: int
    n_parsed: int
    """New or changed documents that were read, wholly or in part."""
    n_unchanged: int
    n_superseded: int
    """Files that hold something else than last time."""
    n_vanished: int
    n_forgotten: int
    """Files that hold a document that was erased: it stays so."""
    n_new_metadata: int
    n_pages: int
    skipped: tuple[str, ...]
    """Data files beside documents, left out."""
    failures: tuple[FileReport, ...]
    """Files that were not, or not wholly, parsed: all that are there now, not only new ones."""
    escalated: Escalated
    """Of all files that are there now."""
    vision_model: str | None = None
    stop: Stop | None = None
    """What kept the vision model from being asked; null when nothing did."""
    is_cancelled: bool = False
    """Somebody stopped the work: documents that are parsed by then are kept."""
    n_left: int = 0
    """Documents that were to be parsed, and were not."""
    elapsed_ms: int

    @property
    def exit_code(self) -> int:
        """Return 3 when work was left undone, 1 when a document failed, else 0.

        A budget, the endpoint or a person stopped it.

        Documents that were read in part are listed only.
        """
        if self.stop or self.is_cancelled:
            return 3
        return int(any(report.status == "failed" for report in self.failures))


def summarise(
    found: FoundSources,
    plan: IngestPlan,
    reports: Sequence[ChunkReport],
    warehouse: Warehouse,
    elapsed_ms: int,
) -> IngestSummary:
    """Count, and list the failures of all files that are there, from this ingest and earlier."""
    troubled = [one for report in reports for one in report.troubled]
    earlier = _earlier_failures(found, troubled, warehouse)
    return IngestSummary(
        n_files=len(found.files),
        n_parsed=sum(report.n_parsed for report in reports),
        n_unchanged=plan.n_unchanged,
        n_superseded=plan.n_superseded,
        n_vanished=len(plan.vanished),
        n_forgotten=plan.n_forgotten,
        n_new_metadata=len(plan.new_metadata),
        n_pages=sum(report.n_pages for report in reports),
        skipped=found.skipped,
        failures=tuple(sorted([*troubled, *earlier], key=lambda report: report.uri)),
        escalated=_escalated(found, warehouse),
        n_left=len(plan.to_parse) - sum(report.n_new for report in reports),
        elapsed_ms=elapsed_ms,
    )


_ESCALATED = """
with there as (
    select distinct doc_id
    from source_df
    semi join (select unnest($uris::varchar[]) as uri) using (uri)
    where status = 'current'
), page as (
    select parse_method, is_flagged from page_df semi join there using (doc_id)
    qualify row_number() over (partition by doc_id, page order by page_version desc) = 1
), image as (
    select is_described from image_df semi join there using (doc_id)
    where kind in ('chart', 'diagram')
)
select
    count(*) filter (parse_method = 'ocr' and not is_flagged) as n_ocr,
    count(*) filter (parse_method = 'table' and not is_flagged) as n_table,
    count(*) filter (parse_method = 'vision' and not is_flagged) as n_vision,
    count(*) filter (is_flagged) as n_unread,
    (select count(*) from image where is_described) as n_described,
    (select count(*) from image where not is_described) as n_undescribed
from page
"""


def _escalated(found: FoundSources, warehouse: Warehouse) -> Escalated:
    uris = [file.uri for file in found.files]
    return Escalated(**warehouse.query(_ESCALATED, {"uris": uris}).row(0, named=True))


def _earlier_failures(
    found: FoundSources, told: Sequence[FileReport], warehouse: Warehouse
) -> Iterator[FileReport]:
    there = {file.uri for file in found.files} - {report.uri for report in told}
    failed_df = warehouse.query("select * from failed_document order by uri")
    for failed in failed_df.filter(pl.col("uri").is_in(sorted(there))).iter_slices(1):
        yield report_of(failed["uri"].item(), failed)


def report_of(uri: str, document_df: pl.DataFrame) -> FileReport:
    """Return the report of a file whose document has this one row."""
    row = document_df.row(0, named=True)
    return FileReport(
        uri=uri,
        file_name=row["file_name"],
        doc_id=row["doc_id"],
        status=row["parse_status"],
        n_pages=row.get("n_pages", 0),
        error_code=row["error_code"],
        error_message=row["error_message"],
    )


def unreadable(file: SourceFile, error: OSError) -> FileReport:
    """Return the report of a file whose bytes did not come."""
    return FileReport(
        uri=file.uri,
        file_name=file.file_name,
        doc_id=None,
        status="failed",
        error_code="unreadable",
        error_message=f"cannot be read: {error.strerror or error}; check its permissions",
    )


def lost(chunk: Sequence[ToParse | ToLook], error: BaseException) -> list[FileReport]:
    """Report the documents of a chunk that crashed twice: they are tried again next time."""
    hint = error.hint if isinstance(error, ComplineError) else "run the same command again"
    return [
        FileReport(
            uri=one.seen.file.uri,
            file_name=one.seen.file.file_name,
            doc_id=one.seen.doc_id,
            status="failed",
            is_new=isinstance(one, ToParse),
            error_code="not_ingested",
            error_message=f"{type(error).__name__}: {error}; {hint}",
        )
        for one in chunk
    ]
