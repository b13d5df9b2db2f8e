"""Which model answers: the dispatcher's tier, mapped by `model_tiers`, cheapest tier first."""

from collections.abc import Mapping


def models_of(tier: str, model: str, tiers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the model of a tier and the one of the next tier, which is asked when it fails.

    A tier that is not mapped is the standard model, and a standard model outside the mapping has
    no next tier.
    """
    if tier not in tiers:
        return (model,)
    names = list(tiers)
    following = names[names.index(tier) + 1 :]
    return (tiers[tier], *(tiers[name] for name in following[:1]))
