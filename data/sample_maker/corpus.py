"""The documents of a sample: which are made, and what is done to their pages."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import pymupdf

from sample_maker.continental import Wordings, draw_facts, write
from sample_maker.encrypted import encrypted
from sample_maker.english import EnglishPolicy
from sample_maker.french import FRENCH
from sample_maker.german import GERMAN
from sample_maker.house import House, draw_house
from sample_maker.layout import Printed, set_document
from sample_maker.manuscript import Manuscript
from sample_maker.policy import Insurer, Policy, draw_insurers, draw_policy, renewed, shortened
from sample_maker.spoken import Spoken, as_date

Treatment = Literal["native", "scan", "rotated", "encrypted"]
SCAN_DPI = 130
SCAN_QUALITY = 40
SCAN_MARGIN, SCAN_SIZE, SCAN_LEADING = 45.0, 9.2, 1.16
"""A scan is a short form, set closely: every page of it costs seconds to read."""
N_HOUSES = 7
NOT_A_PDF = b"""<!DOCTYPE html>
<html><head><title>Session expired</title></head>
<body><p>Your session has expired. Please log in again to download the document.</p></body></html>
"""


@dataclass(frozen=True)
class Spec:
    """One document of the plan: line of business or language, insurer, year."""

    line: str
    house: int
    year: int = 2025
    n_fillers: int = 1
    treatment: Treatment = "native"
    renews_previous: bool = False


PLAN: tuple[Spec, ...] = (
    Spec("property", 0, year=2024, n_fillers=2),
    Spec("property", 0, n_fillers=2, renews_previous=True),
    Spec("french", 0),
    Spec("german", 4),
    Spec("liability", 6, n_fillers=0, treatment="scan"),
    Spec("professional", 2, n_fillers=7),
    Spec("cyber", 5, treatment="encrypted"),
    Spec("liability", 3, n_fillers=3, treatment="rotated"),
    Spec("fleet", 1, n_fillers=2),
    Spec("property", 3, n_fillers=8),
    Spec("cargo", 4, n_fillers=2),
    Spec("directors", 2, year=2026),
    Spec("liability", 1),
    Spec("fleet", 5),
    Spec("cyber", 0, year=2026, n_fillers=2),
    Spec("cargo", 6),
    Spec("professional", 4, year=2024),
    Spec("property", 5, year=2026),
    Spec("directors", 3, n_fillers=4),
    Spec("fleet", 2, year=2026),
)
LINES = ("property", "liability", "professional", "cyber", "cargo", "fleet", "directors")


@dataclass(frozen=True)
class SampleDocument:
    file_name: str
    content: bytes
    doc_type: str
    facts: dict[str, Spoken]
    manuscript: Manuscript
    printed: tuple[Printed, ...]
    house: House
    is_scan: bool

    def states(self, fact: str) -> bool:
        """Return whether the document says it."""
        return any(fact in quote.facts for quote in self.printed)


def make_documents(seed: int, count: int) -> list[SampleDocument]:
    """Return the first `count` documents of a seed; more of them change none before."""
    rng = random.Random(f"{seed}/houses")
    insurers = draw_insurers(rng, N_HOUSES)
    houses = [draw_house(rng, i, insurer.country) for i, insurer in enumerate(insurers)]
    documents: list[SampleDocument] = []
    previous: Policy | None = None
    for index in range(count):
        rng = random.Random(f"{seed}/{index}")
        spec = PLAN[index] if index < len(PLAN) else _further(rng)
        house = houses[spec.house]
        if spec.treatment == "scan":
            house = replace(house, margin=SCAN_MARGIN, size=SCAN_SIZE, leading=SCAN_LEADING)
        if spec.line in ("french", "german"):
            words = FRENCH if spec.line == "french" else GERMAN
            document = _continental(rng, spec, words, house)
        else:
            previous = _policy(rng, spec, insurers[spec.house], previous)
            document = _english(rng, spec, previous, house)
        documents.append(_renamed(document, documents))
    return documents


def broken_files(document: SampleDocument) -> dict[str, bytes]:
    """Return files that cannot be read, by name."""
    pdf = pymupdf.open(stream=document.content, filetype="pdf")
    packed = pdf.tobytes(garbage=3, deflate=True, no_new_id=True, use_objstms=1)
    return {
        "cut-off.pdf": packed[: len(packed) // 2],
        "needs-password.pdf": encrypted(pdf, user_password="client-17"),  # noqa: S106 (a sample)
        "not-a-pdf.pdf": NOT_A_PDF,
    }


def _further(rng: random.Random) -> Spec:
    line = rng.choice((*LINES * 3, "french", "german"))
    return Spec(
        line, rng.randrange(N_HOUSES), rng.choice((2023, 2024, 2025, 2026)), rng.randrange(6)
    )


def _policy(rng: random.Random, spec: Spec, insurer: Insurer, previous: Policy | None) -> Policy:
    if spec.renews_previous and previous:
        return renewed(rng, previous)
    return draw_policy(rng, spec.line, insurer, spec.year)


def _english(rng: random.Random, spec: Spec, policy: Policy, house: House) -> SampleDocument:
    if spec.treatment == "scan":
        policy = shortened(policy)
    manuscript = EnglishPolicy(rng, policy, house, spec.n_fillers).manuscript()
    return _finished(f"policy-{spec.line}", spec, policy.facts, manuscript, house)


def _continental(rng: random.Random, spec: Spec, words: Wordings, house: House) -> SampleDocument:
    facts = draw_facts(rng, words, rng.choice(words.insurers), spec.year)
    manuscript = write(rng, words, facts)
    house = replace(house, page_label=words.page_label)
    return _finished(f"{words.file_word}-{words.doc_type}", spec, facts, manuscript, house)


def _finished(
    name: str, spec: Spec, facts: dict[str, Spoken], manuscript: Manuscript, house: House
) -> SampleDocument:
    setting = set_document(manuscript, house)
    kind, _, doc_type = name.partition("-")
    start = as_date(facts["period_start"])
    return SampleDocument(
        file_name=f"{kind}-{_slug(str(facts['insurer']))}-{doc_type}-{start.year}.pdf",
        content=_treated(setting.pdf, spec.treatment, manuscript),
        doc_type=doc_type,
        facts=facts,
        manuscript=manuscript,
        printed=tuple(setting.printed),
        house=house,
        is_scan=spec.treatment == "scan",
    )


def _treated(pdf: pymupdf.Document, treatment: Treatment, manuscript: Manuscript) -> bytes:
    if treatment == "scan":
        pdf = _scanned(pdf)
    elif treatment == "rotated":
        pdf = _rotated(pdf, _page_of_table(pdf))
    pdf.set_metadata({"title": manuscript.title, "creator": "Policy desk"})
    if treatment == "encrypted":
        return encrypted(pdf, user_password="")
    return pdf.tobytes(garbage=3, deflate=True, no_new_id=True)


def _scanned(pdf: pymupdf.Document) -> pymupdf.Document:
    """Return the pages as grey images without any text."""
    scan = pymupdf.open()
    for page in pdf:
        image = page.get_pixmap(dpi=SCAN_DPI, colorspace=pymupdf.csGRAY)
        sheet = scan.new_page(width=page.rect.width, height=page.rect.height)
        sheet.insert_image(sheet.rect, stream=image.tobytes("jpg", jpg_quality=SCAN_QUALITY))
    return scan


def _rotated(pdf: pymupdf.Document, index: int) -> pymupdf.Document:
    """Return the document with one page that lies on its side and is turned upright to be read."""
    turned = pymupdf.open()
    for number in range(pdf.page_count):
        if number != index:
            turned.insert_pdf(pdf, from_page=number, to_page=number)
            continue
        upright = pdf[number].rect
        page = turned.new_page(width=upright.height, height=upright.width)
        page.show_pdf_page(page.rect, pdf, number, rotate=90)
        page.set_rotation(90)
    turned.set_toc(pdf.get_toc())
    return turned


def _page_of_table(pdf: pymupdf.Document) -> int:
    """Return the first page that shows the limits by coverage part."""
    return next(n for n in range(pdf.page_count) if "Coverage Part\n" in pdf[n].get_text())


def _renamed(document: SampleDocument, others: Iterable[SampleDocument]) -> SampleDocument:
    """Give a document whose name is taken the next free one."""
    taken = {other.file_name for other in others}
    name, number = document.file_name, 2
    while name in taken:
        name = document.file_name.replace(".pdf", f"-{number}.pdf")
        number += 1
    return replace(document, file_name=name)


def _slug(name: str) -> str:
    plain = name.translate(str.maketrans("éèàùôïäöüßÉ", "eeauoiaousE"))
    return "-".join(word.lower() for word in plain.split()[:2] if word.isalpha())
