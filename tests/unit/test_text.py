"""Folding, index terms, token counts."""

import pytest

from transforms.text import count_tokens, fold, is_stop_word, terms


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The policies covered liabilities", "en", ["polici", "cover", "liabil"]),
        ("Category ID.AM-1 of d_model, Art. L131-1", "en",
         ["categori", "id.am-1", "id.am", "d_model", "art", "l131-1"]),
        ("$1,577.00 in FY2018 and FY22", "en", ["1577.00", "fy2018", "2018", "fy22", "2022"]),
        ("in-network", "en", ["network", "innetwork"]),
        ("a 30-day wait", "en", ["30-day", "day", "30", "wait"]),
        ("Section 5.4, 12/31/2018", "en", ["section", "5.4", "12/31/2018", "2018"]),
        ("U.S. law", "en", ["u.s", "law"]),
        ("end.Next sentence", "en", ["end", "next", "sentenc"]),
        ("l'assuré et les garanties", "fr", ["assur", "garant"]),
        ("Die Verträge der Gesellschaft", "de", ["vertrag", "gesellschaft"]),
        ("las pólizas de seguro", "es", ["poliz", "segur"]),
        ("unknown language uses English", "xx", ["unknown", "languag", "use", "english"]),
    ],
)  # fmt: skip
def test_terms_are_stems_numbers_and_whole_codes(
    text: str, language: str, expected: list[str]
) -> None:
    assert terms(text, language) == expected


def test_accents_dashes_quotes_and_ligatures_make_no_difference() -> None:
    assert fold("Beneﬁts – l’Assuré") == "benefits - l'assure"


def test_a_stop_word_is_known_by_its_language() -> None:
    assert is_stop_word("Où", "fr")
    assert not is_stop_word("die", "en")


def test_tokens_are_those_of_o200k() -> None:
    assert count_tokens("The premium is due.") == 5
