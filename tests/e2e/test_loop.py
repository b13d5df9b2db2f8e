"""Every trigger, action and stop rule of the loop, through the real flow, in iteration_df."""

import csv
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import polars as pl
import pymupdf
import pytest

from flows.answer import answer
from flows.clock import now
from flows.explain import pipeline_trace
from flows.highlight import highlight_pdf
from flows.ingest import ingest
from flows.ledger import Ledger
from flows.replay import replay
from flows.settings import load_settings
from flows.warehouse import Warehouse
from tests.e2e.endpoint import Endpoint
from tests.e2e.loop_scenarios import SCENARIOS, Model, Scenario, write_pdf
from tests.e2e.night import Night
from transforms.errors import InputError
from transforms.parsing import parse_document
from transforms.pipeline import feedback
from transforms.pipeline.feedback import TRIGGERS
from transforms.pipeline.story import STOPS, narrate
from transforms.retrieval import index_lines
from transforms.tables import Source, Verdict
from transforms.values import ActionName, StopReason, TriggerName

COLUMNS = ("question_id", "question", "documents", "k", "budget_tokens", "budget_usd", "budget_ms")
MODELS = ("m", "j", "e")


class Told:
    """The rows of the run in which all scenarios were asked."""

    def __init__(self, night: Night, run_id: str) -> None:
        self.night, self.run_id = night, run_id
        self._pair_df = night.rows("pair_df", run_id).select("pair_id", "question_id")

    def rows(self, table: str, scenario: str) -> pl.DataFrame:
        row_df = self.night.rows(table, self.run_id).drop("question_id", strict=False)
        return row_df.join(self._pair_df, on="pair_id").filter(question_id=scenario)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, prefect: None) -> Iterator[Told]:
    folder = tmp_path_factory.mktemp("loop")
    with Endpoint(Model(SCENARIOS)) as endpoint:
        night = Night(folder, endpoint)
        night.overrides |= {
            "judge_model": "j",
            "embedding_model": "e",
            "max_attempts": 1,
            "prices": {name: {"input": "1", "output": "2"} for name in MODELS},
        }
        write_documents(night)
        yield Told(night, answer(questions_of(folder), None, night.overrides))


def write_documents(night: Night) -> None:
    """Ingest the documents; those with a bad text layer as if there had been no time for OCR."""
    warehouse = Warehouse.open(night.overrides["warehouse"], create=True)
    documents = {each.file_name: each for each in SCENARIOS}
    for name, each in documents.items():
        path = night.folder / name
        path.write_bytes(write_pdf(each))
        if each.picture:
            frames = parse_document(path.read_bytes(), file_name=path.name, parsed_at=now())
            doc_id, language = frames["document_df"].select("doc_id", "language").row(0)
            seen = {"uri": str(path), "seen_at": now(), "doc_id": doc_id, "file_name": path.name}
            frames["source_df"] = Source.frame([seen | {"status": "current"}])
            frames["term_df"] = index_lines(frames["line_df"], language=language)
            warehouse.write_batch(frames, each.name)
    files = [str(night.folder / name) for name, each in documents.items() if not each.picture]
    ingest(files, None, {"warehouse": night.overrides["warehouse"]})


def questions_of(folder: Path) -> str:
    path = folder / "questions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for each in SCENARIOS:
            row = {"question_id": each.name, "question": each.question, "documents": each.file_name}
            writer.writerow(row | each.columns)
    return str(path)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_the_passes_of_a_pair_are_those_that_its_replies_give_reason_for(
    scenario: Scenario, told: Told
) -> None:
    pass_df = told.rows("iteration_df", scenario.name).sort("iteration_number")
    assert pass_df.select("trigger", "action_taken").rows() == list(scenario.passes)
    [row] = told.rows("answer_df", scenario.name).filter(sub_question=0).to_dicts()
    assert (row["stop_reason"], row["status"]) == (scenario.stop_reason, scenario.status)
    assert pass_df["stop_reason"].to_list()[-1:] == [scenario.stop_reason] * bool(scenario.passes)
    assert row["n_iterations"] == pass_df.height
    calls = told.night.calls().filter(run_id=told.run_id, pair_id=row["pair_id"])
    sent = calls.select(pl.sum("prompt_tokens") + pl.sum("completion_tokens")).item()
    assert pass_df["n_tokens"].sum() == row["prompt_tokens"] + row["completion_tokens"] == sent
    by_stage = pass_df.select(pl.sum("retrieval_ms", "parsing_ms", "generation_ms")).row(0)
    assert sum(by_stage) == row["latency_ms"]
    narrations = "\n".join(pass_df["narration"])
    assert [what for what in scenario.says if what not in narrations] == []


