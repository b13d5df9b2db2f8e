"""Page labels as printed; as declared by the file where nothing is printed."""

import re
from itertools import pairwise

import pymupdf

from transforms.parsing.formats import MUPDF_ERRORS
from transforms.parsing.model import PrintedPage
from transforms.parsing.numbering import has_earlier, step

_PRINTED = re.compile(
    r"(?:^|\bpage\s+|\bseite\s+|[|–—-]\s*)"
    r"((?:[A-Z]{1,2}[-–.])?\d{1,6}|[ivxlc]{1,7})"
    r"(?:\s*(?:/|of|von|sur|de)\s*\d{1,4})?(?:\s*[|–—\])-]|$)"
    r"|\s((?:[A-Z]{1,2}[-–])?\d{1,6})$",
    re.IGNORECASE,
)


def label_pages(pages: list[PrintedPage], document: pymupdf.Document | None) -> None:
    """Set the label of each page.

    A printed number counts when it runs on from a neighbouring page; a page without a printed
    number between two that have one takes the number in between.
    """
    printed = [_candidates(page) for page in pages]
    labels: list[str | None] = [None] * len(pages)
    for i, own in enumerate(printed):
        before = printed[i - 1] if i else []
        after = printed[i + 1] if i + 1 < len(printed) else []
        for label in own:
            if step(label, 1) in after or step(label, -1) in before:
                labels[i] = label
                break
    _fill_gaps(labels)
    declared = _declared(document, len(pages))
    for page, label, fallback in zip(pages, labels, declared, strict=True):
        page.label = label or fallback


def _candidates(page: PrintedPage) -> list[str]:
    """Return what may be the page number in the running lines, footers first."""
    running = [line for line in page.lines if line.role in ("header", "footer")]
    running.sort(key=lambda line: line.role)
    found: list[str] = []
    for line in running:
        for cell in (*(cell.text for cell in line.cells), line.text):
            found.extend(
                match.group(1) or match.group(2) for match in _PRINTED.finditer(cell.strip())
            )
    return found


def _fill_gaps(labels: list[str | None]) -> None:
    known = [i for i, label in enumerate(labels) if label]
    for a, b in pairwise(known):
        first = labels[a]
        if first and b - a > 1 and step(first, b - a) == labels[b]:
            for i in range(a + 1, b):
                labels[i] = step(first, i - a)
    if known and (first := labels[known[0]]):
        for i in range(known[0] - 1, -1, -1):
            labels[i] = step(first, i - known[0]) if has_earlier(first, known[0] - i) else None


def _declared(document: pymupdf.Document | None, n_pages: int) -> list[str | None]:
    if document is None or not document.is_pdf:
        return [None] * n_pages
    try:
        if not document.get_page_labels():
            return [None] * n_pages
        return [document.load_page(i).get_label() or None for i in range(n_pages)]
    except (*MUPDF_ERRORS, KeyError, IndexError, TypeError):
        return [None] * n_pages
