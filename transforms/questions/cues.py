"""What a question wants, as one ordered table of cues: the first row that matches decides a field.

Each row has a name that is stored with the question (`answer_type=amount_noun`), so "why is this a
listing?" names a row. The table knows head nouns, ways of asking and verbs, never whole questions.
"""

from dataclasses import dataclass
from typing import Literal

from transforms.questions.conditions.combining import (
    Condition,
    always,
    asks,
    both,
    either,
    head_kind,
    is_bare,
    is_determined,
    is_english,
    is_plural,
    unless,
)
from transforms.questions.conditions.comparisons import (
    asks_for_change,
    chooses,
    compares,
    holds_side_by_side,
    tells_change,
)
from transforms.questions.conditions.names_and_prose import (
    asks_for_meaning,
    asks_manner,
    asks_purpose,
    asks_where_valid,
    is_agent,
    is_bound_to,
    is_described,
    is_kind_of_thing,
    is_named,
    is_overview,
    is_traded_where,
    refers_back,
)
from transforms.questions.conditions.numbers import (
    counts_outstanding,
    counts_time,
    is_called,
    is_identifier_number,
    is_measure,
    is_numbered,
    is_quantified,
    is_symbol,
)
from transforms.questions.conditions.several import (
    asks_for_all,
    has_breakdown,
    has_fields,
    has_inner_lists,
    has_value_each,
    is_table,
    is_tree,
    is_uncounted,
    must_give,
    names_one,
)
from transforms.questions.conditions.sources import (
    asks_place,
    asks_what_document_says,
    spans_corpus,
)
from transforms.questions.conditions.sums import (
    is_broken_down_untyped,
    is_kind_of_sum,
    is_mass_amount,
    is_money_rate,
    is_share_of,
    is_share_paid,
    is_sum_over_time,
    is_worth,
    spends,
    tells_in_percent,
)
from transforms.questions.grammar.reading import Reading

Field = Literal["intent", "answer_shape", "answer_type"]


@dataclass(frozen=True)
class Cue:
    """One row: when the condition holds, the field has this value."""

    name: str
    field: Field
    value: str
    when: Condition


_several = both(is_plural, unless(is_mass_amount), unless(spends), unless(counts_outstanding))
_lists = both(asks("list"), unless(names_one))
_several_things = both(asks("what", "which"), _several)
_several_shown = both(asks("show"), _several)
_several_persons = both(asks("who"), is_plural)
_any_comparison = either(
    asks("compare"), compares, tells_change, asks_for_change, chooses, holds_side_by_side
)
_asks_value = asks("what", "when", "how_much", "how_many", "how_long", "how_big")
_values_side_by_side = both(_asks_value, holds_side_by_side, unless(compares))
_in_a_table = both(asks("list", "show", "what", "which"), is_table)
_inner_lists = both(asks("list", "show"), has_inner_lists)
_fields = both(asks("list", "show"), has_fields)
_untyped_tree = both(is_tree, unless(head_kind("amount", "number", "percent", "date")))
_prose = asks("how", "why", "explain", "define", "quote")
_has_value = head_kind("amount", "number", "percent", "date", "duration", "identifier", "address")
_bound_to = both(is_bound_to, unless(_has_value))
_meaning = both(asks_for_meaning, either(is_bare, unless(_has_value)))
_compared_things = both(asks("compare"), head_kind("name"))
_which_one = both(asks("which"), is_determined, is_english, unless(is_plural))
_best_of_all = both(chooses, unless(head_kind("date")))
_which_numbered = both(asks("which"), is_determined, is_numbered)
_measured = both(is_measure, head_kind("amount", "percent", "number"))

