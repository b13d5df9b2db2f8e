"""The questions of the sample, each with the fact that answers it.

Which documents a question is asked of is written as a glob over file names, as the documents of a
kind (which becomes a `where`), or left open for all.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """One question. The first of its wordings that the seed draws is asked."""

    name: str
    wordings: tuple[str, ...]
    facts: tuple[str, ...]
    """What answers it; several for a compound question, one per part; none: nobody answers it."""
    documents: str = ""
    doc_types: tuple[str, ...] = ()
    brief: str = "factual single text single"
    """Intent, answer shape, answer type, decomposition."""
    columns: tuple[tuple[str, str], ...] = ()
    """Further columns of the question file."""
    scope: str = ""
    is_vague: bool = False


ENGLISH = "policy-*.pdf"
PROPERTY = "policy-*-property-*.pdf"
LIABILITY = "policy-*-liability-*.pdf"
FLEET = "policy-*-fleet-*.pdf"
CYBER = "policy-*-cyber-*.pdf"
CARGO = "policy-*-cargo-*.pdf"
CLAIMS_MADE = ("professional", "directors", "cyber")
FRENCH = "contrat-*.pdf"
GERMAN = "versicherungsschein-*.pdf"

# fmt: off
QUESTIONS: tuple[Asked, ...] = (
    # single values that most policies state
    Asked("policy-number", ("What is the policy number?",), ("policy_number",), brief="factual single identifier single"),
    Asked("insurer", ("Which company issued the policy?", "Who is the insurer?"), ("insurer",), ENGLISH, brief="factual single name single"),
    Asked("insured", ("Who is the named insured?", "What is the name of the insured?"), ("insured",), ENGLISH, brief="factual single name single"),
    Asked("broker", ("Who is the broker?", "Which broker placed the policy?"), ("broker",), ENGLISH, brief="factual single name single"),
    Asked("insured-address", ("What is the mailing address of the insured?", "What is the address of the named insured?"), ("insured_address",), ENGLISH, brief="factual single address single"),
    Asked("effective-date", ("What is the effective date of this policy?", "When does the cover begin?"), ("period_start",), ENGLISH, brief="factual single date single"),
    Asked("expiry-date", ("When does the policy expire?", "What is the expiration date of the policy?"), ("period_end",), ENGLISH, brief="factual single date single"),
    Asked("issue-date", ("On what date was the policy issued?", "When was this policy signed?"), ("issued_on",), PROPERTY, brief="factual single date single"),
    Asked("premium", ("What is the annual premium?", "How much is the total annual premium?"), ("premium",), ENGLISH, brief="factual single amount single", columns=(("tags", "finance"),)),
    Asked("deductible", ("What is the deductible for each and every loss?", "How much is the deductible for each loss?"), ("deductible",), ENGLISH, brief="factual single amount single", columns=(("tags", "claims"),)),
    Asked("limit-occurrence", ("What is the limit of liability per occurrence?", "How much is the limit for each occurrence?"), ("limit_each",), doc_types=("property", "liability"), brief="factual single amount single"),
    Asked("limit-claim", ("What is the limit of liability for each claim?",), ("limit_each",), doc_types=CLAIMS_MADE, brief="factual single amount single"),
    Asked("limit-aggregate", ("What is the aggregate limit for the policy period?", "How much is the annual aggregate limit?"), ("limit_aggregate",), ENGLISH, brief="factual single amount single", columns=(("answer_type", "amount"),)),
    Asked("cancellation-notice", ("How many days' notice must the insurer give to cancel the policy?", "What is the notice period for cancellation by the insurer?"), ("cancellation_notice",), ENGLISH, brief="factual single duration single"),
    Asked("notice-of-loss", ("Within what time must a loss be reported?", "How long does the insured have to report a loss?"), ("notice_of_loss",), ENGLISH, brief="factual single duration single", columns=(("tags", "claims"),)),
    Asked("suit-limitation", ("How long after a loss can legal action be brought against the insurer?",), ("suit_limitation",), LIABILITY, brief="factual single duration single"),
    Asked("reporting-period", ("How long is the extended reporting period or discovery period?",), ("reporting_period",), doc_types=CLAIMS_MADE, brief="factual single duration single"),
    Asked("waiting-period", ("What is the waiting period for business interruption?",), ("waiting_period",), doc_types=("property", "cyber"), brief="factual single duration single"),
    Asked("coinsurance", ("What is the coinsurance percentage?", "What is the co-insurance percentage?"), ("coinsurance",), doc_types=("property", "cargo"), brief="factual single percent single"),
    Asked("short-rate", ("What percentage of the unearned premium is refunded when the insured cancels?",), ("short_rate",), FLEET, brief="factual single percent single"),
    Asked("premium-tax", ("What is the rate of insurance premium tax?",), ("premium_tax",), LIABILITY, brief="factual single percent single"),
    Asked("retroactive-date", ("What is the retroactive date?",), ("retroactive_date",), doc_types=CLAIMS_MADE, brief="factual single date single", columns=(("answer_type", "date"),)),
    Asked("law", ("Which law governs the policy?", "What is the governing law?"), ("law",), ENGLISH, brief="factual single name single"),
    Asked("arbitrators", ("How many arbitrators will be appointed?",), ("arbitrators",), ENGLISH, brief="factual single number single"),
    Asked("vehicles", ("How many vehicles are insured?", "What is the number of insured vehicles?"), ("counted",), FLEET, brief="factual single number single"),
    Asked("employees", ("How many employees does the insured have?", "What is the number of employees?"), ("counted",), LIABILITY, brief="factual single number single"),
    Asked("claims-phone", ("What is the telephone number of the claims office?",), ("claims_phone",), PROPERTY, brief="factual single identifier single", columns=(("tags", "claims"),)),
    Asked("claims-address", ("To which address must notice of claims be sent?",), ("claims_address",), LIABILITY, brief="factual single address single"),
    Asked("signatory", ("Who signed the policy on behalf of the insurer?",), ("signatory",), CYBER, brief="factual single name single"),
    Asked("terrorism", ("Is loss caused by terrorism covered?", "Does the policy cover acts of terrorism?"), ("terrorism",), ENGLISH, brief="factual single boolean single"),
    Asked("renewal", ("Does the policy renew automatically?",), ("tacit_renewal",), FLEET, brief="factual single boolean single"),
    Asked("earthquake", ("In the endorsements, is earthquake coverage added?",), ("earthquake",), doc_types=("property",), brief="factual single boolean single"),
    # texts
    Asked("territory", ("What is the territorial scope of the policy?", "Where does the insurance apply?"), ("territory",), CARGO),
    Asked("occurrence", ('What is the definition of "Occurrence"?', 'Define "Occurrence".'), ("definition_occurrence",), doc_types=("property", "liability")),
    Asked("claim", ('Define "Claim".',), ("definition_claim",), doc_types=("professional", "directors")),
    Asked("subrogation", ("What does {reference} say about recovery from others?",), ("subrogation",), brief="section_retrieval single text single"),
    # listings, tables, trees
    Asked("exclusions", ("List all exclusions in this policy.", "What exclusions apply?"), ("exclusions",), ENGLISH, brief="listing listing text single"),
    Asked("endorsements", ("Name every endorsement attached to the policy.", "Which endorsements are attached?"), ("endorsements",), ENGLISH, brief="listing listing name single"),
    Asked("additional-insureds", ("Which additional insureds are named?",), ("additional_insureds",), LIABILITY, brief="listing listing name single"),
    Asked("duties", ("What are the duties of the insured in the event of a loss?",), ("duties",), FLEET, brief="listing listing text single", columns=(("k", "8"),)),
    Asked("limits-by-part", ("Give me the limits by coverage part.", "What are the limits for each coverage part?"), ("part_limits",), doc_types=("property", "fleet"), brief="listing table amount single", columns=(("answer_shape", "table"),)),
    Asked("deductibles-by-peril", ("Show the deductibles by peril.",), ("peril_deductibles",), CARGO, brief="listing table amount single"),
    Asked("instalments", ("Show the premium instalments by due date.",), ("instalments",), LIABILITY, brief="listing table amount single", columns=(("budget_tokens", "20000"), ("tags", "finance"))),
    Asked("extensions", ("Show the hierarchy of coverage parts and their extensions.",), ("coverage_tree",), "policy-*-professional-*.pdf", brief="listing tree name single", columns=(("answer_shape", "tree"),)),
    Asked("sublimits", ("For each coverage part, list its extensions with the sublimit of each.",), ("sublimits",), CYBER, brief="listing nested amount single", columns=(("answer_shape", "nested"),)),
    # compound questions
    Asked("premium-and-deductible", ("What are the annual premium and the deductible for each loss?",), ("premium", "deductible"), FLEET, brief="factual single amount independent"),
    Asked("dates-and-number", ("What is the policy number and when does the policy expire?",), ("policy_number", "period_end"), CYBER, brief="factual single text independent"),
    Asked("parts-and-highest", ("What are all the coverage parts, and which one has the highest limit?",), ("part_names", "highest_part"), LIABILITY, brief="listing listing name sequential"),
    Asked("late-notice", ("If the insured fails to report a loss in time, what happens to the claim?",), ("late_notice",), doc_types=("property", "cargo"), brief="factual single text conditional"),
    Asked("flood-or-theft", ("Is the deductible for flood higher than the deductible for theft?",), ("flood_above_theft",), PROPERTY, brief="comparison single boolean unified"),
    Asked("highest-deductible", ("Which peril has the highest deductible?",), ("highest_peril",), PROPERTY, brief="comparison single name unified"),
    # several documents
    Asked("premium-change", ("Is the premium higher than last year's?",), ("premium_rose",), brief="comparison single boolean unified", scope="group:policy_number"),
    Asked("limit-change", ("How much was the limit per occurrence in each of the two policy years?",), ("limits_by_year",), brief="comparison table amount unified", scope="group:policy_number"),
    Asked("premium-of-insured", ("What is the annual premium of the policy of {insured}?",), ("premium",), brief="factual single amount single", scope="corpus"),
    Asked("earthquake-policies", ("Which policies in the corpus contain an earthquake extension?",), ("earthquake_policies",), brief="open_corpus_wide listing name single", scope="corpus"),
    # what no policy says
    Asked("sunset-clause", ("Does the policy contain a sunset clause?",), (), ENGLISH, brief="factual single boolean single"),
    Asked("profit-commission", ("What is the rate of profit commission?",), (), LIABILITY, brief="factual single percent single"),
    Asked("last-survey", ("When was the last survey of the premises carried out?",), (), PROPERTY, brief="factual single date single"),
    Asked("loss-adjuster", ("Who is the appointed loss adjuster?",), (), CARGO, brief="factual single name single"),
    Asked("volcano", ("What is the sublimit for volcanic eruption?",), (), PROPERTY, brief="factual single amount single"),
    Asked("grace-period", ("How long is the grace period for payment of the premium?",), (), CYBER, brief="factual single duration single"),
    # too vague to be answered
    Asked("vague-it", ("What about it?",), (), is_vague=True),
    Asked("vague-cap", ("What's the cap?",), (), brief="factual single amount single", is_vague=True),
    # French
    Asked("fr-date-effet", ("Quelle est la date d'effet du contrat ?",), ("period_start",), FRENCH, brief="factual single date single"),
    Asked("fr-prime", ("Quel est le montant de la prime annuelle ?",), ("premium",), FRENCH, brief="factual single amount single"),
    Asked("fr-franchise", ("Quel est le montant de la franchise ?",), ("deductible",), FRENCH, brief="factual single amount single"),
    Asked("fr-preavis", ("Quel est le délai de préavis pour résilier le contrat ?",), ("cancellation_notice",), FRENCH, brief="factual single duration single"),
    Asked("fr-exclusions", ("Quelles sont les exclusions du contrat ?",), ("exclusions",), FRENCH, brief="listing listing text single"),
    Asked("fr-loi", ("Quelle est la loi applicable au contrat ?",), ("law",), FRENCH, brief="factual single name single"),
    Asked("fr-quote-part", ("Quelle est la quote-part du souscripteur en cas de vol ?",), ("coinsurance",), FRENCH, brief="factual single percent single"),
    # German
    Asked("de-beginn", ("Wann beginnt der Versicherungsschutz?",), ("period_start",), GERMAN, brief="factual single date single"),
    Asked("de-beitrag", ("Wie hoch ist der Jahresbeitrag?",), ("premium",), GERMAN, brief="factual single amount single"),
    Asked("de-selbstbeteiligung", ("Wie hoch ist die Selbstbeteiligung?",), ("deductible",), GERMAN, brief="factual single amount single"),
    Asked("de-frist", ("Welche Kündigungsfrist gilt für den Vertrag?",), ("cancellation_notice",), GERMAN, brief="factual single duration single"),
    Asked("de-ausschluesse", ("Welche Schäden sind ausgeschlossen?",), ("exclusions",), GERMAN, brief="listing listing text single"),
    Asked("de-vermittler", ("Wer ist der Vermittler?",), ("broker",), GERMAN, brief="factual single name single"),
    Asked("de-mitarbeiter", ("Wie viele Mitarbeiter hat der Betrieb?",), ("employees",), GERMAN, brief="factual single number single"),
)
