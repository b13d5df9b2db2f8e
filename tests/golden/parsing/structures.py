"""What the text of a document is: tables, labels, sections, references."""

import pymupdf

from tests.golden.parsing.paper import LEFT, PROSE, new, write


def cells_of_an_aligned_table() -> bytes:
    document = new()
    page = document[0]
    write(page, LEFT, 100, "Table 1: Premium by year of account")
    rows = (
        ("Year", "Premium", "Change", "Rate"),
        ("2023", "$ 1,250.50", "(12.5)", "0.35 %"),
        ("2024", "$ 1,094.10", "-3.2", "0.31 %"),
        ("2025", "$ 1,059.00", "+0.7", "0.30 %"),
    )
    for i, row in enumerate(rows):
        for x, cell in zip((72, 180, 300, 400), row, strict=True):
            write(page, x, 125 + 14 * i, cell)
    write(page, LEFT, 200, PROSE)
    return document.tobytes()


def wrapped_cells_between_rules() -> bytes:
    document = new()
    page = document[0]
    write(page, LEFT, 100, PROSE[:2])
    xs, ys = (72, 220, 360, 520), (140, 160, 190, 220)
    for y in ys:
        page.draw_line((xs[0], y), (xs[-1], y))
    for x in xs:
        page.draw_line((x, ys[0]), (x, ys[-1]))
    cells = (
        (("Benefit",), ("Limit",), ("Waiting period",)),
        (("Cataract surgery,", "each eye"), ("Up to $2,500",), ("24 months, none", "by accident")),
        (("Ambulance",), ("$300 per trip, at", "most two trips"), ("none",)),
    )  # fmt: skip
    for row, y in zip(cells, ys, strict=False):
        for lines, x in zip(row, xs, strict=False):
            write(page, x + 4, y + 12, lines, size=9)
    return document.tobytes()


def a_table_over_two_pages() -> bytes:
    document = new(2)
    for number, page in enumerate(document):
        write(page, LEFT, 60, ("Table 2: Rates by class",) if number == 0 else ())
        for i in range(4):
            for x, cell in ((72, f"Class {4 * number + i}"), (250, f"{i}.5 %"), (400, f"{i}00")):
                write(page, x, (680 if number == 0 else 80) + 14 * i, cell)
    write(document[1], LEFT, 200, PROSE)
    return document.tobytes()


def roman_front_matter_and_an_annex() -> bytes:
    labels = ("i", "ii", "iii", "1", "2", "3", "4", "A-1", "A-2")
    document = new(len(labels))
    for label, page in zip(labels, document, strict=True):
        write(page, LEFT, 100, PROSE)
        write(page, 290, 810, label, size=9)
    return document.tobytes()


def a_printed_contents_page() -> bytes:
    titles = (("1", "Cover"), ("2", "Exclusions"), ("2.1", "War and nuclear risks"),
              ("3", "Claims"), ("4", "General conditions"))  # fmt: skip
    document = new(len(titles) + 2)
    write(document[1], LEFT, 80, "Contents", size=14)
    for i, (number, title) in enumerate(titles):
        write(document[1], LEFT, 120 + 16 * i, f"{number}  {title} {'.' * 60} {i + 1}")
        page = document[i + 2]
        write(page, LEFT, 90, f"{number}  {title}", size=10, fontname="hebo")
        write(page, LEFT, 120, PROSE)
        write(page, 290, 810, str(i + 1), size=9)
    write(document[0], 200, 300, "Household Policy", size=24)
    return document.tobytes()


def an_outline_that_leaves_numbers_out() -> bytes:
    document = new(3)
    titles = ("1 Cover", "2 Exclusions", "2.1 War")
    for page, title in zip(document, titles, strict=True):
        write(page, LEFT, 90, PROSE[:3])
        write(page, LEFT, 150, title, fontname="hebo")
        write(page, LEFT, 180, PROSE)
    document.set_toc([[1, "Cover", 1], [1, "Exclusions", 2], [2, "War", 3]])
    return document.tobytes()


def references() -> bytes:
    document = new(2)
    write(document[0], LEFT, 90, "1. Cover", fontname="hebo")
    write(document[0], LEFT, 120, PROSE)
    write(document[0], LEFT, 230, "2. Limits", fontname="hebo")
    lines = (
        "Limits are set out in Schedule 3 and subject to clause 1(b)(ii). See Section",
        "2 for more, Table 9 for nothing, and Section 7 of the Insurance Act.",
    )
    write(document[0], LEFT, 260, lines)
    write(document[1], LEFT, 90, "Schedule 3", fontname="hebo", size=12)
    write(document[1], LEFT, 120, PROSE)
    return document.tobytes()


def definitions() -> bytes:
    document = new()
    write(document[0], LEFT, 90, "Definitions", fontname="hebo", size=13)
    write(document[0], LEFT, 120, '"Occurrence" means an event that causes a loss,')
    write(document[0], LEFT, 133, "wherever it happens.")
    write(document[0], LEFT, 160, "Deductible means the amount that the insured bears.")
    write(document[0], LEFT, 173, 'The term "Insured Person" refers to the person that is named.')
    write(document[0], LEFT, 200, "This means that no other amount is due from the insured.")
    return document.tobytes()


