"""What end-to-end tests share: documents made on the spot, and a running Prefect."""

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest

from flows import prefect_setup

WritePdf = Callable[..., Path]


@pytest.fixture(scope="session")
def prefect() -> None:
    """Let flows run in this process."""
    prefect_setup.ready()


@pytest.fixture
def write_pdf(tmp_path: Path) -> WritePdf:
    """Return a function that writes a PDF with one page per text: `write_pdf("a.pdf", "…")`."""

    def write(name: str, *pages: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with pymupdf.open() as document:
            for text in pages:
                document.new_page().insert_textbox(pymupdf.Rect(72, 72, 540, 800), text)
            document.save(path)
        return path

    return write
