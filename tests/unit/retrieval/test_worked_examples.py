"""The two questions that the design began with, over small documents of the same build."""

from flows.retrieve import retrieve
from tests.unit.retrieval.corpora import corpus, lines
from transforms.retrieval import index_lines, listing_coverage, make_windows
from transforms.tables import DocumentObject, Section
from transforms.values import Activations, CorpusFrames, ParsedQuestion, RetrievalRequest

PROSE = ["the model attends to all positions of the sequence in one step", ""] * 24
LISTING = Activations(toc_retrieval=True, listing_aggregation=True, two_hop_references=True)


def section(
    number: str, title: str, start: tuple[int, int], end: tuple[int, int]
) -> dict[str, object]:
    return {
        "doc_id": "d1", "section_id": f"s{number}", "level": number.count(".") + 1,
        "number": number, "title": title, "page_start": start[0], "line_start": start[1],
        "page_end": end[0], "line_end": end[1], "source": "outline",
    }  # fmt: skip


def ask(frames: CorpusFrames, question: ParsedQuestion, *references: str) -> tuple[str, list[str]]:
    """Return the texts of the windows, the first one also on its own."""
    request = RetrievalRequest(
        pair_id="p", doc_ids=("d1",), question=question, activations=LISTING, k=5,
        references=references,
    )  # fmt: skip
    term_df = index_lines(frames.line_df, language="en")
    windows = make_windows(retrieve([request], frames, term_df)["p"], frames)
    texts = ["\n".join(window.line_df["text"]) for window in windows]
    return texts[0], texts


def paper() -> CorpusFrames:
    training = [
        "5.4 Regularization",
        "",
        "We employ three types of regularization during training:",
        "",
        "Residual Dropout",
        "",
        "Label Smoothing hurts perplexity but improves BLEU",
    ]
    table = ["Table 3: Variations on the architecture", "", "dropout 0.1 BLEU 25.8", "", *PROSE]
    line_df = lines(
        "d1",
        *[PROSE] * 6,
        [*PROSE, "", *training],
        PROSE,
        table,
        roles={"5.4 Regularization": "heading", table[0]: "caption"},
    )
    toc_df = Section.frame([section("5.4", "Regularization", (7, 25), (7, 28))])
    object_df = DocumentObject.frame(
        [{"doc_id": "d1", "object_id": "o1", "kind": "table", "label": "Table 3", "page": 9,
          "line_start": 1, "line_end": 2}]
    )  # fmt: skip
    return corpus(line_df, toc_df=toc_df, object_df=object_df)


REGULARIZATION = ParsedQuestion(
    text="What regularization techniques does the paper use, and where is the impact on BLEU?",
    corrected_text="What regularization techniques does the paper use, and where is the impact "
    "on BLEU?",
    intent="listing",
    answer_shape="listing",
    keywords=("regularization", "techniques", "paper", "impact", "BLEU"),
)


def test_the_techniques_are_found_in_their_section() -> None:
    first, _ = ask(paper(), REGULARIZATION)
    assert "5.4 Regularization" in first
    assert "Label Smoothing" in first


def test_a_pending_table_is_fetched_from_its_page() -> None:
    first, _ = ask(paper(), REGULARIZATION, "Table 3")
    assert first.startswith("Table 3: Variations")


def framework() -> CorpusFrames:
    categories = [
        [f"Category {name} (GV.{code}): what the organization knows and decides", "", *PROSE[:16]]
        for name, code in (
            ("Organizational Context", "OC"), ("Risk Management Strategy", "RM"),
            ("Roles and Authorities", "RR"), ("Policy", "PO"), ("Oversight", "OV"),
            ("Supply Chain Risk Management", "SC"),
        )
    ]  # fmt: skip
    govern = ["GOVERN (GV): six Categories", "", *(line for part in categories for line in part)]
    line_df = lines("d1", *[PROSE] * 3, govern, *[PROSE] * 3, roles={govern[0]: "heading"})
    last = line_df.filter(line_df["page"] == 4)["line"].max()
    toc_df = Section.frame([section("1", "GOVERN", (4, 1), (4, int(str(last))))])
    return corpus(line_df, toc_df=toc_df)


CATEGORIES = ParsedQuestion(
    text="What are all the Categories under GOVERN, and which one covers supply chain risk?",
    corrected_text="What are all the Categories under GOVERN, and which one covers supply chain "
    "risk?",
    intent="listing",
    answer_shape="listing",
    keywords=("Categories", "GOVERN", "supply", "chain", "risk"),
    anchor_keywords=("Categories", "GOVERN"),
)


def test_the_windows_of_a_listing_hold_every_category() -> None:
    _, texts = ask(framework(), CATEGORIES)
    together = "\n".join(texts)
    assert all(f"GV.{code}" in together for code in ("OC", "RM", "RR", "PO", "OV", "SC"))


def test_the_coverage_of_a_listing_counts_pages_that_match() -> None:
    frames = framework()
    request = RetrievalRequest(
        pair_id="p", doc_ids=("d1",), question=CATEGORIES, activations=LISTING, k=5
    )
    term_df = index_lines(frames.line_df, language="en")
    candidates = retrieve([request], frames, term_df)["p"]
    coverage = listing_coverage(CATEGORIES, ["d1"], candidates, frames.document_df, term_df)
    assert (coverage.n_pages_matching, coverage.n_matching_examined) == (1, 1)
    assert coverage.in_words().endswith("pages that match the question: 1, 1 of them examined")


def test_pages_that_match_and_were_not_read_count_as_such() -> None:
    frames = framework()
    term_df = index_lines(frames.line_df, language="en")
    coverage = listing_coverage(CATEGORIES, ["d1"], (), frames.document_df, term_df)
    assert (coverage.n_pages_examined, coverage.n_matching_examined) == (0, 0)
    assert coverage.n_pages_matching == 1
