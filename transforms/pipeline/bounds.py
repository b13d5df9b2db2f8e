"""What a pair may still spend: the only place where a loop's budget is read."""

from decimal import Decimal

from transforms.pipeline.state import LoopState
from transforms.values import Budget, Candidate

STEP_OVERHEAD_TOKENS = 250
"""Fixed part of a prompt, question and a short reply: the least that a step costs beside its
windows."""


def has_budget(state: LoopState, candidates: tuple[Candidate, ...] = ()) -> bool:
    """Say whether tokens, money and time are left for a step that reads these windows."""
    left = budget_left(state)
    needed = sum(candidate.n_tokens for candidate in candidates) + STEP_OVERHEAD_TOKENS
    has_money = left.usd > 0 or not state.usage.cost_usd
    return left.tokens >= needed and left.ms > 0 and has_money


def budget_left(state: LoopState) -> Budget:
    """Return what the pair has not spent yet; never below zero."""
    budget, usage = state.plan.budget, state.usage
    return Budget(
        tokens=max(budget.tokens - usage.tokens, 0),
        usd=max(budget.usd - (usage.cost_usd or 0), Decimal(0)),
        ms=max(budget.ms - state.elapsed_ms, 0),
    )
