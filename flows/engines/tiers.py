"""Which model answers: the dispatcher's tier, mapped by `model_tiers`, cheapest tier first."""

from collections.abc import Mapping

from transforms.values import Value


class Models(Value):
    """The models of an engine."""

    standard: str
    tiers: Mapping[str, str] = {}
    judge: str | None = None
    """Looks at what was found; null for nobody."""

    def of_tier(self, tier: str) -> tuple[str, ...]:
        """Return the model of a tier and the one of the next tier, which is asked when it fails.

        A tier that is not mapped is the standard model, and a standard model outside the mapping
        has no next tier.
        """
        if tier not in self.tiers:
            return (self.standard,)
        names = list(self.tiers)
        following = names[names.index(tier) + 1 :]
        return (self.tiers[tier], *(self.tiers[name] for name in following[:1]))
