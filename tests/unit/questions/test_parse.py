"""What a question splits into, where it points, and whether it can be answered at all."""

import pytest

from transforms.questions import Vocabulary, parse_question
from transforms.text import terms
from transforms.values import ParsedQuestion


def parsed(text: str, **given: object) -> ParsedQuestion:
    return parse_question(text, vocabulary=Vocabulary(), **given)  # pyright: ignore[reportArgumentType]


def test_a_second_question_becomes_a_part_of_its_own() -> None:
    question = parsed("Who approves overtime, and what is the limit per week?")
    assert question.decomposition == "independent"
    assert question.sub_questions == ("Who approves overtime", "what is the limit per week?")
    assert [part.answer_type for part in question.parts] == ["name", "amount"]
    assert question.answer_type == "text"


def test_joined_nouns_become_one_question_each() -> None:
    question = parsed("What are the deductible and the premium of the policy?")
    assert question.sub_questions == (
        "What are the deductible?",
        "What are the premium of the policy?",
    )
    assert question.answer_type == "amount"


@pytest.mark.parametrize(
    "text",
    [
        "What are the terms and conditions of cancellation?",
        "What is the research and development expense?",
        "What were property and equipment additions by year and region?",
        "Are vandalism and arson covered?",
    ],
)
def test_words_that_belong_together_are_not_split(text: str) -> None:
    assert parsed(text).parts == ()


@pytest.mark.parametrize(
    ("text", "decomposition"),
    [
        ("Which clause was amended, and what is its new wording?", "sequential"),
        ("What is the rent, and when is it due?", "independent"),
        ("List the funds, and tell me which of them are closed.", "sequential"),
        ("Do you share data? If yes, what data do you share?", "sequential"),
        ("When does the lease start and end?", "independent"),
        ("If the tenant dies, who may stay?", "conditional"),
        ("What happens when the tenant stops paying?", "conditional"),
        ("Is a guarantor needed unless a deposit is paid?", "conditional"),
        ("Can you tell me if pets are allowed?", "single"),
        ("What are our duties in the event of a fire?", "single"),
        ("What is the excess for each and every claim?", "single"),
        ("Quelle est la franchise en cas de vol ?", "single"),
        ("En cas de vol, quelle est la franchise ?", "single"),
        ("In case of theft, what is the excess?", "single"),
        ("In the event of a total loss, how much is paid?", "conditional"),
        ("En cas de sinistre, que doit faire l'assuré ?", "conditional"),
        ("What is the excess in each of the two policy years?", "unified"),
        ("Is the roof covered in both policies?", "unified"),
        ("What was turnover in each of the past five years?", "single"),
        ("Identify the tenant and state the monthly rent.", "independent"),
        ("List the federal and state taxes.", "single"),
        ("Quel est le délai de préavis et à qui faut-il écrire ?", "independent"),
        ("Is the fee the same in both years, and by how much did it rise?", "unified"),
        ("What is revenue? If it is not reported, say so and explain why.", "single"),
    ],
)
def test_decomposition(text: str, decomposition: str) -> None:
    assert parsed(text).decomposition == decomposition


def test_both_clauses_of_a_conditional_keep_the_condition() -> None:
    question = parsed("If the tenant leaves early, is a fee due, and how much is it?")
    assert question.sub_questions == (
        "If the tenant leaves early, is a fee due",
        "If the tenant leaves early, how much is it?",
    )


@pytest.mark.parametrize(
    ("text", "section", "layout", "page"),
    [
        ("What does Section 4.2 say about water?", "Section 4.2", None, None),
        ("In the endorsements, is mould covered?", "endorsements", None, None),
        ("What is the total in Table 3?", None, "Table 3", None),
        ("Which drugs were tested, and where are results shown?", None, "table", None),
        ("What does it say on page iv?", None, None, "iv"),
        ("Who signed on the last page?", None, "last page", "last"),
        ("What is the fee under Article 12?", "Article 12", None, None),
        ("Was steht in Ziffer 7?", "Ziffer 7", None, None),
        ("What is the fee?", None, None, None),
    ],
)
def test_hints(text: str, section: str | None, layout: str | None, page: str | None) -> None:
    question = parsed(text)
    found = (question.section_hint, question.layout_hint, question.page_hint)
    assert found == (section, layout, page)


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("What does PR.DS-2 cover?", ("PR.DS-2",)),
        ("What is n_heads?", ("n_heads",)),
        ("What does article L131-1 regulate?", ("L131-1",)),
        ('What does "Net Worth" mean?', ("Net Worth",)),
        ("What did Acme Holdings earn in FY2021?", ("Acme Holdings", "FY2021")),
        ("Is the policy valid in Spain?", ("Spain",)),
        ("Wie hoch ist die Prämie?", ()),
    ],
)
def test_anchors_are_codes_quotes_and_names(text: str, anchors: tuple[str, ...]) -> None:
    assert parsed(text).anchor_keywords == anchors


