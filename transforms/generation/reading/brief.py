"""What a question asks, as weights on terms: how much of it a stretch of text speaks of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from transforms.generation.reading.concepts import CompiledConcept, asked_concepts, rivals
from transforms.text import fold, terms
from transforms.values import ParsedQuestion

WORD = re.compile(r"\w+(?:[.,/'’\-]\w+)*")
GENERIC = frozenset(
    term
    for language, words in {
        "en": """policy insurance agreement contract document plan company amount date number name
            section clause article page paragraph provide provision state specify apply applicable
            list type kind define definition mean meaning happen tell give show say find answer
            question value item part party parties current total much many long often respond base
            information accord under use using set forth year time period day month term person
            entity exact exactly printed mention call include contain describe explain first new
            require main primary primarily assume rely shown detail following cover covered
            coverage protection insured pay paid payable""",
        "fr": """police assurance contrat document montant date numéro nom section article page
            prévoir indiquer appliquer liste type définir définition signifier durée période
            valeur garantie garanti couvert couvrir assuré payer""",
        "de": """police versicherung vertrag dokument betrag datum nummer name abschnitt artikel
            seite angeben gelten liste art bedeuten bedeutung dauer zeitraum wert hoch höhe lange
            viel viele lauten heißen versichert gedeckt versicherungsschein""",
        "es": """póliza seguro contrato documento importe fecha número nombre sección artículo
            página indicar aplicar lista tipo definir definición significar duración periodo valor
            cubierto cobertura asegurado pagar""",
    }.items()
    for term in terms(words, language)
)
GENERIC_WEIGHT = 0.25
LIGHT = frozenset(
    term
    for language, words in {
        "en": """bring brought make made take taken give given carry carried place placed hold held
            send sent must shall appoint appointed refund refunded add added attach attached charge
            charged allow available happen happens become set fix determine receive submit file
            serve amounts agreed within before after annual annually act acts contain contains each
            every any percentage percent rate total overall behalf""",
        "fr": """faire fait donner prendre pris mettre devoir doit annuel annuelle chaque taux
            pourcentage total""",
        "de": """machen geben nehmen setzen muss gilt gelten jährlich jeder satz prozentsatz
            insgesamt betrieb""",
        "es": "hacer dar tomar poner debe anual cada tasa porcentaje total",
    }.items()
    for term in terms(words, language)
)
"""Words that say little of what is asked: it may be put without them."""
LIGHT_WEIGHT = 0.4
NAMING = ("name", "address", "identifier")
"""Types of answers for which it matters which of the parties is asked for."""
UNSTEMMED = frozenset({"insured", "insureds", "insurer", "insurers", "assured", "assurer"})
"""Words of different meaning that a stemmer throws together."""
NAME_WEIGHT = 0.2
"""Names of several words are mostly the document's own: they need not stand near the value."""
YEAR_WEIGHT = 0.5
CAPITALISED = r"[A-ZÀ-Ý0-9][\w&'’.-]*"
NAME_RUN = re.compile(
    rf"(?<![.?!:]\s)(?<!^)\b{CAPITALISED}(?:\s+(?:of|de|the|and|&|{CAPITALISED}))*\s+{CAPITALISED}"
)
POSSESSIVE = re.compile(r"\b([A-ZÀ-Ý0-9][\w&.]*)['’]s\b")
UNIT_IN_BRACKETS = re.compile(r"\((?:in|as a|expressed in)\s[^)]*\)", re.IGNORECASE)
FISCAL_YEAR = re.compile(r"(?:fy|cy)(?:19|20)?\d\d")
YEAR = re.compile(r"(?:fy)?(?:19|20)\d\d")


class Mark(NamedTuple):
    """A content term and where it stands in a text."""

    start: int
    end: int
    term: str


