"""Folding, index terms, token counts."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
import snowballstemmer

from transforms.text import cardinality_cue, count_tokens, decoded_json, fold, is_stop_word, terms


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


def test_half_of_a_surrogate_pair_counts_as_what_replaces_it() -> None:
    assert count_tokens("a\ud800b") == count_tokens("a\ufffdb")


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("There are three types of leave.", "Which types of leave are there?", 3),
        ("The following 6 Categories belong here", "What are the Categories under GOVERN?", 6),
        ("five (5) core functions", "List the functions.", 5),
        ("within 30 days of the notice", "How many days is the notice?", None),
        ("two years after termination", "What happens after termination?", None),
        ("Section 7 exclusions apply", "List all exclusions.", None),
        ("no number at all", "Which types are there?", None),
    ],
)
def test_a_cardinality_cue_is_a_number_before_a_word_of_the_question(
    text: str, question: str, expected: int | None
) -> None:
    assert cardinality_cue(text, question) == expected


def test_a_cardinality_cue_is_read_in_other_languages() -> None:
    assert cardinality_cue("Es gibt drei Deckungsarten", "Welche Deckungsarten gibt es?", "de") == 3


def test_the_number_of_a_heading_announces_no_items() -> None:
    assert cardinality_cue("5 Exclusions\nWe do not cover war.", "List all exclusions.") is None
    assert cardinality_cue("There are 5 exclusions:", "List all exclusions.") == 5


def test_threads_that_index_at_once_get_the_same_terms() -> None:
    words = ["".join(letters) + "ationally" for letters in product("bcdfglmn", repeat=4)]
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda word: terms(word, "en"), words))
    assert at_once == [[snowballstemmer.stemmer("english").stemWord(word)] for word in words]


def test_json_of_anybody_is_read_as_what_a_file_can_hold_or_refused() -> None:
    assert decoded_json('{"a": "\\ud800b", "c": "\\ud83d\\ude00"} and more') == (
        {"a": "?b", "c": "\U0001f600"}, 37,
    )  # fmt: skip
    for endless in ("[" * 200_000, "9" * 5_000, "{"):
        with pytest.raises(ValueError, match=r"nested|digits|Expecting"):
            decoded_json(endless)
