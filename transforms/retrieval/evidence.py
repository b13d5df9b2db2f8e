"""What kind of line answers a question: rows of numbers for amounts, ratios and rates."""

import polars as pl

from transforms.text import tokens, word_set
from transforms.values import ParsedQuestion

VALUE_TYPES = frozenset({"amount", "number", "percent"})
MEASURES = word_set(
    """
    amount amounts ratio ratios rate rates margin margins income revenue revenues sales topline
    expense expenses cost costs earnings profit profits loss losses cash cashflow assets liabilities
    debt equity inventory inventories turnover capex capital balance ebit ebitda ebitdar ppne
    growth premium premiums fee fees limit limits deductible deductibles copay price prices total
    montant taux prime primes franchise plafond chiffre revenu revenus benefice depenses cout couts
    betrag quote pramie pramien selbstbehalt umsatz gewinn kosten deckungssumme anteil
    importe tasa prima primas franquicia ingresos beneficio gastos coste costes limite
    """
)
"""Words for what is measured: such a question is answered by numbers, whatever its type is."""

_TWO_NUMBERS = r"\d[\d,.]*[^\d,.].*\d"


def wants_values(question: ParsedQuestion) -> bool:
    """Return whether rows of numbers are likely evidence, also for "has the margin grown?"."""
    return question.answer_type in VALUE_TYPES or not MEASURES.isdisjoint(
        tokens(question.corrected_text)
    )


def is_value_row() -> pl.Expr:
    """Return which lines look like a row of a table of numbers."""
    return pl.col("text").str.contains(_TWO_NUMBERS) | (pl.col("role") == "table_row")
