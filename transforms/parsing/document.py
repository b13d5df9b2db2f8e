"""Parse one document: from bytes to the frames of brick 1."""

from datetime import datetime
from hashlib import sha256

import polars as pl
import pymupdf

from transforms import tables
from transforms.parsing.bounded_outline import outline_excess
from transforms.parsing.cells import find_tables
from transforms.parsing.checks import PageCheck, check_page
from transforms.parsing.contents import contents_pages
from transforms.parsing.formats import (
    MARKDOWN,
    PLAIN,
    MediaType,
    Trouble,
    decode,
    is_truncated,
    media_type,
    open_document,
    release_memory,
    trouble,
)
from transforms.parsing.frames import (
    cell_frame,
    empty_frames,
    frame,
    image_frame,
    line_frame,
    object_frame,
    page_frame,
    reference_frame,
    toc_frame,
)
from transforms.parsing.hyphens import mark_soft_hyphens
from transforms.parsing.images import classify_images
from transforms.parsing.labels import label_pages
from transforms.parsing.language import detect_language
from transforms.parsing.ligatures import mend_ligatures
from transforms.parsing.model import PrintedPage, SectionDraft
from transforms.parsing.objects import find_objects
from transforms.parsing.pages import read_pages
from transforms.parsing.profile import profile_of
from transforms.parsing.references import find_references
from transforms.parsing.roles import body_size, mark_roles
from transforms.parsing.running import mark_running_lines
from transforms.parsing.sections import find_sections, mark_sections
from transforms.parsing.text_files import text_pages
from transforms.values import DocumentProfile

PARSER_VERSION = "2"

MAX_TITLE_CHARS = 200


def parse_document(
    content: bytes, *, file_name: str, parsed_at: datetime, max_pages: int = 5000
) -> dict[str, pl.DataFrame]:
    """Return the eight frames of brick 1 for one document.

    One row per document in `document_df`, whatever the bytes are: a document that cannot be
    parsed has parse_status failed, an error code, and what to do in words.
    """
    kind = media_type(content, file_name)
    if content and kind in (PLAIN, MARKDOWN):
        pages = text_pages(decode(content) or "", is_markdown=kind is MARKDOWN)
        profile = DocumentProfile(media_type=kind.name, total_pages=len(pages))
        return _parsed(content, file_name, parsed_at, profile, pages, None)
    document = open_document(content, kind)
    if isinstance(document, Trouble):
        return _failed(content, file_name, parsed_at, kind, document)
    with document:
        if document.page_count > max_pages:
            found = trouble("too_large", f"{document.page_count} pages, bound {max_pages}")
            return _failed(content, file_name, parsed_at, kind, found)
        profile = profile_of(document, kind)
        pages = read_pages(document)
        frames = _parsed(content, file_name, parsed_at, profile, pages, document)
    release_memory()
    return frames


def failed_document(
    content: bytes, *, file_name: str, parsed_at: datetime, error_code: str, error_message: str
) -> dict[str, pl.DataFrame]:
    """Return the frames of a document that failed outside the parser: a crash or a time-out."""
    found = Trouble(code=error_code, message=error_message)
    return _failed(content, file_name, parsed_at, media_type(content, file_name), found)


def doc_id_of(content: bytes) -> str:
    """Return the first 16 hex digits of the sha256 of the bytes."""
    return sha256(content).hexdigest()[:16]


def _failed(
    content: bytes, file_name: str, parsed_at: datetime, kind: MediaType, found: Trouble
) -> dict[str, pl.DataFrame]:
    profile = DocumentProfile(media_type=kind.name, total_pages=0)
    row = _document_row(content, file_name, parsed_at, profile) | {
        "parse_status": "failed",
        "error_code": found.code,
        "error_message": found.message,
    }
    return empty_frames() | {"document_df": _document_frame(row)}