@dataclass(frozen=True, slots=True)
class Brief:
    """A question as the reader needs it."""

    question: ParsedQuestion
    language: str
    weights: dict[str, float]
    """Content terms of the question; the more a term tells, the heavier."""
    concepts: tuple[CompiledConcept, ...]
    rivals: tuple[CompiledConcept, ...]
    carried: dict[str, frozenset[str]]
    """For each concept asked for, the terms of the question that it stands for."""
    rewrites: tuple[frozenset[str], ...]
    """Other wordings from the vocabulary, as sets of terms."""

    @property
    def total(self) -> float:
        """Return the weight of the whole question."""
        return sum(self.weights.values()) or 1.0

    def weigh(self, found: Iterable[str]) -> float:
        """Return the share of the question's weight that these terms make up, 0 to 1."""
        return sum(self.weights.get(term, 0.0) for term in set(found)) / self.total

    @property
    def topic(self) -> frozenset[str]:
        """Return the terms that carry the question: neither generic nor a name nor a year."""
        return frozenset(term for term, weight in self.weights.items() if weight >= 1.0)


def make_brief(
    question: ParsedQuestion, language: str, row_terms: frozenset[str] = frozenset()
) -> Brief:
    """Weigh the terms of a question for reading a text in this language.

    A name of several words that stands in a row or list ("Business Interruption") is what is
    asked for; other such names are mostly those of the document or its parties.
    """
    text = UNIT_IN_BRACKETS.sub(" ", question.corrected_text or question.text)
    concepts = asked_concepts(text, is_yes_no=question.answer_type == "boolean")
    weights = _weights(text, question.language, row_terms)
    carried: dict[str, frozenset[str]] = {}
    for concept in concepts:
        said = " ".join(match.group() for match in concept.asked.finditer(text))
        names = frozenset(content_terms(said, question.language)) & weights.keys()
        carried[concept.name] = names - GENERIC or names
    for concept in concepts:
        is_aside = concept.group == "person" and question.answer_type not in NAMING
        least = LIGHT_WEIGHT if is_aside else 1.0
        for term in carried[concept.name]:
            weights[term] = least if is_aside else max(weights[term], least)
    rewrites = (frozenset(content_terms(phrase, language)) for phrase in question.rewrites)
    return Brief(
        question=question,
        language=language,
        weights=weights,
        concepts=concepts,
        rivals=rivals(concepts),
        carried=carried,
        rewrites=tuple(phrase for phrase in rewrites if phrase - GENERIC - LIGHT),
    )


@lru_cache(maxsize=2_000)
def marks(text: str, language: str) -> tuple[Mark, ...]:
    """Return the content terms of a text with their places.

    Kept for the questions to one document that are read one after the other.
    """
    return tuple(
        Mark(match.start(), match.end(), term)
        for match in WORD.finditer(text)
        for term in _word_terms(match.group(), language)
    )


def content_terms(text: str, language: str) -> list[str]:
    """Return index terms, but keep apart what a stemmer would throw together."""
    return [term for word in WORD.findall(text) for term in _word_terms(word, language)]


@lru_cache(maxsize=20_000)
def _word_terms(word: str, language: str) -> tuple[str, ...]:
    if word.lower() in UNSTEMMED:
        return (word.lower().rstrip("s"),)
    return tuple(terms(word, language))


def term_set(text: str, language: str) -> frozenset[str]:
    """Return the content terms of a text."""
    return frozenset(mark.term for mark in marks(text, language))


def _weights(text: str, language: str, row_terms: frozenset[str]) -> dict[str, float]:
    named = {t for m in NAME_RUN.finditer(text) for t in content_terms(m.group(), language)}
    named |= {t for m in POSSESSIVE.finditer(text) for t in content_terms(m[1], language)}
    asked = [term for term in content_terms(text, language) if not FISCAL_YEAR.fullmatch(term)]
    return {term: _weight(term, named - row_terms) for term in asked}


def _weight(term: str, named: set[str]) -> float:
    if term in GENERIC:
        return GENERIC_WEIGHT
    if YEAR.fullmatch(fold(term)):
        return YEAR_WEIGHT
    if term in LIGHT:
        return LIGHT_WEIGHT
    return NAME_WEIGHT if term in named else 1.0
