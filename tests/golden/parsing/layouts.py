"""Where text stands on a page: columns, notes, running lines, directions."""

from collections.abc import Callable

from tests.golden.parsing.paper import (
    LEFT,
    NARROW,
    NARROW_THREE,
    NARROW_TOO,
    PITCH,
    PROSE,
    new,
    write,
)


def two_columns_below_a_heading() -> bytes:
    document = new()
    page = document[0]
    write(page, 150, 90, "General Conditions of Household Insurance", size=16)
    write(page, 72, 130, NARROW + NARROW)
    write(page, 310, 130, NARROW_TOO + NARROW_TOO)
    return document.tobytes()


def three_columns() -> bytes:
    document = new()
    for x, lines in ((40, NARROW), (220, NARROW_TOO), (400, NARROW_THREE)):
        write(document[0], x, 100, lines)
    return document.tobytes()


def side_notes() -> bytes:
    document = new()
    page = document[0]
    write(page, 180, 100, PROSE)
    write(page, 180, 200, PROSE)
    write(page, 72, 103, ("Insured", "perils."), size=8)
    write(page, 72, 203, ("Notice of", "a loss."), size=8)
    return document.tobytes()


def footnotes() -> bytes:
    document = new()
    page = document[0]
    write(page, LEFT, 100, PROSE)
    write(page, LEFT, 740, "1 As defined by the Insurance Act of the place of risk.", size=7.5)
    write(page, LEFT, 752, "2 Or the day after, where that day is a public holiday.", size=7.5)
    return document.tobytes()


def running_lines_and_a_repeated_sentence() -> bytes:
    document = new(4)
    for number, page in enumerate(document, start=1):
        write(page, LEFT, 40, "Household Policy HP-2025", size=8)
        y = write(page, LEFT, 100 + 31 * number, "This clause is a condition precedent.")
        write(page, LEFT, y, PROSE)
        write(page, 290, 810, f"Page {number} of 4", size=8)
    return document.tobytes()


def a_subtitle_repeated_under_titles() -> bytes:
    document = new(4)
    for title, page in zip(("Income", "Assets", "Cash", "Equity"), document, strict=True):
        write(page, LEFT, 40, "Annual Report 2025", size=8)
        write(page, 260, 70, title, size=12)
        write(page, LEFT, 88, "(in millions)", size=8)
        write(page, LEFT, 120, PROSE[:2])
    return document.tobytes()


def rotated(degrees: int) -> Callable[[], bytes]:
    def make() -> bytes:
        document = new()
        write(document[0], LEFT, 100, PROSE)
        document[0].set_rotation(degrees)
        return document.tobytes()

    return make


def text_that_runs_up_the_page() -> bytes:
    document = new()
    page = document[0]
    write(page, LEFT, 100, PROSE)
    page.insert_text((40, 500), "Specimen, not valid as evidence of cover", rotate=90)
    return document.tobytes()


def a_page_set_sideways() -> bytes:
    document = new()
    for i, line in enumerate(PROSE):
        document[0].insert_text((100 + PITCH * i, 700), line, fontsize=10, rotate=90)
    return document.tobytes()


def footnotes_below_two_columns() -> bytes:
    document = new()
    for x, lines, note in (
        (72, NARROW, "1 As the Insurance Act defines it."),
        (310, NARROW_TOO, "2 Or on the day after a holiday."),
    ):
        write(document[0], x, 560, lines)
        write(document[0], x, 680, note, size=7)
    return document.tobytes()


def a_sentence_across_both_columns() -> bytes:
    document = new()
    page = document[0]
    write(page, 72, 90, NARROW)
    write(page, 310, 90, NARROW_TOO)
    write(
        page,
        72,
        210,
        "Nothing in either of the columns above takes away a right that the law gives to",
    )
    write(page, 72, 240, NARROW_THREE)
    write(page, 310, 240, NARROW)
    return document.tobytes()


def vertical_writing_glyph_by_glyph() -> bytes:
    """Two tiers below a title: each is read in columns from the right, the upper one first."""
    document = new()
    page = document[0]
    write(page, 250, 60, "普通保険約款", size=14, fontname="japan")
    tiers = (
        "保険契約者は保険期間中に事故が発生したときは遅滞なく当会社に書面により"
        "通知しなければならない。通知を怠った場合は損害の額を控除する。",
        "保険料は契約の日から十五日以内に支払うものとする。支払が遅れた場合には"
        "年五分の割合による利息を加算する。解除の通知は書面による。",
    )
    for top, text in zip((100, 330), tiers, strict=True):
        for i, char in enumerate(text):
            at = (500 - 20 * (i // 14), top + 12 * (i % 14))
            page.insert_text(at, char, fontname="japan", fontsize=11)
    return document.tobytes()


def text_that_runs_down_the_page() -> bytes:
    document = new()
    for i, line in enumerate(PROSE):
        document[0].insert_text((500 - PITCH * i, 100), line, fontsize=10, rotate=270)
    return document.tobytes()


def two_columns_on_one_grid_of_lines() -> bytes:
    """Numbers of clauses stand on lines of their own, beside the lines of the other column."""
    document = new()
    texts = (NARROW[:3], NARROW_TOO[:2], NARROW_THREE[:3], NARROW_TOO[3:6], NARROW[3:])
    for column, x in enumerate((51, 304)):
        y = 100.0
        for number, lines in enumerate(texts[column:] + texts[:column], start=1):
            y = write(document[0], x, y, f"{column + 1}.{number}")
            y = write(document[0], x, y, lines) + PITCH
    return document.tobytes()
