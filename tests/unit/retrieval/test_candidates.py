"""Candidates: what is named leads, nothing overlaps, what was read does not come back."""

import polars as pl
import pytest

from flows.retrieve import retrieve
from tests.unit.retrieval.corpora import corpus, lines, request
from transforms.retrieval import index_lines, make_windows
from transforms.tables import CrossReference, DocumentObject, DocumentPage, Section
from transforms.values import Activations, Candidate, CorpusFrames, ParsedQuestion, RetrievalRequest

FILLER = ["lorem ipsum dolor sit amet consectetur adipiscing elit sed do"] * 20
PAGES = [
    ["Cover", "", *FILLER, "", "The premium is 100 EUR, see Table 1."],
    ["Exclusions", "", *FILLER, "", "Flood is excluded."],
    ["Table 1", "", "Premium 100 EUR", "", *FILLER],
]


@pytest.fixture
def policy() -> CorpusFrames:
    line_df = lines("d1", *PAGES, roles={"Exclusions": "heading", "Table 1": "caption"})
    place = {"doc_id": "d1", "level": 1, "source": "headings"}
    toc_df = Section.frame(
        [
            {**place, "section_id": "s1", "number": "1", "title": "Cover", "page_start": 1,
             "line_start": 1, "page_end": 1, "line_end": 22},
            {**place, "section_id": "s2", "number": "2", "title": "Exclusions", "page_start": 2,
             "line_start": 1, "page_end": 2, "line_end": 22},
        ]
    )  # fmt: skip
    object_df = DocumentObject.frame(
        [{"doc_id": "d1", "object_id": "o1", "kind": "table", "label": "Table 1", "page": 3,
          "line_start": 1, "line_end": 2}]
    )  # fmt: skip
    cross_ref_df = CrossReference.frame(
        [{"doc_id": "d1", "page": 1, "line": 22, "seq": 1, "ref_text": "see Table 1",
          "target_kind": "table", "target_label": "1", "target_id": "o1"}]
    )  # fmt: skip
    return corpus(line_df, toc_df=toc_df, object_df=object_df, cross_ref_df=cross_ref_df)


def found(frames: CorpusFrames, asked: RetrievalRequest) -> tuple[Candidate, ...]:
    term_df = index_lines(frames.line_df, language="en")
    return retrieve([asked], frames, term_df)[asked.pair_id]


def question(text: str, **fields: object) -> ParsedQuestion:
    return ParsedQuestion.model_validate({"text": text, "corrected_text": text, **fields})


def pages(candidates: tuple[Candidate, ...]) -> list[int]:
    return [candidate.page_start for candidate in candidates]


def test_ranks_count_from_one_and_detectors_are_named(policy: CorpusFrames) -> None:
    candidates = found(policy, request("Is flood excluded?", "d1"))
    assert [candidate.rank for candidate in candidates] == list(range(1, len(candidates) + 1))
    assert candidates[0].page_start <= 2 <= candidates[0].page_end
    assert candidates[0].detectors == ("keywords",)


def test_a_reference_is_followed_first(policy: CorpusFrames) -> None:
    candidates = found(policy, request("flood excluded", "d1", references=("Table 1",)))
    assert pages(candidates)[0] == 3
    assert candidates[0].detectors == ("two_hop",)


def test_a_section_is_found_by_number_or_title(policy: CorpusFrames) -> None:
    for label in ("Section 2", "Exclusions", "§ 2"):
        assert pages(found(policy, request("premium", "d1", references=(label,))))[0] == 2


def test_the_first_page_is_a_place_that_can_be_referred_to(policy: CorpusFrames) -> None:
    candidates = found(policy, request("flood excluded", "d1", references=("first page",)))
    assert (candidates[0].page_start, candidates[0].line_start) == (1, 1)


def test_two_hop_offers_what_the_windows_refer_to(policy: CorpusFrames) -> None:
    on = Activations(two_hop_references=True)
    candidates = found(policy, request("premium cover", "d1", activations=on, k=3))
    assert "two_hop" in {name for candidate in candidates for name in candidate.detectors}
    assert 3 in pages(candidates)


def test_pages_that_were_parsed_again_come_first(policy: CorpusFrames) -> None:
    assert pages(found(policy, request("flood", "d1", pages=(3,))))[0] == 3


def test_what_was_seen_or_dropped_does_not_come_back(policy: CorpusFrames) -> None:
    first = found(policy, request("premium", "d1"))
    again = found(policy, request("premium", "d1", seen=first))
    assert not {candidate.place for candidate in again} & {candidate.place for candidate in first}
    assert found(policy, request("premium", "d1", dropped=first)) == ()


