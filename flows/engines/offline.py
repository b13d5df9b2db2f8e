"""The engine that needs nothing: the extractive reader, under the same checks as any model."""

from flows.clock import elapsed_ms, tick
from transforms.pipeline.registry import PatternRegistry
from transforms.values import Generated, GenerateTask


class OfflineEngine:
    """Reads values, lists and definitions from the candidate lines. Costs nothing, calls nobody."""

    name = "offline"

    def __init__(self, registry: PatternRegistry | None = None) -> None:
        self.model: str | None = None
        self._bricks = registry or PatternRegistry.default()

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer from the windows by rule."""
        since = tick()
        read = self._bricks.read_offline(task.question, task.windows)
        checked = self._bricks.validate_answer(read, task.question, task.windows)
        return Generated(
            answer=checked.answer,
            failures=checked.failures,
            cardinality_cue=checked.cardinality_cue,
            elapsed_ms=elapsed_ms(since),
        )

    async def close(self) -> None:
        """Release nothing."""
