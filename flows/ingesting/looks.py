"""Draw what a vision model is to see of a document: what a worker does before the model is asked.

A page that nobody can read may also kill who draws it. The job is declared apart from the worker,
as in drawing.py.
"""

import polars as pl

from transforms.parsing.looks import Look, draw_looks
from transforms.values import Value


class LookJob(Value):
    """Pages of one document to read, and its images, of which those needed are described."""

    content: bytes
    pages: tuple[int, ...]
    image_df: pl.DataFrame


def draw_for_model(job: LookJob) -> tuple[Look, ...]:
    """Return the pictures of a document to show; never raises."""
    try:
        return draw_looks(job.content, job.pages, job.image_df)
    except Exception:  # memory too: a document that cannot be drawn is not looked at, that is all
        return ()
