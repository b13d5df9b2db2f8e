"""Each trouble of real documents as a small PDF, and how it has to be read.

`python -m tests.golden.parsing.test_parsing` writes the goldens anew; read the difference.
"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.golden.parsing.made import CASES
from tests.golden.parsing.printing import printed
from transforms.parsing import parse_document

HERE = Path(__file__).parent


def read(case: str) -> str:
    frames = parse_document(
        CASES[case](), file_name=f"{case}.pdf", parsed_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    return printed(frames)


@pytest.mark.parametrize("case", CASES)
def test_a_trouble_is_read_as_a_person_would(case: str) -> None:
    assert read(case) == (HERE / case / "expected.txt").read_text(encoding="utf-8")


def test_every_golden_has_a_case() -> None:
    assert {path.parent.name for path in HERE.glob("*/expected.txt")} == set(CASES)


if __name__ == "__main__":
    for name in CASES:
        (HERE / name).mkdir(exist_ok=True)
        (HERE / name / "expected.txt").write_text(read(name), encoding="utf-8")
