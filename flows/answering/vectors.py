"""Vectors for dense retrieval: asked of the configured model where they are not known yet.

Those of documents are kept in embedding_df, those of questions in the ledger: each is paid once.
"""

import asyncio
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import polars as pl

from flows.engines import Assistant, make_assistant
from flows.ledger import Ledger
from flows.settings import Settings
from flows.warehouse import Warehouse
from transforms.retrieval import DenseVectors, embedding_stretches
from transforms.tables import Embedding
from transforms.values import CorpusFrames, RetrievalRequest

PAGE_KEY = ["doc_id", "page", "page_version"]


def make_vectors(
    settings: Settings,
    ledger: Ledger,
    warehouse: Warehouse | None = None,
    *,
    run_id: str | None = None,
    is_sending: bool = True,
) -> "ModelVectors | None":
    """Return where vectors come from; None when no embedding model is configured."""
    model = settings.embedding_model
    if model is None:
        return None
    return ModelVectors(model, settings, ledger, warehouse, run_id, is_sending)


@dataclass
class ModelVectors:
    """The vectors that the pairs of one chunk need. One thread at a time may ask for them."""

    model: str
    settings: Settings
    ledger: Ledger
    warehouse: Warehouse | None = None
    """Keeps the vectors of documents; None when only this object does."""
    run_id: str | None = None
    is_sending: bool = True
    """False to take what is known, and spend nothing."""
    error: str | None = None
    """Why vectors are missing; after that no more are asked for."""
    _embedding_df: pl.DataFrame = field(default_factory=Embedding.empty)
    _read: set[str] = field(default_factory=set)
    _question_vectors: dict[str, tuple[float, ...]] = field(default_factory=dict)

    def of(self, requests: Sequence[RetrievalRequest], corpus: CorpusFrames) -> DenseVectors:
        """Return the vectors of these questions and of the documents that they are asked of."""
        doc_ids = {doc_id for request in requests for doc_id in request.doc_ids}
        questions = [one for r in requests for one in (r.question, *r.question.parts)]
        texts = {question.text for question in questions} - self._question_vectors.keys()
        self._read_known(doc_ids)
        stretch_df = self._unknown(doc_ids, corpus) if self.is_sending else None
        if texts or stretch_df is not None:
            asyncio.run(self._complete(sorted(texts), stretch_df))
        return DenseVectors(
            embedding_df=self._embedding_df, question_vectors=self._question_vectors
        )

    def _read_known(self, doc_ids: Collection[str]) -> None:
        unread = sorted(set(doc_ids) - self._read)
        if self.warehouse is not None and unread:
            known_df = self.warehouse.read("embedding_df", doc_ids=unread)
            self._keep(known_df.filter(model=self.model))
        self._read |= set(unread)

    def _unknown(self, doc_ids: Collection[str], corpus: CorpusFrames) -> pl.DataFrame | None:
        """Return the stretches of all pages without a vector; None when there are none."""
        known_df = self._embedding_df.select(PAGE_KEY).unique()
        line_df = corpus.line_df.filter(pl.col("doc_id").is_in(sorted(doc_ids)))
        if line_df.join(known_df, on=PAGE_KEY, how="anti").is_empty():
            return None
        stretch_df = embedding_stretches(line_df).join(known_df, on=PAGE_KEY, how="anti")
        return stretch_df if stretch_df.height else None

    async def _complete(self, texts: Sequence[str], stretch_df: pl.DataFrame | None) -> None:
        assistant = make_assistant(self.settings, self.ledger)
        try:
            await asyncio.gather(*(self._embed_question(text, assistant) for text in texts))
            if stretch_df is not None:
                groups = stretch_df.group_by("doc_id", maintain_order=True)
                await asyncio.gather(*(self._embed_document(each, assistant) for _, each in groups))
        finally:
            await assistant.close()

    async def _embed_question(self, text: str, assistant: Assistant) -> None:
        if self.error:
            return
        embedded = await assistant.embed_question(
            text, self.model, run_id=self.run_id, is_sending=self.is_sending
        )
        self.error = self.error or embedded.error
        if embedded.vectors:
            self._question_vectors[text] = embedded.vectors[0]

    async def _embed_document(self, stretch_df: pl.DataFrame, assistant: Assistant) -> None:
        if self.error:
            return
        embedded = await assistant.embed(
            stretch_df["text"].to_list(),
            self.model,
            doc_id=stretch_df["doc_id"][0],
            run_id=self.run_id,
        )
        self.error = self.error or embedded.error
        if not embedded.vectors:
            return
        embedding_df = stretch_df.select(
            *PAGE_KEY,
            "line_start",
            "line_end",
            model=pl.lit(self.model),
            vector=pl.Series(embedded.vectors, dtype=pl.List(pl.Float64)),
        ).select(*Embedding.model_fields)
        if self.warehouse is not None:
            self.warehouse.write_batch({"embedding_df": embedding_df}, self._part(stretch_df))
        self._keep(embedding_df)

    def _keep(self, embedding_df: pl.DataFrame) -> None:
        known_df = pl.concat([self._embedding_df, embedding_df])
        self._embedding_df = known_df.unique(Embedding.key, keep="first", maintain_order=True)

    def _part(self, stretch_df: pl.DataFrame) -> str:
        """Return the name of a batch: the same pages by the same model are kept once."""
        pages = stretch_df.select(PAGE_KEY).unique(maintain_order=True).rows()
        digest = hashlib.sha256(f"{self.model} {pages}".encode()).hexdigest()[:16]
        return f"embed-{stretch_df['doc_id'][0]}-{digest}"
