"""The small words of each language: what stands around nouns and verbs, and ends a phrase."""

from transforms.text import word_set

# fmt: off
AUXILIARIES: dict[str, frozenset[str]] = {
    "en": word_set("""
        is are was were am do does did has have had can could may might must shall
        should will would isn't aren't wasn't doesn't don't didn't hasn't haven't can't
        won't
    """),
    "fr": word_set("""
        est sont etait a ont peut doit doivent peuvent est-ce y-a-t-il
    """),
    "de": word_set("""
        ist sind war waren wird werden wurde hat haben kann konnen darf durfen muss
        mussen soll gibt gilt besteht deckt umfasst enthalt bietet
    """),
    "es": word_set("""
        es son esta estan hay puede pueden debe deben tiene cubre incluye
    """),
}
COPULAS: dict[str, frozenset[str]] = {
    "en": word_set("""
        is are was were be's 's
    """),
    "fr": word_set("""
        est sont etait etaient fut furent sera seront a ont ete
    """),
    "de": word_set("""
        ist sind war waren gilt gelten lautet lauten betragt
    """),
    "es": word_set("""
        es son era eran fue fueron sera seran ha han sido
    """),
}
DETERMINERS: dict[str, frozenset[str]] = {
    "en": word_set("""
        the a an my our your their its his her this that these those all any each every
        some of out me us both
    """),
    "fr": word_set("""
        le la les l' un une des mon ma mes notre nos votre vos son sa ses tous toutes ce
        cette
    """),
    "de": word_set("""
        der die das den dem des ein eine einen meine mein unsere alle diese dieser
        dieses
    """),
    "es": word_set("""
        el la los las un una mi mis nuestro nuestra su sus todos todas este esta lo
    """),
}
OF: dict[str, frozenset[str]] = {
    "en": word_set("of for"), "fr": word_set("de du des d'"), "de": word_set("der des von vom"),
    "es": word_set("de del"),
}
VERBS_OF_SUBJECT = word_set("""
    happens happened governs drives drove triggers triggered determines constitutes causes caused
    counts qualifies changed differs distinguishes applies follows remains went led makes made
    signed owns audited approves bears pays holds keeps decides appoints regulates supervises
    issued issues wrote won gets got has had explains explained underlies justifies justified
    motivates motivated prevents prevented entitles influences influenced defines requires
    necessitates underpins ensures becomes became
""")
"""Verbs that follow "what" or "who" directly, when these are the subject."""
PHRASE_ENDS: dict[str, frozenset[str]] = {
    "en": word_set("""
        of for in on at by to under from with within without about during per as that
        which who whom whose where when if after before upon between among against over
        into through regarding concerning related relating applicable mentioned stated
        and or is are was were do does did has have had can could may might must shall
        should will would based not across including excluding except until since than
        am i we you they he she there using versus vs compared relative
    """),
    "fr": word_set("""
        de du des d' pour dans en a au aux par sur sous avec sans que qui et ou est sont
        entre s'applique s'appliquent ne
    """),
    "de": word_set("""
        der des dem den die das fur in im bei von vom zu zum zur mit ohne nach unter und
        oder ist sind wird werden gilt gelten hat haben laut gemass aus an am auf durch
        zwischen
    """),
    "es": word_set("""
        de del para en por con sin que y o es son segun a al entre se no
    """),
}
PREPOSITIONS_BEFORE_ASK = word_set("""
        for on in at by to under up within from of with after before upon against until
        since through during over a de par pour depuis sous dans d' ab bis seit nach in
        unter bei auf an mit von en por desde hasta con bajo about roughly approximately
        exactly jusqu'a partir um bis zu zum zur wegen gegen aus innerhalb binnen fur durch vor avec
        aupres devant
        selon vers chez sous between among ante segun durante para
    """)
# fmt: on
