"""How a question asks, by its first words: one row per phrase, longest match wins."""

from typing import Literal

from transforms.questions.words import words

Ask = Literal[
    "who", "when", "where", "how_much", "how_big", "how_many", "how_long", "how_often", "how",
    "why", "what", "which", "percent", "yes_no", "list", "show", "explain", "define",
    "compare", "quote", "none",
]  # fmt: skip

WH_ASKS: frozenset[Ask] = frozenset(
    {"who", "when", "where", "how_much", "how_big", "how_many", "how_long", "how_often", "how",
     "why", "what", "which", "percent"}
)  # fmt: skip

# fmt: off
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
        ("set out", "show"), ("lay out", "show"), ("spell out", "show"), ("point out", "show"),
        ("walk me through", "explain"), ("whether", "yes_no"),
        ("what about", "what"), ("how about", "what"), ("what", "what"),
        ("what's", "what"), ("who's", "who"), ("when's", "when"), ("where's", "where"),
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

AUXILIARIES: dict[str, frozenset[str]] = {
    "en": words("""
        is are was were am do does did has have had can could may might must shall
        should will would isn't aren't wasn't doesn't don't didn't hasn't haven't can't
        won't
    """),
    "fr": words("""
        est sont etait a ont peut doit doivent peuvent est-ce y-a-t-il
    """),
    "de": words("""
        ist sind war waren wird werden wurde hat haben kann konnen darf durfen muss
        mussen soll gibt gilt besteht deckt umfasst enthalt bietet
    """),
    "es": words("""
        es son esta estan hay puede pueden debe deben tiene cubre incluye
    """),
}
COPULAS: dict[str, frozenset[str]] = {
    "en": words("""
        is are was were be's 's
    """),
    "fr": words("""
        est sont etait etaient
    """),
    "de": words("""
        ist sind war waren gilt gelten lautet lauten betragt
    """),
    "es": words("""
        es son era eran fue
    """),
}
DETERMINERS: dict[str, frozenset[str]] = {
    "en": words("""
        the a an my our your their its his her this that these those all any each every
        some of out me us both
    """),
    "fr": words("""
        le la les l' un une des mon ma mes notre nos votre vos son sa ses tous toutes ce
        cette
    """),
    "de": words("""
        der die das den dem des ein eine einen meine mein unsere alle diese dieser
        dieses
    """),
    "es": words("""
        el la los las un una mi mis nuestro nuestra su sus todos todas este esta lo
    """),
}
OF: dict[str, frozenset[str]] = {
    "en": words("of for"), "fr": words("de du des d'"), "de": words("der des von vom"),
    "es": words("de del"),
}
VERBS_OF_SUBJECT = words("""
    happens happened governs drives drove triggers triggered determines constitutes causes caused
    counts qualifies changed differs distinguishes applies follows remains went led makes made
    signed owns audited approves bears pays holds keeps decides appoints regulates supervises
    issued issues wrote won gets got has had explains explained underlies justifies justified
    motivates motivated prevents prevented entitles influences influenced defines requires
    necessitates underpins ensures
""")
"""Verbs that follow "what" or "who" directly, when these are the subject."""
PHRASE_ENDS: dict[str, frozenset[str]] = {
    "en": words("""
        of for in on at by to under from with within without about during per as that
        which who whom whose where when if after before upon between among against over
        into through regarding concerning related relating applicable mentioned stated
        and or is are was were do does did has have had can could may might must shall
        should will would based not across including excluding except until since than
        am i we you they he she there using versus vs compared relative
    """),
    "fr": words("""
        de du des d' pour dans en a au aux par sur sous avec sans que qui et ou est sont
        entre s'applique s'appliquent ne
    """),
    "de": words("""
        der des dem den die das fur in im bei von vom zu zum zur mit ohne nach unter und
        oder ist sind wird werden gilt gelten hat haben laut gemass aus an am auf durch
        zwischen
    """),
    "es": words("""
        de del para en por con sin que y o es son segun a al entre se no
    """),
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
PREPOSITIONS_BEFORE_ASK = words("""
        for on in at by to under up within from of with after before upon against until
        since through during over a de par pour depuis sous dans d' ab bis seit nach in
        unter bei auf an mit von en por desde hasta con bajo about roughly approximately
        exactly jusqu'a partir um bis zu zum zur wegen gegen aus innerhalb binnen fur durch vor avec
        aupres devant
        selon vers chez sous between among ante segun durante para
    """)
# fmt: on
