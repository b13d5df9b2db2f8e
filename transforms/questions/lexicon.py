"""What words tell about a question beside its head noun (`heads.py`): ways of asking, verbs, units.

All words are folded (`transforms.text.fold`: lower case, no accents) and in the singular. Nothing
here names a document or a whole question: a row belongs here when it would be right for any
question of any sector that uses the word.
"""

from transforms.questions.words import words

# fmt: off
MEASURE_MODIFIERS = words("""
    emission speed age weight noise temperature exposure residue radiation power size height
    concentration dose dosage alcohol blood heart exchange refresh sampling learning dropout frame
    bit flow infusion respiratory pulse clock transmission dosing temperatur geschwindigkeit alter
""")
"""Before "limit", "rate" or "threshold": a physical or technical measure, not money."""

MONEY_MODIFIERS = words("""
    hourly daily day monthly weekly nightly room mileage overtime billing rental per-diem pay wage
""")
"""Before "rate": a price."""

VALUED_THINGS = words("""
    contract property building goodwill asset share stock estate house vehicle policy procurement
    tender lot deal transaction acquisition inventory collateral home car contents jewelry jewellery
    order claim fund portfolio project account option award grant lease land equipment company
    business unit holding position framework investment security bond note hull vessel ship
    aircraft cargo crop livestock artwork object
""")
"""Behind "value of": what is worth money."""

DESCRIBED = words("""
    objective function policy principle protocol control plan schedule programme program form
    framework system standard architecture regulation
""")
"""Named where one asks which, but described where one asks what it is: "the policy on smoking"."""

IDENTIFIER_OWNERS = words("""
    deed nct duns policy contract account phone telephone fax registration invoice reference order
    file docket
    case license licence serial patent tax vat claim naic cas employee customer member passport
    identification security registry company commission certificate form document version mobile
    hotline contact group plan model part product lot batch agreement control trial protocol
    registered irs ein ndc eudract freephone call helpline emergency toll-free section clause
    article item catalogue catalog membership enrolment enrollment application permit project loan
    booking ticket tracking purchase routing sort docket gazette building room suite bid tender
""")
"""Before "number": it names something and is not counted with."""

QUANTIFIERS = words("""
    maximum minimum average mean median peak total max min permitted allowable typical
""")
"""Before a noun: what is wanted is how much of it there is."""

MASS_AMOUNTS = words("""
    expenditures expenses sales revenues earnings proceeds assets liabilities costs savings
    receivables payables inventories profits losses wages taxes dividends inflows outflows fees
    charges deposits contributions premiums reserves provisions borrowings benefits_paid funds
    investments penalties fines expenditure depenses kosten einnahmen ausgaben gastos ingresos frais
""")
"""Plurals that are one sum of money unless the question asks to list or break them down."""

LISTED_SUMS = words("losses damages expenses costs penalties fines investments contributions")
"""Of these, those that are told as things when they are listed, not as what they come to."""

BROAD_HEADS = words("""
    cap limit rate amount number value date period threshold percentage total cost price fee
    maximum minimum deadline figure status condition rule requirement clause section page
    answer result level range size time day montant plafond date taux delai betrag frist datum
    grenze satz summe importe limite fecha tasa plazo cantidad
""")
"""Nouns that mean nothing definite alone ("the cap"): every document has several."""

TRANSPARENT_HEADS = words("""
    maximum minimum total quantity level extent range average sum type kind sort list set height
    hierarchy tree taxonomy breakdown overview summary table matrix band bracket niveau type hauteur
    tableau tabelle tabla liste hohe nivel tipo lista
""")
"""Heads that take their type from what follows "of", or stand before their noun."""

CONTRASTS = words("""
    basic diluted short-term long-term current non-current noncurrent gross net minimum maximum
    fixed variable domestic foreign international primary secondary in-network out-of-network
    opening closing individual family direct indirect tangible intangible initial renewal annual
    monthly weekly
    daily hourly upper lower employee employer lowest highest mean median
""")
"""Adjectives of which two before one noun ask for two values: "basic and diluted EPS"."""

