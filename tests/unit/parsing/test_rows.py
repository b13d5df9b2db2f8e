"""Visual rows from fragments: what stands on one baseline is one line."""

from transforms.parsing.columns import reading_order
from transforms.parsing.lines import visual_rows
from transforms.parsing.model import Fragment


def piece(text: str, x0: float, x1: float, *, baseline: float = 100, size: float = 10) -> Fragment:
    y0, y1 = baseline - 0.8 * size, baseline + 0.2 * size
    return Fragment(x0, y0, x1, y1, baseline, text, size, False, False)


def texts(*pieces: Fragment, is_right_to_left: bool = False) -> list[str]:
    return [line.text for line in visual_rows(list(pieces), 1, is_right_to_left=is_right_to_left)]


def test_cells_of_a_row_are_one_line_with_two_spaces_between() -> None:
    assert texts(piece("Premium", 72, 110), piece("1,250.50", 300, 340)) == ["Premium  1,250.50"]


def test_a_gap_of_a_word_space_is_one_space() -> None:
    assert texts(piece("the", 72, 86), piece("insurer", 88.5, 120)) == ["the insurer"]


def test_pieces_that_touch_are_one_word() -> None:
    assert texts(piece("in", 72, 80), piece("surer", 80.2, 104)) == ["insurer"]


def test_a_raised_figure_belongs_to_the_line_it_touches() -> None:
    raised = piece("2", 104.2, 108, baseline=96, size=6)
    assert texts(piece("square metres m", 72, 104), raised) == ["square metres m2"]


def test_words_from_right_to_left_read_from_the_right() -> None:
    row = (piece("שלום", 300, 330), piece("עולם", 265, 297))
    assert texts(*row, is_right_to_left=True) == ["שלום עולם"]
    far = (piece("שם", 300, 330), piece("סכום", 100, 130))
    assert texts(*far, is_right_to_left=True) == ["שם  סכום"]


def test_text_that_is_wider_than_any_page_has_no_columns() -> None:
    """A damaged text matrix gives such places: a list of them would take all memory."""
    sides = [(x0, 100.0 + 14 * i) for x0 in (-8e19, 72, 2e19) for i in range(6)]
    pieces = [piece("the insured loss", x0, x0 + 100, baseline=y) for x0, y in sides]
    regions = reading_order(pieces, [], is_right_to_left=False)
    assert [region.column for region in regions] == [1]
