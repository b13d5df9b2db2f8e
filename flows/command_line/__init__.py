"""The `compline` command: reads arguments, calls flows, prints results, sets the exit code."""

from flows.command_line.app import main

__all__ = ["main"]
