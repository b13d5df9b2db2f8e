"""How a question asks: its first words, one row per phrase (longest match wins), and its verbs."""

from typing import Literal

from transforms.text import word_set

# fmt: off
Ask = Literal[
    "who", "when", "where", "how_much", "how_big", "how_many", "how_long", "how_often", "how",
    "why", "what", "which", "percent", "yes_no", "list", "show", "explain", "define",
    "compare", "quote", "none",
]

WH_ASKS: frozenset[Ask] = frozenset(
    {"who", "when", "where", "how_much", "how_big", "how_many", "how_long", "how_often", "how",
     "why", "what", "which", "percent"}
)

ASKS: dict[str, tuple[tuple[str, Ask], ...]] = {
    "en": (
        ("how much", "how_much"), ("how many", "how_many"), ("how long", "how_long"),
        ("how far back", "how_long"), ("how far in advance", "how_long"),
        ("how far ahead", "how_long"),
        ("how many percent", "percent"), ("how many percentage points", "percent"),
        ("how often", "how_often"), ("how frequently", "how_often"), ("how soon", "how_long"),
        ("how old", "how_many"), ("how large", "how_big"), ("how big", "how_big"),
        ("how high", "how_big"), ("how far", "how_many"), ("how late", "when"),
        ("how quickly", "how_long"), ("how early", "when"), ("how fast", "how_long"),
        ("how recently", "when"), ("how long ago", "when"), ("how small", "how_big"),
        ("how low", "how_big"), ("how wide", "how_big"), ("how tall", "how_big"),
        ("how deep", "how_big"), ("how thick", "how_big"), ("how heavy", "how_big"),
        ("how expensive", "how_much"), ("how costly", "how_much"),
        ("at what time", "when"), ("by what time", "when"),
        ("how", "how"), ("why", "why"), ("who", "who"), ("whom", "who"), ("whose", "who"),
        ("when", "when"), ("where", "where"), ("which", "which"),
        ("pull together", "show"), ("put together", "show"), ("draw up", "show"),
        ("pull up", "show"), ("list out", "list"),
        ("set out", "show"), ("lay out", "show"), ("spell out", "show"), ("point out", "show"),
        ("walk me through", "explain"), ("talk me through", "explain"),
        ("take me through", "explain"), ("run me through", "explain"), ("whether", "yes_no"),
        ("what about", "what"), ("how about", "what"), ("what", "what"),
        ("what's", "what"), ("who's", "who"), ("when's", "when"), ("where's", "where"),
        ("whats", "what"), ("whos", "who"), ("whens", "when"), ("wheres", "where"),
    ),
    "fr": (
        ("combien de temps", "how_long"), ("pendant combien", "how_long"),
        ("combien coute", "how_much"), ("a combien s'eleve", "how_much"),
        ("a combien s'elevent", "how_much"), ("a quelle frequence", "how_often"),
        ("a quelle heure", "when"), ("de quelle maniere", "how"), ("jusqu'a quand", "when"),
        ("combien de pour cent", "percent"),
        ("combien de", "how_many"), ("combien d'", "how_many"),
        ("combien", "how_much"),
        ("quand", "when"), ("ou", "where"), ("comment", "how"), ("pourquoi", "why"),
        ("qui", "who"), ("qu'est-ce que", "what"), ("qu'est-ce qui", "what"), ("que", "what"),
        ("quel", "what"), ("quelle", "what"), ("quels", "which"), ("quelles", "which"),
        ("lequel", "which"), ("laquelle", "which"),
    ),
    "de": (
        ("wie hoch", "how_much"), ("wie viel prozent", "percent"), ("wie viel", "how_much"),
        ("wieviel", "how_much"), ("wieviel prozent", "percent"), ("wie viel zeit", "how_long"),
        ("wie gross", "how_big"), ("wie alt", "how_many"), ("wie schnell", "how_long"),
        ("wie haufig", "how_often"), ("in welcher hohe", "how_much"), ("wessen", "who"),
        ("wieso", "why"), ("ob", "yes_no"), ("wofur", "what"), ("worin", "what"),
        ("wie teuer", "how_much"), ("wie viele", "how_many"), ("wieviele", "how_many"),
        ("wie lange", "how_long"), ("wie oft", "how_often"), ("wie lautet", "what"),
        ("wie lauten", "which"), ("wie heisst", "who"), ("wie heissen", "who"), ("wie", "how"),
        ("warum", "why"), ("weshalb", "why"), ("wer", "who"), ("wem", "who"), ("wen", "who"),
        ("wann", "when"), ("wo", "where"), ("wohin", "where"), ("was kostet", "how_much"),
        ("was", "what"), ("welche", "which"), ("welcher", "which"), ("welches", "which"),
        ("welchen", "which"), ("welchem", "which"),
    ),
    "es": (
        ("cuanto tiempo", "how_long"), ("cuanto dura", "how_long"), ("cuanto cuesta", "how_much"),
        ("a cuanto asciende", "how_much"), ("a cuanto ascienden", "how_much"),
        ("con que frecuencia", "how_often"), ("cada cuanto", "how_often"), ("a que hora", "when"),
        ("de que manera", "how"),
        ("cuanto", "how_much"), ("cuanta", "how_much"), ("cuantos", "how_many"),
        ("cuantas", "how_many"), ("cuando", "when"), ("donde", "where"), ("quien", "who"),
        ("quienes", "who"), ("como", "how"), ("por que", "why"), ("cual", "what"),
        ("cuales", "which"), ("que", "what"),
    ),
}

