"""Small loops for tests: states, candidates and answers as one line each."""

from decimal import Decimal

from transforms.pipeline.loop import Step, advance, start
from transforms.pipeline.state import LoopState
from transforms.values import (
    Activations,
    AnswerItem,
    AnswerWithEvidence,
    Budget,
    Candidate,
    EvidenceSpan,
    Generate,
    Generated,
    PairPlan,
    ParsedQuestion,
    Retrieve,
    Retrieved,
    Usage,
)

MANY_TOKENS = 100_000


def question(**changes: object) -> ParsedQuestion:
    return ParsedQuestion.model_validate(
        {
            "text": "What is the premium?",
            "corrected_text": "What is the premium?",
            "answer_type": "amount",
            "keywords": ("premium",),
            "anchor_keywords": ("premium",),
            **changes,
        }
    )


def state(
    asked: ParsedQuestion | None = None,
    *,
    tokens: int = MANY_TOKENS,
    k: int = 5,
    max_iterations: int = 4,
    **changes: object,
) -> LoopState:
    plan = PairPlan(
        activations=Activations(),
        k=k,
        max_iterations=max_iterations,
        budget=Budget(tokens=tokens, usd=Decimal(1), ms=60_000),
    )
    return LoopState.model_validate(
        {
            "pair_id": "pair",
            "doc_ids": ("doc",),
            "question": asked or question(),
            "plan": plan,
            "activations": plan.activations,
            **changes,
        }
    )


def candidate(page: int, **changes: object) -> Candidate:
    return Candidate.model_validate(
        {
            "doc_id": "doc",
            "rank": page,
            "page_start": page,
            "line_start": 1,
            "page_end": page,
            "line_end": 9,
            "relevance": 10.0 / page,
            "fused_score": 1.0 / page,
            "detectors": ("keywords",),
            "n_tokens": 100,
            **changes,
        }
    )


def candidates(*pages: int) -> tuple[Candidate, ...]:
    return tuple(candidate(page) for page in pages)


def span(page: int = 1, quote: str = "the premium is $100") -> EvidenceSpan:
    return EvidenceSpan(
        doc_id="doc", page=page, page_version=1, line_start=1, line_end=1,
        char_start=0, char_end=len(quote), quote=quote, match_kind="exact",
    )  # fmt: skip


def found(value: str = "$100", *, complete: bool = True, **changes: object) -> AnswerWithEvidence:
    return AnswerWithEvidence.model_validate(
        {
            "value_text": value,
            "evidence": (span(),),
            "answer_found": True,
            "complete_answer_found": complete,
            "confidence": 0.8,
            **changes,
        }
    )


def listed(*values: str, complete: bool = True, **changes: object) -> AnswerWithEvidence:
    items = tuple(AnswerItem(value=value, evidence=(span(),)) for value in values)
    return found("", complete=complete, items=items, **changes)


def generated(answer: AnswerWithEvidence | None = None, **changes: object) -> Generated:
    usage = Usage(prompt_tokens=300, completion_tokens=50, cost_usd=Decimal("0.01"), n_calls=1)
    return Generated.model_validate(
        {"answer": answer or AnswerWithEvidence(), "usage": usage, "elapsed_ms": 10, **changes}
    )


def retrieved(*pages: int) -> Retrieved:
    return Retrieved(candidates=candidates(*pages))


def generating(first: LoopState, *pages: int) -> tuple[LoopState, Generate]:
    """Return a loop that waits for its first answer."""
    begun, command = start(first)
    assert isinstance(command, Retrieve)
    after, generate = advance(begun, retrieved(*pages))
    assert isinstance(generate, Generate)
    return after, generate


def answering(step: Step, *replies: Generated) -> Step:
    """Answer the generation steps that follow, one after the other."""
    for reply in replies:
        assert isinstance(step[1], Generate), step[1]
        step = advance(step[0], reply)
    return step