def an_outline_that_makes_no_sense() -> bytes:
    """Bookmarks without a title, that run backwards, and that go down two levels at a time."""
    document = new(4)
    for number, page in enumerate(document, start=1):
        write(page, LEFT, 90, f"{number} {('Cover', 'Limits', 'Claims', 'Law')[number - 1]}")
        write(page, LEFT, 120, PROSE[:3])
    document.set_toc(
        [[1, "Cover", 1], [1, "Law", 4], [2, "Limits", 2], [3, "", 3], [3, "Claims", 3]]
    )
    return document.tobytes()


def two_bookmarks_of_one_name() -> bytes:
    """The target tells them apart: the part, and the clause of the same name below it."""
    document = new()
    page = document[0]
    write(page, LEFT, 90, "CLAIMS", fontname="hebo", size=14)
    write(page, LEFT, 130, "Notice", fontname="hebo")
    write(page, LEFT, 150, PROSE)
    write(page, LEFT, 260, "Claims and who may make them", fontname="hebo")
    write(page, LEFT, 280, PROSE)
    targets = ((1, "CLAIMS", 76), (2, "Notice", 120), (2, "Claims", 250))
    document.set_toc(
        [
            [level, title, 1, {"kind": pymupdf.LINK_GOTO, "to": pymupdf.Point(LEFT, y)}]
            for level, title, y in targets
        ]
    )
    return document.tobytes()


def numbered_headings_under_a_title() -> bytes:
    document = new()
    page = document[0]
    y = write(page, LEFT, 80, "Policy Wording", fontname="hebo", size=16) + 10
    for heading in ("1. Cover", "1.1 Fire", "1.2 Flood", "2. Claims", "2.1 Notice"):
        y = write(page, LEFT, y, heading, fontname="hebo") + 8
        y = write(page, LEFT, y, PROSE[:2]) + 10
    return document.tobytes()


def numbering_that_begins_again_in_an_annex() -> bytes:
    labels = ("1", "2", "3", "4", "1", "2", "3")
    document = new(len(labels))
    for label, page in zip(labels, document, strict=True):
        write(page, LEFT, 100, PROSE[:2])
        write(page, 290, 810, f"- {label} -", size=9)
    return document.tobytes()


def references_to_places_below_a_clause() -> bytes:
    document = new(2)
    page = document[0]
    write(page, LEFT, 90, "4. Claims", fontname="hebo")
    lines = (
        "(a) Notice must reach the insurer within the time that Annex B names.",
        "(b) The insured must:",
        "(i) keep what was damaged;",
        "(ii) send a proof of loss.",
    )
    write(page, LEFT, 115, lines)
    write(page, LEFT, 190, "5. Limits", fontname="hebo")
    lines = (
        "Limits stand in Table 3. Clause 4(b)(ii), section 4 (b) (ii) and clauses 4(a) and",
        "4(c) stay as they are; Figure 1 shows an example, Figure 7 does not.",
    )
    write(page, LEFT, 215, lines)
    write(page, LEFT, 270, "Table 3 - Limits by peril")
    for i, row in enumerate((("Peril", "Limit"), ("Fire", "100,000"), ("Flood", "(50,000)"))):
        for x, cell in zip((72, 250), row, strict=True):
            write(page, x, 290 + 14 * i, cell)
    write(page, LEFT, 370, "Figure 1. A loss and its parts")
    write(document[1], LEFT, 90, "Annex B: Times", fontname="hebo", size=12)
    write(document[1], LEFT, 120, PROSE[:2])
    return document.tobytes()


def a_ruled_table_over_three_pages() -> bytes:
    """Between running lines, with its heading row on each page."""
    document = new(3)
    xs = (72, 250, 400, 500)
    for number, page in enumerate(document):
        write(page, LEFT, 40, "Household Policy HP-2025", size=8)
        write(page, 290, 810, f"Page {number + 1}", size=8)
        top = 640 if number == 0 else 80
        if number == 0:
            write(page, LEFT, 620, "Table 4: Premium by class")
        rows = [("Class", "Premium", "Change")]
        rows += [(f"Class {number}{i}", f"{i},{number}50.50", f"({i}.5) %") for i in range(3)]
        for i, row in enumerate(rows):
            for x, cell in zip(xs, row, strict=False):
                write(page, x + 4, top + 12 + 16 * i, cell, size=9)
        for i in range(len(rows) + 1):
            page.draw_line((xs[0], top + 16 * i), (xs[-1], top + 16 * i))
        for x in xs:
            page.draw_line((x, top), (x, top + 16 * len(rows)))
    write(document[2], LEFT, 300, PROSE[:2])
    return document.tobytes()


def a_statement_with_labels_over_two_lines() -> bytes:
    document = new()
    page = document[0]
    write(page, LEFT, 80, PROSE[:2])
    rows = (
        ("", "2024", "2023", "Change"),
        ("Net premiums earned", "$ 12,345", "$ 11,900", "3.7 %"),
        ("Losses and loss", "", "", ""),
        ("adjustment expenses", "(8,100)", "(7,950)", "-1.9 %"),
        ("Underwriting result", "-", "120", "n.m."),
        ("Combined ratio (%)", "97.5", "99.1", "(1.6) pts"),
    )
    for i, (label, *numbers) in enumerate(rows):
        write(page, LEFT, 140 + 13 * i, label)
        for x, number in zip((330, 420, 520), numbers, strict=True):
            write(page, x - pymupdf.get_text_length(number, fontsize=10), 140 + 13 * i, number)
    return document.tobytes()
