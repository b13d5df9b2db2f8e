"""What the README says is what the code does."""

from pathlib import Path

from flows.documentation import README, generated_parts, with_parts


def test_the_generated_parts_of_the_readme_are_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_parts(text), "run `python -m flows.documentation`"


def test_every_generated_part_has_its_place_in_the_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name in generated_parts():
        assert f"<!-- begin {name} -->" in text


def test_every_file_that_the_readme_links_to_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    for name in ("CONTRIBUTING.md", "transforms/tables.py", "transforms/pipeline/loop.py"):
        assert name in text
        assert (Path(README).parent / name).exists()