def test_wider_windows_hold_what_is_unread_around_the_best_and_nothing_twice(
    policy: CorpusFrames,
) -> None:
    narrow = found(policy, request("flood excluded", "d1", k=1))
    wide = found(policy, request("flood excluded", "d1", k=9, seen=narrow, widen=2))
    offered = pl.concat([window.line_df for window in make_windows((*narrow, *wide), policy)])
    assert wide
    assert (
        offered.select("page", "line")
        .sort("page", "line")
        .equals(policy.line_df.select("page", "line").sort("page", "line"))
    )


def test_a_list_that_is_widened_goes_on_in_its_section_before_it_goes_elsewhere() -> None:
    items = [f"({letter}) flood damage of kind {letter} " + "x " * 60 for letter in "abcdefghijkl"]
    line_df = lines("d1", ["Kinds of flood", *(line for item in items for line in ("", item))])
    section = {
        "doc_id": "d1", "level": 1, "source": "headings", "section_id": "s1", "title": "Kinds",
        "page_start": 1, "line_start": 1, "page_end": 1, "line_end": line_df["line"].max(),
    }  # fmt: skip
    frames = corpus(line_df, toc_df=Section.frame([section]))
    on = Activations(listing_aggregation=True)
    asked = {"activations": on, "question": question("flood", keywords=("flood",))}
    first = found(frames, request("", "d1", k=1, **asked))
    more = found(frames, request("", "d1", k=4, seen=first, widen=1, **asked))
    assert 1 <= len(more) <= 2
    assert {each.detectors for each in more} == {("listing",)}
    assert more[0].line_start == first[0].line_end + 1


def test_added_keywords_find_what_the_question_does_not_say(policy: CorpusFrames) -> None:
    assert found(policy, request("inundation", "d1")) == ()
    assert pages(found(policy, request("inundation", "d1", keywords_added=("flood",)))) != []


def test_a_page_is_found_by_its_printed_label(policy: CorpusFrames) -> None:
    page_df = DocumentPage.frame(
        [{"doc_id": "d1", "page": 2, "page_version": 1, "page_label": "iv", "width": 1.0,
          "height": 1.0, "rotation": 0, "n_columns": 1, "n_lines": 1, "n_chars": 1,
          "image_share": 0.0, "text_quality": 1.0, "is_flagged": False, "parse_method": "native",
          "parsed_at": policy.document_df["parsed_at"][0]}]
    )  # fmt: skip
    labelled = policy.model_copy(update={"page_df": page_df})
    hinted = request("premium", "d1", question=question("premium on page iv", page_hint="iv"))
    candidates = found(labelled, hinted)
    assert pages(candidates)[0] == 2
    assert candidates[0].detectors == ("hints",)


def test_each_document_of_a_comparison_gets_its_share() -> None:
    both = corpus(
        lines("d1", ["premium premium premium", "", *FILLER, "", "premium again", "", *FILLER]),
        lines("d2", [*FILLER, "", "one premium", "", *FILLER]),
    )
    compared = question("Is the premium higher?", intent="comparison", keywords=("premium",))
    candidates = found(both, request("", "d1", "d2", question=compared, k=2))
    assert [candidate.doc_id for candidate in candidates] == ["d1", "d2"]


def test_anchor_overlap_is_the_share_of_anchors_in_the_window(policy: CorpusFrames) -> None:
    asked = question("flood ID.AM-1", keywords=("flood",), anchor_keywords=("flood", "ID.AM-9"))
    candidates = found(policy, request("", "d1", question=asked))
    assert candidates[0].anchor_overlap == pytest.approx(1 / 3)


def test_an_old_page_version_is_never_retrieved(policy: CorpusFrames) -> None:
    old = policy.line_df.filter(pl.col("page") == 2)
    current = policy.line_df.with_columns(
        page_version=pl.when(pl.col("page") == 2).then(2).otherwise(1).cast(pl.Int64),
        text=pl.when(pl.col("page") == 2).then(pl.lit("nothing")).otherwise(pl.col("text")),
    )
    frames = policy.model_copy(update={"line_df": current})
    term_df = index_lines(pl.concat([old, current]), language="en")
    asked = request("flood", "d1")
    assert retrieve([asked], frames, term_df)["pair"] == ()


def test_a_kind_of_object_lifts_the_windows_that_have_one(policy: CorpusFrames) -> None:
    hinted = question("premium in the table", keywords=("premium",), layout_hint="table")
    candidates = found(policy, request("", "d1", question=hinted))
    assert candidates[0].page_end == 3
    assert candidates[0].detectors == ("keywords", "hints")


def test_a_labelled_object_is_found_by_its_label(policy: CorpusFrames) -> None:
    hinted = question("flood in Table 1", keywords=("flood",), layout_hint="Table 1")
    assert pages(found(policy, request("", "d1", question=hinted)))[0] == 3


def test_a_named_section_is_offered_whole(policy: CorpusFrames) -> None:
    hinted = question("premium in Section 2", keywords=("premium",), section_hint="Section 2")
    first = found(policy, request("", "d1", question=hinted))[0]
    assert (first.page_start, first.line_start) == (2, 1)
