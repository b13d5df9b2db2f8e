"""The engine that asks any OpenAI-compatible endpoint."""

from collections.abc import Callable

from flows.engines.answering import answer
from flows.engines.asking import Asked, Asker
from flows.engines.caller import Caller
from flows.engines.requests import Request, generation_request
from flows.engines.tiers import Models
from transforms.values import Generated, GenerateTask, GenerationRequest


class OpenAIEngine:
    """Asks a model for each step. It belongs to the event loop that first uses it."""

    name = "openai"

    def __init__(self, caller: Caller, models: Models) -> None:
        self.model: str | None = models.standard
        self._caller = caller
        self._models = models

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer from the windows by the model of the task's tier."""
        models = self._models
        return await answer(task, self._ask, models.of_tier(task.model_tier), models.judge)

    async def close(self) -> None:
        """Close the connections."""
        await self._caller.close()

    async def _ask(
        self,
        asker: Asker,
        request: GenerationRequest,
        is_readable: Callable[[str], bool],
        *,
        model: str,
        is_lowered: bool,
    ) -> Asked:
        outgoing = generation_request(
            request,
            endpoint=self._caller.endpoint,
            model=model,
            is_readable=is_readable,
        )
        return await self._send(asker, outgoing, model, is_lowered=is_lowered)

    async def _send(self, asker: Asker, request: Request, model: str, *, is_lowered: bool) -> Asked:
        return await self._caller.ask(asker, request, model, is_lowered=is_lowered)
