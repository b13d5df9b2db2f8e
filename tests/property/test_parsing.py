"""Cut, flipped and spliced files: each ends with one document row."""

from datetime import UTC, datetime
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.golden.parsing.made import CASES
from transforms import tables
from transforms.parsing import detect_document_type, parse_document

PARSED_AT = datetime(2026, 1, 1, tzinfo=UTC)
SEEDS = ("wrapped_cells_between_rules", "an_outline_that_leaves_numbers_out", "chinese")


@cache
def seed(name: str) -> bytes:
    return CASES[name]()


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    content = bytearray(seed(draw(st.sampled_from(SEEDS))))
    for place in draw(st.lists(st.floats(0, 0.999), max_size=12)):
        content[int(place * len(content))] ^= 1 << draw(st.integers(0, 7))
    if draw(st.booleans()):
        other = seed(draw(st.sampled_from(SEEDS)))
        a, b = draw(st.floats(0, 1)), draw(st.floats(0, 1))
        content = content[: int(a * len(content))] + other[int(b * len(other)) :]
    if draw(st.booleans()):
        content = content[: int(draw(st.floats(0, 1)) * len(content))]
    return bytes(content)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(damaged_files())
def test_whatever_the_bytes_are_there_is_one_document_row(content: bytes) -> None:
    detect_document_type(content)
    frames = parse_document(content, file_name="damaged.pdf", parsed_at=PARSED_AT)
    for name, frame in frames.items():
        tables.TABLES[name].checked(frame)
    assert frames["document_df"].height == 1
