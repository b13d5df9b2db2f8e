"""Paper to write on, and something to write: what the made PDFs share."""

import pymupdf

WIDTH, HEIGHT = 595, 842
LEFT = 72
PITCH = 13.0
Lines = tuple[str, ...]

PROSE: Lines = (
    "The insurer will indemnify the insured against loss of or damage to",
    "the property insured by fire, lightning or explosion, provided that",
    "the loss happens during the period of insurance and is notified in",
    "writing within thirty days after the insured became aware of it, and",
    "the insured has paid the premium that was due before the loss took",
    "place, in full and in the currency that the schedule names for it.",
)
NARROW: Lines = (
    "Cover begins at noon on the day",
    "that the schedule names and it",
    "ends at noon on the last day of",
    "the period, unless the contract",
    "was cancelled before that time",
    "by one of the parties to it, or",
    "the insured property was sold.",
)
NARROW_TOO: Lines = (
    "Notice of a loss must reach the",
    "insurer within thirty days after",
    "it happened. Late notice does no",
    "harm where the insurer knew of",
    "the loss from another source or",
    "where the delay has no effect on",
    "what the insurer has to pay out.",
)
NARROW_THREE: Lines = (
    "The premium is due on the first",
    "day of each quarter. A premium",
    "that is late by more than thirty",
    "days lets the insurer suspend",
    "the cover until it is paid, and",
    "a notice of suspension must be",
    "sent by registered letter first.",
)


def write(
    page: pymupdf.Page, x: float, y: float, lines: Lines | str, *, size: float = 10, **style: object
) -> float:
    """Write lines downwards from a baseline; return the baseline after them."""
    for line in (lines,) if isinstance(lines, str) else lines:
        page.insert_text((x, y), line, fontsize=size, **style)
        y += PITCH * size / 10
    return y


def new(n_pages: int = 1) -> pymupdf.Document:
    document = pymupdf.open()
    for _ in range(n_pages):
        document.new_page(width=WIDTH, height=HEIGHT)
    return document
