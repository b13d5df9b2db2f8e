"""Read pages with one peer and print what it took: run by the interpreter of the peers.

The job names a reader and pages of files: {"reader": …, "files": [[path, n_pages], …]}. The first
file is read once before the clock starts, so that imports and models are loaded.
"""

# ruff: noqa: PLC0415  # a job needs one peer
import contextlib
import json
import sys
import time
from collections.abc import Callable


def raw(path: str, n_pages: int) -> None:
    import pymupdf

    flags = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    with pymupdf.open(path) as document:
        for number in range(n_pages):
            document[number].get_text("dict", flags=flags)


def pdfium(path: str, n_pages: int) -> None:
    import pypdfium2

    with contextlib.closing(pypdfium2.PdfDocument(path)) as document:
        for number in range(n_pages):
            document[number].get_textpage().get_text_bounded()


def plumber(path: str, n_pages: int) -> None:
    import pdfplumber

    with pdfplumber.open(path, pages=list(range(1, n_pages + 1))) as document:
        for page in document.pages:
            page.extract_text()
            page.extract_tables()
            page.close()


def pypdf_text(path: str, n_pages: int) -> None:
    import pypdf

    reader = pypdf.PdfReader(path)
    for number in range(n_pages):
        reader.pages[number].extract_text()


def markdown(path: str, n_pages: int, *, is_layout: bool) -> None:
    import pymupdf4llm

    pymupdf4llm.use_layout(is_layout)
    options = {"use_ocr": False} if is_layout else {}
    pymupdf4llm.to_markdown(path, pages=list(range(n_pages)), **options)


READERS: dict[str, Callable[[str, int], None]] = {
    "raw": raw,
    "pypdfium2": pdfium,
    "pypdf": pypdf_text,
    "pdfplumber": plumber,
    "pymupdf4llm": lambda path, n: markdown(path, n, is_layout=True),
    "pymupdf4llm without layout": lambda path, n: markdown(path, n, is_layout=False),
}


def main() -> None:
    """Print processor seconds as JSON."""
    job = json.load(sys.stdin)
    read = READERS[job["reader"]]
    with contextlib.redirect_stdout(sys.stderr):
        read(*job["files"][0])
        since = time.process_time()
        for path, n_pages in job["files"]:
            read(path, n_pages)
        spent = time.process_time() - since
    print(json.dumps(spent))


if __name__ == "__main__":
    main()
