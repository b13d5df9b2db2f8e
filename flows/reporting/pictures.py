"""Pictures of quotes: a strip of the page with the quote marked, as long as there is room."""

import base64
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from flows.answering.reparse import document_content
from flows.ingesting.drawing import DrawJob
from flows.ingesting.pool import ParseBounds, borrowed_worker
from flows.reporting.cards import Block, Card, Place
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.parsing import Strip
from transforms.values import Value

AROUND_BYTES = 500
"""What the page takes for a picture beside its data."""

PLACES_PER_ROUND = 400
"""Strips drawn before their size is looked at."""


class Picture(Value):
    """A strip as the template shows it."""

    href: str
    strip: Strip


def draw(
    blocks: Sequence[Block], warehouse: Warehouse, settings: Settings, *, room: int
) -> dict[Place, Picture]:
    """Return pictures by place, what people need most first, until `room` bytes are taken.

    Documents are untrusted: worker processes draw, within the bounds of parsing.
    """
    places = _wanted(blocks)
    pictures: dict[Place, Picture] = {}
    for start in range(0, len(places), PLACES_PER_ROUND):
        for place, strip in _drawn(places[start : start + PLACES_PER_ROUND], warehouse, settings):
            data = base64.b64encode(strip.webp).decode("ascii")
            room -= len(data) + AROUND_BYTES
            if room < 0:
                return pictures
            pictures[place] = Picture(href=f"data:image/webp;base64,{data}", strip=strip)
    return pictures


def _wanted(blocks: Sequence[Block]) -> list[Place]:
    """Return all places once: of changed and doubtful answers first, then first figures."""
    ranked: dict[Place, tuple[int, int]] = {}
    for card in (card for block in blocks for card in block.cards):
        for number, figure in enumerate(card.figures):
            rank = (_need(card), number)
            ranked[figure.place] = min(rank, ranked.get(figure.place, rank))
    return sorted(ranked, key=lambda place: ranked[place])


def _need(card: Card) -> int:
    return 0 if card.change or card.is_to_review else 1


def _drawn(
    places: Sequence[Place], warehouse: Warehouse, settings: Settings
) -> list[tuple[Place, Strip]]:
    """Return the strips that could be drawn, in the order of their places."""
    by_document: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_document[place.doc_id].append(place)
    bounds = ParseBounds.of(settings)

    def of_document(doc_id: str) -> list[Strip | None]:
        asked = by_document[doc_id]
        content = document_content(doc_id, warehouse)
        if content is None:
            return [None] * len(asked)
        with borrowed_worker(bounds) as worker:
            pages = tuple((place.page, place.bboxes) for place in asked)
            return worker.draw(DrawJob(content=content, places=pages))

    with ThreadPoolExecutor(min(settings.n_workers, len(by_document))) as pool:
        strips = pool.map(of_document, by_document)
        found = {
            place: strip
            for doc_id, drawn in zip(by_document, strips, strict=True)
            for place, strip in zip(by_document[doc_id], drawn, strict=True)
        }
    return [(place, strip) for place in places if (strip := found[place]) is not None]
