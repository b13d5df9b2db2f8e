"""The two questions that the design began with, of their real documents, at a real endpoint."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flows import pdf_qa_loop
from flows.pdf_qa import CompositeOutput
from flows.settings import load_settings
from tests.e2e.endpoint import Endpoint
from tests.e2e.loop_scenarios import Model, Scenario, listing, not_found, parts, quoting

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
TRANSFORMER = CORPUS / "papers" / "1706.03762v7_Attention.pdf"
FRAMEWORK = CORPUS / "standards" / "NIST.CSWP.29.pdf"
pytestmark = pytest.mark.skipif(not CORPUS.exists(), reason=f"needs the documents in {CORPUS}")

TECHNIQUES = ("Residual Dropout", "dropout to the sums of the embeddings", "Label Smoothing")
CATEGORIES = (
    "Organizational Context (GV.OC)", "Risk Management Strategy (GV.RM)",
    "Roles, Responsibilities, and Authorities (GV.RR)", "Policy (GV.PO)", "Oversight (GV.OV)",
    "Cybersecurity Supply Chain Risk Management (GV.SC)",
)  # fmt: skip
IMPACT = "What regularization techniques does the paper use, and where is the impact on BLEU?"
KINDS = "What types of regularization are employed during training?"
GOVERN = "What are all the Categories under GOVERN, and which one covers supply chain risk?"


def scenario(question: str, *replies: object) -> Scenario:
    return Scenario("", (), question, replies, (), "", "")  # pyright: ignore[reportArgumentType]


def govern(lines: str) -> dict[str, object]:
    """List the categories that are shown, and say so when some are missing."""
    both = parts(listing(*CATEGORIES), listing(CATEGORIES[5]))(lines)
    whole = both["part_1"]["complete_answer_found"]
    both["part_1"]["is_likely_complete"] = whole
    return both


MODEL = Model(
    (
        scenario(
            IMPACT,
            parts(listing(*TECHNIQUES), not_found(), pending_references=["Table 3"]),
            parts(listing(*TECHNIQUES), quoting("Table 3: Variations on the Transformer")),
        ),
        scenario(KINDS, listing(TECHNIQUES[0], TECHNIQUES[2])),
        scenario(GOVERN, govern),
    )
)


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with Endpoint(MODEL) as running:
        yield running.base_url


def asked(path: Path, question: str, tmp_path: Path, base_url: str | None) -> CompositeOutput:
    model = {"engine": "openai", "model": "m", "base_url": base_url, "api_key": "sk-test"}
    engine = model if base_url else {"engine": "offline"}
    settings = load_settings(warehouse=str(tmp_path / "warehouse"), **engine)
    return pdf_qa_loop(path, question, settings=settings)


def test_the_transformer_takes_two_passes_and_follows_table_3_to_its_page(
    tmp_path: Path, base_url: str
) -> None:
    output = asked(TRANSFORMER, IMPACT, tmp_path, base_url)
    assert (output.status, output.stop_reason) == ("answered", "sufficient")
    first, second = output.iterations
    assert (second.signal.trigger, second.signal.references) == ("pending_reference", ("Table 3",))
    followed = [window for window in second.candidates if "two_hop" in window.detectors]
    assert followed[0].page_start == 9
    techniques, impact = output.answer.parts
    assert [item.value for item in techniques.items] == list(TECHNIQUES)
    assert [item.evidence[0].page for item in techniques.items] == [8, 8, 8]
    assert [quote.page for quote in impact.evidence] == [9]
    assert first.outcome.endswith("incomplete")


def test_two_of_three_announced_types_of_regularization_are_not_all(
    tmp_path: Path, base_url: str
) -> None:
    output = asked(TRANSFORMER, KINDS, tmp_path, base_url)
    assert output.status == "partial"
    assert "the text announces 3 items, the answer has 2" in output.answer.caveats
    assert "cardinality_mismatch" in {
        signal.trigger
        for record in output.iterations
        for signal in (record.signal, *record.fruitless)
    }


def test_all_categories_of_govern_are_listed_and_the_one_for_supply_chains_is_named(
    tmp_path: Path, base_url: str
) -> None:
    output = asked(FRAMEWORK, GOVERN, tmp_path, base_url)
    assert (output.status, output.stop_reason) == ("answered", "sufficient")
    categories, supply_chain = output.answer.parts
    assert [item.value for item in categories.items] == list(CATEGORIES)
    assert all(item.evidence for item in categories.items)
    assert [item.value for item in supply_chain.items] == [CATEGORIES[5]]


@pytest.mark.parametrize(
    ("path", "question"), [(TRANSFORMER, IMPACT), (TRANSFORMER, KINDS), (FRAMEWORK, GOVERN)]
)
def test_without_a_model_both_end_honestly(path: Path, question: str, tmp_path: Path) -> None:
    output = asked(path, question, tmp_path, None)
    answers = output.answer.parts or (output.answer,)
    assert output.status in ("answered", "partial", "not_found")
    for answer in answers:
        values = answer.items or ((answer,) if answer.answer_found else ())
        assert all(value.evidence for value in values)
        assert answer.answer_found == bool(values)
    is_whole = all(answer.complete_answer_found for answer in answers)
    assert (output.status == "answered") == is_whole
    assert len(output.iterations) <= 4
