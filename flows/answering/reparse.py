"""Read pages again inside a loop, each at most once, and keep the new versions for later runs."""

import hashlib
from collections.abc import Callable, Mapping
from threading import Lock

import polars as pl

from flows.clock import now
from flows.ingesting.sources import read_uri
from flows.warehouse import Warehouse
from transforms.pipeline.registry import Frames, PatternRegistry
from transforms.values import CorpusFrames, Reparse

PAGE_TABLES = ("page_df", "line_df", "table_cell_df")


class PageReader:
    """Re-parses pages for the loops of one chunk; a page that two pairs ask for is read once."""

    def __init__(
        self,
        content_of: Callable[[str], bytes | None],
        registry: PatternRegistry,
        keep: Callable[[str, Frames], None] | None = None,
    ) -> None:
        self._content_of = content_of
        self._registry = registry
        self._keep = keep
        self._read: dict[tuple[str, int], Frames] = {}
        self._lock = Lock()

    def reparse(self, command: Reparse, corpus: CorpusFrames) -> CorpusFrames | None:
        """Return the corpus with new versions of the pages; None when none could be read."""
        with self._lock:
            unread = [page for page in command.pages if (command.doc_id, page) not in self._read]
            if unread:
                self._read_pages(command.doc_id, unread, corpus)
        frames = [self._read[command.doc_id, page] for page in command.pages]
        return with_new_pages(
            corpus, {table: pl.concat([one[table] for one in frames]) for table in PAGE_TABLES}
        )

    def _read_pages(self, doc_id: str, pages: list[int], corpus: CorpusFrames) -> None:
        content = self._content_of(doc_id)
        if content is None:
            frames = {table: getattr(corpus, table).clear() for table in PAGE_TABLES}
        else:
            frames = self._registry.reparse_pages(content, pages, corpus=corpus, parsed_at=now())
            if self._keep and frames["page_df"].height:
                self._keep(doc_id, frames)
        for page in pages:
            self._read[doc_id, page] = {
                table: frames[table].filter(pl.col("page") == page) for table in PAGE_TABLES
            }


def warehouse_reader(warehouse: Warehouse, registry: PatternRegistry) -> PageReader:
    """Return a reader of the documents of a warehouse that commits what it reads."""

    def keep(doc_id: str, frames: Frames) -> None:
        term_df = registry.index_lines(
            frames["line_df"],
            language=warehouse.read("document_df", doc_ids=[doc_id])["language"][0],
            image_df=warehouse.read("image_df", doc_ids=[doc_id]),
        )
        kept = {table: frames[table] for table in PAGE_TABLES}
        part = f"reparse-{doc_id}-{now():%Y%m%dT%H%M%S%f}"
        warehouse.write_batch({**kept, "term_df": term_df}, part)

    return PageReader(lambda doc_id: document_content(doc_id, warehouse), registry, keep)


def with_new_pages(corpus: CorpusFrames, frames: Mapping[str, pl.DataFrame]) -> CorpusFrames | None:
    """Return the corpus in which new versions of pages stand instead of the old ones.

    None when there are none: no means were there to read the pages again.
    """
    new_page_df = frames["page_df"]
    if new_page_df.is_empty():
        return None
    updates = {
        table: pl.concat(
            [
                getattr(corpus, table).join(new_page_df, on=["doc_id", "page"], how="anti"),
                frames[table],
            ]
        )
        for table in PAGE_TABLES
    }
    return corpus.model_copy(update=updates)


def document_content(doc_id: str, warehouse: Warehouse) -> bytes | None:
    """Return the bytes of a document, if a file still holds them."""
    source_df = warehouse.read("source_df", doc_ids=[doc_id]).filter(pl.col("status") == "current")
    for uri in source_df["uri"]:
        try:
            content = read_uri(uri)
        except OSError:
            continue
        if hashlib.sha256(content).hexdigest().startswith(doc_id):
            return content
    return None
