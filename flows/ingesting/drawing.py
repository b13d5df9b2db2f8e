"""Draw quotes on their pages: what a worker does for reports.

The job is declared apart from the worker, which is a script: what a script declares has another
name for itself than for those who import it.
"""

from transforms.parsing import BBox, Strip, page_strips
from transforms.values import Value


class DrawJob(Value):
    """Places of one document to show: pages with boxes."""

    content: bytes
    places: tuple[tuple[int, tuple[BBox, ...]], ...]


def draw(job: DrawJob) -> list[Strip | None]:
    """Return a strip for each place, null where none can be drawn; never raises."""
    try:
        return page_strips(job.content, job.places)
    except Exception:  # a document that cannot be drawn costs its pictures, nothing else
        return [None] * len(job.places)
