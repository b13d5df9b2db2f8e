"""Carry the loop's commands out for many pairs at once and hand the replies back.

Retrievals that are waiting go out together as one statement; generation steps run concurrently
(the engine bounds them); pages are re-parsed in the worker pool. No decision is made here.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import polars as pl

from flows.answering.planning import PlannedPair, first_state
from flows.clock import elapsed_ms, now, tick
from flows.engines import Engine
from flows.retrieve import retrieve
from flows.settings import Settings
from transforms.errors import ContractError
from transforms.pipeline.loop import Step, advance, start
from transforms.pipeline.registry import PatternRegistry
from transforms.pipeline.state import LoopState
from transforms.retrieval import Coverage, DenseVectors, listing_coverage
from transforms.tables import TermPosting
from transforms.values import (
    Candidate,
    CorpusFrames,
    Finish,
    Generate,
    Generated,
    GenerateTask,
    Reparse,
    Reparsed,
    Reply,
    RetrievalRequest,
    Retrieve,
    Retrieved,
)

LOOK_EVERY_MS = 500
"""How often a running chunk looks whether the run was cancelled."""

GRACE_S = 5.0
"""How long calls in flight may take to come back once the run is cancelled."""


class Pages(Protocol):
    """Whoever reads pages again."""

    def reparse(self, command: Reparse, corpus: CorpusFrames) -> CorpusFrames | None:
        """Return the corpus with new versions of the pages; None when none could be read."""
        ...


class Vectors(Protocol):
    """Whoever has vectors of questions and documents."""

    error: str | None

    def of(self, requests: Sequence[RetrievalRequest], corpus: CorpusFrames) -> DenseVectors:
        """Return those for these requests, as far as there are any; else `error` says why."""
        ...


class RecordedTimes(Protocol):
    """Whoever knows how long the steps of a recorded loop took, in ms."""

    def retrieval(self, state: LoopState) -> int:
        """Return the time of the retrieval under way."""
        ...

    def parsing(self, state: LoopState) -> int:
        """Return the time of the re-parse under way."""
        ...


@dataclass
class LoopDriver:
    """What the loops of one chunk of pairs share."""

    corpus: CorpusFrames
    term_df: pl.DataFrame
    registry: PatternRegistry
    engine: Engine | None = None
    """None for a driver that only retrieves."""
    run_id: str | None = None
    pages: Pages | None = None
    """None when no page can be read again."""
    vectors: Vectors | None = None
    """None when no embedding model is configured."""
    recorded_ms: Mapping[str, RecordedTimes] | None = None
    """By pair: the times that a replay counts instead of its own."""
    reparsed_corpora: dict[str, CorpusFrames] = field(default_factory=dict)
    """Corpus of each pair that had pages re-parsed: only the pair that asked sees them."""
    documents: dict[str, CorpusFrames] = field(default_factory=dict)
    """Each document that was read from, by itself: what is asked of it looks at no other."""

    def begin(self, pairs: Sequence[PlannedPair], settings: Settings) -> list[Step]:
        """Start the loop of every pair and carry out all first retrievals in one statement.

        Pairs that ask for none, since their question needs clarification, come first.
        """
        flagged = flagged_pages(self.corpus)
        steps = [start(first_state(pair, flagged, settings)) for pair in pairs]
        waiting = [step for step in steps if isinstance(step[1], Retrieve)]
        ended = [step for step in steps if not isinstance(step[1], Retrieve)]
        return [*ended, *self._retrieve(waiting)]

    async def run(
        self, steps: Sequence[Step], is_cancelled: Callable[[], bool] | None = None
    ) -> list[LoopState]:
        """Drive every pair to its end and return the final states, in the order of `steps`.

        Once the run is cancelled nothing more is begun, and pairs that are not at their end are
        left out.
        """
        order = {state.pair_id: position for position, (state, _) in enumerate(steps)}
        finished: list[LoopState] = []
        running: set[asyncio.Task[Step]] = set()
        waiting, looked = list(steps), tick()
        while waiting or running:
            finished += [state for state, command in waiting if isinstance(command, Finish)]
            if is_cancelled and elapsed_ms(looked) >= LOOK_EVERY_MS:
                looked = tick()
                if is_cancelled():
                    finished += await _wound_down(running)
                    break
            retrieving = [step for step in waiting if isinstance(step[1], Retrieve)]
            for state, command in waiting:
                match command:
                    case Generate():
                        running.add(asyncio.create_task(self._generate(state, command)))
                    case Reparse():
                        running.add(asyncio.create_task(self._reparse(state, command)))
                    case Retrieve() | Finish():
                        pass
            waiting = await asyncio.to_thread(self._retrieve, retrieving) if retrieving else []
            if not waiting and running:
                done, running = await asyncio.wait(
                    running, timeout=LOOK_EVERY_MS / 1000, return_when=asyncio.FIRST_COMPLETED
                )
                waiting = [task.result() for task in done]
        return sorted(finished, key=lambda state: order[state.pair_id])

    def coverage(self, states: Sequence[LoopState]) -> dict[str, Coverage]:
        """Return of every pair that lists how much of what matches was read."""
        return {
            state.pair_id: listing_coverage(
                state.question, state.doc_ids, state.read, self.corpus.document_df, self.term_df
            )
            for state in states
            if state.activations.listing_aggregation and state.read
        }

    def _retrieve(self, steps: Sequence[Step]) -> list[Step]:
        shared = [step for step in steps if step[0].pair_id not in self.reparsed_corpora]
        alone = [step for step in steps if step[0].pair_id in self.reparsed_corpora]
        after = self._retrieve_from(self.corpus, self.term_df, shared) if shared else []
        for step in alone:
            corpus = self.reparsed_corpora[step[0].pair_id]
            after += self._retrieve_from(corpus, index_corpus(corpus, self.registry), [step])
        return after

    def _retrieve_from(
        self, corpus: CorpusFrames, term_df: pl.DataFrame, steps: Sequence[Step]
    ) -> list[Step]:
        since = tick()
        requests = [command.request for _, command in steps if isinstance(command, Retrieve)]
        found = self.found(requests, corpus, term_df)
        share_ms, rest_ms = divmod(elapsed_ms(since), len(steps))
        after: list[Step] = []
        for number, (state, _) in enumerate(steps):
            spent_ms = share_ms + (1 if number < rest_ms else 0)
            if self.recorded_ms is not None:
                spent_ms = self.recorded_ms[state.pair_id].retrieval(state)
            reply = Retrieved(candidates=found[state.pair_id], elapsed_ms=spent_ms)
            after.append(advance(self._with_missing_means(state), reply))
        return after

    def found(
        self, requests: Sequence[RetrievalRequest], corpus: CorpusFrames, term_df: pl.DataFrame
    ) -> Mapping[str, tuple[Candidate, ...]]:
        """Return the windows that each pair asks for, all from one statement."""
        dense = [request for request in requests if request.activations.dense_retrieval]
        vectors = self.vectors.of(dense, corpus) if self.vectors and dense else None
        make = self.registry.make_candidates
        return retrieve(requests, corpus, term_df, vectors=vectors, make_candidates=make)

    def _with_missing_means(self, state: LoopState) -> LoopState:
        """Say of a pair whose vectors could not be had that dense retrieval had no means."""
        has_failed = self.vectors is not None and self.vectors.error is not None
        missing = state.plan.missing_means
        if not has_failed or not state.activations.dense_retrieval or "dense_retrieval" in missing:
            return state
        plan = state.plan.model_copy(update={"missing_means": (*missing, "dense_retrieval")})
        return state.model_copy(update={"plan": plan})

    async def _generate(self, state: LoopState, command: Generate) -> Step:
        if self.engine is None:
            raise ContractError("this driver only retrieves")
        candidates = command.candidates
        corpus = self.reparsed_corpora.get(state.pair_id) or self._documents_of(candidates)
        task = GenerateTask(
            run_id=self.run_id,
            pair_id=state.pair_id,
            question=state.question,
            windows=self.registry.make_windows(candidates, corpus),
            iteration_number=command.iteration_number,
            step=command.step,
            budget_left=command.budget_left,
            model_tier=state.plan.model_tier,
            called_at=now(),
        )
        reply: Generated = await self.engine.answer(task)
        return advance(state, reply)

    def _documents_of(self, candidates: Sequence[Candidate]) -> CorpusFrames:
        """Return the corpus of the documents that these windows lie in."""
        alone = [self._document(each) for each in sorted({c.doc_id for c in candidates})]
        if len(alone) <= 1:
            return alone[0] if alone else self.corpus
        names = CorpusFrames.model_fields
        return CorpusFrames(**{n: pl.concat([getattr(a, n) for a in alone]) for n in names})

    def _document(self, doc_id: str) -> CorpusFrames:
        if doc_id not in self.documents:
            names = CorpusFrames.model_fields
            alone = {name: getattr(self.corpus, name).filter(doc_id=doc_id) for name in names}
            self.documents[doc_id] = CorpusFrames(**alone)
        return self.documents[doc_id]

    async def _reparse(self, state: LoopState, command: Reparse) -> Step:
        since = tick()
        corpus = self.reparsed_corpora.get(state.pair_id, self.corpus)
        reparsed = None
        if self.pages is not None:
            reparsed = await asyncio.to_thread(self.pages.reparse, command, corpus)
        if reparsed is not None:
            self.reparsed_corpora[state.pair_id] = reparsed
        spent_ms = elapsed_ms(since)
        if self.recorded_ms is not None:
            spent_ms = self.recorded_ms[state.pair_id].parsing(state)
        pages = command.pages if reparsed is not None else ()
        reply: Reply = Reparsed(pages=pages, elapsed_ms=spent_ms)
        return advance(state, reply)


def index_corpus(corpus: CorpusFrames, registry: PatternRegistry) -> pl.DataFrame:
    """Return term_df of all documents in a corpus."""
    languages = dict(corpus.document_df.select("doc_id", "language").iter_rows())
    indexed = [
        registry.index_lines(
            line_df,
            language=languages.get(doc_id),
            image_df=corpus.image_df.filter(doc_id=doc_id),
        )
        for (doc_id,), line_df in corpus.line_df.group_by("doc_id", maintain_order=True)
    ]
    return pl.concat(indexed) if indexed else TermPosting.empty()


def flagged_pages(corpus: CorpusFrames) -> tuple[tuple[str, int], ...]:
    """Return document and page of every page whose checks failed."""
    flagged_page_df = corpus.page_df.filter("is_flagged").sort("doc_id", "page")
    return tuple(flagged_page_df.select("doc_id", "page").iter_rows())


async def _wound_down(running: set[asyncio.Task[Step]]) -> list[LoopState]:
    """Give what is under way a while to come back; return the pairs that are at their end then."""
    if not running:
        return []
    done, late = await asyncio.wait(running, timeout=GRACE_S)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    steps = [task.result() for task in done]
    return [state for state, command in steps if isinstance(command, Finish)]
