"""How a pair's loop went: its rows of dispatch_df, iteration_df and candidate_df."""

from transforms.pipeline.narration import narration
from transforms.pipeline.state import LoopState, PassRecord

StoredRow = dict[str, object]


def iteration_rows(state: LoopState) -> list[StoredRow]:
    """Return one row per pass, without run_id."""
    return [_iteration_row(state, record) for record in state.records]


def candidate_rows(state: LoopState) -> list[StoredRow]:
    """Return one row per window offered in a pass, without run_id."""
    read = {candidate.place for candidate in state.read}
    return [
        {
            "pair_id": state.pair_id,
            "iteration_number": record.iteration_number,
            **candidate.model_dump(exclude={"anchor_overlap", "is_amending"}),
            "detectors": list(candidate.detectors),
            "is_read": candidate.place in read,
        }
        for record in state.records
        for candidate in record.candidates
    ]


def dispatch_row(state: LoopState, *, baseline_tokens: int | None) -> StoredRow:
    """Return the row of dispatch_df, without run_id."""
    plan, route = state.plan, state.route
    return {
        "pair_id": state.pair_id,
        "route": route and route.route,
        "route_rule": route and route.route_rule,
        "reason": route.reason if route else "no route was decided",
        "score_spread": route and route.score_spread,
        **plan.activations.model_dump(),
        "missing_means": list(plan.missing_means),
        "k": plan.k,
        "max_iterations": plan.max_iterations,
        "budget_tokens": plan.budget.tokens,
        "budget_usd": plan.budget.usd,
        "budget_ms": plan.budget.ms,
        "baseline_tokens": baseline_tokens,
    }


def _iteration_row(state: LoopState, record: PassRecord) -> StoredRow:
    signal = record.signal
    earlier = state.records[: record.iteration_number - 1]
    pages_before = {page for each in earlier for page in _pages(each)}
    before = earlier[-1].activations if earlier else state.plan.activations
    on_before = {name for name, is_on in before if is_on}
    return {
        "pair_id": state.pair_id,
        "iteration_number": record.iteration_number,
        "trigger": signal.trigger,
        "action_taken": signal.action,
        "result_summary": record.outcome,
        "confidence_before": record.confidence_before,
        "confidence_after": record.confidence_after,
        "keywords_added": list(signal.keywords),
        "pages_added": sorted(set(_pages(record)) - pages_before),
        "patterns_activated": [
            name for name, is_on in record.activations if is_on and name not in on_before
        ],
        "n_candidates": len(record.candidates),
        "n_candidates_new": record.n_candidates_new,
        "n_tokens": record.n_tokens,
        "retrieval_ms": record.retrieval_ms,
        "parsing_ms": record.parsing_ms,
        "generation_ms": record.generation_ms,
        "stop_reason": record.stop_reason,
        "narration": narration(record),
    }


def _pages(record: PassRecord) -> list[int]:
    return [
        page
        for candidate in record.candidates
        for page in range(candidate.page_start, candidate.page_end + 1)
    ]
