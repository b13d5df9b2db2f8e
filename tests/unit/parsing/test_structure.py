"""What a document is made of is found in the last versions of its pages."""

from datetime import UTC, datetime

import pymupdf

from flows.ingesting.worker import ParseJob, parse
from transforms import tables

LINES = (
    (22, "2 EXCLUSIONS"), (11, "War and nuclear risks are not insured."), (11, "Table 1: Limits"),
    (11, "The limits of Section 1 apply."),
)  # fmt: skip


def test_headings_captions_and_references_of_a_scan_stand_where_ocr_read_them() -> None:
    source = pymupdf.open()
    page = source.new_page(width=400, height=300)
    for i, (size, text) in enumerate(LINES):
        page.insert_text((40, 50 + 55 * i), text, fontsize=size)
    document = pymupdf.open()
    native = document.new_page(width=400, height=300)
    native.insert_text((40, 50), "1 SCOPE OF COVER", fontsize=22)
    native.insert_text((40, 105), "The insurer pays for damage by fire.", fontsize=11)
    scanned = document.new_page(width=400, height=300)
    scanned.insert_image(scanned.rect, pixmap=source[0].get_pixmap(dpi=200))
    job = ParseJob(
        content=document.tobytes(),
        file_name="a.pdf",
        parsed_at=datetime(2026, 1, 1, tzinfo=UTC),
        max_pages=10,
    )
    frames = parse(job)
    for name in ("toc_df", "object_df", "cross_ref_df", "line_df"):
        tables.TABLES[name].checked(frames[name])
    line_df = frames["line_df"].filter(page=2, page_version=2)
    texts = dict(line_df.select("line", "text").iter_rows())
    section = frames["toc_df"].filter(page_start=2).row(0, named=True)
    assert "EXCLUSIONS" in texts[section["line_start"]]
    assert line_df["section_id"].unique().to_list() == [section["section_id"]]
    table = frames["object_df"].filter(kind="table").row(0, named=True)
    assert (table["page"], table["label"].replace(" ", "")) == (2, "Table1")
    assert "Limits" in texts[table["line_start"]]
    reference = frames["cross_ref_df"].filter(page=2).row(0, named=True)
    assert "limits of" in texts[reference["line"]]
    assert reference["target_id"] == frames["toc_df"].filter(page_start=1)["section_id"].item()
