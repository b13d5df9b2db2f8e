"""What an ingest has to do: compare the files that are there with what the warehouse knows."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from flows.ingesting.metadata import COLUMNS, UNKNOWN, Metadata
from flows.ingesting.sources import FoundSources, SourceFile, is_under
from flows.ingesting.worker import HINTS
from flows.warehouse import FORGOTTEN
from transforms.parsing import PARSER_VERSION
from transforms.parsing.looks import needed_images, unread_pages
from transforms.values import Value

MAX_DOCUMENTS_PER_CHUNK = 32
CHUNKS_PER_WORKER = 4
"""Chunks are small enough that workers end together, large enough that parts do not swarm."""


class Known(Value):
    """What the warehouse knows."""

    source_df: pl.DataFrame
    document_df: pl.DataFrame
    page_df: pl.DataFrame
    """Every version of every page."""
    image_df: pl.DataFrame


class SeenFile(Value):
    """A file that was found, with what its bytes are."""

    file: SourceFile
    doc_id: str


class ToParse(Value):
    """A document that has to be parsed."""

    seen: SeenFile
    metadata: Metadata
    n_versions: int
    """Versions of its pages that are there already, from older parsers."""


class ToLook(Value):
    """A document that is parsed, and that the vision model has still to look at."""

    seen: SeenFile


class IngestPlan(Value):
    """All that an ingest has to do."""

    to_parse: tuple[ToParse, ...]
    to_look: tuple[ToLook, ...]
    newly_seen: tuple[SeenFile, ...]
    """Files whose content is known, at a place where it was not."""
    vanished: tuple[SeenFile, ...]
    """Files that were there last time and are not now."""
    new_metadata: Mapping[str, Metadata]
    """By doc_id, for documents that are parsed already."""
    n_unchanged: int
    n_superseded: int
    """Files that hold something else than last time."""
    n_forgotten: int
    """Files that hold a document that was erased: it stays so."""


def plan_ingest(
    found: FoundSources,
    seen: Sequence[SeenFile],
    metadata: Mapping[str, Metadata],
    known: Known,
    vision_model: str | None = None,
) -> IngestPlan:
    """Return what has to be done.

    Failures that depend on bounds or on us are tried again; those of the bytes themselves are not.
    """
    last = _last_sightings(known.source_df)
    documents = {row["doc_id"]: row for row in known.document_df.iter_rows(named=True)}
    n_files = len(seen)
    seen = [one for one in seen if _error_code(documents.get(one.doc_id)) != FORGOTTEN]
    parsed = {
        doc_id
        for doc_id, row in documents.items()
        if row["parser_version"] == PARSER_VERSION and row["error_code"] not in HINTS
    }
    first_of = {one.doc_id: one for one in reversed(seen)}
    said = _metadata_by_document(seen, metadata)
    versions = dict(known.page_df.group_by("doc_id").agg(pl.col("page_version").max()).iter_rows())
    due = _due(known, vision_model) & parsed
    return IngestPlan(
        to_parse=tuple(
            ToParse(
                seen=one,
                metadata=said.get(doc_id) or _stored_metadata(documents.get(doc_id)),
                n_versions=versions.get(doc_id, 0),
            )
            for doc_id, one in first_of.items()
            if doc_id not in parsed
        ),
        to_look=tuple(ToLook(seen=one) for doc_id, one in first_of.items() if doc_id in due),
        newly_seen=tuple(
            one
            for one in seen
            if (one.doc_id in parsed or first_of[one.doc_id] is not one)
            and last.get(one.file.uri) != (one.doc_id, "current")
        ),
        vanished=tuple(_vanished(found, seen, last)),
        new_metadata={
            doc_id: said[doc_id]
            for doc_id in parsed & said.keys()
            if said[doc_id] != _stored_metadata(documents[doc_id])
        },
        n_unchanged=sum(one.doc_id in parsed for one in seen),
        n_superseded=sum(last.get(one.file.uri, (one.doc_id, ""))[0] != one.doc_id for one in seen),
        n_forgotten=n_files - len(seen),
    )


def chunks(todo: Sequence[ToParse | ToLook], n_workers: int) -> list[list[ToParse | ToLook]]:
    """Return documents in chunks, the large ones first, so that no worker is late."""
    by_size = sorted(todo, key=lambda one: (-one.seen.file.n_bytes, one.seen.file.uri))
    n_chunks = max(
        -(-len(by_size) // MAX_DOCUMENTS_PER_CHUNK),
        min(len(by_size), n_workers * CHUNKS_PER_WORKER),
    )
    return [by_size[number::n_chunks] for number in range(n_chunks)]


def _due(known: Known, vision_model: str | None) -> set[str]:
    """Return the documents of which this model has not been asked all that is worth a look."""
    if vision_model is None:
        return set()
    other_df = known.document_df.filter(
        pl.col("vision_model").ne_missing(vision_model), pl.col("parse_status") != "failed"
    )
    page_df = known.page_df.join(other_df, on="doc_id", how="semi")
    unread = {
        str(doc_id) for (doc_id,), of_doc in page_df.group_by("doc_id") if unread_pages(of_doc)
    }
    return unread | (set(needed_images(known.image_df)["doc_id"]) & set(other_df["doc_id"]))


def _last_sightings(source_df: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """Return doc_id and status by uri, as last seen."""
    last_df = source_df.sort("seen_at").unique("uri", keep="last")
    return {row["uri"]: (row["doc_id"], row["status"]) for row in last_df.iter_rows(named=True)}


def _metadata_by_document(
    seen: Sequence[SeenFile], metadata: Mapping[str, Metadata]
) -> dict[str, Metadata]:
    return {
        one.doc_id: metadata[one.file.uri] for one in reversed(seen) if one.file.uri in metadata
    }


def _stored_metadata(document: Mapping[str, object] | None) -> Metadata:
    return {name: document[name] for name in COLUMNS} if document else UNKNOWN


def _error_code(document: Mapping[str, object] | None) -> object:
    return document["error_code"] if document else None


def _vanished(
    found: FoundSources, seen: Sequence[SeenFile], last: Mapping[str, tuple[str, str]]
) -> Iterator[SeenFile]:
    there = {one.file.uri for one in seen} | set(found.skipped)
    for uri, (doc_id, status) in sorted(last.items()):
        if status == "current" and uri not in there and is_under(uri, found.places):
            yield SeenFile(file=SourceFile(uri=uri, n_bytes=0), doc_id=doc_id)
