"""Every stored table, declared once: all nouns of Compline.

The name of a table is the same in four places: row class `Line`, frame `line_df`, table `line_df`,
files `line_df/*.parquet`. Pages, lines, passes and versions count from 1. Coordinates are PDF
points from the top left, after rotation. Money is US dollars. Times are UTC.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from transforms.row import Row
from transforms.values import (
    ActionName,
    AnswerShape,
    AnswerStatus,
    AnswerType,
    CallOutcome,
    CallPurpose,
    Decomposition,
    ImageKind,
    Intent,
    LineRole,
    MatchKind,
    ObjectKind,
    ParseMethod,
    RouteName,
    SectionSource,
    StopReason,
    TriggerName,
)

DocId = Annotated[str, Field(description="first 16 hex digits of the sha256 of the file's bytes")]
RunId = Annotated[str, Field(description="the run")]
PairId = Annotated[str, Field(description="stable hash of question and scope")]
Page = Annotated[int, Field(ge=1, description="physical page, from 1")]
PageVersion = Annotated[int, Field(ge=1, description="parse of the page, from 1")]
LineNumber = Annotated[int, Field(ge=1, description="line on the page in reading order, from 1")]
X0 = Annotated[float, Field(description="left edge, points")]
Y0 = Annotated[float, Field(description="top edge, points")]
X1 = Annotated[float, Field(description="right edge, points")]
Y1 = Annotated[float, Field(description="bottom edge, points")]
Usd = Annotated[Decimal | None, Field(description="US dollars; null when the price is unknown")]
Iteration = Annotated[int, Field(ge=1, description="pass of the feedback loop, from 1")]
SubQuestion = Annotated[int, Field(ge=0, description="part of the question, 0 for the whole")]


# -- corpus: what the documents say ----------------------------------------------------------------


class Source(Row):
    """One row per file seen at one time."""

    table = "source_df"
    key = ("uri", "seen_at")

    uri: str = Field(description="absolute path or URL of the file")
    seen_at: datetime = Field(description="when the file was looked at, UTC")
    doc_id: DocId
    file_name: str = Field(description="last part of the uri")
    status: Literal["current", "superseded", "vanished"] = Field(description="state of the file")


class Document(Row):
    """One row per distinct file content."""

    table = "document_df"
    key = ("doc_id",)

    doc_id: DocId
    file_name: str = Field(description="name under which the content was first seen")
    n_bytes: int = Field(description="size of the file")
    media_type: str = Field(description="found from the content, not from the name")
    title: str | None = Field(description="title in the file's metadata or on its first page")
    language: str | None = Field(description="ISO 639-1 code of most of its text")
    n_pages: int = Field(description="physical pages; 0 when it did not open")
    has_outline: bool = Field(description="the file carries an outline")
    has_usable_toc: bool = Field(description="toc_df has sections that point into the text")
    is_likely_scanned: bool = Field(description="most pages are images without text")
    suggested_strategy: Literal["native", "ocr", "mixed"] = Field(
        description="what the profile asks for"
    )
    parse_status: Literal["parsed", "partial", "failed"] = Field(description="how parsing ended")
    error_code: str | None = Field(description="why it is not parsed, as a code")
    error_message: str | None = Field(description="why it is not parsed and what to do, in words")
    parser_version: str = Field(description="version of the parser that made these rows")
    parsed_at: datetime = Field(description="UTC")
    vision_model: str | None = Field(
        description="model that looked at pages or images of it; null while none was asked"
    )
    doc_type: str | None = Field(description="user metadata: kind of document")
    policy_number: str | None = Field(description="user metadata: number shared by its versions")
    insurer: str | None = Field(description="user metadata: company that issued it")
    period_start: date | None = Field(description="user metadata: first day it covers")
    period_end: date | None = Field(description="user metadata: last day it covers")
    metadata: str | None = Field(description="all other user metadata, a JSON object")


class DocumentPage(Row):
    """One row per parse of a page."""

    table = "page_df"
    key = ("doc_id", "page", "page_version")

    doc_id: DocId
    page: Page
    page_version: PageVersion
    page_label: str | None = Field(description="page number as printed or declared")
    width: float = Field(description="points, after rotation")
    height: float = Field(description="points, after rotation")
    rotation: int = Field(description="degrees: 0, 90, 180 or 270")
    n_columns: int = Field(description="text columns found")
    n_lines: int = Field(description="lines in line_df")
    n_chars: int = Field(description="characters in line_df")
    image_share: float = Field(description="part of the page covered by images, 0 to 1")
    text_quality: float = Field(description="share of readable words, 0 to 1")
    is_flagged: bool = Field(description="a check of this version failed: its text is not enough")
    parse_method: ParseMethod = Field(description="how this version was read")
    escalation_reason: str | None = Field(
        description="the check that failed, of this version or of the one before"
    )
    parsed_at: datetime = Field(description="UTC")


class Line(Row):
    """One row per printed line of a page (a visual row), in reading order."""

    table = "line_df"
    key = ("doc_id", "page", "page_version", "line")

    doc_id: DocId
    page: Page
    page_version: PageVersion
    line: LineNumber
    text: str = Field(description="what is printed, not normalised")
    n_tokens: int | None = Field(
        description="o200k tokens of the text and its line break; null before schema 3"
    )
    x0: X0
    y0: Y0
    x1: X1
    y1: Y1
    font_size: float = Field(description="points")
    is_bold: bool = Field(description="most of the line is bold")
    is_italic: bool = Field(description="most of the line is italic")
    column_number: int = Field(description="text column, from 1; 0 across all columns")
    block: int = Field(description="paragraph on the page, from 1")
    role: LineRole = Field(description="what the line is on its page")
    section_id: str | None = Field(description="innermost section in toc_df")


class Section(Row):
    """One row per section of a document."""

    table = "toc_df"
    key = ("doc_id", "section_id")

    doc_id: DocId
    section_id: str = Field(description="s1, s2, … in document order")
    parent_id: str | None = Field(description="section that contains it")
    level: int = Field(description="depth, from 1")
    number: str | None = Field(description='as printed: "5.4"')
    title: str = Field(description="heading without its number")
    page_start: Page
    line_start: LineNumber
    page_end: Page
    line_end: LineNumber
    source: SectionSource = Field(description="where the section was found")


class DocumentObject(Row):
    """One row per table, figure, annex, schedule or definition."""

    table = "object_df"
    key = ("doc_id", "object_id")

    doc_id: DocId
    object_id: str = Field(description="o1, o2, … in document order")
    kind: ObjectKind = Field(description="what it is")
    label: str | None = Field(description='as printed: "Table 3"; the term of a definition')
    caption: str | None = Field(description="text that goes with it")
    page: Page
    line_start: LineNumber
    line_end: LineNumber


class CrossReference(Row):
    """One row per reference from the text to another place of the document."""

    table = "cross_ref_df"
    key = ("doc_id", "page", "line", "seq")

    doc_id: DocId
    page: Page
    line: LineNumber
    seq: int = Field(description="reference within the line, from 1")
    ref_text: str = Field(description='as printed: "see Section 7.2"')
    target_kind: str = Field(description="section, table, figure, annex, schedule or clause")
    target_label: str = Field(description='as printed: "7.2"')
    target_id: str | None = Field(description="section_id or object_id; null when not resolved")


class DocumentImage(Row):
    """One row per image placed on a page."""

    table = "image_df"
    key = ("doc_id", "image_id")

    doc_id: DocId
    image_id: str = Field(description="i1, i2, … in document order")
    page: Page
    x0: X0
    y0: Y0
    x1: X1
    y1: Y1
    kind: ImageKind = Field(description="by cheap cues: size, repetition, place, colours")
    is_described: bool = Field(description="a vision model has described it, or its equal")
    description: str | None = Field(
        description="for finding, never evidence; empty for decoration, null when not described"
    )


class TableCell(Row):
    """One row per cell of a table."""

    table = "table_cell_df"
    key = ("doc_id", "object_id", "row_number", "column_number")

    doc_id: DocId
    object_id: str = Field(description="table in object_df")
    row_number: int = Field(description="from 1, over all pages of the table")
    column_number: int = Field(description="from 1, left to right")
    page: Page
    text: str = Field(description="as printed")
    x0: X0
    y0: Y0
    x1: X1
    y1: Y1


class TermPosting(Row):
    """One row per term and line: the index, sorted by term."""

    table = "term_df"
    key = ("doc_id", "term", "page", "page_version", "line")

    doc_id: DocId
    term: str = Field(description="stemmed word, or a number or code kept whole")
    page: Page
    page_version: PageVersion
    line: LineNumber
    tf: int = Field(description="times the term stands in the line")


class Embedding(Row):
    """One row per embedded stretch of lines."""

    table = "embedding_df"
    key = ("doc_id", "page", "page_version", "line_start", "model")

    doc_id: DocId
    page: Page
    page_version: PageVersion
    line_start: LineNumber
    model: str = Field(description="embedding model")
    line_end: LineNumber
    vector: list[float] = Field(description="unit length")


# -- questions and plan ----------------------------------------------------------------------------


class Question(Row):
    """One row per version of a question, as parsed."""

    table = "question_df"
    key = ("set_id", "question_id", "question_version")

    set_id: str = Field(description="name of the question set")
    question_id: str = Field(description="as in the question file")
    question_version: str = Field(description="hash of the row in the question file")
    text: str = Field(description="as asked")
    corrected_text: str = Field(description="spelling corrected against the corpus vocabulary")
    language: str = Field(description="ISO 639-1")
    intent: Intent = Field(description="what is wanted")
    answer_shape: AnswerShape = Field(description="form of the answer")
    answer_type: AnswerType = Field(description="type of its value or values")
    decomposition: Decomposition = Field(description="how it splits into parts")
    sub_questions: list[str] = Field(description="the parts, when there are several")
    parsed_parts: list[str] | None = Field(description="each part as parsed, JSON, for a replay")
    keywords: list[str] = Field(description="words to retrieve with, most informative first")
    anchor_keywords: list[str] = Field(description="words and codes that must not be lost")
    rewrites: list[str] = Field(description="other wordings from the vocabulary")
    section_hint: str | None = Field(description="section named in the question")
    layout_hint: str | None = Field(description="table, figure, header, … named in the question")
    page_hint: str | None = Field(description="page named in the question, as printed")
    scope: str = Field(description="document, group:COLUMN or corpus")
    documents: list[str] = Field(description="file names or globs; empty for all")
    where_sql: str | None = Field(description="condition over document_df")
    k: int | None = Field(description="windows asked for; null for the default")
    budget_tokens: int | None = Field(description="bound for one pair; null for the default")
    budget_usd: Decimal | None = Field(description="bound for one pair; null for the default")
    budget_ms: int | None = Field(description="bound for one pair; null for the default")
    tags: list[str] = Field(description="for charging cost back")
    model_tier: str = Field(description="tier that compline.toml maps to a model")
    needs_clarification: bool = Field(description="cannot be answered as asked")
    suggested_clarification: str | None = Field(description="one question to ask back")
    parser: Literal["rules", "llm"] = Field(description="who parsed it")
    cues: list[str] = Field(description="names of the rules that fired, field=cue")


class Pair(Row):
    """One row per question and scope: the unit that is answered."""

    table = "pair_df"
    key = ("run_id", "pair_id")

    run_id: RunId
    pair_id: PairId
    set_id: str = Field(description="name of the question set")
    question_id: str = Field(description="as in the question file")
    question_version: str = Field(description="hash of the row in the question file")
    scope: Literal["document", "group", "corpus"] = Field(description="what it is asked of")
    scope_key: str = Field(description="doc_id, value of the group column, or corpus")


class PairDocument(Row):
    """One row per document of a pair."""

    table = "pair_doc_df"
    key = ("run_id", "pair_id", "doc_id")

    run_id: RunId
    pair_id: PairId
    doc_id: DocId
    side: str | None = Field(description="for comparisons, part of the question it stands for")
    as_of: datetime = Field(description="page versions up to here were read, UTC")


class Dispatch(Row):
    """One row per pair: what was decided before and after first retrieval."""

    table = "dispatch_df"
    key = ("run_id", "pair_id")

    run_id: RunId
    pair_id: PairId
    route: RouteName | None = Field(description="null when the question needs clarification")
    route_rule: str | None = Field(description="row of the routing table that matched")
    reason: str = Field(description="the rule in words, with the values it saw")
    score_spread: float | None = Field(description="(s1 - sK) / s1 over relevance")
    toc_retrieval: bool = Field(description="pattern: sections through the toc")
    keyword_retrieval: bool = Field(description="pattern: BM25 over the index")
    dense_retrieval: bool = Field(description="pattern: embeddings")
    two_hop_references: bool = Field(description="pattern: follow references")
    listing_aggregation: bool = Field(description="pattern: keep every match of a section")
    adaptive_parsing: bool = Field(description="pattern: re-parse flagged pages")
    iterative_feedback: bool = Field(description="pattern: more than one pass")
    missing_means: list[str] = Field(description="patterns that are on but cannot be used")
    k: int = Field(description="windows a pass may offer")
    max_iterations: int = Field(description="bound on passes")
    budget_tokens: int = Field(description="bound on prompt and completion tokens")
    budget_usd: Decimal = Field(description="bound on cost")
    budget_ms: int = Field(description="bound on elapsed time")
    baseline_tokens: int | None = Field(description="what naive top-K batch would send")


class CandidateWindow(Row):
    """One row per window offered in a pass."""

    table = "candidate_df"
    key = ("run_id", "pair_id", "iteration_number", "rank")

    run_id: RunId
    pair_id: PairId
    iteration_number: Iteration
    rank: int = Field(ge=1, description="order in the pass, from 1")
    doc_id: DocId
    page_start: Page
    line_start: LineNumber
    page_end: Page
    line_end: LineNumber
    relevance: float = Field(description="BM25 of the window, raw")
    fused_score: float = Field(description="reciprocal rank fusion, k = 60")
    detectors: list[str] = Field(description="who found it")
    n_tokens: int = Field(description="o200k tokens of the rendered window")
    is_read: bool = Field(description="it was sent to the engine")


# -- answers and what they cost --------------------------------------------------------------------


class Answer(Row):
    """One row per pair, and one more for each part of a compound question."""

    table = "answer_df"
    key = ("run_id", "pair_id", "sub_question")

    run_id: RunId
    pair_id: PairId
    sub_question: SubQuestion
    question_id: str = Field(description="as in the question file")
    doc_id: str | None = Field(description="null for groups and the corpus")
    route: RouteName | None = Field(description="null when nothing was asked")
    engine: str = Field(description="offline, openai, openai-batch or replay")
    model: str | None = Field(description="null for the offline engine")
    status: AnswerStatus = Field(description="how it ended")
    value_text: str | None = Field(description="the value as text")
    value_number: float | None = Field(description="amounts, numbers, percents, durations")
    value_date: date | None = Field(description="dates")
    value_bool: bool | None = Field(description="booleans")
    unit: str | None = Field(description="day, month, year, percent, …")
    currency: str | None = Field(description="ISO 4217")
    items: list[str] = Field(description="values of a listing")
    answer_found: bool = Field(description="something stands in the document")
    complete_answer_found: bool = Field(description="and it is all that was asked")
    confidence: float = Field(description="0 to 1; decides nothing")
    caveats: list[str] = Field(description="what a reader must know")
    stop_reason: StopReason | None = Field(description="why the loop ended; null when not run")
    is_exhausted: bool = Field(description="exhausted, max_iterations or budget")
    n_iterations: int = Field(description="passes")
    n_steps: int = Field(description="generation calls that were commanded")
    n_calls_reused: int = Field(description="calls answered from the ledger")
    prompt_tokens: int = Field(description="sent, over all calls")
    completion_tokens: int = Field(description="received, over all calls")
    cost_usd: Usd
    latency_ms: int = Field(description="elapsed in calls and retrieval")
    prompt_version: str | None = Field(description="content hash of the prompt's fixed parts")
    fingerprint: str = Field(description="hash of all that the answer depends on")
    reused_from_run_id: str | None = Field(description="run whose answer this is")


class Evidence(Row):
    """One row per quote that an answer stands on."""

    table = "evidence_df"
    key = ("run_id", "pair_id", "sub_question", "item", "seq")

    run_id: RunId
    pair_id: PairId
    sub_question: SubQuestion
    item: int = Field(ge=0, description="item of a listing, from 1; 0 for a single value")
    seq: int = Field(ge=1, description="quote of that item, from 1")
    doc_id: DocId
    page: Page
    page_version: PageVersion
    line_start: LineNumber
    line_end: LineNumber
    char_start: int = Field(description="first character in line_start's text, from 0")
    char_end: int = Field(description="end in line_end's text, exclusive")
    quote: str = Field(description="as it stands in the document")
    match_kind: MatchKind = Field(description="how the quote was found")
    bboxes: list[list[float]] = Field(description="one x0, y0, x1, y1 per line")


class IterationRecord(Row):
    """One row per pass of a pair's loop."""

    table = "iteration_df"
    key = ("run_id", "pair_id", "iteration_number")

    run_id: RunId
    pair_id: PairId
    iteration_number: Iteration
    trigger: TriggerName = Field(description="what led to this pass")
    action_taken: ActionName = Field(description="what was done about it")
    result_summary: str = Field(description="what the pass brought")
    confidence_before: float | None = Field(description="null in the first pass")
    confidence_after: float | None = Field(description="null when nothing was read")
    keywords_added: list[str] = Field(description="added for this pass")
    pages_added: list[int] = Field(description="pages first seen in this pass")
    patterns_activated: list[str] = Field(description="turned on for this pass")
    n_candidates: int = Field(description="windows retrieved")
    n_candidates_new: int = Field(description="of them not seen before")
    n_tokens: int = Field(description="prompt and completion tokens of the pass")
    retrieval_ms: int | None = Field(description="elapsed in retrieval for the pass")
    parsing_ms: int | None = Field(description="elapsed in re-parsing pages for the pass")
    generation_ms: int | None = Field(description="elapsed in reading and calls of the pass")
    stop_reason: StopReason | None = Field(description="null while the loop goes on")
    narration: str = Field(description="the pass in one line")


