"""What is right about an English policy."""

from sample_maker.english_words import Words
from sample_maker.manuscript import Gold
from sample_maker.policy import Policy
from sample_maker.spoken import plain


def gold_of(policy: Policy, words: Words) -> dict[str, Gold]:
    """Return the right answer for every fact, and for what can be worked out from its tables."""
    gold = {name: Gold.of(value) for name, value in policy.facts.items()}
    gold["law"] = Gold((str(policy.facts["law"]).removeprefix("the "),), "place")
    gold |= {name: _yes_or_no(is_true=value) for name, value in policy.booleans.items()}
    gold["earthquake"] = _yes_or_no(is_true=True)
    extensions = policy.extension_limits
    lists = {
        "exclusions": map(words.say, policy.exclusions),
        "endorsements": policy.endorsements,
        "additional_insureds": policy.additional_insureds,
        "part_names": (part for part, _, _ in policy.part_limits),
        "part_limits": (f"{part}: {plain(limit)}" for part, limit, _ in policy.part_limits),
        "peril_deductibles": (f"{name}: {plain(sum_)}" for name, sum_ in policy.peril_deductibles),
        "instalments": (f"{plain(day)}: {plain(amount)}" for day, amount in policy.instalments),
        "coverage_tree": (f"{part} > {extension}" for part, extension, _ in extensions),
        "sublimits": (f"{extension}: {plain(limit)}" for _, extension, limit in extensions),
    }
    gold |= {name: Gold(tuple(items), "name_list") for name, items in lists.items()}
    return gold | _compared(policy)


def _compared(policy: Policy) -> dict[str, Gold]:
    """Return what follows from comparing the amounts of a table."""
    by_peril = {peril: amount.amount for peril, amount in policy.peril_deductibles}
    by_part = {part: limit.amount for part, limit, _ in policy.part_limits}
    gold = {
        "highest_part": Gold((max(by_part, key=lambda part: by_part[part]),), "span"),
        "highest_peril": Gold((max(by_peril, key=lambda peril: by_peril[peril]),), "span"),
    }
    if {"Flood", "Theft"} <= set(by_peril):
        gold["flood_above_theft"] = _yes_or_no(is_true=by_peril["Flood"] > by_peril["Theft"])
    return gold


def _yes_or_no(*, is_true: bool) -> Gold:
    return Gold(("Yes" if is_true else "No",), "yes_no")