FIXED_PAIRS = (
    "each and every", "any and all", "line of credit", "lines of credit",
    "depreciation and amortization", "depreciation and amortisation", "property and equipment",
    "plant and equipment", "research and development", "terms and conditions",
    "cash and cash equivalents", "cash equivalents", "profit and loss", "errors and omissions",
    "directors and officers", "health and safety", "fire and theft", "wear and tear",
    "general and administrative", "sales and marketing", "mergers and acquisitions",
    "roles and responsibilities", "rights and obligations", "duties and responsibilities",
    "risks and uncertainties", "terms and definitions", "policies and procedures",
    "bodily injury and property damage", "food and beverage", "vacation and sick",
    "acquisitions and divestitures", "representations and warranties", "products and services",
    "goods and services", "room and board", "time and materials", "furniture and fixtures",
)
"""Two words that name one thing: no place to split a question."""

AGENT_EXCEPTIONS = words("""
    number order cover offer letter matter quarter chapter waiver transfer power other driver
    factor error floor indicator sector vector sensor monitor trigger tower paper computer
    server computer register container meter corner danger disorder cancer tender border remainder
    fever filter layer liver ulcer fee degree committee guarantee tree agree guarantee transformer
    encoder decoder humor tumor behavior behaviour minor major prior color labor labour favor
    rumor interior exterior identifier modifier multiplier parameter diameter answer weather
    escalator water disaster takeover handover rollover crossover changeover spillover checklist
    numerator
    denominator predictor estimator descriptor detector tensor motor reactor generator elevator
    folder banner voucher sticker router scanner printer thermometer center manner master list
    corridor anchor honor burner heater boiler sprinkler freezer trailer
    winter summer september october november december whether newsletter header footer buffer
    user-manual counter disclaimer reminder barrier carrier frontier supplier tier outlier
""")
"""Words in -er, -or, -ee that are not persons or roles."""

TIME_UNITS = words("""
    day week month year hour minute second quarter business_day working_day jour mois an annee
    semaine heure tag monat woche jahr stunde tage monate wochen jahre dia mes semana ano hora
    dias meses semanas anos days weeks months years hours minutes
""")

DATE_VERBS_PAIR = words("""
    start begin commence end expire terminate incept renew mature open close launch finish conclude
    lapse
""")

LIST_VERBS = words("""
    list enumerate name identify itemize itemise listez lister enumerez citez nommez indiquez
    nenne nennen liste auflisten zahle enumere enumera liste nombre indique cite mencione
""")
VERBS_THAT_NAME = words("name identify")
"""Of these, those that ask for one thing when one follows: "name the contractor"."""
SHOW_VERBS = words("""
    give show provide display present state specify indicate report write tabulate produce extract
    find return compile get send break split tabulate tell detail note share mention
    donnez montrez fournissez gib zeige zeigen geben de muestre muestra proporcione dame
""")
EXPLAIN_VERBS = words("""
    summarize summarise explain describe outline discuss elaborate clarify overview
    resumez resumer decrivez expliquez fasse beschreibe erklare erlautere zusammenfassen
    erlautern beschreiben resuma resume describa describe explique
""")
OVERVIEWS = words("overview summary description explanation outline account synopsis resume")
"""What to give when several places are to be told in short."""
DEFINE_VERBS = words("define definissez definiere defina")
COMPARE_VERBS = words("compare contrast comparez vergleiche vergleichen compara compare_")
QUOTE_VERBS = words("quote read recite citez zitiere cite")

