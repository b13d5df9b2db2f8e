"""Names and addresses: behind a label, or in the sentence that speaks of what is asked."""

import re
from collections.abc import Iterator

from transforms.generation.reading.answers import NOT_FOUND, text_answer
from transforms.generation.reading.brief import term_set
from transforms.generation.reading.labels import labelled
from transforms.generation.reading.match import Sight
from transforms.generation.reading.names import LEGAL_FORM, is_name, name_key
from transforms.generation.reading.page import Reading
from transforms.generation.reading.roles import name_fits, names_insurer
from transforms.generation.reading.singles import speaks_of_topic
from transforms.values import AnswerWithEvidence

MIN_COVERAGE = 0.6
MAX_GAP_CHARS = 12
"""Farther than this from the words of the question, a name belongs to something else."""
ROLE_REACH = 60
"""Characters before a name in which its role may be said."""
WORD = r"[A-ZÀ-Ý][\w’'.-]*"
NAME = re.compile(
    rf"{WORD}(?:[ \n](?:(?:&|and|of|de|von|van|der|du|la)[ \n])?{WORD})*"
    r"(?:,?[ \n](?:Inc|LLC|L\.P|Ltd|plc|GmbH|AG|SA)\b\.?)?"
)
NAMES_IT = re.compile(r"(?:\b(?:by|is|are|as|namely|named|von|durch|par|est|por|es)|:)\s*$")
STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Plaza|Square|Parkway|Pkwy|Place|Highway|Hwy|Freeway|"
    r"Circle|Terrace|Row|Crescent|Close|Quay|Park|Gardens|Hill)\b\.?"
)
ADDRESS = re.compile(
    rf"(?:P\.?\s?O\.?\s+Box\s+\d+|\d{{1,6}}[A-Za-z]?,?\s+(?:[A-ZÀ-Ý0-9][\w’'.-]*\s+){{1,5}}?{STREET})"
    r"(?:,?\s+(?:Suite|Ste\.?|Floor|Unit|Room|Apt\.?)\s*[\w-]+)?(?:[,\s]+[A-ZÀ-Ý][\w’'.-]+){0,4}"
    r"(?:[,\s]+(?:[A-Z]{2}\s+)?(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d{1,2}[A-Z]?\s+\d[A-Z]{2}))?"
    r"|\d{1,4}(?:\s?bis|\s?ter)?,?\s+(?:rue|avenue|boulevard|place|quai|allée|chemin|impasse|cours)\s[^,;\n]{2,50},\s*\d{5}\s+[A-ZÀ-Ý][\w’'-]+"
    r"(?:[\s-][A-ZÀ-Ý][\w’'-]+)*"
    r"|[A-ZÄÖÜ][\wäöüß-]*(?:straße|strasse|str\.|weg|platz|allee|gasse|ufer|ring|damm)\s+\d{1,4}\s?[a-z]?,?\s+(?:D-)?\d{5}\s+[A-ZÄÖÜ][\wäöüß-]+"
    r"|(?:Calle|Avenida|Plaza|Paseo)\s+[^,;\n]{2,50},\s*\d{1,4}[^;\n]{0,30}\d{5}\s+[A-ZÁ-Ú][\wáéíóúñ]+"
)


def read_name(reading: Reading) -> AnswerWithEvidence:
    """Return the name behind the label asked for, else the one nearest to what is asked."""
    if best := labelled(reading):
        return text_answer(best.text, [best.quote], coverage=best.coverage)
    for sight in reading.ranked[:3]:
        if sight.coverage < MIN_COVERAGE or not speaks_of_topic(reading, sight):
            continue
        names = sorted(_names(reading, sight), key=lambda found: found[0])
        if names and names[0][0] <= MAX_GAP_CHARS:
            _, text, start, end = names[0]
            cited = [sight.unit.cite(start, end)]
            return text_answer(text, cited, coverage=min(sight.coverage, 0.8))
    return NOT_FOUND


def _names(reading: Reading, sight: Sight) -> Iterator[tuple[int, str, int, int]]:
    """Yield distance, text and place of names that the question does not use itself."""
    text = sight.unit.text
    asked = reading.brief.weights.keys()
    places = [place for place in sight.places if place.term in reading.brief.topic]
    for match in NAME.finditer(text):
        name = " ".join(match.group().split())
        is_word = " " not in name and not LEGAL_FORM.search(name)
        is_role = any(concept.said.search(name) for concept in reading.brief.concepts)
        if is_word or is_role or not is_name(name) or not name_key(name):
            continue
        if term_set(name, reading.language) & asked:
            continue
        before = text[max(0, match.start() - ROLE_REACH) : match.start()]
        if not name_fits(reading.brief, name, before):
            continue
        distance = min((_gap(match.span(), (p.start, p.end)) for p in places), default=999)
        says_it = names_insurer(reading.brief, name)
        if says_it or NAMES_IT.search(text, 0, match.start()):
            distance = 0
        elif not LEGAL_FORM.search(name):
            distance += MAX_GAP_CHARS
        yield distance, match.group(), match.start(), match.end()


def _gap(span: tuple[int, int], other: tuple[int, int]) -> int:
    return max(span[0] - other[1], other[0] - span[1], 0)


def read_address(reading: Reading) -> AnswerWithEvidence:
    """Return the address behind the label asked for, else in what is said of the topic."""
    if best := labelled(reading):
        return text_answer(best.text, [best.quote], coverage=best.coverage)
    for sight in reading.ranked:
        if sight.coverage < MIN_COVERAGE:
            break
        match = ADDRESS.search(sight.unit.text)
        if match and speaks_of_topic(reading, sight):
            cited = [sight.unit.cite(match.start(), match.end())]
            return text_answer(match.group(), cited, coverage=sight.coverage)
    return NOT_FOUND