def test_keywords_begin_with_what_tells_most_and_hold_no_asking_words() -> None:
    keywords = parsed("Please tell me how the policy treats water damage at Plant B7.").keywords
    assert keywords[0] in {"Plant", "B7"}
    assert keywords[-1] == "policy"
    assert {"water", "damage"} <= set(keywords)
    assert not {"please", "tell", "me", "how", "the"} & set(keywords)


def test_a_question_of_stop_words_has_no_keywords() -> None:
    assert parsed("What is it?").keywords == ()


@pytest.mark.parametrize(
    "text",
    ["What's the limit?", "Is it covered?", "How much is it?", "Tell me more.", "Why?",
     "When does it begin?", "When is the end?", "What's the cap?",
     "Quel est le montant ?", "Wie hoch ist sie?", "?", "..."],
)  # fmt: skip
def test_a_question_that_names_nothing_is_asked_back(text: str) -> None:
    question = parsed(text)
    assert question.needs_clarification
    assert question.suggested_clarification


@pytest.mark.parametrize(
    "text",
    [
        "What is the premium?",
        "What is the liability limit?",
        "What does Section 3 say?",
        "What is d_k?",
        "List all contraindications.",
        "What is the effective date?",
        "Do you share my info?",
        "Wann beginnt der Versicherungsschutz?",
        "Who is the insurer?",
        "When does the cover begin?",
        "Does the work start in May?",
        "Quand commence le contrat ?",
    ],
)
def test_a_question_with_a_subject_is_not_asked_back(text: str) -> None:
    assert not parsed(text).needs_clarification


@pytest.mark.parametrize(
    "text",
    [
        "Which leases include a break option?",
        "Which licences have a term of at least five years?",
        "Quelles polices couvrent le vol ?",
        "Welche Verträge enthalten eine Verlängerungsklausel?",
        "¿Qué pólizas cubren terremotos?",
    ],
)
def test_asking_which_documents_is_asking_for_names_in_the_collection(text: str) -> None:
    question = parsed(text)
    found = (question.intent, question.answer_shape, question.answer_type)
    assert found == ("open_corpus_wide", "listing", "name")


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Which plan has the lower copayment?", "comparison"),
        ("Which of the two leases runs longer?", "comparison"),
        ("Was the new drug superior to the old one?", "comparison"),
        ("Who is the most recent auditor?", "factual"),
        ("What share is held by the largest shareholder?", "factual"),
        ("Who makes best efforts to find a tenant?", "factual"),
    ],
)
def test_only_a_choice_among_several_compares(text: str, intent: str) -> None:
    assert parsed(text).intent == intent


@pytest.mark.parametrize(
    ("text", "shape", "answer_type"),
    [
        ("Name the contractor.", "single", "name"),
        ("Name all contractors.", "listing", "name"),
        ("List the equipment.", "listing", "text"),
        ("Tell me the closing date.", "single", "date"),
        ("What is the minimum and maximum age?", "single", "number"),
        ("What are the federal and state tax rates?", "listing", "percent"),
        ("Which schedules form part of the lease?", "listing", "name"),
        ("Which termination rights of the seller survive?", "listing", "text"),
        ("Which claims form applies?", "single", "name"),
        ("What is the minimum key length?", "single", "number"),
        ("Which control addresses supply chains?", "single", "name"),
        ("Break down costs by site.", "table", "amount"),
        ("What is the sum insured for the building?", "single", "amount"),
        ("What is the sum of the fees?", "single", "amount"),
        ("List the projects with their budgets.", "table", "amount"),
        ("List the funds with the fee of each.", "table", "amount"),
        ("List the committees with their members.", "nested", "name"),
        ("For each fund, list its managers.", "nested", "name"),
        ("For each fund, list its fee and currency.", "table", "amount"),
    ],
)
def test_the_noun_that_is_asked_for_gives_shape_and_type(
    text: str, shape: str, answer_type: str
) -> None:
    question = parsed(text)
    assert (question.answer_shape, question.answer_type) == (shape, answer_type)


