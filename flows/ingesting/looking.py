"""Look at a document with a vision model: draw what is worth it, ask, and put the replies in place.

The drawing is done by a parse worker: a page that cannot be read may also kill who draws it.
"""

from datetime import datetime
from typing import Literal

import polars as pl

from flows.ingesting.looks import LookJob
from transforms.parsing.looks import needed_images, unread_pages
from transforms.parsing.structure import restructured
from transforms.parsing.vision import again, pages_by_vision, with_descriptions
from transforms.retrieval import index_lines
from transforms.values import CorpusFrames, Value

Frames = dict[str, pl.DataFrame]

STOPS = {
    "over_budget": "raise the budget and ingest again",
    "endpoint_failed": "check vision_model, OPENAI_BASE_URL and OPENAI_API_KEY, and ingest again",
}
"""Error codes of documents that a vision model was not asked all about, and what to do."""

DOCUMENT_TABLES = ("document_df", "toc_df", "object_df", "cross_ref_df", "image_df")
"""Tables that are read from the latest batch that says something about the document."""


class Stop(Value):
    """What kept the vision model from being asked."""

    code: Literal["over_budget", "endpoint_failed"]
    message: str


class Seen(Value):
    """What a vision model saw of one document."""

    readings: dict[int, tuple[str, ...]]
    """Lines by page, an empty one between paragraphs."""
    descriptions: dict[str, str]
    """By image_id, empty for decoration."""
    stop: Stop | None = None
    """Why it was not asked about everything; null when it was."""


def look_job(content: bytes, corpus: CorpusFrames) -> LookJob | None:
    """Return what is to be drawn of a document, null when there is nothing to look at."""
    pages = unread_pages(corpus.page_df)
    if not pages and needed_images(corpus.image_df).is_empty():
        return None
    return LookJob(content=content, pages=tuple(pages), image_df=corpus.image_df)


def current(frames: Frames) -> CorpusFrames:
    """Return the frames of one document, each page in its last version."""
    key = ["doc_id", "page"]
    page_df = frames["page_df"].sort("page_version").unique(key, keep="last").sort(key)
    line_df = frames["line_df"].join(page_df, on=[*key, "page_version"], how="semi")
    kept = {table: frames[table] for table in CorpusFrames.model_fields}
    return CorpusFrames(**{**kept, "page_df": page_df, "line_df": line_df})


def with_seen(frames: Frames, seen: Seen, model: str, parsed_at: datetime) -> Frames:
    """Return the frames of a document that was just parsed, with what a vision model saw of it."""
    doc_id = frames["document_df"]["doc_id"].item()
    new = pages_by_vision(seen.readings, doc_id=doc_id, corpus=current(frames), parsed_at=parsed_at)
    seen_frames = frames | {table: pl.concat([frames[table], new[table]]) for table in new}
    if seen.readings:
        seen_frames = restructured(seen_frames)
    language = seen_frames["document_df"]["language"].item()
    image_df = with_descriptions(frames["image_df"], seen.descriptions)
    return seen_frames | {
        "document_df": _looked_at(seen_frames["document_df"], seen, model),
        "image_df": image_df,
        "term_df": index_lines(seen_frames["line_df"], language=language, image_df=image_df),
    }


def seen_later(corpus: CorpusFrames, seen: Seen, model: str, parsed_at: datetime) -> Frames:
    """Return what a vision model saw of a document that was parsed before: only what is new.

    Pages that it read, and pages of images that it described, get a new version. Without anything
    new there are no frames.
    """
    doc_id, language = corpus.document_df.select("doc_id", "language").row(0)
    document_df = _looked_at(corpus.document_df, seen, model)
    if document_df.equals(corpus.document_df) and not seen.readings and not seen.descriptions:
        return {}
    read = pages_by_vision(seen.readings, doc_id=doc_id, corpus=corpus, parsed_at=parsed_at)
    described_df = corpus.image_df.filter(pl.col("image_id").is_in(list(seen.descriptions)))
    pages = set(described_df["page"]) - set(read["page_df"]["page"])
    same = again(pages, doc_id=doc_id, corpus=corpus, parsed_at=parsed_at)
    new = {table: pl.concat([read[table], same[table]]) for table in same}
    image_df = with_descriptions(corpus.image_df, seen.descriptions)
    stored = {table: getattr(corpus, table) for table in DOCUMENT_TABLES}
    return {
        **stored,
        **new,
        "document_df": document_df,
        "image_df": image_df,
        "term_df": index_lines(new["line_df"], language=language, image_df=image_df),
    }


def _looked_at(document_df: pl.DataFrame, seen: Seen, model: str) -> pl.DataFrame:
    """Return document_df of one document with the model, or with what stopped it.

    What else is wrong with a document counts more than that a look is due.
    """
    model_asked = None if seen.stop else model
    error_code = document_df["error_code"].item()
    said: dict[str, str | None] = {"vision_model": model_asked}
    if error_code in STOPS:
        said |= {"parse_status": "parsed", "error_code": None, "error_message": None}
    if seen.stop and (error_code is None or error_code in STOPS):
        message = f"not all pages and figures were looked at: {seen.stop.message}"
        said |= {
            "parse_status": "partial",
            "error_code": seen.stop.code,
            "error_message": f"{message}; {STOPS[seen.stop.code]}",
        }
    return document_df.with_columns(
        pl.lit(value, dtype=pl.String).alias(name) for name, value in said.items()
    )
