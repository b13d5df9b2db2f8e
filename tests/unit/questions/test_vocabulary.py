"""Expert vocabulary: which wordings are added, in which order, and what a bad file is told."""

import pytest

from flows.question_file import load_vocabulary
from transforms.errors import InputError
from transforms.questions import Vocabulary, parse_question
from transforms.questions.vocabulary import MAX_REWRITES

ROWS = [
    {"concept": c, "language": lang, "keyword": k, "priority": p, "weight": "1.0"}
    for c, lang, k, p in [
        ("rent", "en", "rent", "1"),
        ("rent", "en", "rental charge", "2"),
        ("rent", "en", "payable monthly", "3"),
        ("rent", "de", "Miete", "1"),
        ("rate", "en", "rate", "1"),
        ("rate", "en", "percentage", "2"),
        ("tax_rate", "en", "tax rate", "1"),
        ("tax_rate", "en", "levy", "2"),
    ]
]


def test_other_wordings_of_a_concept_come_own_language_first_then_by_priority() -> None:
    rewrites = Vocabulary.from_rows(ROWS).rewrites("What is the rent?", "en")
    assert rewrites == ("rental charge", "payable monthly", "Miete")


def test_a_longer_wording_wins_over_what_it_contains() -> None:
    vocabulary = Vocabulary.from_rows(ROWS)
    assert vocabulary.concepts_in("What is the tax rate?", "en") == ("tax_rate",)


def test_wordings_that_only_stand_in_texts_do_not_name_their_concept() -> None:
    vocabulary = Vocabulary.from_rows(ROWS)
    assert vocabulary.concepts_in("What is payable monthly?", "en") == ()


def test_wordings_that_the_corpus_does_not_have_are_left_out() -> None:
    corpus_terms = frozenset({"rental", "charg"})
    rewrites = Vocabulary.from_rows(ROWS).rewrites("What is the rent?", "en", corpus_terms)
    assert rewrites == ("rental charge",)


def test_a_question_in_another_language_finds_the_same_concept() -> None:
    question = parse_question("Wie hoch ist die Miete?", vocabulary=Vocabulary.from_rows([*ROWS]))
    assert question.rewrites == ("rent", "rental charge", "payable monthly")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"keyword": ""}, "keyword"),
        ({"priority": "first"}, "priority"),
        ({"weight": "2"}, "weight"),
    ],
)
def test_a_bad_row_is_named(change: dict[str, str], named: str) -> None:
    with pytest.raises(InputError, match="row 2") as caught:
        Vocabulary.from_rows([ROWS[0], {**ROWS[1], **change}])
    assert named in f"{caught.value} {caught.value.hint}"


def test_the_vocabulary_that_comes_with_compline_knows_what_experts_know() -> None:
    vocabulary = load_vocabulary()
    expected = {
        "What is the annual premium?": "total premium",
        "What is the governing law?": "construed in accordance with",
        "What was capex in 2020?": "purchases of property plant and equipment",
        "What is the effective date of the agreement?": "made and entered into as of",
        "Quelle est la prime annuelle ?": "cotisation",
        "Is prior authorization needed?": "preauthorization",
        "When does the cover begin?": "inception date",
        "When does the policy expire?": "expiration date",
        "Wann beginnt der Versicherungsschutz?": "Versicherungsbeginn",
        "Wann endet der Versicherungsschutz?": "Ablauf",
        "Quand commence la garantie ?": "date d'effet",
        "¿Cuándo comienza la cobertura?": "fecha de efecto",
    }
    for text, wording in expected.items():
        assert wording in parse_question(text, vocabulary=vocabulary).rewrites, text


def test_rewrites_are_bounded() -> None:
    text = "premium deductible exclusion coverage claim renewal flood fire theft tax debt"
    assert len(load_vocabulary().rewrites(text, "en")) == MAX_REWRITES
