"""Values that an endorsement changes: the endorsement is followed, the body is quoted too."""

import re
from collections.abc import Sequence

from transforms.generation.reading.answers import plain, value_answer
from transforms.generation.reading.brief import GENERIC, LIGHT, Brief, term_set
from transforms.generation.reading.match import context_terms
from transforms.generation.reading.typed import Pick
from transforms.generation.reading.units import HEADING_NUMBER
from transforms.generation.typed_values import is_same_value
from transforms.values import AnswerWithEvidence

FROM_BEFORE = re.compile(r"\b(?:from|de|von|desde)\s*$", re.IGNORECASE)
"""Before the value that an amendment replaces: "increased from $5,000 to $10,000"."""
AMENDS = re.compile(
    r"endorsement|amend|replac|delet|supersed|avenant|annule et remplace|nachtrag|ersetzt|"
    r"suplemento|modifica",
    re.IGNORECASE,
)
CHANGED = re.compile(
    r"\b(?:amended|replaced|deleted|superseded|changed|revised|increased|reduced|decreased|"
    r"remplacée?|modifiée?|portée?|ramenée?|ersetzt|geändert|erhöht|herabgesetzt|"
    r"modificad[oa]|sustituid[oa])\b",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"(?:\b(?:section|clause|article|part|item|paragraph|abschnitt|ziffer|artikel|cláusula)|§)\s*"
    r"(?P<number>[A-Z]?\.?\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
OF_CHANGES = frozenset(
    term
    for language, words in {
        "en": """amend change replace delete supersede revise increase reduce decrease read follow
            hereby entirety wording declaration schedule respect endorsement""",
        "fr": "remplacer modifier porter ramener avenant suivant condition",
        "de": "ersetzen geändert ersetzt erhöht herabgesetzt nachtrag folgend",
        "es": "modificar sustituir suplemento siguiente",
    }.items()
    for term in term_set(words, language)
)
"""Words with which a change is stated, whatever is changed."""
MAX_SCORE_LOSS = 0.35


def amendment(brief: Brief, best: Pick, good: Sequence[Pick], all_: Sequence[Pick]) -> Pick | None:
    """Return a pick from an endorsement that changes what the best one says.

    `good` are the picks that say enough of the question by themselves; the others must change
    the clause that the best one stands in, or name nothing but what is asked about.
    """
    if _amends(best):
        return None
    for pick in good:
        if (
            _amends(pick)
            and pick.score >= best.score - MAX_SCORE_LOSS
            and _is_new_value(pick, best)
        ):
            return pick
    numbers = {
        number
        for pick in good
        if is_same_value(pick.value, best.value)
        for number in _own_numbers(pick)
    }
    return next((pick for pick in all_ if _changes(brief, pick, best, numbers)), None)


def followed(amended: Pick, body: Pick) -> AnswerWithEvidence:
    """Return the amended value; the quote of the body is kept."""
    caveat = (
        f"the endorsement is followed: it changes {plain(body.value.text)} of the body "
        f"to {plain(amended.value.text)}"
    )
    coverage = max(amended.coverage, body.coverage)
    answer = value_answer(amended.value, amended.sight.unit, coverage=coverage, caveats=[caveat])
    quote = body.sight.unit.cite(body.value.start, body.value.end)
    return answer.model_copy(update={"cited": (*answer.cited, quote)})


def _amends(pick: Pick) -> bool:
    unit = pick.sight.unit
    return bool(AMENDS.search(unit.heading) or AMENDS.search(unit.text))


def _is_new_value(pick: Pick, best: Pick) -> bool:
    is_old = FROM_BEFORE.search(pick.sight.unit.text, 0, pick.value.start)
    return not is_old and not is_same_value(pick.value, best.value)


def _changes(brief: Brief, pick: Pick, best: Pick, numbers: set[str]) -> bool:
    """Tell whether a sentence changes the value of the best pick to another one."""
    text = pick.sight.unit.text
    is_change = CHANGED.search(text, 0, pick.value.start) and pick.score > 0
    is_same_document = pick.sight.unit.doc == best.sight.unit.doc
    if not is_change or not is_same_document or not _is_new_value(pick, best):
        return False
    said = context_terms(brief, text)
    if not said & brief.topic:
        return False
    clauses = [*CLAUSE.finditer(text)]
    if clauses and numbers:
        return not numbers.isdisjoint(match["number"] for match in clauses)
    statement = CLAUSE.sub(" ", text[: pick.value.start])
    return not term_set(statement, brief.language) - said - GENERIC - LIGHT - OF_CHANGES


def _own_numbers(pick: Pick) -> set[str]:
    """Return the number of the clause that a pick stands in."""
    unit = pick.sight.unit
    titles = (unit.heading.rsplit(" / ", 1)[-1], unit.text)
    return {m[1].rstrip(".") for title in titles if (m := HEADING_NUMBER.match(title))}
