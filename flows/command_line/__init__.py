"""The `compline` command: reads arguments, calls flows, prints results, sets the exit code."""

import sys

EXIT_INTERRUPTED = 130
"""What Typer returns after Ctrl-C, and what a shell expects."""


def main() -> None:
    """Run the command line; Ctrl-C ends it in one line, also while modules are being loaded."""
    try:
        from flows.command_line.app import run

        exit_code = run()
    except KeyboardInterrupt:
        exit_code = EXIT_INTERRUPTED
    if exit_code == EXIT_INTERRUPTED:
        sys.stderr.write(
            "stopped; what was finished is kept, run the same command again to go on\n"
        )
    sys.exit(exit_code)
