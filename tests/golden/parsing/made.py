"""Small PDFs that each carry one trouble of real documents."""

from collections.abc import Callable

from tests.golden.parsing import glyphs, layouts, structures

CASES: dict[str, Callable[[], bytes]] = {
    case.__name__: case
    for case in (
        layouts.two_columns_below_a_heading,
        layouts.three_columns,
        layouts.side_notes,
        layouts.footnotes,
        layouts.running_lines_and_a_repeated_sentence,
        layouts.a_subtitle_repeated_under_titles,
        layouts.text_that_runs_up_the_page,
        layouts.a_page_set_sideways,
        glyphs.chinese,
        glyphs.letters_drawn_twice,
        glyphs.hyphens_at_line_ends,
        glyphs.a_ligature_without_a_letter,
        glyphs.a_scan_with_an_invisible_text_layer,
        glyphs.text_hidden_and_text_outside,
        structures.cells_of_an_aligned_table,
        structures.wrapped_cells_between_rules,
        structures.a_table_over_two_pages,
        structures.roman_front_matter_and_an_annex,
        structures.a_printed_contents_page,
        structures.an_outline_that_leaves_numbers_out,
        structures.references,
        structures.definitions,
    )
} | {f"a_page_rotated_by_{degrees}": layouts.rotated(degrees) for degrees in (90, 180, 270)}