COMPARATIVES = words("""
    higher lower larger smaller greater longer shorter bigger better worse fewer less more stricter
    broader narrower wider cheaper stronger weaker faster slower older newer earlier later tighter
    superieur superieure inferieur inferieure hoher niedriger langer kurzer grosser kleiner besser
    mayor menor mejor peor
""")
SUPERLATIVES = words("""
    highest lowest largest smallest greatest longest shortest biggest best worst most least fewest
    fastest slowest cheapest strongest weakest strictest broadest newest oldest
    hochste hochsten niedrigste grosste grossten kleinste langste
""")
CHANGE_VERBS = words("""
    increase decrease grow rise fall change decline improve drop shrink expand widen narrow worsen
    increased decreased grown risen fallen changed declined improved dropped grew rose fell shrunk
    expanded differ vary strengthen weaken deteriorate deteriorated jump jumped
    augmente diminue baisse evolue gestiegen gesunken erhoht verandert aumentado disminuido
    cambiado aumento disminuyo reduced raised lowered extended tightened
    developed evolved moved shift shifted fluctuate fluctuated climb climbed double doubled triple
    tripled halve halved shrank evolve develop altered accelerate accelerated slowed surge surged
""")
CHANGE_NOUNS = words("""
    change increase decrease growth decline reduction difference variance drop rise
""")
CHANGING_VERBS = CHANGE_VERBS | words("""
    raise lower cut beat exceed outperform boost extend shorten appreciate depreciate rise
""")
"""Behind "by how much": what stands before changes, or what follows is changed."""
COMPARE_PHRASES = (
    "compared to", "compared with", "in comparison", "comparison between", "comparison of",
    "difference between", "differences between", "difference in", "differences in",
    "versus", "vs", "vs.", "year-over-year", "year over year", "year-on-year", "yoy",
    "different from", "different than", "gone up", "gone down", "went up", "went down",
    "outperform", "outperforms", "outperformed", "surpass", "surpasses", "surpassed",
    "relative to", "as opposed to", "the same as", "the same in", "the same for",
    "the same across", "identical to", "identical in",
    "identical across", "differ from", "differ between", "differs from",
    "superior to", "inferior to", "non-inferior to", "noninferior to", "comparable to",
    "compare to", "compare with", "compares to", "compares with", "prior year", "prior-year",
    "previous year's", "last year's", "changed between", "changed from", "changed since",
    "par rapport a", "compare a", "difference entre", "im vergleich", "verglichen mit",
    "gegenuber dem vorjahr", "unterschied zwischen", "en comparacion", "comparado con",
    "diferencia entre", "respecto al",
)
CORPUS_WORDS = (
    "in the corpus", "across the corpus", "across all", "in all documents", "in all contracts",
    "across the contracts", "across the documents", "across the policies", "among all",
    "all of our contracts", "of our contracts", "of our policies", "our contracts", "our policies",
    "in the portfolio", "across the portfolio", "in our portfolio", "in the collection",
    "of the documents", "of the contracts", "in the data room", "in any of the", "across our",
    "across documents", "across contracts", "across policies", "dans le corpus",
    "dans tous les contrats", "dans tous les documents", "parmi les contrats", "im korpus",
    "in allen vertragen", "in allen dokumenten", "aller vertrage", "en el corpus",
    "en todos los contratos", "en todos los documentos",
)
CORPUS_PLACES = (
    "in the repository", "in the archive", "in the library", "in the database",
)
"""Where documents are kept, when several are asked for; else a place like any other."""
DOCUMENT_NOUNS = words("""
    policy contract agreement document framework standard guide guideline report handbook manual
    paper regulation directive law act notice statement filing lease license plan programme
    charter code brochure label leaflet prospectus wording endorsement schedule amendment
    certificate booklet text file pdf form annex appendix protocol rulebook procedure
    police contrat document vertrag police dokument poliza contrato documento
""")
"""What a question calls the document it is asked of: says where, not what to look for."""

AGREEMENTS = words("""
    contract agreement lease filing policy licence license order nda msa sow tenancy
    police contrat bail poliza contrato policen vertrage versicherungsvertrage mietvertrage
""")
"""Documents that a collection holds many of: "which agreements …" asks of the collection."""

TREE_WORDS = (
    "hierarchy", "tree", "taxonomy", "nested structure", "organizational structure",
    "organisational structure", "organizational chart", "organisational chart",
    "organization chart", "organisation chart", "org chart",
    "table of contents", "outline of the", "section structure", "structure of the",
    "reporting lines", "and their subcategories", "subsections of each", "hierarchie",
    "arborescence", "gliederung", "baumstruktur", "jerarquia", "arbol",
)
TABLE_WORDS = (
    "table of", "in a table", "as a table", "in tabular form", "tabulate", "matrix",
    "breakdown of", "broken down", "break down", "schedule of limits", "side by side",
    "tableau", "ventilation", "tabelle", "aufschlusselung", "tabla", "desglose",
)
BREAKDOWN_PREPOSITIONS = ("by", "per", "for each", "for every", "par", "pro", "je", "por")
# fmt: on
