"""What end-to-end tests share: documents made on the spot, and a running Prefect."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pymupdf
import pytest

from flows import prefect_setup
from flows.ledger import Ledger
from tests.e2e.endpoint import Endpoint
from tests.e2e.engine_tasks import found

WritePdf = Callable[..., Path]


@pytest.fixture(scope="session", autouse=True)
def prefect() -> None:
    """Let flows run in this process, and commands that tests start use its Prefect server.

    A command without a server of the user's is what test_cancel and test_prefect_setup start.
    """
    prefect_setup.ready()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Run an endpoint whose model finds what it is asked for (tests/e2e/engine_tasks.py)."""
    with Endpoint(found) as endpoint:
        yield endpoint


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """Open a new ledger."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite")
    yield ledger
    ledger.close()


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
