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
        layouts.footnotes_below_two_columns,
        layouts.a_sentence_across_both_columns,
        layouts.two_columns_on_one_grid_of_lines,
        layouts.vertical_writing_glyph_by_glyph,
        layouts.text_that_runs_down_the_page,
        glyphs.chinese,
        glyphs.hebrew,
        glyphs.compounds_at_line_ends,
        glyphs.a_word_that_the_document_writes_with_its_hyphen,
        glyphs.a_ligature_mapped_to_nul,
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
        structures.an_outline_that_makes_no_sense,
        structures.two_bookmarks_of_one_name,
        structures.numbered_headings_under_a_title,
        structures.numbering_that_begins_again_in_an_annex,
        structures.references_to_places_below_a_clause,
        structures.a_ruled_table_over_three_pages,
        structures.a_statement_with_labels_over_two_lines,
    )
} | {f"a_page_rotated_by_{degrees}": layouts.rotated(degrees) for degrees in (90, 180, 270)}
