"""The error tree, split by whose fault it is.

ComplineError
├── InputError      2   the user's file, question or setting is wrong; nothing was done
├── EndpointError   3   the model service did not do what was asked
├── BudgetError     3   a bound on tokens, money, time or memory was reached
├── WarehouseError  2   the warehouse cannot be read or written
└── ContractError   4   a bug of ours: a table or value breaks its own declaration

Each carries `exit_code` and a `hint` that says what to do next.
"""

import re
from typing import ClassVar

NO_MEMORY = re.compile(
    r"[mc]alloc|out of memory|bad_alloc|MemoryError|memory allocation|cannot allocate memory"
    r"|failed to map segment|can't start new thread",
    re.IGNORECASE,
)
"""How Python, MuPDF, C++, Rust, DuckDB and the loader say that they got no memory."""

CHECK_ROOM = "check free space and permissions of the warehouse, then run the same command again"


class ComplineError(Exception):
    """Base of all errors that Compline raises on purpose."""

    exit_code: ClassVar[int] = 4
    retryable: bool = False
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint or self.default_hint


class InputError(ComplineError):
    """The user's file, question or setting is wrong; nothing was done."""

    exit_code = 2


class EndpointError(ComplineError):
    """The model service did not do what was asked; `retryable` says whether a repeat may help."""

    exit_code = 3
    default_hint = "check OPENAI_BASE_URL, OPENAI_API_KEY and the model name, then run again"

    def __init__(self, message: str, *, hint: str = "", retryable: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable


class BudgetError(ComplineError):
    """A bound on tokens, money, time or memory was reached before the work was done."""

    exit_code = 3
    default_hint = "raise the budget in compline.toml or in the question set, then run again"


class WarehouseError(ComplineError):
    """The warehouse cannot be read or written."""

    exit_code = 2
    default_hint = "run `compline doctor` on this warehouse"


class ContractError(ComplineError):
    """A table or value breaks its own declaration: a bug of ours."""

    exit_code = 4
    default_hint = "please report this with the command that you ran"
