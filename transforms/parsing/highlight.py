"""Mark evidence in a document: highlights at its boxes, with a note that says what for."""

from collections import defaultdict
from collections.abc import Sequence

import pymupdf

from transforms.errors import InputError
from transforms.parsing.formats import Trouble, media_type, open_document
from transforms.values import Value

PNG_DPI = 110
"""Sharp enough to read a page of 10 point text on a screen."""


class Mark(Value):
    """One quote to mark. Boxes are points from the top left, after rotation."""

    page: int
    bboxes: tuple[tuple[float, float, float, float], ...]
    note: str


def highlighted_pdf(content: bytes, marks: Sequence[Mark]) -> bytes:
    """Return the document as a PDF with every mark highlighted. Raises InputError."""
    with _marked(content, marks) as document:
        return document.tobytes(garbage=3, deflate=True, encryption=0)


def highlighted_pages(content: bytes, marks: Sequence[Mark]) -> dict[int, bytes]:
    """Return a PNG of every page that has a mark, by page number."""
    with _marked(content, marks) as document:
        return {
            page: document.load_page(page - 1).get_pixmap(dpi=PNG_DPI).tobytes("png")
            for page in sorted({mark.page for mark in marks})
        }


def _marked(content: bytes, marks: Sequence[Mark]) -> pymupdf.Document:
    kind = media_type(content)
    if kind.pymupdf_type is None:
        raise InputError(
            f"a {kind.name} file has no pages to highlight on",
            hint="`compline explain` shows its quotes with their lines",
        )
    document = open_document(content, kind)
    if isinstance(document, Trouble):
        raise InputError(f"the document cannot be opened: {document.message}")
    if not document.is_pdf:
        document = pymupdf.open("pdf", document.convert_to_pdf())
    by_page: dict[int, list[Mark]] = defaultdict(list)
    for mark in marks:
        by_page[mark.page].append(mark)
    for number, marks_of_page in by_page.items():
        page = document.load_page(number - 1)
        for mark in marks_of_page:
            _add(page, mark)
    return document


def _add(page: pymupdf.Page, mark: Mark) -> None:
    """Annotations lie in the page's own space, before it is rotated."""
    quads = [(pymupdf.Rect(bbox) * page.derotation_matrix).quad for bbox in mark.bboxes]
    if not quads:
        return
    annotation = page.add_highlight_annot(quads=quads)
    annotation.set_info(title="Compline", content=mark.note)
    annotation.update()