# fmt: off
CUES: tuple[Cue, ...] = (
    #   name                field           value                when
    Cue("compare_verb",     "intent",       "comparison",        asks("compare")),
    Cue("comparative",      "intent",       "comparison",        compares),
    Cue("choice",          "intent",       "comparison",        chooses),
    Cue("change",           "intent",       "comparison",        tells_change),
    Cue("change_in",        "intent",       "comparison",        asks_for_change),
    Cue("side_by_side",     "intent",       "comparison",        holds_side_by_side),
    Cue("place",            "intent",       "section_retrieval", asks_place),
    Cue("corpus",           "intent",       "open_corpus_wide",  spans_corpus),
    Cue("tree",             "intent",       "listing",           is_tree),
    Cue("list_verb",        "intent",       "listing",           _lists),
    Cue("fields",           "intent",       "listing",           _fields),
    Cue("breakdown",        "intent",       "listing",           has_breakdown),
    Cue("value_each",       "intent",       "listing",           has_value_each),
    Cue("table_word",       "intent",       "listing",           _in_a_table),
    Cue("several_shown",    "intent",       "listing",           _several_shown),
    Cue("several_things",   "intent",       "listing",           _several_things),
    Cue("several_persons",  "intent",       "listing",           _several_persons),
    Cue("uncounted",        "intent",       "listing",           is_uncounted),
    Cue("must_give",        "intent",       "listing",           must_give),
    Cue("all_that",         "intent",       "listing",           asks_for_all),
    Cue("explain_verb",     "intent",       "open_scoped",       asks("explain")),
    Cue("overview",         "intent",       "open_scoped",       is_overview),
    Cue("document_says",    "intent",       "open_scoped",       asks_what_document_says),
    Cue("fact",             "intent",       "factual",           always),

    Cue("side_by_side",     "answer_shape", "table",             _values_side_by_side),
    Cue("comparison",       "answer_shape", "single",            _any_comparison),
    Cue("place",            "answer_shape", "single",            asks_place),
    Cue("tree",             "answer_shape", "tree",              is_tree),
    Cue("inner_lists",      "answer_shape", "nested",            _inner_lists),
    Cue("fields",           "answer_shape", "table",             _fields),
    Cue("table_word",       "answer_shape", "table",             _in_a_table),
    Cue("value_each",       "answer_shape", "table",             has_value_each),
    Cue("breakdown",        "answer_shape", "table",             has_breakdown),
    Cue("list_verb",        "answer_shape", "listing",           _lists),
    Cue("several_shown",    "answer_shape", "listing",           _several_shown),
    Cue("several_things",   "answer_shape", "listing",           _several_things),
    Cue("several_persons",  "answer_shape", "listing",           _several_persons),
    Cue("uncounted",        "answer_shape", "listing",           is_uncounted),
    Cue("must_give",        "answer_shape", "listing",           must_give),
    Cue("all_that",         "answer_shape", "listing",           asks_for_all),
    Cue("one_value",        "answer_shape", "single",            always),

    Cue("yes_no",           "answer_type",  "boolean",           asks("yes_no")),
    Cue("names_in_tree",    "answer_type",  "name",              _untyped_tree),
    Cue("prose",            "answer_type",  "text",              _prose),
    Cue("place",            "answer_type",  "text",              asks_place),
    Cue("who",              "answer_type",  "name",              asks("who")),
    Cue("when",             "answer_type",  "date",              asks("when")),
    Cue("where_valid",      "answer_type",  "text",              asks_where_valid),
    Cue("where_traded",     "answer_type",  "name",              is_traded_where),
    Cue("where",            "answer_type",  "address",           asks("where")),
    Cue("how_many_percent", "answer_type",  "percent",           asks("percent")),
    Cue("how_long",         "answer_type",  "duration",          asks("how_long")),
    Cue("how_many_days",    "answer_type",  "duration",          counts_time),
    Cue("how_many",         "answer_type",  "number",            asks("how_many")),
    Cue("how_often",        "answer_type",  "text",              asks("how_often")),
    Cue("share_of",         "answer_type",  "percent",           is_share_of),
    Cue("manner",           "answer_type",  "text",              asks_manner),
    Cue("purpose",          "answer_type",  "text",              asks_purpose),
    Cue("outstanding",      "answer_type",  "number",            counts_outstanding),
    Cue("as_percentage",    "answer_type",  "percent",           tells_in_percent),
    Cue("number_called",    "answer_type",  "identifier",        is_called),
    Cue("code_number",      "answer_type",  "identifier",        is_identifier_number),
    Cue("measure",          "answer_type",  "number",            _measured),
    Cue("corpus",           "answer_type",  "name",              spans_corpus),
    Cue("refers_back",      "answer_type",  "name",              refers_back),
    Cue("symbol",           "answer_type",  "number",            is_symbol),
    Cue("kinds_of_sums",    "answer_type",  "text",              is_kind_of_sum),
    Cue("kinds_of_things",  "answer_type",  "text",              is_kind_of_thing),
    Cue("described",        "answer_type",  "text",              is_described),
    Cue("bound_to",         "answer_type",  "text",              _bound_to),
    Cue("overview",         "answer_type",  "text",              is_overview),
    Cue("spending",         "answer_type",  "amount",            spends),
    Cue("share_paid",       "answer_type",  "percent",           is_share_paid),
    Cue("sum_over_time",    "answer_type",  "amount",            is_sum_over_time),
    Cue("compared_things",  "answer_type",  "text",              _compared_things),
    Cue("meaning",          "answer_type",  "text",              _meaning),
    Cue("worth",            "answer_type",  "amount",            is_worth),
    Cue("best_of_all",      "answer_type",  "name",              _best_of_all),
    Cue("which_numbered",   "answer_type",  "name",              _which_numbered),
    Cue("price_rate",       "answer_type",  "amount",            is_money_rate),
    Cue("date_noun",        "answer_type",  "date",              head_kind("date")),
    Cue("duration_noun",    "answer_type",  "duration",          head_kind("duration")),
    Cue("percent_noun",     "answer_type",  "percent",           head_kind("percent")),
    Cue("amount_noun",      "answer_type",  "amount",            head_kind("amount")),
    Cue("identifier_noun",  "answer_type",  "identifier",        head_kind("identifier")),
    Cue("number_noun",      "answer_type",  "number",            head_kind("number")),
    Cue("how_much",         "answer_type",  "amount",            asks("how_much")),
    Cue("how_big",          "answer_type",  "number",            asks("how_big")),
    Cue("address_noun",     "answer_type",  "address",           head_kind("address")),
    Cue("text_noun",        "answer_type",  "text",              head_kind("text")),
    Cue("name_noun",        "answer_type",  "name",              head_kind("name")),
    Cue("role_noun",        "answer_type",  "name",              is_agent),
    Cue("broken_down",      "answer_type",  "amount",            is_broken_down_untyped),
    Cue("name_verb",        "answer_type",  "name",              is_named),
    Cue("which_one",        "answer_type",  "name",              _which_one),
    Cue("quantified",       "answer_type",  "number",            is_quantified),
    Cue("prose_by_default", "answer_type",  "text",              always),
)
# fmt: on


def decide(field: Field, reading: Reading) -> tuple[str, str]:
    """Return the value of a field and the cue that chose it ("answer_type=amount_noun")."""
    cue = next(cue for cue in CUES if cue.field == field and cue.when(reading))
    return cue.value, f"{field}={cue.name}"
