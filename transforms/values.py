"""The typed values that pass between bricks, pipeline and flows.

Bricks do not import each other: what one makes and another takes is declared here.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

Intent = Literal[
    "factual", "listing", "comparison", "section_retrieval", "open_scoped", "open_corpus_wide"
]
AnswerShape = Literal["single", "listing", "table", "tree", "nested"]
AnswerType = Literal[
    "date", "amount", "number", "percent", "duration", "boolean",
    "name", "address", "identifier", "text",
]  # fmt: skip
Decomposition = Literal["single", "independent", "sequential", "unified", "conditional"]
RouteName = Literal["sequential", "batch"]
PatternName = Literal[
    "toc_retrieval", "keyword_retrieval", "dense_retrieval", "two_hop_references",
    "listing_aggregation", "adaptive_parsing", "iterative_feedback",
]  # fmt: skip
TriggerName = Literal[
    "initial", "parsing_gap", "vocabulary_gap", "pending_reference", "cardinality_mismatch",
    "incomplete_answer", "failed_validation", "external_rejection",
]  # fmt: skip
ActionName = Literal[
    "first_retrieval", "reparse_pages", "expand_keywords", "follow_references", "widen_listing",
    "widen_windows", "next_candidates", "turn_on_pattern", "drop_failing_windows",
]  # fmt: skip
StopReason = Literal[
    "sufficient", "exhausted", "max_iterations", "no_new_signal", "no_new_candidates",
    "confidence_drop", "drift", "budget", "needs_clarification", "engine_failed",
]  # fmt: skip
AnswerStatus = Literal[
    "answered", "partial", "not_found", "needs_clarification", "over_budget", "failed", "not_run"
]
MatchKind = Literal["exact", "normalized", "fuzzy"]
LineRole = Literal[
    "body", "heading", "list_item", "table_row", "caption", "header", "footer", "footnote"
]
ParseMethod = Literal["native", "ocr", "table", "vision"]
SectionSource = Literal["outline", "printed_toc", "headings"]
ObjectKind = Literal["table", "figure", "annex", "schedule", "definition"]
ImageKind = Literal["decoration", "logo", "photo", "chart", "diagram", "scan"]
CallPurpose = Literal[
    "answer", "correct", "parse_question", "describe_image", "ocr_page", "embed", "judge"
]
CallOutcome = Literal[
    "ok", "malformed", "refused", "truncated", "rate_limited", "server_error",
    "timed_out", "unreachable", "cancelled",
]  # fmt: skip
Detector = Literal["sections", "keywords", "dense", "hints", "two_hop", "listing"]


class Value(BaseModel):
    """Base of all values: immutable, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


# -- documents -------------------------------------------------------------------------------------


class DocumentProfile(Value):
    """What one open of a document tells, without parsing its body."""

    media_type: str
    total_pages: int
    title: str | None = None
    language: str | None = None
    has_outline: bool = False
    has_usable_toc: bool = False
    is_likely_scanned: bool = False
    suggested_strategy: Literal["native", "ocr", "mixed"] = "native"


class CorpusFrames(Value):
    """The corpus tables of some documents, current page versions only."""

    document_df: pl.DataFrame
    page_df: pl.DataFrame
    line_df: pl.DataFrame
    toc_df: pl.DataFrame
    object_df: pl.DataFrame
    cross_ref_df: pl.DataFrame
    image_df: pl.DataFrame
    table_cell_df: pl.DataFrame


# -- questions -------------------------------------------------------------------------------------


class ParsedQuestion(Value):
    """A question as understood: a brief for retrieval and a brief for generation."""

    text: str
    corrected_text: str
    language: str = "en"
    # what to answer
    intent: Intent = "factual"
    answer_shape: AnswerShape = "single"
    answer_type: AnswerType = "text"
    decomposition: Decomposition = "single"
    parts: tuple["ParsedQuestion", ...] = ()
    """The sub-questions of a compound question, parsed each."""
    # where to look
    keywords: tuple[str, ...] = ()
    anchor_keywords: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
    section_hint: str | None = None
    layout_hint: str | None = None
    page_hint: str | None = None
    # whether to answer at all
    needs_clarification: bool = False
    suggested_clarification: str | None = None
    parser: Literal["rules", "llm"] = "rules"
    cues: tuple[str, ...] = ()

    @property
    def sub_questions(self) -> tuple[str, ...]:
        """Return the texts of the parts."""
        return tuple(part.text for part in self.parts)


