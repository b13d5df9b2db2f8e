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
    said: str | None = None
    """Null when documents use the words of questions."""
    group: str | None = None
    """Concepts of one group are rivals."""
    before: str | None = None
    """Prepositions that say the concept right before a value, and nothing elsewhere."""


PERIOD = r"policy period|period of (?:insurance|cover)|insurance period|versicherungsdauer|période"

CONCEPTS: tuple[Concept, ...] = (
    # dates
    Concept(
        "effective",
        r"effective|incepts?|inception|commenc\w+|(?:start|begin)(?:s|ning)?\b|in force|"
        r"take effect|"
        r"valid from|prise? d'effet|\beffet|\bdébut|commence|beginn\w*|wirksam\w*|inkraft\w*|"
        r"in kraft|\binicio|entrada en vigor|vigor",
        rf"effective|incepts?|inception|commenc\w+|(?:start|begin)(?:s|ning)?\b|takes? effect|"
        rf"{PERIOD}|"
        r"valid from|with effect|d'effet|effet|\bdébut|à compter|beginn\w*|\w*beginn\b|wirksam\w*|"
        r"in kraft|\binicio|vigor|vigencia",
        "date",
        r"from|as of|as at|since|du|à compter du|vom|von|ab|seit|desde|a partir del?",
    ),
    Concept(
        "expiry",
        r"expir\w+|\bends?\b|ending|terminat\w+ date|valid until|run out|\blapse|échéance|"
        r"prend fin|"
        r"ablauf\w*|\bendet?\b|läuft ab|vencimiento|vence\b",
        rf"expir\w+|\bends?\b|ending|terminates? on|{PERIOD}|échéance|prend fin|\w*ablauf\w*|"
        rf"\bende[nt]?\b|"
        r"vencimiento|vence\b",
        "date",
        r"to|until|till|through|au|jusqu'au|bis|bis zum|hasta(?: el)?|al",
    ),
    Concept(
        "signed",
        r"\bsign(?:ed|ature|ing|s)\b|execut(?:ed|ion)|\bsigné|unterzeich\w+|unterschr\w+|firm(?:a|ado|ó)\b",
        r"\bsign(?:ed|ature)|execut(?:ed|ion)|witness whereof|countersign|\bsigné|fait à|"
        r"unterzeich\w+|"
        r"unterschr\w+|firmado",
        "date",
    ),
    Concept(
        "issued",
        r"issu(?:ed?|ance)\b|printed|prepared|émis|émission|établi\b|ausgestellt|ausstellung\w*|emisión|emitid",
        r"issu(?:ed?|ance)\b(?! (?:to|by)\b)|printed|prepared|date of issue|émis|émission|"
        r"établi\b|ausgestellt|"
        r"ausstellung\w*|emisión|emitid",
        "date",
    ),
    Concept("retroactive", r"retroactive|rétroactiv|rückwirk|retroactiv", group="date"),
    Concept("birth", r"birth|\bborn\b|naissance|geburt\w*|nacimiento", group="date"),
    Concept("payment_due", r"\bdue\b|payable|fällig|exigible", group="date"),
    Concept("renewal", r"renew\w*|renouvel\w*|reconduction|verläng\w*|renovaci"),
    # money
    Concept(
        "deductible",
        r"deductible|\bretention\b|\bexcess\b|franchise|selbstbe\w+|franquicia|deducible",
        group="money",
    ),
    Concept(
        "premium",
        r"premium|\bprime\b|cotisation|prämie|\w*beitrag|\bprima\b",
        group="money",
    ),
    Concept(
        "limit",
        r"\blimits?(?: of (?:liability|indemnity|insurance))?\b|sums? insured|"
        r"insured (?:sum|value)|maximum amount|most .{0,20}will pay|plafond|"
        r"montant (?:maximal|garanti)|capital assuré|versicherungssumme|deckungssumme|"
        r"höchst\w+|límite|suma asegurada",
        r"\blimits?\b|limited to|sums? insured|maximum|up to|most .{0,40}will pay|not exceed\w*|"
        r"plafond|"
        r"montant (?:maximal|garanti)|capital assuré|versicherungssumme|deckungssumme|höchst\w+|"
        r"begrenzt|límite|"
        r"suma asegurada|amount of insurance",
        "money",
    ),
    Concept("copay", r"co-?pay\w*", group="money"),
    Concept(
        "coinsurance",
        r"co-?insurance|quote-part|mitversicherung|coaseguro",
        group="money",
    ),
    Concept(
        "per_occurrence",
        r"(?:per|each(?: and every)?|any one|every|one) (?:\w+ )?(?:occurrence|claim|loss|"
        r"accident|event|incident|conveyance)|"
        r"par (?:sinistre|événement)|je (?:\w+)?(?:fall|ereignis)|pro (?:\w+)?fall|"
        r"por (?:siniestro|evento)",
        r"(?:per|each(?: and every)?|any one|every|one) (?:\w+ )?(?:occurrence|claim|loss|"
        r"accident|event|incident|conveyance)|"
        r"occurrence limit|par (?:sinistre|événement)|je (?:\w+)?(?:fall|ereignis)|"
        r"pro (?:\w+)?fall|por (?:siniestro|evento)",
        "basis",
    ),
    Concept(
        "aggregate",
        r"aggregate|\ball (?:claims|loss(?:es)?|occurrences|payments)|plafond annuel|"
        r"jahres\w*höchst|agregado|"
        r"(?:per|in any one) (?:policy )?(?:year|period)",
        r"aggregate|\ball (?:claims|loss(?:es)?|occurrences|payments)|plafond annuel|alle fälle|"
        r"jahres\w*höchst|agregado|"
        r"(?:per|in any one) (?:policy )?(?:year|period)",
        "basis",
    ),
    Concept(
        "in_network",
        r"(?<!non-)(?<!non )\bin-network|\bin network",
        r"\bin-network|\bin network|(?<!non-)participating",
        "network",
    ),
    Concept(
        "out_of_network",
        r"out-of-network|out of network|non-?network",
        r"out-of-network|out of network|non-?network|non-?participating",
        "network",
    ),
    # people
    Concept(
        "insured",
        r"named insured|policy ?holder|\b(?:the|an?|of) insureds?\b(?! (?:sum|value|vehicle))|"
        r"souscripteur|preneur d'assurance|"
        r"\bassuré\b|versicherungsnehmer\w*|tomador|asegurado\b",
        r"named insured|name of insured|policy ?holder|\binsureds?\b(?! (?:sum|value|vehicle))|"
        r"\bassured\b|issued to|souscripteur|"
        r"preneur d'assurance|\bassuré\b|versicherungsnehmer\w*|tomador|asegurado\b",
        "person",
    ),
    Concept(
        "insurer",
        r"\binsurer\b|insurance company|underwrit\w+|carrier|issued the policy|issues? (?:this|"
        r"the) policy|\bassureur|"
        r"\bversicherer\b|aseguradora?",
        r"\binsurer\b|insurance company|underwrit\w+|carrier|issued by|issuing company|"
        r"\bthe company (?:has caused|shall|will|agrees|may)\b|"
        r"\bassureur|\bversicherer\b|aseguradora?",
        "person",
    ),
    Concept(
        "broker",
        r"\bbroker\w*|producer|\bagent\b|intermedi\w+|intermédiaire|courtier|makler|vermittler|corredor|mediador",
        group="person",
    ),
    # periods
    Concept(
        "waiting",
        r"waiting|time retention|carence|warte\w+|karenz\w*|carencia|\bespera",
        r"waiting|time retention|carence|warte\w+|karenz\w*|carencia|\bespera|excluded until|"
        r"until the expiry of|"
        r"during the first",
    ),
    Concept(
        "notice",
        r"\bnotice\b|\bnotif\w+|\breport(?:ed|ing|s)?\b|préavis|déclar\w+|frist|meld\w+|anzei\w+|aviso|comunic\w+",
        r"\bnotice\b|\bnotif\w+|\breport(?:ed|ing|s)?\b|préavis|déclar\w+|kündigungsfrist|meld\w+|anzei\w+|anzuzeigen|aviso|"
        r"comunic\w+",
    ),
    Concept(
        "loss",
        r"\bloss(?:es)?\b|\bdamage\b|\bclaims?\b|sinistres?|schaden\w*|siniestros?|\baccident|\bincident",
        r"\bloss(?:es)?\b|\bdamage\b|\bclaims?\b|\bevents?\b|\boccurrence|sinistres?|schaden\w*|siniestros?|\baccident|"
        r"\bincident",
    ),
    Concept(
        "suit",
        r"legal (?:action|proceeding)s?|law ?suits?|\bsuits?\b|\bsue\b|court action|litigation|"
        r"klage|action en justice|"
        r"demanda judicial",
        r"legal (?:action|proceeding)s?|law ?suits?|\bsuits?\b|\baction\b|litigation|klage|"
        r"action en justice|demanda",
        "deadline",
    ),
    Concept(
        "reporting",
        r"(?:within|in) what time|how (?:soon|quickly|long).{0,50}\b(?:report|notif)|"
        r"\b(?:report|notif)\w*.{0,20}\b(?:loss|claim)|"
        r"(?:loss|claim)\w*.{0,20}\b(?:report|notif)|notice of (?:loss|claim)",
        r"(?:written )?notice of (?:any |a )?(?:loss|claim)|shall (?:be notified|report|notify)|"
        r"\w+ be notified|report every|"
        r"immediately|as soon as|promptly",
        "deadline",
    ),
    Concept(
        "discovery",
        r"extended report\w+|discovery period",
        group="deadline",
    ),
    Concept(
        "non_payment",
        r"non-?payment|fail\w* to pay|nichtzahlung|non-paiement|impago",
        group="deadline",
    ),
    Concept(
        "late",
        r"\bfails? to (?:report|notify|give)|\blate\b|too late|not .{0,30}in time",
        r"\blate\b|fails? to|failure to|\bdelay|prompt|in time",
    ),
    Concept(
        "excluded",
        r"\bexclu\w+|not (?:be )?(?:covered|insured|paid)|ausschl\w+|ausgeschlossen|"
        r"nicht versichert|non (?:couvert|garanti)|no (?:cubre|cubiert)",
        r"\bexclu\w+|not (?:cover|insure|pay|apply|be liable)\w*|ausschl\w+|ausgeschlossen|"
        r"nicht versichert|non (?:couvert|garanti)|no (?:cubre|cubiert)",
    ),
    Concept("extension", r"\bextensions?\b", r"\bexten(?:sions?|d\w*)\b"),
    Concept(
        "covered",
        r"\bcover(?:s|ed|age)?\b|insured against|\binclud\w+|\bexclu\w+|gedeckt|versichert\b|"
        r"couvert|garanti\w*|cubiert",
        r"\bcover(?:s|ed|age)?\b|insur\w+ against|\binclud\w+|\bexclu\w+|extend\w*|not apply|"
        r"gedeckt|versichert\b|couvert|"
        r"garanti\w*|cubiert",
    ),
    Concept(
        "cancel",
        r"cancel\w*|terminat\w+|résili\w+|\w*kündig\w*|rescind|rescisión|cancelaci",
        group="deadline",
    ),
    Concept("grace", r"\bgrace\b|nachfrist|\bgracia"),
    Concept(
        "term",
        r"\bterm\b|how long|duration|durée|laufzeit|vertragsdauer|plazo|duración",
        r"\bterm\b|period of|for a period|remain in (?:full )?(?:force|effect)|expire|surviv\w+|"
        r"durée|laufzeit|"
        r"vertragsdauer|duración",
    ),
    # contact
    Concept(
        "phone",
        r"\bphone|telephone|hotline|téléphone|telefon\w*|teléfono",
        r"\bphone|telephone|hotline|\btel\b|téléphone|telefon\w*|teléfono",
    ),
    Concept("email", r"e-?mail|courriel|correo electr", r"e-?mail|courriel|correo|@"),
    Concept(
        "policy_number",
        r"policy (?:number|no)|numéro de (?:police|contrat)|polic\w*nummer|"
        r"versicherungs(?:schein)?nummer|vertragsnummer|"
        r"versicherungsschein|número de póliza",
        r"policy\s*(?:number|no|#|nr)|numéro de (?:police|contrat)|contrat n|police n|"
        r"polic\w*nummer|vertragsnummer|"
        r"versicherungs(?:schein)?-?(?:nummer|nr)|número de póliza|póliza n",
    ),
)