class LlmCall(Row):
    """One row per attempt at a call of a model."""

    table = "llm_call_df"
    key = ("call_id", "attempt")

    call_id: str = Field(description="one logical call")
    attempt: int = Field(ge=1, description="from 1")
    run_id: str | None = Field(description="null for calls at ingest")
    pair_id: str | None = Field(description="null when it is about a document or a question")
    doc_id: str | None = Field(description="null when it is not about one document")
    iteration_number: int | None = Field(description="pass")
    step: int | None = Field(description="generation call in the pass, from 1")
    purpose: CallPurpose = Field(description="what it was for")
    engine: str = Field(description="openai or openai-batch")
    endpoint: str = Field(description="base URL without credentials")
    model: str = Field(description="as sent")
    request_hash: str = Field(description="sha256: of the canonical request")
    prompt_tokens: int | None = Field(description="as the endpoint counted")
    cached_tokens: int | None = Field(description="of them read from its cache")
    completion_tokens: int | None = Field(description="as the endpoint counted")
    reasoning_tokens: int | None = Field(description="of them spent on reasoning")
    reserved_tokens: int | None = Field(
        description="estimate reserved before it was sent; prompt and completion may exceed it"
    )
    cost_usd: Usd
    price_source: str | None = Field(description="where the price is from; null when unknown")
    latency_ms: int = Field(description="elapsed")
    outcome: CallOutcome = Field(description="how it ended")
    http_status: int | None = Field(description="null when no response came")
    finish_reason: str | None = Field(description="as the endpoint said")
    budget_left_tokens: int | None = Field(description="of the narrowest bound, after the call")
    budget_left_usd: Decimal | None = Field(description="of the narrowest bound, after the call")
    called_at: datetime = Field(description="UTC")


