"""The engine that asks any OpenAI-compatible endpoint."""

from collections.abc import Mapping

from flows.engines.answering import answer, is_readable
from flows.engines.asking import Asked, Asker
from flows.engines.caller import Caller
from flows.engines.requests import generation_request
from flows.engines.tiers import models_of
from transforms.values import Generated, GenerateTask, GenerationRequest, ParsedQuestion


class OpenAIEngine:
    """Asks a model for each step. It belongs to the event loop that first uses it."""

    name = "openai"

    def __init__(self, caller: Caller, model: str, tiers: Mapping[str, str]) -> None:
        self.model: str | None = model
        self._model = model
        self._caller = caller
        self._tiers = tiers

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer from the windows by the model of the task's tier."""
        return await answer(task, self._ask, models_of(task.model_tier, self._model, self._tiers))

    async def close(self) -> None:
        """Close the connections."""
        await self._caller.close()

    async def _ask(
        self,
        asker: Asker,
        request: GenerationRequest,
        question: ParsedQuestion,
        *,
        model: str,
        is_lowered: bool,
    ) -> Asked:
        outgoing = generation_request(
            request,
            endpoint=self._caller.endpoint,
            model=model,
            is_readable=lambda text: is_readable(text, question),
        )
        return await self._caller.ask(asker, outgoing, model, is_lowered=is_lowered)
