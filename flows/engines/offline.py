"""The engine that needs nothing: the extractive reader, under the same checks as any model."""

from flows.clock import elapsed_ms, tick
from transforms.generation import read_offline, validate_answer
from transforms.values import Generated, GenerateTask


class OfflineEngine:
    """Reads values, lists and definitions from the candidate lines. Costs nothing, calls nobody."""

    name = "offline"
    model: str | None = None

    async def answer(self, task: GenerateTask) -> Generated:
        """Answer from the windows by rule."""
        since = tick()
        read = read_offline(task.question, task.windows)
        checked = validate_answer(read, task.question, task.windows)
        return Generated(
            answer=checked.answer,
            failures=checked.failures,
            cardinality_cue=checked.cardinality_cue,
            elapsed_ms=elapsed_ms(since),
        )

    async def close(self) -> None:
        """Release nothing."""
