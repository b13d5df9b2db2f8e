"""The engine that needs no model: every reply comes from the ledger, as the run got it."""

from collections.abc import Callable

from flows.engines.answering import answer
from flows.engines.asking import Asked, Asker
from flows.engines.forms import canonical_request
from flows.engines.replies import read_completion
from flows.ledger import Ledger
from flows.ledger.entries import StepRequest, request_hash
from transforms.errors import InputError
from transforms.values import Generated, GenerateTask, GenerationRequest

CHANGED = "the recorded run asked something else here: prompt, question or documents have changed"


class ReplayEngine:
    """Gives a recorded run's replies, costs and times again, and asks nobody."""

    name = "replay"

    def __init__(self, ledger: Ledger, run_id: str) -> None:
        self.model: str | None = None
        self._ledger = ledger
        self._run_id = run_id
        n_requests, n_without_text = ledger.count_step_requests(run_id)
        if n_requests == 0:
            raise InputError(
                f"the ledger has no call of run {run_id!r}",
                hint='see `compline sql "select run_id, engine from run_df"` for runs of a model',
            )
        if n_without_text:
            raise InputError(
                f"run {run_id!r} cannot be replayed: the texts of {n_without_text} of its"
                f" {n_requests} replies were not kept",
                hint="run again with keep_text = true to be able to replay",
            )

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer a step with the replies that the run got for it."""
        recorded = self._ledger.read_step(
            self._run_id, task.pair_id, task.iteration_number, task.step
        )
        answering = [entry.model for entry in recorded if entry.purpose != "judge"]
        judging = [entry.model for entry in recorded if entry.purpose == "judge"]
        models = tuple(dict.fromkeys(answering)) or ("",)
        self.model = models[0] or self.model

        async def ask(
            asker: Asker,
            request: GenerationRequest,
            is_readable: Callable[[str], bool],  # noqa: ARG001  (what came then is given again)
            *,
            model: str,  # noqa: ARG001  (the recorded one is followed)
            is_lowered: bool,  # noqa: ARG001
        ) -> Asked:
            if asker.seq > len(recorded):
                return Asked(failure="endpoint", message=CHANGED)
            return self._replayed(recorded[asker.seq - 1], request)

        return await answer(task, ask, models, judging[0] if judging else None)

    async def close(self) -> None:
        """Release nothing."""

    def _replayed(self, entry: StepRequest, request: GenerationRequest) -> Asked:
        canonical = canonical_request(request, endpoint=entry.endpoint, model=entry.model)
        if request_hash(canonical) != entry.request_hash:
            return Asked(failure="endpoint", message=CHANGED)
        asked = Asked(
            failure=entry.failure,
            message=entry.message,
            usage=entry.usage,
            elapsed_ms=entry.elapsed_ms,
        )
        if entry.call_id is None or entry.attempt is None:
            return asked
        stored = self._ledger.read_response(entry.call_id, entry.attempt)
        if stored is None:
            return asked.model_copy(update={"failure": "endpoint", "message": CHANGED})
        return asked.model_copy(
            update={"completion": read_completion(stored.body), "body": stored.body}
        )