def _parsed(
    content: bytes,
    file_name: str,
    parsed_at: datetime,
    profile: DocumentProfile,
    pages: list[PrintedPage],
    document: pymupdf.Document | None,
) -> dict[str, pl.DataFrame]:
    doc_id = doc_id_of(content)
    contents = _mark(pages, document)
    skipped = frozenset(contents)
    tables_found = find_tables(pages, skipped)
    mark_roles(pages, body_size(pages))
    sections, source = find_sections(pages, document, contents)
    mark_sections(pages, sections)
    objects = find_objects(pages, tables_found)
    checks = [check_page(page) for page in pages]
    versions = [1] * len(pages)
    row = _document_row(content, file_name, parsed_at, profile) | {
        "language": detect_language(pages),
        "title": profile.title or _printed_title(pages),
        "has_usable_toc": _is_usable(sections, pages),
        **_profile_by_pages(pages, checks),
        **_status(content, media_type(content, file_name), pages, document),
    }
    return {
        "document_df": _document_frame(row),
        "page_df": page_frame(
            doc_id, pages, checks, versions, method="native", parsed_at=parsed_at
        ),
        "line_df": line_frame(doc_id, pages, versions),
        "toc_df": toc_frame(doc_id, sections, source),
        "object_df": object_frame(doc_id, objects),
        "cross_ref_df": reference_frame(doc_id, find_references(pages, sections, objects, skipped)),
        "image_df": image_frame(doc_id, classify_images(pages, document)),
        "table_cell_df": cell_frame(doc_id, objects),
    }


def _mark(pages: list[PrintedPage], document: pymupdf.Document | None) -> list[int]:
    """Mend and mark the lines, label the pages; return the printed contents pages."""
    mend_ligatures(pages)
    mark_running_lines(pages)
    mark_soft_hyphens(pages)
    label_pages(pages, document)
    return contents_pages(pages)


def _document_row(
    content: bytes, file_name: str, parsed_at: datetime, profile: DocumentProfile
) -> dict[str, object]:
    return {
        "doc_id": doc_id_of(content),
        "file_name": file_name,
        "n_bytes": len(content),
        "media_type": profile.media_type,
        "title": profile.title,
        "n_pages": profile.total_pages,
        "has_outline": profile.has_outline,
        "has_usable_toc": False,
        "is_likely_scanned": profile.is_likely_scanned,
        "suggested_strategy": profile.suggested_strategy,
        "parse_status": "parsed",
        "parser_version": PARSER_VERSION,
        "parsed_at": parsed_at,
    }


def _document_frame(row: dict[str, object]) -> pl.DataFrame:
    return frame(tables.Document, {name: [value] for name, value in row.items()}, 1)


def _is_usable(sections: list[SectionDraft], pages: list[PrintedPage]) -> bool:
    """Return whether the sections part the text: several, and not all at one place."""
    return len({section.start for section in sections}) >= 2 and any(p.lines for p in pages)


def _profile_by_pages(pages: list[PrintedPage], checks: list[PageCheck]) -> dict[str, object]:
    """Return what all pages say, where the profile looked at a few."""
    n_flagged = sum(1 for check in checks if check.reason)
    n_scans = sum(1 for check in checks if check.reason == "image_without_text")
    strategy = "ocr" if 2 * n_scans > len(pages) else "mixed" if n_flagged else "native"
    return {"is_likely_scanned": 2 * n_scans > len(pages), "suggested_strategy": strategy}


def _is_blank(pages: list[PrintedPage]) -> bool:
    """Return whether there is nothing to read, not even a picture of text."""
    return not any(page.lines or page.pictures for page in pages)


def _status(
    content: bytes, kind: MediaType, pages: list[PrintedPage], document: pymupdf.Document | None
) -> dict[str, object]:
    unread = [page.page for page in pages if page.error]
    if is_truncated(content, kind):
        found = trouble("truncated", f"{len(pages)} pages could be read")
    elif document is not None and document.is_repaired and _is_blank(pages):
        found = trouble("no_text")
    elif unread:
        found = trouble("unreadable_pages", f"pages {unread[:10]}")
    elif document is not None and (excess := outline_excess(document)):
        found = trouble("outline_ignored", f"the outline has {excess}, or runs in circles")
    else:
        return {"parse_status": "parsed"}
    status = "failed" if len(unread) == len(pages) else "partial"
    return {"parse_status": status, "error_code": found.code, "error_message": found.message}


def _printed_title(pages: list[PrintedPage]) -> str | None:
    """Return the lines in the largest type on the first page, when larger than the rest."""
    if not pages or not pages[0].lines:
        return None
    lines = [line for line in pages[0].lines if any(char.isalpha() for char in line.text)]
    if not lines:
        return None
    largest = max(line.size for line in lines)
    if largest <= 1.1 * body_size(pages):
        return None
    title: list[str] = []
    for line in lines:
        if line.size >= 0.95 * largest:
            title.append(line.text)
        elif title:
            break
    return " ".join(title)[:MAX_TITLE_CHARS]
