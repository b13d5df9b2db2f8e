"""What the README says is what the code does."""

import re
from pathlib import Path

from flows.documentation import (
    ANALYST_QUESTION,
    README,
    generated_parts,
    with_answers,
    with_parts,
)
from flows.warehouse import Warehouse
from tests.rows import frame
from transforms.pipeline.decide import PATTERNS, ROUTES
from transforms.pipeline.steps import STEPS


def test_the_generated_parts_of_the_readme_are_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_parts(text), "run `python -m flows.documentation`"


def test_every_generated_part_has_its_place_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name in generated_parts():
        assert f"<!-- begin {name} -->" in text


def test_the_decisions_are_shown_row_by_row() -> None:
    shown = generated_parts()["routing"]
    for row in (*ROUTES, *PATTERNS):
        assert f"| {row.name} | {row.when.words} |" in shown
    for rule in STEPS:
        assert f"| {rule.name} | {rule.when} | {rule.reads} |" in shown


def test_every_file_that_the_readme_links_to_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    for name in ("CONTRIBUTING.md", "transforms/tables.py", "transforms/pipeline/loop.py"):
        assert name in text
        assert (Path(README).parent / name).exists()


def test_the_questions_of_analysts_can_be_asked_and_show_the_columns_they_give(
    tmp_path: Path,
) -> None:
    asked = {
        found["sql"]: re.split(r" +\| +", found["shown"].partition("\n")[0].strip())
        for found in ANALYST_QUESTION.finditer(README.read_text(encoding="utf-8"))
    }
    warehouse = Warehouse.open(tmp_path, create=True)
    assert len(asked) == 10
    assert {sql: warehouse.query(sql).columns for sql in asked} == asked


def test_what_stands_below_a_select_is_what_it_gives(tmp_path: Path) -> None:
    warehouse = Warehouse.open(tmp_path, create=True)
    warehouse.write_batch({"document_df": frame("document_df", {"doc_id": "a"})}, "b1")
    old = "```sql\nselect doc_id, title from document_df\n```\n\n```text\nold\n```\n"
    new = with_answers(old, warehouse)
    assert new == old.replace("old", "doc_id | title\n-------+------\na      |")
    assert with_answers(new, warehouse) == new
