"""What models do beside answering: parse questions, embed texts, look at pages and images.

Every call is reserved, settled and priced as an answer is; calls at ingest have no run.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence

from flows.engines.asking import Asked, Asker
from flows.engines.caller import Caller
from flows.engines.embeddings import embedding_request, read_vectors
from flows.engines.requests import generation_request
from flows.engines.vision import vision_request
from transforms.parsing.looks import Look
from transforms.text import count_tokens
from transforms.values import GenerationRequest, Usage, Value

TEXTS_PER_CALL = 128
TOKENS_PER_CALL = 100_000
"""Bounds of one request for embeddings: below what every known endpoint takes."""


class Embedded(Value):
    """One vector of unit length per text, in order; none of them when a call failed."""

    vectors: tuple[tuple[float, ...], ...]
    error: str | None = None
    usage: Usage = Usage()
    elapsed_ms: int = 0


class Assistant:
    """Makes such calls. It belongs to the event loop that first uses it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def reply(
        self,
        request: GenerationRequest,
        model: str,
        *,
        asker: Asker,
        is_readable: Callable[[str], bool],
        is_sending: bool = True,
    ) -> Asked | None:
        """Return what came of one request; without sending, None when the ledger does not know."""
        outgoing = generation_request(
            request, endpoint=self._caller.endpoint, model=model, is_readable=is_readable
        )
        if is_sending:
            return await self._caller.ask(asker, outgoing, model)
        return self._caller.recall(self._caller.prepare(asker, outgoing, model), outgoing)

    async def look(self, look: Look, model: str, *, doc_id: str) -> Asked:
        """Return what came of showing a page or an image of a document to a vision model."""
        asker = Asker(purpose=look.purpose, doc_ids=(doc_id,))
        request = vision_request(look, endpoint=self._caller.endpoint, model=model)
        return await self._caller.ask(asker, request, model)

    async def embed(
        self,
        texts: Sequence[str],
        model: str,
        *,
        doc_id: str | None = None,
        run_id: str | None = None,
    ) -> Embedded:
        """Return the vectors of texts, by as many calls as that takes; the caller keeps them."""
        asker = Asker(purpose="embed", doc_ids=(doc_id,) if doc_id else (), run_id=run_id)
        calls = [self._embed(batch, model, asker) for batch in _batches(texts)]
        return _embedded(await asyncio.gather(*calls))

    async def embed_question(
        self, text: str, model: str, *, run_id: str | None = None, is_sending: bool = True
    ) -> Embedded:
        """Return the vector of a question, which the ledger keeps; without sending, if it does."""
        asker = Asker(purpose="embed", run_id=run_id)
        request = embedding_request(
            [text], endpoint=self._caller.endpoint, model=model, is_response_kept=True
        )
        if is_sending:
            return _embedded([await self._caller.ask(asker, request, model)])
        known = self._caller.recall(self._caller.prepare(asker, request, model), request)
        return _embedded([known] if known else [])

    async def close(self) -> None:
        """Close the connections."""
        await self._caller.close()

    async def _embed(self, texts: Sequence[str], model: str, asker: Asker) -> Asked:
        request = embedding_request(texts, endpoint=self._caller.endpoint, model=model)
        return await self._caller.ask(asker, request, model)


def _embedded(asked: Sequence[Asked]) -> Embedded:
    failed = next((each for each in asked if each.failure), None)
    vectors = [vector for each in asked if each.body for vector in read_vectors(each.body) or ()]
    return Embedded(
        vectors=() if failed else tuple(vectors),
        error=failed.message if failed else None,
        usage=sum((each.usage for each in asked), Usage()),
        elapsed_ms=sum(each.elapsed_ms for each in asked),
    )


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in order, as many at a time as one call may hold."""
    batch: list[str] = []
    n_tokens = 0
    for text, n_text_tokens in zip(texts, map(count_tokens, texts), strict=True):
        if batch and (len(batch) == TEXTS_PER_CALL or n_tokens + n_text_tokens > TOKENS_PER_CALL):
            yield batch
            batch, n_tokens = [], 0
        batch.append(text)
        n_tokens += n_text_tokens
    if batch:
        yield batch
