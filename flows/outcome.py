"""How a run ended: the seven statuses, and the exit codes of design section 16."""

import polars as pl

from flows.answering.rows import CRASHED

STATUSES = (
    "answered", "partial", "not_found", "needs_clarification", "over_budget", "failed", "not_run",
)  # fmt: skip

EXIT_BUG, EXIT_STOPPED, EXIT_FAILED, EXIT_DONE = 4, 3, 1, 0

MEANINGS = {
    EXIT_DONE: "done",
    EXIT_FAILED: "finished, but a document or pair failed",
    EXIT_STOPPED: "an endpoint or a budget stopped the work",
    EXIT_BUG: "a bug of ours; please report it",
}


def exit_code(answer_df: pl.DataFrame) -> int:
    """Return the exit code of design section 16 for some answers; the highest row wins.

    Needs the columns status, stop_reason and caveats.
    """
    caveats = pl.col("caveats").cast(pl.List(pl.String))  # of an empty list even the type is null
    is_bug = caveats.list.eval(pl.element().str.starts_with(CRASHED)).list.any()
    is_stopped = pl.col("status").is_in(["over_budget", "not_run"]) | (
        (pl.col("status") == "partial") & (pl.col("stop_reason") == "budget")
    )
    for code, condition in (
        (EXIT_BUG, is_bug),
        (EXIT_STOPPED, is_stopped),
        (EXIT_FAILED, pl.col("status") == "failed"),
    ):
        if answer_df.filter(condition).height:
            return code
    return EXIT_DONE
