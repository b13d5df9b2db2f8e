"""Who asks a model, and what came of it."""

from flows.engines.replies import Completion
from flows.ledger.entries import Call, FailureKind, StepRequest
from transforms.values import Budget, CallPurpose, Usage, Value


class Asker(Value):
    """On whose behalf a call is made."""

    purpose: CallPurpose
    run_id: str | None = None
    pair_id: str | None = None
    doc_ids: tuple[str, ...] = ()
    iteration_number: int | None = None
    step: int | None = None
    seq: int = 1
    """Request of the step: 1 the answer, then its correction, then the next tier's."""
    budget_left: Budget | None = None


class Asked(Value):
    """What came of a call: a completion, or the kind of failure and why."""

    completion: Completion | None = None
    body: str | None = None
    failure: FailureKind | None = None
    message: str | None = None
    usage: Usage = Usage()
    elapsed_ms: int = 0
    answered_by: tuple[str, int] | None = None
    """The response in the ledger: call and attempt."""

    def step(self, call: Call) -> StepRequest:
        """Return what the ledger keeps of it for a replay."""
        call_id, attempt = self.answered_by or (None, None)
        return StepRequest(
            purpose=call.purpose,
            request_hash=call.request_hash,
            endpoint=call.endpoint,
            model=call.model,
            call_id=call_id,
            attempt=attempt,
            failure=self.failure,
            message=self.message,
            usage=self.usage,
            elapsed_ms=self.elapsed_ms,
        )
