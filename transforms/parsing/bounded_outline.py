"""Documents whose outline is read only when it is within bounds.

PyMuPDF reads the whole outline of a PDF as soon as it is opened, and goes down it by recursion: one
of 100,000 levels ends the process, one of a million entries takes minutes and gigabytes.
"""

import pymupdf
from pymupdf import mupdf

MAX_ENTRIES = 20_000
"""The longest manuals have some thousand entries; each costs a quarter of a millisecond or more."""

MAX_LEVELS = 100
"""Writers stop at ten levels; PyMuPDF goes down each by recursion, in Python too."""


class Document(pymupdf.Document):
    """A document that has no outline when its outline is beyond the bounds."""

    def _loadOutline(self) -> pymupdf.Outline | None:  # noqa: N802  (PyMuPDF's name)
        return None if outline_excess(self) else super()._loadOutline()


def outline_excess(document: pymupdf.Document) -> str | None:
    """Return what is too much about the outline of a PDF; null when it can be read.

    One that runs in circles has no end, and so too many entries or levels. What is broken is left
    to MuPDF, which stops there.
    """
    try:
        return _excess(document)
    except (RuntimeError, mupdf.FzErrorBase):
        return None


def _excess(document: pymupdf.Document) -> str | None:
    pdf = mupdf.pdf_document_from_fz_document(document.this)
    if not pdf.m_internal:
        return None
    catalog = mupdf.pdf_dict_get(mupdf.pdf_trailer(pdf), mupdf.pdf_new_name("Root"))
    first, following = mupdf.pdf_new_name("First"), mupdf.pdf_new_name("Next")
    root = mupdf.pdf_dict_get(catalog, mupdf.pdf_new_name("Outlines"))
    left, n_entries = [(mupdf.pdf_dict_get(root, first), 1)], 0
    while left:
        entry, level = left.pop()
        if not mupdf.pdf_is_dict(entry):
            continue
        n_entries += 1
        if n_entries > MAX_ENTRIES:
            return f"more than {MAX_ENTRIES:,} entries"
        if level > MAX_LEVELS:
            return f"more than {MAX_LEVELS} levels"
        left.append((mupdf.pdf_dict_get(entry, following), level))
        left.append((mupdf.pdf_dict_get(entry, first), level + 1))
    return None