OPPOSITES = frozenset({"covered"})
"""Concepts that stand for a thing and its contrary: what is covered, and what is excluded."""


class CompiledConcept(NamedTuple):
    """A concept with its patterns compiled."""

    name: str
    asked: re.Pattern[str]
    said: re.Pattern[str]
    before: re.Pattern[str] | None
    group: str | None


@cache
def compiled() -> tuple[CompiledConcept, ...]:
    """Return all concepts, compiled once."""
    return tuple(_compile(concept) for concept in CONCEPTS)


def _compile(concept: Concept) -> CompiledConcept:
    before = rf"\b(?:{concept.before})\s*(?:the\s+)?$" if concept.before else None
    return CompiledConcept(
        name=concept.name,
        asked=re.compile(concept.asked, re.IGNORECASE),
        said=re.compile(concept.said or concept.asked, re.IGNORECASE),
        before=re.compile(before, re.IGNORECASE) if before else None,
        group=concept.group,
    )


def asked_concepts(question: str, *, is_yes_no: bool) -> tuple[CompiledConcept, ...]:
    """Return the concepts that a question asks for; opposites are one concept for yes or no."""
    return tuple(
        concept
        for concept in compiled()
        if concept.asked.search(question) and (is_yes_no or concept.name not in OPPOSITES)
    )


def rivals(asked: tuple[CompiledConcept, ...]) -> tuple[CompiledConcept, ...]:
    """Return the concepts that exclude one asked for, when they are not asked for themselves."""
    names = {concept.name for concept in asked}
    groups = {concept.group for concept in asked if concept.group}
    return tuple(c for c in compiled() if c.group in groups and c.name not in names)
