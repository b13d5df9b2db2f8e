"""The frames of a document as text that a person can check against the page."""

import polars as pl


def printed(frames: dict[str, pl.DataFrame]) -> str:
    """Return lines, sections, objects, references and cells, one a row."""
    parts: list[str] = []
    for page in frames["page_df"].sort("page").iter_rows(named=True):
        label = f" label {page['page_label']}" if page["page_label"] else ""
        flag = f" flagged: {page['escalation_reason']}" if page["is_flagged"] else ""
        parts.append(f"== page {page['page']}{label}, {page['n_columns']} columns{flag}")
        line_df = frames["line_df"].filter(pl.col("page") == page["page"]).sort("line")
        parts.extend(
            f"{row['line']:>2} c{row['column_number']} b{row['block']} {row['role']:<9} "
            f"{row['section_id'] or '-':<3} {row['text']}".replace("\u00ad", "~")
            for row in line_df.iter_rows(named=True)
        )
    for section in frames["toc_df"].iter_rows(named=True):
        parts.append(
            f"section {section['section_id']} in {section['parent_id'] or '-'}: "
            f"{section['number'] or '-'} | {section['title']} | "
            f"p{section['page_start']} l{section['line_start']} to "
            f"p{section['page_end']} l{section['line_end']} ({section['source']})"
        )
    for found in frames["object_df"].iter_rows(named=True):
        parts.append(
            f"{found['kind']} {found['object_id']}: {found['label'] or '-'} | p{found['page']} "
            f"l{found['line_start']}-{found['line_end']} | {found['caption'] or '-'}"
        )
    for reference in frames["cross_ref_df"].iter_rows(named=True):
        parts.append(
            f"reference p{reference['page']} l{reference['line']}.{reference['seq']}: "
            f"{reference['ref_text']} | {reference['target_kind']} {reference['target_label']} "
            f"-> {reference['target_id'] or '?'}"
        )
    cells = frames["table_cell_df"].sort("object_id", "row_number", "column_number")
    for (object_id, row), row_df in cells.group_by("object_id", "row_number", maintain_order=True):
        texts = " | ".join(
            f"{cell['column_number']}:{cell['text']}" for cell in row_df.iter_rows(named=True)
        )
        parts.append(f"row {object_id}.{row}: {texts}")
    return "\n".join(parts) + "\n"