def test_no_trigger_action_or_stop_rule_is_without_a_scenario() -> None:
    passes = {each for scenario in SCENARIOS for each in scenario.passes}
    assert {trigger for trigger, _ in passes} == set(get_args(TriggerName))
    assert {trigger.name for trigger in TRIGGERS} < set(get_args(TriggerName))
    assert {action for _, action in passes} == set(get_args(ActionName))
    assert {scenario.stop_reason for scenario in SCENARIOS} == set(get_args(StopReason))
    offered = {action for _, action in passes if action in inspect.getsource(feedback)}
    assert offered == set(get_args(ActionName)) - {"first_retrieval"}


def test_patterns_that_a_pass_turns_on_stand_in_its_record(told: Told) -> None:
    turned_on = {
        (row["action_taken"], pattern)
        for row in told.night.rows("iteration_df", told.run_id).to_dicts()
        for pattern in row["patterns_activated"]
    }
    assert turned_on == {
        ("follow_references", "two_hop_references"),
        ("turn_on_pattern", "dense_retrieval"),
    }


def test_a_page_is_read_again_where_it_is_doubtful_and_nowhere_else(told: Told) -> None:
    page_df = told.night.warehouse.read("page_df").filter(pl.col("page_version") > 1)
    [doc_id] = told.rows("answer_df", "bad-text-layer")["doc_id"]
    assert page_df.select("doc_id", "page", "parse_method").rows() == [(doc_id, 1, "ocr")]


def test_a_contradiction_is_told_with_both_quotes(told: Told) -> None:
    [row] = told.rows("answer_df", "two-values").to_dicts()
    [caveat] = row["caveats"]
    assert "'Annual premium: $1,200.00' (page 5)" in caveat
    assert "'Annual premium: $1,500.00' (page 1)" in caveat


@pytest.mark.parametrize(
    ("scenario", "values"),
    [
        ("two-questions", ["Acme Mutual; thirty days", "Acme Mutual", "thirty days"]),
        ("one-after-the-other", ["Acme Mutual; seat in Zug", "Acme Mutual", "seat in Zug"]),
        ("part-by-part", ["Acme Mutual; thirty days", "Acme Mutual", "thirty days"]),
    ],
)
def test_parts_of_a_question_are_answered_each_with_its_own_evidence_and_joined(
    told: Told, scenario: str, values: list[str]
) -> None:
    answer_df = told.rows("answer_df", scenario).sort("sub_question")
    assert answer_df["value_text"].to_list() == values
    quote_df = told.rows("evidence_df", scenario).filter(pl.col("sub_question") > 0)
    quotes = set(quote_df.select("sub_question", "quote").rows())
    assert quotes == set(enumerate(values[1:], start=1))
    assert answer_df["prompt_tokens"].to_list()[1:] == [0, 0], "what it cost is told once"


def test_every_part_carries_the_condition(told: Told) -> None:
    asked = "If the house is let, what is the deductible"
    [body] = [each for each in told.night.endpoint.bodies if asked in str(each)][:1]
    assert str(body).count("If the house is let, ") == 4, "page, question and both parts"


def test_the_story_of_an_answer_tells_every_decision_and_what_each_stage_cost(told: Told) -> None:
    [pair_id] = told.rows("answer_df", "see-table")["pair_id"]
    story = narrate(pipeline_trace(told.night.warehouse, pair_id))
    for said in (
        "cues: intent=fact",
        "ROUTE sequential by rule single_value",
        "keyword_retrieval (always)",
        "PASS 2: pending_reference → follow_references",
        "turned on: two_hop_references",
        "page 8 line 1 to page 8",
        "by two_hop: read",
        "pass 1 step 1 answer, attempt 1 at m: ok",
        "'EUR 800'",
        "STOPPED by sufficient: found, complete, checked",
        "answer: 2 calls",
        "judge: 1 call,",
    ):
        assert said in story, said
    assert re.search(r"retrieval: \d+ ms", story)
    assert re.search(r"generation: [1-9]\d+ tokens, [1-9]\d* ms", story)
    assert set(STOPS) == set(get_args(StopReason))