def test_a_given_type_and_shape_win_and_say_so() -> None:
    question = parsed("What is the notice?", answer_type="text", answer_shape="listing")
    assert (question.answer_type, question.answer_shape) == ("text", "listing")
    assert {"answer_type=given", "answer_shape=given"} <= set(question.cues)
    assert not any(cue.startswith("answer_type=") for cue in question.cues if "given" not in cue)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the premium?", "en"),
        ("Was the rent paid in 2020?", "en"),
        ("Quelle est la durée du contrat ?", "fr"),
        ("Was ist ausgeschlossen?", "de"),
        ("Was steht in Abschnitt 4?", "de"),
        ("¿Hay carencia?", "es"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert parsed(text).language == language


def test_spelling_is_corrected_to_words_of_the_corpus_only() -> None:
    corpus_terms = frozenset({"deduct", "premium", "earthquak"})
    question = parsed("What is the premiun for earthqake?", corpus_terms=corpus_terms)
    assert question.corrected_text == "What is the premium for earthquake?"
    assert question.text == "What is the premiun for earthqake?"


def test_a_correction_is_written_as_the_vocabulary_writes_it() -> None:
    row = {"concept": "q", "language": "en", "keyword": "earthquake", "priority": "1"}
    vocabulary = Vocabulary.from_rows([{**row, "weight": "1"}])
    question = parse_question(
        "Is earthqake covered?", vocabulary=vocabulary, corpus_terms=frozenset({"earthquak"})
    )
    assert question.corrected_text == "Is earthquake covered?"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("What is the earthqake limit?", "What is the earthquake limit?"),
        ("Which exclutions apply?", "Which exclusions apply?"),
        ("Is the polcy valid?", "Is the policy valid?"),
        ("Is there liabilty cover?", "Is there liability cover?"),
        ("What is the coverge?", "What is the coverage?"),
        ("Premiun due?", "Premium due?"),
    ],
)
def test_a_correction_is_a_word_and_no_stem(typed: str, shown: str) -> None:
    corpus_terms = frozenset({"earthquak", "exclus", "polici", "liabil", "coverag", "premium"})
    assert parsed(typed, corpus_terms=corpus_terms).corrected_text == shown


def test_a_correction_of_the_vocabulary_keeps_accents_and_capitals() -> None:
    row = {"concept": "p", "language": "de", "keyword": "Prämienzahlung", "priority": "1"}
    question = parse_question(
        "Wann ist die Prämienzahlug fällig?",
        vocabulary=Vocabulary.from_rows([{**row, "weight": "1"}]),
        corpus_terms=frozenset(terms("Prämienzahlung", "de")),
    )
    assert question.corrected_text == "Wann ist die Prämienzahlung fällig?"


def test_codes_known_and_short_words_keep_their_spelling() -> None:
    corpus_terms = frozenset({"polici", "floot", "d_modal", "subset", "pramium"})
    text = "Is d_model in our policies for the fleet premium, ASBEST and pre-sunset cars?"
    assert parsed(text, corpus_terms=corpus_terms).corrected_text == text


def test_common_words_are_never_taken_for_others_of_the_corpus() -> None:
    corpus_terms = frozenset({"sink", "patent", "includ", "half", "sever", "lend"})
    text = "How many patients and servers were included since they were halved?"
    assert parsed(text, corpus_terms=corpus_terms).corrected_text == text


def test_one_name_is_never_taken_for_another() -> None:
    corpus_terms = frozenset({"halbrook"})
    text = "What did Holbrook earn, and what did Halbroock?"
    assert parsed(text, corpus_terms=corpus_terms).corrected_text == text


def test_nothing_is_corrected_without_a_corpus() -> None:
    assert parsed("What is the premiun?").corrected_text == "What is the premiun?"


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("What was revenue? Answer in USD millions.", {"revenue"}),
        ("What was revenue (in EUR thousands)?", {"revenue"}),
        ("Using the income statement, what was revenue?", {"revenue"}),
        ("Assume you are an analyst. What was revenue? Round to one decimal.", {"revenue"}),
        ("What was revenue? If it is not a useful metric, say that and explain why.", {"revenue"}),
        ("What was leverage? Leverage is debt by equity.", {"leverage", "debt", "equity"}),
        ("Answer in French.", {"French"}),
    ],
)
def test_how_to_answer_is_not_searched_for(text: str, keywords: set[str]) -> None:
    assert set(parsed(text).keywords) == keywords


@pytest.mark.parametrize(
    ("text", "answer_type"),
    [
        ("¿Cuál es el nombre del asegurado?", "name"),
        ("Quel est le nombre de véhicules ?", "number"),
        ("Wie hoch ist die Versicherungssumme?", "amount"),
        ("Welche Kündigungsfrist gilt?", "duration"),
        ("Quel est le taux de la taxe ?", "percent"),
        ("¿Dónde está el edificio?", "address"),
    ],
)
def test_nouns_of_other_languages_have_types(text: str, answer_type: str) -> None:
    assert parsed(text).answer_type == answer_type
