"""Words that hold things side by side or tell a change."""

from transforms.text import word_set

# fmt: off
CONTRASTS = word_set("""
    basic diluted short-term long-term current non-current noncurrent gross net minimum maximum
    fixed variable domestic foreign international primary secondary in-network out-of-network
    opening closing individual family direct indirect tangible intangible initial renewal annual
    monthly weekly
    daily hourly upper lower employee employer lowest highest mean median
""")
"""Adjectives of which two before one noun ask for two values: "basic and diluted EPS"."""
COMPARATIVES = word_set("""
    higher lower larger smaller greater longer shorter bigger better worse fewer less more stricter
    broader narrower wider cheaper stronger weaker faster slower older newer earlier later tighter
    superieur superieure inferieur inferieure hoher niedriger langer kurzer grosser kleiner besser
    mayor menor mejor peor
""")
SUPERLATIVES = word_set("""
    highest lowest largest smallest greatest longest shortest biggest best worst most least fewest
    fastest slowest cheapest strongest weakest strictest broadest newest oldest
    hochste hochsten niedrigste grosste grossten kleinste langste
""")
CHANGE_VERBS = word_set("""
    increase decrease grow rise fall change decline improve drop shrink expand widen narrow worsen
    increased decreased grown risen fallen changed declined improved dropped grew rose fell shrunk
    expanded differ vary strengthen weaken deteriorate deteriorated jump jumped
    augmente diminue baisse evolue gestiegen gesunken erhoht verandert aumentado disminuido
    cambiado aumento disminuyo reduced raised lowered extended tightened
    developed evolved moved shift shifted fluctuate fluctuated climb climbed double doubled triple
    tripled halve halved shrank evolve develop altered accelerate accelerated slowed surge surged
""")
CHANGE_NOUNS = word_set("""
    change increase decrease growth decline reduction difference variance drop rise
""")
CHANGING_VERBS = CHANGE_VERBS | word_set("""
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
# fmt: on
