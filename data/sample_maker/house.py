"""How an insurer's documents look: drawn once per insurer, shared by all its policies."""

import random
from dataclasses import dataclass
from typing import Literal

Numbering = Literal["section", "article", "part", "clause"]
TableStyle = Literal["ruled", "aligned", "banded"]
Contents = Literal["outline", "printed", "both", "none"]

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True)
class House:
    """Typography and conventions."""

    font: Literal["helv", "tiro", "cour"]
    bold: str
    italic: str
    size: float
    n_columns: int
    paper: tuple[float, float]
    margin: float
    leading: float
    accent: tuple[float, float, float]
    numbering: Numbering
    has_capital_headings: bool
    table_style: TableStyle
    contents: Contents
    item_marker: Literal["(a)", "1.", "-", "A."]
    page_label: str
    """With {page} and {pages}."""
    has_header: bool

    def section_number(self, index: int) -> str:
        """Return what the heading of the section with this index, from 1, begins with."""
        return {
            "section": f"Section {index}",
            "article": f"Article {ROMAN[index - 1]}",
            "part": f"Part {chr(64 + index)}",
            "clause": f"{index}.",
        }[self.numbering]

    def clause_number(self, section: int, clause: int) -> str:
        """Return the number of a clause: 4.2, or D.2 where sections are letters."""
        return f"{chr(64 + section) if self.numbering == 'part' else section}.{clause}"

    def reference(self, number: str) -> str:
        """Return how the text refers to the clause of that number."""
        return f"{'Clause' if self.numbering in ('part', 'clause') else 'Section'} {number}"

    def marker(self, index: int) -> str:
        """Return what the list item with this index, from 1, begins with."""
        letter = chr(96 + index)
        return {"(a)": f"({letter})", "1.": f"{index}.", "-": "-", "A.": f"{letter.upper()}."}[
            self.item_marker
        ]


FACES = {"helv": ("hebo", "heit"), "tiro": ("tibo", "tiit"), "cour": ("cobo", "coit")}
A4, LETTER = (595.0, 842.0), (612.0, 792.0)
CONTENTS: tuple[tuple[Contents, int], ...] = (
    # contents, columns: one row per house, so that every kind is met
    ("outline", 1),
    ("none", 2),
    ("printed", 1),
    ("both", 1),
    ("outline", 2),
    ("none", 1),
    ("none", 1),
)


def draw_house(rng: random.Random, index: int, country: str) -> House:
    """Return the house style of the insurer with this index, from 0."""
    contents, n_columns = CONTENTS[index % len(CONTENTS)]
    font = "cour" if index == 5 else rng.choice(("helv", "tiro"))
    bold, italic = FACES[font]
    size = {1: rng.choice((9.5, 10.0, 10.5)), 2: rng.choice((8.5, 9.0))}[n_columns]
    if font == "cour":
        size = 8.5
    return House(
        font=font,
        bold=bold,
        italic=italic,
        size=size,
        n_columns=n_columns,
        paper=LETTER if country == "US" else A4,
        margin=rng.choice((54.0, 60.0, 68.0)),
        leading=rng.choice((1.25, 1.3, 1.38)),
        accent=rng.choice(((0.1, 0.2, 0.45), (0.45, 0.1, 0.12), (0.0, 0.3, 0.25), (0.0, 0.0, 0.0))),
        numbering=rng.choice(("section", "article", "part", "clause")),
        has_capital_headings=rng.random() < 0.4,
        table_style=rng.choice(("ruled", "aligned", "banded")),
        contents=contents,
        item_marker=rng.choice(("(a)", "1.", "-", "A.")),
        page_label=rng.choice(
            ("Page {page} of {pages}", "{page}", "- {page} -", "{page} / {pages}")
        ),
        has_header=rng.random() < 0.8,
    )
