"""Embeddings: through the same ledger, bounds and prices as answers."""

import asyncio
import math
from collections.abc import Iterator
from decimal import Decimal

import pytest

from flows.engines import make_assistant
from flows.engines.assistant import Embedded
from flows.ledger import Ledger
from flows.settings import Settings
from tests.e2e.endpoint import Act, Endpoint
from tests.e2e.endpoint_acts import failing
from tests.e2e.engine_tasks import settings_for

DOC_ID = "d" * 16


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(lambda body: "  A bar chart of premiums.  ") as endpoint:
        yield endpoint


def embed(settings: Settings, ledger: Ledger, texts: list[str]) -> Embedded:
    async def run() -> Embedded:
        assistant = make_assistant(settings, ledger)
        try:
            return await assistant.embed(texts, "m", doc_id=DOC_ID)
        finally:
            await assistant.close()

    return asyncio.run(run())


def test_vectors_come_in_the_order_of_the_texts_and_have_unit_length(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    texts = [f"text {number}" for number in range(300)]
    many = embed(settings_for(endpoint), ledger, texts)
    assert endpoint.n_requests == 3
    assert len(many.vectors) == 300
    assert all(math.isclose(math.hypot(*vector), 1.0) for vector in many.vectors)
    alone = embed(settings_for(endpoint), ledger, texts[7:8])
    assert alone.vectors[0] == many.vectors[7]


def test_embedding_is_a_priced_row_of_its_document(endpoint: Endpoint, ledger: Ledger) -> None:
    embedded = embed(settings_for(endpoint), ledger, ["a text of some words"])
    [row] = ledger.all_calls().to_dicts()
    assert (row["purpose"], row["doc_id"], row["run_id"]) == ("embed", DOC_ID, None)
    assert row["cost_usd"] == embedded.usage.cost_usd == Decimal(5) / 1_000_000


@pytest.mark.parametrize("raw", [b'{"data": []}', b'{"data": [{"index": 0}]}', b"[]"])
def test_vectors_that_do_not_come_are_asked_for_again(
    endpoint: Endpoint, ledger: Ledger, raw: bytes
) -> None:
    endpoint.play(Act(raw=raw))
    assert len(embed(settings_for(endpoint), ledger, ["a text"]).vectors) == 1
    assert ledger.all_calls().sort("attempt")["outcome"].to_list() == ["malformed", "ok"]


def test_an_endpoint_that_embeds_nothing_is_an_error_and_no_half_of_the_vectors(
    endpoint: Endpoint, ledger: Ledger
) -> None:
    endpoint.play(Act(), failing(404, "no such model"))
    settings = settings_for(endpoint, concurrency=1)
    embedded = embed(settings, ledger, [f"text {number}" for number in range(200)])
    assert embedded.vectors == ()
    assert embedded.error is not None
    assert endpoint.n_requests == 2


def test_a_bound_holds_at_ingest_too(endpoint: Endpoint, ledger: Ledger) -> None:
    embedded = embed(settings_for(endpoint, day_budget_tokens=3), ledger, ["a text of some words"])
    assert embedded.error is not None
    assert "budget of the day" in embedded.error
    assert endpoint.n_requests == 0