# -- plan ------------------------------------------------------------------------------------------


class Activations(Value):
    """The seven patterns of a pair, on or off."""

    toc_retrieval: bool = False
    keyword_retrieval: bool = True
    dense_retrieval: bool = False
    two_hop_references: bool = False
    listing_aggregation: bool = False
    adaptive_parsing: bool = False
    iterative_feedback: bool = True


class Budget(Value):
    """Upper bounds of one pair."""

    tokens: int = Field(ge=0)
    usd: Decimal = Field(ge=0)
    ms: int = Field(ge=0)


class PairPlan(Value):
    """What is decided about a pair before anything is retrieved or spent."""

    activations: Activations
    missing_means: tuple[PatternName, ...] = ()
    k: int = 5
    max_iterations: int = 4
    budget: Budget
    model_tier: str = "standard"


class RouteDecision(Value):
    """The route of a pair and the row of the routing table that chose it."""

    route: RouteName | None
    route_rule: str | None
    reason: str
    score_spread: float | None = None


# -- retrieval -------------------------------------------------------------------------------------


class Candidate(Value):
    """A window of one document with rank and scores; the text stays in line_df."""

    doc_id: str
    rank: int
    page_start: int
    line_start: int
    page_end: int
    line_end: int
    relevance: float
    fused_score: float
    detectors: tuple[Detector, ...]
    n_tokens: int
    anchor_overlap: float = 1.0
    """Share of the question's original anchor keywords that stand in the window, 0 to 1.

    Without anchors: 1 when a word of the question or another wording stands in it, else 0.
    """
    is_amending: bool = False
    """An endorsement or amendment changes there what the question is about."""

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        """Return document and line range: what makes two windows the same."""
        return (self.doc_id, self.page_start, self.line_start, self.page_end, self.line_end)

    def covers(self, page: int) -> bool:
        """Return whether some line of a page may be in the window."""
        return self.page_start <= page <= self.page_end


class RetrievalRequest(Value):
    """What to retrieve for one pair in one pass."""

    pair_id: str
    doc_ids: tuple[str, ...]
    question: ParsedQuestion
    activations: Activations
    k: int
    iteration_number: int = 1
    keywords_added: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """Labels to follow: "Table 3", "Section 7.2"."""
    widen: int = 0
    """Times the window has been widened: 0 paragraph, 1 section or page, 2 neighbouring pages."""
    seen: tuple[Candidate, ...] = ()
    """Windows that were offered already: return what holds something unread, best first."""
    dropped: tuple[Candidate, ...] = ()
    """Windows whose answer failed validation: never return them again."""
    pages: tuple[int, ...] = ()
    """Pages that were re-parsed: their windows come first."""


class FigureNote(Value):
    """What a vision model said of a figure, at the line that the figure stands by: no quote."""

    page: int
    line: int
    text: str


class Window(Value):
    """A candidate with its lines: what is rendered for the engine and checked against."""

    candidate: Candidate
    line_df: pl.DataFrame
    table_cell_df: pl.DataFrame | None = None
    notes: tuple[FigureNote, ...] = ()
    """Rendered behind their lines, and never checked against."""


# -- generation ------------------------------------------------------------------------------------


class EvidenceSpan(Value):
    """A quote that stands in the document, found by code."""

    doc_id: str
    page: int
    page_version: int
    line_start: int
    line_end: int
    char_start: int
    char_end: int
    quote: str
    match_kind: MatchKind
    bboxes: tuple[tuple[float, float, float, float], ...] = ()


class CitedQuote(Value):
    """A quote as the engine gave it, not checked yet."""

    quote: str
    line_ids: tuple[str, ...] = ()
    """As rendered: "p7 l12", with "d2 " before it when several documents are offered."""


class AnswerItem(Value):
    """One value of a listing, with evidence of its own."""

    value: str
    cited: tuple[CitedQuote, ...] = ()
    evidence: tuple[EvidenceSpan, ...] = ()


