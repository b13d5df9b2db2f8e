"""Work on several chunks at a time and hand the results over, in order or as they come."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import NamedTuple, TypeVar

LOOK_EVERY_S = 0.5
"""How often the waiting thread looks up: for signals, and to say how far the work is."""

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


class Turn(NamedTuple):
    """What is done with chunks, and around them."""

    n_at_once: int
    may_begin: Callable[[], bool]
    """Asked before each chunk; one that may not begin is handed over without a result."""
    meanwhile: Callable[[], None]
    """Called while waiting, in the thread that waits."""


def in_turn(
    chunks: Iterable[Chunk], work: Callable[[int, Chunk], Result], turn: Turn
) -> Iterator[tuple[Chunk, Result | None]]:
    """Yield each chunk with its result, in order; `work` gets its number, from 1, and the chunk."""
    begun: deque[tuple[Chunk, Future[Result] | None]] = deque()
    with ThreadPoolExecutor(turn.n_at_once) as pool:
        for number, chunk in enumerate(chunks, start=1):
            if len(begun) == turn.n_at_once:
                yield _ended(*begun.popleft(), turn)
            is_begun = turn.may_begin()
            future = pool.submit(copy_context().run, work, number, chunk) if is_begun else None
            begun.append((chunk, future))
        while begun:
            yield _ended(*begun.popleft(), turn)


def as_they_end(
    chunks: Iterable[Chunk], work: Callable[[int, Chunk], Result], turn: Turn
) -> Iterator[tuple[Chunk, Result]]:
    """Yield each chunk with its result, the quick ones first: nobody waits for a slow one.

    Chunks that may not begin are left out.
    """
    left = enumerate(chunks, start=1)
    begun: dict[Future[Result], Chunk] = {}
    with ThreadPoolExecutor(turn.n_at_once) as pool:
        while True:
            while len(begun) < turn.n_at_once and turn.may_begin() and (one := next(left, None)):
                begun[pool.submit(copy_context().run, work, *one)] = one[1]
            if not begun:
                return
            for future in wait(begun, LOOK_EVERY_S, FIRST_COMPLETED).done:
                yield begun.pop(future), future.result()
            turn.meanwhile()


def _ended(chunk: Chunk, future: Future[Result] | None, turn: Turn) -> tuple[Chunk, Result | None]:
    if future is None:
        return chunk, None
    while not wait([future], timeout=LOOK_EVERY_S).done:
        turn.meanwhile()
    return chunk, future.result()
