"""The sample corpus: what it must contain, and that its gold stands in its documents."""

import csv
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from sample_maker.corpus import make_documents
from sample_maker.gold import answer_of
from sample_maker.spoken import plain

from data.make_sample import DEFAULT_SEED, make_sample

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
UNSEEN_SEED = 90210


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("unseen")
    make_sample(output, seed=UNSEEN_SEED)
    return output


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def gold(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def page_texts(path: Path) -> list[str]:
    with pymupdf.open(path) as pdf:
        return [" ".join(page.get_text().split()) for page in pdf]


def test_the_committed_sample_is_what_the_script_makes(tmp_path: Path) -> None:
    make_sample(tmp_path, seed=DEFAULT_SEED)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    kept = {path.relative_to(SAMPLE): path.read_bytes() for path in SAMPLE.rglob("*.*")}
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []


def test_more_documents_change_none_before() -> None:
    few, more = make_documents(UNSEEN_SEED, 2), make_documents(UNSEEN_SEED, 25)
    assert [document.content for document in few] == [document.content for document in more[:2]]
    assert len({document.file_name for document in more}) == 25


def test_another_seed_gives_other_insurers(unseen: Path) -> None:
    ours = {row["insurer"] for row in rows(SAMPLE / "metadata.csv")}
    theirs = {row["insurer"] for row in rows(unseen / "metadata.csv")}
    assert len(ours) >= 6
    assert len(ours & theirs) <= 1


@pytest.mark.parametrize("which", ["committed", "unseen"])
def test_every_gold_quote_stands_on_its_page(which: str, unseen: Path) -> None:
    folder = SAMPLE if which == "committed" else unseen
    texts = {path.name: page_texts(path) for path in folder.glob("*.pdf")}
    lines = [line for line in gold(folder) if line["doc"] and any(texts[line["doc"]])]
    missing = [
        (line["question_id"], line["doc"], quote)
        for line in lines
        for quote in line["gold_evidence"]
        if not any(
            " ".join(quote.split()) in texts[line["doc"]][page - 1] for page in line["gold_pages"]
        )
    ]
    assert sum(len(line["gold_evidence"]) for line in lines) > 800
    assert missing == []


@pytest.mark.parametrize("which", ["committed", "unseen"])
def test_all_kinds_of_documents_are_there(which: str, unseen: Path) -> None:
    folder = SAMPLE if which == "committed" else unseen
    pdfs = {path.name: pymupdf.open(path) for path in folder.glob("*.pdf")}
    texts = {name: "".join(page.get_text() for page in pdf) for name, pdf in pdfs.items()}
    numbers = Counter(row["policy_number"] for row in rows(folder / "metadata.csv"))
    assert len(pdfs) >= 18
    assert sum(1 for text in texts.values() if not text.strip()) == 1
    assert sum(1 for pdf in pdfs.values() if any(page.rotation for page in pdf)) == 1
    assert sum(1 for pdf in pdfs.values() if pdf.metadata and pdf.metadata["encryption"]) == 1
    assert sum(1 for text in texts.values() if "Contents\n" in text) >= 2
    assert 0 < sum(1 for pdf in pdfs.values() if pdf.get_toc()) < len(pdfs)
    assert sorted(numbers.values())[-2:] == [1, 2]
    assert any(name.startswith("contrat-") for name in pdfs)
    assert any(name.startswith("versicherungsschein-") for name in pdfs)
    assert sum(path.stat().st_size for path in folder.rglob("*")) < 4_000_000


@pytest.mark.parametrize("which", ["committed", "unseen"])
def test_a_list_of_exclusions_runs_over_a_page(which: str, unseen: Path) -> None:
    folder = SAMPLE if which == "committed" else unseen
    lines = [line for line in gold(folder) if line["field"] == "exclusions"]
    crossing = [
        line["doc"]
        for line in lines
        if any(after == before + 1 for before, after in pairwise(line["gold_pages"]))
    ]
    assert crossing


@pytest.mark.parametrize("which", ["committed", "unseen"])
def test_questions_cover_every_shape_type_and_decomposition(which: str, unseen: Path) -> None:
    folder = SAMPLE if which == "committed" else unseen
    questions, lines = rows(folder / "questions.csv"), gold(folder)
    assert len(questions) >= 45
    assert {line["answer_shape"] for line in lines} == {
        "single", "listing", "table", "tree", "nested",
    }  # fmt: skip
    assert {line["answer_type"] for line in lines} == {
        "date", "amount", "number", "percent", "duration", "boolean", "name", "address",
        "identifier", "text",
    }  # fmt: skip
    assert {line["decomposition"] for line in lines} == {
        "single", "independent", "sequential", "unified", "conditional",
    }  # fmt: skip
    assert {line["scope_key"] == "corpus" for line in lines if "scope_key" in line} == {True, False}
    answered = {line["question_id"] for line in lines}
    assert len([row for row in questions if row["question_id"] not in answered]) == 2
    nowhere = {line["question_id"] for line in lines if line["answer_kind"] == "none"} - {
        line["question_id"] for line in lines if line["answer_kind"] != "none"
    }
    assert len(nowhere) >= 5


@pytest.mark.parametrize("seed", [DEFAULT_SEED, UNSEEN_SEED])
def test_an_endorsement_has_the_last_word_on_the_deductible(seed: int) -> None:
    amended = [d for d in make_documents(seed, 20) if d.states("deductible_before")]
    assert len(amended) >= 4
    for document in amended:
        gold, quotes = answer_of(document, "deductible")
        _, before = answer_of(document, "deductible_before")
        assert gold
        assert gold.values[0] != plain(document.facts["deductible_before"])
        assert max(page for _, page in before) <= min(page for _, page in quotes)


def test_broken_files_are_truly_broken() -> None:
    broken = SAMPLE / "broken"
    with pymupdf.open(broken / "not-a-pdf.pdf") as other:
        assert not other.is_pdf
    with pymupdf.open(broken / "needs-password.pdf") as pdf:
        assert pdf.needs_pass
    with pymupdf.open(broken / "cut-off.pdf") as pdf:
        assert pdf.page_count == 0
