"""What some nouns do in a question, whatever kind they are of (`noun_kinds.py`)."""

from transforms.text import word_set

# fmt: off
DESCRIBED = word_set("""
    objective function policy principle protocol control plan schedule programme program form
    framework system standard architecture regulation
""")
"""Named where one asks which, but described where one asks what it is: "the policy on smoking"."""
BROAD_HEADS = word_set("""
    cap limit rate amount number value date period threshold percentage total cost price fee
    maximum minimum deadline figure status condition rule requirement clause section page
    answer result level range size time day montant plafond date taux delai betrag frist datum
    grenze satz summe importe limite fecha tasa plazo cantidad
""")
"""Nouns that mean nothing definite alone ("the cap"): every document has several."""
TRANSPARENT_HEADS = word_set("""
    maximum minimum total quantity level extent range average sum type kind sort list set height
    hierarchy tree taxonomy breakdown overview summary table matrix band bracket niveau type hauteur
    tableau tabelle tabla liste hohe nivel tipo lista
""")
"""Heads that take their type from what follows "of", or stand before their noun."""
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
AGENT_EXCEPTIONS = word_set("""
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
# fmt: on
