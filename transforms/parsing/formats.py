"""What kind of file the bytes are, and opening it; why a file cannot be read, as a code."""

from typing import NamedTuple

import pymupdf
from pymupdf import mupdf

from transforms.parsing.bounded_outline import Document
from transforms.values import Value

MUPDF_ERRORS = (RuntimeError, ValueError, mupdf.FzErrorBase)
"""What PyMuPDF raises on bad bytes: its own RuntimeErrors, ValueErrors, and raw MuPDF errors."""

pymupdf.TOOLS.mupdf_display_errors(False)
pymupdf.TOOLS.mupdf_display_warnings(False)

HEADER_BYTES = 1024
"""A PDF header may stand after this much garbage (ISO 32000-2, annex I)."""

HINTS = {
    "empty": "the file has no bytes; fetch it again",
    "not_a_document": "no PDF, text, HTML, EPUB or image; convert it to PDF",
    "archive": "a ZIP archive; unpack it and ingest the files inside",
    "encrypted": "needs a password; save a copy without one",
    "truncated": "the file ends before its end marker; fetch it again",
    "damaged": "the structure of the file is broken; print it to a new PDF",
    "no_pages": "the file opens but has no pages",
    "no_text": "the file is damaged and no text is left in it; fetch it again",
    "too_large": "has more pages than the bound; raise parse_max_pages",
    "outline_ignored": "sections come from headings; if they are wrong, print it to a new PDF",
    "unreadable_pages": "some pages could not be read; print the file to a new PDF",
}


class Trouble(Value):
    """Why a document cannot be parsed."""

    code: str
    message: str


class MediaType(NamedTuple):
    """A kind of file: its media type and the name under which PyMuPDF knows it."""

    name: str
    pymupdf_type: str | None


PDF = MediaType("application/pdf", "pdf")
PLAIN = MediaType("text/plain", None)
MARKDOWN = MediaType("text/markdown", None)
HTML = MediaType("text/html", "html")
UNKNOWN = MediaType("application/octet-stream", None)
ZIP = MediaType("application/zip", None)

SIGNATURES: tuple[tuple[bytes, MediaType], ...] = (
    (b"%PDF-", PDF),
    (b"\x89PNG\r\n", MediaType("image/png", "png")),
    (b"\xff\xd8\xff", MediaType("image/jpeg", "jpeg")),
    (b"GIF8", MediaType("image/gif", "gif")),
    (b"BM", MediaType("image/bmp", "bmp")),
    (b"II*\x00", MediaType("image/tiff", "tiff")),
    (b"MM\x00*", MediaType("image/tiff", "tiff")),
)


def trouble(code: str, detail: str = "") -> Trouble:
    """Return a trouble whose message says what to do."""
    hint = HINTS[code]
    return Trouble(code=code, message=f"{detail}: {hint}" if detail else hint)


def media_type(content: bytes, file_name: str = "") -> MediaType:
    """Return the kind of file, from its bytes; the name only tells kinds of text apart."""
    for signature, kind in SIGNATURES:
        if content.startswith(signature):
            return kind
    if content.startswith(b"PK\x03\x04"):
        return _zipped(content)
    suffix = file_name.lower().rpartition(".")[2] if "." in file_name else ""
    if b"%PDF-" in content[:HEADER_BYTES] or (suffix == "pdf" and b"endobj" in content):
        return PDF
    if suffix == "pdf":
        return UNKNOWN
    return _written(content, suffix)


def _zipped(content: bytes) -> MediaType:
    if b"application/epub+zip" in content[:200]:
        return MediaType("application/epub+zip", "epub")
    if b"word/document.xml" in content:
        office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        return MediaType(office, "docx")
    return ZIP


def _written(content: bytes, suffix: str) -> MediaType:
    text = decode(content)
    if text is None:
        return PDF if b" obj" in content and b"endobj" in content else UNKNOWN
    head = text[:1000].lstrip().lower()
    if head.startswith(("<!doctype html", "<html", "<?xml")) and "<html" in head:
        return HTML
    if suffix in ("html", "htm"):
        return HTML
    return MARKDOWN if suffix in ("md", "markdown") else PLAIN


def decode(content: bytes) -> str | None:
    """Return the bytes as text, or null when they are not text."""
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            break
    text = content.decode("cp1252", errors="replace")
    n_odd = sum(
        1 for char in text[:4000] if char == "\ufffd" or (char < " " and char not in "\t\n\r\f")
    )
    return text if text and n_odd <= len(text[:4000]) // 100 else None


def open_document(content: bytes, kind: MediaType) -> pymupdf.Document | Trouble:
    """Open what PyMuPDF reads; an empty user password is tried by PyMuPDF itself."""
    if not content:
        return trouble("empty")
    if kind is ZIP:
        return trouble("archive")
    if kind.pymupdf_type is None:
        return trouble("not_a_document")
    try:
        document = Document(stream=content, filetype=kind.pymupdf_type)
        if document.needs_pass:
            return trouble("encrypted")
        n_pages = document.page_count
    except MUPDF_ERRORS as error:
        return trouble("truncated" if is_truncated(content, kind) else "damaged", str(error))
    if n_pages > 0:
        return document
    if is_truncated(content, kind):
        return trouble("truncated")
    return trouble("damaged" if document.is_repaired else "no_pages")


def release_memory() -> None:
    """Empty MuPDF's cache, which otherwise keeps fonts and images of closed documents."""
    pymupdf.TOOLS.store_shrink(100)


def is_truncated(content: bytes, kind: MediaType) -> bool:
    """Return whether a PDF lacks its end marker."""
    return kind is PDF and b"%%EOF" not in content[-2048:]
