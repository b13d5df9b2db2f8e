"""What a call costs: prices of genai-prices, overridden by the settings.

Cached tokens are among the prompt tokens and reasoning tokens among the completion tokens: each is
charged once, at its own rate. A model that nobody has a price for costs null, never zero.
"""

import warnings
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price

from flows.ledger.entries import NANO, Counts
from flows.settings import Price
from transforms.values import Value

MILLION = Decimal(1_000_000)
BATCH_FACTOR = Decimal("0.5")
"""Share of the usual price that a Batch API charges; published by OpenAI and those who follow."""
BATCH_CONTEXT = {"processing": "batch"}
OPENAI_URL = "https://api.openai.com/v1"


class Cost(Value):
    """What a call costs and where the price is from; both null when the price is unknown."""

    usd: Decimal | None = None
    source: str | None = None


class PriceList(Value):
    """The prices in force at one endpoint."""

    endpoint: str = OPENAI_URL
    overrides: Mapping[str, Price] = {}

    def cost(self, model: str, counts: Counts, *, at: datetime, is_batch: bool = False) -> Cost:
        """Return what the counted tokens of one call cost, to the billionth of a dollar."""
        if price := self.overrides.get(model):
            usd = _overridden(price, counts) * (BATCH_FACTOR if is_batch else 1)
            return Cost(usd=usd.quantize(NANO), source="settings")
        usd = self._published(model, counts, at, is_batch=is_batch)
        return Cost() if usd is None else Cost(usd=usd.quantize(NANO), source="genai-prices")

    def _published(
        self, model: str, counts: Counts, at: datetime, *, is_batch: bool
    ) -> Decimal | None:
        """Return the published price, or null when provider or model is not in the list."""
        usage = PricedUsage(
            input_tokens=counts.prompt_tokens,
            cache_read_tokens=counts.cached_tokens,
            output_tokens=counts.completion_tokens,
        )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                standard, batch = (
                    calc_price(
                        usage,
                        model,
                        provider_api_url=self.endpoint,
                        genai_request_timestamp=at,
                        price_context=context,
                    ).total_price
                    for context in (None, BATCH_CONTEXT)
                )
        except (LookupError, ValueError):
            return None
        if not is_batch:
            return standard
        return batch if batch != standard else standard * BATCH_FACTOR


def _overridden(price: Price, counts: Counts) -> Decimal:
    cached_rate = price.input if price.cached_input is None else price.cached_input
    return (
        (counts.prompt_tokens - counts.cached_tokens) * price.input
        + counts.cached_tokens * cached_rate
        + counts.completion_tokens * price.output
    ) / MILLION