class Verdict(Row):
    """One row per judgement of an answer by a person."""

    table = "verdict_df"
    key = ("pair_id", "reviewer", "reviewed_at")

    pair_id: PairId
    reviewer: str = Field(description="who judged")
    reviewed_at: datetime = Field(description="UTC")
    run_id: RunId
    verdict: Literal["right", "wrong", "incomplete"] = Field(description="the judgement")
    right_value: str | None = Field(description="what it should have been")
    note: str | None = Field(description="free text")


class Run(Row):
    """One row per execution of a question set."""

    table = "run_df"
    key = ("run_id",)

    run_id: RunId
    set_id: str = Field(description="name of the question set")
    flow_run_id: str | None = Field(description="Prefect's id")
    resumed_from: str | None = Field(description="run that was interrupted")
    killed_run_ids: list[str] | None = Field(
        description="runs it went on from that were killed, so have no row: their calls count here"
    )
    started_at: datetime = Field(description="UTC")
    finished_at: datetime | None = Field(description="UTC")
    status: Literal["running", "done", "done_with_failures", "stopped", "cancelled"] = Field(
        description="how it ended"
    )
    engine: str = Field(description="who generated")
    model: str | None = Field(description="null for the offline engine")
    settings: str = Field(description="JSON object without secrets; overridden rules included")
    budget_tokens: int | None = Field(description="bound for the run")
    budget_usd: Decimal | None = Field(description="bound for the run")
    budget_ms: int | None = Field(description="bound for the run")
    spent_tokens: int = Field(description="prompt and completion")
    spent_usd: Decimal | None = Field(description="null when a price is unknown")
    n_pairs: int = Field(description="pairs of the run")
    n_reused: int = Field(description="of them reused from an earlier run")
    n_failed: int = Field(description="of them failed")


CORPUS_TABLES: tuple[type[Row], ...] = (
    Source,
    Document,
    DocumentPage,
    Line,
    Section,
    DocumentObject,
    CrossReference,
    DocumentImage,
    TableCell,
    TermPosting,
    Embedding,
)
RUN_TABLES: tuple[type[Row], ...] = (
    Question,
    Pair,
    PairDocument,
    Dispatch,
    CandidateWindow,
    Answer,
    Evidence,
    IterationRecord,
    Verdict,
    Run,
)
TABLES: dict[str, type[Row]] = {row.table: row for row in (*CORPUS_TABLES, *RUN_TABLES, LlmCall)}
