"""Words that tell money, measures, counts and identifiers apart."""

from transforms.text import word_set

# fmt: off
MEASURE_MODIFIERS = word_set("""
    emission speed age weight noise temperature exposure residue radiation power size height
    concentration dose dosage alcohol blood heart exchange refresh sampling learning dropout frame
    bit flow infusion respiratory pulse clock transmission dosing temperatur geschwindigkeit alter
""")
"""Before "limit", "rate" or "threshold": a physical or technical measure, not money."""
MONEY_MODIFIERS = word_set("""
    hourly daily day monthly weekly nightly room mileage overtime billing rental per-diem pay wage
""")
"""Before "rate": a price."""
VALUED_THINGS = word_set("""
    contract property building goodwill asset share stock estate house vehicle policy procurement
    tender lot deal transaction acquisition inventory collateral home car contents jewelry jewellery
    order claim fund portfolio project account option award grant lease land equipment company
    business unit holding position framework investment security bond note hull vessel ship
    aircraft cargo crop livestock artwork object
""")
"""Behind "value of": what is worth money."""
IDENTIFIER_OWNERS = word_set("""
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
QUANTIFIERS = word_set("""
    maximum minimum average mean median peak total max min permitted allowable typical
""")
"""Before a noun: what is wanted is how much of it there is."""
MASS_AMOUNTS = word_set("""
    expenditures expenses sales revenues earnings proceeds assets liabilities costs savings
    receivables payables inventories profits losses wages taxes dividends inflows outflows fees
    charges deposits contributions premiums reserves provisions borrowings benefits_paid funds
    investments penalties fines write-downs writedowns write-offs writeoffs impairments royalties
    repurchases buybacks outlays expenditure depenses kosten einnahmen ausgaben gastos ingresos
    frais
""")
"""Plurals that are one sum of money unless the question asks to list or break them down."""
LISTED_SUMS = word_set("losses damages expenses costs penalties fines investments contributions")
"""Of these, those that are told as things when they are listed, not as what they come to."""
TIME_UNITS = word_set("""
    day week month year hour minute second quarter business_day working_day jour mois an annee
    semaine heure tag monat woche jahr stunde tage monate wochen jahre dia mes semana ano hora
    dias meses semanas anos days weeks months years hours minutes
""")
DATE_VERBS_PAIR = word_set("""
    start begin commence end expire terminate incept renew mature open close launch finish conclude
    lapse
""")
# fmt: on
