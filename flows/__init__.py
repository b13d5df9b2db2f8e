"""All that touches the world: flows, engines, ledger, warehouse, settings, command line."""

import sys
from typing import TYPE_CHECKING

from flows import prefect_setup

if TYPE_CHECKING:
    from flows.pdf_qa import pdf_qa_loop

# PyMuPDF loads these two when it is imported, with a model for layout: 0.8 s and 90 MB in each
# process, for what nothing here asks. Who wants them as well imports them before this package.
for _unasked in ("pymupdf.layout", "pymupdf4llm"):
    sys.modules.setdefault(_unasked, None)  # pyright: ignore[reportArgumentType]

__all__ = ["pdf_qa_loop", "prefect_setup"]
"""prefect_setup is imported first of all: it sets what Prefect reads when it is imported."""


def __getattr__(name: str) -> object:
    """Load `pdf_qa_loop` when it is asked for: with parsers and engines it takes a second."""
    if name == "pdf_qa_loop":
        from flows.pdf_qa import pdf_qa_loop  # noqa: PLC0415

        return pdf_qa_loop
    raise AttributeError(f"module 'flows' has no attribute {name!r}")
