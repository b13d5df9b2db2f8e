"""Question files as people send them, and what they are told when one cannot be read."""

import io
from pathlib import Path

import polars as pl
import pytest

from flows.question_file import load_vocabulary, read_question_file
from transforms.errors import InputError

QUESTION = {"question_id": "q1", "question": "What is the fee?"}
BOMB = b"x0: &x0 [a]\n" + b"".join(
    b"x%d: &x%d [%s]\n" % (n, n, b",".join([b"*x%d" % (n - 1)] * 10)) for n in range(1, 10)
)
"""YAML of some lines that stands for a billion texts."""


def packed(n_rows: int, question: str) -> bytes:
    """Return Parquet of some kilobytes with many rows, all the same."""
    packed = io.BytesIO()
    row = {"question_id": "q1", "question": question}
    columns = [pl.repeat(text, n_rows, eager=True).alias(name) for name, text in row.items()]
    pl.DataFrame(columns).write_parquet(packed)
    return packed.getvalue()


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.csv", "question_id,question\nq1,What is the fee?\n"),
        ("q.csv", "\ufeffquestion_id,question\r\nq1,What is the fee?\r\n"),
        ("q.csv", "question_id;question\nq1;What is the fee?\n"),
        ("q.csv", ' question_id , question \nq1,"What is the fee?"'),
        ("q.jsonl", '{"question_id": "q1", "question": "What is the fee?"}\n\n'),
        ("q.yaml", "- question_id: q1\n  question: What is the fee?\n"),
        ("q.yml", 'questions:\n  - {question_id: q1, question: "What is the fee?"}\n'),
    ],
)
def test_the_same_question_is_read_from_any_format(tmp_path: Path, name: str, content: str) -> None:
    assert read_question_file(written(tmp_path, name, content)) == [QUESTION]


def test_a_parquet_file_is_read(tmp_path: Path) -> None:
    pl.DataFrame([QUESTION]).write_parquet(tmp_path / "q.parquet")
    assert read_question_file(tmp_path / "q.parquet") == [QUESTION]


def test_a_cell_may_hold_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    path = written(tmp_path, "q.csv", 'question_id,question\nq1,"Is ""a, b""\ncovered?"\n')
    assert read_question_file(path)[0]["question"] == 'Is "a, b"\ncovered?'


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("q.csv", b"", "no questions"),
        ("q.csv", b"question_id,question\n", "no questions"),
        ("q.csv", b"id,question\n1,What?\n", "no column 'question_id'"),
        ("q.csv", b"question_id,text\n1,What?\n", "no column 'question'"),
        ("q.csv", b"question_id,question\nq1,Franchise \xe9lev\xe9e?\n", "line 2: not UTF-8"),
        ("q.csv", "question_id,question\nq1,x\n".encode("utf-16"), "UTF-16"),
        ("q.csv", "question_id,question\nq1,x\n".encode("utf-16-le"), "UTF-16"),
        ("q.csv", b"question_id,question\nq1,a,b\n", "line 2: more cells than columns"),
        ("q.csv", b"question_id,question,question\nq1,a,b\n", "'question' occurs more than once"),
        ("q.csv", b'question_id,question\nq1,"never closed\n', "line"),
        ("q.csv", b"question_id,question\nq1," + b"x" * 1_000_001 + b"\n", "field larger"),
        ("q.jsonl", b'{"question_id": "q1"\n', "line 1: not JSON"),
        ("q.jsonl", b"[1, 2]\n", "line 1: .* is not a question"),
        ("q.jsonl", b"[" * 100_000, "line 1: not JSON"),
        ("q.yaml", b"- question_id: [\n", "not YAML"),
        ("q.yaml", b"just text\n", "not a list"),
        ("q.yaml", b"- just text\n", "is not a question"),
        ("q.yaml", b"", "no questions"),
        ("q.jsonl", b'{"k": ' + b"9" * 5_000 + b"}", "line 1: not JSON"),
        ("q.jsonl", b'{"question_id": "a", "question": "\\ud800?"}', "lone surrogate"),
        ("q.jsonl", b'{"question_id": "a", "tags": ["\\udfff"]}', "lone surrogate"),
        ("q.jsonl", b'{"question_id": "a", "question": {"text": "x"}}', "is no cell"),
        ("q.yaml", b"- question_id: 2026-02-30\n  question: x\n", "not YAML"),
        ("q.yaml", b"- k: " + b"9" * 5_000, "not YAML"),
        ("q.yaml", BOMB + b"questions: [*x9]\n", "is not a question"),
        ("q.yaml", BOMB + b"questions: [{question_id: a, question: *x9}]\n", "is no cell"),
        ("q.yaml", b"a: &a {b: 1}\nquestions:\n- <<: [*a, *a]\n", "`<<` is not read"),
        ("q.parquet", packed(5_000_000, "What?"), "5,000,000 rows"),
        ("q.parquet", packed(1_000, "What? " * 10_000), "60,002,000 bytes of text"),
        ("q.parquet", b"PAR1 no", "not a Parquet file"),
        ("q.xlsx", b"PK", "not a question set"),
        ("questions", b"", "not a question set"),
    ],
)
def test_what_cannot_be_read_is_told_with_a_hint(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    with pytest.raises(InputError, match=told) as caught:
        read_question_file(written(tmp_path, name, content))
    assert name in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["missing.csv", "folder.csv"])
def test_a_path_that_cannot_be_opened_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        read_question_file(tmp_path / name)


def test_a_folder_of_vocabulary_files_is_read_as_one(tmp_path: Path) -> None:
    header = "concept,language,keyword,priority,weight\n"
    written(tmp_path, "a.csv", f"{header}rent,en,rent,1,1.0\n")
    written(tmp_path, "b.csv", f"{header}rent,en,rental,2,0.8\n")
    assert [w.keyword for w in load_vocabulary(tmp_path).wordings] == ["rent", "rental"]


def test_a_folder_without_vocabulary_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no vocabulary files"):
        load_vocabulary(tmp_path)