def test_each_part_of_an_answer_is_highlighted_with_what_it_answers(told: Told) -> None:
    [pair_id] = told.rows("answer_df", "two-questions").filter(sub_question=0)["pair_id"]
    with pymupdf.open("pdf", highlight_pdf(told.night.warehouse, pair_id)) as marked:
        notes = [note.info["content"].splitlines() for page in marked for note in page.annots()]
    assert notes == [
        ["Who is the broker", "Acme Mutual", "page 1"],
        ["what is the notice period?", "thirty days", "page 5"],
    ]


def test_a_pair_without_evidence_or_with_an_unclear_name_is_told_so(told: Told) -> None:
    warehouse = told.night.warehouse
    [pair_id] = told.rows("answer_df", "unanswerable")["pair_id"]
    with pytest.raises(InputError, match="no quote to highlight"):
        highlight_pdf(warehouse, pair_id)
    with pytest.raises(InputError, match="pairs begin with ''"):
        pipeline_trace(warehouse, "")
    with pytest.raises(InputError, match="no answer has a pair_id"):
        pipeline_trace(warehouse, "nothing")


VERDICTS = (
    ("sufficient", "wrong", "that is last year's"),
    ("two-questions", "incomplete", None),
    ("two-values", "right", None),
)


def test_what_a_person_rejects_is_answered_anew_once_and_says_who_rejected_it(told: Told) -> None:
    night, warehouse = told.night, told.night.warehouse
    verdicts = [
        {
            "pair_id": told.rows("answer_df", name)["pair_id"][0],
            "reviewer": "anna",
            "reviewed_at": now(),
            "run_id": told.run_id,
            "verdict": verdict,
            "note": note,
        }
        for name, verdict, note in VERDICTS
    ]
    warehouse.write_verdicts("by-hand", Verdict.frame(verdicts))
    again = Told(night, answer(str(night.folder / "questions.csv"), None, night.overrides))
    [row] = again.rows("answer_df", "sufficient").to_dicts()
    assert (row["reused_from_run_id"], row["status"]) == (None, "partial")
    assert any("wrong, says anna on" in caveat for caveat in row["caveats"])
    first, *others = again.rows("iteration_df", "sufficient").sort("iteration_number").to_dicts()
    assert (first["trigger"], first["action_taken"]) == ("external_rejection", "first_retrieval")
    assert "that is last year's" in first["narration"]
    assert {each["trigger"] for each in others} == {"external_rejection"}
    assert again.rows("iteration_df", "two-questions")["trigger"][0] == "external_rejection"
    stands = again.rows("answer_df", "two-values")["reused_from_run_id"].to_list()
    assert stands == [told.run_id]
    third = Told(night, answer(str(night.folder / "questions.csv"), None, night.overrides))
    assert third.rows("answer_df", "sufficient")["reused_from_run_id"].to_list() == [again.run_id]
    for run_id in (told.run_id, again.run_id):
        ledger = Ledger.open(warehouse.ledger_path)
        difference_df = replay(run_id, warehouse, ledger, load_settings(**night.overrides))
        ledger.close()
        assert difference_df.to_dicts() == []


def test_a_replay_names_what_was_edited_afterwards(told: Told) -> None:
    night, warehouse = told.night, told.night.warehouse
    [pair_id] = told.rows("answer_df", "sufficient")["pair_id"]
    is_own = pl.col("pair_id") == pair_id
    for table, column in (("answer_df", "value_text"), ("iteration_df", "result_summary")):
        kept_df = warehouse.parts.scan(table, [told.run_id]).drop("part").collect()
        edited = pl.when(is_own).then(pl.lit("edited")).otherwise(column).alias(column)
        warehouse.parts.write(table, told.run_id, kept_df.with_columns(edited))
    ledger = Ledger.open(warehouse.ledger_path)
    difference_df = replay(told.run_id, warehouse, ledger, load_settings(**night.overrides))
    ledger.close()
    assert difference_df.filter(pl.col("recorded") == "edited").rows() == [
        ("answer_df", f"{pair_id} 0", "value_text", "edited", "$1,200.00"),
        (
            "iteration_df", f"{pair_id} 1", "result_summary", "edited",
            "1 window read: found '$1,200.00', complete",
        ),
    ]  # fmt: skip
    assert difference_df.height == 2