class AnswerWithEvidence(Value):
    """What one generation step answers. `cited` is the engine's word, `evidence` is checked."""

    value_text: str | None = None
    value_number: float | None = None
    value_date: date | None = None
    value_bool: bool | None = None
    unit: str | None = None
    currency: str | None = None
    items: tuple[AnswerItem, ...] = ()
    parts: tuple["AnswerWithEvidence", ...] = ()
    """One answer per sub-question of a compound question, in order."""
    cited: tuple[CitedQuote, ...] = ()
    evidence: tuple[EvidenceSpan, ...] = ()
    answer_found: bool = False
    complete_answer_found: bool = False
    is_likely_complete: bool = True
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    caveats: tuple[str, ...] = ()
    context_structured: bool = True
    unstructured_pages: tuple[int, ...] = ()
    llm_discovered_keywords: tuple[str, ...] = ()
    pending_references: tuple[str, ...] = ()


class CheckFailure(Value):
    """One programmatic check that an answer did not pass, in words the engine can act on."""

    check: Literal["malformed", "quote_not_found", "value_not_in_quote", "count", "format", "flags"]
    message: str


class ValidatedAnswer(Value):
    """An answer after all checks: `evidence` is filled, unsupported parts are gone."""

    answer: AnswerWithEvidence
    failures: tuple[CheckFailure, ...] = ()
    cardinality_cue: int | None = None
    """Number of items the text announces ("three types of …"); null when it announces none."""


class GenerationRequest(Value):
    """One request for a model: messages, schema of the reply, and what they are made of."""

    messages: tuple[tuple[Literal["system", "user", "assistant"], str], ...]
    schema_name: str
    json_schema: dict[str, object]
    prompt_version: str
    n_fixed_tokens: int
    max_completion_tokens: int = 1024


class Usage(Value):
    """What calls cost. Sums with `+`; an unknown price makes the sum unknown."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: Decimal | None = Decimal(0)
    n_calls: int = 0
    n_calls_reused: int = 0

    @property
    def tokens(self) -> int:
        """Return prompt and completion tokens together: what budgets count."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        if self.cost_usd is None or other.cost_usd is None:
            cost_usd = None
        else:
            cost_usd = self.cost_usd + other.cost_usd
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost_usd=cost_usd,
            n_calls=self.n_calls + other.n_calls,
            n_calls_reused=self.n_calls_reused + other.n_calls_reused,
        )


# -- the loop: commands and replies ----------------------------------------------------------------


class Retrieve(Value):
    """Command: retrieve windows for the next pass."""

    request: RetrievalRequest


class Reparse(Value):
    """Command: read these pages of one document again by other means."""

    doc_id: str
    pages: tuple[int, ...]
    reason: str


class Generate(Value):
    """Command: one generation step over these candidates, within what is left of the budget."""

    iteration_number: int
    step: int
    candidates: tuple[Candidate, ...]
    budget_left: Budget


class Finish(Value):
    """Command: the loop is over."""

    stop_reason: StopReason


Command = Retrieve | Reparse | Generate | Finish


class Retrieved(Value):
    """Reply to Retrieve."""

    candidates: tuple[Candidate, ...]
    elapsed_ms: int = 0


class Reparsed(Value):
    """Reply to Reparse: pages that have a new version now; empty when no means were there."""

    pages: tuple[int, ...]
    usage: Usage = Usage()
    elapsed_ms: int = 0


class Generated(Value):
    """Reply to Generate: a checked answer, what it cost, and whether the engine failed."""

    answer: AnswerWithEvidence
    failures: tuple[CheckFailure, ...] = ()
    cardinality_cue: int | None = None
    usage: Usage = Usage()
    elapsed_ms: int = 0
    prompt_version: str | None = None
    error: str | None = None
    """Why there is no answer, when the engine failed; null when it answered."""
    is_rejected: bool = False
    """A configured judge or an imported human verdict says no."""
    is_over_budget: bool = False
    """The call was refused by a bound of run, day or month before it was sent."""


Reply = Retrieved | Reparsed | Generated


class GenerateTask(Value):
    """What an engine gets: a Generate command with the texts it names."""

    run_id: str | None
    pair_id: str
    question: ParsedQuestion
    windows: tuple[Window, ...]
    iteration_number: int
    step: int
    budget_left: Budget
    model_tier: str = "standard"
    called_at: datetime


def plain_decimal(value: Decimal) -> str:
    """Return a decimal without exponent and without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
