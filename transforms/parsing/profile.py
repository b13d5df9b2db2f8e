"""What one open of a document tells, without parsing its body."""

import re

import pymupdf

from transforms.parsing.formats import (
    MARKDOWN,
    MUPDF_ERRORS,
    PLAIN,
    MediaType,
    Trouble,
    media_type,
    open_document,
)
from transforms.values import DocumentProfile

SAMPLE_PAGES = 8
"""Pages looked at to tell a scan, spread over the document."""

MIN_CHARS = 25
MIN_OUTLINE = 3


def detect_document_type(content: bytes) -> DocumentProfile:
    """Return the profile of a document; a file that does not open has no pages."""
    kind = media_type(content)
    if kind in (PLAIN, MARKDOWN):
        return DocumentProfile(media_type=kind.name, total_pages=1)
    document = open_document(content, kind)
    if isinstance(document, Trouble):
        return DocumentProfile(media_type=kind.name, total_pages=0)
    with document:
        n_pages = document.page_count
        sample = sorted({i * n_pages // SAMPLE_PAGES for i in range(SAMPLE_PAGES)})
        n_scanned = sum(_is_scanned(document, index) for index in sample)
        is_scanned = 2 * n_scanned > len(sample)
        strategy = "ocr" if is_scanned else "mixed" if n_scanned else "native"
        return profile_of(document, kind).model_copy(
            update={"is_likely_scanned": is_scanned, "suggested_strategy": strategy}
        )


def profile_of(document: pymupdf.Document, kind: MediaType) -> DocumentProfile:
    """Return what the file says about itself; what its pages say is left open."""
    n_outline = len(outline(document))
    return DocumentProfile(
        media_type=kind.name,
        total_pages=document.page_count,
        title=metadata_title(document),
        has_outline=n_outline > 0,
        has_usable_toc=n_outline >= MIN_OUTLINE,
    )


def outline(document: pymupdf.Document) -> list[list[object]]:
    """Return the entries of the outline, or none when it is broken."""
    try:
        return document.get_toc(simple=True)
    except (*MUPDF_ERRORS, KeyError, IndexError, TypeError):
        return []


def metadata_title(document: pymupdf.Document) -> str | None:
    """Return the title in the file's metadata unless it is the name of a file or a program's."""
    title = re.sub(r"\s+", " ", (document.metadata or {}).get("title") or "").strip("\x00 ")
    is_name = re.search(r"\.(?:docx?|pdf|indd|xlsx?|pptx?|tex|dvi|qxd|rtf|html?)$", title.lower())
    is_stub = title.lower().startswith(("microsoft word", "untitled", "powerpoint", "slide 1"))
    return title if len(title) > 3 and not is_name and not is_stub else None


def _is_scanned(document: pymupdf.Document, index: int) -> bool:
    """Return whether a page has images and hardly any text."""
    try:
        page = document.load_page(index)
        if document.is_pdf and not document.get_page_images(index):
            return False
        return len(str(page.get_text("text")).strip()) < MIN_CHARS
    except MUPDF_ERRORS:
        return False
