"""Concepts that documents word in many ways, and which of them exclude each other.

A concept is asked for when `asked` matches the question; `said` matches the ways a document words
it. A value beside a rival of the concept asked for (an expiry date, when the effective date is
asked for) is not the answer.
"""

import re
from functools import cache
from typing import NamedTuple


class Concept(NamedTuple):
    """One concept; matching ignores case."""

    name: str
    asked: str
    said: str
    group: str | None = None
    """Concepts of one group are rivals."""


# fmt: off
CONCEPTS: tuple[Concept, ...] = (
    # dates
    Concept("effective",
        r"effective|inception|commenc\w+|(?:start|begin)(?:s|ning)?\b|in force|take effect|valid from|"
        r"prise? d'effet|effet|début|commence|beginn\w*|wirksam\w*|inkraft\w*|in kraft|inicio|entrada en vigor|vigor",
        r"effective|inception|commenc\w+|(?:start|begin)(?:s|ning)?\b|in force|takes? effect|valid from|"
        r"\bfrom\b|as of\b|with effect|\bd'effet|effet|début|à compter|\bdu\b|beginn\w*|wirksam\w*|\bab\b|\bvom\b|\bvon\b|"
        r"in kraft|inicio|\bdesde\b|vigor|vigencia",
        "date"),
    Concept("expiry",
        r"expir\w+|\bends?\b|ending|terminat\w+ date|valid until|run out|échéance|expire|prend fin|"
        r"ablauf\w*|\bendet?\b|läuft ab|vencimiento|vence|termina",
        r"expir\w+|\bends?\b|ending|until|through\b|\bto\b|terminates? on|échéance|\bau\b|jusqu|prend fin|"
        r"ablauf\w*|\bende[nt]?\b|\bbis\b|vencimiento|\bhasta\b|\bal\b",
        "date"),
    Concept("signed",
        r"sign(?:ed|ature|ing)|execut(?:ed|ion)|\bsigné|signature|unterzeich\w+|unterschr\w+|firm(?:a|ado)",
        r"sign(?:ed|ature)|execut(?:ed|ion)|witness whereof|countersign|\bsigné|fait à|unterzeich\w+|unterschr\w+|firmado",
        "date"),
    Concept("issued",
        r"issu(?:ed?|ance)|printed|prepared|émis|émission|établi|ausgestellt|ausstellung\w*|emisión|emitid",
        r"issu(?:ed?|ance)\b|printed|prepared|date of issue|émis|émission|établi|ausgestellt|ausstellung\w*|emisión|emitid",
        "date"),
    Concept("retroactive", r"retroactive|rétroactiv|rückwirk", r"retroactive|rétroactiv|rückwirk", "date"),
    Concept("renewal", r"renew\w*|renouvel\w*|verläng\w*|renovaci", r"renew\w*|renouvel\w*|verläng\w*|renovaci"),
    Concept("birth", r"birth|born|naissance|geburt\w*|nacimiento", r"birth|born|naissance|geburt\w*|nacimiento", "date"),
    Concept("payment_due", r"\bdue\b|payable|fällig|exigible", r"\bdue\b|payable|fällig|exigible", "date"),
    # money
    Concept("deductible",
        r"deductible|retention|\bexcess\b|franchise|selbstbe\w+|franquicia|deducible",
        r"deductible|retention|\bexcess\b|franchise|selbstbe\w+|franquicia|deducible",
        "money"),
    Concept("premium", r"premium|\bprime\b|cotisation|prämie|beitrag|\bprima\b",
        r"premium|\bprime\b|cotisation|prämie|beitrag|\bprima\b", "money"),
    Concept("limit",
        r"\blimits?\b|limited|sum insured|insured (?:sum|value)|maximum|most we will pay|plafond|montant (?:maximal|garanti)|"
        r"capital assuré|versicherungssumme|deckungssumme|höchst\w+|límite|suma asegurada|how much .{0,40}(?:covered|insured)",
        r"\blimits?\b|sums? insured|maximum|up to|most we will pay|not exceed\w*|plafond|montant (?:maximal|garanti)|capital assuré|"
        r"versicherungssumme|deckungssumme|höchst\w+|límite|suma asegurada|amount of insurance",
        "money"),
    Concept("copay", r"co-?pay\w*", r"co-?pay\w*", "money"),
    Concept("coinsurance", r"co-?insurance", r"co-?insurance", "money"),
    Concept("per_occurrence",
        r"(?:per|each|any one|every) (?:\w+ )?(?:occurrence|claim|loss|accident|event|incident)|par (?:sinistre|événement)|"
        r"je (?:\w+)?(?:fall|ereignis)|pro (?:\w+)?fall|por (?:siniestro|evento)|eines? einzelnen",
        r"(?:per|each|any one|every|one) (?:\w+ )?(?:occurrence|claim|loss|accident|event|incident)|occurrence limit|"
        r"par (?:sinistre|événement)|je (?:\w+)?(?:fall|ereignis)|pro (?:\w+)?fall|por (?:siniestro|evento)",
        "basis"),
    Concept("aggregate",
        r"aggregate|all (?:claims|losses|occurrences)|par (?:an|année)|je (?:versicherungs)?jahr|jahres\w*höchst|agregado|"
        r"(?:per|in any one) (?:policy )?(?:year|period)",
        r"aggregate|all (?:claims|losses|occurrences)|par (?:an|année)|je (?:versicherungs)?jahr|jahres\w*höchst|agregado|"
        r"(?:per|in any one) (?:policy )?(?:year|period)",
        "basis"),
    Concept("in_network", r"(?<!non-)(?<!non )\bin-network|\bin network", r"\bin-network|\bin network|participating", "network"),
    Concept("out_of_network", r"out-of-network|out of network|non-?network",
        r"out-of-network|out of network|non-?network|non-?participating", "network"),
    # people
    Concept("insured",
        r"named insured|policy ?holder|the insured\b|\binsureds?\b(?! (?:sum|value))|souscripteur|preneur d'assurance|\bassuré\b|"
        r"versicherungsnehmer\w*|versicherte\b|tomador|asegurado\b",
        r"named insured|policy ?holder|\binsureds?\b|souscripteur|preneur d'assurance|\bassuré\b|versicherungsnehmer\w*|"
        r"versicherte\b|tomador|asegurado\b",
        "person"),
    Concept("insurer",
        r"\binsurer\b|insurance company|underwrit\w+|carrier|issued the policy|issues? this policy|assureur|compagnie|versicherer\b|"
        r"aseguradora?",
        r"\binsurer\b|insurance company|underwrit\w+|carrier|assureur|compagnie|versicherer\b|aseguradora?",
        "person"),
    Concept("broker", r"broker|producer|\bagen(?:t|cy)\b|intermediary|courtier|makler|vermittler|corredor|mediador",
        r"broker|producer|\bagen(?:t|cy)\b|intermediary|courtier|makler|vermittler|corredor|mediador", "person"),
    # periods
    Concept("waiting", r"waiting|délai (?:de )?carence|carence|warte\w+|karenz\w*|carencia|espera",
        r"waiting|carence|warte\w+|karenz\w*|carencia|espera|excluded until|until the expiry of"),
    Concept("notice", r"\bnotice\b|notif\w+|report\w*|préavis|déclar\w+|frist|meld\w+|anzei\w+|aviso|comunic\w+|preaviso",
        r"\bnotice\b|notif\w+|report\w*|préavis|déclar\w+|kündigungsfrist|meld\w+|anzei\w+|aviso|comunic\w+|preaviso"),
    Concept("cancel", r"cancel\w*|terminat\w+|résili\w+|kündig\w*|rescind|rescisión|cancelaci|resol",
        r"cancel\w*|terminat\w+|résili\w+|kündig\w*|rescisión|cancelaci"),
    Concept("grace", r"grace|nachfrist|gracia", r"grace|nachfrist|gracia"),
    Concept("term", r"\bterm\b|how long|duration|period of (?:validity|insurance)|durée|laufzeit|vertragsdauer|plazo|duración",
        r"\bterm\b|period of|for a period|remain in (?:full )?(?:force|effect)|in effect|expire|surviv\w+|durée|laufzeit|vertragsdauer|"
        r"duración"),
    # contact
    Concept("phone", r"phone|call\b|telephone|téléphone|telefon\w*|teléfono|hotline", r"phone|call\b|\btel\b|téléphone|telefon\w*|teléfono|hotline"),
    Concept("email", r"e-?mail|courriel|correo", r"e-?mail|courriel|correo|@"),
    Concept("policy_number", r"policy (?:number|no)|numéro de (?:police|contrat)|police n|polic\w*nummer|versicherungsnummer|"
        r"vertragsnummer|versicherungsscheinnummer|número de póliza",
        r"policy\s*(?:number|no|#|nr)|numéro de (?:police|contrat)|police n|polic\w*nummer|vertragsnummer|versicherungs(?:schein)?-?(?:nummer|nr)|"
        r"número de póliza|póliza n"),
)
# fmt: on


class CompiledConcept(NamedTuple):
    """A concept with its patterns compiled."""

    name: str
    asked: re.Pattern[str]
    said: re.Pattern[str]
    group: str | None


@cache
def compiled() -> tuple[CompiledConcept, ...]:
    """Return all concepts, compiled once."""
    return tuple(
        CompiledConcept(
            concept.name,
            re.compile(concept.asked, re.IGNORECASE),
            re.compile(concept.said, re.IGNORECASE),
            concept.group,
        )
        for concept in CONCEPTS
    )


def asked_concepts(question: str) -> tuple[CompiledConcept, ...]:
    """Return the concepts that a question asks for."""
    return tuple(concept for concept in compiled() if concept.asked.search(question))


def rivals(asked: tuple[CompiledConcept, ...]) -> tuple[CompiledConcept, ...]:
    """Return the concepts that exclude one asked for, when they are not asked for themselves."""
    names = {concept.name for concept in asked}
    groups = {concept.group for concept in asked if concept.group}
    return tuple(c for c in compiled() if c.group in groups and c.name not in names)
