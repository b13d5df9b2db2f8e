"""The values that engines and ledger exchange."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Literal

from transforms.values import Budget, CallOutcome, CallPurpose, Usage, Value

NANO = Decimal("1e-9")
"""US dollars are stored as whole billionths, so that sums are exact."""

FailureKind = Literal["over_budget", "context_too_long", "refused", "endpoint"]


class Call(Value):
    """One logical call: who makes it, what for, and of which model."""

    call_id: str
    purpose: CallPurpose
    engine: str
    endpoint: str
    model: str
    request_hash: str
    run_id: str | None = None
    pair_id: str | None = None
    doc_ids: tuple[str, ...] = ()
    iteration_number: int | None = None
    step: int | None = None
    budget_left: Budget | None = None
    """What is left of the pair's budget; null for calls that belong to no pair."""


class Bound(Value):
    """An upper bound in tokens and in money."""

    tokens: int
    usd: Decimal


class Bounds(Value):
    """The bounds that hold for every call."""

    call: Bound
    run: Bound
    day: Bound
    month: Bound


class Estimate(Value):
    """The most that a call is expected to use; `usd` is null when the model has no price."""

    tokens: int
    usd: Decimal | None


class Refusal(Value):
    """A call that was not sent, and the bound it would have exceeded."""

    bound: Literal["call", "pair", "run", "day", "month"]
    message: str


class Counts(Value):
    """Tokens as the endpoint counted them: cached are among prompt, reasoning among completion."""

    prompt_tokens: int
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Return what bounds count."""
        return self.prompt_tokens + self.completion_tokens


class Settlement(Value):
    """How one attempt ended."""

    outcome: CallOutcome
    latency_ms: int
    http_status: int | None = None
    finish_reason: str | None = None
    counts: Counts | None = None
    cost_usd: Decimal | None = None
    price_source: str | None = None
    error: str | None = None
    is_billed: bool
    """Whether the endpoint may charge for it; if so, without counts, the reservation stands."""


class StoredResponse(Value):
    """A response as the ledger kept it, with what it cost when it was made."""

    call: Call
    attempt: int
    body: str
    usage: Usage
    elapsed_ms: int


class BatchItem(Value):
    """An attempt that travels in a batch job."""

    custom_id: str
    call: Call
    attempt: int
    n_reserved: int
    """Tokens that were reserved for it."""


class BatchJob(Value):
    """A job of a Batch API; without an id when the process ended before the endpoint gave one."""

    token: str
    job_id: str | None
    submitted_at: datetime


class StepRequest(Value):
    """What one request of a generation step got: a response of the ledger, or why there is none."""

    purpose: CallPurpose
    request_hash: str
    endpoint: str
    model: str
    call_id: str | None = None
    attempt: int | None = None
    failure: FailureKind | None = None
    message: str | None = None
    usage: Usage
    elapsed_ms: int


def request_hash(request: Mapping[str, object]) -> str:
    """Return the tagged hash of a request's canonical JSON."""
    return "sha256:" + hashlib.sha256(canonical_json(request).encode()).hexdigest()


def canonical_json(value: Mapping[str, object] | Sequence[object]) -> str:
    """Return JSON with sorted keys and no spaces: equal values give equal texts."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def to_nano(usd: Decimal) -> int:
    """Return US dollars as whole billionths."""
    return int((usd / NANO).to_integral_value())


def from_nano(nanousd: int) -> Decimal:
    """Return whole billionths as US dollars."""
    return Decimal(nanousd) * NANO


def stamp(time: datetime) -> str:
    """Return a time as the ledger writes it: UTC, always to the microsecond, so that it sorts."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")
