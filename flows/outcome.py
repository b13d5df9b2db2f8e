"""How a run ended: the seven statuses, and the exit codes of design section 16."""

import polars as pl

from transforms.errors import BudgetError, ContractError, EndpointError

STATUSES = (
    "answered", "partial", "not_found", "needs_clarification", "over_budget", "failed", "not_run",
)  # fmt: skip

EXIT_BUG, EXIT_STOPPED = ContractError.exit_code, BudgetError.exit_code
EXIT_FAILED, EXIT_DONE = 1, 0

MEANINGS = {
    EXIT_DONE: "done",
    EXIT_FAILED: "finished, but a document or pair failed",
    EXIT_STOPPED: "an endpoint or a budget stopped the work",
    EXIT_BUG: "a bug of ours; please report it",
}
CRASHED = "internal error"
"""How the caveat of an answer lost to a bug of ours begins."""

IS_STOPPED = pl.col("status").is_in(["over_budget", "not_run"]) | (
    (pl.col("status") == "partial") & (pl.col("stop_reason") == "budget")
)
"""An endpoint or a budget left this answer undone."""


def exit_code(answer_df: pl.DataFrame) -> int:
    """Return the exit code of design section 16 for some answers; the highest row wins.

    Needs the columns status, stop_reason and caveats.
    """
    caveats = pl.col("caveats").cast(pl.List(pl.String))  # of an empty list even the type is null
    is_bug = caveats.list.eval(pl.element().str.starts_with(CRASHED)).list.any()
    for code, condition in (
        (EXIT_BUG, is_bug),
        (EXIT_STOPPED, IS_STOPPED),
        (EXIT_FAILED, pl.col("status") == "failed"),
    ):
        if answer_df.filter(condition).height:
            return code
    return EXIT_DONE


def stopped_by(answer_df: pl.DataFrame) -> EndpointError | BudgetError | None:
    """Return what stopped the work of some answers, with what to do about it; null when nothing
    did, or a person.

    Needs the columns status and stop_reason.
    """
    n_not_run = answer_df.filter(status="not_run").height
    if n_not_run and (answer_df["stop_reason"] == "engine_failed").any():
        return EndpointError(
            f"the endpoint failed: {n_not_run} of {answer_df.height} pairs were not asked",
            retryable=True,
        )
    n_stopped = answer_df.filter(IS_STOPPED).height - n_not_run
    if n_stopped:
        return BudgetError(f"a budget stopped {n_stopped} of {answer_df.height} pairs")
    return None