POLITE: tuple[str, ...] = (
    "please", "kindly", "can you please", "could you please", "can you tell me",
    "could you tell me", "please tell me", "tell me", "can you", "could you", "would you please",
    "would you", "i would like to know", "i'd like to know", "i want to know", "we need to know",
    "i need to know", "do you know", "let me know", "let us know", "also", "and", "then", "but",
    "so", "or", "find out", "check", "confirm", "determine", "verify", "whether", "if yes", "if so",
    "s'il vous plait", "pouvez-vous", "veuillez", "bitte", "konnen sie", "por favor", "puede",
    "identify", "specify", "indicate", "state", "report",
)
"""Words before the question proper; those that also list ("identify") only before a wh-word."""
NEEDS: tuple[str, ...] = (
    "i need", "we need", "i want", "i would like", "i'd like", "i would like to know",
    "i'd like to know", "i want to know", "i need to know", "we need to know", "tell me",
    "please tell me", "i am looking for", "i'm looking for", "looking for", "let me know",
    "i would like to see", "i want to see",
)
"""Before a noun, these want it: "I need the policy number"."""
LIST_VERBS = word_set("""
    list enumerate name identify itemize itemise listez lister enumerez citez nommez indiquez
    nenne nennen liste auflisten zahle enumere enumera liste nombre indique cite mencione
""")
VERBS_THAT_NAME = word_set("name identify")
"""Of these, those that ask for one thing when one follows: "name the contractor"."""
SHOW_VERBS = word_set("""
    give show provide display present state specify indicate report write tabulate produce extract
    find return compile get send break split tabulate tell detail note share mention
    donnez montrez fournissez gib zeige zeigen geben de muestre muestra proporcione dame
""")
EXPLAIN_VERBS = word_set("""
    summarize summarise explain describe outline discuss elaborate clarify overview
    resumez resumer decrivez expliquez fasse beschreibe erklare erlautere zusammenfassen
    erlautern beschreiben resuma resume describa describe explique
""")
OVERVIEWS = word_set("overview summary description explanation outline account synopsis resume")
"""What to give when several places are to be told in short."""
DEFINE_VERBS = word_set("define definissez definiere defina")
COMPARE_VERBS = word_set("compare contrast comparez vergleiche vergleichen compara")
QUOTE_VERBS = word_set("quote read recite citez zitiere cite")
# fmt: on
